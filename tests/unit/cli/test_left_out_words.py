"""Words that a search leaves out: what is asked, and what is offered."""

import pytest
from tests.unit.cli.test_memory_words import NOW

from auritas.app.search import ConversationHit, Found, Near, Piece
from auritas.cli.left_out import Emptied, asks_for_something, unknown_filters, within_limits
from auritas.cli.search import FAR, near
from auritas.kernel.memory import Passage

FILTERS = ("project", "before")


@pytest.mark.parametrize(
    ("said", "asks"),
    [("kayaks -float", True), ("-", False), ("-float", False), ('-"two words"', False), ("well-known", True)],
)
def test_leaving_out_asks_for_nothing(said, asks):
    """Only what is not to be left out is looked for; a hyphen inside a word leaves nothing out."""
    assert asks_for_something(said) is asks


def test_titles_are_no_suggestion_where_words_are_left_out():
    """A similar title may hold just what was left out; what really was found stays."""
    hit = ConversationHit("c", (Piece("Kayaks that float"),), NOW, None, ())
    titles, words = Found((hit,), near=Near.TITLES), Found((hit,), near=Near.WORDS)
    assert within_limits(titles, "kayaks -float").conversations == ()
    assert within_limits(titles, "kayaks") is titles
    assert within_limits(words, "kayaks -paddle") is words


def test_one_conversation_is_left_out_alone():
    """Number and verb agree, and a count that is cut off is called so."""
    assert str(Emptied("kayaks", "-float", 1, more=False)) == "1 conversation holds kayaks, but -float leaves it out."
    assert str(Emptied("kayaks", "-float", 10, more=True)).startswith("More than 10 conversations hold")


def test_an_unknown_filter_names_the_known_ones():
    """Known filters and words without a colon bring no hint."""
    assert unknown_filters("foo:bar", FILTERS) == "foo: is no filter. There are: project:, before:"
    assert unknown_filters("project:garden at 12", FILTERS) == ""


def test_what_is_far_off_is_left_out_but_not_everything():
    """The nearest three are shown whatever their score."""
    scores = (0.6, FAR, 0.2, 0.1)
    found = [Passage(str(n), "c", "words", NOW, score) for n, score in enumerate(scores)]
    assert [each.score for each in near(found)] == [0.6, FAR, 0.2]
    assert len(near(found[2:])) == 2
