"""Words that a search leaves out, and what that means where nothing is left."""

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from auritas.app.search import Found, Search

_LEFT_OUT = re.compile(r'(?<!\S)-(?:"[^"]*"|[^\s"]+)')
_ASKED = re.compile(r"\w")
_CLOSE = frozenset({"words", "parts", "stems"})
"""Ways of finding that hold to what was typed; nearly spelled words and similar titles are suggestions."""
_FILTER = re.compile(r"(?<!\S)-?(\w+):\S")


@dataclass(frozen=True, slots=True)
class Emptied:
    """How much a search would have found without the words that it leaves out. more: there is more than was counted."""

    rest: str
    without: str
    conversations: int
    more: bool

    def __str__(self) -> str:
        """Return it as a sentence for a person."""
        one = self.conversations == 1 and not self.more
        several = "1 conversation holds" if one else f"{self.conversations:,} conversations hold"
        them = "it" if one else "them"
        return f"{'More than ' * self.more}{several} {self.rest}, but {self.without} leaves {them} out."


def asks_for_something(said: str) -> bool:
    """Return whether there is a word to look for beside those to leave out."""
    return bool(_ASKED.search(_LEFT_OUT.sub(" ", said)))


def within_limits(found: "Found", said: str) -> "Found":
    """Return what was found, without suggestions of titles where words are left out: those titles may hold them."""
    if found.near.value == "titles" and _LEFT_OUT.search(said):
        return replace(found, conversations=(), messages=(), more=False)
    return found


def emptied(search: "Search", said: str, limit: int) -> Emptied | None:
    """Return what a search without a result would have found without its -words, or None."""
    without = " ".join(_LEFT_OUT.findall(said))
    rest = " ".join(_LEFT_OUT.sub(" ", said).split())
    if not (without and _ASKED.search(rest)):
        return None
    found = search.words(rest, limit=limit)
    if not found.conversations or found.near.value not in _CLOSE:
        return None
    return Emptied(rest, without, len(found.conversations), found.more)


def unknown_filters(said: str, known: "tuple[str, ...]") -> str:
    """Return a hint on what looks like a filter and is none; empty where nothing does."""
    names = [name for name in _FILTER.findall(said) if name.lower() not in known]
    if not names:
        return ""
    return f"{names[0]}: is no filter. There are: {', '.join(f'{each}:' for each in known)}"
