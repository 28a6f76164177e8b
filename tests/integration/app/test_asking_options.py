"""A question with answers to choose from, asked and graded on a real encrypted store."""

import json

import pytest
from tests.integration.app.hall import voice

from auritas.kernel.answers import AccuracyLevel
from auritas.store import schema as t

pytestmark = pytest.mark.anyio
QUESTION = "Which planet has the most moons?\nA) Mars\nB) Jupiter\nC) Saturn"


async def test_a_letter_and_its_words_are_one_candidate_from_the_answer_to_the_grade(hall):
    """Who says B and who says Jupiter agree; its form is kept as the letter, and either one is its key."""
    for seat, text in (("ada", "Jupiter"), ("bob", "B"), ("eve", "Saturn")):
        hall.seat(voice(seat, text), 15)
    result = await hall.ask(QUESTION, AccuracyLevel.BALANCED)
    supporters = {candidate.text: candidate.supporters for candidate in result.decision.candidates}
    assert supporters == {"Jupiter": ("ada", "bob"), "Saturn": ("eve",)}
    (row,) = hall.rows(t.queries)
    assert {each["text"]: each["form"] for each in json.loads(row.decision)["candidates"]} == {
        "Jupiter": "B",
        "Saturn": "C",
    }
    for key, right in (("B", "Jupiter"), ("jupiter", "Jupiter"), ("(c)", "Saturn"), ("C) Saturn", "Saturn")):
        marks = hall.auritas.grading.key(None, key).marks
        assert {mark.seat: mark.right for mark in marks} == {
            seat: seat in supporters[right] for seat in ("ada", "bob", "eve")
        }
