"""What a person types, read into terms, phrases and filters. Nothing that can be typed is a syntax error."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from auritas.kernel.dates import read_date
from auritas.kernel.text import storable
from auritas.search.errors import QueryError
from auritas.search.words import STOP_WORDS, chain, folded, is_cjk, pairs, parts, words

LONGEST_QUERY = 1_000
MOST_TERMS = 24
RELEVANCE_FROM = 4
"""Letters from which on results are ordered by relevance while typing: below it too much fits."""

FILTERS = ("project", "model", "domain", "before", "after")
_DAYS = frozenset({"before", "after"})
_PART = re.compile(
    rf"""(?P<bare>-?(?:{"|".join(FILTERS)}):)(?=\s|$)
    |(?P<minus>-)?(?:(?P<key>{"|".join(FILTERS)}):)?(?:"(?P<quoted>[^"]*)(?P<end>"|$)|(?P<plain>[^\s"]+))
    |\S""",
    re.VERBOSE | re.IGNORECASE,
)
_CHAIN = re.compile(r"\w+(?:\.\w+)+")


@dataclass(frozen=True, slots=True)
class Term:
    """One word to look for.

    whole: the word of the index. parts: of an identifier, looked for when nothing holds the whole. pairs: of a word
    written without blanks, in its place. prefix: longer words count, too, because this one may be unfinished.
    """

    whole: str
    parts: tuple[str, ...] = ()
    pairs: tuple[str, ...] = ()
    prefix: bool = False

    @property
    def letters(self) -> int:
        """How much of a word there is."""
        return len(self.whole)


@dataclass(frozen=True, slots=True)
class Query:
    """What is looked for. without, without_phrases: what a conversation must not hold. before, after: see `Filters`."""

    terms: tuple[Term, ...] = ()
    phrases: tuple[str, ...] = ()
    without: tuple[Term, ...] = ()
    without_phrases: tuple[str, ...] = ()
    project: str | None = None
    model: str | None = None
    domain: str | None = None
    before: date | None = None
    after: date | None = None
    entered: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether nothing at all is asked for: then the newest conversations are found."""
        return not (self.terms or self.phrases)

    @property
    def by_relevance(self) -> bool:
        """Whether results are ordered by relevance rather than by time."""
        letters = sum(term.letters for term in self.terms) + sum(map(len, self.phrases))
        return not self.is_empty and (self.entered or letters >= RELEVANCE_FROM)

    @property
    def marked(self) -> tuple[tuple[str, bool], ...]:
        """The words to mark in results, folded, each with whether it is a beginning."""
        found = [
            (folded(word), term.prefix)
            for term in self.terms
            for word in (term.whole, *term.parts, *term.pairs)
            if word is term.whole or word.lower() not in STOP_WORDS
        ]
        found += [(folded(word), False) for phrase in self.phrases for word in words(phrase)]
        return tuple(dict.fromkeys(found))


def read(text: str, *, entered: bool) -> Query:
    """Return what `text` asks for.

    entered: the person has finished; else its last word may go on, and a filter that is being typed is left out. The
    last word counts as a beginning either way, unless a blank or a quote closes it. Raises QueryError for a date that
    is none, an empty filter, or too long a text.
    """
    text = unicodedata.normalize("NFC", storable(text))
    if len(text) > LONGEST_QUERY:
        raise QueryError(
            f"The search has {len(text)} characters; at most {LONGEST_QUERY} fit.",
            remedy="Search for the few words that are rare.",
        )
    reading = _Reading(entered)
    found = list(_PART.finditer(text))
    for match in found:
        reading.take(match, unfinished=match.end() == len(text))
    return reading.query()


class _Reading:
    def __init__(self, entered: bool) -> None:  # noqa: FBT001  private, and named where it is given
        self._entered = entered
        self._terms: list[Term] = []
        self._phrases: list[str] = []
        self._without: list[Term] = []
        self._without_phrases: list[str] = []
        self._filters: dict[str, str] = {}

    def take(self, match: re.Match[str], *, unfinished: bool) -> None:
        if match["bare"] or match["key"]:
            self._filter(match, unfinished=unfinished)
        elif match["quoted"] is not None and not match["end"] and not self._entered:
            # The quote is still open, so its last word may go on.
            self._terms.extend(_terms(match["quoted"], unfinished=unfinished))
        elif match["quoted"] is not None:
            (self._without_phrases if match["minus"] else self._phrases).extend(_phrase(match["quoted"]))
        elif match["minus"] and match["plain"]:
            # A word that is still being typed and to be left out would empty the list at its first letter.
            if not unfinished or self._entered:
                self._without.extend(terms_of(match["plain"], unfinished=False))
        elif match["plain"]:
            self._terms.extend(terms_of(match["plain"], unfinished=unfinished))

    def _filter(self, match: re.Match[str], *, unfinished: bool) -> None:
        key = (match["key"] or match["bare"].strip("-:")).lower()
        value = (match["quoted"] or match["plain"] or "").strip()
        if unfinished and not self._entered and (key not in _DAYS or read_date(value) is None):
            return
        if match["minus"] or match[0].startswith("-"):
            raise QueryError(f"-{key}: is not known.", remedy="Leave out words with -word; filters only narrow down.")
        if not value:
            raise QueryError(f"{key}: needs a value.", remedy=f"For example: {_example(key)}")
        self._filters[key] = value

    def query(self) -> Query:
        kept = [t for t in self._terms if t.prefix or t.whole.lower() not in STOP_WORDS]
        return Query(
            tuple(dict.fromkeys(kept))[:MOST_TERMS],
            tuple(dict.fromkeys(self._phrases))[:MOST_TERMS],
            tuple(dict.fromkeys(self._without))[:MOST_TERMS],
            tuple(dict.fromkeys(self._without_phrases))[:MOST_TERMS],
            self._filters.get("project"),
            self._filters.get("model"),
            self._filters.get("domain"),
            self._day("before"),
            self._day("after"),
            self._entered,
        )

    def _day(self, key: str) -> date | None:
        value = self._filters.get(key)
        if value is None:
            return None
        day = read_date(value)
        if day is None:
            raise QueryError(f"{value!r} is not a day.", remedy=f"Write it like this: {_example(key)}")
        return day


def _example(key: str) -> str:
    return f"{key}:2026-03-31" if key in _DAYS else f'{key}:name or {key}:"a longer name"'


def _phrase(quoted: str) -> list[str]:
    return [" ".join(words(quoted))] if words(quoted) else []


def _terms(text: str, *, unfinished: bool) -> Iterator[Term]:
    chunks = text.split()
    for place, chunk in enumerate(chunks):
        last = place == len(chunks) - 1 and text.endswith(chunk)
        yield from terms_of(chunk, unfinished=unfinished and last)


def terms_of(chunk: str, *, unfinished: bool) -> Iterator[Term]:
    """Yield the terms of a stretch of text without blanks. unfinished: its last word may go on."""
    found = list(_pieces(chunk))
    goes_on = unfinished and bool(found) and chunk[-1:] == found[-1][-1:]
    for place, piece in enumerate(found):
        yield _term(piece, prefix=goes_on and place == len(found) - 1)


def _pieces(chunk: str) -> Iterator[str]:
    if _CHAIN.fullmatch(chunk) and all(words(name) == [name] for name in chunk.split(".")):
        yield chunk
    else:
        yield from words(chunk)


def _term(piece: str, *, prefix: bool) -> Term:
    if is_cjk(piece):
        return Term(piece, pairs=tuple(pairs(piece)), prefix=prefix)
    if "." in piece:
        return Term(chain(piece), tuple(piece.split(".")), prefix=prefix)
    return Term(piece, tuple(parts(piece)), prefix=prefix)
