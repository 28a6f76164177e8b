"""How a member stands: what it was asked, how often it was right and how sure that is, what it took."""

from collections.abc import Mapping
from dataclasses import dataclass

from auritas.council.choice.model import EVERYTHING
from auritas.council.choice.record import PSEUDO_COUNT, Count, TrackRecord

TAIL = 0.025
"""Left out at each end of a 95 % interval."""
MOST_DOMAINS = 3


@dataclass(frozen=True, slots=True)
class Runs:
    """A seat's answers so far.

    asked: runs in all. silent: failed, or said nothing that can be read. abstained: left to others. first_token_ms,
    total_ms: medians of recent answers, None before there is one. cost_micros: of all runs, in micro-units of money.
    """

    asked: int = 0
    silent: int = 0
    abstained: int = 0
    first_token_ms: float | None = None
    total_ms: float | None = None
    cost_micros: int = 0

    @property
    def silence(self) -> float | None:
        """The share of questions meant for it that it did not answer, or None before there were any."""
        meant = self.asked - self.abstained
        return self.silent / meant if meant else None


@dataclass(frozen=True, slots=True)
class Rate:
    """How often a seat is right: graded answers, and what they and the prior make probable."""

    graded: float
    right: float
    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Standing:
    """One seat. domains: its rate on the roots it was graded on most. weight: of its vote, None without one."""

    seat: str
    runs: Runs
    rate: Rate
    domains: Mapping[str, Rate]
    weight: float | None = None


def rate_of(record: TrackRecord, seat: str, node: str = EVERYTHING) -> Rate:
    """Return the rate of a seat on a node, with the equal-tailed 95 % interval of its Beta posterior."""
    count = record.count(seat, node)
    parent = record.parents.get(node, EVERYTHING)
    prior = record.prior.get(seat, 0.5) if node == EVERYTHING else record.rate(seat, parent)
    low, high = interval(count, prior)
    return Rate(count.graded, count.right, record.rate(seat, node), low, high)


def interval(count: Count, prior: float) -> tuple[float, float]:
    """Return the equal-tailed 95 % interval of Beta(k·prior + right, k·(1 - prior) + wrong), k = PSEUDO_COUNT."""
    from scipy.special import betaincinv

    right, wrong = PSEUDO_COUNT * prior + count.right, PSEUDO_COUNT * (1 - prior) + count.graded - count.right
    return float(betaincinv(right, wrong, TAIL)), float(betaincinv(right, wrong, 1 - TAIL))


def standing(seat: str, runs: Runs, record: TrackRecord, weight: float | None) -> Standing:
    """Return how a seat stands, with the roots that it was graded on most."""
    counts = record.counts.get(seat, {})
    roots = [node for node in counts if node != EVERYTHING and node not in record.parents]
    most = sorted(roots, key=lambda node: (-counts[node].graded, node))[:MOST_DOMAINS]
    return Standing(seat, runs, rate_of(record, seat), {node: rate_of(record, seat, node) for node in most}, weight)
