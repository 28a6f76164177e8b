"""Corrections of the user's that a rule can check."""

import json

import pytest

from auritas.council.compliance.corrections import mechanical_check
from auritas.council.compliance.model import Checked, Failed, Tier


@pytest.mark.parametrize(
    ("correction", "name"),
    [
        ("metric units", "metric_units"),
        ("Always use metric units.", "metric_units"),
        ("Please use only the metric system in your answers", "metric_units"),
        ("I prefer SI units", "metric_units"),
        ("no tabs", "no_tabs"),
        ("Never use tabs!", "no_tabs"),
        ("Use spaces, not tabs.", "no_tabs"),
        ("Use ISO dates", "iso_dates"),
        ("Always write dates as YYYY-MM-DD", "iso_dates"),
        ("Use 24-hour time", "clock_24h"),
        ("From now on, no emoji, please.", "no_emoji"),
        ("Don\u2019t use emojis in your replies", "no_emoji"),
        ("Write in British English.", "british_spelling"),
        ("I want you to use American spelling", "american_spelling"),
        ("No bullet points", "no_bullets"),
        ("Avoid em dashes.", "no_em_dashes"),
        ("Do not use exclamation marks", "no_exclamation_marks"),
        ("Keep your answers under 50 words", "word_limit"),
        ("Answer in at most fifty words.", "word_limit"),
        ("Always reply in German", "language"),
    ],
)
def test_a_bare_instruction_becomes_a_check(correction, name):
    """Politeness around the instruction does not matter."""
    check = mechanical_check(correction, policy="c7")
    assert check is not None
    assert (check.name, check.policy) == (name, "c7")


@pytest.mark.parametrize(
    "correction",
    [
        "No tabs in Python",
        "Use metric units for recipes",
        "Use British spelling when you write to my aunt",
        "My tabs are always open",
        "I have no tabs",
        "The metric system was introduced in 1795.",
        "Answer in verse",
        "Answer in plain English words",
        "Keep answers under umpteen words",
        "Be brief",
        "",
        "no tabs " * 40,
    ],
)
def test_what_holds_only_sometimes_or_needs_a_reader_becomes_none(correction):
    """A condition or a fact is no rule that a program can apply everywhere."""
    assert mechanical_check(correction) is None


def broken(correction: str, answer: str, question: str = "How is it?") -> bool:
    check = mechanical_check(correction)
    assert check is not None
    text = json.dumps({"answer": "so", "explanation": answer, "domains": ["general"]})
    return isinstance(check.run(Checked(text, question, Tier.GRAMMAR)), Failed)


@pytest.mark.parametrize(
    ("correction", "answer"),
    [
        ("metric units", "It weighs 12 lbs."),
        ("metric units", "It is 70 \u00b0F outside."),
        ("metric units", "The wall is a 6-foot one."),
        ("metric units", "He is 5'11\" tall."),
        ("metric units", "It weighs 5 pounds."),
        ("metric units", "Drive 3 miles, and then stop."),
        ("no tabs", "a\tb"),
        ("ISO dates", "It was on 14 May 2026."),
        ("ISO dates", "It was on May 14th, 2026."),
        ("ISO dates", "It was on 14/05/2026."),
        ("24-hour clock", "At 3:30 pm."),
        ("24-hour clock", "At 9 a.m."),
        ("no emoji", "Well done \U0001f600"),
        ("no emoji", "Love \u2764\ufe0f"),
        ("British spelling", "My favorite color."),
        ("American spelling", "My favourite colour."),
        ("no bullet points", "These:\n- one\n- two"),
        ("no em dashes", "It is \u2014 well \u2014 so."),
        ("no exclamation marks", "Great!"),
        ("at most 3 words", "one two three"),
        ("Answer in German", "This is not what you asked for, but it is what I have."),
    ],
)
def test_a_reply_that_breaks_it_fails(correction, answer):
    """The plain case of each rule is found."""
    assert broken(correction, answer)


@pytest.mark.parametrize(
    ("correction", "answer", "question"),
    [
        ("metric units", "It is 42.195 km.", "How long?"),
        ("metric units", "A marathon is 26.2 miles (42.195 km).", "How long?"),
        ("metric units", "5 miles are 8 kilometres and a bit more, all in all.", "What is 5 miles in km?"),
        ("metric units", "It costs 20 pounds.", "What is the price?"),
        ("metric units", "A bird has 2 feet.", "How many?"),
        ("metric units", "8 Mile came out in 2002.", "Which film?"),
        ("metric units", "In 3 minutes, on page 4.", "When?"),
        ("no tabs", "a    b", "?"),
        ("ISO dates", "On 2026-05-14, in May 2026, version 1.2.2024-1.", "When?"),
        ("ISO dates", "14 May 2026 was a Thursday.", "Which day was 14 May 2026?"),
        ("24-hour clock", "At 15:30, I am there.", "When?"),
        ("no emoji", "\U0001f600 means joy; also \u2192 and \u2713 and \u00a9.", "What is \U0001f600?"),
        ("British spelling", "The Rockefeller Center has colour. `color: red`", "?"),
        ("British spelling", "It absorbed one gray of radiation.", "?"),
        ("no bullet points", "-5 degrees\n- 7", "How cold?"),
        ("no exclamation marks", "5! is 120, and a != b.", "?"),
        ("no em dashes", "It is - well - so.", "?"),
        ("at most 30 words", "one two three", "?"),
    ],
)
def test_a_reply_that_keeps_it_passes(correction, answer, question):
    """Conversions, the user's own words, code and look-alikes are no failure."""
    assert not broken(correction, answer, question)
