"""The six sections of a note: as text and back, joined, and cut to what a prompt can bear."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Final

from auritas.memory.notes.model import Sections
from auritas.memory.notes.quoting import tame_line
from auritas.memory.notes.tokens import TokenCount, estimated

NOTE_TOKENS: Final = 900
LINE: Final = 240
"""Characters of an entry."""
LONG_LINE: Final = 400
"""Characters of the two sections that tell a story: status and resume."""
_SHORTEST: Final = 20
"""Characters below which a line says nothing any more."""

_HEADINGS: Final = {
    "goal": "GOAL",
    "decisions": "DECISIONS",
    "status": "STATUS",
    "active_file": "ACTIVE FILE",
    "preferences": "PREFERENCES",
    "resume": "RESUME",
}
_LISTS: Final = ("decisions", "preferences")
_NONE: Final = "none"
_EMPTY: Final = frozenset(
    {"", "none", "n/a", "na", "nothing", "unknown", "null", "not specified", "not applicable", "-"}
)


def tidy(sections: Sections) -> Sections:
    """Return the sections with every text tamed, on one line and cut; what says "none" or repeats is left out."""
    decisions = _distinct(_said(each, LINE) for each in sections.decisions)
    return Sections(
        goal=_said(sections.goal, LINE),
        decisions=decisions,
        status=_said(sections.status, LONG_LINE),
        active_file=_said(sections.active_file, LINE),
        preferences=tuple(p for p in _distinct(_said(p, LINE) for p in sections.preferences) if p not in decisions),
        resume=_said(sections.resume, LONG_LINE),
    )


def joined(before: Sections, now: Sections) -> Sections:
    """Return what holds after both: lists grow, the newest last; of other texts the newest counts, if there is one."""
    return Sections(
        goal=now.goal or before.goal,
        decisions=_distinct((*before.decisions, *now.decisions)),
        status=now.status or before.status,
        active_file=now.active_file or before.active_file,
        preferences=_distinct((*before.preferences, *now.preferences)),
        resume=now.resume or before.resume,
    )


def cut(sections: Sections, tokens: int = NOTE_TOKENS, count: TokenCount = estimated) -> Sections:
    """Return the sections so that their text has at most `tokens` tokens.

    The oldest decisions go first, then the oldest preferences, then the ends of the longest texts.
    """
    for name in _LISTS:
        while len(listed := getattr(sections, name)) > 1 and count(text_of(sections)) > tokens:
            sections = replace(sections, **{name: listed[1:]})
    while count(text_of(sections)) > tokens:
        shorter = _halved(sections)
        if shorter == sections:
            break
        sections = shorter
    return sections


def shortened(text: str, tokens: int, count: TokenCount = estimated) -> str:
    """Return the text of a note cut to `tokens` tokens, for a model that can bear no more."""
    return text if count(text) <= tokens else text_of(cut(sections_of(text), tokens, count))


def text_of(sections: Sections) -> str:
    """Return a note as text: six headings in their order, each with what stands under it."""
    lines = []
    for name, heading in _HEADINGS.items():
        value = getattr(sections, name)
        if name in _LISTS:
            lines += [f"{heading}:", *(f"- {each}" for each in value)] if value else [f"{heading}: {_NONE}"]
        else:
            lines.append(f"{heading}: {value or _NONE}")
    return "\n".join(lines)


def sections_of(text: str) -> Sections:
    """Return what `text_of` wrote; lines under no heading are left out."""
    found: dict[str, list[str]] = {name: [] for name in _HEADINGS}
    under = None
    for line in text.splitlines():
        name = next((n for n, heading in _HEADINGS.items() if line.startswith(f"{heading}:")), None)
        if name is not None:
            under, line = name, line[len(_HEADINGS[name]) + 1 :]  # noqa: PLW2901  what is left of the line
        if under is not None and line.strip():
            found[under].append(line.strip().removeprefix("- ") if under in _LISTS else line.strip())
    values: dict[str, Any] = {n: tuple(lines) if n in _LISTS else " ".join(lines) for n, lines in found.items()}
    return tidy(Sections(**values))


def _said(text: str, width: int) -> str:
    line = tame_line(text, width)
    return "" if line.casefold().rstrip(".") in _EMPTY else line


def _distinct(entries: Iterable[str]) -> tuple[str, ...]:
    """Return the entries without those that come again later: what was said last stands last."""
    kept: dict[str, str] = {}
    for entry in entries:
        key = entry.casefold().rstrip(". ")
        if key:
            kept.pop(key, None)
            kept[key] = entry
    return tuple(kept.values())


def _halved(sections: Sections) -> Sections:
    """Return the sections with the longest text halved, as long as one is long enough."""
    name = max(_HEADINGS, key=lambda n: len(_first(getattr(sections, n))))
    text = _first(getattr(sections, name))
    if len(text) < 2 * _SHORTEST:
        return sections
    half = tame_line(text, len(text) // 2)
    value: dict[str, Any] = {name: (half,) if name in _LISTS else half}
    return replace(sections, **value)


def _first(value: str | Sequence[str]) -> str:
    return value if isinstance(value, str) else next(iter(value), "")
