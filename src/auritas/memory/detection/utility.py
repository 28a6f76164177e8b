"""How much it is worth to store something: a weighted sum of terms between 0 and 1, and what follows from it."""

from auritas.kernel.memory import CorrectionType, Scope
from auritas.memory.detection.model import Band, Utility
from auritas.memory.detection.patterns import patterns
from auritas.memory.detection.secrets import secret_like

AUTO = 0.85
CARD = 0.60
WEIGHTS = {
    "strength": 0.30,
    "reuse": 0.25,
    "project": 0.20,
    "explicit": 0.15,
    "severity": 0.10,
    "ambiguity": -0.20,
    "sensitivity": -0.20,
}
HEDGE = 0.25
"""Ambiguity of one hedge, such as "maybe"."""
SENSITIVE = 0.8
_REUSE = {
    CorrectionType.INSTRUCTION: 1.0,
    CorrectionType.FAILURE_PATTERN: 1.0,
    CorrectionType.DOMAIN_RULE: 0.9,
    CorrectionType.PREFERENCE: 0.9,
    CorrectionType.MODEL_PREFERENCE: 0.9,
    CorrectionType.DECISION: 0.8,
    CorrectionType.FACT: 0.65,
}
"""How likely a later question needs it: a rule holds for all, a fact for what it is about."""
_SEVERITY = {
    CorrectionType.FAILURE_PATTERN: 1.0,
    CorrectionType.FACT: 0.85,
    CorrectionType.DECISION: 0.7,
    CorrectionType.DOMAIN_RULE: 0.6,
    CorrectionType.INSTRUCTION: 0.5,
    CorrectionType.PREFERENCE: 0.4,
    CorrectionType.MODEL_PREFERENCE: 0.4,
}
"""How bad an answer is that goes against it."""


def utility(
    kind: CorrectionType, scope: Scope, text: str, *, strength: float, explicit: bool, project_active: bool
) -> Utility:
    """Return the utility of storing `text`. strength: P of the classifier, 1 for a prefix.

    explicit: said with a prefix, as a rule with always or never, or outright against the answer before it ("No, that's
    wrong, it is 53"): who says so means it, and has it stored without another click.
    """
    terms = {
        "strength": strength,
        "reuse": reuse(kind),
        "project": project(scope, active=project_active),
        "explicit": 1.0 if explicit else 0.0,
        "severity": severity(kind),
        "ambiguity": ambiguity(text),
        "sensitivity": sensitivity(text),
    }
    return Utility(round(sum(WEIGHTS[name] * value for name, value in terms.items()), 6), terms)


def band(score: float) -> Band:
    """Return what becomes of something with this utility."""
    if score >= AUTO:
        return Band.AUTO
    return Band.CARD if score >= CARD else Band.DROPPED


def reuse(kind: CorrectionType) -> float:
    """Return how likely a later question needs a correction of this type."""
    return _REUSE[kind]


def severity(kind: CorrectionType) -> float:
    """Return how bad an answer is that ignores a correction of this type."""
    return _SEVERITY[kind]


def project(scope: Scope, *, active: bool) -> float:
    """Return 1 when a project is active, or the correction needs none; 0 for one of a project while none is active.

    Were it 0 whenever no project is active, the most that anything could reach would be 0.80, and nobody without a
    project could have anything stored by saying "remember".
    """
    return 1.0 if active or scope is not Scope.PROJECT else 0.0


def ambiguity(text: str) -> float:
    """Return a quarter for each kind of hedge ("maybe", "I think"), at most 1."""
    return min(1.0, HEDGE * sum(bool(hedge.search(text)) for hedge in patterns().hedges))


def sensitivity(text: str) -> float:
    """Return 0.8 for a text that speaks of a secret or holds a token that may be one, else 0."""
    return SENSITIVE if secret_like(text) else 0.0
