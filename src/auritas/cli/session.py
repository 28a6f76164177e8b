"""Opening the store from a terminal: passphrases are asked here, and what a person must know is said here."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from auritas.kernel.errors import RefusedError

if TYPE_CHECKING:
    from auritas.app.compose import Auritas


class NoTerminalError(RefusedError):
    """A passphrase is needed, and nobody can type one."""

    code = "no_terminal"


STORE_REMEDY = "Put it on the first line of a file that only you can read and set AURITAS_PASSPHRASE_FILE."


def ask_passphrase(prompt: str, remedy: str = STORE_REMEDY) -> str:
    """Read a passphrase without showing it. Raises NoTerminalError, with `remedy`, where there is no terminal."""
    if not sys.stdin.isatty():
        raise NoTerminalError("A passphrase is needed, and there is no terminal to ask for it.", remedy=remedy)
    from getpass import getpass

    return getpass(f"{prompt}: ", stream=sys.stderr)


def new_passphrase(remedy: str) -> str:
    """Read a new passphrase twice; `remedy` says how to give it without a terminal."""
    while True:
        first = ask_passphrase("New passphrase", remedy)
        if first == ask_passphrase("Once more", remedy):
            return first
        sys.stderr.write("They differ; try again.\n")


@contextmanager
def opened() -> Iterator["Auritas"]:
    """Open everything, say what a person must know about the key, and close it properly."""
    from auritas.app.compose import opened as composed
    from auritas.cli.screen import err, plain

    with composed(ask_passphrase) as auritas:
        for notice in auritas.notices:
            err.print(plain(f"! {notice} Do it now: auritas config passphrase", "yellow"))
        yield auritas
