"""What may be spent: a call begins only while the limits leave room.

A call's price is known only when it ends, so each call reserves the most it can take. A limit can be passed by the
reserved size of at most one call per model: among calls of the same model every reservation counts in full, of each
other model the largest one is let off.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from auritas.gateway.model import Budget, Spend
from auritas.kernel.model import Params, Price, Prompt

_MESSAGE_OVERHEAD_TOKENS = 16
"""Role markers and separators of the widest chat template in use."""

BYTES_PER_TOKEN = 4
"""Of English text, roughly; used only where a provider gives no count."""

Reserved = Mapping[str, Sequence[Spend]]
"""Calls in flight: model to reservations."""


@dataclass(frozen=True, slots=True)
class Overrun:
    """Which limit is spent."""

    what: str
    limit: int
    spent: int


_IMAGE_TOKENS = 1_700
"""What a picture costs at most where providers say so: they scale larger ones down."""


def ceiling(prompt: Prompt, params: Params, price: Price) -> Spend:
    """Return the most that one call can take: a token is at least one byte of UTF-8 in every tokenizer in use."""
    tokens_in = sum(len(m.content.encode(errors="replace")) + _MESSAGE_OVERHEAD_TOKENS for m in prompt.messages)
    tokens_in += _IMAGE_TOKENS * sum(len(m.images) for m in prompt.messages)
    return Spend(tokens_in + params.max_tokens, price.cost(tokens_in, params.max_tokens))


def estimate(prompt: Prompt, reply: str, price: Price) -> Spend:
    """Return what a call that was stopped in the middle has probably cost: about four bytes a token."""
    tokens_in = sum(len(m.content.encode(errors="replace")) for m in prompt.messages) // BYTES_PER_TOKEN
    tokens_out = -(-len(reply.encode(errors="replace")) // BYTES_PER_TOKEN)
    return Spend(tokens_in + tokens_out, price.cost(tokens_in, tokens_out))


def overrun(
    budget: Budget, model: str, question: tuple[Spend, Reserved], day: tuple[Spend, Reserved]
) -> Overrun | None:
    """Return the first limit that leaves no room for another call of `model`, or None.

    question, day: what is already spent, and what is reserved by calls in flight.
    """
    of_question = _committed(model, *question)
    of_day = _committed(model, *day)
    limits = (
        ("tokens for one question", budget.tokens_per_question, of_question.tokens),
        ("money for one question", budget.micros_per_question, of_question.micros),
        ("tokens for today", budget.tokens_per_day, of_day.tokens),
        ("money for today", budget.micros_per_day, of_day.micros),
    )
    return next(
        (Overrun(what, limit, spent) for what, limit, spent in limits if limit is not None and spent >= limit), None
    )


def _committed(model: str, spent: Spend, reserved: Reserved) -> Spend:
    tokens = spent.tokens + sum(_counted([s.tokens for s in calls], name == model) for name, calls in reserved.items())
    micros = spent.micros + sum(_counted([s.micros for s in calls], name == model) for name, calls in reserved.items())
    return Spend(tokens, micros)


def _counted(amounts: Sequence[int], own: bool) -> int:  # noqa: FBT001  one predicate, named by its parameter
    return sum(amounts) - (0 if own or not amounts else max(amounts))
