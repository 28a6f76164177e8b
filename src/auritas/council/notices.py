"""What a person is told with every answer about health, law and money."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

LEAST_SHARE = 0.25
"""Of a question's domains: a quarter about medicine is enough, since one notice too many does no harm."""


@dataclass(frozen=True, slots=True)
class _Field:
    """A field with a notice. nodes: its domain by all its names. words: by which a question is about it in any case."""

    nodes: frozenset[str]
    words: re.Pattern[str]
    notice: str

    def touched(self, domains: Mapping[str, float], question: str) -> bool:
        share = sum(domains.get(node, 0.0) for node in self.nodes)
        return share >= LEAST_SHARE or self.words.search(question) is not None


def notices_for(domains: Mapping[str, float], question: str) -> tuple[str, ...]:
    """Return what must be said with the answer: one notice for each of medicine, law and finance that it touches.

    domains: shares of the roots of the domain tree, those of the nodes below summed up. What sounds like an emergency
    is told first where to turn.
    """
    return tuple(field.notice for field in _fields() if field.touched(domains, question))


@cache
def _fields() -> tuple[_Field, ...]:
    text = resources.files("auritas.council").joinpath("data", "notices.toml").read_text(encoding="utf-8")
    return tuple(_Field(frozenset(f["nodes"]), _any(f["words"]), f["notice"]) for f in tomllib.loads(text)["field"])


def _any(words: Iterable[str]) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(words)})(?!\w)", re.IGNORECASE)
