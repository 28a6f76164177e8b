"""Units of measure through pint, which is given names of ours only and never a person's text."""

from collections.abc import Mapping
from fractions import Fraction
from threading import Lock
from typing import Any

from auritas.gateway.calculator.lexicon import NAMES

# Where pint's name differs from ours. Its acre is the survey acre; ours is the international one, 4,840 square yards.
_EXPRESSIONS: Mapping[str, tuple[int, str]] = {
    "celsius": (1, "degree_Celsius"),
    "fahrenheit": (1, "degree_Fahrenheit"),
    "tonne": (1, "metric_ton"),
    "acre": (4840, "yard**2"),
    "hectare": (10_000, "meter**2"),
    "cubic_meter": (1, "meter**3"),
    "cubic_centimeter": (1, "centimeter**3"),
    "cubic_foot": (1, "foot**3"),
    "cubic_inch": (1, "inch**3"),
    "square_meter": (1, "meter**2"),
    "square_kilometer": (1, "kilometer**2"),
    "square_centimeter": (1, "centimeter**2"),
    "square_inch": (1, "inch**2"),
    "square_foot": (1, "foot**2"),
    "square_yard": (1, "yard**2"),
    "square_mile": (1, "mile**2"),
    "us_gallon": (1, "gallon"),
    "us_quart": (1, "quart"),
    "us_pint": (1, "pint"),
    "us_cup": (1, "cup"),
    "us_fluid_ounce": (1, "fluid_ounce"),
    "us_tablespoon": (1, "tablespoon"),
    "us_teaspoon": (1, "teaspoon"),
    "meter_per_second": (1, "meter/second"),
    "kilometer_per_hour": (1, "kilometer/hour"),
    "mile_per_hour": (1, "mile/hour"),
    "foot_per_second": (1, "foot/second"),
    "short_ton": (2000, "pound"),
    "long_ton": (2240, "pound"),
    "light_year": (9_460_730_472_580_800, "meter"),
    "year": (12, "month"),
    "decade": (120, "month"),  # pint's decade is a ratio of ten
    "century": (1200, "month"),
    "millennium": (12_000, "month"),
    "watt_hour": (3600, "joule"),
    "kilowatt_hour": (3_600_000, "joule"),
}


class PintUnits:
    """Exact conversions. The registry is built at the first one, because that takes a fifth of a second."""

    def __init__(self) -> None:
        self._registry: Any = None
        self._lock = Lock()  # pint fills its caches while it converts

    def convert(self, amount: Fraction, source: str, target: str) -> Fraction:
        """Return `amount` of `source` in `target`. Raises KeyError for a name that is not in the lexicon."""
        factor, unit = _expression(source)
        divisor, goal = _expression(target)
        with self._lock:
            magnitude = self._units().Quantity(amount * factor, unit).to(goal).magnitude
        return Fraction(magnitude) / divisor

    def _units(self) -> Any:
        if self._registry is None:
            from pint import UnitRegistry

            self._registry = UnitRegistry(non_int_type=Fraction, autoconvert_offset_to_baseunit=True)
        return self._registry


def _expression(name: str) -> tuple[int, str]:
    if name not in NAMES:
        raise KeyError(name)
    return _EXPRESSIONS.get(name, (1, name))
