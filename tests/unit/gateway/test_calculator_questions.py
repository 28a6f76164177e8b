"""What the calculator answers, and what it leaves to others."""

from datetime import date
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auritas.gateway.adapters.calculator_units import PintUnits
from auritas.gateway.calculator import Abstention, Calculation, calculate
from auritas.gateway.calculator.lexicon import NAMES, UNITS

PINT = PintUnits()
TODAY = date(2026, 1, 15)


def ask(question: str) -> Calculation | Abstention:
    return calculate(question, PINT, lambda: TODAY)


def answer(question: str) -> str:
    result = ask(question)
    return result.answer if isinstance(result, Calculation) else f"abstains: {result.reason}"


ARITHMETIC = [
    ("What is 17*23?", "391"),
    ("17 times 23", "391"),
    ("What is 17 \N{MULTIPLICATION SIGN} 23?", "391"),
    ("What is 17*23? Answer with just the number.", "391"),
    ("What is seventeen times twenty-three?", "391"),
    ("17*23 = ?", "391"),
    ("what does 17*23 equal?", "391"),
    ("hello, can you calculate 17*23 please?", "391"),
    ("calculate 3/4 of 120", "90"),
    ("15% of 80", "12"),
    ("2^10", "1024"),
    ("2**10", "1024"),
    ("2 to the 10th power", "1024"),
    ("square root of 144", "12"),
    ("cube root of 27", "3"),
    ("8^(1/3)", "2"),
    ("(3+4)*5 - 2", "33"),
    ("2(3+4)", "14"),
    ("5!", "120"),
    ("what is 3! + 4!", "30"),
    ("7 mod 3", "1"),
    ("17 % 5", "2"),
    ("remainder when 17 is divided by 5", "2"),
    ("What is 1,234 + 5,678?", "6912"),
    ("144 \N{DIVISION SIGN} 12", "12"),
    ("5 \N{MINUS SIGN} 8", "-3"),
    ("12\N{SUPERSCRIPT TWO} + 5\N{SUPERSCRIPT TWO}", "169"),
    ("3\N{VULGAR FRACTION ONE HALF} + 1", "4.5"),
    ("what's 12 squared", "144"),
    ("half of 10", "5"),
    ("two thirds of 90", "60"),
    ("3 million times 2", "6000000"),
    ("0.1 + 0.2", "0.3"),
    ("(-2)^2", "4"),
    ("-(2^2)", "-4"),
    ("What is 1/2 + 1/3?", "≈ 0.8333333333"),
    ("square root of 2", "≈ 1.414213562"),
    ("2^100", "1267650600228229401496703205376"),
    ("100!", "≈ 9.332621544 \N{MULTIPLICATION SIGN} 10^157"),
    ("7 x 8", "56"),
    ("What is 100/4?", "25"),
    ("calculate 9/11", "≈ 0.8181818182"),
    ("what do you get when you multiply 6 by 7?", "42"),
    ("subtract 3 from 10", "7"),
    ("eight minus three", "5"),
    ("What is ninety-nine minus fifty-eight?", "41"),
    ("twenty - seven", "13"),
    ("What is 3/4 divided by 3/8?", "2"),
    ("6 divided by 2/3", "9"),
    ("6 / (2/3)", "9"),
    ("3/4 / 2", "0.375"),
    ("2/3^2", "≈ 0.2222222222"),
]
PERCENT = [
    ("percent increase from 50 to 80", "60%"),
    ("percentage decrease from 80 to 60?", "25%"),
    ("increase 80 by 15%", "92"),
    ("20% off 50", "40"),
    ("what percent of 80 is 12", "15%"),
    ("12 is what percent of 80?", "15%"),
    ("3/4 as a percentage", "75%"),
]
LISTS = [
    ("sum of 3, 4 and 5", "12"),
    ("average of 10, 20, and 30", "20"),
    ("median of 5, 1 and 3", "3"),
    ("the product of 6 and 7", "42"),
    ("sum of 1,234, 5 and 6", "1245"),
    ("gcd of 12 and 18", "6"),
    ("lcm(4, 6)", "12"),
    ("What is the sum of the numbers from 1 to 100?", "5050"),
]
VERDICTS = [
    ("is 97 prime?", "Yes"),
    ("Is 91 a prime number?", "No"),
    ("is 18446744073709551557 prime?", "Yes"),
    ("is 3/4 greater than 0.7?", "Yes"),
    ("is 9.11 bigger than 9.9?", "No"),
    ("Which is larger, 9.11 or 9.9?", "9.9"),
    ("Is 0.1 + 0.2 equal to 0.3?", "Yes"),
    ("Is 2 + 2 = 5?", "No"),
    ("is 15 divisible by 5", "Yes"),
    ("is 144 a perfect square", "Yes"),
    ("is sqrt(2) greater than 1.41", "Yes"),
]
MEASURES = [
    ("100 °F in °C", "≈ 37.77777778 °C"),
    ("convert 5 miles to km", "8.04672 km"),
    ("how many seconds in 3 hours", "10800 seconds"),
    ("3 ft 4 in in cm", "101.6 cm"),
    ("5'11\" in cm", "180.34 cm"),
    ("60 mph in m/s", "26.8224 m/s"),
    ("2 GiB in MB", "2147.483648 MB"),
    ("-40 F in C", "-40 °C"),
    ("1 acre in square metres", "4046.8564224 m²"),
    ("1 gallon to liters", "3.785411784 L"),
    ("1 UK gallon to liters", "4.54609 L"),
    ("2 1/2 cups in ml", "591.47059125 ml"),
    ("How many feet are in a mile?", "5280 ft"),
    ("how many months in 3 years", "36 months"),
    ("is 5 km longer than 3 miles?", "Yes"),
    ("100 Mb in MB", "12.5 MB"),
]
DAYS = [
    ("how many days between 2024-02-01 and 2024-03-01", "29 days"),
    ("what day of the week was 4 July 1776", "Thursday"),
    ("Was July 4, 1776 a Thursday?", "Yes"),
    ("30 days after 2026-01-15", "2026-02-14"),
    ("what date is 30 days from today?", "2026-02-14"),
    ("2 weeks before March 1, 2024", "2024-02-16"),
    ("is 2024 a leap year?", "Yes"),
    ("was 1900 a leap year", "No"),
    ("how many days are in February 2024?", "29 days"),
    ("how many days in 2024", "366 days"),
    ("how many days until Christmas", "344 days"),
    ("how many days since 1 January 2026", "14 days"),
    ("what is today's date", "2026-01-15"),
]
ABSTAINED = [
    # no calculation at all
    "What is the capital of Australia?",
    "Who won 2-1?",
    "explain 9/11",
    "what is C++ 17",
    "iPhone 15 vs 16",
    "what is 1984 about",
    "24/7 meaning",
    "is 5G harmful",
    "what is maroon 5",
    "what is 3 times a lady",
    "what is the sum of all fears",
    "What is the difference between 4G and 5G?",
    "What is 101 Dalmatians",
    "what is 50 cent",
    "Is 17 prime minister",
    "Alice has 3 apples and buys 2 more. How many apples does she have?",
    "What is 2 + 2 in German?",
    "How many seconds in 3 hours did Bolt run?",
    "def f(x): return x*2",
    "__import__('os').system('ls')",
    "",
    "?",
    # names, dates, scores, ranges
    "What is 9/11?",
    "what is 24/7",
    "what is 4x4?",
    "What is 1914-1918?",
    "1914 - 1918",
    "What is 4-4-2?",
    "what is 80/20",
    "what is 1-800-273-8255",
    "what is 7-Eleven",
    "What is 120/80",
    "What is 3/4/2025?",
    "What is 2024-02-01",
    "what is 007",
    "192.168.0.1/24",
    "what is twenty twenty",
    "What is an F in C?",
    # asks nothing
    "What is 42?",
    "15%",
    "what is 10 miles?",
    "convert 5 miles",
    # could mean two things
    "80 + 15%",
    "-2^2",
    "6/2(1+2)",
    "2x - 3",
    "0x10 + 1",
    "17*23!",
    "square root of 16 plus 9",
    "15% of 80 plus 20",
    "the sum of 3 and 4 times 5",
    "sum of 100,200,300",
    "what is 1,5 + 2",
    "how many days between 3/4/2025 and 5/6/2025",
    "how many days in a year",
    "how many days in February",
    "How many days until my birthday",
    "5 tons in kg",
    "8 oz in ml",
    "-7 mod 3",
    "1 month after 2026-01-31",
    "days between 1 May 1066 and 14 October 1066",
    # has no value, or is too large
    "1 / 0",
    "0^0",
    "sqrt(-4)",
    "9**9**9**9",
    "9^9^9",
    "10000!",
    "5 kg in metres",
    "-5 kg in pounds",
    "-500 C in F",
    # irrational amounts that cancel leave nothing certain
    "sqrt(2)*sqrt(2) - 2",
    "is sqrt(2)*sqrt(2) equal to 2",
    "(sqrt(2)-1)^2 + 2*sqrt(2) - 3",
    "17%½",
    # a fraction closed up beside a sign that may take all of it, or only its nearer half
    "6 ÷ 2/3",
    "1/2 / 1/4",
    "12 over 1/2",
    "2/3 squared",
    "2 to the power of 1/2",
    "sqrt 1/4",
    "√16/4",
    "1/2%",
]


@pytest.mark.parametrize(("question", "expected"), [*ARITHMETIC, *PERCENT, *LISTS, *VERDICTS, *MEASURES, *DAYS])
def test_its_own_questions_are_answered(question, expected):
    """A question of arithmetic, units or days in natural dress has its exact answer (E2)."""
    assert answer(question) == expected


@pytest.mark.parametrize("question", ABSTAINED)
def test_all_other_questions_are_left_alone(question):
    """What is no calculation, asks nothing, means two things or has no value is an abstention with a reason."""
    result = ask(question)
    assert isinstance(result, Abstention)
    assert result.reason.endswith(".")


def test_the_explanation_shows_the_calculation_as_it_was_read():
    """A person sees what was calculated, and the exact fraction behind a rounded answer."""
    sign = "\N{MULTIPLICATION SIGN}"
    shown = {
        "What is 17*23?": f"17 {sign} 23 = 391",
        "What is 1/2 + 1/3?": "1 / 2 + 1 / 3 = 5/6 ≈ 0.8333333333",
        "100 °F in °C": "100 °F = 340/9 °C ≈ 37.77777778 °C",
        "average of 10, 20 and 30": "(10 + 20 + 30) / 3 = 20",
        "Is 91 a prime number?": f"91 = 7 {sign} 13",
        "Which is larger, 9.11 or 9.9?": "9.11 < 9.9",
        "Is 3 km longer than 2 miles?": "2 mi = 3.218688 km; 3 km < 2 mi",
        "Is 2/4 equal to 1/2?": "2 / 4 = 0.5; 1 / 2 = 0.5; 2 / 4 = 1 / 2",
        "(2+3)*4^2": f"(2 + 3) {sign} 4^2 = 80",
        "2^(3^2)": "2^3^2 = 512",
        "10-(3-2)": "10 - (3 - 2) = 9",
    }
    found = {question: ask(question) for question in shown}
    assert {q: r.explanation for q, r in found.items() if isinstance(r, Calculation)} == shown


def test_today_comes_from_outside():
    """A question about today follows the day it is given, so a replay answers as it did."""
    question = "how many days until Christmas"
    new_year = calculate(question, PINT, lambda: date(2025, 12, 26))
    eve = calculate(question, PINT, lambda: date(2025, 12, 24))
    assert isinstance(new_year, Calculation)
    assert isinstance(eve, Calculation)
    assert (new_year.answer, eve.answer) == ("364 days", "1 day")


@given(st.integers(-(10**12), 10**12), st.integers(-(10**12), 10**12), st.sampled_from("+-*"))
def test_whole_numbers_agree_with_python(a, b, sign):
    """Sums, differences and products are what integers make them."""
    expected = {"+": a + b, "-": a - b, "*": a * b}[sign]
    assert answer(f"calculate ({a}) {sign} ({b})") == str(expected)


@given(st.fractions(min_value=0, max_value=10**6, max_denominator=400), st.integers(1, 400))
def test_fractions_stay_exact(value, factor):
    """Dividing and multiplying again by the same number changes nothing."""
    text = f"({value.numerator}/{value.denominator})"
    assert answer(f"is {text} / {factor} * {factor} = {text}?") == "Yes"


@given(st.text(max_size=320))
def test_no_text_breaks_it(text):
    """Any text at all gives a calculation or an abstention."""
    assert isinstance(ask(text), Calculation | Abstention)


WORDS = (
    *("what is ", "calculate ", "is ", "how many ", "sum of ", "square root of ", "convert ", "days ", "between "),
    *("0", "9", "99999999", "0.5", "1e300", "1,234", "2024-02-29", "^", "**", "!", "%", "(", ")", " + ", "-", "*", "/"),
    *(" mod ", " of ", " and ", ", ", " in ", " to ", "km", "°F", "miles", "two ", "million ", "x", "=", "?", "½"),
    *(
        "after ",
        "today",
        "'",
        '"',
        " prime",
        " than ",
        "larger ",
        "√",
        "²",
        "%",
        " percent ",
        "\N{MULTIPLICATION SIGN}",
    ),
)


@given(st.lists(st.sampled_from(WORDS), max_size=60).map("".join))
def test_no_heap_of_its_own_words_breaks_it(text):
    """However its words are heaped up, it ends with an answer of bounded length or abstains: 9**9**9**9 included."""
    result = ask(text)
    assert isinstance(result, Abstention) or len(result.answer) < 200


@given(st.sampled_from(["^", "**", "!", "*", "/"]), st.integers(2, 60))
def test_towers_of_operators_are_bounded(sign, height):
    """No repetition of an operator makes it compute without end."""
    result = ask("calculate " + sign.join(["9"] * height if sign != "!" else ["9", *[""] * height]))
    assert isinstance(result, Abstention) or len(result.answer) < 200


@given(st.fractions(min_value=1, max_value=1000, max_denominator=50))
def test_units_convert_there_and_back_without_loss(amount):
    """Every unit we name converts to each other one of its kind and back to the same fraction."""
    for first, second in pairwise(UNITS):
        if first.kind == second.kind:
            there = PINT.convert(amount, first.name, second.name)
            assert PINT.convert(there, second.name, first.name) == amount


def test_only_our_own_names_reach_the_unit_library():
    """A text that is no name of ours is refused before the library sees it."""
    assert "celsius" in NAMES
    with pytest.raises(KeyError):
        PINT.convert(Fraction(1), "meter*__import__", "meter")
