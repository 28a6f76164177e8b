"""Who reviews: never an author, of another family where there is one, the best record first; ties by a hash."""

import re
from collections.abc import Collection, Mapping, Sequence
from hashlib import sha256
from typing import Final

from auritas.council.model import Member
from auritas.kernel.model import ModelCard
from auritas.kernel.randomness import Rng

_BUILTIN: Final = "builtin"
_ORDER_BITS: Final = 64
_FAMILIES: Final[Mapping[str, tuple[str, ...]]] = {
    "openai": ("gpt", "chatgpt", "o1", "o3", "o4", "davinci"),
    "anthropic": ("claude",),
    "google": ("gemini", "gemma", "palm"),
    "meta": ("llama", "codellama"),
    "alibaba": ("qwen", "qwq"),
    "mistral": ("mistral", "mixtral", "codestral", "ministral", "magistral", "devstral"),
    "deepseek": ("deepseek",),
    "xai": ("grok",),
    "microsoft": ("phi",),
    "cohere": ("command", "aya"),
    "huggingface": ("smollm", "zephyr"),
    "ibm": ("granite",),
    "amazon": ("nova", "titan"),
    "moonshot": ("kimi", "moonshot"),
    "zhipu": ("glm", "chatglm"),
    "allenai": ("olmo", "tulu"),
}
_BY_PREFIX: Final = {prefix: family for family, prefixes in _FAMILIES.items() for prefix in prefixes}
_WORDS: Final = re.compile(r"[a-z]+\d?")


def family(card: ModelCard) -> str:
    """Return whose model it is: models of one maker err alike.

    Told from the words of its name and of the provider's name for it, since one server may carry models of many
    makers; where no word is known, the provider is all that there is to go by, and on this machine the first word.
    """
    words = _WORDS.findall(f"{card.name} {card.digest}".lower())
    for word in words:
        for form in (word, word.rstrip("0123456789")):
            if form in _BY_PREFIX:
                return _BY_PREFIX[form]
    if card.provider in {"embedded", _BUILTIN} or not card.provider:
        return words[0] if words else card.name
    return card.provider


def eligible(authors: Collection[str], members: Sequence[Member]) -> tuple[Member, ...]:
    """Return who may review what `authors` wrote: no author, no calculator, nobody who failed the self-test."""
    return tuple(m for m in members if m.seat.name not in authors and m.votes and m.card.provider != _BUILTIN)


def assign(
    authors: Collection[str],
    members: Sequence[Member],
    record: Mapping[str, float],
    *,
    key: str,
    designated: str | None = None,
) -> Member | None:
    """Return the reviewer of an answer, or None when nobody is left to read it with fresh eyes.

    authors: seats that said the same as the answer. record: how good a reviewer each seat is, higher is better, 0 where
    it is missing. key: what decides between equals, together with the seat: the question's id. designated: the seat
    that the user wants, taken whatever its record and family, unless it may not review.
    """
    able = eligible(authors, members)
    own = {family(m.card) for m in members if m.seat.name in authors}
    chosen = next((m for m in able if m.seat.name == designated), None)
    return chosen or min(
        able,
        key=lambda m: (family(m.card) in own, -record.get(m.seat.name, 0.0), tie(key, m.seat.name)),
        default=None,
    )


def in_random_order(authors: Collection[str], members: Sequence[Member], rng: Rng) -> tuple[Member, ...]:
    """Return everybody who may review, in an order that depends on the seed and not on who is listed first."""
    able = sorted(eligible(authors, members), key=lambda m: m.seat.name)
    drawn = [(rng.bits(_ORDER_BITS), m.seat.name, m) for m in able]
    return tuple(m for _, _, m in sorted(drawn, key=lambda each: each[:2]))


def tie(key: str, name: str) -> str:
    """Return what decides between equals: a hash, so that neither names nor the order of a list are an advantage."""
    return sha256(f"{key}\0{name}".encode()).hexdigest()
