"""Server-sent events, read piece by piece as they arrive.

Follows the HTML Living Standard, section 9.2.6, with two tolerances: an event that the stream's end leaves without its
blank line is still given out, and bytes that are no UTF-8 become U+FFFD.
"""

import codecs
import re

MAX_EVENT_CHARACTERS = 8 * 1024 * 1024
"""One event of a chat stream is a few hundred; what grows beyond this is no event."""

_LINE_END = re.compile(r"\r\n|\r|\n")


class EventTooLargeError(ValueError):
    """An event grew beyond MAX_EVENT_CHARACTERS."""


class EventStream:
    """Turns chunks of bytes, cut anywhere, into the data of events."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._line: list[str] = []
        self._data: list[str] = []
        self._size = 0
        self._at_start = True
        self._after_return = False

    def feed(self, chunk: bytes) -> list[str]:
        """Take the next bytes and return the data of every event that they complete."""
        return self._take(self._decoder.decode(chunk))

    def close(self) -> list[str]:
        """Return what the end of the stream left unfinished: at most one event."""
        finished = self._take(self._decoder.decode(b"", final=True))
        if self._line:
            self._field("".join(self._line))
        if self._data:
            finished.append("\n".join(self._data))
        self.__init__()  # type: ignore[misc]  # an EventStream can be used again after its end
        return finished

    def _take(self, text: str) -> list[str]:
        if self._at_start and text:
            text, self._at_start = text.removeprefix("\ufeff"), False
        if self._after_return and text:
            text, self._after_return = text.removeprefix("\n"), False
        self._after_return = self._after_return or text.endswith("\r")
        *lines, rest = _LINE_END.split(text)
        finished = [data for line in lines if (data := self._end_line(line)) is not None]
        self._keep(rest)
        return finished

    def _keep(self, piece: str) -> None:
        if piece:
            self._line.append(piece)
            self._size += len(piece)
        if self._size > MAX_EVENT_CHARACTERS:
            raise EventTooLargeError

    def _end_line(self, piece: str) -> str | None:
        self._keep(piece)
        line = "".join(self._line)
        self._line.clear()
        if line:
            self._field(line)
            return None
        data = "\n".join(self._data) if self._data else None
        self._data.clear()
        self._size = 0
        return data

    def _field(self, line: str) -> None:
        name, _, value = line.partition(":")
        if name == "data":
            self._data.append(value.removeprefix(" "))
