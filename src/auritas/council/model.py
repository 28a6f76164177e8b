"""The council's own types."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from auritas.gateway.quoting import Material
from auritas.kernel.answers import AccuracyLevel, QuestionShape, Seat
from auritas.kernel.model import Image, Message, ModelCard


class Topic(StrEnum):
    """What a question asks for, as far as a rule can tell before anybody answers."""

    GENERAL = "general"
    CALCULATION = "calculation"


@dataclass(frozen=True, slots=True)
class Tally:
    """Right answers among graded ones."""

    right: int = 0
    graded: int = 0


@dataclass(frozen=True, slots=True)
class Member:
    """A seat with the card of its model and its self-test by topic.

    votes: whether its answer counts; one that failed its self-test is heard and shown, and weighs nothing.
    """

    seat: Seat
    card: ModelCard
    record: Mapping[Topic, Tally] = field(default_factory=dict)
    votes: bool = True


@dataclass(frozen=True, slots=True)
class PromptContext:
    """What the members get besides the question: the conversation so far, oldest first, and what memory has to say.

    remembered: what the user told us to keep, the weightiest last. passages: of earlier conversations. notes: by seat,
    its own note of what the history no longer shows. known: by seat, its recovery prompt. instructions: the user's own
    for this conversation. documents: by seat, the parts of attached files that it gets to read. images: those of this
    message, for members that see.
    """

    history: tuple[Message, ...] = ()
    remembered: tuple[str, ...] = ()
    passages: tuple[str, ...] = ()
    notes: Mapping[str, str] = field(default_factory=dict)
    known: Mapping[str, str] = field(default_factory=dict)
    instructions: str = ""
    documents: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    images: tuple[Image, ...] = ()

    def material_of(self, seat: str) -> Material:
        """Return what a seat is told besides the turns."""
        return Material(
            remembered=self.remembered,
            passages=self.passages,
            note=self.notes.get(seat, ""),
            known=self.known.get(seat, ""),
            instructions=self.instructions,
            documents=self.documents.get(seat, ()),
        )


@dataclass(frozen=True, slots=True)
class Question:
    """A question on its way to the council.

    domains: what it is about, as shares that add up to 1; fixed before anybody answers.
    """

    query_id: str
    conversation_id: str
    text: str
    level: AccuracyLevel
    topic: Topic = Topic.GENERAL
    domains: Mapping[str, float] = field(default_factory=dict)
    shape: QuestionShape = QuestionShape.CLOSED


class GradeSource(StrEnum):
    """Who says whether an answer was right."""

    USER = "user"
    KEY = "key"
    CORRECTION = "correction"
    CHECKER = "checker"
    REVIEWER = "reviewer"


@dataclass(frozen=True, slots=True)
class Grade:
    """An outcome for one answer. Being picked is no grade, and neither is agreement.

    correct: None says that the grader could not tell. reliability: how often such a grade is true, in [0, 1]; of a
    reviewer's, the mean of its sensitivity and specificity when it was given. given_by: the reviewer's seat.
    """

    run_id: str
    correct: bool | None
    source: GradeSource
    reliability: float = 1.0
    given_by: str = ""
