"""Grading on a real encrypted store: acts, grades, the combined view, preferences, entries, and taking it all back."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from sqlalchemy import delete, event, insert, select, update
from tests.integration.app.past_questions import write_question

from auritas.app.grading import Graded, Grading, State
from auritas.app.naming import AmbiguousError, NoQuestionError, NothingToGradeError, UnknownCandidateError
from auritas.app.settling import Settling
from auritas.audit.adapters.sql import SqlAuditLog
from auritas.audit.service import AuditService
from auritas.council.acts import Checked, Reviewed
from auritas.council.adapters.grades_sql import SqlGrades
from auritas.council.adapters.ledger_sql import SqlLedger, SqlRecalibrations
from auritas.council.grading import outcome
from auritas.kernel.answers import ReviewVerdict
from auritas.kernel.clock import timestamp
from auritas.kernel.errors import InvalidError, NotFoundError, UsageError
from auritas.kernel.randomness import SystemEntropy
from auritas.store import SqlStore
from auritas.store import schema as t
from auritas.store.keychain import NoKeychain
from auritas.store.opening import open_store

CANARY = "zanzibarian"
SAID = {"ada": "Canberra", "bob": "canberra.", "eve": "Sydney", "calculator": ""}


@dataclass
class Setting:
    store: SqlStore
    grades: SqlGrades
    audit: AuditService[Any]
    clock: Any
    ids: Any
    calls: list[int] = field(default_factory=list)

    @property
    def grading(self) -> Grading:
        return Grading(self.store, self.grades, after=lambda _: self.calls.append(len(self.rows(t.grading_acts))))

    def rows(self, table: Any, *where: Any) -> list[Any]:
        with self.store.read() as unit:
            return list(unit.connection.execute(select(table).where(*where)))

    def asked(self, said: dict[str, str] = SAID, *, decided: bool = True, **more: Any) -> str:
        """Write a finished question, with or without the decision that newer versions keep."""
        self.clock.advance(1)
        with self.store.unit() as unit:
            return write_question(unit, self.ids, timestamp(self.clock.now()), said, decided=decided, **more)

    def view(self) -> dict[str, tuple[bool, bool | None, str | None]]:
        return {row.specialist: (row.graded, row.correct, row.grade_source) for row in self.rows(t.model_runs)}


@pytest.fixture
def setting(tmp_path, clock, ids) -> Iterator[Setting]:
    store = open_store(tmp_path / "store", keychain=NoKeychain()).store
    log = SqlAuditLog(clock, SystemEntropy(), ids)
    yield Setting(store, SqlGrades(log, clock, ids), AuditService(store, log, clock), clock, ids)
    store.close()


def right_of(graded: Any) -> dict[str, bool | None]:
    return {mark.seat: mark.right for mark in graded.marks}


def test_a_verdict_writes_act_grades_view_and_entry_together(setting):
    """One unit of work holds the act, a grade for each answer, the runs' combined view and the audit entry."""
    setting.asked()
    graded = setting.grading.verdict(None, right=True)
    assert right_of(graded) == {"ada": True, "bob": True, "eve": False}
    assert [row.kind for row in setting.rows(t.grading_acts)] == ["verdict"]
    assert {row.act_id for row in setting.rows(t.grades)} == {graded.record.id}
    assert setting.view() == {
        "ada": (True, True, "user"),
        "bob": (True, True, "user"),
        "eve": (True, False, "user"),
        "calculator": (False, None, None),
    }
    (entry,) = setting.rows(t.audit_log)
    refs = json.loads(entry.refs)
    assert entry.event_type == "grade"
    assert (refs["right"], refs["wrong"], refs["act"]) == (2, 1, "verdict")
    assert setting.audit.verify().ok
    assert setting.calls == [1]


def test_the_same_act_twice_says_so_and_writes_nothing(setting):
    """Saying it again changes neither store nor log, and nothing is fitted anew."""
    setting.asked()
    grading = setting.grading
    ways: list[Callable[[], Graded]] = [
        lambda: grading.verdict(None, right=False),
        lambda: grading.pick(None, "eve"),
        lambda: grading.key(None, "Sydney"),
        lambda: grading.merge(None, "ada", "eve"),
    ]
    for say in ways:
        first = say()
        before = setting.rows(t.grades), setting.rows(t.audit_log), len(setting.calls)
        again = say()
        assert (first.already, again.already) == (False, True)
        assert again.record == first.record
        assert (setting.rows(t.grades), setting.rows(t.audit_log), len(setting.calls)) == before


def test_undo_leaves_no_trace_in_what_is_learned(setting):
    """After an undo no answer counts as graded, the rows say by what they were undone, and the log verifies."""
    setting.asked()
    setting.grading.pick(None, "eve")
    undone = setting.grading.undo()
    assert right_of(undone) == {"ada": None, "bob": None, "eve": None}
    assert set(setting.view().values()) == {(False, None, None)}
    assert all(row.undone_by for row in setting.rows(t.grades))
    assert [row.event_type for row in setting.rows(t.audit_log)].count("grade") == 2
    assert setting.grading.undo(undone.record.id).already
    with pytest.raises(NotFoundError, match="nothing to undo"):
        setting.grading.undo()
    assert setting.audit.verify().ok
    assert setting.calls == [1, 1]


def test_undo_brings_back_what_had_been_taken_back(setting):
    """Right, then a pick of another, then the pick undone: the first verdict holds again."""
    setting.asked()
    setting.grading.verdict(None, right=True)
    assert right_of(setting.grading.pick(None, "eve")) == {"ada": False, "bob": False, "eve": True}
    assert [said.state for said in setting.grading.history().said] == [State.HOLDS, State.TAKEN_BACK]
    assert right_of(setting.grading.undo()) == {"ada": True, "bob": True, "eve": False}
    assert [said.state for said in setting.grading.history().said] == [State.UNDONE, State.HOLDS]


def test_the_last_word_counts_even_when_the_clock_stands_still(setting):
    """Two acts within one tick keep their order."""
    setting.asked()
    for name in ("eve", "ada", "eve", "ada"):
        setting.grading.pick(None, name)
    assert setting.view()["ada"] == (True, True, "user")
    moments = [said.record.at for said in setting.grading.history().said]
    assert moments == sorted(set(moments), reverse=True)


def test_a_merge_and_its_undo_change_who_was_right(setting):
    """Candidates that were merged share their fate until the merge is undone."""
    setting.asked({"ada": "Canberra", "bob": "Canberra, Australia", "eve": "Sydney"})
    setting.grading.pick(None, "ada")
    merged = setting.grading.merge(None, "ada", "bob")
    assert right_of(merged) == {"ada": True, "bob": True, "eve": False}
    (question,) = learned(setting)
    assert sorted(c.supporters for c in question.candidates) == [("ada", "bob"), ("eve",)]
    assert len(setting.grading.compare().comparison.candidates) == 2
    assert right_of(setting.grading.undo()) == {"ada": True, "bob": False, "eve": False}
    (question,) = learned(setting)
    assert len(question.candidates) == 3


def learned(setting: Setting, **more: Any) -> list[Any]:
    with setting.store.read() as unit:
        return setting.grades.graded_questions(unit, **more)


def test_what_is_learned_from_has_domains_candidates_and_the_grades_that_hold(setting):
    """Each finished question comes with what learning needs; undone grades are left out."""
    setting.asked()
    graded = setting.asked(p_right=0.7)
    setting.grading.pick(None, "eve")
    setting.grading.undo()
    setting.grading.key(None, "Canberra")
    first, second = learned(setting)
    assert first.grades == ()
    assert second.query_id == graded
    assert second.domains == {"science": 0.3, "history": 0.7}
    assert (second.abstained, second.silent, second.p_right) == (("calculator",), (), 0.7)
    said = {seat: c.id for c in second.candidates for seat in c.supporters}
    assert {g.seat: (g.correct, g.source, g.candidate) for g in second.grades} == {
        "ada": (True, "key", said["ada"]),
        "bob": (True, "key", said["bob"]),
        "eve": (False, "key", said["eve"]),
    }
    assert [q.query_id for q in learned(setting, graded_only=True)] == [graded]


def test_a_question_from_before_decisions_were_kept_can_be_graded(setting):
    """Its candidates follow from its answers, and are kept from then on."""
    setting.asked(decided=False)
    assert learned(setting) == []
    assert right_of(setting.grading.verdict(None, right=True)) == {"ada": True, "bob": True, "eve": False}
    (question,) = learned(setting)
    assert sorted(c.supporters for c in question.candidates) == [("ada", "bob"), ("eve",)]
    assert {row.specialist for row in setting.rows(t.model_runs) if row.candidate} == {"ada", "bob", "eve"}


def test_reviewers_and_checkers_grade_beside_the_user(setting):
    """Each grade keeps who gave it and how reliable it is; the view is what all of them come to."""
    query_id = setting.asked()
    runs = {row.specialist: row.run_id for row in setting.rows(t.model_runs)}
    with setting.store.unit() as unit:
        setting.grades.write_act(unit, query_id, Reviewed(runs["ada"], ReviewVerdict.INCORRECT, "eve", 0.8))
    assert setting.view()["bob"] == (True, False, "reviewer")
    assert [said.record for said in setting.grading.history().said] == []
    with setting.store.unit() as unit:
        setting.grades.write_act(unit, query_id, Checked(runs["ada"], right=True, checker="units"))
    assert setting.view()["ada"] == (True, True, "checker")
    with setting.store.read() as unit:
        mine = [g for g in setting.grades.grades(unit, query_id) if g.seat == "ada"]
    assert {(g.source, g.given_by, g.reliability) for g in mine} == {
        ("reviewer", "eve", 0.8),
        ("checker", "units", 1.0),
    }
    assert outcome(mine) == 1.0
    actors = [row.actor for row in setting.rows(t.audit_log)]
    assert actors == ["eve", "units"]
    with pytest.raises(NotFoundError):
        setting.grading.undo()  # what models and programs said is not the user's to undo by accident


def test_a_pick_leaves_a_preference_that_goes_with_it(setting):
    """The preference is created, superseded by the next pick, and erased with its own; each has event and entry."""
    setting.asked()
    setting.grading.pick(None, "eve")
    (row,) = setting.rows(t.corrections)
    assert (row.type, row.scope, row.state, row.provenance, row.source, row.domain) == (
        "model_preference", "domain", "active", "user_implicit", "arbiter", "history",
    )  # fmt: skip
    assert (json.loads(row.claim), json.loads(row.rejected)) == (["eve"], ["ada", "bob"])
    setting.grading.pick(None, "ada")
    states = {json.loads(r.claim)[0]: (r.state, r.superseded_by) for r in setting.rows(t.corrections)}
    assert states["eve"][0] == "superseded"
    assert states["eve"][1] is not None
    assert states["ada"] == ("active", None)
    setting.grading.undo()
    setting.grading.undo()
    after = setting.rows(t.corrections)
    assert [r.state for r in after].count("active") == 0
    assert all(r.claim == "" for r in after if r.state == "erased")
    events = [row.event for row in setting.rows(t.correction_events)]
    assert events == ["created", "superseded", "created", "superseded", "created", "erased"]
    kinds = [row.event_type for row in setting.rows(t.audit_log)]
    assert [kind for kind in kinds if kind != "grade"] == [f"correction_{event}" for event in events]
    assert setting.audit.verify().ok


def test_words_of_the_user_stand_only_where_they_can_be_erased(setting):
    """The text of a key is in the body of its entry, never in its lasting part, and candidates' ids neither."""
    setting.asked()
    graded = setting.grading.key(None, f"Canberra, {CANARY}")
    assert CANARY in graded.words
    (entry,) = setting.rows(t.audit_log)
    ids = [c["id"] for c in json.loads(setting.rows(t.queries)[0].decision)["candidates"]]
    lasting = " ".join(str(value) for name, value in entry._mapping.items() if name not in {"body", "salt"})
    assert CANARY in entry.body
    assert not any(word in lasting for word in (CANARY, *ids))


def test_deleting_a_conversation_takes_its_grades_along(setting):
    """Nothing that was said about a question outlives it."""
    setting.asked()
    setting.grading.verdict(None, right=True)
    with setting.store.unit() as unit:
        unit.connection.execute(delete(t.conversations))
    assert setting.rows(t.grading_acts) == setting.rows(t.grades) == []


def test_a_question_is_named_by_its_id_its_trace_or_their_beginning(setting):
    """The last one is meant unless another is named; a name that fits several lists them."""
    first = setting.asked()
    second = setting.asked()
    assert setting.grading.verdict(None, right=True).record.query_id == second
    assert setting.grading.verdict(first, right=True).record.query_id == first
    with pytest.raises(AmbiguousError, match=second):
        setting.grading.verdict(first[:4], right=True)
    with pytest.raises(NoQuestionError):
        setting.grading.verdict("tr_nothing", right=True)
    with pytest.raises(NoQuestionError):
        setting.grading.verdict("%", right=True)


def test_what_cannot_be_graded_says_why(setting):
    """No question yet, one without answers, one that was stopped, a candidate that is not there, an empty key."""
    with pytest.raises(NoQuestionError, match="no question yet"):
        setting.grading.none_right(None)
    setting.asked({"calculator": ""}, status="failed")
    with pytest.raises(NothingToGradeError, match="nobody answered"):
        setting.grading.none_right(None)
    setting.asked(shown="", status="interrupted")
    with pytest.raises(NothingToGradeError, match="stopped"):
        setting.grading.none_right(None)
    setting.asked()
    with pytest.raises(UnknownCandidateError, match=r"1 Canberra \(ada, bob\); 2 Sydney \(eve\)"):
        setting.grading.pick(None, "3")
    with pytest.raises(UnknownCandidateError, match="gave no answer"):
        setting.grading.pick(None, "calculator")
    with pytest.raises(UsageError):
        setting.grading.key(None, " ")
    with pytest.raises(UsageError, match="one candidate"):
        setting.grading.merge(None, "ada", "bob")
    assert setting.rows(t.grading_acts) == []


def test_a_candidate_is_named_by_number_seat_or_id(setting):
    """Numbers are those of the comparison."""
    setting.asked()
    shown = setting.grading.compare().comparison.candidates
    assert [c.text for c in shown] == ["Canberra", "Sydney"]
    for name in ("2", "eve", shown[1].id):
        assert right_of(setting.grading.pick(None, name))["eve"] is True


def test_history_comes_in_pages(setting):
    """Each act stands on exactly one page, newest first; a bad cursor is refused."""
    setting.asked()
    for name in ("eve", "ada", "eve", "ada", "eve"):
        setting.grading.pick(None, name)
    seen, cursor = [], None
    while True:
        history = setting.grading.history(2, cursor)
        seen += [said.record.id for said in history.said]
        cursor = history.next
        if cursor is None:
            break
    assert len(seen) == len(set(seen)) == 5
    with pytest.raises(InvalidError):
        setting.grading.history(2, "nonsense")


def test_an_open_question_takes_its_shape_from_the_store(setting):
    """On an open question a verdict on the shown answer leaves the others alone."""
    setting.asked(shape="open")
    assert right_of(setting.grading.verdict(None, right=True)) == {"ada": True, "bob": None, "eve": None}


def test_grades_without_an_act_stay_what_they_are(setting):
    """A grade from elsewhere is counted and never undone by an act."""
    setting.asked()
    run = next(row.run_id for row in setting.rows(t.model_runs) if row.specialist == "eve")
    with setting.store.unit() as unit:
        now = timestamp(setting.clock.now())
        row = {"id": "g", "run_id": run, "correct": True, "source": "checker", "reliability": 1.0, "at": now}
        unit.connection.execute(insert(t.grades).values(row))
        unit.connection.execute(update(t.queries).values(p_right=0.5))
    setting.grading.verdict(None, right=False)
    assert setting.view()["eve"] == (True, True, "checker")
    setting.grading.undo()
    assert setting.view()["eve"] == (True, True, "checker")


def test_ten_thousand_grades_are_read_in_two_statements(setting):
    """However many grades there are, learning reads them with two statements."""
    with setting.store.unit() as unit:
        now = timestamp(setting.clock.now())
        for _ in range(200):
            write_question(unit, setting.ids, now, SAID)
    with setting.store.unit() as unit:
        runs = unit.connection.execute(select(t.model_runs.c.run_id)).scalars().all()
        unit.connection.execute(
            insert(t.grades),
            [
                {"id": f"{run}-{n}", "run_id": run, "correct": True, "source": "reviewer", "given_by": str(n)}
                | {"reliability": 0.8, "at": now}
                for run in runs
                for n in range(12)
            ],
        )
    statements: list[str] = []
    with setting.store.read() as unit:
        event.listen(unit.connection, "before_cursor_execute", lambda *parts: statements.append(parts[2]))
        questions = setting.grades.graded_questions(unit)
    assert len(statements) == 2
    assert len(questions) == 200
    assert sum(len(question.grades) for question in questions) == 200 * 4 * 12


def test_a_key_in_other_words_finds_the_answer(setting):
    """A right answer is compared as the answers were: "Einstein" is Albert Einstein, and nobody is wrongly marked."""
    setting.asked({"ada": "Albert Einstein", "bob": "Isaac Newton"})
    assert right_of(setting.grading.key(None, "Einstein")) == {"ada": True, "bob": False}


def test_the_ledger_is_settled_in_the_unit_of_the_grade(setting):
    """A grade and an undo leave ledger rows with themselves: a process that dies right after has lost nothing."""
    query_id = setting.asked()
    with setting.store.unit() as unit:
        unit.connection.execute(update(t.model_runs).values(stated_confidence=0.75))
    curves = SqlRecalibrations(setting.grades.log, setting.clock, setting.ids)
    settling = Settling(setting.grades, SqlLedger(setting.clock), curves)

    def dies(_: str) -> None:
        raise KeyboardInterrupt

    grading = Grading(setting.store, setting.grades, after=dies, settle=settling.settle)
    with pytest.raises(KeyboardInterrupt):
        grading.pick(query_id, "ada")
    credits_ = {row.specialist: row.amount for row in setting.rows(t.score_ledger) if row.part == "brier"}
    assert credits_ == {"ada": 0.9375, "bob": 0.9375, "eve": -0.5625}
    with pytest.raises(KeyboardInterrupt):
        grading.undo()
    assert setting.rows(t.score_ledger) == []
