"""The token of this installation: a private file, by which the command line talks to the server."""

import hmac
import os
from contextlib import suppress
from pathlib import Path

from auritas.app.access import secret_of
from auritas.kernel.randomness import Entropy, SystemEntropy
from auritas.store.home import FILE_MODE, os_failure, replace_file, secure_folder, sync_folder

FILE = "server.token"
PREFIX = "aui_"


class InstallToken:
    """256 random bits in `server.token`. Whoever can read the home may use them, also while the store is locked."""

    def __init__(self, home: Path, entropy: Entropy) -> None:
        self._path, self._entropy = home / FILE, entropy

    def read_or_make(self) -> str:
        """Return the token, making it at the first call of all. Raises the errors of `store.home.os_failure`."""
        return self._read() or self._make()

    def rotate(self) -> str:
        """Replace the token; a running server takes the new one from its next call on."""
        secure_folder(self._path.parent)
        fresh = secret_of(self._entropy, PREFIX)
        replace_file(self._path, fresh.encode() + b"\n")
        return fresh

    def matches(self, secret: str) -> bool:
        """Whether `secret` is the token now, compared in constant time."""
        if not secret.startswith(PREFIX):
            return False
        kept = self._read()
        return kept is not None and hmac.compare_digest(kept.encode(), secret.encode("utf-8", "surrogatepass"))

    def _read(self) -> str | None:
        try:
            return self._path.read_text(encoding="ascii").strip() or None
        except FileNotFoundError:
            return None
        except UnicodeDecodeError:
            return None
        except OSError as error:
            raise os_failure(self._path, error) from error

    def _make(self) -> str:
        secure_folder(self._path.parent)
        # A link fails where the name is taken: of two that start at once, one makes it and both read it whole.
        fresh = self._path.with_name(f"{FILE}.{self._entropy.token(8).hex()}")
        try:
            handle = os.open(fresh, os.O_CREAT | os.O_EXCL | os.O_WRONLY, FILE_MODE)
            with os.fdopen(handle, "w", encoding="ascii") as file:
                file.write(secret_of(self._entropy, PREFIX) + "\n")
                os.fsync(file.fileno())
            with suppress(FileExistsError):
                os.link(fresh, self._path)
            fresh.unlink()
            sync_folder(self._path.parent)
        except OSError as error:
            with suppress(OSError):
                fresh.unlink(missing_ok=True)
            raise os_failure(self._path, error) from error
        return self._read() or self.rotate()


def install_token(home: Path) -> InstallToken:
    """Return the install token of a home."""
    return InstallToken(home, SystemEntropy())
