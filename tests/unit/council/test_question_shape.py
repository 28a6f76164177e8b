"""Open or closed, told by a rule that a trace can name."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auritas.council.shape import shape_of
from auritas.kernel.answers import QuestionShape

QUESTIONS = Path(__file__).parents[2] / "data" / "question_shapes.tsv"
LETTER = "Dear Sir, I am writing to you about the parcel that never came. " * 6


def labelled() -> list[tuple[QuestionShape, str]]:
    lines = QUESTIONS.read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    return [(QuestionShape(shape), question) for shape, question in rows]


def test_the_rule_agrees_with_labelled_questions():
    """On at least 120 labelled questions in four languages precision and recall are at least .95 for both shapes."""
    counts = Counter((wanted, shape_of(question).shape) for wanted, question in labelled())
    assert counts.total() >= 120
    for shape in QuestionShape:
        right = counts[shape, shape]
        assert right / sum(n for (_, told), n in counts.items() if told is shape) >= 0.95
        assert right / sum(n for (wanted, _), n in counts.items() if wanted is shape) >= 0.95


@pytest.mark.parametrize(
    ("question", "rule"),
    [
        ("Could you please write a limerick?", "starts with 'write'"),
        ("Why do cats purr?", "asks to explain: 'Why'"),
        (f"Translate this letter into French:\n{LETTER}", "gives a long text to transform"),
        ("What is it? A) one B) two", "offers choices to pick from"),
        ("Explain it. Yes or no?", "asks for 'Yes or no'"),
        ("What is the capital of Peru?", "nothing in it asks for a text"),
        ("What are the main advantages of bees?", "asks for What are the main advantages"),
        ("What should I wear?", "asks for advice: 'What should I'"),
    ],
)
def test_the_rule_is_named_as_a_person_would_say_it(question, rule):
    """The trace tells by which words a question was taken for what it is."""
    named = shape_of(question).rule
    assert named == rule or named.startswith(rule.split(" A)")[0])


def test_a_short_text_to_translate_has_one_right_answer():
    """A translation of a letter is a text; that of a word is an answer."""
    assert shape_of('Translate "dog" into French').shape is QuestionShape.CLOSED
    assert shape_of(f"Translate into French: {LETTER}").shape is QuestionShape.OPEN


def test_given_text_does_not_ask():
    """A quotation that says "explain" is what is asked about, not what is asked for."""
    given_ = 'Who said this? "Explain to me how a man may live without a friend and still be glad of heart."'
    assert shape_of(given_).shape is QuestionShape.CLOSED
    assert shape_of("What does this print?\n```\nwrite('why')\n```").shape is QuestionShape.CLOSED


def test_the_question_may_stand_at_the_end():
    """A story first and the wish last is as common as the wish alone."""
    story = "My aunt is turning seventy. She likes gardens. "
    assert shape_of(f"{story}Suggest a present.").shape is QuestionShape.OPEN
    assert shape_of(f"{story}How old was she ten years ago?").shape is QuestionShape.CLOSED


@given(st.text(max_size=300))
def test_every_text_has_a_shape_and_a_named_rule(text: str):
    """No question is too strange to be told open or closed, the same each time."""
    assert shape_of(text) == shape_of(text)
    assert shape_of(text).rule
