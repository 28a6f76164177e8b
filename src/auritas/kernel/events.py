"""The one typed list of events. Use cases yield them; the command line and the server only render them."""

from dataclasses import dataclass
from typing import TypeAlias

from auritas.kernel.answers import AccuracyLevel, Answer, AskResult, Decision, Expected, Review, Seat
from auritas.kernel.memory import Correction, MemoryUse, Passage


@dataclass(frozen=True, slots=True)
class AskStarted:
    """The question is in the log and its members are about to be asked."""

    query_id: str
    conversation_id: str
    level: AccuracyLevel
    seats: tuple[Seat, ...]
    expected: Expected | None = None


@dataclass(frozen=True, slots=True)
class MemoryUsed:
    """What of memory enters the prompts: corrections, passages, and a line about notes."""

    uses: tuple[MemoryUse, ...] = ()
    passages: tuple[Passage, ...] = ()
    resumed: str = ""


@dataclass(frozen=True, slots=True)
class Remembered:
    """Something the user said was understood and is stored, before anything is asked with it.

    replaced: what it supersedes. resembles: what it may be meant to replace. graded: what it says about the answer
    before, in words. again: the question that is now asked again with it, if any. already: it was stored before in the
    same words. act_id: of the change, by which it is taken back.
    """

    correction: Correction
    replaced: tuple[Correction, ...] = ()
    resembles: tuple[Correction, ...] = ()
    graded: str = ""
    again: str = ""
    already: bool = False
    act_id: str = ""


@dataclass(frozen=True, slots=True)
class Proposed:
    """Something the user said may be meant to be remembered; it waits for a yes and enters no prompt until then."""

    correction: Correction


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """The message only told something, and it is committed: there was no question to answer. text: the reply."""

    conversation_id: str
    text: str


@dataclass(frozen=True, slots=True)
class MemberReading:
    """A member reads the prompt: tokens read, tokens in all."""

    seat: str
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class AnswerDelta:
    """More of a member's reply, ready to show."""

    seat: str
    text: str


@dataclass(frozen=True, slots=True)
class MemberRetried:
    """A member was silent or failed and is asked once more."""

    seat: str
    reason: str


@dataclass(frozen=True, slots=True)
class AnswerDone:
    """A member has answered, abstained or failed."""

    answer: Answer


@dataclass(frozen=True, slots=True)
class Decided:
    """The council has chosen; nothing is final before AskFinished."""

    decision: Decision


@dataclass(frozen=True, slots=True)
class ReviewStarted:
    """A member that did not write the answer reads it blind."""

    reviewer: str


@dataclass(frozen=True, slots=True)
class ReviewDone:
    """A blind review has ended; one that cannot be read says so."""

    review: Review


@dataclass(frozen=True, slots=True)
class AskFinished:
    """Everything is committed: the answer is final."""

    result: AskResult


@dataclass(frozen=True, slots=True)
class Notice:
    """Something a person should know that is no error: a degraded model, a budget nearly spent."""

    code: str
    text: str


Event: TypeAlias = (
    AskStarted
    | MemoryUsed
    | Remembered
    | Proposed
    | Acknowledged
    | MemberReading
    | AnswerDelta
    | MemberRetried
    | AnswerDone
    | Decided
    | ReviewStarted
    | ReviewDone
    | AskFinished
    | Notice
)
