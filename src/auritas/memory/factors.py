"""The eight factors by which a correction is weighed for one question, and their sum.

The weights and the formula of each factor are this program's own; docs/design/memory.md argues them.
"""

from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType

from auritas.kernel.memory import Correction, CorrectionType, DecayClass, Factors
from auritas.memory.decay import effective_confidence, recency

WEIGHTS: Mapping[str, float] = MappingProxyType(
    {
        "relevance": 0.30,
        "failure_prevention": 0.25,
        "importance": 0.20,
        "recency": 0.10,
        "confidence": 0.10,
        "pinned": 0.05,
        "staleness": -0.20,
        "token_cost": -0.15,
    }
)

FAILURE_PREVENTION: Mapping[CorrectionType, float] = MappingProxyType(
    {
        CorrectionType.FAILURE_PATTERN: 1.0,
        CorrectionType.FACT: 0.85,
        CorrectionType.DECISION: 0.70,
        CorrectionType.INSTRUCTION: 0.65,
        CorrectionType.DOMAIN_RULE: 0.65,
        CorrectionType.PREFERENCE: 0.40,
        CorrectionType.MODEL_PREFERENCE: 0.0,
    }
)
"""How likely a mistake becomes when a correction of this type is left out."""

WEIGHT_OF_CLASS: Mapping[DecayClass, float] = MappingProxyType(
    {DecayClass.A: 0.10, DecayClass.B: 0.05, DecayClass.C: 0.0}
)
"""What saying something outright adds to its importance."""

COSTLY_TOKENS = 200
"""A correction of this length takes the whole penalty for length."""

CHARACTERS_PER_TOKEN = 4
"""Of English text; the estimate where no tokenizer is at hand."""


def tokens_of(text: str) -> int:
    """Return about how many tokens a text takes, at least one."""
    return max(1, -(-len(text) // CHARACTERS_PER_TOKEN))


def factors_of(correction: Correction, relevance: float, now: datetime) -> Factors:
    """Return the factors of one correction, each in [0, 1]. relevance: of its words to the question; 0: unrelated."""
    left = effective_confidence(correction, now)
    stated = correction.confidence
    return Factors(
        relevance=_clamped(relevance),
        failure_prevention=FAILURE_PREVENTION[correction.type],
        importance=_clamped(stated + WEIGHT_OF_CLASS[correction.decay_class]),
        recency=_clamped(recency(correction, now)),
        confidence=_clamped(left),
        pinned=float(correction.pinned),
        staleness=_clamped(1.0 - left / stated) if stated else 1.0,
        token_cost=_clamped(tokens_of(correction.text) / COSTLY_TOKENS),
    )


def score_of(factors: Factors) -> float:
    """Return the weighted sum of the factors."""
    named = factors.by_name()
    return sum(weight * named[name] for name, weight in WEIGHTS.items())


def _clamped(value: float) -> float:
    return min(1.0, max(0.0, value))
