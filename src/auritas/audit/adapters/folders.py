"""Folders: the memory of a witness, and an exported log."""

import fcntl
import json
import os
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from auritas.audit.errors import MalformedError
from auritas.audit.export import CHECKPOINT_PATH
from auritas.audit.note import SEED_BYTES, Note, Signer, VerifierKey
from auritas.audit.proof import TreeHead
from auritas.audit.witness import Seen
from auritas.kernel.errors import UsageError
from auritas.kernel.ids import Ids
from auritas.kernel.randomness import Entropy
from auritas.store.home import FILE_MODE, os_failure, replace_file, secure_folder

_KEY = "witness.json"
_LOCK = "witness.lock"


class FolderOccupiedError(UsageError):
    """The folder holds something else."""

    code = "folder_occupied"


class WitnessFolder:
    """Implements `audit.witness.Memory` on a folder of its own; the key lies there in the clear, mode 0600."""

    def __init__(self, folder: Path, entropy: Entropy, ids: Ids) -> None:
        self._folder = folder
        self._entropy = entropy
        self._ids = ids
        secure_folder(folder)

    def signer(self) -> Signer:
        path = self._folder / _KEY
        if not path.exists():
            seed = b64encode(self._entropy.token(SEED_BYTES)).decode()
            _write(path, {"name": f"auritas.invalid/{self._ids.new()}/witness/1", "seed": seed})
        kept = _read(path, "name", "seed")
        return Signer(kept["name"], b64decode(kept["seed"]))

    def seen(self, origin: str) -> Seen | None:
        path = self._log(origin)
        if not path.exists():
            return None
        kept = _read(path, "key", "note")
        return Seen(VerifierKey.parse(kept["key"]), TreeHead.parse(Note.parse(kept["note"]).text), kept["note"])

    def remember(self, seen: Seen) -> None:
        _write(self._log(seen.head.origin), {"key": str(seen.key), "note": seen.note})

    @contextmanager
    def alone(self) -> Iterator[None]:
        handle = os.open(self._folder / _LOCK, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, FILE_MODE)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield
        finally:
            os.close(handle)

    def _log(self, origin: str) -> Path:
        return self._folder / f"log-{sha256(origin.encode()).hexdigest()[:32]}.json"


def write_export(
    folder: Path, origin: str, files: Iterable[tuple[str, bytes]], progress: Callable[[int], None] | None = None
) -> int:
    """Write an exported log and return the number of files, of which `progress` is told.

    `folder` is empty, new, or holds an older export of the same log. Raises FolderOccupiedError otherwise, and what
    `store.home.os_failure` gives when the disk refuses.
    """
    written = 0
    try:
        _require_room(folder, origin)
    except OSError as error:
        raise os_failure(folder, error) from error
    for name, content in files:
        _write_part(folder / name, content, last=name == CHECKPOINT_PATH)
        written += 1
        if progress is not None:
            progress(written)
    return written


def _write_part(path: Path, content: bytes, *, last: bool) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not last:
            path.write_bytes(content)
            return
    except OSError as error:
        raise os_failure(path, error) from error
    replace_file(path, content)


def _require_room(folder: Path, origin: str) -> None:
    if not folder.exists() or not any(folder.iterdir()):
        return
    checkpoint = folder / CHECKPOINT_PATH
    if not checkpoint.is_file() or not checkpoint.read_text().startswith(origin + "\n"):
        raise FolderOccupiedError(f"{folder} holds other files.", remedy="Name an empty or a new folder.")


def _write(path: Path, content: dict[str, str]) -> None:
    replace_file(path, json.dumps(content, indent=1).encode())


def _read(path: Path, *names: str) -> dict[str, str]:
    try:
        content = json.loads(path.read_text())
        return {name: str(content[name]) for name in names}
    except (ValueError, KeyError, TypeError) as error:
        raise MalformedError(f"{path.name} of the witness is damaged.", remedy="Restore it from a copy.") from error
