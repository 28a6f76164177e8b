"""What a person chooses for one message, besides its words and its level."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a person chose for one message.

    members: seats to be asked; none named means all. project_id: what a new conversation joins; None: the active
    project. outside: a new conversation joins none. attachments: ids of files that wait for this message. temporary: a
    new conversation leaves nothing behind.
    """

    members: tuple[str, ...] = ()
    project_id: str | None = None
    outside: bool = False
    attachments: tuple[str, ...] = ()
    temporary: bool = False


NO_WISHES = Wishes()
