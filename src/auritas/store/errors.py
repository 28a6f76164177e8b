"""What can go wrong with the file, in words that say what to do, and how SQLite's codes become these."""

from pathlib import Path

from sqlcipher3 import dbapi2

from auritas.kernel.errors import AuritasError, NotFoundError, RefusedError, UnavailableError, VerificationError

# Primary result codes: sqlite.org/rescode.html
_BUSY, _LOCKED, _READONLY, _IOERR, _CORRUPT, _FULL, _CANTOPEN, _NOTADB = 5, 6, 8, 10, 11, 13, 14, 26
_PRIMARY = 0xFF


class StoreBusyError(UnavailableError):
    """Another process holds the file for longer than anybody should."""

    code = "store_busy"


class StoreInUseError(UnavailableError):
    """The file is open elsewhere, and what was asked for needs it alone."""

    code = "store_in_use"


class StoreReadOnlyError(UnavailableError):
    """The file or its folder cannot be written."""

    code = "store_read_only"


class SharedFolderError(RefusedError):
    """The data folder is one that other users need."""

    code = "shared_folder"


class StoreFullError(UnavailableError):
    """The disk, a quota or a limit is full; nothing of the change was kept."""

    code = "store_full"


class StoreIoError(UnavailableError):
    """The operating system failed to read or write; nothing of the change was kept."""

    code = "store_io"


class StoreUnreachableError(UnavailableError):
    """The file or its folder cannot be opened."""

    code = "store_unreachable"


class StoreDamagedError(VerificationError):
    """Bytes of the file are not what was written."""

    code = "store_damaged"


class WrongKeyError(VerificationError):
    """The key does not open the file."""

    code = "wrong_key"


class PlaintextError(RefusedError):
    """The file is not encrypted, and nothing of ours ever is not."""

    code = "plaintext"


class NewerSchemaError(RefusedError):
    """A newer Auritas wrote the file."""

    code = "newer_schema"


class NestedUnitError(AuritasError):
    """A unit of work was opened inside another of the same thread: a bug, which would wait for itself for ever."""

    code = "nested_unit"


class TransactionLostError(StoreIoError):
    """SQLite has rolled the transaction back by itself after a failure that somebody ignored."""

    code = "transaction_lost"


class StoreClosedError(UnavailableError):
    """The store is closed."""

    code = "store_closed"


class NoStoreError(NotFoundError):
    """There is no database where one was expected."""

    code = "no_store"


_MEANING: dict[int, tuple[type[AuritasError], str, str]] = {
    _BUSY: (
        StoreBusyError,
        "Another Auritas process has been writing for too long.",
        "Wait a moment and try again; stop a process that hangs.",
    ),
    _READONLY: (
        StoreReadOnlyError,
        "{path} cannot be written.",
        "Make {folder} writable for you, or set AURITAS_HOME to a folder that is.",
    ),
    _FULL: (
        StoreFullError,
        "There is no room left for the database; the change was not kept.",
        "Free space on the disk of {folder} and try again.",
    ),
    _IOERR: (
        StoreIoError,
        "The disk refused to read or write (disk I/O error); the change was not kept.",
        "Check space, quota and health of the disk of {folder}, then run `auritas doctor`.",
    ),
    _CANTOPEN: (
        StoreUnreachableError,
        "{path} cannot be opened.",
        "Check that {folder} exists, belongs to you and is on a writable disk.",
    ),
}
_SAME = {_LOCKED: _BUSY}
_UNDECODABLE = "Could not decode to UTF-8"
"""How the driver, not SQLite, complains about text that is no UTF-8; it has no code, and it quotes the text."""


def translated(error: BaseException, path: Path) -> AuritasError | None:
    """Return the typed error for a driver's exception about the database at `path`, or None when it is a bug's."""
    code = getattr(error, "sqlite_errorcode", None)
    if not isinstance(code, int):
        undecodable = isinstance(error, dbapi2.OperationalError) and str(error).startswith(_UNDECODABLE)
        return damaged(path, "A text in it is no text") if undecodable else None
    primary = _SAME.get(code & _PRIMARY, code & _PRIMARY)
    if primary in {_CORRUPT, _NOTADB}:
        return damaged(path)
    if primary not in _MEANING:
        return None
    kind, message, remedy = _MEANING[primary]
    return kind(message.format(path=path), remedy=remedy.format(folder=path.parent))


def damaged(path: Path, detail: str = "A page is not what was written") -> StoreDamagedError:
    """Return the error for bytes that were changed or lost."""
    return StoreDamagedError(
        f"{path} is damaged. {detail}.",
        remedy="Keep the file, run `auritas doctor`, and restore a backup with `auritas restore FILE`.",
    )
