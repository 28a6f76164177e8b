"""The ranking that recall has to beat: words and meaning of a turn, summed with fixed weights.

BM25 with stemming over date, previous turn and turn, divided by its maximum, plus half the cosine, plus a tenth when
the one person whom the question names speaks. Its k1 and b, and that names are no words, are what served it best.
"""

from collections import Counter
from typing import Final

import numpy as np

from auritas.search.evaluation.conversations import Conversation
from auritas.search.recall.model import Floats
from auritas.search.recall.terms import asked_terms, terms

SATURATION: Final = 0.9
LENGTH: Final = 0.4
OF_COSINE: Final = 0.5
OF_SPEAKER: Final = 0.1


class Baseline:
    """Ranks the turns of one conversation. vectors: of the turns, one a row."""

    def __init__(self, conversation: Conversation, vectors: Floats) -> None:
        self._speakers = conversation.speakers
        self._said_by = np.array([turn.speaker for turn in conversation.turns])
        self._vectors = vectors
        self._counts = [Counter(terms(text)) for text in _documents(conversation)]
        lengths = np.array([counts.total() for counts in self._counts], dtype=np.float64)
        self._norm = SATURATION * (1 - LENGTH + LENGTH * lengths / lengths.mean())

    def values(self, question: str, vector: Floats) -> Floats:
        """Return the value of each turn for a question."""
        words = self._bm25(asked_terms(question, self._speakers))
        named = [name for name in self._speakers if name.lower() in question.lower()]
        spoken = (self._said_by == named[0]).astype(np.float64) if len(named) == 1 else np.zeros(len(words))
        values: Floats = words / (words.max() or 1.0) + OF_COSINE * (self._vectors @ vector) + OF_SPEAKER * spoken
        return values

    def _bm25(self, wanted: tuple[str, ...]) -> Floats:
        total = np.zeros(len(self._counts))
        for term in wanted:
            count = np.array([counts[term] for counts in self._counts], dtype=np.float64)
            known = np.count_nonzero(count)
            rarity = np.log1p((len(count) - known + 0.5) / (known + 0.5))
            total += rarity * count * (SATURATION + 1) / (count + self._norm)
        return total


def _documents(conversation: Conversation) -> list[str]:
    texts: list[str] = []
    for place, turn in enumerate(conversation.turns):
        before = conversation.turns[place - 1] if place else None
        previous = before.content if before is not None and before.session == turn.session else ""
        texts.append(f"{turn.date} {previous} {turn.content}")
    return texts
