"""What a member's reply says: the short answer, the explanation, how sure it claims to be, and its domains.

Small embedded models answer under a JSON grammar, larger ones in prose that ends with three lines. Both become one
`Reply`.
"""

import json
import re
from dataclasses import dataclass
from typing import Any

from auritas.council.streams import JsonFields
from auritas.kernel.text import storable

ANSWER_WORDS = 25
"""A short answer that needs more words is an explanation."""
ANSWER_CHARACTERS = 4000
"""More is no answer, however few its spaces; the longest numbers of the calculator fit."""

_LINES = re.compile(r"^\W*(answer|confidence|domains)\W*?:\s*(.*)$", re.IGNORECASE)
_TAIL_LINES = 6
_MAX_DOMAINS = 3
_FENCE = re.compile(r"^```(?:json)?\s*|(?<!\s)\s*```$")


@dataclass(frozen=True, slots=True)
class Reply:
    """A parsed reply. `answer` is empty when the member gave none that can be read."""

    answer: str = ""
    explanation: str = ""
    confidence: float | None = None
    domains: tuple[str, ...] = ()


def parse(text: str) -> Reply:
    """Return what `text` says, whether it is a JSON object or prose with the three lines."""
    text = storable(text)
    stripped = _FENCE.sub("", text.strip())
    if stripped.startswith("{"):
        return _from_json(stripped)
    return _from_prose(text)


def _from_json(text: str) -> Reply:
    try:
        # Numbers stay as they were written: 17.50 is not 17.5 to a person, and 1e400 is no float.
        document: Any = json.loads(text, parse_int=str, parse_float=str, parse_constant=str)
    except (ValueError, RecursionError):
        # Cut by a limit, or nested beyond reason: what came up to there is still what the member said.
        fields = JsonFields()
        fields.feed(text)
        document = fields.values
    if not isinstance(document, dict):
        return Reply()
    domains = document.get("domains")
    return Reply(
        answer=_short(_said(document.get("answer"))),
        explanation=_said(document.get("explanation")),
        confidence=_confidence(_said(document.get("confidence"))),
        domains=tuple(filter(None, map(_said, domains[:_MAX_DOMAINS]))) if isinstance(domains, list) else (),
    )


def _said(value: object) -> str:
    """Return a scalar as text; null, lists and objects say nothing, whatever their printed form would look like."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return storable(value).strip() if isinstance(value, str) else ""


def _from_prose(text: str) -> Reply:
    lines = text.rstrip().splitlines()
    found: dict[str, str] = {}
    for index in range(len(lines) - 1, max(len(lines) - _TAIL_LINES, 0) - 1, -1):
        match = _LINES.match(lines[index])
        if match and match[1].lower() not in found:
            found[match[1].lower()] = match[2].strip().strip("*`").strip()
            del lines[index]
    explanation = "\n".join(lines).strip()
    answer = found.get("answer") or (explanation if len(explanation.split()) <= ANSWER_WORDS else "")
    domains = tuple(d.strip() for d in found.get("domains", "").split(",") if d.strip())[:_MAX_DOMAINS]
    return Reply(
        _short(answer), "" if explanation == answer else explanation, _confidence(found.get("confidence", "")), domains
    )


def _short(answer: str) -> str:
    words = answer[:ANSWER_CHARACTERS].split()
    return " ".join(words) if len(words) <= ANSWER_WORDS else " ".join(words[:ANSWER_WORDS]) + " …"


def _confidence(text: str) -> float | None:
    match = re.search(r"\d+(?:\.\d+)?", text)
    if match is None:
        return None
    value = float(match[0])
    if value > 1 or "%" in text:
        value /= 100
    return value if 0 <= value <= 1 else None
