"""The words and patterns by which slots are read, as data/slots.toml holds them."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

_DIGITS = r"-?[$\u20ac\u00a3]?\d[\d.,:]*"
_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_CLOCK = r"(?:half past \d+|\d{1,2}(?::\d\d)?\s?(?:am|pm)\b|\d{1,2}:\d\d|noon|midnight|\d{1,2} o'clock)(?: .*)?"


@dataclass(frozen=True, slots=True)
class Statement:
    """A kind of sentence of which one value holds at a time; the data file says what each part means."""

    attribute: str
    pattern: re.Pattern[str]
    subject: str = ""
    adds: str = ""
    names: str = ""
    pair: bool = False
    proper: bool = False
    measured: bool = False


@dataclass(frozen=True, slots=True)
class Book:
    """All of the data file, ready to be matched. nouns: lists that statements name their subjects by."""

    settings: Mapping[str, Sequence[str]]
    chosen: frozenset[str]
    statements: Sequence[Statement]
    nouns: Mapping[str, frozenset[str]]
    dimensions: Mapping[str, str]
    courtesy: re.Pattern[str]
    polarity: re.Pattern[str]
    denial: re.Pattern[str]
    contractions: re.Pattern[str]
    expanded: Mapping[str, str]
    limited: re.Pattern[str]
    spellings: Mapping[str, str]
    small: frozenset[str]
    general: frozenset[str]
    everyday: frozenset[str]


@cache
def book() -> Book:
    """Return the data file; it is read once."""
    raw = tomllib.loads(files("auritas.memory").joinpath("data", "slots.toml").read_text(encoding="utf-8"))
    words = raw["words"]
    named = _named(words)
    choices = {name: sorted(each, key=len, reverse=True) for name, each in raw["settings"].items()}
    return Book(
        settings=choices,
        chosen=frozenset(word for each in choices.values() for choice in each for word in choice.split()),
        statements=tuple(_statement(entry, named) for entry in raw["statements"]),
        nouns={name: frozenset(raw["nouns"][name]) for name in raw["nouns"]},
        dimensions={unit: name for name, units in raw["dimensions"].items() for unit in units},
        courtesy=re.compile(rf"^(?:{_any(words['courtesy'])})(?![\w'])"),
        polarity=re.compile(rf"^(?:(?:{_any(words['polarity'])}) )+"),
        denial=re.compile(rf"\b(?:{_any(words['denial'])})\b"),
        contractions=re.compile(rf"(?<![\w'])(?:{_any(raw['contractions'])})(?![\w'])"),
        expanded=raw["contractions"],
        limited=re.compile(rf"\b((?:{_any(words['limits'])}) (?:an? )?)(?:\d[\d.,]*|(?:{_any(words['numbers'])})\b)"),
        spellings=raw["spellings"],
        small=frozenset(words["small"]),
        general=frozenset(words["general"]),
        everyday=frozenset(words["everyday"]),
    )


def _named(words: Mapping[str, Sequence[str]]) -> Mapping[str, str]:
    """Return what stands for each name in braces of a pattern."""
    month = _any(words["months"])
    not_there = _any(words["elsewhere"])
    return {
        "{language}": f"(?:{_any(words['language'])})",
        "{nationality}": f"(?:{_any(words['nationality'])})",
        "{number}": rf"(?:{_DIGITS}|(?:{_any(words['numbers'])})\b)",
        "{few}": _any(words["few"]),
        "{loose}": rf"(?:{_any(words['loose'])})(?!\S)",
        "{group}": rf"(?:\S+ )?(?:{_any(words['group'])})\b",
        "{town}": rf"(?!(?:{not_there})\b)[^\d\s]\S*(?: [^\s]+){{0,4}}",
        "{firm}": rf"(?!(?:{not_there})\b)\S+(?: \S+){{0,4}}",
        "{tool}": rf"(?!(?:\S+ )?(?:{_any(words['devices'])})\b)(?:(?! for | as ).)+",
        "{day}": rf"(?:(?:next )?{_WEEKDAY}\b.*|(?:(?:early|late|mid) )?(?:{month})\b.*"
        rf"|(?:the )?\d{{1,2}}(?:st|nd|rd|th)? (?:of )?(?:{month})\b.*|\d{{4}}-\d\d-\d\d|tomorrow|tonight|today"
        r"|(?:next|this) (?:week|month|year|spring|summer|autumn|fall|winter))",
        "{clock}": _CLOCK,
    }


def _statement(entry: Mapping[str, Any], named: Mapping[str, str]) -> Statement:
    pattern = entry["pattern"]
    for name, choices in named.items():
        pattern = pattern.replace(name, choices)
    return Statement(**{**entry, "pattern": re.compile(pattern)})


def _any(words: Sequence[str] | Mapping[str, Any]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
