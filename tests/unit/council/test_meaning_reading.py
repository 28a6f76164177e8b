"""How an answer is read for its meaning: words, numbers, ranks, days and stems."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auritas.council.equivalence import key
from auritas.council.lexicon import lexicon
from auritas.council.reading import PHRASE, initials, read, read_key, signs_of
from auritas.council.spelling import stem


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("twenty-one days", "21 days"),
        ("three million people", "3,000,000 people"),
        ("15 April 1912", "April 15, 1912"),
        ("the 4th of July", "July 4"),
        ("the fifth century", "the 5th century"),
        ("Louis XIV", "Louis the Fourteenth"),
        ("a run of 5 km", "a run of 5000 metres"),
        ("It does not move", "It doesn't move"),
        ("cannot move", "can not move"),
        ("the king's mother", "king's mother"),
        ("about eight minutes ago", "8 minutes ago"),
        ("gold (Au)", "gold"),
        ("World Health Organization (WHO)", "World Health Organization"),
    ],
)
def test_two_spellings_of_one_thing_read_alike(first, second):
    """Numbers, days, ranks, units, negations and brackets have one form each."""
    a, b = (read_key(key(text)) for text in (first, second))
    assert a
    assert b
    assert a.signs == b.signs


@pytest.mark.parametrize(
    "text", ["x = 5", "A - B", "f(x)", "a/b", "O(n log n)", "a-b", "1:2", "iron(II) oxide", "", "?"]
)
def test_formulas_and_code_are_not_read(text):
    """Where signs carry the meaning, only the form is compared."""
    assert read(text) is None


@pytest.mark.parametrize(
    ("first", "second"),
    [("increases", "increased"), ("colours", "color"), ("organisation", "organization"), ("cities", "city")],
)
def test_inflections_and_spellings_fall_together(first, second):
    """Plural, verb endings and British spelling make no difference."""
    assert stem(first) == stem(second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("news", "new"),
        ("rate", "rat"),
        ("http", "https"),
        ("harmful", "harmless"),
        ("stable", "unstable"),
        ("planner", "plan"),
        ("human", "humane"),
    ],
)
def test_different_words_keep_different_stems(first, second):
    """An ending that changes what is said stays."""
    assert stem(first) != stem(second)


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=14))
def test_no_word_loses_itself(word):
    """A stem is never empty."""
    assert stem(word)


def test_an_article_that_is_a_letter_is_read():
    """In "from A to B" the A is a place, in "a cat" it is nothing."""
    assert signs_of("from a to b") == ("from", "a", "b")
    assert signs_of("a cat") == ("cat",)


def test_a_question_about_words_lets_no_word_stand_for_another():
    """Read literally, Au and gold differ."""
    gold, symbol = read_key(key("gold"), literal=True), read_key(key("Au"), literal=True)
    assert gold
    assert symbol
    assert gold.signs != symbol.signs


def test_initials_with_and_without_small_words():
    """An abbreviation may or may not count "of" and "and"."""
    assert initials(("federal", "bureau", "of", "investigation")) == {"fboi", "fbi"}


def test_the_lexicon_never_says_two_things_of_one_pair():
    """No two words are listed both as the same and as opposites, and no phrase belongs to two groups."""
    groups = [tuple(signs_of(phrase, literal=True) for phrase in group) for group in lexicon().groups]
    phrases = [phrase for group in lexicon().groups for phrase in group]
    assert len(phrases) == len(set(phrases))
    assert max(len(phrase) for group in groups for phrase in group) <= PHRASE
    for pair in lexicon().opposites:
        assert not any({signs_of(word, literal=True) for word in pair} <= set(group) for group in groups)
