"""Any order of appending, erasing, signing, reopening and verifying leaves a log that verifies."""

import tempfile
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from auritas.app.audit import AuditUseCases
from auritas.audit.adapters.sql import SqlAuditLog
from auritas.audit.check import check
from auritas.audit.entry import commitment
from auritas.kernel.clock import ManualClock
from auritas.kernel.ids import TimeOrderedIds
from auritas.kernel.log import Kind, LogEvent
from auritas.kernel.randomness import SeededRng, SystemEntropy
from auritas.store import SqlStore
from auritas.store.secret import Secret

KEY = Secret(bytes(range(32)))
SLOW = [HealthCheck.too_slow]
SHORT = settings(max_examples=6, stateful_step_count=15, deadline=None, suppress_health_check=SLOW)
LONG = settings(max_examples=60, stateful_step_count=50, deadline=None, suppress_health_check=SLOW)


class LogMachine(RuleBasedStateMachine):
    """The log against a model: a dictionary of the bodies that should be there."""

    @initialize()
    def start(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.clock = ManualClock()
        self.bodies: dict[int, str | None] = {}
        self.kept: list[str] = []
        self.reopen_store()

    def reopen_store(self) -> None:
        self.store = SqlStore.open(Path(self.folder.name) / "home", KEY)
        self.forget()

    def teardown(self) -> None:
        if hasattr(self, "store"):
            self.store.close()
            self.folder.cleanup()

    @rule()
    def forget(self) -> None:
        """Another process takes over."""
        self.log = SqlAuditLog(self.clock, SystemEntropy(), TimeOrderedIds(self.clock, SeededRng(3)))
        self.audit = AuditUseCases(self.store, self.log)

    @rule()
    def reopen(self) -> None:
        self.store.close()
        self.reopen_store()

    @rule(bodies=st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=5), min_size=1, max_size=200))
    def append(self, bodies: list[str]) -> None:
        with self.store.unit() as unit:
            receipts = self.log.append(unit, [LogEvent(Kind.RUN, "user", {"n": 1}, body) for body in bodies])
        self.bodies |= {receipt.seq: body or None for receipt, body in zip(receipts, bodies, strict=True)}

    @rule(bodies=st.lists(st.just("gone"), min_size=1, max_size=300))
    def append_in_vain(self, bodies: list[str]) -> None:
        with suppress(InterruptedError), self.store.unit() as unit:
            self.log.append(unit, [LogEvent(Kind.RUN, "user", {}, body) for body in bodies])
            raise InterruptedError

    @precondition(lambda self: self.bodies)
    @rule(data=st.data())
    def erase(self, data: st.DataObject) -> None:
        seqs = data.draw(st.lists(st.sampled_from(sorted(self.bodies)), min_size=1, max_size=20))
        with self.store.unit() as unit:
            self.log.erase(unit, seqs, "retention")
        self.bodies |= dict.fromkeys(seqs)

    @precondition(lambda self: self.bodies)
    @rule()
    def checkpoint(self) -> None:
        made = self.audit.checkpoint()
        self.kept.append(f"{made.size}:{made.root.hex()}")

    @rule(hours=st.integers(1, 60))
    def wait(self, hours: int) -> None:
        self.clock.advance(hours * 3600)
        self.audit.run_due()

    @precondition(lambda self: self.bodies)
    @rule(data=st.data())
    def prove(self, data: st.DataObject) -> None:
        seq = data.draw(st.integers(0, self.audit.size() - 1))
        proof = self.audit.prove(seq)
        assert check(proof.text.encode(), proof.key).index == seq

    @invariant()
    def everything_verifies(self) -> None:
        """The log verifies, still contains every head that was given away, and holds exactly the right bodies."""
        if not hasattr(self, "audit"):
            return
        report = self.audit.verify(self.kept)
        assert (report.ok, report.reason) == (True, "")
        with self.store.read() as unit:
            for row in self.log.entries(unit):
                assert row.body == self.bodies.get(row.seq)
                assert row.body is None or commitment(row.salt or b"", row.body) == row.details


def test_any_order_of_operations_leaves_a_log_that_verifies() -> None:
    """Appending, erasing, signing, waiting, proving and reopening in any order never breaks the log."""
    run_state_machine_as_test(LogMachine, settings=SHORT)


@pytest.mark.slow
def test_a_long_random_life_leaves_a_log_that_verifies() -> None:
    """The same over many and longer lives."""
    run_state_machine_as_test(LogMachine, settings=LONG)
