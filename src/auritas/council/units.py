"""Units of measure in answers: enough of them to see that 5 km and 5000 m say the same. Factors are exact."""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

_INCH = Fraction(254, 10_000)
_POUND = Fraction(45_359_237, 100_000_000)
_GALLON = 231 * _INCH**3  # cubic inches, by definition
_HOUR = 3600
_DAY = 24 * _HOUR


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit. base = amount · factor + offset, in the base unit of its kind; only one kind compares."""

    kind: str
    factor: Fraction
    offset: Fraction = Fraction(0)


def _unit(kind: str, factor: Fraction | int | str, offset: Fraction | int | str = 0) -> Unit:
    return Unit(kind, Fraction(factor), Fraction(offset))


PLAIN = _unit("number", 1)
"""No unit: a bare number."""

# kind | signs, case kept | words, any case; a plural s is understood | factor
_TABLE: tuple[tuple[Unit, str, str], ...] = (
    (_unit("number", Fraction(1, 100)), "%", "percent, per cent"),
    (_unit("length", 1), "m", "meter, metre"),
    (_unit("length", 1000), "km KM", "kilometer, kilometre"),
    (_unit("length", Fraction(1, 100)), "cm", "centimeter, centimetre"),
    (_unit("length", Fraction(1, 1000)), "mm", "millimeter, millimetre"),
    (_unit("length", Fraction(1, 10**6)), "µm um", "micrometer, micrometre, micron"),
    (_unit("length", Fraction(1, 10**9)), "nm", "nanometer, nanometre"),
    (_unit("length", _INCH), "in", "inch, inches"),
    (_unit("length", 12 * _INCH), "ft", "foot, feet"),
    (_unit("length", 36 * _INCH), "yd", "yard"),
    (_unit("length", 63_360 * _INCH), "mi", "mile"),
    (_unit("length", 1852), "nmi", "nautical mile"),
    (_unit("length", 9_460_730_472_580_800), "ly", "light year, light-year"),
    (_unit("mass", 1), "kg", "kilogram, kilogramme, kilo"),
    (_unit("mass", Fraction(1, 1000)), "g", "gram, gramme"),
    (_unit("mass", Fraction(1, 10**6)), "mg", "milligram"),
    (_unit("mass", Fraction(1, 10**9)), "µg", "microgram"),
    (_unit("mass", 1000), "t", "tonne, metric ton"),
    (_unit("mass", _POUND), "lb lbs", "pound"),
    (_unit("mass", _POUND / 16), "oz", "ounce"),
    (_unit("mass", _POUND * 14), "st", "stone"),
    (_unit("time", 1), "s sec", "second"),
    (_unit("time", Fraction(1, 1000)), "ms", "millisecond"),
    (_unit("time", Fraction(1, 10**6)), "µs", "microsecond"),
    (_unit("time", Fraction(1, 10**9)), "ns", "nanosecond"),
    (_unit("time", 60), "min", "minute"),
    (_unit("time", _HOUR), "h hr hrs", "hour"),
    (_unit("time", _DAY), "d", "day"),
    (_unit("time", 7 * _DAY), "wk", "week"),
    (_unit("calendar", 1), "mo", "month"),
    (_unit("calendar", 12), "yr yrs", "year"),
    (_unit("calendar", 120), "", "decade"),
    (_unit("calendar", 1200), "", "century, centuries"),
    (_unit("volume", Fraction(1, 1000)), "L l", "liter, litre"),
    (
        _unit("volume", Fraction(1, 10**6)),
        "ml mL cm^3 cm3 cc",
        "milliliter, millilitre, cubic centimeter, cubic centimetre",
    ),
    (_unit("volume", 1), "m^3 m3", "cubic meter, cubic metre"),
    (_unit("volume", _GALLON), "gal", "gallon, us gallon, us gal"),
    (_unit("volume", _GALLON / 4), "qt", "quart, us quart, us qt"),
    (_unit("volume", _GALLON / 8), "pt", "pint, us pint, us pt"),
    (_unit("volume", _GALLON / 16), "", "cup, us cup"),
    (_unit("volume", _GALLON / 128), "", "fluid ounce, fl oz, us fl oz, us fluid ounce"),
    (_unit("volume", _GALLON / 256), "tbsp", "tablespoon, us tbsp"),
    (_unit("volume", _GALLON / 768), "tsp", "teaspoon, us tsp"),
    (_unit("area", 1), "m^2 m2", "square meter, square metre, sq m"),
    (_unit("area", 10**6), "km^2 km2", "square kilometer, square kilometre, sq km"),
    (_unit("area", (12 * _INCH) ** 2), "ft^2", "square foot, square feet, sq ft"),
    (_unit("area", (63_360 * _INCH) ** 2), "mi^2", "square mile, sq mi"),
    (_unit("area", 10_000), "ha", "hectare"),
    (_unit("area", 4840 * (36 * _INCH) ** 2), "", "acre"),
    (_unit("speed", 1), "m/s", "meter per second, meters per second, metre per second, metres per second"),
    (
        _unit("speed", Fraction(1000, _HOUR)),
        "km/h kph",
        "kilometer per hour, kilometers per hour, kilometre per hour, kilometres per hour",
    ),
    (_unit("speed", Fraction(1000)), "km/s", "kilometers per second, kilometres per second"),
    (_unit("speed", 63_360 * _INCH / _HOUR), "mph", "mile per hour, miles per hour"),
    (_unit("speed", Fraction(1852, _HOUR)), "kn", "knot"),
    (_unit("temperature", 1), "K", "kelvin"),
    (_unit("temperature", 1, "273.15"), "°C C", "degree celsius, degrees celsius, celsius, degrees c"),
    (
        _unit("temperature", Fraction(5, 9), Fraction("273.15") - Fraction(160, 9)),
        "°F F",
        "degree fahrenheit, degrees fahrenheit, fahrenheit, degrees f",
    ),
    (_unit("angle", 1), "°", "degree"),
    (_unit("data", 1), "bit", "bit"),
    (_unit("data", 8), "B", "byte"),
    *(
        (_unit("data", 8 * 1000**power), sign, word)
        for power, sign, word in (
            (1, "kB KB", "kilobyte"),
            (2, "MB", "megabyte"),
            (3, "GB", "gigabyte"),
            (4, "TB", "terabyte"),
        )
    ),
    *(
        (_unit("data", 8 * 1024**power), sign, word)
        for power, sign, word in (
            (1, "KiB", "kibibyte"),
            (2, "MiB", "mebibyte"),
            (3, "GiB", "gibibyte"),
            (4, "TiB", "tebibyte"),
        )
    ),
    (_unit("energy", 1), "J", "joule"),
    (_unit("energy", 1000), "kJ", "kilojoule"),
    (_unit("energy", 3_600_000), "kWh", "kilowatt hour, kilowatt-hour"),
    (_unit("power", 1), "W", "watt"),
    (_unit("power", 1000), "kW", "kilowatt"),
    (_unit("power", 10**6), "MW", "megawatt"),
    (_unit("pressure", 1), "Pa", "pascal"),
    (_unit("pressure", 1000), "kPa", "kilopascal"),
    (_unit("pressure", 100_000), "bar", "bar"),
    (_unit("pressure", 101_325), "atm", "atmosphere"),
    (_unit("frequency", 1), "Hz", "hertz"),
    (_unit("frequency", 1000), "kHz", "kilohertz"),
    (_unit("frequency", 10**6), "MHz", "megahertz"),
    (_unit("frequency", 10**9), "GHz", "gigahertz"),
    (_unit("dollar", 1), "$ US$ USD", "dollar, us dollar"),
    (_unit("euro", 1), "€ EUR", "euro"),
    (_unit("sterling", 1), "£ GBP", "pound sterling, pounds sterling"),
    (_unit("yen", 1), "¥ JPY", "yen, japanese yen"),
)


def _spellings() -> Iterator[tuple[str, Unit]]:
    for unit, signs, words in _TABLE:
        yield from ((sign, unit) for sign in _signs(signs))
        for word in filter(None, words.split(", ")):
            yield from ((spelling, unit) for spelling in (word, f"{word}s"))


def _signs(text: str) -> list[str]:
    return unicodedata.normalize("NFKC", text).split()  # the form that answers are compared in


_UNITS = dict(_spellings())
_SIGNS = frozenset(sign for _, signs, _ in _TABLE for sign in _signs(signs))
CURRENCY_SIGNS = ("US$", "$", "€", "£", "¥")
"""Those written before the amount."""


def read_unit(text: str) -> Unit | None:
    """Return the unit that all of `text` spells, or None. Case counts in signs (MB, mb) and not in words."""
    if text in _SIGNS:
        return _UNITS[text]
    word = text.lower()
    return None if word in _SIGNS else _UNITS.get(word)
