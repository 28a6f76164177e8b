"""How fast search as one types is, beside other designs: python bench/bench_search.py [--small | --sizes N …].

The texts are sentences from the documentation strings of Python's own library, mixed anew into conversations of ten
messages. Queries are words of these messages, alone and in pairs, typed letter by letter; each letter is one search
with its snippets. Compare ratios, not figures of two machines.

Each design runs several times in fresh processes, and a letter counts by the median of its times: other work on the
machine makes single times two and three times longer. The load of the machine is printed. Python's collector of
garbage looks through what the imports left before the first letter, as it would at the start of a long session.

Beside ours stand a dictionary of all words with a sorted list (what one writes first), a scan with LIKE, and FTS5 with
its defaults and ORDER BY rank.
"""

import argparse
import ast
import gc
import json
import os
import random
import re
import resource
import subprocess
import sys
import sysconfig
import tempfile
import time
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median
from typing import Any

from rich.console import Console
from rich.table import Table

from auritas.kernel.clock import SystemClock, timestamp
from auritas.kernel.diagnostics import KeptDiagnostics
from auritas.search.adapters.index_sql import SqlWordIndex
from auritas.search.adapters.search_sql import SqlSearch
from auritas.search.query import read
from auritas.search.service import Indexer
from auritas.search.words import folded, words
from auritas.store import SqlStore, Unit
from auritas.store.secret import Secret

KEY = Secret(b"\x2a" * 32)
SIZES, SMALL = (20_000, 200_000), (5_000,)
IN_CONVERSATION = 10
QUERIES = 100
RUNS = 3
SLOW_QUERIES = 3
"""Queries for the designs that take a second a letter."""
SHOWN = 8
DESIGNS = ("ours", "dictionary", "LIKE", "FTS5")
START = datetime(2023, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Measured:
    """One design at one size. Times in milliseconds of CPU; memory and disk in MB."""

    p50: float
    p99: float
    worst: float
    first: float
    memory: float
    disk: float
    build: float


# --- texts -----------------------------------------------------------------------------------------------------------


def sentences() -> list[str]:
    """Return the sentences of the documentation strings of Python's library."""
    found: list[str] = []
    for file in sorted(Path(sysconfig.get_path("stdlib")).rglob("*.py")):
        if {"site-packages", "test", "tests", "idlelib"} & set(file.parts):
            continue
        try:
            tree = ast.parse(file.read_text(encoding="utf-8", errors="ignore"))
        except (SyntaxError, ValueError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Module | ast.AsyncFunctionDef):
                said = " ".join((ast.get_docstring(node) or "").split())
                found += [each for each in re.split(r"(?<=[.!?]) ", said) if 15 < len(each) < 300]
    return found


def messages(count: int) -> Iterator[str]:
    """Yield texts of one to five sentences; one in ten names an identifier that is nowhere else."""
    chance, known = random.Random(1), sentences()  # noqa: S311  no secret
    for _ in range(count):
        text = " ".join(chance.choices(known, k=chance.randint(1, 5)))
        if chance.random() < 0.1:
            text += " " + "".join(chance.choices("abcdefghijklmnoprstuvw", k=8)) + chance.choice(["_cache", "Id", ""])
        yield text


def queries(texts: Sequence[str], count: int) -> list[str]:
    """Return words that somebody may look for, alone and in pairs of one message."""
    chance = random.Random(2)  # noqa: S311  no secret
    found: list[str] = []
    while len(found) < count:
        known = [word for word in words(chance.choice(texts)) if len(word) > 3]
        if len(known) > 1:
            found.append(" ".join(chance.sample(known, 1 + len(found) % 2)))
    return found


def fill(store: SqlStore, count: int) -> list[str]:
    """Write conversations and return their texts."""
    texts = list(messages(count))
    with store.unit() as unit:
        talks, said = [], []
        for place in range(0, count, IN_CONVERSATION):
            talk, at = f"c{place}", timestamp(START + timedelta(minutes=7 * place))
            talks.append((talk, texts[place][:50], at, at))
            for number, text in enumerate(texts[place : place + IN_CONVERSATION]):
                said.append((f"m{place + number}", talk, "user" if number % 2 else "assistant", text, at))
        run = unit.connection.exec_driver_sql
        run("INSERT INTO conversations (conversation_id, title, created_at, updated_at) VALUES (?, ?, ?, ?)", talks)
        run(
            "INSERT INTO messages (message_id, conversation_id, role, content, created_at) VALUES (?, ?, ?, ?, ?)", said
        )
    return texts


# --- designs ---------------------------------------------------------------------------------------------------------

Search = Callable[[str], object]


def ours(store: SqlStore) -> Search:
    """Return our search, as the screen calls it at each letter."""
    search = SqlSearch()

    def find(text: str) -> object:
        with store.read() as unit:
            return search.find(unit, read(text, entered=False), SHOWN)

    return find


def dictionary(store: SqlStore) -> Search:
    """Return the search over all words in memory: the conversations of each, and a sorted list for beginnings."""
    holders: dict[str, set[str]] = {}
    with store.read() as unit:
        for talk, text in _run(unit, "SELECT conversation_id, content FROM messages"):
            for word in words(text):
                holders.setdefault(folded(word), set()).add(talk)
        newest = {row[0]: row[1] for row in _run(unit, "SELECT conversation_id, updated_at FROM conversations")}
    known = sorted(holders)

    def find(text: str) -> object:
        *whole, last = [folded(word) for word in words(text)] or [""]
        found: set[str] = set()
        for word in known[bisect_left(known, last) : bisect_left(known, last + "\uffff")]:
            found |= holders[word]
        for word in whole:
            found &= holders.get(word, set())
        return sorted(found, key=newest.__getitem__, reverse=True)[:SHOWN]

    return find


def like(store: SqlStore) -> Search:
    """Return the scan of all messages."""

    def find(text: str) -> object:
        where = " AND ".join("content LIKE ?" for _ in text.split()) or "true"
        asked = f"SELECT DISTINCT conversation_id FROM messages WHERE {where} ORDER BY created_at DESC LIMIT {SHOWN}"  # noqa: S608  marks alone
        with store.read() as unit:
            return _run(unit, asked, *(f"%{word}%" for word in text.split()))

    return find


def plain_fts5(store: SqlStore) -> Search:
    """Return what the manual of FTS5 shows: default table, ORDER BY rank, snippet()."""

    def find(text: str) -> object:
        expression = " AND ".join(f'"{word}"' for word in words(text)) + "*"
        asked = f"""SELECT rowid, snippet(plain, 0, '[', ']', '…', 24) FROM plain WHERE plain MATCH ?
            ORDER BY rank LIMIT {SHOWN}"""  # noqa: S608  a number
        with store.read() as unit:
            return _run(unit, asked, expression)

    return find


def _run(unit: Unit, statement: str, *values: object) -> list[Any]:
    return list(unit.connection.exec_driver_sql(statement, values).cursor.fetchall())


def index(store: SqlStore) -> None:
    """Index what waits."""
    Indexer(store, SqlWordIndex(), (), SystemClock(), KeptDiagnostics()).catch_up()


def index_plainly(store: SqlStore) -> None:
    """Build the default table of FTS5."""
    with store.unit() as unit:
        unit.connection.exec_driver_sql("CREATE VIRTUAL TABLE plain USING fts5(content)")
        unit.connection.exec_driver_sql("INSERT INTO plain (rowid, content) SELECT seq, content FROM messages")


MAKE: dict[str, Callable[[SqlStore], Search]] = {
    "ours": ours,
    "dictionary": dictionary,
    "LIKE": like,
    "FTS5": plain_fts5,
}


# --- measuring -------------------------------------------------------------------------------------------------------


def memory() -> float:
    """Return the resident memory of this process in MB."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / 1e6


def letters(text: str) -> Iterator[str]:
    """Yield what stands in the field after each letter."""
    return (text[:end] for end in range(1, len(text) + 1) if not text[:end].endswith(" "))


def child(folder: Path, design: str, typed: Sequence[str]) -> None:
    """Measure one design in this fresh process and print the figures."""
    with SqlStore.open(folder, KEY) as store:
        with store.read() as unit:
            _run(unit, "SELECT count(*) FROM conversations")
        before, start = memory(), time.process_time()
        find = MAKE[design](store)
        find(typed[0][:1])
        first = (time.process_time() - start) * 1000
        gc.collect()
        gc.freeze()
        took = []
        for text in typed:
            for so_far in letters(text):
                start = time.process_time()
                find(so_far)
                took.append((time.process_time() - start) * 1000)
        sys.stdout.write(json.dumps({"took": took, "first": first, "memory": memory() - before}))


def measured(folder: Path, design: str, typed: Sequence[str], disk: float, build: float) -> Measured:
    """Measure one design in processes of its own."""
    command = [sys.executable, __file__, "--child", design, "--folder", str(folder)]
    runs = [
        json.loads(subprocess.run(command, input=json.dumps(typed), capture_output=True, text=True, check=True).stdout)
        for _ in range(RUNS)
    ]
    took = sorted(median(times) for times in zip(*(run["took"] for run in runs), strict=True))
    first, resident = (median(run[name] for run in runs) for name in ("first", "memory"))
    return Measured(took[len(took) // 2], took[int(len(took) * 0.99)], took[-1], first, resident, disk, build)


@contextmanager
def growth(store: SqlStore) -> Iterator[list[float]]:
    """Yield a list that gets the MB and the seconds of CPU that the work inside took."""
    before, start = _pages(store), time.process_time()
    took: list[float] = []
    yield took
    took += [(_pages(store) - before) * 4096 / 1e6, time.process_time() - start]


def _pages(store: SqlStore) -> int:
    with store.read() as unit:
        used, free = (_run(unit, f"SELECT * FROM pragma_{name}_count")[0][0] for name in ("page", "freelist"))  # noqa: S608
    return int(used) - int(free)


def at(size: int, designs: Sequence[str]) -> dict[str, Measured]:
    """Measure the designs with `size` messages."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with SqlStore.open(folder, KEY) as store:
            texts = fill(store, size)
            with growth(store) as mine:
                index(store)
            with growth(store) as plain:
                index_plainly(store)
        built = {"ours": mine, "FTS5": plain}
        typed = queries(texts, QUERIES)
        found = {}
        for design in designs:
            few = typed[:SLOW_QUERIES] if design == "LIKE" else typed
            disk, build = built.get(design, [0.0, 0.0])
            found[design] = measured(folder, design, few, disk, build)
        return found


def table(size: int, found: dict[str, Measured]) -> Table:
    """Return the figures of one size, each other design also as a multiple of ours."""
    load = ", ".join(f"{each:.1f}" for each in os.getloadavg())
    shown = Table(title=f"{size:,} messages; load of the machine {load}", box=None, title_justify="left")
    for heading in (
        "design",
        "key p50 ms",
        "key p99 ms",
        "worst ms",
        "p99 ratio",
        "first ms",
        "memory MB",
        "index MB",
        "build s",
    ):
        shown.add_column(heading, justify="left" if heading == "design" else "right")
    mine = found["ours"]
    for design, row in found.items():
        figures = (row.p50, row.p99, row.worst, row.p99 / mine.p99, row.first, row.memory, row.disk, row.build)
        shown.add_row(design, *(f"{figure:,.2f}" if figure < 100 else f"{figure:,.0f}" for figure in figures))
    return shown


def main() -> None:
    """Print one table a size."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--small", action="store_true", help="5,000 messages, in seconds")
    options.add_argument("--sizes", type=int, nargs="+", help="numbers of messages")
    options.add_argument("--designs", nargs="+", choices=DESIGNS, default=DESIGNS)
    options.add_argument("--json", action="store_true")
    options.add_argument("--child", choices=DESIGNS, help=argparse.SUPPRESS)
    options.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    chosen = options.parse_args()
    if chosen.child:
        child(chosen.folder, chosen.child, json.load(sys.stdin))
        return
    designs = ["ours", *(each for each in chosen.designs if each != "ours")]
    results = {size: at(size, designs) for size in chosen.sizes or (SMALL if chosen.small else SIZES)}
    if chosen.json:
        shown = {size: {name: asdict(row) for name, row in found.items()} for size, found in results.items()}
        sys.stdout.write(json.dumps(shown) + "\n")
        return
    for size, found in results.items():
        Console(width=120).print(table(size, found))


if __name__ == "__main__":
    main()
