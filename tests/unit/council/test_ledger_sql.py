"""The ledger and the recalibrations in a real encrypted store."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import insert, select, update

from auritas.audit.adapters.sql import SqlAuditLog
from auritas.council.adapters.ledger_sql import Balance, SqlLedger, SqlRecalibrations
from auritas.council.ledger.recalibration import Graded, Recalibration, learn
from auritas.council.ledger.scores import Confusion, surrogate
from auritas.council.ledger.settlement import LedgerRow, Part
from auritas.kernel.clock import ManualClock, timestamp
from auritas.kernel.errors import InvalidError
from auritas.kernel.ids import TimeOrderedIds
from auritas.kernel.randomness import SystemEntropy
from auritas.store import SqlStore, Unit
from auritas.store import schema as t
from auritas.store.secret import Secret

CREDIT = LedgerRow("ann", "q1", Part.CREDIT, 0.99, "report 0.90; graded right by user")
AWARD = LedgerRow("ann", "q1", Part.AWARD, 0.4, "price 0.6000 under the report rule; graded right by user")
OTHER = LedgerRow("bob", "q1", Part.CREDIT, -0.25, "report 0.50; graded wrong by user")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqlStore]:
    with SqlStore.open(tmp_path / "home", Secret(SystemEntropy().token(32))) as opened:
        yield opened


@pytest.fixture
def ledger(clock: ManualClock) -> SqlLedger:
    return SqlLedger(clock)


@pytest.fixture
def recalibrations(clock: ManualClock, ids: TimeOrderedIds) -> SqlRecalibrations:
    return SqlRecalibrations(SqlAuditLog(clock, SystemEntropy(), ids), clock, ids)


def stamps(store: SqlStore) -> dict[tuple[str, str], str]:
    with store.read() as unit:
        rows = unit.connection.execute(select(t.score_ledger))
        return {(row.specialist, row.part): row.created_at for row in rows}


def test_settling_twice_leaves_one_row(store, ledger, clock):
    """Rows written again are the same rows, with the time of the first writing."""
    for _ in range(2):
        with store.unit() as unit:
            ledger.write(unit, "q1", [CREDIT, AWARD, OTHER])
        clock.advance(60)
    with store.read() as unit:
        assert set(ledger.rows(unit, "q1")) == {CREDIT, AWARD, OTHER}
    assert set(stamps(store).values()) == {timestamp(ManualClock().now())}


def test_a_changed_grade_replaces_and_an_undone_one_removes(store, ledger, clock):
    """What the new grades no longer say is gone, what they change is replaced, and other questions stay."""
    elsewhere = LedgerRow("ann", "q2", Part.CREDIT, 0.5, "report 0.50; graded right by key")
    with store.unit() as unit:
        ledger.write(unit, "q1", [CREDIT, AWARD, OTHER])
        ledger.write(unit, "q2", [elsewhere])
    clock.advance(60)
    changed = LedgerRow("ann", "q1", Part.CREDIT, -0.81, "report 0.90; graded wrong by user")
    with store.unit() as unit:
        ledger.write(unit, "q1", [changed, OTHER])
    with store.read() as unit:
        assert ledger.rows(unit, "q1") == (changed, OTHER)
        assert ledger.rows(unit, "q2") == (elsewhere,)
    assert stamps(store)["ann", "brier"] != stamps(store)["bob", "brier"]
    with store.unit() as unit:
        ledger.write(unit, "q1", [])
    with store.read() as unit:
        assert ledger.rows(unit, "q1") == ()
        assert ledger.balance(unit) == (Balance("ann", 0.5, 0.0, 1),)


def test_a_row_of_another_question_is_refused(store, ledger):
    """Rows are settled by question; one that is not of it would never be removed again."""
    with pytest.raises(InvalidError), store.unit() as unit:
        ledger.write(unit, "q2", [CREDIT])


def test_the_balance_adds_up_by_seat(store, ledger):
    """Credit and award are summed apart, over the number of questions that they come from."""
    with store.unit() as unit:
        ledger.write(unit, "q1", [CREDIT, AWARD, OTHER])
        ledger.write(unit, "q2", [LedgerRow("ann", "q2", Part.CREDIT, -1.0, "report 1.00; graded wrong by key")])
    with store.read() as unit:
        ann, bob = ledger.balance(unit)
    assert (ann.credit, ann.award, ann.questions) == (pytest.approx(-0.01), 0.4, 2)
    assert bob == Balance("bob", -0.25, 0.0, 1)


def test_a_round_keeps_the_curves_that_were_in_force_when_it_began(store, recalibrations, clock):
    """A curve learned later does not change the price of an earlier question, and the same curve is written once."""
    before, first, later = clock.now(), Recalibration((0.2, 0.6), 5), learn([Graded(0.9, 0.0)] * 30)
    clock.advance(60)
    asked = clock.now()
    for curve in (first, first, later):
        with store.unit() as unit:
            recalibrations.keep(unit, {"ann": curve})
        clock.advance(60)
    with store.read() as unit:
        assert recalibrations.in_force(unit, before) == {}
        assert recalibrations.in_force(unit, asked) == {"ann": first}
        assert recalibrations.in_force(unit) == {"ann": later}
        assert len(unit.connection.execute(select(t.calibrations)).all()) == 2
        kinds = unit.connection.execute(select(t.audit_log.c.event_type)).scalars().all()
    assert list(kinds) == ["weights", "weights"]


NOW = timestamp(ManualClock().now())


def asked(unit: Unit) -> None:
    conversation = {"conversation_id": "c1", "created_at": NOW, "updated_at": NOW}
    unit.connection.execute(insert(t.conversations).values(conversation))
    query = {"query_id": "q1", "conversation_id": "c1", "level": "high", "created_at": NOW}
    unit.connection.execute(insert(t.queries).values(query))


def ran(unit: Unit, seat: str, **more: object) -> str:
    run = {"run_id": f"run of {seat}", "query_id": "q1", "conversation_id": "c1", "specialist": seat, "text": "so"}
    unit.connection.execute(insert(t.model_runs).values(run | {"created_at": NOW, "stated_confidence": 0.8} | more))
    return f"run of {seat}"


def graded(unit: Unit, run_id: str, grade_id: str, **more: object) -> None:
    row = {"id": grade_id, "run_id": run_id, "correct": True, "source": "user", "reliability": 1.0, "at": NOW}
    unit.connection.execute(insert(t.grades).values(row | more))


def test_curves_are_learned_from_graded_reports_alone(store, recalibrations):
    """Undone grades, abstentions, failures, silence about confidence and answers without a grade teach nothing."""
    rita = Confusion(0.9, 0.6)
    with store.unit() as unit:
        asked(unit)
        graded(unit, ran(unit, "ann"), "g1")
        graded(unit, ran(unit, "bob", stated_confidence=None), "g2")
        graded(unit, ran(unit, "cat", abstained=True), "g3")
        graded(unit, ran(unit, "dan", error="timeout"), "g4")
        graded(unit, ran(unit, "eve"), "g5", undone_by="g6")
        ran(unit, "fay")
        act = {"id": "a1", "query_id": "q1", "kind": "verdict", "created_at": NOW}
        unit.connection.execute(insert(t.grading_acts).values(act))
        graded(unit, ran(unit, "gil"), "g7", act_id="a1")
        graded(unit, ran(unit, "hal"), "g8", source="reviewer", reliability=0.7, given_by="rita", correct=False)
    with store.read() as unit:
        found = recalibrations.history(unit, {"rita": rita})
    hal = surrogate(rita, said_right=False)
    assert hal == pytest.approx(-0.8)
    assert found == {
        "ann": (Graded(0.8, 1.0, 1.0),),
        "gil": (Graded(0.8, 1.0, 1.0),),
        "hal": (Graded(0.8, hal, rita.edge**2),),
    }
    with store.unit() as unit:
        unit.connection.execute(update(t.grading_acts).values(undone_at=NOW))
    with store.read() as unit:
        assert set(recalibrations.history(unit)) == {"ann", "hal"}
