"""Answers, what they add up to, and what was decided about them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from auritas.kernel.errors import InvalidError
from auritas.kernel.log import Receipt
from auritas.kernel.memory import MemoryUse, Passage
from auritas.kernel.model import Provenance, Usage


class AccuracyLevel(StrEnum):
    """How much work a question is worth."""

    FAST = "fast"
    BALANCED = "balanced"
    HIGH = "high"
    MAXIMUM = "maximum"


@dataclass(frozen=True, slots=True)
class Seat:
    """A named place in the council and the model that sits in it now."""

    name: str
    model: str
    digest: str = ""
    local: bool = True


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a member has no answer: a stable code and a sentence."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Answer:
    """One member's reply. An abstention is no grade, no ledger row and no vote; a failure names its cause.

    text: the short answer. explanation: what the member adds. stated_confidence: its own claim in [0, 1], if any. raw:
    the reply as it was written, for the checks on its form; it is not kept.
    """

    run_id: str
    seat: Seat
    text: str = ""
    explanation: str = ""
    stated_confidence: float | None = None
    domains: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)
    provenance: Provenance = field(default_factory=Provenance)
    abstained: bool = False
    failure: Failure | None = None
    attempts: int = 1
    raw: str = field(default="", repr=False, compare=False)

    @property
    def votes(self) -> bool:
        """Whether this reply counts towards a candidate."""
        return bool(self.text) and not self.abstained and self.failure is None


@dataclass(frozen=True, slots=True)
class Candidate:
    """A set of answers that say the same.

    score: what the policy gives it; higher is better. p: how likely it is right, as far as the policy can tell; whether
    that is a probability or a score, the decision's confidence says.
    """

    id: str
    text: str
    supporters: tuple[str, ...]
    score: float
    p: float | None = None


class ConfidenceLabel(StrEnum):
    """How sure, in one word."""

    HIGH = "High"
    MEDIUM = "Medium"
    UNCERTAIN = "Uncertain"


@dataclass(frozen=True, slots=True)
class Confidence:
    """How sure the council is. p is None unless it is calibrated on grades; basis says where the label comes from."""

    label: ConfidenceLabel
    basis: str
    p: float | None = None

    def __post_init__(self) -> None:
        if self.p is not None and not 0 <= self.p <= 1:
            raise InvalidError(f"A probability lies between 0 and 1, not {self.p}.")


@dataclass(frozen=True, slots=True)
class Decision:
    """What was chosen, among what, why, and whose words are shown.

    chosen: id of a candidate, or None when nobody answered. reason: one sentence for a person. policy: the rule that
    chose. effective_votes: how many independent members the answering ones are worth, None before that is known.
    without: for each seat that answered, the id of what would have been chosen if it had been absent. abstains: the
    council says that it does not know, and what is chosen is only its best guess.
    """

    candidates: tuple[Candidate, ...]
    chosen: str | None
    shown_seat: str | None
    confidence: Confidence
    policy: str
    reason: str
    effective_votes: float | None = None
    without: Mapping[str, str | None] = field(default_factory=dict)
    abstains: bool = False

    @property
    def winner(self) -> Candidate | None:
        """The chosen candidate, if there is one."""
        return next((c for c in self.candidates if c.id == self.chosen), None)


class QuestionShape(StrEnum):
    """Whether a question has one short right answer, or wants something written."""

    CLOSED = "closed"
    OPEN = "open"


class ReviewVerdict(StrEnum):
    """What a reviewer says of an answer; unreviewed: nothing that can be read as a verdict."""

    CORRECT = "correct"
    INCORRECT = "incorrect"
    PARTIALLY_CORRECT = "partially_correct"
    UNREVIEWED = "unreviewed"


@dataclass(frozen=True, slots=True)
class Review:
    """A blind review of one answer. issues and correction: the reviewer's words, proposed and never believed unasked.

    run_id: of the answer reviewed. usage: what the review took. raw: the reply as it was written, which is not kept.
    """

    reviewer: str
    run_id: str
    verdict: ReviewVerdict
    issues: tuple[str, ...] = ()
    correction: str = ""
    usage: Usage = field(default_factory=Usage)
    raw: str = field(default="", repr=False, compare=False)

    @property
    def objects(self) -> bool:
        """Whether the reviewer found something wrong."""
        return self.verdict in {ReviewVerdict.INCORRECT, ReviewVerdict.PARTIALLY_CORRECT}


class GradeRequest(StrEnum):
    """Why a person is asked which answer was right."""

    DISAGREEMENT = "disagreement"
    AUDIT = "audit"


@dataclass(frozen=True, slots=True)
class Expected:
    """What a question is likely to take, said before it is asked. seconds: None where nothing was measured yet."""

    calls: float
    cost_micros: int
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class AskResult:
    """A question that has been answered, recorded and committed.

    domains: what the question is about, as shares that add up to 1. notices: what a person must be told with the
    answer. asks_grade: why the person is asked to grade it, if so. compared: what comparing the answers took. memory:
    how what is remembered was weighed for it, what entered first. passages: of earlier conversations that entered.
    resumed: a line about the notes by which the conversation went on. seconds: from asking to the answer.
    """

    query_id: str
    conversation_id: str
    trace_id: str
    question: str
    answers: tuple[Answer, ...]
    decision: Decision
    receipt: Receipt
    degraded: tuple[str, ...] = ()
    reviews: tuple[Review, ...] = ()
    domains: Mapping[str, float] = field(default_factory=dict)
    shape: QuestionShape = QuestionShape.CLOSED
    notices: tuple[str, ...] = ()
    asks_grade: GradeRequest | None = None
    compared: Usage = field(default_factory=Usage)
    memory: tuple[MemoryUse, ...] = ()
    passages: tuple[Passage, ...] = ()
    resumed: str = ""
    seconds: float = 0.0

    @property
    def cost_micros(self) -> int:
        """What the question cost: answers, reviews and comparisons together, in millionths."""
        calls = (*(a.usage for a in self.answers), *(r.usage for r in self.reviews), self.compared)
        return sum(usage.cost_micros for usage in calls)

    @property
    def shown(self) -> Answer | None:
        """The answer whose words are shown."""
        return next((a for a in self.answers if a.seat.name == self.decision.shown_seat), None)

    @property
    def reply(self) -> str:
        """What is written into the conversation: the chosen answer with its explanation; empty where there is none."""
        winner, shown = self.decision.winner, self.shown
        if winner is None:
            return ""
        explanation = shown.explanation if shown else ""
        return winner.text if explanation in {"", winner.text} else f"{winner.text}\n\n{explanation}"
