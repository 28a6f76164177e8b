"""Answers side by side while they are written."""

from dataclasses import dataclass, field

from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.text import Text

from auritas.cli.screen import money, plain, seconds
from auritas.kernel.answers import Answer, Expected
from auritas.kernel.events import (
    AnswerDelta,
    AnswerDone,
    AskStarted,
    Event,
    MemberReading,
    MemberRetried,
    ReviewDone,
    ReviewStarted,
)

NARROWEST_COLUMN = 28
BODY_LINES = 10
_KEPT_CHARACTERS = 4000
_WAITS = "waits"


@dataclass
class _Column:
    title: str
    text: str = ""
    status: str = _WAITS
    answer: Answer | None = None


@dataclass
class Board:
    """The live picture of one question: one column a member, or one line a member where the terminal is narrow."""

    width: int
    columns: dict[str, _Column] = field(default_factory=dict)
    note: str = ""

    def update(self, event: Event) -> None:
        """Take in one event."""
        match event:
            case AskStarted():
                self.columns = {seat.name: _Column(seat.name) for seat in event.seats}
                self.note = takes(event.expected) if event.expected else ""
            case ReviewStarted():
                self.note = f"{event.reviewer} reviews, blind"
            case ReviewDone():
                self.note = f"{event.review.reviewer} has reviewed"
            case MemberReading():
                self.columns[event.seat].status = f"reads {event.done} of {event.total}"
            case AnswerDelta():
                column = self.columns[event.seat]
                # Only what fits is kept: a model that never stops must not fill the memory.
                column.text, column.status = (column.text + event.text)[-_KEPT_CHARACTERS:], "writes"
            case MemberRetried():
                column = self.columns[event.seat]
                column.text, column.status = "", "is asked again"
            case AnswerDone():
                column = self.columns[event.answer.seat.name]
                column.answer, column.status = event.answer, outcome(event.answer)

    def __rich__(self) -> RenderableType:
        # Who has not begun may never be asked: the first answers can be enough.
        shown = [c for c in self.columns.values() if c.status != _WAITS]
        note = [plain(self.note, "dim")] if self.note else []
        if not shown:
            return Group(Text("Waking the members …", style="dim"), *note)
        # Of all seats, so that the picture does not change its form while members begin.
        per_column = self.width // len(self.columns)
        if per_column < NARROWEST_COLUMN:
            return Group(*(self._line(column) for column in shown), *note)
        panels = [self._panel(column, per_column - 1) for column in shown]
        return Group(Columns(panels, padding=0, expand=False), *note)

    def _line(self, column: _Column) -> Text:
        line = Text.assemble((f"{column.title} ", "bold"), (f"{column.status}  ", "dim"))
        line.append_text(plain(" ".join(column.text.split())))
        line.truncate(self.width - 1, overflow="ellipsis")
        return line

    def _panel(self, column: _Column, width: int) -> Panel:
        lines = plain(column.text).wrap(_console(), max(width - 4, 8))
        body = Text("\n").join(lines[-BODY_LINES:])
        return Panel(body, title=Text(column.title, "bold"), subtitle=Text(column.status, "dim"), width=width)


def _console() -> Console:
    from auritas.cli.screen import out

    return out


def takes(expected: Expected) -> str:
    """Return what a question is likely to take, before it is asked."""
    calls = f"{expected.calls:.0f} calls" if expected.calls > 1 else "one call"
    cost = f", {money(expected.cost_micros)}" if expected.cost_micros else ", no cost"
    time = "" if expected.seconds is None else f", {seconds(1000 * expected.seconds)}"
    return f"Expected: about {calls}{cost}{time}"


def outcome(answer: Answer) -> str:
    """Return in a few words how a member's reply ended."""
    if answer.failure:
        return f"failed: {answer.failure.code}"
    if answer.abstained:
        return "abstains"
    return f"done in {seconds(answer.usage.total_ms)}"
