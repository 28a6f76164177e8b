"""Times that questions name."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auritas.search.recall.dates import in_periods, periods

NOW = date(2024, 3, 15)


@pytest.mark.parametrize(
    ("question", "inside", "outside"),
    [
        ("What did I plan in May 2023?", date(2023, 5, 31), date(2022, 5, 1)),
        ("What did I plan in May?", date(2022, 5, 4), date(2023, 6, 1)),
        ("Where was I on 3 June 2023?", date(2023, 6, 20), date(2023, 7, 1)),
        ("Where was I on June 3rd, 2023?", date(2023, 6, 3), date(2024, 6, 3)),
        ("Who came on 2023-06-03?", date(2023, 6, 3), date(2023, 7, 3)),
        ("What did we buy in 2022?", date(2022, 12, 31), date(2023, 1, 1)),
        ("Where did we hike last summer?", date(2023, 8, 31), date(2023, 9, 1)),
        ("What did we do last winter?", date(2024, 2, 28), date(2024, 3, 1)),
        ("What did I ask yesterday?", date(2024, 3, 14), date(2024, 3, 15)),
        ("What did I ask last week?", date(2024, 3, 4), date(2024, 3, 11)),
        ("What did I ask last month?", date(2024, 2, 29), date(2024, 3, 1)),
        ("What did I ask two weeks ago?", date(2024, 3, 1), date(2024, 3, 14)),
    ],
)
def test_a_time_is_understood_from_where_the_question_is_asked(question: str, inside: date, outside: date) -> None:
    """Named months, days, years, seasons and relative times hold the days that they mean (M16)."""
    named = periods(question, NOW)
    assert in_periods(inside, named)
    assert not in_periods(outside, named)


@pytest.mark.parametrize(
    "question", ["May I ask something?", "Where may I park?", "What is 2 plus 2?", "March on!", ""]
)
def test_words_that_only_look_like_a_month_mostly_name_none(question: str) -> None:
    """A verb in lower case is no month; a capital one at the beginning costs only a hint, never an error (M16)."""
    assert all(period.first.month in {3, 5} for period in periods(question, NOW))


@given(st.text(max_size=60), st.dates(date(1990, 1, 1), date(2100, 1, 1)))
def test_no_question_breaks_the_reading_of_dates(question: str, now: date) -> None:
    """Any text names periods that begin before they end, or none (M16)."""
    assert all(period.first <= period.last for period in periods(question, now))


@given(st.integers(0, 9999), st.integers(0, 99), st.integers(0, 99))
def test_impossible_dates_are_no_error(year: int, month: int, day: int) -> None:
    """Dates that no calendar has are read as far as they go, or not at all (M16)."""
    periods(
        f"on {year:04}-{month:02}-{day:02}, {day} May {year:04}, {day} days ago, in {year:04}, summer {year:04}", NOW
    )
