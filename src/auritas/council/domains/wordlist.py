"""A classifier by words alone, for machines without an embedder."""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence

from auritas.council.domains.tags import trimmed
from auritas.council.domains.tree import GENERAL

NAME_WEIGHT = 3
"""A word of a name says as much as in three questions."""
SMOOTHING = 0.2
_WORD = re.compile(r"[^\W_]+(?:[+#]+)?")
_LEAST_LETTERS = 3
_STEM_LETTERS = 6
"""What stands for a word: its beginning, so that invest and investment are one."""
_NUMBER = "#"
"""What stands for every number."""
_EMPTY = frozenset(
    re.findall(
        r"\w+",
        "w the and for are was were what who why how when where which does did has have had can could should "
        "would will may might must this that these those with without from into about than then there their they "
        "them its his her our your you mine one two between difference mean means many much more most some any "
        "all not but because while give get make makes use used using tell explain write she yes please help good "
        "best first last new old own way ways only just also very long often well like want need take find show "
        "put set let start end happen happened somebody something person people thing word work ",
    )
)


class WordClassifier:
    """Naive Bayes with equal priors over the words of names and exemplars (Manning et al., 2008, chapter 13)."""

    def __init__(self, names: Mapping[str, Sequence[str]], exemplars: Mapping[str, Sequence[str]]) -> None:
        self._counts = {node: self._counted(names.get(node, ()), exemplars.get(node, ())) for node in names}
        self._vocabulary = {word for counts in self._counts.values() for word in counts}

    def classify(self, text: str) -> dict[str, float]:
        """Return shares that add up to 1; general when no word is known."""
        heard = [word for word in words_of(text) if word in self._vocabulary]
        if not heard:
            return {GENERAL: 1.0}
        logs = {node: self._log_likelihood(counts, heard) for node, counts in self._counts.items()}
        top = max(logs.values())
        return trimmed({node: math.exp(value - top) for node, value in logs.items()})

    def _log_likelihood(self, counts: Counter[str], heard: Sequence[str]) -> float:
        total = counts.total() + SMOOTHING * len(self._vocabulary)
        return math.fsum(math.log((counts[word] + SMOOTHING) / total) for word in heard)

    @staticmethod
    def _counted(names: Sequence[str], exemplars: Sequence[str]) -> Counter[str]:
        counts = Counter(word for text in exemplars for word in words_of(text))
        for name in names:
            counts.update(dict.fromkeys(words_of(name), NAME_WEIGHT))
        return counts


def words_of(text: str) -> list[str]:
    """Return the stems of the words that carry meaning, and a sign for each number."""
    found = [word for word in _WORD.findall(text.casefold()) if word not in _EMPTY]
    return [_stem(word) for word in found if len(word) >= _LEAST_LETTERS or not word.isalpha()]


def _stem(word: str) -> str:
    if word[0].isdigit():
        return _NUMBER
    plural = len(word) > _LEAST_LETTERS + 1 and word.endswith("s") and not word.endswith("ss")
    return (word[:-1] if plural else word)[:_STEM_LETTERS]
