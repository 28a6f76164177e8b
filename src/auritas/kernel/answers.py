"""Answers, what they add up to, and what was decided about them."""

from dataclasses import dataclass, field
from enum import StrEnum

from auritas.kernel.errors import InvalidError
from auritas.kernel.log import Receipt
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

    text: the short answer. explanation: what the member adds. stated_confidence: its own claim in [0, 1], if any.
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

    @property
    def votes(self) -> bool:
        """Whether this reply counts towards a candidate."""
        return bool(self.text) and not self.abstained and self.failure is None


@dataclass(frozen=True, slots=True)
class Candidate:
    """A set of answers that say the same. score: what the policy gives it; higher is better."""

    id: str
    text: str
    supporters: tuple[str, ...]
    score: float


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

    chosen: id of a candidate, or None when nobody answered. reason: one sentence for a person.
    """

    candidates: tuple[Candidate, ...]
    chosen: str | None
    shown_seat: str | None
    confidence: Confidence
    policy: str
    reason: str

    @property
    def winner(self) -> Candidate | None:
        """The chosen candidate, if there is one."""
        return next((c for c in self.candidates if c.id == self.chosen), None)


@dataclass(frozen=True, slots=True)
class AskResult:
    """A question that has been answered, recorded and committed."""

    query_id: str
    conversation_id: str
    trace_id: str
    question: str
    answers: tuple[Answer, ...]
    decision: Decision
    receipt: Receipt
    degraded: tuple[str, ...] = ()

    @property
    def shown(self) -> Answer | None:
        """The answer whose words are shown."""
        return next((a for a in self.answers if a.seat.name == self.decision.shown_seat), None)
