"""What memory costs on the path of a question: OPENBLAS_NUM_THREADS=1 python bench/bench_memory.py.

Injection means all between the vector of the question and the list of corrections that enter its prompt: relevance,
factors, score, scope, hiding, budget. Naive means one correction at a time, by the definitions. The cold load reads the
shelf from an encrypted store, vectors included, and makes it ready for its first question. Embedding has its own row
elsewhere. Corrections and vectors are simulated. Where other programs share the cores, CPU time says more.
"""

import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from auritas.audit.adapters.sql import SqlAuditLog
from auritas.kernel.clock import SystemClock
from auritas.kernel.ids import TimeOrderedIds
from auritas.kernel.memory import Correction, CorrectionState, CorrectionType, DecayClass, Provenance, Scope
from auritas.kernel.randomness import SeededRng, SystemEntropy
from auritas.memory.adapters.corrections_sql import SqlCorrections
from auritas.memory.factors import factors_of, score_of
from auritas.memory.injection import inject
from auritas.memory.model import Gates, Policy, Where, place_of
from auritas.memory.precedence import in_scope
from auritas.memory.relevance import BACKGROUND, commonness, relevance
from auritas.memory.shelf import Floats, Shelf, Vectors
from auritas.memory.slots import slot_of
from auritas.store import SqlStore
from auritas.store.secret import Secret

KEPT, QUESTIONS, WARM, WIDTH = 10_000, 400, 20, 384
PROJECTS, RIVALS = 40, 5
NAIVE_QUESTIONS = 3
NOW = datetime(2026, 1, 1, tzinfo=UTC)
EMBEDDER = "simulated"
KINDS = (CorrectionType.INSTRUCTION, CorrectionType.PREFERENCE, CorrectionType.FACT, CorrectionType.DECISION)
SENTENCES = (
    "The rate limit of the billing service is 100 requests per second",
    "I no longer like tea",
    "Always answer in German",
    "We chose Postgres for the database because everybody in the team has used it before",
)


@dataclass(frozen=True)
class Row:
    """One line of the table: what, milliseconds by the clock and of CPU, the naive way in CPU, and the target."""

    what: str
    wall: float
    cpu: float
    naive: float | None = None
    target: str = ""


def corrections(*, rivals: bool) -> list[Correction]:
    """Ten thousand corrections of several types, scopes and ages. rivals: five share each slot, in as many places."""
    return [_correction(number, rivals=rivals) for number in range(KEPT)]


def _correction(number: int, *, rivals: bool) -> Correction:
    group, place = divmod(number, RIVALS)
    everywhere = place == 0 if rivals else number % 4 > 0
    return Correction(
        id=f"{number:06}",
        type=KINDS[number % len(KINDS)],
        scope=Scope.GLOBAL if everywhere else Scope.PROJECT,
        project_id=None if everywhere else f"p{place if rivals else number % PROJECTS}",
        state=CorrectionState.ACTIVE,
        provenance=Provenance.USER_EXPLICIT,
        claim=f"Rule number {number} is to be kept in mind whenever it matters",
        created_at=NOW - timedelta(days=number % 700),
        slot=f"slot {group}" if rivals else f"slot {number}",
        decay_class=list(DecayClass)[number % 3],
        pinned=number % 500 == 0,
    )


def vectors(count: int) -> Vectors:
    found = np.random.default_rng(count).normal(size=(count, WIDTH)).astype(np.float32)
    unit: Vectors = found / np.linalg.norm(found, axis=1, keepdims=True)
    return unit


def shelf_of(kept: Sequence[Correction], found: Vectors, background: Floats) -> Shelf:
    return Shelf(kept, {each.id: found[at : at + 1] for at, each in enumerate(kept)}, background)


def asked(shelf: Shelf, question: Sequence[float], where: Where, gates: Gates) -> None:
    inject(shelf, shelf.relevance(question), where, gates, NOW)


def one_by_one(kept: Sequence[Correction], found: Vectors, common: Floats, question: Vectors, where: Where) -> None:
    """Weigh each correction by itself, as the definitions are written."""
    weighed = []
    for at, each in enumerate(kept):
        if in_scope(each, where):
            near = relevance(float(found[at] @ question), float(common[at]))
            weighed.append((score_of(factors_of(each, near, NOW)), each.id))
    weighed.sort(reverse=True)


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """Return milliseconds by the clock and in CPU time of this process."""
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return 1000 * (time.perf_counter() - wall), 1000 * (time.process_time() - cpu)


def injection_rows() -> Iterator[Row]:
    found, background = vectors(KEPT), vectors(len(BACKGROUND)).astype(np.float64)
    questions = vectors(QUESTIONS + WARM)
    common = commonness(found.astype(np.float64), background)
    for rivals in (False, True):
        kept = corrections(rivals=rivals)
        shelf = shelf_of(kept, found, background)
        for policy in Policy:
            where, gates = Where(project_id="p1"), Gates(policy)
            runs = [timed(partial(asked, shelf, question.tolist(), where, gates)) for question in questions]
            each = np.array(runs[WARM:])
            naive = min(
                timed(partial(one_by_one, kept, found, common, question, where))[1]
                for question in questions[:NAIVE_QUESTIONS]
            )
            slots = f"{RIVALS} to a slot" if rivals else "a slot each"
            for percent, target in ((50, ""), (99, "<= 5")):
                wall, cpu = np.percentile(each, percent, axis=0)
                what = f"injection, {KEPT:,} corrections, {slots}, {policy}, p{percent}"
                yield Row(what, float(wall), float(cpu), naive, target)


def loading_rows() -> Iterator[Row]:
    kept, found = corrections(rivals=False), vectors(KEPT)
    background = vectors(len(BACKGROUND)).astype(np.float64)
    clock = SystemClock()
    rows = SqlCorrections(SqlAuditLog(clock, SystemEntropy(), TimeOrderedIds(clock, SeededRng())), clock)
    with tempfile.TemporaryDirectory() as folder, SqlStore.open(Path(folder), Secret(bytes(range(32)))) as store:
        with store.unit() as unit:
            now = "2026-01-01T00:00:00.000000Z"
            for project in sorted({each.project_id for each in kept if each.project_id}):
                statement = "INSERT INTO projects (project_id, name, created_at) VALUES (?, ?, ?)"
                unit.connection.exec_driver_sql(statement, (project, project, now))
            for each in kept:
                rows.write(unit, each, place_of(each.scope, each))
            rows.keep_vectors(unit, EMBEDDER, {each.id: found[at : at + 1] for at, each in enumerate(kept)}, since=0)
        store.empty_wal()
        made: list[Shelf] = []

        def load() -> None:
            with store.read() as unit:
                read, known = rows.active(unit), rows.vectors(unit, EMBEDDER, WIDTH)
            made.append(Shelf(read, known, background))

        yield Row(f"reading {KEPT:,} corrections and their vectors", *timed(load))
        first = partial(asked, made[0], found[0].tolist(), Where(), Gates())
        yield Row("  the first question on them", *timed(first))
        with store.read() as unit:
            version = [timed(partial(rows.newest, unit)) for _ in range(QUESTIONS)]
        yield Row("  seeing that nothing has changed, p50", *np.percentile(np.array(version), 50, axis=0).tolist())


def slot_rows() -> Iterator[Row]:
    for words in SENTENCES:
        slot_of(words, CorrectionType.INSTRUCTION)
    runs = [timed(partial(slot_of, words, kind)) for _ in range(50) for words in SENTENCES for kind in CorrectionType]
    for percent in (50, 99):
        yield Row(f"reading the slot of a sentence, p{percent}", *np.percentile(runs, percent, axis=0).tolist())


def main() -> None:
    table = Table("what", "ms", "ms of CPU", "naive, ms", "times", "target", title="memory on the path of a question")
    for row in (*injection_rows(), *loading_rows(), *slot_rows()):
        naive = "" if row.naive is None else f"{row.naive:,.0f}"
        times = "" if row.naive is None else f"{row.naive / row.cpu:,.0f}"
        table.add_row(row.what, f"{row.wall:,.2f}", f"{row.cpu:,.2f}", naive, times, row.target)
    Console(width=130, file=sys.stdout).print(table)


if __name__ == "__main__":
    main()
