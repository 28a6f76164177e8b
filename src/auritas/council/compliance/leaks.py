"""Talk about the council's own workings where a reply should be about the question.

A phrase counts only when the writer speaks of itself or of this council in its own voice: quotations and code are
passed over, and so is every subject that the user brought up. Somebody who asks about auctions, votes or scores gets
answers about them.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from auritas.council.compliance.model import Checked, Failed, Finding, Passed
from auritas.council.compliance.reading import own_words, words_of


@dataclass(frozen=True, slots=True)
class _Leak:
    """Telling phrases. subject: words by which the user would have brought the matter up."""

    phrase: re.Pattern[str]
    subject: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class _Leaks:
    """What data/leaks.toml says."""

    of_answers: tuple[_Leak, ...]
    of_reviews: tuple[_Leak, ...]


def no_scoring_leak(subject: Checked) -> Finding:
    """Fail an answer that talks about being scored, compared or chosen, or about its fellow members."""
    return _without(_leaks().of_answers, subject)


def reviewer_no_leak(subject: Checked) -> Finding:
    """Fail a review that talks about who wrote the answer, about other answers or about a competition."""
    return _without(_leaks().of_reviews, subject)


def _without(leaks: Sequence[_Leak], subject: Checked) -> Finding:
    said = own_words(words_of(subject))
    for leak in leaks:
        match = leak.phrase.search(said)
        if match and not leak.subject.search(subject.asked):
            return Failed(f"It says: {match[0].strip()}")
    return Passed()


@cache
def _leaks() -> _Leaks:
    text = resources.files("auritas.council").joinpath("data", "leaks.toml").read_text(encoding="utf-8")
    data = tomllib.loads(text)
    subjects = {name: _any(words, "") for name, words in data["subjects"].items()}
    of_both = _compiled(data["leak"], subjects)
    return _Leaks(of_both, of_both + _compiled(data["review_leak"], subjects))


def _compiled(leaks: Sequence[Mapping[str, Any]], subjects: Mapping[str, re.Pattern[str]]) -> tuple[_Leak, ...]:
    return tuple(_Leak(_any(leak["phrases"], r"\b"), subjects[leak["subject"]]) for leak in leaks)


def _any(alternatives: Iterable[str], end: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(alternatives)}){end}", re.IGNORECASE)
