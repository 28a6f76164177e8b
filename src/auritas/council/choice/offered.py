"""The answers that a question offers: whether they are numbers, and which of them stands out."""

import math
import re
from collections.abc import Mapping, Sequence
from itertools import islice, pairwise

QUANTITY = "quantity"
"""The aspect that a question offers numbers to choose from."""
_LINE = re.compile(r"^[ \t]*[(\[]?([A-Ja-j])([)\].:])[ \t]+(\S.*)$", re.MULTILINE)
_INLINE = (
    re.compile(r"(?<!\S)(?:[(\[]([A-Ja-j])[)\]][ \t]*|([A-Ja-j])\)[ \t]+)"),
    re.compile(r"(?<!\S)([A-J])\.[ \t]+"),
    re.compile(r"(?<!\S)([A-J]):[ \t]+"),
)
_TASK = re.compile(
    r"[.?!]\s+(?:answer|choose|select|pick|reply|respond|explain|give|state|please|just|only|think|show|which|what|how"
    r"|antworte|wähle|gib|réponds|répondez|choisis|choisissez|responde|elige)\b",
    re.IGNORECASE,
)
"""Where the last answer of a list ends and what is to be done with the list goes on."""
_BETWEEN = frozenset({"or", "and", "oder", "und", "ou", "et", "o", "y"})
_LETTERS = "ABCDEFGHIJ"
_BARS = " | "
_STEM_ENDS = "||"
_NUMBER = re.compile(r"-?\d[\d,]*\.?\d*(?:[eE][-+]?\d+)?")
_FEWEST = 3
_FEWEST_BRACKETED = 2
"""Of lines with A) and B): nothing else looks like that, while two lines with A: and B: are mostly a conversation."""
_WIDTH = 2.0
"""How fast two numbers grow apart: e to this power for each factor of e between them."""


def offered(question: str) -> Mapping[str, str]:
    """Return the answers that a question lists, by letter, or nothing.

    Read are `stem || first | second | third`, lines that begin with A), (A), A. or A: in order, and the same within a
    line. It takes three of them, or two lines in brackets. Linear in the length of the question.
    """
    for texts in (_barred(question), _lines(question), *(_inline(question, marks) for marks in _INLINE)):
        if texts and len(texts) <= len(_LETTERS) and all(texts):
            return dict(zip(_LETTERS, texts, strict=False))
    return {}


def _barred(question: str) -> Sequence[str]:
    _, found, rest = question.partition(_STEM_ENDS)
    texts = [text.strip() for text in rest.split(_BARS)] if found else []
    return texts if len(texts) >= _FEWEST else ()


def _lines(question: str) -> Sequence[str]:
    found = _LINE.findall(question)
    in_order = all(letter.upper() == _LETTERS[at % len(_LETTERS)] for at, (letter, _, _) in enumerate(found))
    bracketed = all(mark in ")]" for _, mark, _ in found)
    enough = len(found) >= (_FEWEST_BRACKETED if bracketed else _FEWEST)
    return [text.strip() for _, _, text in found] if enough and in_order else ()


def _inline(question: str, marks: re.Pattern[str]) -> Sequence[str]:
    """Read the marks in order, each once; any other mark among them makes it no list."""
    found = list(islice(marks.finditer(question), len(_LETTERS) + 1))
    letters = "".join(match[match.lastindex or 0].upper() for match in found)
    if len(found) < _FEWEST or not _LETTERS.startswith(letters):
        return ()
    texts = [question[one.end() : two.start()] for one, two in pairwise(found)]
    last = question[found[-1].end() :].partition("\n")[0]
    return [_bare(text) for text in (*texts, _TASK.split(last, maxsplit=1)[0])]


def _bare(text: str) -> str:
    """Take off what only stands between two answers of a list."""
    text = text.strip().rstrip(",;?/|").rstrip()
    before, _, last = text.rpartition(" ")
    return before.rstrip(" ,;") if last.lower() in _BETWEEN and before else text


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
