"""The job that lets the tree of domains grow, every five minutes, in one process at a time."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from auritas.app.domains import Domains
from auritas.app.stoppable import StoppedError
from auritas.council.adapters.domains_sql import DomainRecords
from auritas.council.adapters.lease_sql import JobLease, JobState
from auritas.council.domains.candidates import Candidate, Mention, evidence, fields_of, placed
from auritas.council.domains.changes import ChangeKind, difference, promote
from auritas.council.domains.growth import MODELS_NEEDED, QUESTIONS_NEEDED, Verdict, promotable
from auritas.council.domains.tree import DomainTree
from auritas.kernel.clock import Clock
from auritas.kernel.errors import InvalidError, RefusedError
from auritas.kernel.ids import Ids
from auritas.kernel.log import Log
from auritas.kernel.ports import EmbeddingPort, Store
from auritas.store import Unit

if TYPE_CHECKING:
    from auritas.council.domains.meaning import EmbeddedMeaning

JOB = "domains.refresh"
EVERY = timedelta(minutes=5)
SYSTEM = "system"
BATCH = 20
"""Texts that are embedded between two signs of life, about 10 ms each."""
AT_MOST = 200
"""Texts that one run embeds; the next goes on with the rest."""

T = TypeVar("T")
Beat = Callable[[], None]


def domains_over(
    store: Store[Unit],
    log: Log[Unit],
    *,
    clock: Clock,
    ids: Ids,
    embedding: Callable[[], EmbeddingPort | None],
    vectors: Path,
) -> Domains:
    """Return the use cases of domains with their job; the arguments are those of `Domains`."""

    def job(domains: Domains) -> "DomainJob":
        return DomainJob(domains, store, JobLease(store, clock, JOB, EVERY, ids.new()), clock)

    return Domains(store, DomainRecords(log, clock), embedding=embedding, vectors=vectors, job=job)


@dataclass(frozen=True, slots=True)
class Decided:
    """What was found about one candidate. node: what it became, if it was promoted."""

    string: str
    parent: str
    verdict: Verdict
    node: str | None = None


@dataclass(frozen=True, slots=True)
class Refreshed:
    """What one run did. pruned: strings forgotten; compared: candidates placed by meaning."""

    decided: tuple[Decided, ...]
    pruned: tuple[str, ...]
    compared: int

    @property
    def promoted(self) -> tuple[str, ...]:
        """The new nodes."""
        return tuple(each.node for each in self.decided if each.node is not None)


@dataclass(frozen=True, slots=True)
class _Ground:
    """What decisions rest on, as it was at one moment. listed: candidates that are looked at."""

    tree: DomainTree
    listed: tuple[Candidate, ...]
    runs: tuple[tuple[Mention, int, frozenset[str]], ...]
    taken_back: frozenset[str]
    meaning: "EmbeddedMeaning | None"


def _always() -> None:
    """Nobody wants the work to end early."""


class DomainJob:
    """Prunes, compares, promotes. Every run goes through the lease, whoever starts it."""

    def __init__(self, domains: Domains, store: Store[Unit], lease: JobLease, clock: Clock) -> None:
        self._domains = domains
        self._records = domains.records
        self._store = store
        self._lease = lease
        self._clock = clock

    def run_if_due(self, still: Callable[[], None] = _always) -> Refreshed | None:
        """Run when five minutes have passed and nobody is at it; otherwise read one row and do nothing.

        What goes wrong is recorded, then raised. still: called between two stretches of work; by StoppedError it ends
        them, and what was done stands.
        """
        return self.run(still) if self._lease.due() else None

    def run(self, still: Callable[[], None] = _always) -> Refreshed | None:
        """Run now; return None when another process is at it."""

        def refresh(beat: Beat) -> Refreshed:
            def going_on() -> None:
                still()
                beat()

            try:
                return self._refresh(going_on)
            except StoppedError:  # nothing went wrong: the next run does the rest
                return Refreshed((), (), 0)

        return self._lease.run(refresh)

    def state(self) -> JobState | None:
        """Return when it ran last and how it went."""
        return self._lease.state()

    def prune(self) -> tuple[str, ...]:
        """Forget candidates that one question named more than thirty days ago."""
        with self._store.read() as unit:
            old = self._forgotten(unit)
        if not old:
            return ()
        with self._store.unit() as unit:
            gone = self._forgotten(unit)
            tree = self._records.tree(unit)
            self._records.change(unit, ChangeKind.PRUNE, "", difference(tree, tree), by=SYSTEM, gone=gone)
        return tuple(candidate.string for candidate in gone)

    def _refresh(self, beat: Beat) -> Refreshed:
        pruned = self.prune()
        compared = self._compare(beat)
        decided = self._decide(beat)
        self._embed_grown(beat)
        return Refreshed(decided, pruned, compared)

    def _forgotten(self, unit: Unit) -> tuple[Candidate, ...]:
        now = self._clock.now()
        return tuple(each for each in self._records.candidates(unit) if each.forgotten(now))

    def _compare(self, beat: Beat) -> int:
        """Place by meaning what was only counted so far."""
        with self._store.read() as unit:
            tree = self._records.tree(unit)
            new = [each for each in self._records.candidates(unit) if each.similarity is None][:AT_MOST]
        meaning = self._domains.meaning(tree) if new else None
        if meaning is None:
            return 0
        for some in _batches(new, BATCH):
            found = {each.string: tree.resolve(each.string, meaning) for each in some}
            beat()
            with self._store.unit() as unit:
                fresh = self._records.candidates(unit, found)  # it may have been named once more meanwhile
                placed_ = [
                    replace(c, nearest=found[c.string].node, similarity=found[c.string].similarity) for c in fresh
                ]
                self._records.put_candidates(unit, placed_)
        return len(new)

    def _decide(self, beat: Beat) -> tuple[Decided, ...]:
        ground = self._ground()
        decided = []
        for candidate in ground.listed:
            beat()
            found = self._judge(candidate, ground)
            decided.append(found)
            if found.node is not None:
                ground = self._ground()  # the new node may cover the next candidate
        return tuple(decided)

    def gates(self) -> tuple[Decided, ...]:
        """Return what each candidate still lacks to become a node, most named first. Writes and promotes nothing.

        Whether a node covers it by meaning is looked at where it is named often enough to be promoted.
        """
        ground = self._ground(every=True)
        return tuple(self._looked_at(candidate, ground) for candidate in ground.listed)

    def _ground(self, *, every: bool = False) -> "_Ground":
        with self._store.read() as unit:
            tree = self._records.tree(unit)
            known = self._records.candidates(unit)
            ripe = tuple(c for c in known if c.questions >= QUESTIONS_NEEDED and len(c.models) >= MODELS_NEEDED)
            listed = known if every else ripe
            mentions = self._records.mentions(unit, tree) if listed else {}
            taken_back = self._records.taken_back(unit)
        place = placed(tree, known)
        runs = tuple((mention, count, fields_of(mention, tree, place)) for mention, count in mentions.items())
        return _Ground(tree, listed, runs, taken_back, self._domains.meaning(tree) if ripe else None)

    def _judge(self, candidate: Candidate, ground: "_Ground") -> Decided:
        found = self._looked_at(candidate, ground)
        if not found.verdict.promoted:
            return found
        try:
            return replace(found, node=self._promote(candidate))
        except (InvalidError, RefusedError) as error:  # somebody took its name meanwhile; the other candidates go on
            return replace(found, verdict=replace(found.verdict, promoted=False, reasons=(error.message,)))

    @staticmethod
    def _looked_at(candidate: Candidate, ground: "_Ground") -> Decided:
        parent = ground.tree.today(candidate.nearest)
        known = evidence(
            candidate,
            parent,
            ground.runs,
            ground.tree,
            covered_by=_covered(candidate.string, ground.tree, ground.meaning),
            taken_back=candidate.string in ground.taken_back,
        )
        return Decided(candidate.string, parent, promotable(known))

    def _promote(self, candidate: Candidate) -> str:
        with self._store.unit() as unit:
            old = self._records.tree(unit)
            new = promote(old, candidate.string, old.today(candidate.nearest))
            step = difference(old, new)
            (node,) = (each.id for each in step.after)
            used = self._records.candidates(unit, [candidate.string])
            self._records.change(unit, ChangeKind.PROMOTE, node, step, by=SYSTEM, gone=used)
        return node

    def _embed_grown(self, beat: Beat) -> None:
        """Give the questions of grown nodes their vectors: they are the nodes' exemplars."""
        from auritas.council.adapters.exemplars import questions_naming, texts_of, vectors_of

        with self._store.read() as unit:
            grown = [node for node in self._records.tree(unit).nodes.values() if node.parent is not None]
            named = [query for node in grown for query in questions_naming(unit, node.names)]
            embedder = self._domains.embedder if named else None
            if embedder is None:
                return
            lacking = set(named) - vectors_of(unit, named, embedder).keys()
            texts = sorted(texts_of(unit, lacking).items())[:AT_MOST]
        for some in _batches(texts, BATCH):
            vectors = embedder.embed([text for _, text in some])
            beat()
            with self._store.unit() as unit:
                for (query_id, _), vector in zip(some, vectors, strict=True):
                    self._records.keep_vector(unit, query_id, vector, embedder.id)


def _covered(string: str, tree: DomainTree, meaning: "EmbeddedMeaning | None") -> str | None:
    """Return the node that holds the candidate already: by a name, by a slip of one, or by saying the same."""
    found = tree.resolve(string, meaning)
    if not found.candidate:
        return found.node
    return meaning.same_as(string) if meaning else None


def _batches(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]
