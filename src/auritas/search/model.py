"""What can be searched for, what is found, and the seam through which another index follows the messages."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Protocol, TypeVar

from auritas.kernel.model import Role

U_contra = TypeVar("U_contra", contravariant=True)


class Order(StrEnum):
    """How conversations are ordered."""

    RECENCY = "recency"
    RELEVANCE = "relevance"


class Near(StrEnum):
    """How far a result is from what was typed; the first that finds anything is shown."""

    WORDS = "words"
    """Every word as it was typed."""
    PARTS = "parts"
    """The parts of identifiers: `fire_and_forget` by fire, and, forget."""
    STEMS = "stems"
    """Other forms of the same words: `deployed` by deploy."""
    SPELLING = "spelling"
    """Words that are spelled nearly so."""
    TITLES = "titles"
    """Titles that share letters with what was typed."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text; hit: whether it is what was looked for. Marks are data: whoever shows them styles them."""

    text: str
    hit: bool = False


Snippet = tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class ConversationHit:
    """A conversation that holds all words.

    message_id: the earliest message that holds all of them, else the earliest that holds the rarest; None when only
    the title does. at: when the conversation was last changed.
    """

    conversation_id: str
    title: Snippet
    at: datetime
    message_id: str | None
    snippet: Snippet


@dataclass(frozen=True, slots=True)
class MessageHit:
    """A single message that holds all words."""

    message_id: str
    conversation_id: str
    role: Role
    at: datetime
    snippet: Snippet


@dataclass(frozen=True, slots=True)
class Found:
    """What a search found.

    near: how far the results are from what was typed. instead: the words that were searched instead, where spelling
    was corrected. more: there are further conversations.
    """

    conversations: tuple[ConversationHit, ...] = ()
    messages: tuple[MessageHit, ...] = ()
    order: Order = Order.RECENCY
    near: Near = Near.WORDS
    instead: tuple[str, ...] = ()
    more: bool = False


@dataclass(frozen=True, slots=True)
class IndexedMessage:
    """A message as an index gets it. previous: the text of the message before it in its conversation, if any."""

    seq: int
    message_id: str
    conversation_id: str
    role: Role
    content: str
    created_at: datetime
    previous: str | None = None


class IndexPart(Protocol[U_contra]):
    """A further index over the messages, kept up by the same worker.

    Each message is added once, in batches and in a unit of work of the part's own, after the index of words has it. A
    failure is tried again later and never keeps other parts back. Rows that belong to a deleted message must go with
    it by a foreign key or a trigger; `remove` is called for messages whose text was changed, before they are added
    anew, and must accept messages it does not know.
    """

    @property
    def name(self) -> str:
        """A short name that never changes; what is still to be done is kept under it."""

    def prepare(self, rows: Sequence[IndexedMessage]) -> None:
        """Do what is slow and needs no store, such as embedding, before the write lock is taken."""

    def add(self, unit: U_contra, rows: Sequence[IndexedMessage]) -> None:
        """Index messages; ones that are there already are replaced."""

    def remove(self, unit: U_contra, seqs: Sequence[int]) -> None:
        """Forget messages by their numbers."""

    def clear(self, unit: U_contra) -> None:
        """Forget everything: a rebuild begins."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a catching-up is: conversations done and in all."""

    done: int
    total: int


class Liveness(StrEnum):
    """How the worker of the index stands."""

    IDLE = "idle"
    """No process of long life runs: commands keep the index up themselves."""
    RUNNING = "running"
    DEAD = "dead"


@dataclass(frozen=True, slots=True)
class Health:
    """How the index stands.

    waiting: conversations not yet indexed. stuck: of those, how many failed too often. pending: messages that a
    further part has not got yet, by its name. missing: messages that are neither in the index nor waiting; extra:
    rows of the index without a message. Both are 0 in a sound index.
    """

    messages: int
    indexed: int
    conversations: int
    waiting: int
    stuck: int
    missing: int
    extra: int
    rebuilding: bool
    worker: Liveness
    beat: datetime | None = None
    pending: dict[str, int] = field(default_factory=dict)
    sound: bool = True

    @property
    def ok(self) -> bool:
        """Whether nothing needs a person."""
        return not (self.stuck or self.missing or self.extra) and self.sound and self.worker is not Liveness.DEAD
