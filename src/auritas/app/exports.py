"""Writing what a person exports to a file that only that person can read, whole or not at all."""

from collections.abc import Iterable
from pathlib import Path

from auritas.kernel.errors import NotFoundError, RefusedError, UsageError
from auritas.store.home import create_private, os_failure


class FileExistsAlreadyError(RefusedError):
    """A file is there and was not to be replaced."""

    code = "file_exists"


def require_target(target: Path, *, force: bool) -> None:
    """Raise UsageError, NotFoundError or FileExistsAlreadyError unless `target` can be written."""
    if target.is_dir():
        raise UsageError(f"{target} is a folder.", remedy="Name a file in it.")
    if not target.absolute().parent.is_dir():
        raise NotFoundError(f"There is no folder {target.absolute().parent}.", remedy="Make it first.")
    if target.exists() and not force:
        raise FileExistsAlreadyError(f"{target} exists already.", remedy="Choose another name, or add --force.")


def write_private(target: Path, pieces: Iterable[str]) -> int:
    """Write pieces of text beside `target` and put them in its place at the end; return the bytes.

    Raises UnavailableError when the disk is full or protected; then `target` is as it was.
    """
    part, written = target.with_name(f".{target.name}.part"), 0
    try:
        part.unlink(missing_ok=True)
        create_private(part)
        with part.open("wb") as file:
            for piece in pieces:
                written += file.write(piece.encode())
        part.replace(target)
    except OSError as error:
        raise os_failure(target, error) from None
    finally:
        part.unlink(missing_ok=True)
    return written
