"""Showing a reply while it is written: only what a person should read, each character looked at once."""

import re
from enum import Enum, auto

SHOWN_FIELDS = ("answer", "explanation")
CLOSING_LINES = ("answer:", "confidence:", "domains:")

_ESCAPED = {"n": "\n", "t": "\t", "r": "\n", "b": "", "f": "", '"': '"', "\\": "\\", "/": "/"}
_UNICODE_DIGITS = 4
_WORD = re.compile(r"\w")
_FENCE, _BARE_FENCE = "```json", "```"
_LONGEST_KEY = 64
"""No key of ours is longer; the rest of such a key need not be kept."""


class ReplyStream:
    """Turns the raw pieces of a reply into readable text.

    A JSON object shows the values of `answer` and `explanation`; prose shows everything but its closing lines.
    """

    def __init__(self) -> None:
        self._start = ""
        self._form: JsonFields | ProseLines | None = None

    def feed(self, piece: str) -> str:
        """Take the next piece and return what became readable by it."""
        if self._form is not None:
            return self._form.feed(piece)
        self._start = (self._start + piece).lstrip()
        body = self._start.removeprefix(_FENCE).removeprefix(_BARE_FENCE).lstrip()
        if not body or _FENCE.startswith(self._start):
            return ""
        self._form = JsonFields() if body.startswith("{") else ProseLines()
        return self._form.feed(self._start)

    def close(self) -> str:
        """Return what was held back at the end."""
        return self._form.close() if self._form is not None else self._start


class _Line(Enum):
    UNDECIDED = auto()
    SHOWN = auto()
    HIDDEN = auto()


class ProseLines:
    """Hides the lines `ANSWER:`, `CONFIDENCE:` and `DOMAINS:`, and holds a line back while it may become one."""

    def __init__(self) -> None:
        self._held: list[str] = []
        self._start = ""
        self._line = _Line.UNDECIDED

    def feed(self, piece: str) -> str:
        """Take the next piece and return what became readable by it."""
        return "".join(self._character(character) for character in piece)

    def close(self) -> str:
        """Return what was held back at the end."""
        held, self._held, self._start = "".join(self._held), [], ""
        return held

    def _character(self, character: str) -> str:
        before = self._line
        if character == "\n":
            self._line = _Line.UNDECIDED
            return "" if before is _Line.HIDDEN else self.close() + character
        if before is not _Line.UNDECIDED:
            return character if before is _Line.SHOWN else ""
        self._held.append(character)
        self._line = self._decide(character)
        if self._line is _Line.UNDECIDED:
            return ""
        held = self.close()
        return held if self._line is _Line.SHOWN else ""

    def _decide(self, character: str) -> _Line:
        # Bullets and blanks before the first word, and emphasis anywhere, are no part of what the line says.
        if character != "*" and (self._start or _WORD.match(character)):
            self._start += character.lower()
        if self._start in CLOSING_LINES:
            return _Line.HIDDEN
        may_become = any(line.startswith(self._start) for line in CLOSING_LINES)
        return _Line.UNDECIDED if may_become else _Line.SHOWN


class _Place(Enum):
    OUTSIDE = auto()
    KEY = auto()
    VALUE = auto()


class JsonFields:
    """Reads the string values of a JSON object's own keys while it is still being written.

    `values` holds what is known so far; a value cut in the middle is there up to the cut. Nested objects are skipped.
    """

    def __init__(self) -> None:
        self._pieces: dict[str, list[str]] = {}
        self._place = _Place.OUTSIDE
        self._depth = 0
        self._expects_value = False
        self._key = ""
        self._escape: str | None = None
        self._high_surrogate = 0

    @property
    def values(self) -> dict[str, str]:
        """What each own key holds so far, where it is a string."""
        return {key: "".join(pieces) for key, pieces in self._pieces.items()}

    def feed(self, piece: str) -> str:
        """Take the next piece and return what became readable by it."""
        return "".join(self._character(character) for character in piece)

    def close(self) -> str:
        """Return what was held back at the end: nothing, since each character is shown as it comes."""
        return ""

    def _character(self, character: str) -> str:
        if self._place is _Place.OUTSIDE:
            return self._structure(character)
        if self._escape is not None:
            return self._inside(self._unescaped(character))
        if character == "\\":
            self._escape = ""
            return ""
        if character == '"':
            self._place = _Place.OUTSIDE
            return ""
        return self._inside(character)

    def _structure(self, character: str) -> str:
        if character in "{[":
            self._depth += 1
        elif character in "}]":
            self._depth -= 1
        elif character in ":,":
            self._expects_value = character == ":"
        elif character == '"':
            return self._open_string()
        return ""

    def _open_string(self) -> str:
        self._place = _Place.VALUE if self._expects_value else _Place.KEY
        if self._depth != 1:
            return ""
        if self._place is _Place.KEY:
            self._key = ""
            return ""
        shown_before = any(self._pieces.get(name) for name in SHOWN_FIELDS)
        self._pieces[self._key] = []
        return "\n" if shown_before and self._key in SHOWN_FIELDS else ""

    def _inside(self, text: str) -> str:
        if self._depth != 1 or not text:
            return ""
        if self._place is _Place.KEY:
            self._key = (self._key + text)[:_LONGEST_KEY]
            return ""
        self._pieces[self._key].append(text)
        return text if self._key in SHOWN_FIELDS else ""

    def _unescaped(self, character: str) -> str:
        escape = (self._escape or "") + character
        if escape[0] != "u":
            self._escape = None
            return _ESCAPED.get(escape, "")
        if len(escape) <= _UNICODE_DIGITS:
            self._escape = escape
            return ""
        self._escape = None
        try:
            return self._code_point(int(escape[1:], 16))
        except ValueError:
            return ""

    def _code_point(self, unit: int) -> str:
        high, self._high_surrogate = self._high_surrogate, 0
        if 0xD800 <= unit < 0xDC00:  # noqa: PLR2004  the ranges of UTF-16 surrogates, Unicode 15.0 section 3.8
            self._high_surrogate = unit
            return ""
        if 0xDC00 <= unit < 0xE000:  # noqa: PLR2004
            return chr(0x10000 + ((high - 0xD800) << 10) + (unit - 0xDC00)) if high else ""
        return chr(unit)
