"""Which words of a message and of a question count, by their stems."""

import re
from collections.abc import Iterable
from typing import Final

from auritas.search.recall.stemming import stem
from auritas.search.words import folded

_WORD: Final = re.compile(r"[^\W_]+")

_WORDS_OF_ASKING: Final = (
    "a an the and or but if of to in on at for with by from as is are was were be been being am do does did have has "
    "had i me my mine you your yours he him his she her hers it its we us our ours they them their theirs this that "
    "these those what which who whom whose when where why how not no so than then too very can will just would could "
    "should shall may might must there here about s t d m ll re ve don didn doesn isn wasn"
)
_EMPTY: Final = frozenset(stem(word) for word in _WORDS_OF_ASKING.split())
"""Stems of words that a question is made of whatever it asks for."""

TERMS_AT_MOST: Final = 24
"""Of a question; a pasted page asks for nothing in particular."""


def terms(text: str) -> list[str]:
    """Return the stems of all words of `text`, in order."""
    return [stem(folded(word)) for word in _WORD.findall(text)]


def asked_terms(question: str, without: Iterable[str] = ()) -> tuple[str, ...]:
    """Return the stems that say what a question is about, each once; `without`: names of those who speak."""
    dropped = _EMPTY.union(*(terms(name) for name in without))
    kept = dict.fromkeys(term for term in terms(question) if term not in dropped)
    return tuple(kept)[:TERMS_AT_MOST]
