"""The council's own list of words that say the same and of words that exclude each other: data, read once."""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Lexicon:
    """What is known about words. Phrases are as they were written; whoever reads an answer brings them into its form.

    groups: phrases for one thing. short: a whole answer in its own case, and the words for it. principal: a place and
    the country that its bare name implies. nationalities: a word and the country that it repeats. given, shared:
    first names, and surnames that alone name nobody. grammar: words that are not compared. fixed: words that nobody
    adds idly. carriers, titles: words that add nothing. opposites: unordered. kinds: words for one of many things of
    a sort, whose synonyms are all listed.
    """

    groups: tuple[tuple[str, ...], ...]
    short: Mapping[str, str]
    principal: frozenset[tuple[str, str]]
    nationalities: Mapping[str, str]
    given: frozenset[str]
    shared: frozenset[str]
    grammar: frozenset[str]
    fixed: frozenset[str]
    carriers: tuple[str, ...]
    titles: frozenset[str]
    opposites: frozenset[frozenset[str]]
    kinds: frozenset[str]


@cache
def lexicon() -> Lexicon:
    """Return the list that ships with Auritas."""
    data = tomllib.loads(files("auritas.council").joinpath("data/wordings.toml").read_text(encoding="utf-8"))
    return Lexicon(
        groups=tuple(
            tuple(phrase.strip() for phrase in line.split("|"))
            for name in ("names", "words")
            for line in data[name].strip().splitlines()
        ),
        short=dict(_pairs(data["short"])),
        principal=frozenset(_pairs(data["principal"])),
        nationalities=dict(_pairs(data["nationalities"])),
        given=frozenset(data["given"].split()),
        shared=frozenset(data["shared"].split()),
        grammar=frozenset(data["grammar"].split()),
        fixed=frozenset(data["fixed"].split()),
        carriers=tuple(data["carriers"].split("; ")),
        titles=frozenset(data["titles"].split()),
        opposites=frozenset(frozenset(line.split()) for line in data["opposites"].strip().splitlines()),
        kinds=frozenset(data["kinds"].split()),
    )


def _pairs(block: str) -> Iterator[tuple[str, str]]:
    for line in block.strip().splitlines():
        first, _, second = line.partition(" | ")
        yield first, second
