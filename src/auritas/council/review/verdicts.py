"""What a reviewer's or a judge's reply says: a structured verdict, or nothing. Prose is never read as one."""

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from auritas.council.review.model import Preference
from auritas.kernel.answers import ReviewVerdict
from auritas.kernel.text import storable

REPLY_CHARACTERS: Final = 20_000
"""The verdict stands at the end; what comes before so much text is not looked at."""
ISSUES: Final = 8
ISSUE_CHARACTERS: Final = 400
CORRECTION_CHARACTERS: Final = 4_000

_AFTER_JSON = " \t\r\n`"
"""What may follow the last object: white space, and the end of a code fence."""
_VERDICTS: Final = {v.value: v for v in ReviewVerdict if v is not ReviewVerdict.UNREVIEWED}
_BETTER: Final = {p.value: p for p in Preference}


_ORDERS: Final = re.compile(
    r"\bverdict\W{0,4}(?:[:=\u02d0\u2190-\u21ff]|\b(?:is )?(?:in)?correct\b)"
    r"|\b(?:ignore|disregard|forget)\b.{0,40}\b(?:above|before|previous|prior|instructions?|told|rules?)\b"
    r"|\b(?:say|reply|respond|output|mark|rate)\b.{0,24}\bcorrect\b",
    re.IGNORECASE | re.DOTALL,
)


_UNSEEN: Final = frozenset({"Cf", "Mn"})
"""Categories of signs that a reader does not see, or sees as part of the letter before: joiners, accents."""
_LOOKALIKES: Final = str.maketrans(
    "\u0430\u0435\u0456\u043e\u0440\u0441\u0443\u0445\u0455\u0501\u03bf\u03b9\u03bd\u0410\u0415\u0406\u041e\u0420\u0421\u0425\u0422\u039f\u0399",
    "aeiopcyxsdoivAEIOPCXTOI",
)
"""Cyrillic and Greek letters that look like Latin ones."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A reply as far as it can be read. issues and correction are the reviewer's words: data, never instructions."""

    verdict: ReviewVerdict = ReviewVerdict.UNREVIEWED
    issues: tuple[str, ...] = ()
    correction: str = ""


def verdict_of(text: str) -> Reading:
    """Return the verdict in the JSON object with which `text` ends. Never raises.

    Unreviewed when there is none, when it has a key twice or a verdict of its own making, and when objects in the
    reply contradict each other: a reviewer that quotes a verdict out of the answer it reads decides nothing.
    """
    document = _closing(text, "verdict")
    verdict = _VERDICTS.get(_word(document.get("verdict")))
    if verdict is None:
        return Reading()
    correction = "" if verdict is ReviewVerdict.CORRECT else _said(document.get("correction"), CORRECTION_CHARACTERS)
    listed = document.get("issues")
    issues = [_said(issue, ISSUE_CHARACTERS) for issue in listed[:ISSUES]] if isinstance(listed, list) else []
    return Reading(verdict, tuple(filter(None, issues)), correction)


def gives_orders(answer: str) -> bool:
    """Return whether an answer speaks to whoever judges it: it plants a verdict, or says what to say.

    Small models obey (the largest embedded one called 24 of 24 wrong answers correct that asked for it), so praise for
    such an answer is worth nothing. Persuasion that is no order cannot be told by form, nor can an order in other words
    or another language. Compatible forms of letters count as the letters, and invisible signs between them for nothing.
    """
    plain = unicodedata.normalize("NFKD", answer)
    seen = "".join(c for c in plain if unicodedata.category(c) not in _UNSEEN)
    return _ORDERS.search(seen.translate(_LOOKALIKES)) is not None


def preference_of(text: str) -> Preference | None:
    """Return which answer is better as the JSON object at the end of `text` says, or None. As strict as `verdict_of`.

    First and second are the places in which the answers were shown.
    """
    return _BETTER.get(_word(_closing(text, "better").get("better")))


def _closing(text: str, key: str) -> Mapping[str, Any]:
    """Return the last object, if the text ends with it, it has `key`, and no other object says otherwise."""
    text = storable(text)[-REPLY_CHARACTERS:]
    found = [(end, document) for end, document in _objects(text) if key in document]
    if not found or text[found[-1][0] :].strip(_AFTER_JSON):
        return {}
    said = {_word(document[key]) for _, document in found}
    return found[-1][1] if len(said) == 1 else {}


def _objects(text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the outermost JSON objects in a text, each with the place where it ends."""
    start = text.find("{")
    while start >= 0:
        end = start + 1
        try:
            document, end = _DECODER.raw_decode(text, start)
            yield end, document
        except (ValueError, RecursionError):
            pass
        start = text.find("{", end)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    document = dict(pairs)
    if len(document) != len(pairs):
        msg = "a key stands twice"
        raise ValueError(msg)
    return document


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_unique, parse_int=str, parse_float=str)


def _word(value: object) -> str:
    return "_".join(value.lower().replace("-", " ").replace("_", " ").split()) if isinstance(value, str) else ""


def _said(value: object, characters: int) -> str:
    return storable(value).strip()[:characters] if isinstance(value, str) else ""
