"""The words for units of measure that the calculator knows. Nothing else is ever handed to a unit library.

Left out because they mean several things: ton, calorie, horsepower, and a year or a month counted in days. Decided,
and said in every explanation through the symbol: customary volumes are those of the United States unless "imperial"
or "UK" stands before them; kB, MB and GB are decimal, KiB, MiB and GiB binary (IEC 80000-13).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit. name: what a Units port calls it. kind: only units of one kind convert. symbol: as it is written."""

    name: str
    kind: str
    symbol: str

    def label(self, amount: Fraction) -> str:
        """Return how the unit is written after `amount`: a symbol, or a word for times ("3 hours")."""
        if self.kind not in {"time", "calendar"}:
            return self.symbol
        return self.name if amount == 1 else _PLURALS.get(self.name, f"{self.name}s")


_PLURALS = {"century": "centuries", "millennium": "millennia"}


# name | symbol | other symbols, case kept | words, any case; a plural s is understood
_ROWS = {
    "length": """
        meter | m | | metre
        kilometer | km | Km KM | kilometre
        centimeter | cm | | centimetre
        millimeter | mm | | millimetre
        micrometer | µm | um | micrometre, micron
        nanometer | nm | | nanometre
        inch | in | " | inches
        foot | ft | ' | feet
        yard | yd | yds |
        mile | mi | |
        nautical_mile | nmi | | nautical mile
        light_year | ly | | light-year, light year
    """,
    "mass": """
        kilogram | kg | Kg KG | kilo, kilogramme
        gram | g | | gramme
        milligram | mg | | milligramme
        microgram | µg | ug mcg |
        tonne | t | | metric ton, metric tonne
        ounce | oz | |
        pound | lb | lbs |
        stone | st | | stones
        short_ton | short ton | | short ton, us ton
        long_ton | long ton | | long ton, imperial ton
    """,
    "time": """
        second | s | sec secs |
        millisecond | ms | |
        microsecond | µs | us |
        nanosecond | ns | |
        minute | min | mins |
        hour | h | hr hrs |
        day | d | |
        week | wk | wks |
        fortnight | fortnight | |
    """,
    "calendar": """
        month | mo | |
        year | yr | yrs |
        decade | decade | |
        century | century | | centuries
        millennium | millennium | | millennia
    """,
    "volume": """
        liter | L | l | litre
        milliliter | ml | mL ML | millilitre
        centiliter | cl | cL | centilitre
        deciliter | dl | dL | decilitre
        cubic_meter | m³ | m^3 m3 | cubic metre, cubic meter
        cubic_centimeter | cm³ | cm^3 cm3 cc | cubic centimetre, cubic centimeter
        cubic_foot | ft³ | ft^3 ft3 | cubic foot, cubic feet
        cubic_inch | in³ | in^3 in3 | cubic inch, cubic inches
        us_gallon | US gal | gal | gallon, us gallon
        us_quart | US qt | qt | quart, us quart
        us_pint | US pt | pt | pint, us pint
        us_cup | US cup | | cup, us cup
        us_fluid_ounce | US fl oz | | fl oz, fl. oz, fl. oz., fluid ounce, us fluid ounce, us fl oz
        us_tablespoon | US tbsp | tbsp Tbsp | tablespoon
        us_teaspoon | US tsp | tsp | teaspoon
        imperial_gallon | imp gal | | imperial gallon, uk gallon
        imperial_quart | imp qt | | imperial quart, uk quart
        imperial_pint | imp pt | | imperial pint, uk pint
        imperial_fluid_ounce | imp fl oz | | imperial fluid ounce, uk fluid ounce
    """,
    "area": """
        square_meter | m² | m^2 m2 sqm | square metre, square meter, sq m
        square_kilometer | km² | km^2 km2 | square kilometre, square kilometer, sq km
        square_centimeter | cm² | cm^2 cm2 | square centimetre, square centimeter, sq cm
        square_inch | in² | in^2 in2 | square inch, square inches, sq in
        square_foot | ft² | ft^2 ft2 sqft | square foot, square feet, sq ft
        square_yard | yd² | yd^2 yd2 | square yard, sq yd
        square_mile | mi² | mi^2 mi2 | square mile, sq mi
        hectare | ha | |
        acre | acre | |
    """,
    "speed": """
        meter_per_second | m/s | mps | metre per second, metres per second, meter per second, meters per second
        kilometer_per_hour | km/h | kph kmh | kilometre per hour, kilometres per hour, kilometer per hour,\
 kilometers per hour
        mile_per_hour | mph | mi/h MPH | mile per hour, miles per hour, miles an hour
        knot | kn | kt kts |
        foot_per_second | ft/s | fps | foot per second, feet per second
    """,
    "temperature": """
        celsius | °C | C c | degree celsius, degrees celsius, deg c, deg celsius, degrees c, degree c, ° c, centigrade,\
 degrees centigrade
        fahrenheit | °F | F f | degree fahrenheit, degrees fahrenheit, deg f, deg fahrenheit, degrees f, degree f, ° f
        kelvin | K | |
    """,
    "data": """
        bit | bit | |
        byte | B | |
        kilobyte | kB | KB kb | kilobyte
        megabyte | MB | mb |
        gigabyte | GB | gb |
        terabyte | TB | tb |
        petabyte | PB | pb |
        kibibyte | KiB | kib |
        mebibyte | MiB | mib |
        gibibyte | GiB | gib |
        tebibyte | TiB | tib |
        kilobit | kbit | kbits |
        megabit | Mbit | Mb Mbits |
        gigabit | Gbit | Gb Gbits |
    """,
    "energy": """
        joule | J | |
        kilojoule | kJ | KJ kj |
        megajoule | MJ | |
        kilocalorie | kcal | |
        watt_hour | Wh | | watt hour, watt-hour
        kilowatt_hour | kWh | kwh KWh | kilowatt hour, kilowatt-hour
    """,
    "power": """
        watt | W | |
        kilowatt | kW | kw KW |
        megawatt | MW | |
    """,
    "pressure": """
        pascal | Pa | |
        hectopascal | hPa | |
        kilopascal | kPa | kpa |
        bar | bar | |
        millibar | mbar | |
        atmosphere | atm | |
        psi | psi | PSI | pounds per square inch
    """,
    "frequency": """
        hertz | Hz | hz | hertz
        kilohertz | kHz | khz KHz | kilohertz
        megahertz | MHz | mhz | megahertz
        gigahertz | GHz | ghz | gigahertz
    """,
}


def _units() -> Iterator[tuple[Unit, list[str], list[str]]]:
    """Yield each unit with its symbols and its words."""
    for kind, rows in _ROWS.items():
        for row in filter(None, map(str.strip, rows.splitlines())):
            name, symbol, others, spoken = (cell.strip() for cell in row.split("|"))
            words = [word.strip() for word in spoken.split(",") if word.strip()] + ([] if "_" in name else [name])
            yield Unit(name, kind, symbol), [symbol, *others.split()], [*words, *(f"{word}s" for word in words)]


_SYMBOLS: dict[str, Unit] = {}
_WORDS: dict[str, Unit] = {}
for _unit, _signs, _words in _units():
    _SYMBOLS |= dict.fromkeys(_signs, _unit)
    _WORDS |= dict.fromkeys(_words, _unit)

UNITS: tuple[Unit, ...] = tuple(dict.fromkeys(_SYMBOLS.values()))
NAMES = frozenset(unit.name for unit in UNITS)
"""What a Units port must know."""
MAX_WORDS = max(spelling.count(" ") for spelling in (*_SYMBOLS, *_WORDS)) + 1
"""Words in the longest spelling."""


def read_unit(text: str) -> Unit | None:
    """Return the unit that `text` spells, or None. Case matters in symbols (Mb, MB) and not in words."""
    spelled = " ".join(text.split())
    return _SYMBOLS.get(spelled) or _WORDS.get(spelled.lower())
