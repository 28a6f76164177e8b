"""What is heard in a message: something to remember, or nothing and why."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from auritas.kernel.memory import CorrectionType, DecayClass, Provenance, Scope


@dataclass(frozen=True, slots=True)
class Before:
    """The turn before the message: what the user asked, and the answer that was shown."""

    question: str
    answer: str


class Band(StrEnum):
    """What becomes of something heard."""

    AUTO = "auto"
    """It is stored, and can be undone."""
    CARD = "card"
    """The user is asked."""
    DROPPED = "dropped"
    """It is not worth a question."""


class Why(StrEnum):
    """Why nothing is remembered."""

    EMPTY = "empty"
    SECRET = "secret"  # noqa: S105  the reason, not a secret
    DISGUISED = "disguised_text"
    PASTED = "pasted_text"
    OBEDIENCE = "asks_to_obey_others"
    NO_TRIGGER = "no_trigger"
    NO_CLAIM = "says_what_is_wrong_but_not_what_is_right"
    EXCUSED = "only_sounds_like_it"
    UNLIKELY = "unlikely_to_be_meant"
    TOO_LONG = "too_long"
    FORGET = "asks_to_forget"


@dataclass(frozen=True, slots=True)
class Utility:
    """How much it is worth to store something. terms: each in [0, 1], by name; the weights are in `utility`."""

    score: float
    terms: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Detected:
    """Something that the user wants remembered.

    claim: what holds, in the user's words and a part of the message. instruction: a sentence for a prompt that stands
    alone. rejected: what it replaces, where that is said. subject: what it is about; condition: when it holds, with
    "except" or "unless" kept. canonical_query: the question that it answers. domain_hint: the field that the user
    named. explicit: said with a prefix such as "remember that". trigger: the name of the rule, for the trace.
    strength: P of the classifier, or 1 for a prefix. asks: a question that the same message also asks. left: what else
    in the message looked like a correction and was not taken, so that nothing is dropped unsaid.
    """

    type: CorrectionType
    scope: Scope
    claim: str
    instruction: str
    rejected: str
    subject: str
    condition: str
    canonical_query: str
    domain_hint: str
    explicit: bool
    trigger: str
    strength: float
    utility: Utility
    band: Band
    decay_class: DecayClass
    provenance: Provenance
    confidence: float
    asks: str = ""
    left: str = ""


@dataclass(frozen=True, slots=True)
class Nothing:
    """Nothing to remember. trigger: the rule that had fired all the same. strength: P of the classifier, if asked."""

    reason: Why
    trigger: str = ""
    strength: float | None = None
