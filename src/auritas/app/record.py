"""What the council has learned about its members, as a page shows it: records, independence, rules kept, earnings."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from auritas.app.learning import Learning
from auritas.app.stats import Stats
from auritas.council.adapters.compliance_sql import SqlCompliance, Tally
from auritas.council.adapters.ledger_sql import Balance, SqlLedger
from auritas.council.choice.guard import Guard
from auritas.council.choice.model import EVERYTHING
from auritas.council.choice.votes import effective_votes
from auritas.council.model import Member
from auritas.council.standing import Rate, Standing, rate_of
from auritas.kernel.model import BUILTIN
from auritas.kernel.ports import Store
from auritas.store import Unit
from auritas.store.cursor import Cursor

__all__ = ["Balance", "Guard", "Rate", "Record", "Standing", "Tally"]


@dataclass(frozen=True, slots=True)
class RunCounts:
    """A member's answers so far. silent: failed or unreadable; silence: the share of what was meant for it."""

    asked: int
    silent: int
    abstained: int
    silence: float | None
    first_token_ms: float | None
    total_ms: float | None
    cost_micros: int


@dataclass(frozen=True, slots=True)
class MemberStanding:
    """How a member stands. sits: whether it is in the council now. weight: of its vote, None without one.

    rate: how often it is expected to be right, with the 95 % interval.
    """

    seat: str
    sits: bool
    runs: RunCounts
    rate: Rate
    weight: float | None


@dataclass(frozen=True, slots=True)
class Ranked:
    """Everybody who sits in the council or ever answered, best record first, and which rule decides and why.

    graded: questions with a grade. guard: what the rule in force rests on; gains are shares of questions.
    """

    policy: str
    why: str
    guard: Guard
    graded: int
    calibrated: bool
    seats: tuple[MemberStanding, ...]


@dataclass(frozen=True, slots=True)
class DomainRate:
    """A member's rate on one node of the domain tree and below it. parent: None for a root."""

    seat: str
    domain: str
    parent: str | None
    rate: Rate


@dataclass(frozen=True, slots=True)
class PairCorrelation:
    """How far the errors of two members go together, in [-1, 1]."""

    first: str
    second: str
    correlation: float


@dataclass(frozen=True, slots=True)
class Independence:
    """How many independent members the council is worth. effective_votes: None while too little is graded."""

    members: int
    effective_votes: float | None
    pairs: tuple[PairCorrelation, ...]


@dataclass(frozen=True, slots=True)
class LedgerLine:
    """What one member earned with one question, in right answers.

    part: `brier`, credit for its report, or `award`, for being shown. basis: from what, for a person.
    """

    seat: str
    query_id: str
    part: str
    amount: float
    basis: str
    at: datetime


@dataclass(frozen=True, slots=True)
class LedgerLines:
    """A page of the ledger, newest first. next: the cursor to give as `after` for the page after it."""

    items: tuple[LedgerLine, ...]
    next: str | None


@dataclass(frozen=True, slots=True)
class Record:
    """Reads what was learned; writes nothing."""

    store: Store[Unit]
    stats: Stats
    learning: Learning
    members: Callable[[], Sequence[Member]]
    compliance: SqlCompliance
    ledger: SqlLedger

    def ranked(self) -> Ranked:
        """Return the standings."""
        found = self.stats()
        guard = self.learning.current(self.members()).guard
        sitting = {member.seat.name for member in self.members()}
        seats = tuple(_standing(each, sits=each.seat in sitting) for each in found.seats)
        return Ranked(found.policy, found.why, guard, found.grades, found.calibrated, seats)

    def by_domain(self) -> tuple[DomainRate, ...]:
        """Return the rate of every member on every domain in which it has grades, best known first."""
        record = self.stats.record()
        found = [
            DomainRate(seat, node, record.parents.get(node), rate_of(record, seat, node))
            for seat, nodes in record.counts.items()
            for node in nodes
            if node != EVERYTHING
        ]
        return tuple(sorted(found, key=lambda each: (-round(each.rate.graded, 9), each.domain, each.seat)))

    def independence(self) -> Independence:
        """Return how independent those are who sit in the council, by what is learned of their errors."""
        members = self.members()
        seats = sorted(m.seat.name for m in members if m.votes and m.card.provider != BUILTIN)
        known: Mapping[str, Mapping[str, float]] = self.learning.current(members).correlations
        pairs = [(a, b, known.get(a, {}).get(b)) for a in seats for b in seats if a < b]
        found = tuple(PairCorrelation(a, b, value) for a, b, value in pairs if value is not None)
        return Independence(len(seats), effective_votes(seats, known), found)

    def rules_kept(self) -> tuple[Tally, ...]:
        """Return how each member keeps each rule, and how often in a row it has broken it."""
        with self.store.read() as unit:
            return self.compliance.tallies(unit)

    def balances(self) -> tuple[Balance, ...]:
        """Return what each member has earned so far."""
        with self.store.read() as unit:
            return self.ledger.balance(unit)

    def earned(self, size: int, after: str | None = None, seat: str | None = None) -> LedgerLines:
        """Return a page of the ledger, of one member where it is named. Raises InvalidError for a bad cursor."""
        with self.store.read() as unit:
            page = self.ledger.newest(unit, size, Cursor.decode(after) if after else None, seat)
        items = tuple(
            LedgerLine(each.row.seat, each.row.query_id, each.row.part, each.row.amount, each.row.basis, each.at)
            for each in page.rows
        )
        return LedgerLines(items, page.next.encode() if page.next else None)


def _standing(one: Standing, *, sits: bool) -> MemberStanding:
    runs = one.runs
    counts = RunCounts(
        runs.asked,
        runs.silent,
        runs.abstained,
        runs.silence,
        runs.first_token_ms,
        runs.total_ms,
        runs.cost_micros,
    )
    return MemberStanding(one.seat, sits, counts, one.rate, one.weight)
