"""What is known that bears on some words: corrections that hold, and passages of conversations."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from auritas.app.missing_embedder import NoEmbedderError
from auritas.app.recollection import Shelves
from auritas.app.search import Search
from auritas.kernel.memory import Correction, Passage
from auritas.memory.model import Gates

if TYPE_CHECKING:
    from auritas.app.program_parts import ProgramParts
    from auritas.search.model import MessageHit

_BY_WORDS = 1.0
"""Score of a passage that holds every word."""


@dataclass(frozen=True, slots=True)
class Known:
    """What was found, the nearest first. by_meaning: passages were found by meaning; else by their words."""

    remembered: tuple[Correction, ...]
    passages: tuple[Passage, ...]
    by_meaning: bool


@dataclass(frozen=True, slots=True)
class Lookup:
    """Reads only: nothing that is found counts as used."""

    shelves: Shelves
    search: Search

    def __call__(self, text: str, limit: int) -> Known:
        """Return up to `limit` corrections and as many passages. Raises UsageError for a search that cannot be read."""
        remembered = self._remembered(text, limit)
        try:
            return Known(remembered, self.search.meaning(text, limit), by_meaning=True)
        except NoEmbedderError:
            found = self.search.words(text, limit=limit)
            return Known(remembered, tuple(_passage(hit) for hit in found.messages[:limit]), by_meaning=False)

    def _remembered(self, text: str, limit: int) -> tuple[Correction, ...]:
        shelf = self.shelves.current()
        near = shelf.relevance(self.shelves.vector(text), text).tolist()
        ranked = sorted(zip(near, shelf.corrections, strict=True), key=lambda pair: (-pair[0], pair[1].id))
        return tuple(each for far, each in ranked if far >= Gates().relevance)[:limit]


def _passage(hit: "MessageHit") -> Passage:
    words = "".join(piece.text for piece in hit.snippet)
    return Passage(hit.message_id, hit.conversation_id, words, hit.at, _BY_WORDS)


def lookup_over(parts: "ProgramParts") -> Lookup:
    """Put the use case together over an open store."""
    return Lookup(parts.shelves, parts.search)
