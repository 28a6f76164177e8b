"""Reviewers: how far each can be believed, and the checks that measure it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from auritas.council.adapters.reviews_sql import ReviewRecords
from auritas.council.model import Member
from auritas.council.review.assignment import eligible, family
from auritas.council.review.checks import (
    MEASURED,
    built_in_answers,
    due_check,
    informed,
    length_bias,
    next_check,
    position_bias,
)
from auritas.council.review.judge import may_decide, wilson
from auritas.council.review.model import Bias, CheckResult, JudgeRecord, KnownAnswer, Reliability
from auritas.council.review.service import Reviewing
from auritas.gateway.model import Purpose
from auritas.kernel.errors import AuritasError, NotFoundError, UsageError, nearest
from auritas.kernel.ports import Store
from auritas.store import Unit

if TYPE_CHECKING:
    from auritas.app.progress import Steps

CHECKS = 20
"""Known answers that one command asks about, unless told otherwise: with fewer a reviewer counts as not measured."""
_PURPOSE = Purpose("check a reviewer with a known answer")

OnCheck = Callable[[str, int, int], None]
"""Told of each check that has ended: reviewer, checks done, checks in all."""


class NotReviewerError(NotFoundError):
    """Nobody of this name reviews."""

    code = "no_such_reviewer"

    def __init__(self, name: str, known: Sequence[str]) -> None:
        who = f"{nearest(name, known)} In the council: {', '.join(known) or 'nobody who may review'}.".strip()
        super().__init__(
            f"There is no reviewer named {name!r}.",
            remedy=f"{who} See them under Under the hood, or by auritas reviewers list",
        )


@dataclass(frozen=True, slots=True)
class ReviewerState:
    """One reviewer as a person sees it.

    checks: all that were made with its present model, unreadable ones included. grades: whether its verdicts grade
    answers. position, length: None while too little is known. judge: its record as the content judge, with the 95 %
    interval of its rate, and whether it may change answers.
    """

    seat: str
    family: str
    local: bool
    checks: int
    reliability: Reliability
    measured: bool
    grades: bool
    position: Bias | None
    length: Bias | None
    judge: JudgeRecord
    judge_interval: tuple[float, float]
    judge_decides: bool


@dataclass(frozen=True, slots=True)
class ReviewerLine:
    """One reviewer for a page. sensitivity: of right answers called right; specificity: of wrong ones called wrong.

    Both are means of Beta posteriors with their 95 % intervals. informedness: 0 for a coin, 1 for one never wrong.
    plain: share of its checks that ended in a verdict that can be read. position_bias, length_bias: how much a place
    or a length moves it, None while too little is known. judge_right: of judge_graded disagreements that it judged.
    """

    seat: str
    family: str
    local: bool
    checks: int
    measured: bool
    grades: bool
    sensitivity: float
    sensitivity_interval: tuple[float, float]
    specificity: float
    specificity_interval: tuple[float, float]
    informedness: float
    plain: float | None
    position_bias: float | None
    length_bias: float | None
    judge_right: int
    judge_graded: int
    judge_interval: tuple[float, float]
    judge_decides: bool


@dataclass(frozen=True, slots=True)
class Reviewers:
    """The use cases behind `auritas reviewers`, and the check that goes along with reviews of questions."""

    store: Store[Unit]
    records: ReviewRecords
    reviewing: Reviewing
    members: Callable[[], Sequence[Member]]

    def list(self) -> tuple[ReviewerState, ...]:
        """Return everybody who may review, the best informed first."""
        with self.store.read() as unit:
            states = [self._state(unit, member) for member in self._able()]
        return tuple(sorted(states, key=lambda s: (not s.measured, -s.reliability.informedness, s.seat)))

    def lines(self) -> tuple[ReviewerLine, ...]:
        """Return everybody who may review, for a page."""
        seats = {member.seat.name: member.seat for member in self._able()}
        found = []
        for state in self.list():
            with self.store.read() as unit:
                right, wrong = self.records.intervals(unit, seats[state.seat])
            found.append(_line(state, right, wrong))
        return tuple(found)

    async def checking(self, name: str | None, count: int, steps: "Steps") -> str:
        """Do as `check` and tell its steps; return in a sentence how they stand then."""
        states = await self.check(name, count, lambda who, done, total: steps(done, total, who))
        return "; ".join(
            f"{each.seat}: sensitivity {each.reliability.sensitivity:.2f}, "
            f"specificity {each.reliability.specificity:.2f} by {each.reliability.checks} verdicts"
            for each in states
        )

    def require(self, name: str) -> None:
        """Raise NotReviewerError unless somebody of this name sits in the council and may review."""
        known = sorted(member.seat.name for member in self._able())
        if name not in known:
            raise NotReviewerError(name, known)

    async def check(
        self, name: str | None = None, count: int = CHECKS, progress: OnCheck = lambda *_: None
    ) -> tuple[ReviewerState, ...]:
        """Ask one reviewer, or all, about `count` known answers each, and return how they stand then.

        Every outcome is kept as soon as it is there, so an interrupted run has lost nothing. Raises NotReviewerError
        for an unknown name, UsageError for less than one check, and what the gateway raises when a reviewer cannot
        be asked: that is no mark against it.
        """
        if count < 1:
            raise UsageError("At least one check must be made.", remedy=f"Try: --checks {CHECKS}")
        able = {member.seat.name: member for member in self._able()}
        if name is not None and name not in able:
            raise NotReviewerError(name, sorted(able))
        chosen = [m for seat, m in sorted(able.items()) if name in {None, seat}]
        for member in chosen:
            for done in range(count):
                progress(member.seat.name, done, count)
                await self._check_once(member)
            progress(member.seat.name, count, count)
        names = {member.seat.name for member in chosen}
        return tuple(state for state in self.list() if state.seat in names)

    async def check_if_due(self, member: Member) -> CheckResult | None:
        """Ask about one known answer if enough real reviews went by since the last; None where it is not due or failed.

        For after a question, off its path.
        """
        with self.store.read() as unit:
            due = due_check(self.records.since_check(unit, member.seat))
        if not due:
            return None
        try:
            return await self._check_once(member)
        except AuritasError:
            return None  # a reviewer out of reach is checked another time

    async def _check_once(self, member: Member) -> CheckResult:
        with self.store.read() as unit:
            past = self.records.past_answers(unit, member.seat)
            seen = self.records.checks(unit, member.seat)
        known = _next(member, past, seen)
        review = await self.reviewing.check(known, member, _PURPOSE)
        result = CheckResult(known.id, known.is_right, review.verdict)
        with self.store.unit() as unit:
            self.records.checked(unit, member.seat, result, review)
        return result

    def _able(self) -> tuple[Member, ...]:
        return eligible((), self.members())

    def _state(self, unit: Unit, member: Member) -> ReviewerState:
        checks = self.records.checks(unit, member.seat)
        believed = self.records.reliabilities(unit, [member.seat])[member.seat.name]
        judge = self.records.judge_record(unit, member.seat.name)
        return ReviewerState(
            seat=member.seat.name,
            family=family(member.card),
            local=member.seat.local,
            checks=len(checks),
            reliability=believed,
            measured=believed.checks >= MEASURED,
            grades=informed(believed),
            position=position_bias(self.records.comparisons(unit, member.seat.name)),
            length=length_bias(checks),
            judge=judge,
            judge_interval=wilson(judge),
            judge_decides=may_decide(judge),
        )


def _line(state: ReviewerState, right: tuple[float, float], wrong: tuple[float, float]) -> ReviewerLine:
    believed = state.reliability
    return ReviewerLine(
        seat=state.seat,
        family=state.family,
        local=state.local,
        checks=state.checks,
        measured=state.measured,
        grades=state.grades,
        sensitivity=believed.sensitivity,
        sensitivity_interval=right,
        specificity=believed.specificity,
        specificity_interval=wrong,
        informedness=believed.informedness,
        plain=believed.plain,
        position_bias=state.position.difference if state.position else None,
        length_bias=state.length.difference if state.length else None,
        judge_right=state.judge.right,
        judge_graded=state.judge.graded,
        judge_interval=state.judge_interval,
        judge_decides=state.judge_decides,
    )


def _next(member: Member, past: Sequence[KnownAnswer], seen: Sequence[CheckResult]) -> KnownAnswer:
    """Return what to ask next: the user's own graded questions and ours in turn, where there are both.

    Ours are easier than life, and the user's alone might all be of one kind.
    """
    times: dict[str, int] = {}
    for check in seen:
        times[check.item] = times.get(check.item, 0) + 1
    of_past = sum(check.item in {item.id for item in past} for check in seen)
    fresh = [item for item in past if item.id not in times]
    known = fresh if fresh and 2 * of_past <= len(seen) else built_in_answers()
    found = next_check(member.seat.name, known, times)
    if found is None:
        raise NotFoundError("There is no known answer to check a reviewer with.", remedy="Reinstall Auritas.")
    return found
