"""Which of the answers that a question offers an answer picks: by its letter, by its words, or by both."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from auritas.council.choice.offered import offered
from auritas.council.equivalence import AnswerKey, Kind, key, same_key


@dataclass(frozen=True, slots=True)
class Options:
    """The answers that a question offers, as answers are compared. keys: by letter."""

    keys: Mapping[str, AnswerKey] = field(default_factory=dict)

    def letter(self, answer: AnswerKey) -> str:
        """Return the letter that `answer` picks, or nothing.

        Words pick what they equal, if that is one of them; a letter picks its own, unless the words behind it speak of
        another or of none.
        """
        if answer.kind is not Kind.CHOICE:
            return self._equal(answer)
        own = self.keys.get(answer.letter)
        return answer.letter if own and (answer.inner is None or self._speaks_of(answer.inner, own)) else ""

    def picked(self, answer: AnswerKey) -> AnswerKey:
        """Return the choice with its letter and its words that `answer` picks; the answer itself if it picks none."""
        letter = self.letter(answer)
        if not letter:
            return answer
        inner = self.keys[letter]
        return AnswerKey(Kind.CHOICE, f"{letter}) {inner.text}", letter=letter, inner=inner)

    def _equal(self, answer: AnswerKey) -> str:
        equal = [letter for letter, own in self.keys.items() if own == answer]
        found = equal or [letter for letter, own in self.keys.items() if same_key(own, answer)]
        return found[0] if len(found) == 1 else ""

    def _speaks_of(self, words: AnswerKey, own: AnswerKey) -> bool:
        """Whether words are those of an option, hold it before any other, or are held by it alone."""
        if words in self.keys.values() or not (words.kind is own.kind is Kind.WORDING):
            return words == own or (self._equal(words) != "" and self.keys[self._equal(words)] == own)
        places = {other.text: _place(other.text, words.text) for other in self.keys.values()}
        held = [(place, -len(text), text) for text, place in places.items() if place is not None]
        return min(held)[2] == own.text if held else _place(words.text, own.text) is not None


def options_of(question: str) -> Options:
    """Return what `question` offers; nothing where a text is itself like a letter, since then "C" has two meanings."""
    keys = {letter: key(text) for letter, text in offered(question).items()}
    return Options() if any(each.kind is Kind.CHOICE for each in keys.values()) else Options(keys)


def form_of(text: str, options: Options | None = None) -> str:
    """Return the form of an answer: the letter that it picks or names, yes, no, or nothing for any other."""
    said = key(text)
    if letter := options.letter(said) if options else "":
        return letter
    return said.letter if said.kind is Kind.CHOICE else said.text if said.kind is Kind.VERDICT else ""


def _place(words: str, text: str) -> int | None:
    """Return where `words` stand in `text` as whole words, or None."""
    found = re.search(rf"(?<!\w){re.escape(words)}(?!\w)", text)
    return found.start() if found else None
