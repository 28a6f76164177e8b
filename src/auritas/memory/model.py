"""What memory speaks about besides corrections: where they hold, what is to be stored, and what came of it."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType

from auritas.kernel.errors import InvalidError
from auritas.kernel.memory import Correction, CorrectionType, DecayClass, Provenance, Scope

BREADTH = MappingProxyType({Scope.CONVERSATION: 0, Scope.PROJECT: 1, Scope.DOMAIN: 2, Scope.GLOBAL: 3})
"""From narrow to wide: where two share a slot, the one with the smaller number holds."""

CLAIM_CHARACTERS = 2_000
"""Of one correction; longer ones belong into a document, not into every prompt."""


class Policy(StrEnum):
    """Which corrections enter a prompt: all in scope while they fit, or only those that score enough."""

    BUDGET = "budget"
    THRESHOLD = "threshold"


@dataclass(frozen=True, slots=True)
class Where:
    """Where a question is asked. domains: nodes of the domain tree that it is about.

    left_out: ids of corrections that the person does not want in this conversation.
    """

    conversation_id: str | None = None
    project_id: str | None = None
    domains: frozenset[str] = frozenset()
    left_out: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Gates:
    """What lets a correction into a prompt.

    budget: tokens that all of them may take. score: under the policy `threshold`, from .20 to .80. relevance: a fact
    needs it under both policies, a rule under `threshold` only.
    """

    policy: Policy = Policy.BUDGET
    budget: int = 1_800
    score: float = 0.30
    relevance: float = 0.35

    def __post_init__(self) -> None:
        if not 0.20 <= self.score <= 0.80:  # noqa: PLR2004  the bounds of the setting
            raise InvalidError(f"The threshold of injection lies between 0.20 and 0.80, not {self.score}.")
        if self.budget < 0:
            raise InvalidError(f"A budget of tokens is not negative: {self.budget}.")


@dataclass(frozen=True, slots=True)
class Draft:
    """Something to be remembered, before it has an id, a slot and a state."""

    claim: str
    type: CorrectionType
    scope: Scope
    provenance: Provenance
    instruction: str = ""
    subject: str = ""
    condition: str = ""
    rejected: str = ""
    reason: str = ""
    canonical_query: str = ""
    domain: str | None = None
    project_id: str | None = None
    conversation_id: str | None = None
    confidence: float = 1.0
    decay_class: DecayClass = DecayClass.A
    pinned: bool = False
    query_id: str | None = None
    message_id: str | None = None
    created_at: datetime | None = None

    def __post_init__(self) -> None:
        checked_claim(self.claim)
        if self.instruction:
            checked_claim(self.instruction)
        checked_place(self)


@dataclass(frozen=True, slots=True)
class Kept:
    """What came of storing something.

    already: it was there in the same words, so nothing changed. replaced: what it supersedes. resembles: what it may
    be meant to replace; the person is asked, and until then all of them hold. restored: what holds again elsewhere.
    """

    correction: Correction
    act_id: str = ""
    replaced: tuple[Correction, ...] = ()
    resembles: tuple[Correction, ...] = ()
    already: bool = False
    restored: tuple[Correction, ...] = ()


@dataclass(frozen=True, slots=True)
class Steered:
    """What came of leaving something out, bringing it back, or keeping a pair. act_id: empty where nothing changed."""

    correction: Correction
    act_id: str = ""


@dataclass(frozen=True, slots=True)
class Undone:
    """What an undo did. event: the kind of act that it took back."""

    event: str
    correction: Correction
    restored: tuple[Correction, ...] = field(default=())


def place_of(scope: Scope, of: Correction | Draft) -> str:
    """Return the id of the project, conversation or domain in which a correction of `scope` holds; global: empty."""
    match scope:
        case Scope.CONVERSATION:
            return of.conversation_id or ""
        case Scope.PROJECT:
            return of.project_id or ""
        case Scope.DOMAIN:
            return of.domain or ""
        case _:
            return ""


def pair_of(one: str, other: str) -> tuple[str, str]:
    """Return two ids as a pair, which is the same whichever is named first."""
    return (one, other) if one < other else (other, one)


def checked_place(of: Correction | Draft) -> None:
    """Raise InvalidError for a scope without the place in which it holds: it would hold nowhere."""
    if of.scope is not Scope.GLOBAL and not place_of(of.scope, of):
        raise InvalidError(
            f"The scope {of.scope} needs the {of.scope} in which it holds.", remedy=f"Name the {of.scope}."
        )


def checked_claim(claim: str) -> str:
    """Return the words of a correction. Raises InvalidError for none, or too many."""
    if not claim.strip():
        raise InvalidError("There is nothing to remember.", remedy='Write what holds, such as "Use metric units".')
    if len(claim) > CLAIM_CHARACTERS:
        raise InvalidError(
            f"This has {len(claim):,} characters; at most {CLAIM_CHARACTERS:,} can be remembered as one.",
            remedy="Say it shorter, or in several.",
        )
    return claim
