"""The questions for evaluating real models."""

from collections import Counter

import pytest

from auritas.council.evaluation.live_questions import LiveKind, LiveQuestion, built_in_live_exam, parse_live_exam
from auritas.gateway.selftest import built_in_exams
from auritas.kernel.errors import InvalidError

ONE = """
version = 1
[[question]]
domain = "mathematics"
kind = "arithmetic"
ask = "What is 2 + 2?"
accept = ["4", "four"]
"""


def test_there_are_ten_of_each_kind():
    """Forty questions: arithmetic, capitals, units and facts in equal parts."""
    kinds = Counter(question.kind for question in built_in_live_exam().questions)
    assert kinds == dict.fromkeys(LiveKind, 10)


def test_none_of_them_decides_what_a_model_may_do():
    """No question stands in the self-test, in any of its forms, nor with the same key about the same thing."""
    tested = {question.ask.casefold() for exam in built_in_exams() for question in exam.questions}
    asked = {question.ask.casefold() for question in built_in_live_exam().questions}
    assert not tested & asked


@pytest.mark.parametrize("question", built_in_live_exam().questions, ids=lambda question: question.key)
def test_each_accepted_answer_is_right_alone_and_in_a_sentence(question):
    """What the key lists is accepted, and an answer without it is not."""
    for words in question.accept:
        assert question.right(words)
        assert question.right(f"{words.capitalize()}.")
    assert not question.right("I do not know")


def test_a_question_is_read_with_its_key():
    """The format: domain, kind, the words to ask, and what is right."""
    assert parse_live_exam(ONE).questions == (
        LiveQuestion("live-01", LiveKind.ARITHMETIC, "mathematics", "What is 2 + 2?", ("4", "four")),
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"arithmetic"', '"riddle"'),
        ('accept = ["4", "four"]', 'accept = "4"'),
        ('accept = ["4", "four"]', "accept = []"),
        ('accept = ["4", "four"]', "accept = [4]"),
        ('ask = "What is 2 + 2?"', 'ask = " "'),
        ("domain =", "field ="),
        ("version = 1", ""),
        ("[[question]]", "[[question"),
        ("[[question]]", "[question]"),
    ],
)
def test_a_broken_question_is_refused(old, new):
    """Data that cannot be a question is refused with a sentence."""
    with pytest.raises(InvalidError):
        parse_live_exam(ONE.replace(old, new))


def test_nothing_is_asked_twice():
    """A question that stands twice would count twice, so it is refused."""
    with pytest.raises(InvalidError, match="twice"):
        parse_live_exam(ONE + ONE.partition("version = 1")[2])
