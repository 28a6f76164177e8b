"""The unit of work and the group commit."""

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError, ProgrammingError
from tests.unit.store.rows import settings_row

from auritas.kernel.errors import AuritasError
from auritas.kernel.tasks import TaskSpawner
from auritas.store.database import SqlStore
from auritas.store.engine import Tuning
from auritas.store.errors import (
    NestedUnitError,
    StoreBusyError,
    StoreClosedError,
    StoreFullError,
    StoreReadOnlyError,
    TransactionLostError,
)
from auritas.store.schema import local_settings
from auritas.store.secret import Secret
from auritas.store.unit import Unit

if TYPE_CHECKING:
    from auritas.kernel.ports import Store


def put(unit: Unit, name: str, value: str = "") -> str:
    unit.connection.execute(local_settings.insert().values(settings_row(name, value)))
    return name


def names(store: SqlStore) -> set[str]:
    with store.read() as unit:
        return set(unit.connection.scalars(select(local_settings.c.key)))


def test_a_unit_lands_whole(store: SqlStore):
    """What is written in one unit is there when it ends."""
    with store.unit() as unit:
        put(unit, "a")
        put(unit, "b")
        assert names(store) == set()
    assert names(store) == {"a", "b"}


def test_a_unit_lands_not_at_all(store: SqlStore):
    """An error inside a unit leaves nothing behind, and the next unit works."""
    with suppress(ZeroDivisionError), store.unit() as unit:
        put(unit, "a")
        _ = 1 / 0
    with store.unit() as unit:
        put(unit, "b")
    assert names(store) == {"b"}


def test_a_reader_keeps_its_snapshot(store: SqlStore):
    """A reader sees one state from its start to its end, whatever is written meanwhile."""
    with store.read() as reader:
        with store.unit() as unit:
            put(unit, "a")
        assert reader.connection.scalar(select(func.count()).select_from(local_settings)) == 0
    assert names(store) == {"a"}


def test_a_reader_cannot_write(store: SqlStore):
    """A write through a reading unit is refused with a typed error."""
    with pytest.raises(StoreReadOnlyError), store.read() as unit:
        put(unit, "a")


def test_a_nested_unit_is_an_error_and_no_deadlock(store: SqlStore):
    """A unit inside a unit of the same thread is reported as the bug that it is."""
    with store.unit() as unit:
        put(unit, "a")
        with pytest.raises(NestedUnitError), store.unit():
            pass
    assert names(store) == {"a"}


def test_threads_take_turns(store: SqlStore):
    """Eight threads that add one to the same number lose no addition."""
    with store.unit() as unit:
        put(unit, "n", "0")

    def add(_: int) -> None:
        with store.unit() as unit:
            value = int(unit.connection.scalar(select(local_settings.c.value)) or 0)
            unit.connection.execute(local_settings.update().values(value=str(value + 1)))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(add, range(80)))
    with store.read() as unit:
        assert unit.connection.scalar(select(local_settings.c.value)) == "80"


def test_a_closed_store_says_so(folder: Path, key: Secret):
    """After closing, every way in raises a typed error; closing twice is fine."""
    store = SqlStore.open(folder, key)
    store.close()
    store.close()
    with pytest.raises(StoreClosedError), store.unit():
        pass
    with pytest.raises(StoreClosedError), store.read():
        pass
    assert not list(folder.glob("*-wal"))


def test_a_lost_transaction_never_lands_in_part(store: SqlStore):
    """After SQLite has rolled back by itself and the error was swallowed, no later statement lands alone (F5)."""

    def swallow(unit: Unit) -> None:
        put(unit, "a")
        unit.connection.exec_driver_sql("ROLLBACK")
        put(unit, "b")

    with pytest.raises(TransactionLostError), store.unit() as unit:
        swallow(unit)
    assert names(store) == set()


def test_another_writer_gives_a_typed_error(folder: Path, key: Secret, store: SqlStore):
    """When somebody else holds the write lock for too long, the error says so and what to do (F6)."""
    with (
        SqlStore.open(folder, key, tuning=Tuning(busy_s=0.05)) as other,
        store.unit(),
        pytest.raises(StoreBusyError) as caught,
        other.unit(),
    ):
        pass
    assert caught.value.remedy
    assert "locked" not in str(caught.value)


def test_a_forgotten_result_locks_nobody_out(folder: Path, key: Secret, store: SqlStore):
    """A result that was not read to its end is closed with its unit; later units of all stores go on (F6)."""
    with store.unit() as unit:
        for name in "abc":
            put(unit, name)
    with store.unit() as unit:
        forgotten = unit.connection.execute(select(local_settings.c.key))
        next(forgotten)
    with store.read() as unit:
        also_forgotten = unit.connection.execute(select(local_settings.c.key))
        next(also_forgotten)
    with SqlStore.open(folder, key) as other, other.unit() as unit:
        put(unit, "d")
    with store.unit() as unit:
        put(unit, "e")
    store.empty_wal()
    assert names(store) == set("abcde")
    with pytest.raises(ProgrammingError):
        forgotten.all()


def test_sync_and_empty_wal(store: SqlStore, folder: Path):
    """Each sync is a commit of its own and leaves data and settings as they are; emptying leaves no byte in the log."""

    def state() -> list[int]:
        with store.unit() as unit:
            asked = [f"PRAGMA {name}" for name in ("user_version", "synchronous", "foreign_keys")]
            return [int(unit.connection.exec_driver_sql(pragma).scalar_one()) for pragma in asked]

    port: Store[Unit] = store
    with port.unit() as unit:
        put(unit, "a")
    assert state() == [0, 1, 1]
    store.sync()
    store.sync()
    assert state() == [2, 1, 1]
    store.empty_wal()
    assert (folder / "auritas.db-wal").stat().st_size == 0
    assert names(store) == {"a"}
    with store.read(), store.unit() as unit:
        put(unit, "b")
    assert names(store) == {"a", "b"}


@pytest.mark.anyio
async def test_writes_return_what_they_return(store: SqlStore):
    """A queued write gives its own result, once it is committed."""
    assert await store.write(lambda unit: put(unit, "a")) == "a"
    assert names(store) == {"a"}


def held(store: SqlStore) -> tuple[Event, threading.Thread]:
    """Hold the write lock in a thread until the returned event is set."""
    started, release = Event(), Event()

    def hold() -> None:
        with store.unit():
            started.set()
            release.wait(10)

    thread = threading.Thread(target=hold)
    thread.start()
    started.wait(10)
    return release, thread


@pytest.mark.anyio
async def test_waiting_writes_share_a_commit(store: SqlStore):
    """A hundred writes that wait at the same moment need far fewer than a hundred commits."""
    release, thread = held(store)
    spawner = TaskSpawner()
    tasks = [spawner.spawn(str(n), store.write(lambda unit, n=n: put(unit, str(n)))) for n in range(100)]  # type: ignore[misc]
    await spawner.spawn("let them queue", store_settles())
    release.set()
    assert [await task for task in tasks] == [str(n) for n in range(100)]
    thread.join()
    assert store.commits <= 3
    assert len(names(store)) == 100


async def store_settles() -> None:
    """Let every task that was spawned before run to its first wait."""


@pytest.mark.anyio
async def test_an_error_belongs_to_one_write(store: SqlStore):
    """In one shared commit the failing write raises to its caller and rolls back alone."""
    release, thread = held(store)
    spawner = TaskSpawner()

    def fails(unit: Unit) -> None:
        put(unit, "gone")
        put(unit, "first")

    works = [lambda unit: put(unit, "first"), fails, lambda unit: put(unit, "last")]
    tasks = [spawner.spawn("write", store.write(work)) for work in works]
    await spawner.spawn("let them queue", store_settles())
    release.set()
    assert await tasks[0] == "first"
    with pytest.raises(IntegrityError):
        await tasks[1]
    assert await tasks[2] == "last"
    thread.join()
    assert names(store) == {"first", "last"}


@pytest.mark.anyio
async def test_a_full_disk_fails_the_write_and_not_the_store(folder: Path, key: Secret):
    """A write that fills the file raises a typed error, keeps nothing, and the next small write works (F5)."""
    with SqlStore.open(folder, key, tuning=Tuning(max_pages=300)) as store:
        with pytest.raises(StoreFullError) as caught:
            await store.write(lambda unit: put(unit, "big", "x" * 4_000_000))
        assert caught.value.exit_code == 5
        await store.write(lambda unit: put(unit, "small"))
        assert names(store) == {"small"}


@pytest.mark.anyio
async def test_closing_finishes_what_is_queued(folder: Path, key: Secret):
    """Writes queued before closing are committed; later ones are refused."""
    store = SqlStore.open(folder, key)
    release, thread = held(store)
    spawner = TaskSpawner()
    tasks = [spawner.spawn("write", store.write(lambda unit, n=n: put(unit, str(n)))) for n in range(5)]  # type: ignore[misc]
    await spawner.spawn("let them queue", store_settles())
    release.set()
    store.close()
    thread.join()
    for task in tasks:
        await task
    with pytest.raises(StoreClosedError):
        await store.write(lambda unit: put(unit, "late"))
    with SqlStore.open(folder, key) as again:
        assert names(again) == {str(n) for n in range(5)}


@pytest.mark.anyio
async def test_a_write_cannot_open_a_unit(store: SqlStore):
    """A queued write that opens a unit of its own is told that this is a bug."""

    def nested(_unit: Unit) -> None:
        with store.unit():
            pass

    with pytest.raises(NestedUnitError):
        await store.write(nested)


def test_errors_carry_code_and_remedy():
    """Every error of the store has its own code and an exit code of a documented kind."""
    from auritas.store import errors

    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, AuritasError)]
    own = [kind for kind in kinds if kind.__module__ == errors.__name__]
    assert len({kind.code for kind in own}) == len(own)
    assert {kind.exit_code for kind in own} <= {1, 3, 4, 5, 6}
