"""What the checks found, in a real encrypted store."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import delete, insert, select
from sqlalchemy.exc import IntegrityError

from auritas.council.adapters.compliance_sql import Judged, SqlCompliance
from auritas.council.compliance.emphasis import emphasised
from auritas.council.compliance.model import Checked, Level, Result
from auritas.council.compliance.pipeline import run_checks
from auritas.council.prompts import prose_prompt
from auritas.kernel.clock import ManualClock, timestamp
from auritas.kernel.ids import TimeOrderedIds
from auritas.kernel.randomness import SystemEntropy
from auritas.store import SqlStore, Unit
from auritas.store import schema as t
from auritas.store.secret import Secret

UNTAGGED = Checked("It is so.\nANSWER: Canberra\nCONFIDENCE: 90", "What is the capital of Australia?")
TAGGED = Checked(f"{UNTAGGED.text}\nDOMAINS: geography", UNTAGGED.question)
PROMPT = prose_prompt(UNTAGGED.question, ())


@pytest.fixture
def key() -> bytes:
    return SystemEntropy().token(32)


@pytest.fixture
def store(tmp_path: Path, key: bytes) -> Iterator[SqlStore]:
    with SqlStore.open(tmp_path / "home", Secret(key)) as opened:
        yield opened


@pytest.fixture
def compliance(clock: ManualClock, ids: TimeOrderedIds) -> SqlCompliance:
    return SqlCompliance(clock, ids)


def answered(unit: Unit, run_id: str, seat: str) -> None:
    now = timestamp(ManualClock().now())
    talk = {"conversation_id": run_id, "title": "t", "created_at": now, "updated_at": now}
    unit.connection.execute(insert(t.conversations).values(talk))
    run = {"run_id": run_id, "conversation_id": run_id, "specialist": seat, "created_at": now}
    unit.connection.execute(insert(t.model_runs).values(run))


def reply(store: SqlStore, compliance: SqlCompliance, run_id: str, seat: str, subject: Checked) -> None:
    with store.unit() as unit:
        answered(unit, run_id, seat)
        compliance.record(unit, [Judged(seat, run_id, run_checks(subject), 1)], domain="geography")


def test_each_result_is_a_row_of_its_run(store, compliance):
    """Name, level, outcome and how often the member was asked again can be looked up later; words of it cannot."""
    reply(store, compliance, "r1", "ann", UNTAGGED)
    with store.read() as unit:
        rows = {row.assertion_name: row for row in unit.connection.execute(select(t.assertion_events))}
    assert {name: row.passed for name, row in rows.items()} == {
        "answer_lines": True,
        "domain_tag": False,
        "no_scoring_leak": True,
        "language": True,
    }
    row = rows["domain_tag"]
    assert (row.run_id, row.level, row.retries_used, row.domain) == ("r1", "soft", 1, "geography")
    assert not any("Canberra" in str(value) for each in rows.values() for value in each)


def test_streaks_survive_a_restart_and_make_the_next_prompt_bold(tmp_path, key, store, compliance):
    """Two failures in two sessions are two in a row, for this seat and this rule alone (C10)."""
    reply(store, compliance, "r1", "ann", UNTAGGED)
    store.close()
    with SqlStore.open(tmp_path / "home", Secret(key)) as again:
        reply(again, compliance, "r2", "ann", UNTAGGED)
        reply(again, compliance, "r3", "bob", UNTAGGED)
        with again.read() as unit:
            streaks = compliance.streaks(unit)
    assert streaks == {"ann": {"domain_tag": 2}, "bob": {"domain_tag": 1}}
    assert emphasised(PROMPT, streaks["ann"]) != PROMPT
    assert emphasised(PROMPT, streaks["bob"]) == PROMPT


def test_a_pass_resets_only_its_own_streak(store, compliance):
    """Fail, pass, fail leaves one; what was not judged keeps its streak (C10)."""
    for number, subject in enumerate((UNTAGGED, UNTAGGED, TAGGED, UNTAGGED)):
        reply(store, compliance, f"r{number}", "ann", subject)
    with store.unit() as unit:
        compliance.record(unit, [Judged("ann", None, [Result("no_tabs", Level.SOFT, passed=False)])])
    reply(store, compliance, "last", "ann", TAGGED)
    with store.read() as unit:
        assert compliance.streaks(unit) == {"ann": {"no_tabs": 1}}


def test_nothing_is_kept_of_a_unit_that_fails(store, compliance):
    """Results and streaks land with the run or not at all."""
    with pytest.raises(IntegrityError), store.unit() as unit:
        compliance.record(unit, [Judged("ann", "no such run", run_checks(UNTAGGED))])
    with store.read() as unit:
        assert compliance.streaks(unit) == {}
        assert unit.connection.execute(select(t.assertion_events)).first() is None


def test_an_erased_run_takes_its_results_with_it(store, compliance):
    """Erasing a conversation leaves no row about its replies; a seat's streak is about no reply in particular."""
    reply(store, compliance, "r1", "ann", UNTAGGED)
    with store.unit() as unit:
        unit.connection.execute(delete(t.model_runs).where(t.model_runs.c.run_id == "r1"))
    with store.read() as unit:
        assert unit.connection.execute(select(t.assertion_events)).first() is None


def test_a_policy_is_kept_by_its_id(store, compliance):
    """Which correction a member broke is found by the correction's id."""
    with store.unit() as unit:
        broken = Result("no_tabs", Level.SOFT, passed=False, why="x", policy="c1")
        compliance.record(unit, [Judged("ann", None, [broken])])
    with store.read() as unit:
        assert unit.connection.execute(select(t.assertion_events.c.policy_name)).scalar() == "c1"


def test_no_results_write_nothing(store, compliance):
    """A reply that no rule is about leaves no row."""
    with store.unit() as unit:
        compliance.record(unit, [Judged("ann", None, ())])
    with store.read() as unit:
        assert compliance.streaks(unit) == {}


def test_replies_of_one_question_count_one_after_another(store, compliance):
    """Written at once, an answer and a review of one seat make the streaks that they make one by one (C10)."""
    broken, kept = (Result("no_tabs", Level.SOFT, passed=passed) for passed in (False, True))
    replies = [Judged("ann", None, [broken]), Judged("bob", None, [broken]), Judged("ann", None, [broken])]
    with store.unit() as unit:
        compliance.record(unit, [*replies, Judged("bob", None, [kept])])
    with store.read() as unit:
        assert compliance.streaks(unit) == {"ann": {"no_tabs": 2}}
        assert len(unit.connection.execute(select(t.assertion_events)).all()) == 4
