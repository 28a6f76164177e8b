"""Amounts in answers: when two of them say the same, although one is rounded or in another unit."""

import re
from dataclasses import dataclass
from fractions import Fraction
from math import floor

from auritas.council.units import CURRENCY_SIGNS, PLAIN, Unit, read_unit
from auritas.kernel.numerals import SCALES, cardinal

MAX_CHARACTERS = 80
MAX_POWER = 400
TOLERANCE = Fraction(1, 10**6)
"""Relative; for the noise of floating point, never for digits that both have written."""
LEAST_DIGITS = 3
"""Significant digits that a rounded amount must show to count as the same as a finer one."""
_NOISE_PLACES = 3

_DIGITS = r"\d{1,3}(?:,\d{3})+|\d{1,3}(?: \d{3})+|\d+"
_NUMBER = re.compile(
    rf"(?P<whole>{_DIGITS})?(?P<part>\.\d+)?"
    r"(?:e(?P<power>[+-]?\d+)| ?(?:\*|x) ?10 ?(?:\^|\*\*) ?\(?(?P<ten>-?\d+)\)?)?",
    re.IGNORECASE | re.ASCII,
)
_RATIO = re.compile(r"(?:(?P<whole>\d{1,9}) )?(?P<top>\d{1,12})/(?P<bottom>\d{1,12})", re.ASCII)
_ABOUT = re.compile(r"(?:≈|~|about |approximately |approx\.? |around |roughly |circa |ca\. )\s*", re.IGNORECASE)
_MINUS = re.compile(r"-(?! )|(?:minus|negative) (?=[\w.])", re.IGNORECASE)
_NAME = re.compile(r"[12]\d{2}0s|(?:\d*[02-9])?1st|\d+(?:\.\d+)?K", re.ASCII)
"""A decade, a rank, or thousands: 1990s, 1st, 5K; closed up like this they are no seconds, stones or kelvins."""
_POWER = re.compile(r"10 ?\^ ?(?=-?\d)")
_COMPOUND = re.compile(r"(?P<first>\d+) ?(?P<unit>[^\W\d_]+|')[, ]*(?:and )?(?P<rest>\d.*)")


@dataclass(frozen=True, slots=True)
class Quantity:
    """An amount with its unit, and how finely it was written.

    places: digits behind the point that were written (negative: the zeros that an "about 12,300" leaves open), or None
    for fractions, which are exact. digits: significant ones. rounded: it may stand for a finer amount, because it has
    decimals, a power of ten or an "about"; whole numbers, 100.0 too, stand for themselves.
    """

    amount: Fraction
    unit: Unit = PLAIN
    places: int | None = 0
    digits: int = 1
    rounded: bool = False

    @property
    def base(self) -> Fraction:
        """The amount in the base unit of its kind."""
        return self.amount * self.unit.factor + self.unit.offset

    def within(self, unit: Unit) -> Fraction:
        """Return the amount in another unit of the same kind."""
        return (self.base - unit.offset) / unit.factor


def read_quantity(text: str) -> Quantity | None:
    """Return the amount that all of `text` states: 1,234.5, 5 km, $3 million, 3 x 10^8 m/s, ninety-one, 1/3.

    A number with idle zeros in front (007), or followed by a word that is no unit (42 apples), is none.
    """
    if len(text) > MAX_CHARACTERS or _NAME.fullmatch(text):
        return None
    about = _ABOUT.match(text)
    text = text[about.end() :] if about else text
    minus = _MINUS.match(text)
    sign = -1 if minus else 1
    text = (text[minus.end() :] if minus else text).removeprefix("+").strip()
    quantity = _compound(text) or _with_currency(text) or _with_unit(text)
    if quantity is None:
        return None
    return _approximate(quantity, sign) if about else _signed(quantity, sign)


def same_quantity(a: Quantity, b: Quantity) -> bool:
    """Return whether two amounts say the same. Symmetric; transitive only up to rounding.

    Same: equal in a common unit; equal but for floating-point noise; or one the other rounded to the digits it shows,
    three at least. A bare number is compared in the other's unit, because the question names it; a percentage is not.
    """
    if a.unit.kind != b.unit.kind:
        if a.unit is PLAIN:
            a = Quantity(a.amount, b.unit, a.places, a.digits, a.rounded)
        elif b.unit is PLAIN:
            b = Quantity(b.amount, a.unit, b.places, b.digits, b.rounded)
        else:
            return False
    return a.base == b.base or _is_noise(a, b) or _rounds_to(a, b) or _rounds_to(b, a)


def _is_noise(a: Quantity, b: Quantity) -> bool:
    """Whether the two differ by less than either could mean: 391 and 391.0000001, never 1918 and 1919."""
    if a.unit is not b.unit or (a.amount.denominator == 1 and b.amount.denominator == 1):
        return False
    places = min(_NOISE_PLACES if each.places is None else each.places for each in (a, b))
    allowed = min(TOLERANCE * max(abs(a.amount), abs(b.amount)), Fraction(1, 10 ** max(_NOISE_PLACES, places)))
    return abs(a.amount - b.amount) <= allowed


def _rounds_to(coarse: Quantity, fine: Quantity) -> bool:
    """Whether `fine`, in the unit of `coarse` and rounded to its places, is `coarse`."""
    if not coarse.rounded or coarse.digits < LEAST_DIGITS or coarse.places is None:
        return False
    exact = fine.within(coarse.unit)
    scale = Fraction(10) ** coarse.places
    down = Fraction(floor(exact * scale)) / scale
    half_up = Fraction(floor(exact * scale + Fraction(1, 2))) / scale
    is_half = exact * scale - floor(exact * scale) == Fraction(1, 2)  # people round a half either way
    return coarse.amount == half_up or (is_half and coarse.amount == down)


def _compound(text: str) -> Quantity | None:
    """Read 5 ft 11 in or 1 hour 30 minutes."""
    match = _COMPOUND.fullmatch(text)
    unit = read_unit({"'": "ft"}.get(match["unit"], match["unit"])) if match else None
    rest = (
        _with_unit(match["rest"].removesuffix('"') + (" in" if match["rest"].endswith('"') else "")) if match else None
    )
    if match is None or unit is None or rest is None or unit.kind != rest.unit.kind or unit.offset:
        return None
    if unit.factor <= rest.unit.factor or rest.base >= unit.factor:
        return None
    amount = rest.amount + int(match["first"]) * unit.factor / rest.unit.factor
    return Quantity(amount, rest.unit, rest.places, rest.digits + len(match["first"]), rest.rounded)


def _with_currency(text: str) -> Quantity | None:
    sign = next((sign for sign in CURRENCY_SIGNS if text.startswith(sign)), None)
    if sign is None:
        return None
    bare = _with_unit(text.removeprefix(sign).strip())
    unit = read_unit(sign)
    if bare is None or unit is None or bare.unit is not PLAIN:
        return None
    return Quantity(bare.amount, unit, bare.places, bare.digits, bare.rounded)


def _with_unit(text: str) -> Quantity | None:
    """Read a number, a scale word and a unit, from left to right."""
    number = _spelled(text) or _ratio(text) or _decimal(text)
    if number is None:
        return None
    quantity, rest = number
    word, _, after = rest.partition(" ")
    if word.lower() in SCALES:
        factor, rest = SCALES[word.lower()], after
        places = None if quantity.places is None else quantity.places - (len(str(factor)) - 1)
        quantity = Quantity(quantity.amount * factor, PLAIN, places, quantity.digits, quantity.rounded)
    if not rest:
        return quantity
    unit = read_unit(rest)
    if unit is None:
        return None
    return Quantity(quantity.amount, unit, quantity.places, quantity.digits, quantity.rounded)


def _decimal(text: str) -> tuple[Quantity, str] | None:
    match = _NUMBER.match(_POWER.sub("1x10^", text, count=1) if _POWER.match(text) else text)
    if match is None or not (match["whole"] or match["part"]):
        return None
    rest = match.string[match.end() :]
    whole = re.sub(r"[, ]", "", match["whole"] or "")
    if (len(whole) > 1 and whole.startswith("0")) or (rest and re.match(r"[\d.,:/^!*-]", rest)):
        return None
    power = int(match["power"] or match["ten"] or 0)
    if abs(power) > MAX_POWER:
        return None
    part = (match["part"] or ".")[1:]
    digits = len((whole + part).lstrip("0"))
    amount = Fraction(int(whole + part or 0)) * Fraction(10) ** (power - len(part))
    return Quantity(amount, PLAIN, len(part) - power, digits, bool(part.strip("0")) or bool(power)), rest.strip()


def _ratio(text: str) -> tuple[Quantity, str] | None:
    match = _RATIO.match(text)
    if match is None or not int(match["bottom"]) or text[match.end() : match.end() + 1] in {"/", ".", ",", "-"}:
        return None
    amount = int(match["whole"] or 0) + Fraction(int(match["top"]), int(match["bottom"]))
    return Quantity(amount, PLAIN, None), text[match.end() :].strip()


def _spelled(text: str) -> tuple[Quantity, str] | None:
    words = text.lower().split()
    for count in range(len(words), 0, -1):
        value = cardinal(words[:count])
        if value is not None:
            return Quantity(Fraction(value), PLAIN, 0, len(str(value))), " ".join(text.split()[count:])
    return None


def _signed(quantity: Quantity, sign: int) -> Quantity:
    return Quantity(sign * quantity.amount, quantity.unit, quantity.places, quantity.digits, quantity.rounded)


def _approximate(quantity: Quantity, sign: int) -> Quantity:
    """Read "about": the zeros at the end of a whole number are open."""
    places, digits = quantity.places, quantity.digits
    if places == 0 and quantity.amount.denominator == 1 and quantity.amount:
        written = str(abs(quantity.amount.numerator))
        places = len(written.rstrip("0")) - len(written)
        digits = len(written.rstrip("0"))
    return Quantity(sign * quantity.amount, quantity.unit, places, digits, rounded=True)
