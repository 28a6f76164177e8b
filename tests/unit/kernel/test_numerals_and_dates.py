"""Numbers and days as people write them."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auritas.kernel.dates import MONTHS, in_words, read_date
from auritas.kernel.numerals import cardinal

SMALL = [
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
]
TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


def spelled(number: int) -> str:
    if number < 20:
        return SMALL[number]
    if number < 100:
        return TENS[number // 10 - 2] + (f"-{SMALL[number % 10]}" if number % 10 else "")
    for size, name in (
        (10**12, "trillion"),
        (10**9, "billion"),
        (10**6, "million"),
        (1000, "thousand"),
        (100, "hundred"),
    ):
        if number >= size:
            rest = f" {spelled(number % size)}" if number % size else ""
            return f"{spelled(number // size)} {name}{rest}"
    raise AssertionError


@given(st.integers(0, 10**15 - 1))
def test_a_spelled_number_is_read_back(number):
    """Every number below a thousand trillion is read as it is spelled."""
    assert cardinal(spelled(number).split()) == number


@pytest.mark.parametrize(
    ("words", "number"),
    [
        ("three hundred and ninety-one", 391),
        ("a hundred", 100),
        ("nineteen hundred and one", 1901),
        ("two million and five", 2_000_005),
        ("seven eleven", None),
        ("twenty twenty", None),
        ("nineteen eighty four", None),
        ("one million million", None),
        ("one hundred and", None),
        ("hundred", None),
        ("a", None),
        ("", None),
        ("five apples", None),
    ],
)
def test_words_that_spell_no_number_are_none(words, number):
    """Years in pairs, shop names and half-spoken numbers are not read as numbers."""
    assert cardinal(words.split()) == number


@given(st.dates())
def test_a_day_is_read_in_each_of_its_forms(day):
    """The usual English forms of a day and its ISO form mean that day."""
    month = MONTHS[day.month - 1]
    year = f"{day.year:04}"
    forms = (
        day.isoformat(),
        f"{day.day} {month} {year}",
        f"{month} {day.day}, {year}",
        f"{month[:3]}. {day.day}, {year}",
        f"the {day.day}th of {month}, {year}",
        f"{day.day}.{day.month}.{year}",
    )
    assert {read_date(form) for form in forms} == {day}


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("3/4/2025", None),
        ("13/4/2025", date(2025, 4, 13)),
        ("4/13/2025", date(2025, 4, 13)),
        ("5/5/2025", date(2025, 5, 5)),
        ("Thursday, July 4, 1776", date(1776, 7, 4)),
        ("Friday, July 4, 1776", None),
        ("31 February 2024", None),
        ("July 1776", None),
        ("1776", None),
    ],
)
def test_a_text_that_could_be_two_days_is_none(text, day):
    """An ambiguous, impossible or incomplete day is not guessed."""
    assert read_date(text) == day


def test_a_day_is_written_for_a_person():
    """A day in words has its weekday and no ambiguity."""
    assert in_words(date(1776, 7, 4)) == "Thursday, 4 July 1776"
