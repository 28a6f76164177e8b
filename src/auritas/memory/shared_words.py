"""How far a correction has to do with a question by their words alone, where there are no vectors to tell by meaning.

Rather too little than too much: a fact that is not found is asked for, and one about something else misleads.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from auritas.memory.slot_book import book
from auritas.memory.slots import topic

Floats: TypeAlias = NDArray[np.float64]
Places: TypeAlias = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class WordRows:
    """Texts as the words that carry their meaning: of each, whose it is and how many; of each word, where it stands."""

    owners: Places
    sizes: Floats
    places: Mapping[str, Places]
    count: int

    def relevance(self, question: str) -> Floats:
        """Return for each owner how much of the words of its nearest text and of a question is shared, in [0, 1].

        The cosine of two sets of words (A. Ochiai, Bull. Jap. Soc. Sci. Fish. 22, 1957): what is shared by the
        geometric mean of both numbers of words. 1: the same words; 0: none is shared.
        """
        asked = topic(question)
        found = np.zeros(self.count)
        if not asked or not self.sizes.size:
            return found
        shared = np.zeros(len(self.sizes))
        for word in asked:
            if word in self.places:
                shared[self.places[word]] += 1.0
        np.maximum.at(found, self.owners, shared / np.sqrt(self.sizes * len(asked)))
        return np.minimum(found, 1.0)


def word_rows(texts: Iterable[Sequence[str]]) -> WordRows:
    """Return the words of several texts of each owner, in their order."""
    owners: list[int] = []
    sizes: list[int] = []
    places: dict[str, list[int]] = {}
    count = 0
    for owner, each in enumerate(texts):
        count = owner + 1
        for words in filter(None, map(topic, each)):
            for word in words - book().everyday:
                places.setdefault(word, []).append(len(sizes))
            owners.append(owner)
            sizes.append(len(words))
    indexed = {word: np.array(rows, dtype=np.intp) for word, rows in places.items()}
    return WordRows(np.array(owners, dtype=np.intp), np.array(sizes, dtype=np.float64), indexed, count)
