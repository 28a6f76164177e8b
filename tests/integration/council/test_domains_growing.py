"""The tree of domains on a real encrypted store: counted, promoted, taken back, by one process at a time."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sqlalchemy import insert, select, update

from auritas.app.domain_job import EVERY, JOB, DomainJob, domains_over
from auritas.app.domains import CandidateDomainError, Domains, NothingToUndoError
from auritas.audit.adapters.sql import SqlAuditLog
from auritas.audit.service import AuditService
from auritas.council.adapters.exemplars import OwnVectors, vectors_of
from auritas.council.adapters.lease_sql import HELD_FOR, JobLease, LeaseLostError
from auritas.council.domains.classifier import Reading
from auritas.council.domains.errors import NameInUseError
from auritas.council.domains.roots import ROOTS
from auritas.kernel.answers import Answer, Failure, Seat
from auritas.kernel.clock import ManualClock, timestamp
from auritas.kernel.doubles import HashEmbedding
from auritas.kernel.ids import Ids
from auritas.kernel.randomness import SystemEntropy
from auritas.store import SqlStore
from auritas.store import schema as t
from auritas.store.keychain import NoKeychain
from auritas.store.opening import open_store


@dataclass
class World:
    """A store with questions, answers and grades as a test wants them."""

    folder: Path
    clock: ManualClock
    ids: Ids
    embedder: HashEmbedding | None = None
    store: SqlStore = field(init=False)

    def __post_init__(self) -> None:
        self.open()

    def open(self) -> None:
        self.store = open_store(self.folder / "store", keychain=NoKeychain()).store
        self.log = SqlAuditLog(self.clock, SystemEntropy(), self.ids)
        self.domains = self.process()

    def process(self) -> Domains:
        return domains_over(
            self.store,
            self.log,
            clock=self.clock,
            ids=self.ids,
            embedding=lambda: self.embedder,
            vectors=self.folder / "vectors",
        )

    def restart(self) -> None:
        self.store.close()
        self.open()

    def ask(self, said: dict[str, tuple[str, ...]], right: dict[str, bool], text: str = "Why?") -> str:
        """Record one question whose members gave these tags and were graded so; return its id."""
        query, message, now = self.ids.new(), self.ids.new(), timestamp(self.clock.now())
        answers = [Answer(self.ids.new(), Seat(seat, seat), "yes", domains=tags) for seat, tags in said.items()]
        with self.store.unit() as unit:
            run = unit.connection.execute
            run(insert(t.conversations).values(conversation_id=query, title="", created_at=now, updated_at=now))
            asked = {"message_id": message, "conversation_id": query, "role": "user", "content": text}
            run(insert(t.messages).values(**asked, created_at=now))
            row = {"query_id": query, "conversation_id": query, "question_message_id": message, "level": "high"}
            run(insert(t.queries).values(**row, created_at=now))
            for answer in answers:
                name = answer.seat.name
                runs = {"run_id": answer.run_id, "query_id": query, "conversation_id": query, "specialist": name}
                run(insert(t.model_runs).values(**runs, model=name, created_at=now, correct=right.get(name)))
                if name in right:
                    grade = {"id": self.ids.new(), "run_id": answer.run_id, "correct": right[name], "source": "user"}
                    run(insert(t.grades).values(**grade, reliability=1.0, at=now))
            self.domains.note_mentions(unit, answers)
        return query

    def background(self, runs: int = 60) -> None:
        """Two members that are right half of the time in code."""
        for number in range(runs):
            right = bool(number % 2)
            self.ask({"ada": ("code",), "bob": ("coding",)}, {"ada": right, "bob": right})

    def rust(self, questions: int = 5, **members: bool) -> None:
        """Questions about rust, in which each member is always right or always wrong."""
        for number in range(questions):
            self.ask(dict.fromkeys(members, ("Rust", "code")), members, f"What does borrow number {number} mean?")

    def rows(self, table: Any) -> list[Any]:
        with self.store.read() as unit:
            return list(unit.connection.execute(select(table)))

    def log_is_whole(self) -> bool:
        return AuditService(self.store, self.log, self.clock).verify().ok


@pytest.fixture
def world(tmp_path, clock, ids) -> Iterator[World]:
    world = World(tmp_path, clock, ids)
    yield world
    world.store.close()


def test_looking_writes_nothing(world):
    """An empty store shows the ten roots, and no row is written for it."""
    assert [view.node.id for view in world.domains.view().nodes] == sorted(ROOTS)
    assert world.rows(t.domain_nodes) == []
    assert world.rows(t.audit_log) == []


def test_each_question_counts_once_and_each_model_once(world):
    """Three members that name a field make one question and three models; failures and slips of names make none."""
    said = {"ada": ("Borrow-Checker", "borrow checker"), "bob": ("borrow checker", "codng"), "eve": ("borrow_checker",)}
    world.ask(said, {})
    world.ask({"ada": ("borrow checker",)}, {})
    (row,) = world.rows(t.domain_candidates)
    assert (row.string, row.query_count, json.loads(row.models)) == ("borrow checker", 2, ["ada", "bob", "eve"])
    assert (row.nearest, row.similarity) == ("general", None)
    silent = Answer("none", Seat("ada", "ada"), failure=Failure("late", "Too late."), domains=("zymurgy",))
    with world.store.unit() as unit:
        world.domains.note_mentions(unit, [silent])
    assert len(world.rows(t.domain_candidates)) == 1
    assert next(v for v in world.domains.view().nodes if v.node.id == "general").questions == 2


def test_five_questions_and_two_models_make_a_node_that_stays(world):
    """Two models at 1.0 and 0.0 against a parent at .5 promote rust, after a restart too, with an audit entry (C16)."""
    world.background()
    world.rust(ada=True, bob=False)
    done = world.domains.job.run()
    assert done.promoted == ("rust",)
    world.restart()
    assert world.domains.tree().path("rust") == ("rust", "code")
    assert world.domains.tree().resolve("Rust").candidate is False
    assert world.rows(t.domain_candidates) == []
    assert [row.event_type for row in world.rows(t.audit_log)] == ["domain"]
    assert world.log_is_whole()
    assert world.domains.show("rust").questions == 5


@pytest.mark.parametrize(("questions", "members"), [(4, {"ada": True, "bob": False}), (5, {"ada": True})])
def test_four_questions_or_one_model_do_not(world, questions, members):
    """Less than five questions or two models is no node (C16)."""
    world.background()
    world.rust(questions, **members)
    assert world.domains.job.run().promoted == ()
    assert "rust" not in world.domains.tree()


def test_grades_that_were_undone_or_doubtful_do_not_count(world):
    """When the grades are taken back, or given by an unsure reviewer, nothing is promoted."""
    world.background()
    world.rust(ada=True, bob=False)
    with world.store.unit() as unit:
        unit.connection.execute(update(t.grades).where(t.grades.c.correct.is_(False)).values(reliability=0.6))
    assert world.domains.job.run().promoted == ()


def test_a_node_that_the_user_took_back_stays_away(world):
    """Undoing a promotion brings the candidate back, and the job leaves it one."""
    world.background()
    world.rust(ada=True, bob=False)
    world.domains.job.run()
    assert world.domains.undo().node == "rust"
    (candidate,) = world.rows(t.domain_candidates)
    assert (candidate.string, candidate.query_count) == ("rust", 5)
    again = world.domains.job.run()
    assert again.promoted == ()
    assert "took its promotion back" in again.decided[0].verdict.reasons[0]


def test_every_change_of_the_user_can_be_undone_in_order(world):
    """Merge, demote, rename and alias come back one by one, candidates included, each with its entry."""
    world.background(40)
    world.rust(7, ada=True, bob=False)
    world.domains.job.run()
    world.ask({"ada": ("ferris",)}, {})
    before = world.domains.tree()
    world.domains.rename("rust", "Systems programming")
    world.domains.alias("systems_programming", "Ferris")
    assert world.rows(t.domain_candidates) == []
    world.domains.merge("systems programming", "mathematics")
    assert world.domains.tree().resolve("rust").node == "mathematics"
    with pytest.raises(NameInUseError):
        world.domains.alias("code", "rust")
    assert [world.domains.undo().kind.value for _ in range(3)] == ["merge", "alias", "rename"]
    assert world.domains.tree() == before
    assert [row.string for row in world.rows(t.domain_candidates)] == ["ferris"]
    world.domains.demote("rust")
    assert world.domains.tree().resolve("rust").node == "code"
    world.domains.undo()
    world.domains.undo()
    with pytest.raises(NothingToUndoError):
        world.domains.undo()
    assert world.log_is_whole()
    entries = [row.body for row in world.rows(t.audit_log)]
    assert len(entries) == 10


@pytest.mark.parametrize(
    "work",
    [
        lambda domains: domains.show("zymurgy"),
        lambda domains: domains.demote("Zymurgy"),
        lambda domains: domains.merge("zymurgy", "code"),
        lambda domains: domains.merge("code", "zymurgy"),
    ],
)
def test_a_candidate_is_no_domain_yet_and_says_so(world, work):
    """Whoever looks at, merges or dissolves a candidate reads what it is, and where it would lie."""
    world.ask({"ada": ("zymurgy",)}, {})
    with pytest.raises(CandidateDomainError, match=r"zymurgy is a candidate so far, below general: .* in 1 question"):
        work(world.domains)
    assert world.rows(t.domain_events) == []


def test_a_candidate_named_once_is_forgotten_after_thirty_days(world):
    """One that was named twice stays, one that was named once goes after thirty days and not before."""
    world.ask({"ada": ("zymurgy",)}, {})
    world.ask({"ada": ("heraldry",)}, {})
    world.ask({"ada": ("heraldry",)}, {})
    world.clock.advance(30 * 86_400)
    assert world.domains.job.prune() == ()
    world.clock.advance(1)
    assert world.domains.job.run().pruned == ("zymurgy",)
    assert [row.string for row in world.rows(t.domain_candidates)] == ["heraldry"]
    with pytest.raises(NothingToUndoError):
        world.domains.undo()


def test_meaning_places_a_candidate_later(world):
    """What was only counted while the question was written is placed by meaning in the next run."""
    world.embedder = HashEmbedding()
    world.domains = world.process()
    world.ask({"ada": ("torts in court", "zymurgy")}, {})
    assert {row.similarity for row in world.rows(t.domain_candidates)} == {None}
    assert world.domains.job.run().compared == 2
    assert all(row.similarity is not None for row in world.rows(t.domain_candidates))
    assert world.domains.job.run().compared == 0


def test_questions_that_named_a_grown_node_become_its_exemplars(world):
    """After a promotion a question like those that led to it is of the new node; without an embedder words decide."""
    assert world.domains.classifier().degraded
    world.embedder = HashEmbedding()
    world.domains = world.process()
    world.background()
    world.rust(ada=True, bob=False)
    world.domains.job.run()
    assert len(world.rows(t.question_vectors)) == 5
    classifier = world.domains.classifier()
    assert not classifier.degraded
    shares = classifier.classify("What does borrow number 9 mean?")
    assert max(shares, key=lambda node: shares[node]) == "rust"


def test_vectors_of_another_embedder_are_left_out(world):
    """A stored vector counts only for the embedder that made it."""
    world.embedder = HashEmbedding()
    world.domains = world.process()
    world.background()
    world.rust(ada=True, bob=False)
    world.domains.job.run()
    with world.store.unit() as unit:
        for row in world.rows(t.question_vectors):
            world.domains.keep_vector(unit, row.query_id, Reading({}, [1.0] * 3, "another"))
    assert "rust" not in world.domains.classifier().classify("What does borrow number 9 mean?")


def test_own_vectors_are_computed_once_and_damage_is_repaired(tmp_path):
    """The second look reads the file; a file that cannot be read, or a folder that cannot be made, costs time only."""
    embedder = HashEmbedding()
    texts = ["one text", "another text"]
    first = OwnVectors(tmp_path / "v", embedder).of(texts)
    (kept,) = (tmp_path / "v").iterdir()
    assert np.array_equal(OwnVectors(tmp_path / "v", embedder).of(texts), first)
    kept.write_bytes(b"no vectors")
    assert np.array_equal(OwnVectors(tmp_path / "v", embedder).of(texts), first)
    (tmp_path / "file").write_text("no folder")
    assert np.array_equal(OwnVectors(tmp_path / "file" / "v", embedder).of(texts), first)


# --- one process at a time -------------------------------------------------------------------------------------------


def job_of(world: World, domains: Domains | None = None) -> tuple[DomainJob, JobLease]:
    lease = JobLease(world.store, world.clock, JOB, EVERY, world.ids.new())
    return DomainJob(domains or world.domains, world.store, lease, world.clock), lease


def test_the_job_runs_every_five_minutes(world):
    """It is due at first, then not before five minutes have passed; a run that is not due writes nothing."""
    assert world.domains.job.run_if_due() is not None
    before = world.rows(t.schedule)
    assert world.domains.job.run_if_due() is None
    assert world.rows(t.schedule) == before
    world.clock.advance(EVERY.total_seconds())
    assert world.domains.job.run_if_due() is not None


def test_of_two_processes_one_runs_it(world):
    """While one holds the lease the other does nothing; a holder that died is succeeded when its time is up."""
    other, _ = job_of(world)
    _, mine = job_of(world)
    seen = []

    def work(beat):
        beat()
        seen.append(other.run())
        seen.append(other.run_if_due())

    mine.run(work)
    assert seen == [None, None]

    def die(_beat):
        world.clock.advance(HELD_FOR.total_seconds() + 1)
        assert other.run() is not None
        raise SystemExit

    with pytest.raises(SystemExit):
        mine.run(die)
    assert world.domains.job.state().error is None  # what the dead one left does not touch its successor's row


def test_a_holder_that_lost_its_lease_stops(world):
    """A beat after another process has taken over raises."""
    other, _ = job_of(world)
    _, mine = job_of(world)

    def work(beat):
        world.clock.advance(HELD_FOR.total_seconds() + 1)
        other.run()
        beat()

    with pytest.raises(LeaseLostError):
        mine.run(work)


def test_a_failure_is_recorded_and_the_next_run_happens(world):
    """The type of the error and the count are kept, no word of it; the next run clears them."""
    _, lease = job_of(world)

    def fail(_beat):
        raise RuntimeError("secret words")

    with pytest.raises(RuntimeError):
        lease.run(fail)
    state = lease.state()
    assert state is not None
    assert state.last_run_at is not None
    assert state.next_run_at is not None
    assert (state.failures, state.error, state.holder) == (1, "RuntimeError", None)
    assert state.next_run_at - state.last_run_at == timedelta(minutes=5)
    assert not lease.due()
    world.clock.advance(EVERY.total_seconds())
    assert world.domains.job.run_if_due() is not None
    after = lease.state()
    assert after is not None
    assert (after.failures, after.error) == (0, None)


def test_a_tag_of_signs_alone_names_nothing(world):
    """A member that files its answers under "++" makes no candidate, and rust is promoted all the same."""
    world.background()
    for _ in range(9):
        world.ask({"ada": ("++", "\u0301"), "bob": ("++",)}, {"ada": True, "bob": False})
    world.rust(ada=True, bob=False)
    assert world.domains.job.run().promoted == ("rust",)
    assert {row.string for row in world.rows(t.domain_mentions)} == {"code", "coding", "rust"}
    assert world.rows(t.domain_candidates) == []


def test_a_candidate_that_cannot_become_a_node_stops_no_other(world):
    """Where a name is taken between looking and promoting, the job says so and goes on with the next candidate."""
    world.background()
    for number in range(7):
        world.ask(dict.fromkeys(("ada", "bob"), ("rust", "code")), {"ada": True, "bob": False}, f"Lifetime {number}?")
    for number in range(7):
        world.ask(
            dict.fromkeys(("ada", "bob"), ("golang", "code")), {"ada": False, "bob": True}, f"Goroutine {number}?"
        )
    other = world.process()

    class Rushed(DomainJob):
        """In this one somebody names code "golang" after the look at it."""

        def _promote(self, candidate: Any) -> str:
            if candidate.string == "golang":
                other.alias("code", "golang")
            return super()._promote(candidate)

    lease = JobLease(world.store, world.clock, JOB, EVERY, "rushed")
    done = Rushed(world.domains, world.store, lease, world.clock).run()
    assert done is not None
    decided = {each.string: each for each in done.decided}
    assert decided["rust"].node == "rust"
    assert decided["golang"].node is None
    assert "golang" in decided["golang"].verdict.reasons[0]
    assert world.log_is_whole()


def test_what_was_filed_under_a_promotion_goes_back_with_it(world):
    """Shares stored while rust stood, also as ferris, count as code once rename and promotion are taken back."""
    world.background()
    world.rust(ada=True, bob=False)
    world.domains.job.run()
    world.domains.rename("rust", "ferris")
    stored = {"ferris": 0.75, "mathematics": 0.25}
    world.domains.undo()
    assert world.domains.tree().current(stored) == {"rust": 0.75, "mathematics": 0.25}
    world.domains.undo()
    world.restart()
    assert world.domains.tree().current(stored) == {"code": 0.75, "mathematics": 0.25}
    assert world.domains.tree().current({"rust": 1.0, "zymurgy": 1.0}) == {"code": 1.0, "general": 1.0}


def test_forty_thousand_candidates_are_forgotten_at_once(world):
    """However many candidates are old, forgetting them is one step that holds."""
    now = timestamp(world.clock.now())
    row = {"nearest": "general", "query_count": 1, "models": "[]", "first_seen": now, "last_seen": now}
    with world.store.unit() as unit:
        unit.connection.execute(insert(t.domain_candidates), [{"string": f"field {n}", **row} for n in range(40_000)])
    world.clock.advance(31 * 86_400)
    assert len(world.domains.job.prune()) == 40_000
    assert world.rows(t.domain_candidates) == []
    assert vectors_of_many(world) == {}


def vectors_of_many(world: World) -> dict[str, Any]:
    with world.store.read() as unit:
        return vectors_of(unit, [f"q{n}" for n in range(40_000)], HashEmbedding())
