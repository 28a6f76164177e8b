"""Reviews, checks and comparisons on a real encrypted store, and the use cases over them."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from sqlalchemy import insert, select

from auritas.app.reviewing import NotReviewerError, Reviewers
from auritas.audit.adapters.sql import SqlAuditLog
from auritas.audit.service import AuditService
from auritas.council.adapters.records import CouncilRecords, Opening
from auritas.council.adapters.reviews_sql import ComparisonKind, ReviewRecords
from auritas.council.model import Grade, GradeSource, Member, Question
from auritas.council.review.checks import built_in_answers, grade_of
from auritas.council.review.model import CheckResult, Comparison, JudgeRecord, Preference
from auritas.council.review.service import Reviewing
from auritas.gateway.adapters.schema import JsonSchemaCheck
from auritas.gateway.adapters.scripted import Disconnect, ScriptedModel
from auritas.gateway.policy.retry import RetryRule
from auritas.gateway.service import Gateway, Limits
from auritas.kernel.answers import AccuracyLevel, Answer, Review, ReviewVerdict, Seat
from auritas.kernel.clock import timestamp
from auritas.kernel.diagnostics import KeptDiagnostics
from auritas.kernel.errors import UnavailableError, UsageError
from auritas.kernel.hooks import NoHooks
from auritas.kernel.model import ModelCard, Params, Prompt, Usage
from auritas.kernel.randomness import SystemEntropy
from auritas.kernel.tasks import TaskSpawner
from auritas.store import SqlStore
from auritas.store import schema as t
from auritas.store.keychain import NoKeychain
from auritas.store.opening import open_store

FIRST, SECOND = Preference.FIRST, Preference.SECOND
CORRECT, INCORRECT = ReviewVerdict.CORRECT, ReviewVerdict.INCORRECT
SECRET = "heliotrope"
ADA, BOB, EVE = (Seat(name, name, f"digest-{name}") for name in ("ada", "bob", "eve"))


@dataclass
class Bench:
    """One store, scripted reviewers and shortcuts for what others write."""

    store: SqlStore
    records: ReviewRecords
    questions: CouncilRecords
    audit: AuditService[Any]
    reviewers: Reviewers
    clock: Any
    models: dict[str, ScriptedModel] = field(default_factory=dict)
    members: list[Member] = field(default_factory=list)

    def seat(self, model: ScriptedModel, *, digest: str = "", votes: bool = True) -> Member:
        self.models[model.name] = model
        self.members.append(Member(Seat(model.name, model.name, digest, model.local), model.card, votes=votes))
        return self.members[-1]

    def rows(self, table: Any) -> list[Any]:
        with self.store.read() as unit:
            return list(unit.connection.execute(select(table)))

    def asked(self, name: str, text: str, said: dict[Seat, str], *, conversation: str = "") -> dict[str, str]:
        """Record a question with its answers; each answer's text is its candidate. Return runs by seat."""
        question = Question(name, conversation or f"talk-{name}", text, AccuracyLevel.HIGH)
        answers = [Answer(f"{name}-{seat.name}", seat, text=words) for seat, words in said.items()]
        with self.store.unit() as unit:
            self.questions.open_question(unit, question, list(said), Opening(is_new=not conversation))
            self.questions.runs(unit, question, answers, decision=None, trace_id="tr_abcdefghijkl")
            for answer in answers:
                mine = t.model_runs.c.run_id == answer.run_id
                unit.connection.execute(t.model_runs.update().where(mine).values(candidate=answer.text))
        self.clock.advance(1)
        return {answer.seat.name: answer.run_id for answer in answers}

    def grade(self, grade: Grade, *, undone: bool = False) -> None:
        row = {
            "id": f"grade-{self.clock.monotonic()}-{grade.run_id}",
            "run_id": grade.run_id,
            "correct": grade.correct,
            "source": grade.source,
            "reliability": grade.reliability,
            "at": timestamp(self.clock.now()),
            "undone_by": "somebody" if undone else None,
        }
        with self.store.unit() as unit:
            unit.connection.execute(insert(t.grades).values(row))
        self.clock.advance(1)

    def know(self, runs: dict[str, str], right: str) -> None:
        for seat, run_id in runs.items():
            self.grade(Grade(run_id, seat == right, GradeSource.USER))

    def opined(self, query_id: str, first: str, second: str, forward: Preference, backward: Preference) -> None:
        with self.store.unit() as unit:
            comparison = Comparison("ada", first, second, forward, backward, Usage(5, 2))
            self.records.compared(unit, query_id, ComparisonKind.JUDGE, comparison)
        self.clock.advance(1)

    def record(self) -> JudgeRecord:
        with self.store.read() as unit:
            return self.records.judge_record(unit, "ada")


@pytest.fixture
def bench(tmp_path, clock, ids, rng) -> Iterator[Bench]:
    store = open_store(tmp_path / "store", keychain=NoKeychain()).store
    log = SqlAuditLog(clock, SystemEntropy(), ids)
    models: dict[str, ScriptedModel] = {}
    members: list[Member] = []
    limits = Limits(retry=RetryRule(attempts=1))
    gateway = Gateway(models, clock=clock, rng=rng, check=JsonSchemaCheck(), limits=limits)
    reviewing = Reviewing(gateway, TaskSpawner(), NoHooks(), KeptDiagnostics(), Params())
    records = ReviewRecords(log, clock, ids)
    reviewers = Reviewers(store, records, reviewing, lambda: tuple(members))
    audit = AuditService(store, log, clock)
    yield Bench(store, records, CouncilRecords(log, clock, ids), audit, reviewers, clock, models, members)
    store.close()


def knowing(prompt: Prompt) -> Sequence[str]:
    """Review as one who knows all our items would."""
    asked = json.loads(prompt.question)
    right = {(item.question, item.answer): item.is_right for item in built_in_answers()}
    verdict = "correct" if right.get((asked["question"], asked["answer"]), True) else "incorrect"
    return [json.dumps({"verdict": verdict, "issues": [], "correction": ""})]


def agreeing(_: Prompt) -> Sequence[str]:
    return ['{"verdict": "correct", "issues": [], "correction": ""}']


def test_a_review_is_written_with_its_entry(bench):
    """Row and audit entry land together; the reviewer's words stand in the erasable body and never in the refs."""
    runs = bench.asked("q1", "Why?", {BOB: "Because"})
    issues = (f"It forgets {SECRET}.",)
    review = Review("ada", runs["bob"], INCORRECT, issues, f"Because of {SECRET}", Usage(30, 12, 5))
    with bench.store.unit() as unit:
        bench.records.reviewed(unit, "q1", [review, Review("eve", runs["bob"], ReviewVerdict.UNREVIEWED)])
    rows = {row.reviewer: row for row in bench.rows(t.reviews)}
    assert (rows["ada"].verdict, json.loads(rows["ada"].issues)) == ("incorrect", list(issues))
    assert rows["ada"].correction == f"Because of {SECRET}"
    assert (rows["eve"].verdict, rows["eve"].correction) == ("unreviewed", None)
    entries = [row for row in bench.rows(t.audit_log) if row.event_type == "review"]
    assert len(entries) == 2
    assert all(SECRET not in str(row.refs) for row in entries)
    assert json.loads(entries[0].refs)["cost_micros"] == 5
    assert bench.audit.verify().ok


def test_checks_belong_to_the_model_that_was_checked(bench):
    """When another model takes the seat it starts from the prior."""
    wrong = CheckResult("x.wrong", is_right=False, verdict=CORRECT)
    with bench.store.unit() as unit:
        for _ in range(30):
            bench.records.checked(unit, ADA, wrong, Review("ada", "x.wrong", CORRECT))
    with bench.store.read() as unit:
        newer = Seat("ada", "ada-2", "digest-ada-2")
        before = bench.records.reliabilities(unit, [ADA])["ada"]
        after = bench.records.reliabilities(unit, [newer])["ada"]
    assert before.specificity == pytest.approx(8 / 40)
    assert (after.specificity, after.checks) == (0.8, 0)
    assert bench.audit.verify().ok


def test_real_reviews_are_counted_since_the_last_check(bench):
    """A check sets the count of reviews back to zero."""
    runs = bench.asked("q1", "Why?", {BOB: "Because"})

    def count() -> int:
        with bench.store.read() as unit:
            return int(bench.records.since_check(unit, ADA))

    for expected in (1, 2):
        with bench.store.unit() as unit:
            bench.records.reviewed(unit, "q1", [Review("ada", runs["bob"], CORRECT)])
        assert count() == expected
    bench.clock.advance(1)
    with bench.store.unit() as unit:
        bench.records.checked(unit, ADA, CheckResult("x.right", True, CORRECT), Review("ada", "x.right", CORRECT))
    assert count() == 0


def test_a_judge_is_measured_on_real_graded_disagreements_alone(bench):
    """Counted are consistent opinions where exactly one of the two is known right; a new model starts anew."""
    for number, (right, forward, backward) in enumerate(
        [
            ("eve", SECOND, SECOND),  # right
            ("bob", SECOND, SECOND),  # wrong
            ("eve", FIRST, SECOND),  # depends on the order: no opinion
            ("nobody", FIRST, FIRST),  # neither was right: nothing to tell apart
            ("", FIRST, FIRST),  # not graded
        ]
    ):
        runs = bench.asked(f"q{number}", "Why?", {BOB: "x", EVE: "y"})
        bench.opined(f"q{number}", "x", "y", forward, backward)
        if right:
            bench.know(runs, right)
    assert bench.record() == JudgeRecord(1, 2)
    with bench.store.unit() as unit:
        promotion = {"id": "p1", "created_at": timestamp(bench.clock.now()), "event": "promote", "to_model": "ada-2"}
        unit.connection.execute(insert(t.promotions).values(specialist="ada", **promotion))
    assert bench.record() == JudgeRecord()


def test_the_newest_certain_grade_counts_for_the_judge(bench):
    """An undone grade, or a reviewer's, settles no disagreement; a later verdict of the user replaces a former one."""
    runs = bench.asked("q1", "Why?", {BOB: "x", EVE: "y"})
    bench.opined("q1", "x", "y", SECOND, SECOND)
    bench.grade(Grade(runs["eve"], True, GradeSource.REVIEWER, 0.9))
    bench.grade(Grade(runs["eve"], True, GradeSource.USER), undone=True)
    assert bench.record() == JudgeRecord()
    bench.grade(Grade(runs["eve"], True, GradeSource.USER))
    assert bench.record() == JudgeRecord(1, 1)
    bench.grade(Grade(runs["eve"], False, GradeSource.USER))
    bench.grade(Grade(runs["bob"], True, GradeSource.USER))
    assert bench.record() == JudgeRecord(0, 1)


def test_the_words_of_candidates_stay_out_of_the_refs(bench):
    """A candidate's id is a hash of its words: it stands in the body, which can be erased."""
    bench.asked("q1", "Why?", {BOB: "x", EVE: "y"})
    bench.opined("q1", "candidate-x", "candidate-y", FIRST, FIRST)
    (entry,) = [row for row in bench.rows(t.audit_log) if row.event_type == "review"]
    assert "candidate-x" not in entry.refs
    assert json.loads(entry.refs)["forward"] == "first"
    assert bench.audit.verify().ok


def test_graded_answers_of_the_past_become_checks(bench):
    """Opening questions whose answers were graded for certain, never the reviewer's own answers."""
    runs = bench.asked("q1", "What is it?", {ADA: "mine", BOB: "right", EVE: "wrong"})
    bench.know(runs, "bob")
    bench.asked("q2", "Not graded?", {BOB: "x"})
    bench.know(bench.asked("q3", "And then?", {BOB: "later"}, conversation="talk-q1"), "bob")
    with bench.store.read() as unit:
        found = {item.answer: item for item in bench.records.past_answers(unit, ADA)}
    assert set(found) == {"right", "wrong"}
    assert found["right"].is_right
    assert not found["wrong"].is_right
    assert found["right"].question == "What is it?"


def test_a_question_goes_to_no_reviewer_elsewhere_that_did_not_get_it(bench):
    """A model off this machine is checked only with questions that it was asked itself at the time."""
    afar = Seat("ada", "ada", "digest-ada", local=False)
    bench.know(bench.asked("q1", "Private?", {BOB: "x"}), "bob")
    bench.know(bench.asked("q2", "Shared?", {afar: "y", BOB: "z"}), "bob")
    with bench.store.read() as unit:
        assert [item.question for item in bench.records.past_answers(unit, afar)] == ["Shared?"]
        assert len(bench.records.past_answers(unit, ADA)) == 2


@pytest.mark.anyio
async def test_checks_tell_a_knowing_reviewer_from_one_that_agrees_with_everything(bench):
    """After thirty checks one grades answers and the other is found to be no better than chance."""
    bench.seat(ScriptedModel("ada", reply=knowing), digest="digest-ada")
    bench.seat(ScriptedModel("bob", reply=agreeing), digest="digest-bob")
    bench.seat(ScriptedModel("calc", base=ModelCard("calc", "builtin", local=True)))
    bench.seat(ScriptedModel("tiny"), votes=False)
    steps: list[tuple[str, int, int]] = []
    states = await bench.reviewers.check(count=60, progress=lambda *step: steps.append(step))
    ada, bob = states
    assert (ada.seat, bob.seat) == ("ada", "bob")
    assert (ada.grades, bob.grades) == (True, False)
    assert ada.reliability.of_a_grade > 0.9
    assert bob.reliability.informedness < 0.2
    assert grade_of(Review("bob", "r", CORRECT), bob.reliability) is None
    assert ("ada", 60, 60) in steps
    checked = bench.rows(t.reviewer_checks)
    assert len({row.item for row in checked if row.reviewer == "ada"}) == 60
    assert len([row for row in bench.rows(t.audit_log) if row.event_type == "review"]) == len(checked) == 120
    assert bench.audit.verify().ok
    assert [state.seat for state in bench.reviewers.list()] == ["ada", "bob"]


@pytest.mark.anyio
async def test_a_check_falls_due_with_every_tenth_review(bench):
    """After nine reviews of questions the next is a known answer, after which nine more must pass."""
    ada = bench.seat(ScriptedModel("ada", reply=knowing), digest="digest-ada")
    runs = bench.asked("q1", "Why?", {BOB: "Because"})
    for number in range(9):
        assert await bench.reviewers.check_if_due(ada) is None, number
        with bench.store.unit() as unit:
            bench.records.reviewed(unit, "q1", [Review("ada", runs["bob"], CORRECT)])
        bench.clock.advance(1)
    result = await bench.reviewers.check_if_due(ada)
    assert result is not None
    assert result.verdict is (CORRECT if result.is_right else INCORRECT)
    assert await bench.reviewers.check_if_due(ada) is None
    assert len(bench.models["ada"].calls) == 1


@pytest.mark.anyio
async def test_the_users_own_questions_take_turns_with_ours(bench):
    """Graded questions of the past come up as checks, each once, and never crowd out the fixed items."""
    bench.seat(ScriptedModel("ada", reply=knowing), digest="digest-ada")
    for number in range(3):
        bench.know(bench.asked(f"q{number}", f"What is {number}?", {BOB: "x"}), "bob")
    await bench.reviewers.check("ada", 10)
    items = [row.item for row in bench.rows(t.reviewer_checks)]
    assert len(set(items)) == 10
    assert sum(item.startswith("run:") for item in items) == 3


@pytest.mark.anyio
async def test_a_reviewer_out_of_reach_gets_no_mark(bench):
    """A call that fails says nothing about judgement: it is told to the person and recorded nowhere."""
    bench.seat(ScriptedModel("ada", [[Disconnect()]]))
    with pytest.raises(UnavailableError):
        await bench.reviewers.check("ada", 1)
    assert bench.rows(t.reviewer_checks) == []


@pytest.mark.anyio
async def test_a_check_that_cannot_be_made_is_refused(bench):
    """An unknown name is answered with the known ones, and less than one check is none."""
    bench.seat(ScriptedModel("ada", reply=knowing))
    with pytest.raises(NotReviewerError, match="ada"):
        await bench.reviewers.check("adda")
    with pytest.raises(UsageError):
        await bench.reviewers.check("ada", 0)


def test_a_judge_of_thousands_of_questions_is_measured(bench):
    """Four thousand opinions on questions with ten members each are counted in one go."""
    bench.asked("q1", "Why?", {BOB: "a", EVE: "b"})
    questions, now = 4_000, timestamp(bench.clock.now())
    with bench.store.unit() as unit:
        run = unit.connection.execute
        talk = {"conversation_id": "talk-q1", "level": "high", "created_at": now}
        run(insert(t.queries), [{"query_id": f"x{n}", **talk} for n in range(questions)])
        said = {"conversation_id": "talk-q1", "created_at": now}
        places = [(n, m) for n in range(questions) for m in range(10)]
        answers = [
            {"run_id": f"x{n}-{m}", "query_id": f"x{n}", "specialist": f"s{m}", "candidate": "a" if m else "b", **said}
            for n, m in places
        ]
        run(insert(t.model_runs), answers)
        marks = [
            {
                "id": f"g{n}-{m}",
                "run_id": f"x{n}-{m}",
                "correct": m > 0,
                "source": "user",
                "reliability": 1.0,
                "at": now,
            }
            for n, m in places
        ]
        run(insert(t.grades), marks)
        opinion = {"judge": "ada", "kind": "judge", "first": "a", "second": "b", "created_at": now}
        ways = {"forward": "first", "backward": "first"}
        run(insert(t.comparisons), [{"id": f"c{n}", "query_id": f"x{n}", **opinion, **ways} for n in range(questions)])
    assert bench.record() == JudgeRecord(questions, questions)
