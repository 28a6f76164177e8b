"""The answers that a question offers: whether they are numbers, and which of them stands out."""

import math
import re
from collections.abc import Mapping, Sequence

QUANTITY = "quantity"
"""The aspect that a question offers numbers to choose from."""
_LINE = re.compile(r"^[ \t]*[(\[]?([A-Ja-j])[)\].:][ \t]+(\S.*)$", re.MULTILINE)
_BARS = " | "
_STEM_ENDS = "||"
_NUMBER = re.compile(r"-?\d[\d,]*\.?\d*(?:[eE][-+]?\d+)?")
_FEWEST = 3
_WIDTH = 2.0
"""How fast two numbers grow apart: e to this power for each factor of e between them."""


def offered(question: str) -> Mapping[str, str]:
    """Return the answers that a question lists, by letter, or nothing where it lists fewer than three.

    Read are lines that begin with A), (A), A. or A: in order, and `stem || first | second | third`.
    """
    if _STEM_ENDS in question:
        texts = question.split(_STEM_ENDS, 1)[1].split(_BARS)
        return _lettered([text.strip() for text in texts])
    found = _LINE.findall(question)
    in_order = all(letter.upper() == chr(ord("A") + index) for index, (letter, _) in enumerate(found))
    return _lettered([text.strip() for _, text in found]) if in_order else {}


def _lettered(texts: Sequence[str]) -> Mapping[str, str]:
    letters = "ABCDEFGHIJ"
    return dict(zip(letters, texts, strict=False)) if _FEWEST <= len(texts) <= len(letters) else {}


def aspects(answers: Mapping[str, str]) -> Mapping[str, float]:
    """Return how much of what is offered are numbers, as the aspect QUANTITY."""
    if not answers:
        return {}
    return {QUANTITY: sum(_NUMBER.search(text) is not None for text in answers.values()) / len(answers)}


def oddness(answers: Mapping[str, str]) -> Mapping[str, float]:
    """Return for each letter how much farther its number lies from the other numbers than they do on average.

    Nearness of two numbers of one sign is (smaller / larger) to the power of _WIDTH, else 0; oddness is the mean
    nearness of all minus that of one.
    """
    numbers = {letter: _number(text) for letter, text in answers.items()}
    near = {a: sum(_nearness(x, y) for b, y in numbers.items() if a != b) / len(numbers) for a, x in numbers.items()}
    mean = sum(near.values()) / len(near) if near else 0.0
    return {letter: mean - each for letter, each in near.items()}


def _number(text: str) -> float:
    found = _NUMBER.search(text)
    try:
        return float(found[0].replace(",", "")) if found else 0.0
    except ValueError:
        return 0.0


def _nearness(a: float, b: float) -> float:
    if a * b <= 0 or not (math.isfinite(a) and math.isfinite(b)):
        return 0.0
    return float(min(a / b, b / a) ** _WIDTH)
