"""How close the runner-up came: the margin of a reply, from the engine's log-probabilities.

The engine reports them as they were before the grammar. Renormalising over the allowed tokens shifts all of them by
the same amount, so gaps stay as they are once the forbidden tokens are left out.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from auritas.kernel.canonical import Json


@dataclass(frozen=True, slots=True)
class Choice:
    """One token that was chosen: its text, its log-probability, and those of the likeliest tokens at its place."""

    token: str
    logprob: float
    rivals: tuple[tuple[str, float], ...]


def free_margin(choices: Sequence[Choice]) -> float | None:
    """Return the smallest gap between a chosen token and the best other one; None when there is no rival at all."""
    gaps = [
        choice.logprob - max(logprob for _, logprob in others)
        for choice in choices
        if (others := [rival for rival in choice.rivals if rival[0] != choice.token])
    ]
    return min(gaps, default=None)


def schema_margin(choices: Sequence[Choice], schema: Mapping[str, Json]) -> float | None:
    """Return the smallest gap at the decisions that the schema leaves open in its first property.

    An enumeration is decided by the first tokens that only one of its values can start with; in a free string every
    token of the value is a decision. Tokens that are likelier than the chosen one were forbidden by the grammar.
    """
    properties = schema.get("properties")
    if not isinstance(properties, Mapping) or not properties:
        return None
    name, rule = next(iter(properties.items()))
    options = [str(value) for value in rule.get("enum", ())] if isinstance(rule, Mapping) else []  # type: ignore[union-attr]
    inside = _value_tokens(choices, str(name))
    gaps = [gap for before, choice in inside if (gap := _gap(before, choice, options)) is not None]
    return min(gaps, default=None)


def _value_tokens(choices: Sequence[Choice], name: str) -> list[tuple[str, Choice]]:
    """Return the tokens that write the string value of a property, each with what of the value stood before it."""
    opening = f'"{name}":"'
    text, start, inside = "", None, []
    for choice in choices:
        if start is not None and _closed(text[start:]):
            break
        if start is not None:
            inside.append((text[start:], choice))
        text += choice.token
        if start is None and (at := text.find(opening)) >= 0:
            start = at + len(opening)
            if len(text) > start:  # this token opened the value and began it
                inside.append(("", choice))
    return inside


def _closed(value: str) -> bool:
    return '"' in value.replace("\\\\", "").replace('\\"', "")


def _gap(before: str, choice: Choice, options: Sequence[str]) -> float | None:
    rivals = [
        logprob
        for token, logprob in choice.rivals
        if token != choice.token and logprob <= choice.logprob and _allowed(before, token, choice.token, options)
    ]
    return choice.logprob - max(rivals) if rivals else None


def _allowed(before: str, token: str, chosen: str, options: Sequence[str]) -> bool:
    """Return whether the rival leads to another value than the chosen token does, within the schema."""
    if not options:
        return "\n" not in token
    value = token.lstrip('":{')
    mine = {option for option in options if _leads(before + chosen.lstrip('":{'), option)}
    theirs = {option for option in options if value and _leads(before + value, option)}
    return bool(theirs - mine)


def _leads(written: str, option: str) -> bool:
    return option.startswith(written.rstrip('",}')) or written.startswith(option + '"')
