"""When two answers say the same, as far as form alone can tell: precision first, meaning comes later.

An answer is read as the first of these that takes all of it: a choice letter, yes or no, a day, an amount, a wording.
"Canberra, Australia" and "Canberra" stay apart here: whether a qualifier changes the answer ("Paris, Texas") is a
question of meaning.
"""

import re
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from auritas.council.lexicon import lexicon
from auritas.council.quantity import Quantity, read_quantity, same_quantity
from auritas.council.units import PLAIN
from auritas.council.wording import normalised, undressed
from auritas.kernel.dates import read_date

EXACT = 1000
"""Finer than any number of digits."""

_LETTER = re.compile(r"(?:(?i:option|choice|answer) )?[(\[]?(?P<letter>[A-Ja-j])[)\]]?")
_CHOICE = re.compile(
    r"(?:(?i:option|choice) )?(?:[(\[](?P<a>[A-Ja-j])[)\]]|(?P<b>[A-Ja-j])\)|(?P<c>[A-J]):"
    r"|(?P<d>[A-F])\.(?= (?![A-Z]\.)[A-Z\d])|(?P<e>[A-J])(?= - ))(?: -)? ?(?P<rest>\S.*)",
)
_VERDICT = re.compile(r"(?P<word>yes|no)(?:(?:,| -|\.(?! \d)) (?P<more>.+))?", re.IGNORECASE)
_CERTAIN = re.compile(
    r"(?:it|that|this|there|they|he|she|because|since|as|definitely|absolutely|indeed|correct|of course|\d)\b"
    r"|.+ (?:is|are|was|were|does|did|has|have|can|cannot|will|equals?)\b",
    re.IGNORECASE,
)
_UNCERTAIN = re.compile(
    r"\b(?:but|if|unless|only|except|although|though|however|partly|partially|sometimes|usually|mostly|technically"
    r"|depend\w*|maybe|perhaps|may|might|until)\b",
    re.IGNORECASE,
)

_AGAINST = {
    "yes": re.compile(
        r"(?:it|that|this|they|he|she|there) (?:(?:is|are|was|were|do|does|did|has|have|can|could|will|would)"
        r"(?:n't| not)|can't|cannot|won't)\b|.*\b(?:false|untrue|incorrect|wrong)\b",
        re.IGNORECASE,
    ),
    "no": re.compile(r"(?!.*(?:n't|\bnot|\bnever)\b).*\b(?:true|correct|right)\b", re.IGNORECASE),
}
"""What takes a verdict back: "Yes, it isn't", "No, that is correct"; only those who read meaning can tell."""


class Kind(StrEnum):
    """What an answer was read as."""

    CHOICE = "choice"
    VERDICT = "verdict"
    DAY = "day"
    QUANTITY = "quantity"
    WORDING = "wording"


@dataclass(frozen=True, slots=True)
class AnswerKey:
    """An answer as it is compared; of one kind, keys with equal text are equal.

    text: its normalised wording, which the meaning stage may read.

    quantity, day: what it states. letter: of a choice. inner: the key of the words behind that letter.
    """

    kind: Kind
    text: str
    quantity: Quantity | None = None
    day: date | None = None
    letter: str = ""
    inner: "AnswerKey | None" = None

    @property
    def fineness(self) -> int:
        """How much it states: the finest answer of a group speaks for it."""
        if self.inner:
            return EXACT + self.inner.fineness
        if self.kind is Kind.WORDING:
            return sum(word not in lexicon().grammar for word in self.text.split())
        if self.quantity is None:
            return 0
        fine = EXACT if self.quantity.places is None else min(self.quantity.digits, EXACT - 1)
        return 2 * fine + (self.quantity.unit.kind != "number")

    @property
    def order(self) -> tuple[int, str, str]:
        """A total order, finest first, that no order of answers can influence."""
        return (-self.fineness, self.kind.value, self.text)


def key(text: str) -> AnswerKey:
    """Read an answer. Never raises; whatever is nothing else is a wording."""
    bare = undressed(text)
    wording = normalised(bare)
    if choice := _choice(bare):
        return choice
    if verdict := _verdict(bare):
        return AnswerKey(Kind.VERDICT, verdict)
    if day := read_date(bare):
        return AnswerKey(Kind.DAY, wording, day=day)
    if quantity := read_quantity(bare):
        return AnswerKey(Kind.QUANTITY, bare, quantity=quantity)
    return AnswerKey(Kind.WORDING, wording)


def same(a: str, b: str) -> bool:
    """Return whether two answers say the same by form alone. Reflexive and symmetric."""
    return same_key(key(a), key(b))


def same_key(a: AnswerKey, b: AnswerKey) -> bool:
    """Return whether two keys say the same. Reflexive and symmetric; rounding keeps it from being transitive."""
    if a == b:
        return True
    if a.kind is Kind.CHOICE and b.kind is Kind.CHOICE:
        return a.letter == b.letter and (a.inner is None or b.inner is None or same_key(a.inner, b.inner))
    if a.inner or b.inner:  # "B) Paris" and "Paris"
        return same_key(a.inner or a, b.inner or b)
    if a.day and b.day:
        return a.day == b.day
    return bool(a.quantity and b.quantity and same_quantity(a.quantity, b.quantity))


def equal_key(a: AnswerKey, b: AnswerKey) -> bool:
    """Return whether two amounts are exactly equal and name their units: 5 km, 5000 m. Transitive, unlike sameness."""
    if not (a.quantity and b.quantity):
        return a == b
    named = a.quantity.unit is not PLAIN and b.quantity.unit is not PLAIN
    return named and a.quantity.unit.kind == b.quantity.unit.kind and a.quantity.base == b.quantity.base


def _choice(bare: str) -> AnswerKey | None:
    if match := _LETTER.fullmatch(bare):
        letter = match["letter"].upper()
        return AnswerKey(Kind.CHOICE, letter, letter=letter)
    if match := _CHOICE.fullmatch(bare):
        letter = next(match[name] for name in "abcde" if match[name]).upper()
        rest = undressed(match["rest"])
        if _LETTER.fullmatch(rest) or _CHOICE.fullmatch(rest):  # "A - B" is a difference or a range
            return None
        inner = key(rest)
        return AnswerKey(Kind.CHOICE, f"{letter}) {inner.text}", letter=letter, inner=inner)
    return None


def _verdict(bare: str) -> str:
    """Return yes or no if that is the answer and what follows only supports it, else an empty string."""
    match = _VERDICT.fullmatch(bare)
    if match is None:
        return ""
    word, more = match["word"].lower(), match["more"]
    if more and (not _CERTAIN.match(more) or _UNCERTAIN.search(more) or _AGAINST[word].match(more)):
        return ""
    return word
