"""What a person told us to remember, and what became of it: the words that every layer shares."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from auritas.kernel.errors import InvalidError


class CorrectionType(StrEnum):
    """What kind of thing is remembered."""

    FACT = "factual_correction"
    INSTRUCTION = "persistent_instruction"
    PREFERENCE = "preference_rule"
    MODEL_PREFERENCE = "model_preference"
    DOMAIN_RULE = "domain_rule"
    DECISION = "project_decision"
    FAILURE_PATTERN = "failure_pattern"


class Scope(StrEnum):
    """Where a correction holds. A narrower one hides a wider one of the same slot."""

    CONVERSATION = "conversation"
    PROJECT = "project"
    DOMAIN = "domain"
    GLOBAL = "global"


class CorrectionState(StrEnum):
    """How far a correction has come. Only an active one ever enters a prompt."""

    PROPOSED = "proposed"
    ACTIVE = "active"
    SUPERSEDED = "superseded"
    ERASED = "erased"


class Provenance(StrEnum):
    """Whose words a correction comes from; never unknown."""

    USER_EXPLICIT = "user_explicit"
    USER_IMPLICIT = "user_implicit"
    REVIEWER = "reviewer"
    COMMITTEE = "committee"
    IMPORT = "import"


class DecayClass(StrEnum):
    """How trust fades: A said outright, never; B with a half-life of a year; C inferred, of a month."""

    A = "A"
    B = "B"
    C = "C"


@dataclass(frozen=True, slots=True)
class Correction:
    """One thing to remember.

    claim: what holds, in the user's words. instruction: the sentence for a prompt where it differs from the claim.
    subject, slot: what it is about, and subject with attribute in one key, where they can be read; of one slot, one
    place and one condition at most one correction is active. condition: when it holds ("except when …"); empty: always.
    canonical_query: the question that it answers. confidence: in [0, 1], before decay.
    """

    id: str
    type: CorrectionType
    scope: Scope
    state: CorrectionState
    provenance: Provenance
    claim: str
    created_at: datetime
    subject: str = ""
    slot: str | None = None
    condition: str = ""
    instruction: str = ""
    rejected: str = ""
    reason: str = ""
    canonical_query: str = ""
    domain: str | None = None
    project_id: str | None = None
    conversation_id: str | None = None
    confidence: float = 1.0
    decay_class: DecayClass = DecayClass.A
    pinned: bool = False
    last_used_at: datetime | None = None
    superseded_by: str | None = None
    query_id: str | None = None

    @property
    def text(self) -> str:
        """The sentence that goes into a prompt."""
        return self.instruction or self.claim

    @property
    def is_fact(self) -> bool:
        """Whether it is something to know, which matters only where it is relevant, rather than a rule to follow."""
        return self.type is CorrectionType.FACT


FACTORS = (
    "relevance", "failure_prevention", "importance", "recency", "confidence", "pinned", "staleness", "token_cost"
)  # fmt: skip
"""The names of what a correction is weighed by, in the order in which they are shown."""


@dataclass(frozen=True, slots=True)
class Factors:
    """The eight factors of an injection, each in [0, 1]."""

    relevance: float
    failure_prevention: float
    importance: float
    recency: float
    confidence: float
    pinned: float
    staleness: float
    token_cost: float

    def __post_init__(self) -> None:
        if not all(0 <= getattr(self, name) <= 1 for name in FACTORS):
            raise InvalidError(f"Each factor lies between 0 and 1: {self}.")

    def by_name(self) -> Mapping[str, float]:
        """Return the factors under their names, in their order."""
        return {name: getattr(self, name) for name in FACTORS}


class UseReason(StrEnum):
    """Why a correction entered a prompt, or did not."""

    PINNED = "pinned"
    RULE_IN_SCOPE = "rule_in_scope"
    RELEVANT = "relevant"
    SCORE = "score"
    NOT_RELEVANT = "not_relevant"
    LOW_SCORE = "low_score"
    OVER_BUDGET = "over_budget"
    HIDDEN = "hidden"
    """A narrower correction of the same slot takes its place."""
    LEFT_OUT = "left_out"
    """The person asked for it: not in this conversation."""


@dataclass(frozen=True, slots=True)
class MemoryUse:
    """One correction as it was weighed for one question. tokens: what it takes of the budget."""

    correction: Correction
    factors: Factors
    score: float
    injected: bool
    reason: UseReason
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class Passage:
    """Something said in an earlier conversation that was recalled for a question. score: in [0, 1]."""

    message_id: str
    conversation_id: str
    text: str
    said_at: datetime
    score: float


@dataclass(frozen=True, slots=True)
class HandoffNote:
    """A note by which a seat resumes a conversation. covers_seq: the last message that it covers."""

    id: str
    conversation_id: str
    seat: str
    text: str
    covers_seq: int
    thread_number: int
    created_at: datetime
    trigger: str = "manual"
    tokens: int = 0
