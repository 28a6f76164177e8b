"""What a question is about, found beside the members, and which answers say the same."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from auritas.council.candidates import Sameness
from auritas.council.domains.tags import tag_shares, trimmed
from auritas.council.equivalence import same_key
from auritas.council.meaning import agreed, prepared, undecided, worded
from auritas.kernel.answers import Answer
from auritas.kernel.diagnostics import Diagnostics

if TYPE_CHECKING:
    from auritas.app.domains import Domains
    from auritas.council.domains.classifier import Reading
    from auritas.council.domains.tree import DomainTree
    from auritas.store import Unit

NOTHING_FITS: Mapping[str, float] = {"general": 1.0}


class Subject:
    """What one question is about; read once, in a thread, whoever asks first."""

    def __init__(self, read: Callable[[], "tuple[Reading | None, Mapping[str, float]]"]) -> None:
        self._read = read
        self._lock = asyncio.Lock()
        self._found: Mapping[str, float] = {}
        self.reading: Reading | None = None
        """The classifier's own words, once it has been read."""

    async def shares(self) -> Mapping[str, float]:
        """Return the share of each node on the paths to the roots."""
        async with self._lock:
            if not self._found:
                self.reading, self._found = await asyncio.to_thread(self._read)
            return self._found


def tagged(tree: "DomainTree", answers: Sequence[Answer]) -> Mapping[str, float]:
    """Return p(j|q) by what the members filed their answers under, an equal part for each member and tag."""
    said = [answer.domains for answer in answers if answer.domains]
    return trimmed(tag_shares(tree, said)) if said else {}


@dataclass(frozen=True, slots=True)
class About:
    """Reads questions and compares answers with the embedder, off the event loop."""

    domains: "Domains"
    diagnostics: Diagnostics

    def subject(self, question: str) -> Subject:
        """Return what `question` is about, still to be read."""
        return Subject(lambda: self._read(question))

    def sameness(self, question: str) -> Callable[[Sequence[Answer]], Awaitable[Sameness]]:
        """Return what makes answers to `question` one candidate: form, words, and meaning where words do not tell."""

        async def same(answers: Sequence[Answer]) -> Sameness:
            if agreed(answers):
                return same_key
            by_words = worded(answers, question)
            if not undecided(answers, by_words):
                return by_words
            try:
                return await asyncio.to_thread(prepared, answers, self.domains.embedder, question)
            except Exception as error:  # noqa: BLE001  an embedder is foreign code; words alone still compare
                self.diagnostics.trouble("meaning of answers", error)
                return by_words

        return same

    def tree(self, unit: "Unit") -> "DomainTree":
        """Return the tree of domains as a unit of work sees it."""
        return self.domains.records.tree(unit)

    def _read(self, question: str) -> "tuple[Reading | None, Mapping[str, float]]":
        try:
            return self.domains.read(question)
        except Exception as error:  # noqa: BLE001  an embedder is foreign code, and no question fails for it
            self.diagnostics.trouble("domains of a question", error)
            return None, NOTHING_FITS
