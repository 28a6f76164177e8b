"""The one file of a backup: header, encrypted database, seal.

    16 bytes  "AURITAS BACKUP" 0x00 0x01 (the last byte is the format)
     4 bytes  length of the header, big-endian
        …     header: canonical JSON {v, created_at, schema, size, envelope, outer}
        …     the database, `size` bytes, encrypted page by page with the backup's own random key
    32 bytes  HMAC-SHA-256 over everything before, under a key derived from the backup's key

`envelope` holds the backup's key under a passphrase, or under the key of the store it was made from; then `outer` is
that store's own envelope (without a key in the clear), so that a store with a passphrase can be restored anywhere by
that passphrase. The file holds nothing readable but the header.
"""

import hmac
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from auritas.kernel.canonical import Json, canonical
from auritas.kernel.errors import InvalidError, VerificationError
from auritas.store.envelope import Envelope, EnvelopeDamagedError, from_fields
from auritas.store.secret import Secret

MAGIC = b"AURITAS BACKUP\x00\x01"
FORMAT = 1
_LENGTH_BYTES = 4
_HEADER_AT_MOST = 2**16
_SEAL_BYTES = 32
_CHUNK = 2**20


class BackupDamagedError(VerificationError):
    """The file is no backup, is cut short, or is not what was written."""

    code = "backup_damaged"


@dataclass(frozen=True, slots=True)
class Header:
    """What stands in front. size: bytes of the database. schema: its version. outer: see the format."""

    created_at: str
    schema: str
    size: int
    envelope: Envelope
    outer: Envelope | None

    def encode(self) -> bytes:
        """Return magic, length and header as they stand in the file."""
        fields: dict[str, Json] = {
            "v": FORMAT,
            "created_at": self.created_at,
            "schema": self.schema,
            "size": self.size,
            "envelope": self.envelope.fields(),
            "outer": None if self.outer is None else self.outer.fields(),
        }
        return _front(canonical(fields))


def write(file: IO[bytes], header: Header, database: IO[bytes], key: Secret, progress: Callable[[int], None]) -> None:
    """Write a whole backup to `file`; `progress` hears how many bytes of the database are written."""
    seal = _seal(key)
    front = header.encode()
    seal.update(front)
    file.write(front)
    done = 0
    for chunk in _chunks(database, header.size):
        seal.update(chunk)
        file.write(chunk)
        done += len(chunk)
        progress(done)
    file.write(seal.digest())


def read_header(file: IO[bytes], path: Path) -> Header:
    """Read the header and stop before the database. Raises BackupDamagedError."""
    if file.read(len(MAGIC)) != MAGIC:
        raise BackupDamagedError(
            f"{path} is no backup that this Auritas reads.", remedy="Check the name of the file, or update Auritas."
        )
    length = int.from_bytes(file.read(_LENGTH_BYTES), "big")
    if length > _HEADER_AT_MOST:
        raise damaged_backup(path)
    return _header(file.read(length), path)


def _header(text: bytes, path: Path) -> Header:
    try:
        fields = json.loads(text)
        outer = None if fields["outer"] is None else from_fields(fields["outer"])
        envelope = from_fields(fields["envelope"])
        header = Header(str(fields["created_at"]), str(fields["schema"]), int(fields["size"]), envelope, outer)
        written = header.encode()
    except (ValueError, KeyError, TypeError, RecursionError, InvalidError, EnvelopeDamagedError) as error:
        raise damaged_backup(path) from error
    if written != _front(text) or header.size < 0:  # another spelling of the same is not what was written
        raise damaged_backup(path)
    return header


def _front(text: bytes) -> bytes:
    return MAGIC + len(text).to_bytes(_LENGTH_BYTES, "big") + text


def copy_database(
    file: IO[bytes], header: Header, key: Secret, out: IO[bytes] | None, *, progress: Callable[[int], None], path: Path
) -> None:
    """Check the seal of what follows the header, and write the database to `out` if one is given.

    Nothing of `out` may be used when this raises BackupDamagedError.
    """
    seal = _seal(key)
    seal.update(header.encode())
    done = 0
    for chunk in _chunks(file, header.size):
        seal.update(chunk)
        if out is not None:
            out.write(chunk)
        done += len(chunk)
        progress(done)
    found = file.read(_SEAL_BYTES + 1)
    if done != header.size or not hmac.compare_digest(found, seal.digest()):
        raise damaged_backup(path)


def _seal(key: Secret) -> Any:
    return hmac.new(hmac.digest(key.reveal(), b"auritas backup seal 1", "sha256"), digestmod="sha256")


def _chunks(file: IO[bytes], size: int) -> Iterator[bytes]:
    while size > 0 and (chunk := file.read(min(_CHUNK, size))):
        size -= len(chunk)
        yield chunk


def damaged_backup(path: Path) -> BackupDamagedError:
    """Return the error for a file that is not what was written."""
    return BackupDamagedError(
        f"{path} is damaged or cut short; nothing was changed.", remedy="Use another backup: `auritas restore FILE`."
    )
