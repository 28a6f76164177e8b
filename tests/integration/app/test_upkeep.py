"""What happens now and then without anybody asking."""

from datetime import timedelta

from sqlalchemy import insert, select

from auritas.app.compose import Auritas, opened
from auritas.kernel.clock import timestamp
from auritas.kernel.log import Kind, LogEvent
from auritas.store import schema as t


def open_question(auritas: Auritas, name: str, hours_ago: float) -> None:
    at = timestamp(auritas.clock.now() - timedelta(hours=hours_ago))
    conversation = {"conversation_id": name, "title": name, "created_at": at, "updated_at": at}
    with auritas.store.unit() as unit:
        unit.connection.execute(insert(t.conversations).values(conversation))
        row = {"query_id": name, "conversation_id": name, "level": "high", "created_at": at}
        unit.connection.execute(insert(t.queries).values(row))


def test_a_question_of_a_dead_process_is_closed_and_one_under_way_is_left(tmp_path):
    """At a start, what has been open for long counts as interrupted; a question just asked may still be answered."""
    home = tmp_path / "home"
    with opened(home=home) as auritas:
        open_question(auritas, "old", 0.26)
        open_question(auritas, "new", 0.24)
    with opened(home=home) as auritas, auritas.store.read() as unit:
        rows = unit.connection.execute(select(t.queries.c.query_id, t.queries.c.status)).all()
    assert dict(map(tuple, rows)) == {"old": "interrupted", "new": "started"}


def test_closing_signs_what_was_written_and_makes_the_daily_backup_once(tmp_path):
    """After a command its entries are under a signed head, and there is one backup a day."""
    home = tmp_path / "home"
    for _ in range(3):
        with opened(home=home) as auritas, auritas.store.unit() as unit:
            auritas.log.append(unit, [LogEvent(Kind.SETTINGS_CHANGE, "user", {"field": "zone"})])
    assert len(list((home / "backups").glob("*.backup"))) == 1
    with opened(home=home) as auritas:
        report = auritas.audit.verify()
        assert report.ok
        assert report.checkpoint is not None


def test_reading_signs_nothing_and_backs_up_nothing(tmp_path):
    """A process that only looked leaves the log and the folder of backups as they were."""
    home = tmp_path / "home"
    with opened(home=home) as auritas, auritas.store.unit() as unit:
        auritas.log.append(unit, [LogEvent(Kind.SETTINGS_CHANGE, "user", {"field": "zone"})])
    (backup,) = (home / "backups").glob("*.backup")
    backup.unlink()
    with opened(home=home) as auritas:
        before = auritas.audit.verify()
    with opened(home=home) as auritas:
        assert auritas.audit.verify() == before
    assert list((home / "backups").glob("*.backup")) == []


def test_what_a_dead_process_left_says_so_with_its_reasons_in_the_log(tmp_path):
    """It is shown as abandoned wherever questions are listed, has a trace that says why, and the log verifies."""
    home = tmp_path / "home"
    with opened(home=home) as auritas:
        open_question(auritas, "old", 0.3)
    with opened(home=home) as auritas:
        (found,) = auritas.questions.newest(5)
        assert found.status == "abandoned"
        trace = auritas.questions.why("old")
        assert (trace.reason_code, trace.trace_id) == ("abandoned", found.trace_id)
        assert "Auritas ended before" in trace.rationale
        assert auritas.question_pages.show("old").status == "abandoned"
        assert auritas.audit.verify().ok
        auritas.upkeep.run_due()
        with auritas.store.read() as unit:
            assert len(unit.connection.execute(select(t.traces)).all()) == 1, "it is closed once"


def test_where_members_may_take_longer_a_question_is_left_for_longer(tmp_path):
    """With a deadline of an hour nothing is given up that may still be under way."""
    home = tmp_path / "home"
    with opened(home=home) as auritas:
        open_question(auritas, "slow", 6)
    with opened(home=home, deadline_s=3_600) as auritas:
        assert [each.status for each in auritas.questions.newest(5)] == ["started"]
