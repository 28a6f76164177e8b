"""Questions in other languages than the one that the embedder knows: clear words tell what they are about, or nothing.

An English embedder finds for a German sentence some field with a name that looks like its words, and finds it surely:
a lemon became a matter of medicine.
"""

import re
from collections.abc import Mapping

from auritas.council.compliance.language import Language, language_of, likeliest
from auritas.council.domains.classifier import DomainClassifier, Reading
from auritas.council.domains.tree import GENERAL
from auritas.council.notices import clear_domains

LEAST_LETTERS = 5
"""Of a name that is taken for the field that it names in any language: Python, but not art or war."""


class EnglishClassifier:
    """Implements DomainClassifier: what is not in English is told by clear words and never embedded.

    classifier: for everything else. names: nodes by what else they are called, in lower case.
    """

    def __init__(self, classifier: DomainClassifier, names: Mapping[str, str]) -> None:
        self.degraded = classifier.degraded
        self._classifier = classifier
        self._names = names

    def classify(self, text: str) -> Mapping[str, float]:
        """Return shares over the most specific nodes; an even part for each that a clear word names."""
        return self.read(text).shares

    def read(self, text: str) -> Reading:
        """Return the shares; with a vector where the text was embedded."""
        return Reading(self._by_clear_words(text)) if _is_foreign(text) else self._classifier.read(text)

    def _by_clear_words(self, text: str) -> Mapping[str, float]:
        words = re.findall(r"\w+", text.lower())
        named = (self._names[word] for word in words if len(word) >= LEAST_LETTERS and word in self._names)
        nodes = sorted({*clear_domains(text), *named})
        return dict.fromkeys(nodes, 1 / len(nodes)) if nodes else {GENERAL: 1.0}


def _is_foreign(text: str) -> bool:
    """Whether a text is surely in another language, or likely so and written with other signs than English is."""
    language = language_of(text) or (None if text.isascii() else likeliest(text))
    return language not in {None, Language.ENGLISH}
