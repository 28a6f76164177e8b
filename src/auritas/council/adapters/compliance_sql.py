"""What the checks found, kept in the unit of work that keeps the reply."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, insert, select
from sqlalchemy.dialects.sqlite import insert as upsert

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
class SqlCompliance:
    """Writes assertion_events, and the streak of each seat and rule in check_streaks."""

    clock: Clock
    ids: Ids

    def record(
        self,
        unit: Unit,
        seat: str,
        run_id: str | None,
        results: Sequence[Result],
        *,
        retries: int = 0,
        domain: str = "",
    ) -> None:
        """Write what was found in one reply of `seat`, after the run itself; no word of the reply is kept here.

        run_id: of an answer; None for a review, whose run is the author's. retries: how often it was asked again.
        """
        if not results:
            return
        now = timestamp(self.clock.now())
        shared = {"run_id": run_id, "retries_used": retries, "domain": domain or None, "created_at": now}
        rows = [{"id": self.ids.new(), **shared, **_event(result)} for result in results]
        unit.connection.execute(insert(assertion_events), rows)
        for rule, streak in advanced(_of_seat(unit, seat), results).items():
            row = {"specialist": seat, "assertion_name": rule, "streak": streak, "updated_at": now}
            unit.connection.execute(
                upsert(check_streaks)
                .values(row)
                .on_conflict_do_update(
                    index_elements=["specialist", "assertion_name"], set_={"streak": streak, "updated_at": now}
                )
            )

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
        c = check_streaks.c
        query = select(c.specialist, c.assertion_name, c.streak).where(c.streak > 0)
        found: dict[str, dict[str, int]] = {}
        for seat, rule, streak in unit.connection.execute(query):
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


def _of_seat(unit: Unit, seat: str) -> dict[str, int]:
    c = check_streaks.c
    rows = unit.connection.execute(select(c.assertion_name, c.streak).where(c.specialist == seat))
    return {rule: streak for rule, streak in rows}  # noqa: C416  a row is no pair to dict()
