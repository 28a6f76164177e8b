"""Keeps what a model has read of the stable beginning of our prompts, so that a new process need not read it again.

Reading a beginning of 150 tokens takes the largest model eight seconds on one core, and fetching it back a few
milliseconds. Only beginnings that are constants of this program are kept: no word of a user's comes into such a file.
A file carries its own hash, because a damaged one would be a model that has silently read something else.
"""

import hashlib
import http.client
import json
import os
import socket
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Any

_DIGEST_BYTES = hashlib.sha256().digest_size
_NAME_CHARACTERS = 16
_WAIT_S = 10.0


@dataclass(frozen=True, slots=True)
class PrefixFile:
    """Where one model keeps one beginning. A beginning read in another way (engine, window) has another name."""

    folder: Path
    model: str
    """Digest of the weights."""
    prefix: str
    """Digest of the beginning."""
    setting: str
    """Of the engine that read it."""

    @property
    def path(self) -> Path:
        """The file."""
        return self.folder / f"{self._stem}{_short(self.setting)}.prefix"

    def load(self) -> bytes | None:
        """Return what was kept, or None if there is nothing that can be trusted."""
        with suppress(OSError):
            kept = self.path.read_bytes()
            if hashlib.sha256(kept[_DIGEST_BYTES:]).digest() == kept[:_DIGEST_BYTES]:
                return kept[_DIGEST_BYTES:]
        return None

    def save(self, state: bytes) -> None:
        """Keep `state`, in place of what other settings kept, whole or not at all: a full disk keeps nothing."""
        with suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            descriptor, fresh = tempfile.mkstemp(dir=self.folder, prefix=".new-")  # mode 0600
            try:
                with os.fdopen(descriptor, "wb") as file:
                    file.write(hashlib.sha256(state).digest() + state)
                for old in self.folder.glob(f"{self._stem}*.prefix"):
                    old.unlink(missing_ok=True)
                Path(fresh).replace(self.path)
            finally:
                Path(fresh).unlink(missing_ok=True)

    @property
    def _stem(self) -> str:
        return f"{_short(self.model)}-{_short(self.prefix)}-"


class Slot:
    """The engine's one slot, through its listener in `folder`; it reads and writes files of that folder only."""

    def __init__(self, folder: Path, listener: Path, key: str) -> None:
        self._folder = folder
        self._listener = listener
        self._key = key

    def dump(self) -> bytes | None:
        """Return the slot's state, or None if the engine cannot give it."""
        path = self._folder / "slot"
        try:
            return path.read_bytes() if self._ask("save", path.name) else None
        except OSError:
            return None
        finally:
            path.unlink(missing_ok=True)

    def fill(self, state: bytes) -> bool:
        """Put a state into the slot; return whether the engine took it."""
        path = self._folder / "slot"
        try:
            path.write_bytes(state)
            return self._ask("restore", path.name)
        except OSError:
            return False
        finally:
            path.unlink(missing_ok=True)

    def _ask(self, action: str, name: str) -> bool:
        connection = _Local(self._listener)
        headers = {"authorization": f"Bearer {self._key}", "content-type": "application/json"}
        try:
            connection.request("POST", f"/slots/0?action={action}", json.dumps({"filename": name}), headers)
            return connection.getresponse().status == HTTPStatus.OK
        except Exception:  # noqa: BLE001  whatever it is, also a guard against sockets: then the prompt is read anew
            return False
        finally:
            connection.close()


class _Local(http.client.HTTPConnection):
    def __init__(self, listener: Path) -> None:
        super().__init__("localhost", timeout=_WAIT_S)
        self._listener = listener

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(_WAIT_S)
        self.sock.connect(str(self._listener))


def forget(folder: Path, model: str) -> None:
    """Remove all that the model of that digest has kept."""
    for path in folder.glob(f"{_short(model)}-*.prefix"):
        path.unlink(missing_ok=True)


def digest(body: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a request."""
    return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()


def _short(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:_NAME_CHARACTERS]
