"""Answers to a question that offers some: by letter, by words, or by both they are one candidate."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auritas.council.candidates import candidates
from auritas.council.choosing import situation_of
from auritas.council.equivalence import key
from auritas.council.grading import GradedQuestion, Supported
from auritas.council.learned import cases_of
from auritas.council.meaning import worded
from auritas.council.options import form_of, options_of
from auritas.kernel.answers import Answer, QuestionShape, Seat

STEM = "Which planet has the most moons?"
LINES = f"{STEM}\nA) Mars\nB) Jupiter\nC) Saturn"
LISTS = [
    LINES,
    f"{STEM}\nA: Mars\nB: Jupiter\nC: Saturn",
    f"{STEM}\nA. Mars\nB. Jupiter\nC. Saturn\nAnswer with the letter.",
    f"{STEM} (A) Mars (B) Jupiter (C) Saturn",
    f"{STEM} A. Mars B. Jupiter C. Saturn",
    f"{STEM} A: Mars, B: Jupiter, C: Saturn",
    f"{STEM} || Mars | Jupiter | Saturn",
]
SAYING_B = ["B", "Jupiter", "B) Jupiter", "(b)", "Option B", "Jupiter.", "**Jupiter**", "B: Jupiter", "jupiter"]
TEXTS = [*SAYING_B, "A", "Mars", "C) Mars", "C) Saturn", "D", "Neptune", "yes", "23", "B) It is Jupiter", "B) Neptune"]


def said(*texts: str) -> list[Answer]:
    return [Answer(f"run-{number}", Seat(f"seat-{number:02d}", "m"), text) for number, text in enumerate(texts)]


def grouped(question: str, *texts: str) -> list[set[str]]:
    groups = candidates(said(*texts), worded(said(*texts), question))
    return [{texts[int(seat[-2:])] for seat in group.supporters} for group in groups]


@pytest.mark.parametrize("question", LISTS)
def test_a_letter_and_the_words_behind_it_are_one_candidate(question):
    """Whichever way the question lists its answers, and whoever adds the letter."""
    assert grouped(question, *SAYING_B) == [set(SAYING_B)]
    assert sorted(map(sorted, grouped(question, "B", "Saturn", "Mars", "C", "Neptune"))) == [
        ["B"],
        ["C", "Saturn"],
        ["Mars"],
        ["Neptune"],
    ]


def test_a_letter_stands_by_the_first_option_in_the_words_behind_it():
    """What is said beside the option changes nothing; another option there does, and so does none."""
    assert grouped(LINES, "B", "B) Jupiter, not Mars", "B) because Jupiter has 95") == [
        {"B", "B) Jupiter, not Mars", "B) because Jupiter has 95"}
    ]
    for other in ("B) Mars", "B) Neptune", "B) Mars, not Jupiter", "D", "D) Jupiter"):
        assert len(grouped(LINES, "B", other)) == 2
        assert len(grouped(LINES, "Jupiter", "Mars", other)) == 3


def test_numbers_are_told_apart_as_amounts():
    """The words of an option are compared as answers are; what two options could mean picks neither."""
    question = "How far? (A) 3.138 (B) 3.142 (C) 9 km"
    assert grouped(question, "C", "9000 m") == [{"C", "9000 m"}]
    assert len(grouped(question, "A", "3.14", "B")) == 3
    assert len(grouped(question, "C", "C) 9 m")) == 2


@pytest.mark.parametrize(
    "question",
    [STEM, "Which language is it?\nA) C\nB) D\nC) Java", "Is it?\nA) yes\nB) no\nC) yes"],
    ids=["no list", "letters", "twice"],
)
def test_where_a_letter_could_mean_two_things_words_stay_words(question):
    """Without a list, with options that are letters, and with the same words twice nothing is joined."""
    assert len(grouped(question, "A", "yes")) == 2
    assert len(grouped(question, "Java", "A")) == 2
    assert form_of("yes", options_of(question)) == "yes"


@pytest.mark.parametrize("question", LISTS)
@pytest.mark.parametrize("text", ["B", "Jupiter", "B) Jupiter"])
def test_the_form_of_a_candidate_is_its_letter(question, text):
    """Who leans towards a letter leans towards its words."""
    answers = said(text, text)
    groups = candidates(answers, worded(answers, question))
    (option,) = situation_of(question, groups, answers, {}).options
    assert option.form == "B"


def test_the_number_that_stands_out_does_so_by_its_words():
    """An option said in words is as odd as by its letter."""
    question = "How far? (A) 10 m (B) 11 m (C) 9000 m"
    odd = []
    for text in ("C", "9 km", "C) 9000 m"):
        groups = candidates(said(text), worded(said(text), question))
        odd.append(situation_of(question, groups, said(text), {}).options[0].oddness)
    assert odd[0] > 0
    assert odd == [odd[0]] * 3


@pytest.mark.parametrize(("form", "expected"), [("B", "B"), ("", ""), (None, "yes")])
def test_learning_sees_the_form_that_was_decided_by(form, expected):
    """It is kept with the decision; of one from before it was kept the words tell."""
    candidate = Supported("c", "yes", ("ada",), 0.0, form)
    domains = {"general": 1.0}
    question = GradedQuestion("q", "2026-01-01", QuestionShape.CLOSED, domains, (candidate,), (), (), None, ())
    (case,) = cases_of([question], lambda shares: shares)
    assert case.situation.options[0].form == expected


@given(st.sampled_from(TEXTS), st.sampled_from(TEXTS), st.sampled_from(LISTS))
def test_sameness_with_options_is_symmetric(first, second, question):
    """It does not matter which answer is compared with which."""
    same = worded(said(first, second), question)
    assert same(key(first), key(second)) == same(key(second), key(first))


@given(st.lists(st.sampled_from(TEXTS), max_size=10), st.sampled_from(LISTS), st.randoms(use_true_random=False))
def test_no_candidate_holds_two_options(texts, question, shuffle):
    """Whatever is said, in whatever order, nobody who picks one option supports another (C6)."""
    options = options_of(question)
    groups = grouped(question, *texts)
    for group in groups:
        assert len({options.letter(key(text)) for text in group} - {""}) <= 1
    shuffle.shuffle(texts)
    assert sorted(map(sorted, grouped(question, *texts))) == sorted(map(sorted, groups))


@given(st.text(max_size=80), st.text(max_size=40))
def test_no_text_breaks_reading_options(question, text):
    """Any question and any answer can be read."""
    assert form_of(text, options_of(question)) == form_of(text, options_of(question))
