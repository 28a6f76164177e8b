"""Which parts of attached files a model gets to read, when not everything fits.

Paragraphs are ranked by BM25 over the question's words (Robertson and Zaragoza, The Probabilistic Relevance Framework,
2009), and the best are shown in the order of the file. A question without words of the file ("What is this about?")
gets the beginning and an even sample of the rest.
"""

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from auritas.memory.documents.model import Document

PART_CHARACTERS = 600
"""About 150 tokens: long enough to make sense alone."""
GAP = "[…]"
_APART = "\n\n"
_BETWEEN = GAP + _APART
_SATURATION, _LENGTH = 1.2, 0.75
_WORD = re.compile(r"\w+", re.UNICODE)
_LEAST_WORD = 3
"""Letters of a word that says something; shorter ones are mostly articles."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """What is shown of one file. whole: nothing was left out."""

    name: str
    text: str
    whole: bool


def excerpts(documents: Sequence[Document], question: str, characters: int) -> tuple[Excerpt, ...]:
    """Return what fits of the documents into `characters`, each with a fair share, the best parts for `question`.

    A document that needs less than its share leaves the rest to the others.
    """
    shown: dict[int, Excerpt] = {}
    room, left = characters, len(documents)
    for place in sorted(range(len(documents)), key=lambda each: len(documents[each].text)):
        excerpt = _excerpt(documents[place], question, room // left)
        shown[place] = excerpt
        room, left = room - len(excerpt.text), left - 1
    return tuple(shown[place] for place in range(len(documents)))


def _excerpt(document: Document, question: str, characters: int) -> Excerpt:
    text = document.text.strip()
    if len(text) <= characters:
        return Excerpt(document.name, text, whole=True)
    parts = _parts(text)
    chosen: set[int] = set()
    room = characters - len(_BETWEEN)  # a gap at the end
    for place in _order(parts, question):
        cost = len(parts[place]) + len(_BETWEEN) + len(_APART)
        if cost <= room:
            chosen.add(place)
            room -= cost
    return Excerpt(document.name, _joined(parts, sorted(chosen)) if chosen else "", whole=False)


def _parts(text: str) -> list[str]:
    """Return paragraphs, cut where they are too long at the end of a sentence or word."""
    parts: list[str] = []
    for paragraph in re.split(r"\n\s*\n", text):
        rest = paragraph.strip()
        while len(rest) > PART_CHARACTERS:
            cut = max(rest.rfind(". ", 0, PART_CHARACTERS) + 1, rest.rfind("\n", 0, PART_CHARACTERS))
            if cut < PART_CHARACTERS // 2:
                cut = max(rest.rfind(" ", 0, PART_CHARACTERS), 0) or PART_CHARACTERS
            parts.append(rest[:cut].strip())
            rest = rest[cut:].strip()
        if rest:
            parts.append(rest)
    return parts


def _order(parts: Sequence[str], question: str) -> list[int]:
    """Return the places of the parts, the most telling first."""
    counts = [Counter(_words(part)) for part in parts]
    asked = {word for word in _words(question) if any(word in count for count in counts)}
    if not asked:
        return _sample(len(parts))
    mean = sum(count.total() for count in counts) / len(counts) or 1.0
    rarity = {word: _rarity(sum(word in count for count in counts), len(counts)) for word in asked}
    scores = [sum(rarity[word] * _weight(count, word, mean) for word in asked) for count in counts]
    return sorted(range(len(parts)), key=lambda place: (-scores[place], place))


def _weight(count: Counter[str], word: str, mean: float) -> float:
    frequency = count[word]
    return frequency * (_SATURATION + 1) / (frequency + _SATURATION * (1 - _LENGTH + _LENGTH * count.total() / mean))


def _rarity(holding: int, parts: int) -> float:
    return math.log1p((parts - holding + 0.5) / (holding + 0.5))


def _sample(count: int) -> list[int]:
    """Return all places: the first three, the last, then evenly spread ones, each half of the step before."""
    first = [*range(min(3, count)), count - 1]
    spread = [(count * odd) >> level for level in range(1, count.bit_length() + 1) for odd in range(1, 1 << level, 2)]
    return list(dict.fromkeys([*first, *spread, *range(count)]))


def _words(text: str) -> list[str]:
    """Return the stems of a text's words (Porter, 1980), so that a meeting is found by who meets."""
    # The package loads the rules of thirty languages, and few questions come with a file.
    from snowballstemmer.porter_stemmer import PorterStemmer

    stemmer = PorterStemmer()
    words = (word for word in _WORD.findall(text.casefold()) if len(word) >= _LEAST_WORD or word.isdigit())
    return [stemmer.stemWord(word) for word in words]


def _joined(parts: Sequence[str], chosen: Sequence[int]) -> str:
    pieces: list[str] = []
    before = -1
    for place in chosen:
        if place != before + 1:
            pieces.append(GAP)
        pieces.append(parts[place])
        before = place
    if before != len(parts) - 1:
        pieces.append(GAP)
    return _APART.join(pieces)
