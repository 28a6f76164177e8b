"""What a person sees of a conversation, of its messages and of a project."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class Source(StrEnum):
    """Where a conversation was held."""

    AURITAS = "auritas"
    CHATGPT = "chatgpt"
    CLAUDE = "claude"


@dataclass(frozen=True, slots=True)
class Conversation:
    """One conversation without its messages.

    short: the beginning of the id by which it can be told from every other one now. project: the name of its project.
    renamed: its title was given by the person, not taken from the first question. branched_from: the message of another
    conversation at which it began. external_id: what the program it comes from calls it. instructions: what the person
    wants in it. temporary: it leaves nothing behind.
    """

    id: str
    title: str
    created_at: datetime
    updated_at: datetime
    short: str = ""
    messages: int = 0
    project_id: str | None = None
    project: str | None = None
    archived: bool = False
    renamed: bool = False
    source: Source = Source.AURITAS
    external_id: str | None = None
    branched_from: str | None = None
    instructions: str = ""
    temporary: bool = False

    @property
    def name(self) -> str:
        """What to call it where there is no title."""
        return self.title or "Untitled"


@dataclass(frozen=True, slots=True)
class Said:
    """One message. number: its place in the conversation, from 1.

    models: who answered, by seat. level, confidence: of an answer. edited_from: the message of which it is another
    wording. notices: what the person was told with it.
    """

    id: str
    number: int
    role: str
    text: str
    at: datetime
    models: tuple[str, ...] = ()
    level: str | None = None
    confidence: str | None = None
    callout: str | None = None
    notices: tuple[str, ...] = ()
    edited_from: str | None = None
    external_id: str | None = None


@dataclass(frozen=True, slots=True)
class ConversationPage:
    """Some conversations, the latest used first. next: the cursor of the page after it, None at the end."""

    conversations: tuple[Conversation, ...]
    next: str | None = None


@dataclass(frozen=True, slots=True)
class Shown:
    """A stretch of a conversation. branches: conversations that began in it, with the number of the message."""

    conversation: Conversation
    messages: tuple[Said, ...]
    branches: tuple[tuple[int, Conversation], ...] = ()

    @property
    def before(self) -> int:
        """How many messages come before the stretch."""
        return self.messages[0].number - 1 if self.messages else 0

    @property
    def after(self) -> int:
        """How many messages come after the stretch."""
        return self.conversation.messages - self.messages[-1].number if self.messages else 0


@dataclass(frozen=True, slots=True)
class Branched:
    """A conversation that was made from the beginning of another.

    at: the message that it was made from. asks_anew: its text, where the branch ends before it so that it can be asked
    in other words; what is asked next in the branch is an edit of it.
    """

    conversation: Conversation
    origin: Conversation
    at: Said
    asks_anew: str | None = None


@dataclass(frozen=True, slots=True)
class Project:
    """A project: what scopes conversations and memory. active: new conversations join it.

    corrections: those that hold in it and nowhere else. instructions: what the person wants in its conversations.
    """

    id: str
    name: str
    created_at: datetime
    archived: bool = False
    conversations: int = 0
    corrections: int = 0
    active: bool = False
    instructions: str = ""


@dataclass(frozen=True, slots=True)
class Loss:
    """What deleting takes, counted before it happens.

    corrections: those that hold only there, and proposals nobody has accepted. kept_corrections: what the person told
    Auritas to remember everywhere while being there. branches: conversations that hold copies of its messages.
    """

    conversations: tuple[Conversation, ...] = ()
    messages: int = 0
    questions: int = 0
    notes: int = 0
    corrections: int = 0
    kept_corrections: int = 0
    branches: int = 0
    project: Project | None = None


@dataclass(frozen=True, slots=True)
class Deleted:
    """What was deleted. entries: of the audit log that lost their words. backups: files made before that hold it still.

    lingers: the write-ahead log could not be emptied because another process reads; it is emptied when that ends.
    """

    loss: Loss
    entries: int
    backups: int = 0
    lingers: bool = False


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What one unit of work removed besides the rows that go by themselves.

    entries: of the audit log that lost their words. fields: under which only these answers were filed.
    """

    corrections: int = 0
    entries: int = 0
    fields: int = 0
