"""Which language a text is in, by its script and its commonest words. Where that does not settle it: None.

A few dozen words make up about half of any text in a language (Zipf, Human Behavior and the Principle of Least Effort,
1949), so they settle most sentences. A wrong accusation costs more than a missed one: short, mixed and
wordless texts get no language, and Danish and Norwegian, which share most of those words, count as one.
"""

import re
import tomllib
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import resources


class Language(StrEnum):
    """A language, or a script whose languages are not told apart."""

    ENGLISH = "English"
    GERMAN = "German"
    FRENCH = "French"
    SPANISH = "Spanish"
    ITALIAN = "Italian"
    PORTUGUESE = "Portuguese"
    DUTCH = "Dutch"
    SWEDISH = "Swedish"
    DANISH_NORWEGIAN = "Danish or Norwegian"
    POLISH = "Polish"
    TURKISH = "Turkish"
    GREEK = "Greek"
    HEBREW = "Hebrew"
    KOREAN = "Korean"
    JAPANESE = "Japanese"
    CHINESE = "Chinese"
    THAI = "Thai"
    CYRILLIC = "Cyrillic"
    ARABIC = "Arabic"
    DEVANAGARI = "Devanagari"


LEAST_EVIDENCE = 1.5
"""Common words of a language that a text must hold, each shared one counted by its share."""
LEAST_DIFFERENT = 2
"""Different ones of two letters or more among them: one word may be a name, and single letters are variables."""
LEAST_SHARE = 0.15
"""Of all words of a text."""
LEAD = 2.0
"""Times the evidence for the runner-up."""
SCRIPT_SHARE = 0.7
"""Of the letters of a text, to settle it by script alone."""
LEAST_LETTERS = 4
MAX_CHARACTERS = 4000

_WORDLESS = re.compile(r"\S*[\d/\\_@<>{}$#|=+]\S*")
"""Addresses, paths, formulas and hashes, in which letters are no words."""
_WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)*")
_SCRIPTS = {
    "GREEK": Language.GREEK,
    "HEBREW": Language.HEBREW,
    "HANGUL": Language.KOREAN,
    "HIRAGANA": Language.JAPANESE,
    "KATAKANA": Language.JAPANESE,
    "CJK": Language.CHINESE,
    "THAI": Language.THAI,
    "CYRILLIC": Language.CYRILLIC,
    "ARABIC": Language.ARABIC,
    "DEVANAGARI": Language.DEVANAGARI,
}
_KANA_SHARE = 0.1
"""Japanese mixes kana into its Chinese characters; Chinese has none."""


@dataclass(frozen=True, slots=True)
class _Words:
    """What data/common_words.toml says. weights: a word that several languages share says less for each of them."""

    weights: Mapping[str, tuple[tuple[Language, float], ...]]
    about_languages: frozenset[str]


NAMES: Mapping[str, Language] = {language.value.lower(): language for language in Language} | {
    "danish": Language.DANISH_NORWEGIAN,
    "norwegian": Language.DANISH_NORWEGIAN,
    "russian": Language.CYRILLIC,
    "ukrainian": Language.CYRILLIC,
    "bulgarian": Language.CYRILLIC,
    "hindi": Language.DEVANAGARI,
}
"""Languages by the names by which people ask for them, in lower case."""


@cache
def _words() -> _Words:
    text = resources.files("auritas.council").joinpath("data", "common_words.toml").read_text(encoding="utf-8")
    data: dict[str, str] = tomllib.loads(text)
    about = frozenset(data.pop("about_languages").split()) | NAMES.keys()
    owners: dict[str, list[Language]] = {}
    for name, words in data.items():
        for word in set(words.split()):
            owners.setdefault(word, []).append(Language(name))
    weights = {word: tuple((each, 1 / len(of)) for each in of) for word, of in owners.items()}
    return _Words(weights, about)


def language_of(text: str) -> Language | None:
    """Return the language of `text`, or None when it is too short, mixed, or not in words."""
    text = _WORDLESS.sub(" ", unicodedata.normalize("NFC", text[:MAX_CHARACTERS]))
    return _by_script(text) or _by_words(text)


def likeliest(text: str) -> Language | None:
    """Return the language that `text` is most likely in, on whatever evidence there is; None without any.

    For choices that a wrong guess costs little, such as the language of a remark. Of two that are as likely it is
    the one that `Language` names first.
    """
    text = _WORDLESS.sub(" ", unicodedata.normalize("NFC", text[:MAX_CHARACTERS]))
    evidence = _evidence(text)
    return _by_script(text) or max(
        (each for each in Language if each in evidence), key=evidence.__getitem__, default=None
    )


def speaks_of_languages(text: str) -> bool:
    """Whether `text` names a language or translation: then the language of an answer is the user's to choose."""
    return not _words().about_languages.isdisjoint(_WORD.findall(text.lower()))


def _by_script(text: str) -> Language | None:
    counts: Counter[Language | None] = Counter(_script(c) for c in text if c.isalpha())
    total = counts.total()
    if total < LEAST_LETTERS:
        return None
    east_asian = counts[Language.JAPANESE] + counts[Language.CHINESE]
    if counts[Language.JAPANESE] > _KANA_SHARE * east_asian and east_asian >= SCRIPT_SHARE * total:
        return Language.JAPANESE
    script, count = counts.most_common(1)[0]
    return script if count >= SCRIPT_SHARE * total else None


def _script(character: str) -> Language | None:
    return None if character < "\u0370" else _SCRIPTS.get(unicodedata.name(character, "").split(" ")[0].split("-")[0])


def _evidence(text: str) -> Mapping[Language, float]:
    words = (word.lower().replace("\u2019", "'") for word in _WORD.findall(text))
    evidence: dict[Language, float] = defaultdict(float)
    for word in words:
        for language, share in _words().weights.get(word, ()):
            evidence[language] += share
    return evidence


def _by_words(text: str) -> Language | None:
    words = [word.lower().replace("\u2019", "'") for word in _WORD.findall(text)]
    evidence = _evidence(text)
    common: dict[Language, list[str]] = defaultdict(list)
    for word in words:
        for language, _ in _words().weights.get(word, ()):
            common[language].append(word)
    ranked = sorted(evidence, key=lambda language: (-evidence[language], language))
    if not ranked:
        return None
    best, next_most = ranked[0], evidence[ranked[1]] if ranked[1:] else 0.0
    settled = (
        evidence[best] >= max(LEAST_EVIDENCE, LEAD * next_most)
        and sum(len(word) > 1 for word in set(common[best])) >= LEAST_DIFFERENT
        and len(common[best]) >= LEAST_SHARE * len(words)
    )
    return best if settled else None
