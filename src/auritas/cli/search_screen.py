"""Search as you type: results follow each key, arrows select, Enter opens."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from auritas.cli.keyboard import Key, keys, more_waits
from auritas.cli.left_out import within_limits
from auritas.cli.snippets import NEARBY, marked
from auritas.kernel.errors import AuritasError
from auritas.kernel.text import counted, displayable

if TYPE_CHECKING:
    from rich.console import RenderableType

    from auritas.app.search import Found, Search

SHOWN = 8
_LINES_OF_A_HIT = 2
_LINES_AROUND = 4
_EDITS = (Key.BACK, Key.CLEAR)
_HELP = "↑ ↓ select   Enter {enter}   Ctrl-U clears   Esc leaves"


@dataclass(frozen=True, slots=True)
class Chosen:
    """What a person opened: a conversation, and the message to begin at."""

    conversation_id: str
    message_id: str | None


@dataclass(frozen=True, slots=True)
class Field:
    """What stands in the field, what it found, and which line is selected. entered: Enter was pressed for this text."""

    text: str = ""
    found: "Found | None" = None
    selected: int = 0
    entered: bool = False
    problem: str = ""

    @property
    def opens(self) -> bool:
        """Whether Enter opens the selected conversation: once they are in the order that it would give them."""
        if self.found is None or not self.found.conversations:
            return False
        return self.entered or not self.text.strip() or self.found.order == "relevance" or self.selected > 0


def choose(search: "Search", limit: int = SHOWN) -> Chosen | None:
    """Let a person search until a conversation is opened; None: they left."""
    from rich.live import Live

    from auritas.cli.screen import out

    waiting = search.begin()
    rows = max((out.height - _LINES_AROUND) // _LINES_OF_A_HIT, 1)
    count = min(limit, SHOWN, rows)
    field = searched(search, Field(), count)
    with keys() as pressed, Live(console=out, auto_refresh=False, transient=True) as live:
        live.update(picture(field, waiting), refresh=True)
        for key in pressed:
            if key is Key.LEAVE:
                return None
            if key is Key.ENTER and field.opens:
                return chosen(search, field)
            stale = more_waits()
            field = after(search, field, key, count, stale=stale)
            if not stale:
                live.update(picture(field, waiting), refresh=True)
    return None


def chosen(search: "Search", field: Field) -> Chosen | None:
    """Return what is selected; while typing, the place in a long conversation may not have been looked for."""
    if field.found is None:
        return None
    hit = field.found.conversations[field.selected]
    return Chosen(hit.conversation_id, hit.message_id or search.place(field.text, hit.conversation_id))


def after(search: "Search", field: Field, key: Key | str, count: int = SHOWN, *, stale: bool = False) -> Field:
    """Return the field after a key. stale: further keys wait, so a changed text is not looked for yet."""
    match key:
        case Key.UP | Key.DOWN:
            return _moved(searched(search, field, count) if field.found is None else field, key)
        case Key.ENTER:
            return searched(search, Field(field.text, entered=True), count)
        case Key() if key not in _EDITS:
            return field
    text = {Key.BACK: field.text[:-1], Key.CLEAR: ""}[key] if isinstance(key, Key) else field.text + key
    return Field(text) if stale else searched(search, Field(text), count)


def _moved(field: Field, key: Key | str) -> Field:
    last = len(field.found.conversations) - 1 if field.found else 0
    place = field.selected + (1 if key is Key.DOWN else -1)
    return replace(field, selected=max(min(place, last), 0))


def searched(search: "Search", field: Field, count: int = SHOWN) -> Field:
    """Return the field with what its text finds; a mistake in it is told beside it."""
    try:
        found = within_limits(search.words(field.text, entered=field.entered, limit=count), field.text)
        return replace(field, found=found, problem="")
    except AuritasError as error:
        return replace(field, found=None, problem=str(error))


def picture(field: Field, waiting: int = 0) -> "RenderableType":
    """Return what is on the screen."""
    from rich.console import Group
    from rich.text import Text

    from auritas.cli.screen import brief, plain

    lines: list[RenderableType] = [Text.assemble(("Search: ", "bold"), brief(field.text, 200), ("▏", "blink"))]
    if field.problem:
        lines.append(plain(field.problem, "red"))
    elif field.found is not None:
        lines += _results(field, field.found)
    if waiting:
        lines.append(plain(f"Not indexed yet: {counted(waiting, 'conversation')}.", "yellow"))
    lines.append(Text(_HELP.format(enter="opens" if field.opens else "sorts by relevance"), "dim"))
    return Group(*lines)


def _results(field: Field, found: "Found") -> "list[RenderableType]":
    from rich.text import Text

    if not found.conversations:
        hint = "Nothing was said yet." if not field.text.strip() else "Nothing found."
        further = "" if field.entered or not field.text.strip() else " Enter looks for what is spelled alike, too."
        return [Text(hint + further, "dim")]
    lines: list[RenderableType] = []
    if found.instead:
        lines.append(Text.assemble(("Instead: ", "yellow"), displayable(" ".join(found.instead))))
    elif found.near.value in NEARBY:
        lines.append(Text(NEARBY[found.near.value], "yellow"))
    for place, hit in enumerate(found.conversations):
        chosen = place == field.selected
        head = Text("> " if chosen else "  ", "bold cyan" if chosen else "")
        title = head.append(f"{hit.at:%Y-%m-%d}  ", "dim").append(marked(hit.title))
        snippet = marked(hit.snippet, "    ")
        for line in (title, snippet):
            line.no_wrap, line.overflow = True, "ellipsis"
        lines += [title, snippet]
    return lines
