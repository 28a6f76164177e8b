"""The panic wipe: first the key, then the files. Nothing is asked and nothing is written down.

Without the key everything that was ever written with it is noise, wherever a copy of it may be. Three things are out
of reach: a key that another running process still holds in memory, a backup that has a passphrase of its own, and old
blocks that a copy-on-write file system or a flash disk keeps for a while.
"""

import os
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from auritas.store.home import Home, sync_folder
from auritas.store.keychain import Keychain
from auritas.store.keys import destroy

_HEAD_BYTES = 64 * 1024
"""Covers the salt of a database, and header and wrapped key of a backup."""


@dataclass(frozen=True, slots=True)
class Wiped:
    """What is gone, and what could not be removed. keyring_left: the key is still in the operating system's keyring."""

    removed: tuple[Path, ...]
    left: tuple[Path, ...]
    keyring_left: bool = False


def panic(folder: Path, *, keychain: Keychain | None = None, more: Iterable[Path] = ()) -> Wiped:
    """Destroy the key, the database with everything beside it, all backups in the folder, and the files in `more`.

    Only files that are ours are removed: a data folder that is somebody's home stays one. It does not stop at a file
    that resists; a second call is fine.
    """
    home = Home(folder)
    sealed = [home.envelope] if home.envelope.exists() else []
    keyring_left = not destroy(folder, keychain=keychain)
    ours = [*folder.glob("auritas.db*"), *folder.glob("restore.*"), *folder.glob("key.json*"), *more]
    ours += [*home.backups.glob("*.backup"), *home.backups.glob(".auritas-*"), home.lock, home.key_lock]
    present = [path for path in ours if path.is_file()]
    removed = tuple(path for path in present if _wiped(path))
    for emptied in (home.backups, folder):
        with suppress(OSError):
            sync_folder(emptied)
            emptied.rmdir()
    gone = tuple(path for path in sealed if not path.exists())
    left = tuple(path for path in (*sealed, *present) if path.exists())
    return Wiped(gone + removed, left, keyring_left)


def _wiped(path: Path) -> bool:
    with suppress(OSError), path.open("r+b") as file:
        size = os.fstat(file.fileno()).st_size
        os.pwrite(file.fileno(), bytes(min(size, _HEAD_BYTES)), 0)
        os.fsync(file.fileno())
    with suppress(OSError):
        path.unlink()
        return True
    return False
