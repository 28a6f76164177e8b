"""What a sentence is about, as a slot: of one slot, place and condition only one correction can hold.

A slot is read only where the sentence names an attribute that has one value at a time. "My limit is 100" replaces "my
limit is 50"; "I like tea" does not replace "I like coffee". Where no slot can be read the person is asked instead.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from auritas.kernel.memory import CorrectionType

_DIGITS = r"-?[$\u20ac\u00a3]?\d[\d.,:]*"
_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
_CLOCK = r"\d{1,2}(?::\d\d)?\s?(?:am|pm)\b.*|\d{1,2}:\d\d.*|noon|midnight"
_LONGEST = 300
"""Of a sentence that is read; a longer one says several things."""
_MOST_SUBJECT_WORDS = 8
_NAME = r"(?:\w|[+#.-])+"
_PLACE_AFTER = re.compile(rf"\b(?:in|for|when (?:writing|talking about)|with) ({_NAME}(?: {_NAME}){{0,3}})$")
_PLACE_BEFORE = re.compile(
    rf"(?:in |for )?({_NAME}(?: {_NAME})?)(?:,| code| files?| projects?)* (?:should|must|always|never|uses?)\b"
)
_POINTING = frozenset({"it", "that", "this", "there", "he", "she", "they"})
"""A sentence that begins so says something about what stood before it."""
_TOPIC_WORDS = 2
"""Words that a question needs before it can stand for what it asks."""


@dataclass(frozen=True, slots=True)
class Slot:
    """What a sentence says something about. subject: of what; attribute: which property. value: what it says."""

    subject: str
    attribute: str
    value: str = ""

    @property
    def key(self) -> str:
        """The slot in one text, as it is stored."""
        return f"{self.subject}|{self.attribute}"


def slot_of(claim: str, kind: CorrectionType, canonical_query: str = "") -> Slot | None:
    """Return the slot of a sentence, or that of the question which it answers, or None where neither can be read."""
    sentence = _plain(claim)
    if not sentence or len(sentence) > _LONGEST:
        return None
    said = _setting(sentence, kind) or _statement(sentence) or _rule(sentence, kind)
    if kind is CorrectionType.FACT and canonical_query and (said is None or _is_vague(said)):
        return _asked(canonical_query) or said
    return said


def condition_key(condition: str) -> str:
    """Return a condition in the form in which two are compared; empty: always."""
    return " ".join(sorted(set(_words(condition.lower()))))


def topic(text: str) -> frozenset[str]:
    """Return the words of a text that carry its meaning."""
    return frozenset(_words(_plain(text)))


def _setting(sentence: str, kind: CorrectionType) -> Slot | None:
    """Return the setting of answers that a short rule chooses; a fact about tabs is no rule about tabs."""
    if kind is CorrectionType.FACT:
        return None
    for name, choices in _book().settings.items():
        for choice in choices:
            if re.search(rf"(?<![\w-]){re.escape(choice)}(?![\w-])", sentence):
                where = _elsewhere(sentence)
                return Slot(f"answers{' ' + where if where else ''}", name.replace("_", " "), choice)
    return None


def _elsewhere(sentence: str) -> str:
    """Return what a setting is limited to: tabs in Python and spaces in YAML do not exclude each other."""
    found = _PLACE_AFTER.search(sentence) or _PLACE_BEFORE.match(sentence)
    words = _words(found[1]) if found else []
    general = {
        "we",
        "please",
        "never",
        "always",
        "use",
        "code",
        "file",
        "project",
        "answers",
        "answer",
        "replies",
        "reply",
        "everything",
        "responses",
        "output",
        "general",
        "mode",
        "tone",
    }
    chosen = {word for choices in _book().settings.values() for choice in choices for word in choice.split()}
    return " ".join(sorted(set(words) - general - chosen))


def _statement(sentence: str) -> Slot | None:
    for statement in _book().statements:
        if match := statement.pattern.fullmatch(sentence):
            groups = {name: text for name, text in match.groupdict().items() if text}
            value = _first(groups, "value")
            if statement.pair:
                subject = " or ".join(sorted((_key(value), _key(groups.get("other", "")))))
            else:
                subject = _key(f"{_first(groups, 'subject')} {groups.get('of', '')}") or statement.subject
            if not _is_subject(subject) or (statement.attributes_only and not _names_attribute(groups["subject"])):
                continue
            return Slot(subject, statement.attribute, value)
    return None


def _rule(sentence: str, kind: CorrectionType) -> Slot | None:
    """Return the slot of a rule that differs from its opposite only in polarity: "use tabs", "never use tabs"."""
    if kind not in {CorrectionType.INSTRUCTION, CorrectionType.DOMAIN_RULE, CorrectionType.DECISION}:
        return None
    words = [
        word
        for word in re.findall(r"[\w'+#./-]+", _without_polarity(sentence))
        if word not in {"a", "an", "the", "any"}
    ]
    return Slot("rule", " ".join(words)) if 1 < len(words) <= _MOST_SUBJECT_WORDS else None


def _asked(question: str) -> Slot | None:
    sentence = _plain(question).rstrip("?")
    words = sorted(set(_words(sentence)))
    attribute = "amount" if sentence.startswith("how many ") else "asked"
    return Slot(" ".join(words), attribute) if len(words) >= _TOPIC_WORDS else None


def _is_vague(slot: Slot) -> bool:
    """Whether a subject stands for something only in its conversation: "it is 53", "the limit is 100"."""
    return slot.attribute in {"amount", "value", "place", "time"} and len(slot.subject.split()) < _TOPIC_WORDS


def _names_attribute(subject: str) -> bool:
    """Whether a noun phrase names a property with one value: "the owner of the repo", "my favourite tea"."""
    words = subject.split()
    if {"favourite", "favorite", "preferred", "default", "main", "primary"} & set(words):
        return True
    head = re.split(r" (?:of|for) ", subject, maxsplit=1)[0].split()
    return bool(head) and (head[-1] in _book().attributes or " ".join(head[-2:]) in _book().attributes)


def _is_subject(subject: str) -> bool:
    words = subject.split()
    return 0 < len(words) <= _MOST_SUBJECT_WORDS and words[0] not in _POINTING


def _first(groups: Mapping[str, str], name: str) -> str:
    return next((text for key, text in groups.items() if key.rstrip("0123456789") == name), "")


def _key(phrase: str) -> str:
    """Return a noun phrase in the form in which two are compared: "limit of the API" and "API limit" are one."""
    return " ".join(sorted(set(_words(phrase)))) or " ".join(phrase.split())


def _words(phrase: str) -> list[str]:
    words = (word.removesuffix("'s").strip(".'-") for word in re.findall(r"[\w'+#./-]+", phrase.lower()))
    spelled = (_book().spellings.get(word, word) for word in words)
    return [_singular(word) for word in spelled if word and word not in _book().small]


def _singular(word: str) -> str:
    """Return a plural without its s, as far as a rule can tell: comparing needs no dictionary."""
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):  # noqa: PLR2004  letters
        return word[:-1]
    return word


def _plain(text: str) -> str:
    sentence = " ".join(text.lower().replace("\u2019", "'").split()).strip(" .!,;:\"'")
    before = None
    while sentence != before:
        before = sentence
        sentence = _book().courtesy.sub("", sentence).strip(" ,:;-\u2014\u2013")
    return re.sub(
        r"(?:,? (?:from now on|please|always|going forward|now|instead|everywhere|anymore|any more))+$", "", sentence
    )


def _without_polarity(sentence: str) -> str:
    return _book().polarity.sub("", sentence).strip()


@dataclass(frozen=True, slots=True)
class _Statement:
    attribute: str
    pattern: re.Pattern[str]
    subject: str
    pair: bool
    attributes_only: bool


@dataclass(frozen=True, slots=True)
class _Book:
    settings: Mapping[str, Sequence[str]]
    statements: Sequence[_Statement]
    attributes: frozenset[str]
    courtesy: re.Pattern[str]
    polarity: re.Pattern[str]
    spellings: Mapping[str, str]
    small: frozenset[str]


@cache
def _book() -> _Book:
    raw = tomllib.loads(files("auritas.memory").joinpath("data", "slots.toml").read_text(encoding="utf-8"))
    words = raw["words"]
    month = _any(words["months"])
    named = {
        "{language}": _any(words["language"]),
        "{number}": rf"(?:{_DIGITS}|(?:{_any(words['numbers'])})\b)",
        "{when}": rf"(?:{_WEEKDAY}\b.*|(?:{month})\b.*|\d{{1,2}}(?:st|nd|rd|th)? (?:of )?(?:{month})\b.*|{_CLOCK}"
        r"|tomorrow|tonight|next \w+|\d{4}-\d\d-\d\d|at \d+)",
    }
    longest_first = {name: sorted(choices, key=len, reverse=True) for name, choices in raw["settings"].items()}
    return _Book(
        longest_first,
        tuple(_read(entry, named) for entry in raw["statements"]),
        frozenset(words["attributes"]),
        re.compile(rf"^(?:{_any(words['courtesy'])})(?![\w'])"),
        re.compile(rf"^(?:(?:{_any(words['polarity'])}) )+"),
        raw["spellings"],
        frozenset(words["small"]),
    )


def _read(entry: Mapping[str, Any], named: Mapping[str, str]) -> _Statement:
    pattern = entry["pattern"]
    for name, choices in named.items():
        pattern = pattern.replace(name, choices)
    return _Statement(
        entry["attribute"],
        re.compile(pattern),
        entry.get("subject", ""),
        entry.get("pair", False),
        entry.get("attributes_only", False),
    )


def _any(words: Sequence[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
