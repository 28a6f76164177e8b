"""The store against a dictionary: any sequence of writes, failures, groups and reopenings."""

import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from sqlalchemy import select

from auritas.kernel.randomness import SystemEntropy
from auritas.store.database import SqlStore
from auritas.store.schema import local_settings
from auritas.store.secret import Secret
from auritas.store.unit import Unit

NAMES = st.sampled_from("abcdef")
VALUES = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=20)
CHANGES = st.lists(st.tuples(NAMES, st.one_of(st.none(), VALUES)), max_size=6)


class RefusedChangeError(Exception):
    """Thrown on purpose in the middle of a unit."""


def apply(unit: Unit, changes: list[tuple[str, str | None]]) -> None:
    for name, value in changes:
        unit.connection.execute(local_settings.delete().where(local_settings.c.key == name))
        if value is not None:
            unit.connection.execute(local_settings.insert().values(key=name, value=value))


def expected(model: dict[str, str], changes: list[tuple[str, str | None]]) -> dict[str, str]:
    after = dict(model)
    for name, value in changes:
        after.pop(name, None)
        if value is not None:
            after[name] = value
    return after


class StoreMachine(RuleBasedStateMachine):
    """Rules change the store and the dictionary alike; after each step they must agree."""

    @initialize()
    def start(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.key = Secret(SystemEntropy().token(32))
        self.store = SqlStore.open(self.folder, self.key)
        self.model: dict[str, str] = {}

    @rule(changes=CHANGES)
    def unit(self, changes: list[tuple[str, str | None]]) -> None:
        with self.store.unit() as unit:
            apply(unit, changes)
        self.model = expected(self.model, changes)

    @rule(changes=CHANGES)
    def failing_unit(self, changes: list[tuple[str, str | None]]) -> None:
        with suppress(RefusedChangeError), self.store.unit() as unit:
            apply(unit, changes)
            raise RefusedChangeError

    @rule(groups=st.lists(st.tuples(CHANGES, st.booleans()), max_size=4))
    def group(self, groups: list[tuple[list[tuple[str, str | None]], bool]]) -> None:
        def work(unit: Unit, changes: list[tuple[str, str | None]], fails: bool) -> None:
            apply(unit, changes)
            if fails:
                raise RefusedChangeError

        futures = [self.store.submit(lambda unit, c=c, f=f: work(unit, c, f)) for c, f in groups]  # type: ignore[misc]
        for (changes, fails), future in zip(groups, futures, strict=True):
            assert isinstance(future.exception(30), RefusedChangeError) is fails
            if not fails:
                self.model = expected(self.model, changes)

    @rule()
    def sync(self) -> None:
        self.store.sync()

    @rule()
    def reopen(self) -> None:
        self.store.close()
        self.store = SqlStore.open(self.folder, self.key)

    @invariant()
    def agrees(self) -> None:
        if not hasattr(self, "store"):
            return
        with self.store.read() as unit:
            rows = unit.connection.execute(select(local_settings.c.key, local_settings.c.value)).all()
        assert {row[0]: row[1] for row in rows} == self.model

    def teardown(self) -> None:
        if hasattr(self, "store"):
            self.store.close()
            shutil.rmtree(self.folder)


StoreMachine.TestCase.settings = settings(max_examples=15, stateful_step_count=12, deadline=None)
TestStoreMachine = StoreMachine.TestCase
