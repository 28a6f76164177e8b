"""How fast the audit log is, beside the naive way: python bench/bench_audit.py [--full].

Naive means what most programs do: a hash chain, one commit for each row, RFC 8785 by the library, and a proof that
hashes the whole log again. Both work on the same kind of encrypted file. Compare ratios, not figures of two machines;
where other programs share the cores, the figures per second of CPU time say more than those of the clock.
"""

import argparse
import hashlib
import json
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import rfc8785
from rich.console import Console
from rich.table import Table

from auritas.audit.adapters.sql import SqlAuditLog
from auritas.audit.growth import Expected, tree_fault
from auritas.audit.tree import Leaves, inclusion_proof, verify_inclusion
from auritas.audit.verify import verify
from auritas.kernel.clock import SystemClock
from auritas.kernel.ids import TimeOrderedIds
from auritas.kernel.log import Kind, LogEvent
from auritas.kernel.randomness import SeededRng, SystemEntropy
from auritas.store import SqlStore
from auritas.store.secret import Secret

BATCH = 500
MEASURED = 20_000
SINGLE = 1_000
PROOFS = 200
SMALL, FULL = (0, 100_000), (0, 100_000, 1_000_000)


@dataclass(frozen=True)
class Row:
    """One line of the table: at how many rows, what, how much, against the naive way, and the target."""

    size: int
    what: str
    took: "Took"
    unit: str = "/s"
    naive: "Took | None" = None
    target: str = ""

    @property
    def ratio(self) -> str:
        """How many times better than the naive way, in CPU time."""
        if self.naive is None:
            return ""
        ratio = self.took.cpu / self.naive.cpu
        return f"{ratio if self.unit == '/s' else 1 / ratio:,.1f}"


@dataclass(frozen=True)
class Took:
    """A rate or a duration, by the clock and by CPU time of this process."""

    wall: float
    cpu: float

    def __add__(self, other: "Took") -> "Took":
        return Took(self.wall + other.wall, self.cpu + other.cpu)

    def rate(self, count: int) -> "Took":
        return Took(count / self.wall, count / self.cpu)

    def ms(self, count: int = 1) -> "Took":
        return Took(1000 * self.wall / count, 1000 * self.cpu / count)


def events(start: int, count: int) -> list[LogEvent]:
    """Events as an answer makes them: four refs and a body of some length."""
    return [
        LogEvent(
            Kind.RUN,
            "seat-1",
            {"run_id": f"0197a6f0-0000-7000-8000-{n:012}", "session_id": "s-1", "tokens": n, "latency_ms": 12},
            f"The capital of Australia is Canberra, which was chosen as a compromise in 1908. ({n})",
        )
        for n in range(start, start + count)
    ]


def seconds(work: Callable[[], object]) -> Took:
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return Took(time.perf_counter() - wall, time.process_time() - cpu)


def require(holds: bool, what: str) -> None:  # noqa: FBT001  a check
    if not holds:
        raise SystemExit(f"The benchmark itself is wrong: {what}.")


class Bench:
    """A log that grows, and what was measured on it."""

    def __init__(self, folder: Path) -> None:
        self.store = SqlStore.open(folder, Secret(bytes(range(32))))
        clock = SystemClock()
        self.log = SqlAuditLog(clock, SystemEntropy(), TimeOrderedIds(clock, SeededRng(1)))
        self.size = 0

    def append(self, count: int, batch: int) -> Took:
        took = Took(0.0, 0.0)
        for start in range(0, count, batch):
            took += self.append_at_once(events(self.size, min(batch, count - start)))
        return took

    def append_at_once(self, batch: list[LogEvent]) -> Took:
        def work() -> None:
            with self.store.unit() as unit:
                self.log.append(unit, batch)

        self.size += len(batch)
        return seconds(work)

    def verify(self) -> Took:
        with self.store.read() as unit:
            tiles, rows = self.log.tiles(unit, self.size), self.log.entries(unit)
            found = []
            took = seconds(lambda: found.append(verify(rows, tiles, Expected(None, ()))))
        require(found[0].ok, found[0].reason)
        return took.rate(self.size)

    def tree(self) -> Took:
        with self.store.read() as unit:
            tiles, leaves = self.log.tiles(unit, self.size), self.log.leaves(unit)
            found = []
            took = seconds(lambda: found.append(tree_fault(leaves, tiles, Expected(None, ()))))
        require(found[0] is None, "the tree does not verify")
        return took.rate(self.size)

    def prove(self) -> Took:
        places = [number * 7919 % self.size for number in range(PROOFS)]
        with self.store.read() as unit:
            top = self.log.root(unit, self.size)
            made: list[tuple[bytes, ...]] = []
            took = seconds(
                lambda: made.extend(inclusion_proof(at, self.size, self.log.nodes(unit, self.size)) for at in places)
            )
            for at, proof in zip(places, made, strict=True):
                leaf = next(self.log.entries(unit, at, at + 1)).leaf_hash
                require(verify_inclusion(leaf, at, self.size, proof, top), "a proof does not verify")
        return took.ms(PROOFS)


class Naive:
    """A hash chain in the same kind of file: one commit a row, nothing but the chain to check or prove with."""

    def __init__(self, folder: Path) -> None:
        self.store = SqlStore.open(folder, Secret(bytes(range(32))))
        with self.store.unit() as unit:
            unit.connection.exec_driver_sql("CREATE TABLE naive (seq INTEGER PRIMARY KEY, entry BLOB, chain BLOB)")
        self.chain, self.size = bytes(32), 0

    def append(self, count: int) -> None:
        for event in events(self.size, count):
            entry = rfc8785.dumps({"seq": self.size, "kind": event.kind, "refs": dict(event.refs), "body": event.body})
            self.chain = hashlib.sha256(self.chain + entry).digest()
            with self.store.unit() as unit:
                sql = "INSERT INTO naive VALUES (?, ?, ?)"
                unit.connection.exec_driver_sql(sql, (self.size, entry, self.chain))
            self.size += 1

    def verify(self) -> None:
        chain = bytes(32)
        with self.store.read() as unit:
            for _, entry, stored in unit.connection.exec_driver_sql("SELECT * FROM naive ORDER BY seq"):
                chain = hashlib.sha256(chain + rfc8785.dumps(json.loads(entry))).digest()
                require(chain == stored, "the naive chain is broken")


def naive_proof(bench: Bench) -> Took:
    """A proof without tiles: read and hash every leaf."""

    def prove() -> None:
        with bench.store.read() as unit:
            nodes = Leaves(list(bench.log.leaves(unit)))
        inclusion_proof(bench.size // 3, bench.size, nodes)

    return seconds(prove).ms()


def measured(sizes: tuple[int, ...], folder: Path) -> list[Row]:
    naive = Naive(folder / "naive")
    naive_append = seconds(lambda: naive.append(SINGLE)).rate(SINGLE)
    naive_verify = seconds(naive.verify).rate(SINGLE)
    naive.store.close()
    rows = [Row(0, "naive: append, one commit a row", naive_append), Row(SINGLE, "naive: verify", naive_verify)]
    bench = Bench(folder / "ours")
    for size in sizes:
        bench.append(max(size - bench.size, 0), 5_000)
        single = bench.append(SINGLE, 1).rate(SINGLE)
        batched = bench.append(MEASURED, BATCH).rate(MEASURED)
        rows.append(Row(size, "append, one commit a row", single, naive=naive_append))
        rows.append(Row(size, f"append, batches of {BATCH}", batched, naive=naive_append, target="≥ 20,000"))
    size = bench.size
    rows.append(Row(size, "verify everything", bench.verify(), naive=naive_verify, target="≥ 60,000"))
    rows.append(Row(size, "verify the tree alone", bench.tree(), naive=naive_verify, target="≥ 150,000"))
    rows.append(Row(size, "inclusion proof", bench.prove(), " ms", naive_proof(bench), "≤ 5 at 1 M"))
    bench.store.close()
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--full", action="store_true", help="grow the log to a million entries")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rows = measured(FULL if given.full else SMALL, Path(folder))
    table = Table("rows", "what", "by the clock", "by CPU time", "x naive (CPU)", "target", title="audit log")
    for row in rows:
        wall, cpu = f"{row.took.wall:,.1f}{row.unit}", f"{row.took.cpu:,.1f}{row.unit}"
        table.add_row(f"{row.size:,}", row.what, wall, cpu, row.ratio, row.target)
    Console().print(table)


if __name__ == "__main__":
    main()
