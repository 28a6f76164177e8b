"""The use cases of embedded models over a real encrypted store: get, list, remove, test."""

import asyncio
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.unit.gateway.doubles import MemoryEgress
from tests.unit.gateway.engine_kit import HELLO, Desk, ending, token
from tests.unit.gateway.weights_kit import CONTENT, LocalIndex, make_model, make_wheels

from auritas.app.embedded import EmbeddedModels, NameTakenError
from auritas.audit.adapters.sql import SqlAuditLog
from auritas.gateway.adapters.embedded import ModelHost
from auritas.gateway.adapters.sources import WheelSource
from auritas.gateway.downloads import NotGgufError, Progress
from auritas.gateway.manifest import Manifest, UnknownModelError
from auritas.gateway.selftest import ModelRole
from auritas.kernel.clock import ManualClock
from auritas.kernel.errors import RefusedError, VerificationError
from auritas.kernel.ids import TimeOrderedIds
from auritas.kernel.log import Kind
from auritas.kernel.model import Params
from auritas.kernel.randomness import SeededRng, SystemEntropy
from auritas.kernel.tasks import TaskSpawner
from auritas.store.database import SqlStore
from auritas.store.schema import audit_log
from auritas.store.secret import Secret

pytestmark = pytest.mark.anyio

YES = [token('{"vote":"YES"}'), ending()]


@dataclass
class Place:
    """A home with one tiny model in its manifest, and everything that a test looks at."""

    folder: Path
    store: SqlStore
    index: LocalIndex
    egress: MemoryEgress
    desk: Desk
    host: ModelHost
    models: EmbeddedModels

    def entries(self, kind: Kind) -> int:
        with self.store.read() as unit:
            query = audit_log.select().where(audit_log.c.event_type == kind.value)
            return len(unit.connection.execute(query).all())


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    clock = ManualClock()
    log = SqlAuditLog(clock, SystemEntropy(), TimeOrderedIds(clock, SeededRng(1)))
    manifest = Manifest((make_model(make_wheels(tmp_path / "index")),))
    index, egress, desk = LocalIndex(tmp_path / "index"), MemoryEgress(), Desk(script=YES)
    host = desk.host()
    with SqlStore.open(tmp_path / "home", Secret(SystemEntropy().token(32))) as store:
        models = EmbeddedModels(
            tmp_path / "models",
            store=store,
            log=log,
            ledger=egress,
            host=host,
            clock=clock,
            sources=[WheelSource(index)],
            manifest=manifest,
        )
        yield Place(tmp_path, store, index, egress, desk, host, models)
        host.close()


async def test_a_fetched_model_is_listed_recorded_and_can_be_asked(place: Place):
    """After get the model is installed, has its audit entry, and its port answers."""
    assert [state.installed for state in place.models.list()] == [False]
    (state,) = await place.models.get("small")
    assert (state.name, state.installed, state.roles) == ("tiny", True, ())
    assert place.entries(Kind.MODEL) == 1
    (ready,) = place.models.installed()
    assert [part async for part in ready.port.answer(HELLO, Params())]
    assert place.desk.loaded == ["tiny.gguf"]


async def test_each_request_is_in_the_egress_ledger(place: Place):
    """One line for each wheel, with what was asked, for which model and why."""
    await place.models.get("tiny")
    assert [(o.host, o.url, o.model) for o in place.egress.records] == [
        ("package index", f"package index/part{n} 1.0", "tiny") for n in range(4)
    ]
    assert place.egress.records[0].purpose.why == "weights: tiny.gguf, 1 MiB to receive"


async def test_when_the_ledger_refuses_nothing_is_asked(place: Place):
    """A request that cannot be recorded is not sent."""
    place.egress.refuse = RefusedError("no")
    with pytest.raises(RefusedError):
        await place.models.get("tiny")
    assert place.index.asked == []


async def test_getting_twice_fetches_and_records_once(place: Place):
    """A model that is here is neither fetched nor announced again."""
    await place.models.get("tiny")
    await place.models.get("tiny")
    assert len(place.index.asked) == 4
    assert place.entries(Kind.MODEL) == 1


async def test_cancelling_a_get_stops_it_and_keeps_what_arrived(place: Place):
    """A cancelled get ends before the next report; the next get goes on from there (E4)."""
    arrived, go_on = threading.Event(), threading.Event()

    def wait_in_the_second_part(progress: Progress) -> None:
        if len(place.index.asked) == 2 and not arrived.is_set():
            arrived.set()
            go_on.wait(10)

    task = TaskSpawner().spawn("get", place.models.get("tiny", wait_in_the_second_part))
    await asyncio.to_thread(arrived.wait, 10)
    task.cancel()
    asyncio.get_running_loop().call_later(0.05, go_on.set)
    with pytest.raises(asyncio.CancelledError):
        await task
    await place.models.get("tiny")
    assert place.index.asked == ["part0", "part1", "part2", "part3"]


async def test_the_self_test_decides_what_a_model_may_do(place: Place):
    """A model that always says YES may hold the form and no more; the result is stored and in the audit log."""
    await place.models.get("tiny")
    (result,) = await place.models.self_test()
    assert (result.answers_right, result.votes_right) == (0, 6)
    (state,) = place.models.list()
    assert state.roles == (ModelRole.FORM_ONLY,)
    assert state.self_test == result
    assert place.entries(Kind.SELF_TEST) == 1


async def test_a_model_is_tested_once_unless_asked_again(place: Place):
    """An interrupted run goes on with what is missing; testing again uses another form."""
    await place.models.get("tiny")
    (first,) = await place.models.self_test()
    (same,) = await place.models.self_test("tiny")
    (again,) = await place.models.self_test(again=True)
    assert same == first
    assert (first.exam, again.exam) == ("1.0", "1.1")
    assert place.entries(Kind.SELF_TEST) == 2


async def test_files_that_were_there_already_are_used(place: Place):
    """A folder of fetched models serves a fresh home: nothing is fetched, and the self-test records the model."""
    (place.folder / "models").mkdir()
    (place.folder / "models" / "tiny.gguf").write_bytes(CONTENT)
    await place.models.self_test()
    assert place.models.installed()[0].self_test is not None
    assert place.index.asked == []


async def test_damaged_weights_are_refused_before_they_are_loaded(place: Place):
    """A file that changed on disk never reaches the engine."""
    await place.models.get("tiny")
    (place.folder / "models" / "tiny.gguf").write_bytes(CONTENT[:-1] + b"?")
    (ready,) = place.models.installed()
    with pytest.raises(VerificationError, match="is damaged"):
        await anext(ready.port.answer(HELLO, Params()))
    assert place.desk.loaded == []


async def test_removing_a_model_frees_disk_and_memory(place: Place):
    """A removed model is out of memory, off the disk, out of the store, and in the audit log."""
    await place.models.get("tiny")
    (ready,) = place.models.installed()
    assert [part async for part in ready.port.answer(HELLO, Params())]
    removed = await place.models.remove("tiny")
    assert removed.bytes == len(CONTENT)
    assert (place.host.loaded, place.models.installed()) == ((), ())
    assert place.entries(Kind.MODEL) == 2


async def test_a_file_of_the_users_own_is_used_where_it_lies(place: Place):
    """Any GGUF path becomes a model of its name; removing it forgets it and leaves the file alone."""
    path = place.folder / "mine.gguf"
    path.write_bytes(CONTENT)
    (state,) = await place.models.get(str(path))
    assert (state.name, state.own, state.installed) == ("mine", True, True)
    assert [ready.port.card.name for ready in place.models.installed()] == ["mine"]
    assert (await place.models.remove("mine")).bytes == 0
    assert path.exists()
    assert place.models.installed() == ()


async def test_own_files_are_checked_by_name_and_magic(place: Place):
    """A file that is no model, or has the name of a known one, is not taken in."""
    for name, content, refusal in (("odd", b"no model", NotGgufError), ("tiny", CONTENT, NameTakenError)):
        (place.folder / f"{name}.gguf").write_bytes(content)
        with pytest.raises(refusal):
            await place.models.get(str(place.folder / f"{name}.gguf"))


async def test_unknown_names_are_answered_with_the_nearest(place: Place):
    """Getting, removing or testing what does not exist says what does."""
    with pytest.raises(UnknownModelError, match="'tiny'"):
        await place.models.get("tinyy")
    with pytest.raises(UnknownModelError):
        await place.models.remove("nobody")
    with pytest.raises(UnknownModelError):
        await place.models.self_test("nobody")
