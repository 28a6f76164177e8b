"""What a person is told with every answer about health, law and money, in the language of the question."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

from auritas.council.compliance.language import Language, likeliest

LEAST_SHARE = 0.5
"""Of a question's domains: what is mostly about medicine gets its notice, whatever its words."""


@dataclass(frozen=True, slots=True)
class _Field:
    """A field with a notice.

    domain: its root, if it has one. nodes: its domain by all its names. words: by which a question is about it in any
    case.
    """

    domain: str
    nodes: frozenset[str]
    words: re.Pattern[str]
    notice: Mapping[Language, str]

    def touched(self, domains: Mapping[str, float], question: str, language: Language | None) -> bool:
        """Whether it is mostly about this, which is known of English only, or says so in clear words."""
        share = sum(domains.get(node, 0.0) for node in self.nodes) if language is Language.ENGLISH else 0.0
        return share >= LEAST_SHARE or self.words.search(question) is not None


def notices_for(domains: Mapping[str, float], question: str) -> tuple[str, ...]:
    """Return what must be said with the answer: one notice for each of medicine, law and finance that it touches.

    domains: shares of the roots of the domain tree, those of the nodes below summed up; they are told by English texts,
    so for a question in another language only its words count. What sounds like an emergency is told first where to
    turn.
    """
    language = likeliest(question)
    touched = (field for field in _fields() if field.touched(domains, question, language))
    return tuple(_in_language(field.notice, language) for field in touched)


def clear_domains(question: str) -> tuple[str, ...]:
    """Return the roots that a question in English, German, French or Spanish is about by clear words."""
    return tuple(field.domain for field in _fields() if field.domain and field.words.search(question))


def _in_language(notice: Mapping[Language, str], language: Language | None) -> str:
    return notice.get(language or Language.ENGLISH, notice[Language.ENGLISH])


@cache
def _fields() -> tuple[_Field, ...]:
    text = resources.files("auritas.council").joinpath("data", "notices.toml").read_text(encoding="utf-8")
    return tuple(
        _Field(
            domain=next(iter(f["nodes"]), ""),
            nodes=frozenset(f["nodes"]),
            words=_any(f["words"]),
            notice={Language(name): said for name, said in f["notice"].items()},
        )
        for f in tomllib.loads(text)["field"]
    )


def _any(words: Iterable[str]) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(words)})(?!\w)", re.IGNORECASE)
