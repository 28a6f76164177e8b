"""Whether a question is closed, with one short right answer, or open: by its words, before anybody answers.

Where the words do not settle it the question is closed: its answers then just do not agree in form, while an open one
that was really closed would lose the votes that tell who is right.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

from auritas.kernel.answers import QuestionShape

LONG_TEXT = 300
"""Characters of a given text from which a translation or a correction of it is a text itself."""
RULE_WORDS = 6
"""Of the question that the name of a rule repeats."""

_SENTENCE_END = re.compile(r"(?<=[.!?:])\s+|\n+")
_GIVEN = re.compile(r"```.*?(?:```|\Z)|\"[^\"]{40,}\"|\u201c[^\u201c\u201d]{40,}\u201d", re.DOTALL)


class Shaped(NamedTuple):
    """The shape of a question and the rule that told it, as a trace names it."""

    shape: QuestionShape
    rule: str


@dataclass(frozen=True, slots=True)
class _Rule:
    pattern: re.Pattern[str]
    name: str

    def told(self, text: str) -> str | None:
        match = self.pattern.search(text)
        return self.name.format(" ".join(match[0].split()[:RULE_WORDS])) if match else None


@dataclass(frozen=True, slots=True)
class _Rules:
    """What data/shapes.toml says."""

    polite: re.Pattern[str]
    transform: re.Pattern[str]
    closed: tuple[_Rule, ...]
    closed_beginning: tuple[_Rule, ...]
    open: tuple[_Rule, ...]


def shape_of(question: str) -> Shaped:
    """Return the shape of a question and the rule that told it.

    Its first and last sentence say what is wanted; what lies between, like code and long quotations, is given to work
    on.
    """
    rules = _rules()
    if told := _first(rules.closed, question):
        return Shaped(QuestionShape.CLOSED, told)
    sentences = [rules.polite.sub("", sentence) for sentence in _asking(question)]
    if any(rules.transform.match(s) and len(question) - len(s) >= LONG_TEXT for s in sentences):
        return Shaped(QuestionShape.OPEN, "gives a long text to transform")
    for sentence in sentences:
        if told := _first(rules.closed_beginning, sentence):
            return Shaped(QuestionShape.CLOSED, told)
    for sentence in sentences:
        if told := _first(rules.open, sentence):
            return Shaped(QuestionShape.OPEN, told)
    return Shaped(QuestionShape.CLOSED, "nothing in it asks for a text")


def _first(rules: Iterable[_Rule], text: str) -> str | None:
    return next((told for rule in rules if (told := rule.told(text))), None)


def _asking(question: str) -> tuple[str, ...]:
    own = _GIVEN.sub(" ", question).strip() or question
    sentences = [part.strip() for part in _SENTENCE_END.split(own) if part.strip()]
    return tuple(dict.fromkeys([*sentences[:1], *sentences[-1:]]))


@cache
def _rules() -> _Rules:
    text = resources.files("auritas.council").joinpath("data", "shapes.toml").read_text(encoding="utf-8")
    data = tomllib.loads(text)
    return _Rules(
        polite=_pattern(data["polite"], "^(?:(?:{}) *)+"),
        transform=_beginning(data["transform"]),
        closed=tuple(_Rule(_pattern(each["anywhere"], r"(?<!\w)(?:{})"), each["rule"]) for each in data["closed"]),
        closed_beginning=_beginnings(data["closed_beginning"]),
        open=_beginnings(data["open"]),
    )


def _beginnings(rules: Sequence[Mapping[str, Any]]) -> tuple[_Rule, ...]:
    return tuple(_Rule(_beginning(each["begins"]), each["rule"]) for each in rules)


def _beginning(alternatives: Iterable[str]) -> re.Pattern[str]:
    return _pattern(alternatives, r"^(?:{})(?:(?<!\w)|(?!\w))")


def _pattern(alternatives: Iterable[str], form: str) -> re.Pattern[str]:
    return re.compile(form.format("|".join(f"(?:{each})" for each in alternatives)), re.IGNORECASE)
