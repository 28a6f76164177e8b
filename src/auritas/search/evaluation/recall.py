"""How much of the evidence recall finds, against the baseline and on the same questions."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Final

from auritas.search.evaluation.conversations import ADVERSARIAL
from auritas.search.evaluation.measures import Share, difference, share

AT: Final = (5, 10, 20)
HEADLINE: Final = 10


@dataclass(frozen=True, slots=True)
class Outcome:
    """One question. ours, baseline: share of its evidence among the first 5, 10 and 20."""

    category: str
    ours: Mapping[int, float]
    baseline: Mapping[int, float]
    cpu_ms: float
    embedding_ms: float


@dataclass(frozen=True, slots=True)
class RecallReport:
    """All questions of all conversations."""

    outcomes: tuple[Outcome, ...]
    conversations: int
    turns: int
    embedder: str

    def at(self, count: int, *, adversarial: bool = True) -> Share:
        """Return the mean recall among the first `count`."""
        return share([each.ours[count] for each in self._of(adversarial=adversarial)])

    def baseline_at(self, count: int, *, adversarial: bool = True) -> Share:
        """Return the same of the baseline."""
        return share([each.baseline[count] for each in self._of(adversarial=adversarial)])

    def gain(self, count: int = HEADLINE, *, adversarial: bool = True) -> Share:
        """Return how much more recall finds than the baseline, question by question."""
        of = self._of(adversarial=adversarial)
        return difference([each.ours[count] for each in of], [each.baseline[count] for each in of])

    @property
    def categories(self) -> Mapping[str, Sequence[Outcome]]:
        """Outcomes by category."""
        names = sorted({each.category for each in self.outcomes})
        return {name: [each for each in self.outcomes if each.category == name] for name in names}

    def _of(self, *, adversarial: bool) -> Sequence[Outcome]:
        return [each for each in self.outcomes if adversarial or each.category != ADVERSARIAL]


def recalled(ranked: Sequence[int], evidence: frozenset[int]) -> Mapping[int, float]:
    """Return the share of `evidence` among the first 5, 10 and 20 of a ranking."""
    return {count: len(evidence.intersection(ranked[:count])) / len(evidence) for count in AT}


def to_document(report: RecallReport) -> dict[str, Any]:
    """Return the report as plain JSON values; recalls are shares."""
    return {
        "questions": len(report.outcomes),
        "recall_at": {str(count): report.at(count).value for count in AT},
        "non_adversarial": {str(count): report.at(count, adversarial=False).value for count in AT},
        "by_category": {
            name: {"questions": len(of)} | {str(count): fmean(each.ours[count] for each in of) for count in AT}
            for name, of in report.categories.items()
        },
        "cpu_ms_per_query": _mean(each.cpu_ms for each in report.outcomes),
        "embedding_ms_per_query": _mean(each.embedding_ms for each in report.outcomes),
        "conversations": report.conversations,
        "turns": report.turns,
        "embedder": report.embedder,
        "interval": {str(count): interval(report.at(count)) for count in AT},
        "baseline": _baseline(report),
        "gain": {str(count): gained(report.gain(count)) for count in AT},
        "gain_non_adversarial": {str(count): gained(report.gain(count, adversarial=False)) for count in AT},
    }


def interval(found: Share) -> list[float]:
    """Return the 95 % interval."""
    return [found.low, found.high]


def gained(found: Share) -> dict[str, Any]:
    """Return a difference with its interval."""
    return {"difference": found.value, "interval": interval(found)}


def _baseline(report: RecallReport) -> dict[str, Any]:
    return {
        "recall_at": {str(count): report.baseline_at(count).value for count in AT},
        "non_adversarial": {str(count): report.baseline_at(count, adversarial=False).value for count in AT},
        "by_category": {
            name: {str(n): fmean(each.baseline[n] for each in of) for n in AT} for name, of in report.categories.items()
        },
    }


def _mean(values: Iterable[float]) -> float:
    found = list(values)
    return fmean(found) if found else 0.0
