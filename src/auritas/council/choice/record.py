"""Track record: how often a seat has been right, on each domain.

Two profiles. `posterior`, by which everything here is ordered, is a Beta distribution for each seat and node whose
prior mean is the parent's posterior mean. `track_record` is the rule as its source describes it, kept to be compared.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from auritas.council.choice.model import EVERYTHING, Case

PSEUDO_COUNT = 20.0
"""Strength of a node's prior, and of the root's, in grades."""
_CLIFFS = (20, 15, 10, 8, 5)
"""Grades that a node of depth 0, 1, 2 … needs before the source's rule believes it."""
_FULL_TRUST = 20


@dataclass(frozen=True, slots=True)
class Count:
    """Right answers among graded ones; fractional where a question belongs to several domains."""

    right: float = 0.0
    graded: float = 0.0


@dataclass(frozen=True, slots=True)
class TrackRecord:
    """Counts by seat and node. parents: of each node; a root has none, and stands under EVERYTHING.

    prior: what is believed of a seat before any grade, in (0, 1), from its self-test or a public score.
    """

    counts: Mapping[str, Mapping[str, Count]] = field(default_factory=dict)
    parents: Mapping[str, str] = field(default_factory=dict)
    prior: Mapping[str, float] = field(default_factory=dict)

    def count(self, seat: str, node: str) -> Count:
        """Return the grades of `seat` on `node` and below."""
        return self.counts.get(seat, {}).get(node, Count())

    def rate(self, seat: str, node: str = EVERYTHING) -> float:
        """Return the posterior mean of how often `seat` is right on `node`, always inside (0, 1)."""
        mean = self.prior.get(seat, 0.5) if node == EVERYTHING else self.rate(seat, self.parents.get(node, EVERYTHING))
        return posterior_mean(self.count(seat, node), mean)

    def expected(self, seat: str, domains: Mapping[str, float]) -> float:
        """Return how often `seat` is right on a question of these domains: the mean over the most specific nodes."""
        own = leaves(domains, self.parents)
        total = sum(own.values())
        known = sum(share * self.rate(seat, node) for node, share in own.items())
        return known + max(0.0, 1 - total) * self.rate(seat)

    def utility(self, seat: str, node: str) -> float:
        """Return u of the `track_record` rule for the deepest node on the path that has enough grades."""
        path = [node]
        while path[-1] in self.parents:
            path.append(self.parents[path[-1]])
        for depth, each in zip(range(len(path) - 1, -1, -1), path, strict=True):
            count = self.count(seat, each)
            if count.graded >= cliff(depth):
                return utility(count)
        return utility(self.count(seat, path[-1]))


def posterior_mean(count: Count, prior: float) -> float:
    """Return the mean of Beta(k·prior + right, k·(1 - prior) + wrong), k = PSEUDO_COUNT."""
    return (count.right + PSEUDO_COUNT * prior) / (count.graded + PSEUDO_COUNT)


def utility(count: Count) -> float:
    """Return u = a · win rate + (1 - a) / 2 with a = min(1, n / 20): the source's shrinkage towards one half."""
    if not count.graded:
        return 0.5
    alpha = min(1.0, count.graded / _FULL_TRUST)
    return alpha * count.right / count.graded + (1 - alpha) / 2


def cliff(depth: int) -> int:
    """Return how many grades a node at `depth` needs before its own rate counts."""
    return _CLIFFS[min(depth, len(_CLIFFS) - 1)]


def welfare(utilities: Mapping[str, float], domains: Mapping[str, float]) -> float:
    """Return W = Σ_j p(j|q) · u(j), with shares below .05 dropped and the rest adding up to 1."""
    kept = {node: share for node, share in domains.items() if share >= SMALLEST_SHARE} or domains
    total = sum(kept.values()) or 1.0
    return sum(share / total * utilities.get(node, 0.5) for node, share in kept.items())


SMALLEST_SHARE = 0.05


def leaves(domains: Mapping[str, float], parents: Mapping[str, str]) -> dict[str, float]:
    """Return of shares on whole paths those that no child takes: what each node has for itself."""
    own = dict(domains)
    for node, share in domains.items():
        parent = parents.get(node)
        if parent in own:
            own[parent] -= share
    return {node: share for node, share in own.items() if share > 1e-9}  # noqa: PLR2004  rounding


def counted(cases: Iterable[Case]) -> dict[str, dict[str, Count]]:
    """Count what grades say of each seat. Silence counts as wrong, an abstention not at all.

    A grade that leaves several truths possible counts for a seat as far as it tells something about it: "the shown one
    is wrong" is a whole count for who said it, and next to none for the others. Else whoever is shown would only ever
    be counted when it is right.
    """
    sums: dict[str, dict[str, list[float]]] = {}
    for case in cases:
        if not case.teaches:
            continue
        nodes = (*case.situation.domains.items(), (EVERYTHING, 1.0))
        for seat, (p, weight) in _told(case).items():
            mine = sums.setdefault(seat, {})
            for node, share in nodes:
                count = mine.setdefault(node, [0.0, 0.0])
                count[0] += share * weight * p
                count[1] += share * weight
    return {seat: {node: Count(*count) for node, count in nodes.items()} for seat, nodes in sums.items()}


def _told(case: Case) -> dict[str, tuple[float, float]]:
    """Return for each seat how likely it is right by the grades alone, and how far they tell: from 0 to 1.

    They tell nothing of a truth that is as likely after them as it was before, when all were equally likely.
    """
    likelihood = case.likelihood or ()
    total, even = sum(likelihood), 1 / len(likelihood)
    found = dict.fromkeys(case.situation.asked, (0.0, 1.0))
    for option, value in zip(case.situation.options, likelihood, strict=False):
        p = value / total
        weight = (p - even) / (1 - even) if p > even else (even - p) / even
        found.update(dict.fromkeys(option.supporters, (p, weight)))
    return found
