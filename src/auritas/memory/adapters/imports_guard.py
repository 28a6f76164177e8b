"""A file that is read as long as it is harmless: no entry larger, and nothing nested deeper, than a conversation is.

Parsing JSON holds one entry in memory, and for each level of nesting the names of all levels above it. A zip of one
megabyte can hold a text of a gigabyte, and two hundred kilobytes of brackets would take gigabytes.
"""

import re
from itertools import accumulate
from typing import IO, Final

ENTRY_BYTES: Final = 64 * 2**20
"""Of one conversation. The longest that people hold are of a few megabytes."""
LEVELS: Final = 200
"""Of nesting. Exports of conversations have about ten."""
_STRING: Final = re.compile(rb'"(?:[^"\\]++|\\.)*+"|(")(?:[^"\\]++|\\.)*+\\?\Z', re.DOTALL)
"""A whole string, or, with its quote as the group, one that goes on in what is read next."""
_NO_BRACKETS: Final = bytes(each for each in range(256) if each not in b"[]{}")


class CutOffError(Exception):
    """The file is damaged from here on; what was read before it stands."""


class GuardedFile:
    """Reads a file of JSON entries; `read` raises CutOffError where one is larger or deeper than any honest one."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._entry = 0
        self._depth = 0
        self._inside = b""

    def read(self, size: int = -1) -> bytes:
        """Return up to `size` bytes. Raises CutOffError."""
        data = self._file.read(size)
        self._entry += len(data)
        if self._entry > ENTRY_BYTES:
            raise CutOffError(f"a conversation is larger than {ENTRY_BYTES // 2**20} MB")
        self._follow(data)
        return data

    def entry_ended(self) -> None:
        """Say that an entry was read to its end."""
        self._entry = 0

    def _follow(self, data: bytes) -> None:
        """Count the levels; brackets inside of strings are none."""
        data = self._inside + data
        bare = _STRING.sub(rb"\1", data)
        self._inside = b""
        if bare.endswith(b'"'):
            escapes = len(data) - len(data.rstrip(b"\\"))
            self._inside = b'"\\' if escapes % 2 else b'"'
        steps = [1 if each in b"[{" else -1 for each in bare.translate(None, _NO_BRACKETS)]
        depths = list(accumulate(steps, initial=self._depth))
        if max(depths) > LEVELS:
            raise CutOffError(f"something in it is nested more than {LEVELS} levels deep")
        self._depth = depths[-1]
