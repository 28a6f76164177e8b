"""An expression as a row of tokens. Whatever is not in the lexicon makes the question somebody else's."""

import re
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from auritas.gateway.calculator.model import NotOursError
from auritas.kernel.numerals import NUMERALS, SCALES, cardinal

MAX_TOKENS = 200
MAX_LITERAL = 60
"""Characters of one number as it is written."""
MAX_EXPONENT = 300
"""Of a literal such as 1e300."""


class Kind(StrEnum):
    """What a token is."""

    NUMBER = "number"
    FRACTION = "fraction"
    """Spelled: "two thirds", "half"."""
    SYMBOL = "symbol"
    END = "end"


@dataclass(frozen=True, slots=True)
class Token:
    """One word or sign. text: as it is shown again. value: of a number."""

    kind: Kind
    text: str
    value: Fraction = Fraction(0)


_PHRASES = tuple(
    (re.compile(pattern), symbol)
    for pattern, symbol in (
        (r"\bdivided by (\d{1,9}/\d{1,9})(?![\d.,/!%^])", r" / (\1) "),
        (r"\b(?:raised )?to the (?:power(?: of)?\b|(\d+)(?:st|nd|rd|th)(?: power)?\b)", r" ^ \1 "),
        (r"\braised to\b", " ^ "),
        (r"\b(?:multiplied by|times)\b", " * "),
        (r"\bdivided by\b|\bover\b", " / "),
        (r"\b(?:plus|added to)\b", " + "),
        (r"\bminus\b", " - "),
        (r"\bmod(?:ulo|ulus)?\b", " mod "),
        (r"(?<=\d)\s?%(?=\d)|(?<=\d) % (?=\d)", " rem "),
        (r"\bper ?cent\b", " % "),
        (r"\bsquared\b", " ^ 2 "),
        (r"\bcubed\b", " ^ 3 "),
        (r"\b(?:the )?factorial of\b", " fact "),
        (r"\bfactorial\b", " ! "),
        (r"\b(?:the )?(?:square root|sqrt) of\b", " root "),
        (r"\b(?:the )?(?:cube root|cbrt) of\b", " cbrt "),
        (r"\b(?:the )?square of\b", " square "),
        (r"\b(?:the )?cube of\b", " cube "),
        (r"\b(?:twice|double)\b", " twice "),
        (r"\b(?:triple|thrice)\b", " thrice "),
        (r"\bnegative\b", " - "),
        (r"\*\*", " ^ "),
    )
)
_LOOSE = re.compile(
    r"[/^]\s+(?:-\s*)?\d[\d.,]*/\s*\d|\d/\d[\d.,]*(?:\s+\^|\s*%)|(?:\u221a|\bsqrt)\s*\d[\d.,]*/\s*\d", re.ASCII
)
"""A fraction closed up beside a sign that a person may read as taking all of it: 6 / 2/3, 2/3 squared, \u221a1/4."""
_NUMBER = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d.]|,\d)|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?"
_MIXED = re.compile(r"(?P<whole>\d{1,6}) (?P<top>\d{1,2})/(?P<bottom>\d{1,2})(?![\d./,])", re.ASCII)
_TOKEN = re.compile(rf"\s*(?:(?P<number>{_NUMBER})|(?P<word>[a-z]+(?:-[a-z]+)*)|(?P<sign>[-+*/^()%!,√]))", re.ASCII)
_PARTS = {"half": 2, "halves": 2, "quarter": 4, "quarters": 4} | {
    word + plural: value
    for value, word in enumerate(("third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"), 3)
    for plural in ("", "s")
}
_WORDS = frozenset({"x", "of", "mod", "rem", "root", "sqrt", "cbrt", "square", "cube", "fact", "twice", "thrice"})
_AMOUNTS = {"dozen": 12}


def tokens(text: str) -> list[Token]:
    """Return the tokens of an expression in natural dress, with an END. Raises NotOursError on any other word."""
    text = text.lower()
    for pattern, symbol in _PHRASES:
        text = pattern.sub(symbol, text)
    if _LOOSE.search(text):
        raise NotOursError("It is not clear whether the fraction in it belongs together.")
    found: list[Token] = []
    words: list[str] = []
    position, end = 0, len(text.rstrip())
    while position < end:
        mixed = _MIXED.match(text, position + (text[position] == " "))
        match = mixed or _TOKEN.match(text, position)
        if match is None or len(found) > MAX_TOKENS:
            raise NotOursError("It holds signs that belong to no calculation.")
        _check_neighbours(text, match, mixed=bool(mixed))
        word = None if mixed else match["word"]
        if word and _spells(word, words):
            words.append(word)
        else:
            found += _spelled(words, found)
            words = []
            found += [_mixed(mixed)] if mixed else _plain(match, found)
        position = match.end()
    found += _spelled(words, found)
    if any(token.text == "a" for token in found):
        raise NotOursError("An article in it counts nothing.")
    return [*found, Token(Kind.END, "")]


def literal(text: str) -> Fraction:
    """Return the value of a number in digits. Raises NotOursError if it is too long or starts with idle zeros."""
    digits = text.replace(",", "")
    mantissa, _, exponent = digits.partition("e")
    if len(digits) > MAX_LITERAL or (exponent and abs(int(exponent)) > MAX_EXPONENT):
        raise NotOursError("A number in it is too long.")
    if re.match(r"0\d", mantissa) or mantissa.endswith("."):
        raise NotOursError("A number with idle zeros or a bare point is a code or a date, not an amount.")
    return Fraction(digits)


def _check_neighbours(text: str, match: re.Match[str], *, mixed: bool) -> None:
    """Refuse numbers and letters that touch, such as 5G or b12; only an x between digits may."""
    before = text[match.start() - 1] if match.start() else " "
    after = text[match.end()] if match.end() < len(text) else " "
    if mixed:
        touches = after.isalnum() or before.isalnum() or before == "/"
    elif match["number"]:
        touches = (after.isalpha() and after != "x") or after == "." or (after.isdigit() and match["number"][-1] == ".")
    elif match["word"]:
        spelled = all(part in NUMERALS for part in match["word"].split("-"))
        touches = (after.isdigit() and match["word"] != "x") or (
            spelled and before == "-" and not match[0].startswith(" ")
        )
    else:
        touches = False
    if touches:
        raise NotOursError("Letters and digits are joined into a name.")
    if not mixed and match["word"] == "x":
        _check_times(text, match)


def _check_times(text: str, match: re.Match[str]) -> None:
    """An x multiplies only between two amounts and with the same space on both sides; else it is an unknown."""
    left, right = text[: match.start("word")], text[match.end() :]
    even = left.endswith(" ") == right.startswith(" ")
    if not even or not re.search(r"[\d)%!] ?$", left) or not re.match(r" ?[\d(.√]", right):
        raise NotOursError("The x in it may be an unknown.")
    if re.search(r"(?<![\d.,])0$", left):
        raise NotOursError("It may be a number on base sixteen.")
    if not left.endswith(" ") and right.startswith("("):
        raise NotOursError("The x in it may be the name of a function.")


def _spells(word: str, words: list[str]) -> bool:
    """Whether `word` goes on spelling a number, or starts one."""
    if all(part in NUMERALS for part in word.split("-")):
        return bool(words) or word not in SCALES
    if word == "a":
        return not words
    return word == "and" and bool(words) and words[-1].rpartition("-")[2] in SCALES


def _spelled(words: list[str], before: list[Token]) -> list[Token]:
    if not words:
        return []
    value = 1 if words == ["a"] else cardinal(words)
    if value is None or (before and before[-1].kind in {Kind.NUMBER, Kind.FRACTION}):
        raise NotOursError("Its number words spell no number.")
    return [Token(Kind.NUMBER, "a" if words == ["a"] else str(value), Fraction(value))]


def _plain(match: re.Match[str], before: list[Token]) -> list[Token]:
    if match["number"]:
        return [Token(Kind.NUMBER, match["number"].replace(",", ""), literal(match["number"]))]
    word = match["word"]
    if match["sign"] or word in _WORDS:
        return [Token(Kind.SYMBOL, "*" if word == "x" else word or match["sign"])]
    if word in SCALES or word in _AMOUNTS:
        return _scaled(before, word, (SCALES | _AMOUNTS)[word])
    if word in _PARTS:
        return _part(before, word)
    raise NotOursError(f"The word {word!r} belongs to no calculation.")


def _scaled(before: list[Token], word: str, factor: int) -> list[Token]:
    """Multiply the number just read: 3 million, two dozen."""
    if not before or before[-1].kind is not Kind.NUMBER or "e" in before[-1].text:
        raise NotOursError(f"No number stands before {word!r}.")
    value = before.pop().value * factor
    return [Token(Kind.NUMBER, str(value), value)]


def _part(before: list[Token], word: str) -> list[Token]:
    """Read "half", "a third", "two thirds"; a bare "third" is an order, not an amount."""
    counted = bool(before) and before[-1].kind is Kind.NUMBER and before[-1].text in {"a", *map(str, range(1, 20))}
    if not counted and word != "half":
        raise NotOursError(f"The word {word!r} counts no parts.")
    top = before.pop().value if counted else Fraction(1)
    return [Token(Kind.FRACTION, f"{top}/{_PARTS[word]}", top / _PARTS[word])]


def _mixed(match: re.Match[str]) -> Token:
    top, bottom = int(match["top"]), int(match["bottom"])
    if not 0 < top < bottom:
        raise NotOursError("Two numbers stand side by side.")
    value = literal(match["whole"]) + Fraction(top, bottom)
    return Token(Kind.FRACTION, f"{value.numerator}/{value.denominator}", value)
