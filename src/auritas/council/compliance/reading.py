"""What of a reply the checks read: its closing lines, and the words that a person would see."""

import json
import re
from collections.abc import Iterator
from typing import Any

from auritas.council.compliance.model import Checked, Round
from auritas.council.replies import parse

CLOSING_LINES = 3
"""Non-blank lines at the end of a reply in prose that may hold the fields."""

_FIELD = re.compile(r"^\W*(answer|confidence|domains)\W*?:(.*)$", re.IGNORECASE)
_EMPHASIS = " \t*_`"
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]+`", re.DOTALL)
# No part of it may run over what another attempt would run over again: a reply of newlines would take minutes.
_QUOTED = re.compile(
    r'"[^"\n]{1,400}"|\u201c[^\u201c\u201d\n]{1,400}\u201d|\u201e[^\u201e\u201c\n]{1,400}\u201c'
    r"|\u00ab[^\u00ab\u00bb\n]{1,400}\u00bb|^[^\S\n]*>.*$",
    re.MULTILINE,
)


def closing_fields(text: str) -> dict[str, str]:
    """Return the fields within the last three non-blank lines, by lower-case name; an empty one has an empty value."""
    lines = [line for line in text.splitlines() if line.strip()][-CLOSING_LINES:]
    found = [match for line in lines if (match := _FIELD.match(line))]
    return {match[1].lower(): match[2].strip(_EMPHASIS) for match in found}


def words_of(subject: Checked) -> str:
    """Return what the member says to a person: of an answer both its parts, of a review every string in it."""
    if subject.round is Round.ANSWER:
        reply = parse(subject.text)
        return f"{reply.explanation}\n{reply.answer}".strip()
    try:
        document: Any = json.loads(subject.text)
    except (ValueError, RecursionError):
        return subject.text
    return "\n".join(_strings(document))


def without_code(text: str) -> str:
    """Return the text without code, whose words and signs belong to another language."""
    return _CODE.sub(" ", text)


def own_words(text: str) -> str:
    """Return the text without code and quotations: what the writer says in its own voice."""
    return _QUOTED.sub(" ", without_code(text))


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _strings(each)
    elif isinstance(value, list):
        for each in value:
            yield from _strings(each)
