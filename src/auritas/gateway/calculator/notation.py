"""How numbers are written in an answer: exactly where that is short, else rounded and marked as such."""

from decimal import Context, Decimal, localcontext
from fractions import Fraction

from auritas.gateway.calculator.model import Value

ABOUT = "\N{ALMOST EQUAL TO}"
TIMES = "\N{MULTIPLICATION SIGN}"
ROOT = "\N{SQUARE ROOT}"

EXACT_DIGITS = 40
"""Longest whole part that is written out: 2^100 has 31 digits, a person compares no more."""
EXACT_PLACES = 20
"""Longest decimal fraction that is written out; 1/2^20 has that many places."""
ROUNDED_DIGITS = 10
_PLAIN_EXPONENTS = range(-6, 21)


def exact_decimal(amount: Fraction) -> str | None:
    """Return the finite decimal that equals `amount`, or None if there is none of reasonable length."""
    places = _places(amount.denominator)
    if places is None or abs(amount) >= 10**EXACT_DIGITS:
        return None
    whole, part = divmod(abs(amount.numerator) * 10**places // amount.denominator, 10**places)
    sign = "-" if amount < 0 else ""
    return f"{sign}{whole}" + (f".{part:0{places}d}" if places else "")


def rounded(amount: Fraction) -> str:
    """Return `amount` to ROUNDED_DIGITS significant digits, in powers of ten where plain digits would be long."""
    with localcontext(Context(prec=ROUNDED_DIGITS, Emax=10**6, Emin=-(10**6))):
        decimal = (Decimal(amount.numerator) / Decimal(amount.denominator)).normalize()
    exponent = decimal.adjusted()
    if exponent in _PLAIN_EXPONENTS:
        return f"{decimal:f}"
    return f"{decimal.scaleb(-exponent, Context(prec=ROUNDED_DIGITS)).normalize():f} {TIMES} 10^{exponent}"


def written(value: Value) -> str:
    """Return the answer's text: "391", "0.375", or with a mark in front "≈ 0.3333333333"."""
    exact = exact_decimal(value.amount) if value.exact else None
    return exact if exact is not None else f"{ABOUT} {rounded(value.amount)}"


def equation(left: str, value: Value, unit: str = "") -> str:
    """Return "left = value", with the exact fraction in between where the answer is a rounded one."""
    answer = written(value)
    suffix = f" {unit}" if unit else ""
    if not answer.startswith(ABOUT):
        return f"{left} = {answer}{suffix}"
    numerator, denominator = value.amount.as_integer_ratio()
    fraction = f"{numerator}/{denominator}"
    if not value.exact or denominator == 1 or len(fraction) > EXACT_DIGITS or fraction == left.replace(" ", ""):
        return f"{left} {answer}{suffix}"
    return f"{left} = {fraction}{suffix} {answer}{suffix}"


def _places(denominator: int) -> int | None:
    """Return how many decimal places 1/denominator takes, or None if more than EXACT_PLACES."""
    for places in range(EXACT_PLACES + 1):
        if 10**places % denominator == 0:
            return places
    return None
