"""What comes with one message, besides its words and its level: what a person chose, and what the sender may do."""

from dataclasses import dataclass

from auritas.kernel.tasks import Hurry


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a person chose for one message.

    members: seats to be asked; none named means all. project_id: what a new conversation joins; None: the active
    project. outside: a new conversation joins none. attachments: ids of files that wait for this message. temporary: a
    new conversation leaves nothing behind. remember: what the message corrects may be stored; whoever sends it may be a
    program that must not change memory. hurry: called when nobody wants to wait for those who have not answered yet.
    """

    members: tuple[str, ...] = ()
    project_id: str | None = None
    outside: bool = False
    attachments: tuple[str, ...] = ()
    temporary: bool = False
    remember: bool = True
    hurry: Hurry | None = None


NO_WISHES = Wishes()
