"""Stems: the algorithm of Porter (1980), against examples of that paper."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auritas.search.recall.stemming import stem
from auritas.search.recall.terms import TERMS_AT_MOST, asked_terms, terms

_PAIRS = {
    "caresses": "caress",
    "ponies": "poni",
    "cats": "cat",
    "feed": "feed",
    "agreed": "agre",
    "plastered": "plaster",
    "bled": "bled",
    "motoring": "motor",
    "sing": "sing",
    "conflated": "conflat",
    "hopping": "hop",
    "falling": "fall",
    "filing": "file",
    "happy": "happi",
    "sky": "sky",
    "relational": "relat",
    "digitizer": "digit",
    "hopefulness": "hope",
    "electrical": "electr",
    "adjustment": "adjust",
    "adoption": "adopt",
    "rate": "rate",
    "controll": "control",
    "roll": "roll",
}


@pytest.mark.parametrize(("word", "expected"), _PAIRS.items())
def test_words_have_the_stems_of_the_published_algorithm(word: str, expected: str) -> None:
    """The examples of the paper come out as printed there (M16)."""
    assert stem(word) == expected


@given(st.text(max_size=40))
def test_any_text_has_terms_without_blanks(text: str) -> None:
    """Whatever is said becomes terms that can stand in an index, one blank between them (M16)."""
    assert all(term and " " not in term and '"' not in term for term in terms(text))


def test_a_question_is_about_its_own_words_only() -> None:
    """Words of asking and the names of those who speak are no terms; each other term comes once (M16)."""
    assert asked_terms("When did Anna's hiking boots and the boots break?", ["anna"]) == ("hike", "boot", "break")


def test_a_pasted_page_asks_for_a_few_terms() -> None:
    """However long a question is, a bounded number of terms is looked up (M16)."""
    assert len(asked_terms(" ".join(f"word{number}" for number in range(500)))) == TERMS_AT_MOST
