"""What the checks found, kept in the unit of work that keeps the reply."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import bindparam, func, insert, select

from auritas.council.adapters.replacing import replacing
from auritas.council.compliance.model import Result
from auritas.council.compliance.streaks import advanced
from auritas.kernel.clock import Clock, timestamp
from auritas.kernel.ids import Ids
from auritas.store import Unit
from auritas.store import schema as t
from auritas.store.schema import assertion_events, check_streaks


@dataclass(frozen=True, slots=True)
class Tally:
    """How a seat keeps a rule. judged: answers that it was checked in; passed: that kept it; streak: failures in a row.

    level: blocking, soft or info; empty where no answer was judged.
    """

    seat: str
    rule: str
    level: str
    judged: int
    passed: int
    streak: int


@dataclass(frozen=True, slots=True)
class Judged:
    """What was found in one reply of `seat`.

    run_id: of an answer; None for a review, whose run is the author's. retries: how often it was asked again.
    """

    seat: str
    run_id: str | None
    results: Sequence[Result]
    retries: int = 0


_S = check_streaks.c
_EVENT, _STREAK = insert(assertion_events), replacing(check_streaks, "specialist", "assertion_name")
_STREAKS_OF = select(_S.specialist, _S.assertion_name, _S.streak).where(
    _S.specialist.in_(bindparam("seats", expanding=True))
)
_STREAKS = select(_S.specialist, _S.assertion_name, _S.streak).where(_S.streak > 0)


@dataclass(frozen=True, slots=True)
class SqlCompliance:
    """Writes assertion_events, and the streak of each seat and rule in check_streaks."""

    clock: Clock
    ids: Ids

    def record(self, unit: Unit, replies: Sequence[Judged], *, domain: str = "") -> None:
        """Write what was found in replies, in their order, after the runs themselves; no word of a reply is kept."""
        now = timestamp(self.clock.now())
        rows = [
            {
                "id": self.ids.new(),
                "run_id": reply.run_id,
                "retries_used": reply.retries,
                "domain": domain or None,
                "created_at": now,
                **_event(result),
            }
            for reply in replies
            for result in reply.results
        ]
        if not rows:
            return
        unit.connection.execute(_EVENT, rows)
        streaks = _after(self._streaks_of(unit, {reply.seat for reply in replies}), replies)
        if streaks:
            unit.connection.execute(_STREAK, [_streak_row(which, n, now) for which, n in streaks.items()])

    def tallies(self, unit: Unit) -> tuple[Tally, ...]:
        """Return by seat and rule how many replies were judged and how many kept the rule, with the streak now.

        Reviews are judged, too, and belong to no run, so they count in streaks alone.
        """
        runs, events = t.model_runs.c, t.assertion_events.c
        counts = (
            select(
                runs.specialist,
                events.assertion_name,
                func.max(events.level),
                func.count(),
                func.count().filter(events.passed.is_(True)),
            )
            .join(t.model_runs, runs.run_id == events.run_id)
            .group_by(runs.specialist, events.assertion_name)
        )
        found = {(row[0], row[1]): row for row in unit.connection.execute(counts)}
        streaks = {(seat, rule): n for seat, rules in self.streaks(unit).items() for rule, n in rules.items()}
        return tuple(_tally(name, found.get(name), streaks.get(name, 0)) for name in sorted({*found, *streaks}))

    def streaks(self, unit: Unit) -> Mapping[str, Mapping[str, int]]:
        """Return the failures in a row by seat and rule; what was kept last is not there."""
        return _by_seat(unit.connection.execute(_STREAKS))

    def _streaks_of(self, unit: Unit, seats: Iterable[str]) -> dict[str, dict[str, int]]:
        return _by_seat(unit.connection.execute(_STREAKS_OF, {"seats": sorted(seats)}))


def _after(before: Mapping[str, dict[str, int]], replies: Sequence[Judged]) -> dict[tuple[str, str], int]:
    """Return the streaks by seat and rule that change with these replies; of one seat's each builds on the last."""
    changed: dict[tuple[str, str], int] = {}
    for reply in replies:
        known = dict(before.get(reply.seat, {})) | {
            rule: n for (seat, rule), n in changed.items() if seat == reply.seat
        }
        changed |= {(reply.seat, rule): n for rule, n in advanced(known, reply.results).items()}
    return changed


def _streak_row(which: tuple[str, str], streak: int, now: str) -> dict[str, object]:
    seat, rule = which
    return {"specialist": seat, "assertion_name": rule, "streak": streak, "updated_at": now}


def _by_seat(rows: Iterable[Any]) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for seat, rule, streak in rows:
        found.setdefault(seat, {})[rule] = streak
    return found


def _tally(name: tuple[str, str], row: Any, streak: int) -> Tally:
    level, judged, passed = ("", 0, 0) if row is None else (row[2], row[3], row[4])
    return Tally(*name, level, judged, passed, streak)


def _event(result: Result) -> dict[str, object]:
    return {
        "assertion_name": result.name,
        "level": result.level,
        "passed": result.passed,
        "policy_name": result.policy or None,
    }
