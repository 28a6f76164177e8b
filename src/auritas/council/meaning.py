"""Candidates by meaning: similarity proposes, a stricter test on the words decides. Precision first.

A wrong merge turns two opinions into a false agreement; a missed one only shows one candidate too many.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from math import fsum

from auritas.council.contrast import Asked, Likeness, asked, compared
from auritas.council.equivalence import AnswerKey, Kind, key, same_key
from auritas.council.options import Options, options_of
from auritas.council.reading import Reading, read_key
from auritas.council.spelling import stem
from auritas.kernel.answers import Answer
from auritas.kernel.ports import EmbeddingPort

SIMILAR = 0.96
"""Cosine from which two answers that differ by a word are taken to differ by a synonym."""
SHORT = 2
"""Characters of an answer in which each counts, and so does its case: pH and PH."""

_STRICT = frozenset({Kind.CHOICE, Kind.VERDICT})
_NAME = re.compile(r"(?<=[\w,;] )[^\W\d_a-z][\w'-]*")


@dataclass(frozen=True, slots=True)
class MeaningSameness:
    """Implements Sameness: form first, then the words, then similarity for what is near. Symmetric.

    Two choices, verdicts, days or amounts that differ by form never say the same. Where the question offers answers, a
    letter and the words behind it are one, and a letter with other words says the same as nothing else.

    question: what was asked. options: what it offers. names: stems of words written as names. readings: of answers, so
    that each is read once.
    vectors: by text of a key, of unit length; a text without one is similar to nothing.
    """

    question: Asked = field(default_factory=Asked)
    names: frozenset[str] = frozenset()
    readings: Mapping[AnswerKey, Reading | None] = field(default_factory=dict)
    vectors: Mapping[str, Sequence[float]] = field(default_factory=dict)
    options: Options = field(default_factory=Options)

    def __call__(self, a: AnswerKey, b: AnswerKey, /) -> bool:
        likeness = self.likeness(a, b)
        return likeness is Likeness.SAME or (likeness is Likeness.NEAR and self._similar(*self.said(a, b)))

    def likeness(self, a: AnswerKey, b: AnswerKey) -> Likeness:
        """Return what form and words alone say; NEAR asks for vectors."""
        a, b = self.options.picked(a), self.options.picked(b)
        return Likeness.DIFFERENT if self._told_apart(a, b) else self._worded(a, b)

    def said(self, a: AnswerKey, b: AnswerKey) -> tuple[AnswerKey, AnswerKey]:
        """Return what is compared of the two: the words behind a letter, unless both are choices."""
        a, b = self.options.picked(a), self.options.picked(b)
        return _said(a, b), _said(b, a)

    def _told_apart(self, a: AnswerKey, b: AnswerKey) -> bool:
        """Whether the two pick different options, or one picks none and so could mean two of them or names another."""
        mine, other = self.options.letter(a), self.options.letter(b)
        if bool(mine) == bool(other):
            return mine != other
        free = b if mine else a
        alike = (each for each in self.options.keys.values() if self._worded(each, free) is not Likeness.DIFFERENT)
        return free.kind is Kind.CHOICE or len(list(alike)) > 1

    def _worded(self, a: AnswerKey, b: AnswerKey) -> Likeness:
        if same_key(a, b):
            return Likeness.SAME
        a, b = _said(a, b), _said(b, a)
        if Kind.WORDING not in {a.kind, b.kind} or {a.kind, b.kind} & _STRICT:
            return Likeness.DIFFERENT
        if max(len(a.text), len(b.text)) <= SHORT:
            return Likeness.DIFFERENT
        first, second = self._reading(a), self._reading(b)
        if first is None or second is None:
            return Likeness.DIFFERENT
        return compared(first, second, self.question, self.names)

    def _reading(self, answer: AnswerKey) -> Reading | None:
        if answer in self.readings:
            return self.readings[answer]
        return read_key(answer, literal=self.question.literal)

    def _similar(self, a: AnswerKey, b: AnswerKey) -> bool:
        if a.text not in self.vectors or b.text not in self.vectors:
            return False
        return fsum(x * y for x, y in zip(self.vectors[a.text], self.vectors[b.text], strict=True)) >= SIMILAR


def agreed(answers: Sequence[Answer]) -> bool:
    """Return whether the answers that vote are one by form alone, so that no reading could tell more."""
    return len({key(answer.text) for answer in answers if answer.votes}) <= 1


def prepared(answers: Sequence[Answer], embedder: EmbeddingPort | None, question: str = "") -> MeaningSameness:
    """Return the sameness for the answers of one question.

    It embeds in one batch, 10 to 25 ms a text, only the answers that one word keeps apart; mostly there are none. With
    an embedder call it in a thread. Without one, answers that are near stay apart.
    """
    by_words = worded(answers, question)
    texts = undecided(answers, by_words) if embedder else ()
    if not texts or embedder is None:
        return by_words
    return replace(by_words, vectors=dict(zip(texts, embedder.embed(texts), strict=True)))


def worded(answers: Sequence[Answer], question: str = "") -> MeaningSameness:
    """Return the sameness that words alone can tell, within a millisecond or two and without any model."""
    about, options = asked(question), options_of(question)
    read = [*_keys(answers), *options.keys.values()]
    keys = {inner for each in read for inner in (each, each.inner) if inner}
    readings = {each: read_key(each, literal=about.literal) for each in keys}
    names = _names([question, *(answer.text for answer in answers)])
    return MeaningSameness(about, names, readings, options=options)


def undecided(answers: Sequence[Answer], by_words: MeaningSameness) -> tuple[str, ...]:
    """Return the texts, sorted, that must be embedded to decide which answers say the same."""
    near = (pair for pair in combinations(_keys(answers), 2) if by_words.likeness(*pair) is Likeness.NEAR)
    return tuple(sorted({each.text for pair in near for each in by_words.said(*pair)}))


def _keys(answers: Sequence[Answer]) -> list[AnswerKey]:
    return sorted({key(answer.text) for answer in answers if answer.votes}, key=repr)


def _said(a: AnswerKey, other: AnswerKey) -> AnswerKey:
    """Return the words behind a letter, unless both are choices: then the letters decide."""
    return a.inner if a.inner and other.kind is not Kind.CHOICE else a


def _names(texts: Sequence[str]) -> frozenset[str]:
    """Return the stems of words that stand with a capital inside a text."""
    return frozenset(stem(word.casefold()) for text in texts for word in _NAME.findall(text))
