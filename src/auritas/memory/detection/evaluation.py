"""How often detection is right: precision and recall with intervals, by kind, on sentences kept apart."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from auritas.kernel.ports import EmbeddingPort
from auritas.memory.detection.classifier import Weights, by_meaning, by_rules, trained
from auritas.memory.detection.fitting import Example, examples, fitted
from auritas.memory.detection.sentences import labelled
from auritas.memory.detection.service import CAUTION

FOLDS = 5
_Z = 1.959964
"""97.5 % point of the normal distribution."""


@dataclass(frozen=True, slots=True)
class Rate:
    """A share with its 95 % interval: Wilson, Journal of the American Statistical Association 22 (1927)."""

    hits: int
    of: int

    @property
    def value(self) -> float:
        """The share; 0 where there is nothing to share."""
        return self.hits / self.of if self.of else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The bounds, in [0, 1]."""
        if not self.of:
            return 0.0, 1.0
        n, p, z2 = self.of, self.value, _Z * _Z
        middle = (p + z2 / (2 * n)) / (1 + z2 / n)
        half = _Z * math.sqrt(p * (1 - p) / n + z2 / (4 * n * n)) / (1 + z2 / n)
        return max(0.0, middle - half), min(1.0, middle + half)


@dataclass(frozen=True, slots=True)
class Judged:
    """A sentence and whether it was detected."""

    kind: str
    meant: bool
    detected: bool
    said: str

    @property
    def right(self) -> bool:
        """Whether it was heard as it was meant."""
        return self.meant is self.detected


@dataclass(frozen=True, slots=True)
class Measured:
    """The result on one set of sentences."""

    name: str
    judged: tuple[Judged, ...]

    @property
    def precision(self) -> Rate:
        """Of those detected, how many were meant."""
        detected = [each for each in self.judged if each.detected]
        return Rate(sum(each.meant for each in detected), len(detected))

    @property
    def recall(self) -> Rate:
        """Of those meant, how many were detected."""
        meant = [each for each in self.judged if each.meant]
        return Rate(sum(each.detected for each in meant), len(meant))

    @property
    def by_kind(self) -> dict[tuple[bool, str], Rate]:
        """How many of each kind are heard as they are meant, those meant first."""
        kinds = sorted({(not each.meant, each.kind) for each in self.judged})
        return {
            (not other, kind): Rate(sum(e.right for e in own), len(own))
            for other, kind in kinds
            for own in [[e for e in self.judged if e.kind == kind and e.meant is not other]]
        }

    @property
    def wrong(self) -> tuple[Judged, ...]:
        """What was heard otherwise than it was meant."""
        return tuple(each for each in self.judged if not each.right)


@dataclass(frozen=True, slots=True)
class DetectionReport:
    """The figures of both sets.

    apart: sentences never trained on, with the shipped weights; crossed: the others, each judged by weights that were
    fitted without it. embedder: whose vectors were used, empty for rules alone.
    """

    embedder: str
    threshold: float
    apart: Measured
    crossed: Measured


def evaluate(embedder: EmbeddingPort | None, threshold: float) -> DetectionReport:
    """Return the figures, with vectors if `embedder` is the one that the weights were trained on."""
    weights = trained()
    usable = embedder if embedder is not None and embedder.id == weights.embedder else None
    needed = threshold if usable else min(1.0, threshold + CAUTION)
    own = weights.meaning if usable else weights.rules
    apart = examples([each for each in labelled() if each.apart], usable)
    rest = examples([each for each in labelled() if not each.apart], usable)
    return DetectionReport(
        usable.id if usable else "",
        needed,
        Measured("kept apart", tuple(judged(each, own, needed) for each in apart)),
        Measured("cross-validated", crossed(rest, needed, meaning=usable is not None)),
    )


def crossed(given: Sequence[Example], threshold: float, *, meaning: bool) -> tuple[Judged, ...]:
    """Return the judgement of each example by weights fitted on the other folds."""
    found: list[Judged] = []
    for fold in range(FOLDS):
        weights = fitted([each for i, each in enumerate(given) if i % FOLDS != fold], meaning=meaning)
        found += [judged(each, weights, threshold) for i, each in enumerate(given) if i % FOLDS == fold]
    return tuple(found)


def judged(example: Example, weights: Weights, threshold: float) -> Judged:
    """Return whether the detector with these weights hears an example."""
    detected = example.settled if example.heard is None else probability(example, weights) >= threshold
    return Judged(example.sentence.kind, example.sentence.meant, detected, example.sentence.said)


def probability(example: Example, weights: Weights) -> float:
    """Return P(meant) of an example that the rules left open, or how they settled it."""
    if example.heard is None:
        return float(example.settled)
    if weights.vector and example.vectors:
        return by_meaning(weights, example.heard, example.sentence.before, example.vectors)
    return by_rules(weights, example.heard, example.sentence.before)
