"""An answer as a row of signs that stay the same when only the wording changes.

    words -> numbers, units, days, ranks -> "not" -> stems -> names and synonyms

Words that carry grammar alone are dropped. Everything that could change the answer stays, and stays in its order:
"not", "from", "before", "only", "or", numbers, and every noun, verb and adjective.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from auritas.council.equivalence import AnswerKey
from auritas.council.figures import amount_sign, figure
from auritas.council.lexicon import lexicon
from auritas.council.spelling import stem
from auritas.kernel.numerals import NUMERALS

MAX_WORDS = 40
"""Of an answer that is read by meaning; a longer one is an explanation."""
PHRASE = 5
"""Signs that a name in the lexicon may have."""
NOT = "\N{NOT SIGN}"

_UNCLEAR = re.compile(r"[^\w\s'.,%°-]|_|(?<!\w)-|-(?!\w)|\b[^\W\d_]-|-[^\W\d_]\b|(?:\b[^\W\d_]|(?<!\w))\.(?=[^\W\d_])")
"""Signs of a formula, of code, or of a range: there, wording is all that can be compared."""
_WORD = re.compile(r"-?\d+(?:[.,]\d+)*(?:st|nd|rd|th)?(?![^\W_])|[^\W_]+(?:'[^\W\d_]+)?|[%°]")
_BRACKETED = re.compile(r"(?P<thing>.+?) \((?P<other>[^()]+)\)")
_ABOUT = re.compile(r"\b(?:about|approximately|roughly|around|circa) (?=[\d#]|[a-z]+)")
_SPELLED_OUT = {"°c": " celsius", "°f": " fahrenheit", "°": " degrees", "%": " percent"}


@dataclass(frozen=True, slots=True)
class Reading:
    """What an answer says. signs: in their order. parts: the same, cut at each "and". words: as written.

    inverts: it has an "of", so that the word after it may stand before the word in front of it as well.
    """

    signs: tuple[str, ...]
    parts: tuple[tuple[str, ...], ...] = ()
    words: tuple[str, ...] = ()
    inverts: bool = False


def read_key(answer: AnswerKey, *, literal: bool = False) -> Reading | None:
    """Return what an answer says, or None where nothing but its form can be compared.

    literal: the question is about words, so no word may stand for another.
    """
    if answer.day:
        return Reading((f"={answer.day.isoformat()}",))
    if answer.quantity:
        return Reading((amount_sign(answer.quantity),))
    if not literal and (words := _short(answer.text)):
        return read(words)
    return read(answer.text, literal=literal)


def read(text: str, *, literal: bool = False) -> Reading | None:
    """Return what a wording says, or None if it has signs of a formula, no words, or more than MAX_WORDS."""
    text = text.casefold()
    if bracketed := _BRACKETED.fullmatch(text):
        return _bracketed(bracketed["thing"], bracketed["other"], literal=literal)
    text = re.sub(r"(?<=[^\W\d_]{2})-(?=\d)|(?<=\d)-(?=[^\W\d_]{2})", " ", text)
    if _UNCLEAR.search(text):
        return None
    words = tuple(_words(_bare(text, literal=literal)))
    if not words or len(words) > MAX_WORDS:
        return None
    if words[0] == "the" and len(words) == 2:  # noqa: PLR2004  the form keeps this article only in names: The Band
        return Reading(words, (words,), words)
    return _read(words, literal=literal)


def signs_of(text: str, *, literal: bool = False) -> tuple[str, ...]:
    """Return the signs of a text in which nothing is unclear enough to give up: a question, a phrase of a list."""
    return _read(tuple(_words(re.sub(r"[^\w\s'.,%-]", " ", text.casefold()))), literal=literal).signs


def initials(words: Sequence[str]) -> frozenset[str]:
    """Return the abbreviations that the words can have: with and without the small ones."""
    large = [word for word in words if word not in lexicon().grammar and word != "and"]
    return frozenset({"".join(word[0] for word in words), "".join(word[0] for word in large)})


def is_special(sign: str) -> bool:
    """Return whether a sign is an amount, a rank, a day or a "not"."""
    return sign[0] in f"#@={NOT}" or any(map(str.isdigit, sign))


def _short(text: str) -> str:
    """Return the words for Au, CO or US; "the US" comes in small letters."""
    return lexicon().short.get(text) or (lexicon().short.get(text.upper(), "") if text != "co" else "")


def _bracketed(thing: str, other: str, *, literal: bool) -> Reading | None:
    """Read "gold (Au)" and "World Health Organization (WHO)" as the thing; any other bracket is unclear."""
    first = read(thing, literal=literal)
    if first is None or literal:
        return None
    short = next((lexicon().short[form] for form in (other.upper(), other.capitalize()) if form in lexicon().short), "")
    second = read(short or other)
    abbreviates = other in initials(first.words) or (second is not None and thing in initials(second.words))
    return first if abbreviates or (second is not None and second.signs == first.signs) else None


def _bare(text: str, *, literal: bool) -> str:
    text = re.sub(r"\bcannot\b", "can not", text)
    text = re.sub(r"n't\b", " not", text)
    text = re.sub(r"'s\b|(?<=s)'(?=\s|$)", "", text)
    for sign, name in _SPELLED_OUT.items():
        text = text.replace(sign, name)
    if literal:
        return text
    for carrier in lexicon().carriers:
        text = re.sub(rf"^(?:the |a |an )?{carrier} ", "", text)
    return _ABOUT.sub("", text) if any(word in NUMERALS or word[0].isdigit() for word in text.split()) else text


def _words(text: str) -> Iterator[str]:
    yield from _WORD.findall(text)


def _read(words: tuple[str, ...], *, literal: bool) -> Reading:
    groups: Mapping[tuple[str, ...], str] = {} if literal else _groups()
    whole = tuple(_named(tuple(_plain(words, literal=literal)), groups))
    parts: tuple[tuple[str, ...], ...] = (whole,)
    if "and" in words:
        parts = tuple(tuple(_named(tuple(_plain(part, literal=literal)), groups)) for part in _cut(words))
    return Reading(whole, parts, words, inverts="of" in words)


def _cut(words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    part: list[str] = []
    for word in words:
        if word == "and":
            yield tuple(part)
            part = []
        else:
            part.append(word)
    yield tuple(part)


@cache
def _groups() -> Mapping[tuple[str, ...], str]:
    """Each phrase of the lexicon in signs, and the sign of its group."""
    found: dict[tuple[str, ...], str] = {}
    for group in lexicon().groups:
        for phrase in group:
            found[tuple(_plain(tuple(_words(_bare(phrase, literal=True))), literal=False))] = (
                f"\N{IDENTICAL TO}{group[0]}"
            )
    return found


def _named(signs: tuple[str, ...], groups: Mapping[tuple[str, ...], str]) -> Iterator[str]:
    at = 0
    while at < len(signs):
        for size in range(min(PHRASE, len(signs) - at), 0, -1):
            if name := groups.get(signs[at : at + size]):
                yield name
                at += size
                break
        else:
            yield signs[at]
            at += 1


def _plain(words: tuple[str, ...], *, literal: bool) -> Iterator[str]:
    """Yield the signs of words one by one, from left to right, the longest reading first."""
    at = 0
    while at < len(words):
        sign, size = figure(words, at) or (words[at], 1)
        if size == 1 and sign == words[at] and not _is_letter(words, at):
            sign = _word(sign, literal=literal)
        if sign:
            yield sign
        at += size


def _is_letter(words: Sequence[str], at: int) -> bool:
    """Whether this "a" is a letter, as in "from a to b", since no noun follows."""
    following = words[at + 1] if at + 1 < len(words) else "and"
    return (
        words[at] == "a"
        and len(words) > 1
        and (following in lexicon().grammar or following in {"and", "or", "from", "by"})
    )


def _word(word: str, *, literal: bool) -> str:
    if word in {"not", "no"}:
        return NOT
    if word in lexicon().grammar or word == "and":
        return ""
    return word if literal else stem(word)
