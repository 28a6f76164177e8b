"""A note may say only what was said: entries that a model made up, or took from its example, are left out."""

import re
from dataclasses import replace
from typing import Final

from auritas.memory.notes.model import Sections

SHARE: Final = 0.5
"""Of an entry's words that must stand in the conversation: it may be reworded, not be about something else."""
_STEM: Final = 5
"""Letters by which two forms of a word are one: decided, decision."""
_WORD: Final = re.compile(r"[^\W\d_]{4,}")
_CAPITAL: Final = re.compile(r"(?<=\w\W)[^\W\d_a-z][^\W\d_]{2,}")
"""Words that begin with a capital inside a sentence: mostly names. After a full stop two signs stand between."""
_NUMBER: Final = re.compile(r"\d+")
_NAME: Final = re.compile(r"(?=[\w./-]*[^\W\d_])\w[\w./-]*[./_]\w[\w./-]*(?<![./-])")
"""Names of files and of things in programs."""
_FRAME_WORDS: Final = """
user wants want needs need asked asks assistant conversation decided decision agreed prefers prefer preference likes
next step steps continue continued about with from that this they their them will should would been have were then
than also into using uses used currently current discussed working work help completed done goal plan status finish
write resume answer question suggested provided"""
_FRAME: Final = frozenset(word[:_STEM] for word in _FRAME_WORDS.split())
"""Words with which notes are made, whatever they are about."""


class Said:
    """A text that others are held against."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.folded = text.casefold()
        self.words = _words(text)
        self.numbers = frozenset(_NUMBER.findall(text))


def grounded(sections: Sections, source: str, wishes: str | None = None) -> Sections:
    """Return the sections with only those entries that `source`, the text they are about, bears out.

    wishes: what preferences are held against, the user's own words; without it, `source`.
    """
    said = Said(source)
    wished = said if wishes is None else Said(wishes)

    def kept(text: str) -> str:
        return text if borne_out(text, said) else ""

    return replace(
        sections,
        goal=kept(sections.goal),
        decisions=tuple(filter(kept, sections.decisions)),
        status=kept(sections.status),
        active_file=sections.active_file if sections.active_file in said.text else "",
        preferences=tuple(each for each in sections.preferences if borne_out(each, wished)),
        resume=kept(sections.resume),
    )


def borne_out(text: str, said: Said) -> bool:
    """Return whether enough of the words of `text`, and all of its numbers and names, were said."""
    if not (said.numbers.issuperset(_NUMBER.findall(text)) and all(n in said.text for n in _NAME.findall(text))):
        return False
    if not all(name.casefold() in said.folded for name in _CAPITAL.findall(text)):
        return False
    own = _words(text) - _FRAME
    return sum(word in said.words for word in own) >= SHARE * len(own)


def _words(text: str) -> frozenset[str]:
    return frozenset(word.casefold()[:_STEM] for word in _WORD.findall(text))
