"""What comes with one message, besides its words and its level: what a person chose, and what the sender may do."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a person chose for one message.

    members: seats to be asked; none named means all. project_id: what a new conversation joins; None: the active
    project. outside: a new conversation joins none. attachments: ids of files that wait for this message. temporary: a
    new conversation leaves nothing behind. remember: what the message corrects may be stored; whoever sends it may be a
    program that must not change memory.
    """

    members: tuple[str, ...] = ()
    project_id: str | None = None
    outside: bool = False
    attachments: tuple[str, ...] = ()
    temporary: bool = False
    remember: bool = True


NO_WISHES = Wishes()
