"""The folder of weights: finds files, fetches missing ones from ordered sources, checks them, removes them."""

import contextlib
import errno
import fcntl
import json
import os
import shutil
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from auritas.gateway.adapters.sources import sha256_of
from auritas.gateway.downloads import (
    GGUF_MAGIC,
    DiskTooSmallError,
    Job,
    NotGgufError,
    OnFetch,
    OnProgress,
    Progress,
    Source,
    SourceError,
    WeightsUnavailableError,
    WrongHashError,
    bytes_needed,
)
from auritas.gateway.manifest import ModelSpec, WeightFile
from auritas.kernel.errors import UnavailableError, VerificationError

_LOCK_POLL_S = 0.2


class ModelNotInstalledError(UnavailableError):
    """A file of the model is not on this machine."""

    code = "model_not_installed"

    def __init__(self, name: str) -> None:
        super().__init__(
            f"The weights of {name} are not installed.",
            remedy=f"Fetch them: under Settings, Models, or by auritas models get {name}",
        )


class DamagedWeightsError(VerificationError):
    """A file on disk is not the file that was installed."""

    code = "weights_damaged"

    def __init__(self, path: Path, name: str) -> None:
        super().__init__(
            f"{path} is damaged: its size or SHA-256 is not that of {name}.",
            remedy=f"Remove it and fetch it again: auritas models remove {name} && auritas models get {name}",
        )


@dataclass(frozen=True, slots=True)
class OwnModel:
    """A GGUF file that the user brought: there is no hash to compare with, so its own becomes its digest."""

    path: Path
    digest: str
    bytes: int


def _free_bytes(folder: Path) -> int:
    return shutil.disk_usage(folder).free


class Weights:
    """One folder of weights.

    sources: tried in order. on_fetch: told of each request before it is sent. free_bytes: free space of a folder.
    """

    def __init__(
        self,
        folder: Path,
        sources: Sequence[Source],
        *,
        on_fetch: OnFetch,
        free_bytes: Callable[[Path], int] = _free_bytes,
    ) -> None:
        self._folder = folder
        self._sources = tuple(sources)
        self._on_fetch = on_fetch
        self._free_bytes = free_bytes

    def find(self, file: WeightFile) -> Path | None:
        """Return where a file of the right size lies, or None."""
        path = self._folder / file.path
        return path if path.is_file() and path.stat().st_size == file.bytes else None

    def installed(self, model: ModelSpec) -> bool:
        """Return whether every file of the model is here with the right size."""
        return all(self.find(file) for file in model.files)

    def verified(self, model: ModelSpec) -> tuple[Path, ...]:
        """Return the paths of a model's files, each checked against its hash since it last changed.

        Raises ModelNotInstalledError and DamagedWeightsError.
        """
        return tuple(self._verified(file, model.name) for file in model.files)

    def checked(self, path: Path, sha256: str, name: str = "") -> Path:
        """Return `path` if it has that hash; it is computed anew only when the file has changed since the last time.

        Raises ModelNotInstalledError and DamagedWeightsError.
        """
        name = name or path.stem
        if not path.is_file():
            raise ModelNotInstalledError(name)
        if self._stamps().get(str(path)) != _stamp(path, sha256):
            if sha256_of(path) != sha256:
                raise DamagedWeightsError(path, name)
            self._remember(path, sha256)
        return path

    def get(self, model: ModelSpec, progress: OnProgress, *, first: Sequence[Source] = ()) -> tuple[Path, ...]:
        """Fetch what is missing and return the paths of the model's files. first: sources to try before the others.

        Raises WeightsUnavailableError when no source delivers, DiskTooSmallError before anything is sent, and whatever
        `progress` raises to stop; what has arrived by then is used by the next call.
        """
        if not self.installed(model):
            with self._locked(model, progress):
                for file in model.files:
                    self._get(model, file, (*first, *self._sources), progress)
                shutil.rmtree(self._partial(model), ignore_errors=True)
        return tuple(self._folder / file.path for file in model.files)

    def remove(self, model: ModelSpec) -> int:
        """Remove a model's files and partial data from the folder; return the bytes freed."""
        freed = 0
        for file in model.files:
            path = self._folder / file.path
            if path.is_file():
                freed += path.stat().st_size
                path.unlink()
        shutil.rmtree(self._partial(model), ignore_errors=True)
        return freed

    def _get(self, model: ModelSpec, file: WeightFile, sources: Sequence[Source], progress: OnProgress) -> None:
        """Fetch one file from the first source that delivers it."""
        if self.find(file):  # fetched before, or by another process while this one waited for the lock
            return
        self._check_disk(model, file)
        reasons = []
        for source in sources:
            if not source.offers(file):
                continue
            job = self._job(model, file, source, progress)
            try:
                source.fetch(job)
                self._accept(job, source)
            except (SourceError, WrongHashError) as error:
                reasons.append(error.message)
            else:
                return
        raise WeightsUnavailableError(file.path, reasons)

    def _job(self, model: ModelSpec, file: WeightFile, source: Source, progress: OnProgress) -> Job:
        partial = self._partial(model)
        folder = partial / source.name.replace(" ", "-") / file.sha256[:16]
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)

        most = 0

        def report(done: int) -> None:
            nonlocal most
            most = max(most, done)  # a wheel that arrives and is then unpacked is not shown twice
            progress(Progress(file.path, most, file.bytes, source.name))

        report(0)
        return Job(file, folder, partial / "wheels", report, self._on_fetch)

    def _accept(self, job: Job, source: Source) -> None:
        """Put a whole file in its place if its hash is right; remove it otherwise. Raises WrongHashError."""
        target = self._folder / job.file.path
        if sha256_of(job.joined) != job.file.sha256:
            shutil.rmtree(job.folder)
            raise WrongHashError(job.file.path, f"the source {source.name!r}")
        job.joined.chmod(0o600)
        _sync(job.joined)
        target.parent.mkdir(exist_ok=True, mode=0o700)
        job.joined.replace(target)
        self._remember(target, job.file.sha256)

    def _check_disk(self, model: ModelSpec, file: WeightFile) -> None:
        already = max((p.stat().st_size for p in self._partial(model).glob(f"*/{file.sha256[:16]}/joined")), default=0)
        needed, free = bytes_needed(file, already), self._free_bytes(self._folder)
        if free < needed:
            raise DiskTooSmallError(self._folder, needed, free)

    def _verified(self, file: WeightFile, name: str) -> Path:
        path = self._folder / file.path
        if not path.exists():
            raise ModelNotInstalledError(name)
        if self.find(file) is None:
            raise DamagedWeightsError(path, name)
        return self.checked(path, file.sha256, name)

    def _partial(self, model: ModelSpec) -> Path:
        return self._folder / ".partial" / model.name

    @contextlib.contextmanager
    def _locked(self, model: ModelSpec, progress: OnProgress) -> Iterator[None]:
        """Hold the model's lock; while another process holds it, keep calling `progress`, so that waiting can stop."""
        partial = self._partial(model)
        for folder in (self._folder, partial.parent):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with partial.with_name(f"{model.name}.lock").open("w") as lock:
            while not _try_lock(lock.fileno()):
                progress(Progress(model.files[0].path, 0, model.files[0].bytes, "another process"))
                threading.Event().wait(_LOCK_POLL_S)
            yield

    def _stamps(self) -> dict[str, object]:
        with contextlib.suppress(OSError, ValueError):
            stamps = json.loads((self._folder / ".verified.json").read_text(encoding="utf-8"))
            return stamps if isinstance(stamps, dict) else {}
        return {}

    def _remember(self, path: Path, sha256: str) -> None:
        """Write down that the file was checked as it is now; a folder that cannot be written is checked each time."""
        stamps = self._stamps() | {str(path): _stamp(path, sha256)}
        with contextlib.suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            fresh = self._folder / ".verified.new"
            fresh.write_text(json.dumps(stamps), encoding="utf-8")
            fresh.replace(self._folder / ".verified.json")


def own_model(path: Path) -> OwnModel:
    """Return the digest and size of a GGUF file of the user's. Raises NotGgufError, or ModelNotInstalledError."""
    if not path.is_file():
        raise ModelNotInstalledError(str(path))
    with path.open("rb") as file:
        if file.read(len(GGUF_MAGIC)) != GGUF_MAGIC:
            raise NotGgufError(path)
    return OwnModel(path.resolve(), sha256_of(path), path.stat().st_size)


def _stamp(path: Path, sha256: str) -> list[object]:
    found = path.stat()
    return [sha256, found.st_size, found.st_mtime_ns, found.st_ino]


def _try_lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno not in (errno.EACCES, errno.EAGAIN):
            raise
        return False
    return True


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
