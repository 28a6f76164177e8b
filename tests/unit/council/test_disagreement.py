"""Where members disagree: candidates side by side and the words in which they differ."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from auritas.council.disagreement import Span, SpanKind, comparison, spans_of
from auritas.kernel.answers import (
    Answer,
    Candidate,
    Confidence,
    ConfidenceLabel,
    Decision,
    Failure,
    Seat,
)

SAME, DIFFERS = SpanKind.SAME, SpanKind.DIFFERS
WORDS = st.lists(st.sampled_from(["the", "capital", "is", "Canberra", "Sydney.", "not", "\n"]), max_size=8)
TEXTS = st.one_of(WORDS.map(" ".join), st.text(max_size=30))


def test_the_words_that_differ_are_marked_in_both():
    """What both say is the same, the claim is each one's own."""
    first, second = spans_of(["The capital is Canberra today", "the capital is Sydney today."])
    assert first == (Span(SAME, "The capital is "), Span(DIFFERS, "Canberra "), Span(SAME, "today"))
    assert second == (Span(SAME, "the capital is "), Span(DIFFERS, "Sydney "), Span(SAME, "today."))


def test_among_three_the_first_is_marked_where_any_other_differs():
    """The chosen one shares only what all others say, too."""
    first, second, third = spans_of(["in May 1969", "in May 1970", "in June 1969"])
    assert first == (Span(SAME, "in "), Span(DIFFERS, "May 1969"))
    assert second == (Span(SAME, "in May "), Span(DIFFERS, "1970"))
    assert third == (Span(SAME, "in "), Span(DIFFERS, "June "), Span(SAME, "1969"))


@given(st.lists(TEXTS, max_size=4))
def test_the_spans_of_a_text_are_the_text(texts):
    """No character is lost or added by marking, and neighbours are of different kinds."""
    marked = spans_of(texts)
    assert ["".join(span.text for span in spans) for spans in marked] == texts
    for spans in marked:
        assert all(a.kind is not b.kind for a, b in pairwise(spans))


@given(TEXTS)
def test_a_text_never_differs_from_itself(text):
    """Two equal texts, and one alone, have nothing marked."""
    for spans in (*spans_of([text, text]), *spans_of([text])):
        assert all(span.kind is SAME for span in spans)


def test_a_comparison_says_who_said_what_and_who_was_not_heard():
    """The chosen candidate comes first with its number and chance; silent members are named with the reason."""
    answers = [
        Answer("r1", Seat("ada", "m"), "Sydney", "It is large.", 0.9),
        Answer("r2", Seat("bob", "m"), "Canberra"),
        Answer("r3", Seat("eve", "m"), "canberra."),
        Answer("r4", Seat("calculator", "m"), abstained=True),
        Answer("r5", Seat("dan", "m"), failure=Failure("late", "Too late.")),
    ]
    candidates = (
        Candidate("a", "Sydney", ("ada",), 0.5, 0.3),
        Candidate("b", "Canberra", ("bob", "eve"), 1.0, 0.6),
    )
    confidence = Confidence(ConfidenceLabel.MEDIUM, "", 0.6)
    view = comparison(Decision(candidates, "b", "eve", confidence, "", "", effective_votes=1.8), answers)
    assert [(c.number, c.text, c.chosen, c.p) for c in view.candidates] == [
        (1, "Canberra", True, 0.6),
        (2, "Sydney", False, 0.3),
    ]
    assert [(v.seat, v.shown) for v in view.candidates[0].voices] == [("eve", True), ("bob", False)]
    assert view.candidates[1].voices[0].explanation == "It is large."
    assert [(u.seat, u.why) for u in view.unheard] == [("calculator", "abstained"), ("dan", "late")]
    assert (view.effective_votes, view.calibrated, view.disagrees) == (1.8, True, True)


def test_nobody_answering_compares_nothing():
    """Without candidates there is nothing side by side."""
    view = comparison(Decision((), None, None, Confidence(ConfidenceLabel.UNCERTAIN, ""), "", ""), [])
    assert (view.candidates, view.disagrees) == ((), False)
