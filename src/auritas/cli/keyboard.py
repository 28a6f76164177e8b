"""Single keys from a terminal, as they are pressed."""

import codecs
import os
import select
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum

ESCAPE_WAIT_S = 0.05
"""How long after an escape the rest of an arrow key may take; without it, it was the key Esc."""
_LONGEST_SEQUENCE = 16


class Key(StrEnum):
    """Keys that are no letters."""

    UP = "up"
    DOWN = "down"
    ENTER = "enter"
    BACK = "back"
    CLEAR = "clear"
    LEAVE = "leave"
    OTHER = "other"


_CONTROLS = {
    "\r": Key.ENTER,
    "\n": Key.ENTER,
    "\x7f": Key.BACK,
    "\b": Key.BACK,
    "\x15": Key.CLEAR,
    "\x03": Key.LEAVE,
    "\x04": Key.LEAVE,
    "\x10": Key.UP,
    "\x0e": Key.DOWN,
}
_SEQUENCES = {"\x1b[A": Key.UP, "\x1bOA": Key.UP, "\x1b[B": Key.DOWN, "\x1bOB": Key.DOWN, "\x1b": Key.LEAVE}


def read_key(pressed: str) -> Key | str:
    """Return the key behind what a terminal sent: a letter as itself."""
    if pressed.startswith("\x1b"):
        return _SEQUENCES.get(pressed, Key.OTHER)
    return _CONTROLS.get(pressed, pressed if pressed.isprintable() else Key.OTHER)


def more_waits() -> bool:
    """Return whether further keys were pressed already: what would be shown for the last one is stale then."""
    return bool(select.select([sys.stdin.fileno()], [], [], 0)[0])


@contextmanager
def keys() -> Iterator[Iterator[Key | str]]:
    """Yield keys one by one while the terminal neither shows nor collects them; afterwards it is as it was."""
    import termios
    import tty

    keyboard = sys.stdin.fileno()
    before = termios.tcgetattr(keyboard)
    tty.setraw(keyboard, termios.TCSADRAIN)
    quiet = termios.tcgetattr(keyboard)
    quiet[1] = before[1]  # what is written keeps its line ends
    termios.tcsetattr(keyboard, termios.TCSADRAIN, quiet)
    try:
        yield _read(keyboard)
    finally:
        termios.tcsetattr(keyboard, termios.TCSADRAIN, before)


def _read(keyboard: int) -> Iterator[Key | str]:
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    while data := os.read(keyboard, 1):
        for letter in decoder.decode(data):
            yield read_key(letter + _rest(keyboard) if letter == "\x1b" else letter)


def _rest(keyboard: int) -> str:
    """Return what belongs to an escape: up to the letter that ends the sequence (ECMA-48, section 5.4)."""
    found = ""
    while len(found) < _LONGEST_SEQUENCE and select.select([keyboard], [], [], ESCAPE_WAIT_S)[0]:
        found += os.read(keyboard, 1).decode("ascii", "replace")
        if found[0] not in "[O" or (len(found) > 1 and "@" <= found[-1] <= "~"):
            break
    return found
