"""What a fact has to do with a question where there are no vectors to tell."""

from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.memory.remembered import NOW, fact, rule

from auritas.kernel.memory import DecayClass
from auritas.memory.injection import inject
from auritas.memory.model import Gates, Where
from auritas.memory.shared_words import word_rows
from auritas.memory.shelf import Shelf

PAIRS = Path(__file__).parents[2] / "data" / "relevance_pairs.tsv"
GATE = Gates().relevance
FOUND_AT_LEAST = 0.45
"""Of the written pairs that have to do with each other; 19 of 39 are, of which some share no word at all."""
UNIT = np.array([[1.0, 0.0]], dtype=np.float32)


def relevance(question: str, *texts: str) -> float:
    return float(word_rows([texts]).relevance(question)[0])


@given(st.lists(st.lists(st.text(max_size=40), max_size=3), max_size=6), st.text(max_size=60))
def test_each_gets_one_number_between_none_and_all(texts, question):
    """Whatever is stored and asked, each correction has a relevance in [0, 1] (M7)."""
    found = word_rows(texts).relevance(question)
    assert found.shape == (len(texts),)
    assert ((found >= 0) & (found <= 1)).all()


def test_the_same_question_is_fully_relevant():
    """Who asks what a fact answers finds it, however it is written (M6)."""
    assert relevance("how many MEMBERS has the choir", "it is 53", "How many members has our choir?") == pytest.approx(
        1
    )


@pytest.mark.parametrize(
    ("remembered", "asked"),
    [
        ("We use Postgres 16 for the orders, not MySQL", "best pizza in Rome"),
        ("The best place to work is the library", "What is the best place to buy shoes?"),
        ("We use MariaDB in the warehouse", "Which pizza should we use for the party?"),
        ("My sister's name is Lena", "What is a good name for a black cat?"),
    ],
)
def test_a_chance_word_is_not_enough(remembered, asked):
    """A fact about something else stays out, also where an everyday word stands in both (M7)."""
    assert relevance(asked, remembered) < GATE


def test_of_the_written_pairs_none_enters_wrongly():
    """By words alone almost half of the related pairs pass the gate, and no unrelated one does (M6, M7)."""
    passed: dict[str, list[bool]] = {"0": [], "1": []}
    for line in PAIRS.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            label, remembered, asked = line.split("\t")
            passed[label].append(relevance(asked, *remembered.split("|")) >= GATE)
    assert not any(passed["0"])
    assert sum(passed["1"]) >= FOUND_AT_LEAST * len(passed["1"])


def test_without_a_vector_words_decide():
    """Without the question's vector all are found by words; with it, those that have none of their own (M6, M7)."""
    kept = [fact("a", "The port is 7443", canonical_query="Which port has the relay?"), fact("b", "Lena lives in Oslo")]
    asked = "Which port does the relay have?"
    bare = Shelf(kept)
    assert bare.relevance(None, asked)[0] >= GATE > bare.relevance(None, asked)[1]
    assert not bare.relevance(None).any()
    half = Shelf(kept, {"b": UNIT}).relevance([1.0, 0.0], asked)
    assert half[0] >= GATE
    assert half[1] == pytest.approx(1), "by its vector"
    assert Shelf(kept, {"b": UNIT}).relevance([1.0], asked)[0] >= GATE, "a vector of another embedder"


def test_a_fact_enters_by_words_and_another_does_not():
    """Without an embedder a fact enters the question that it answers, and none about something else (M6, M7)."""
    shelf = Shelf([fact("a", "Our database is Postgres"), rule("b")])
    for asked, entered in (("Which database is ours?", {"a", "b"}), ("best pizza in Rome", {"b"})):
        found = inject(shelf, shelf.relevance(None, asked), Where(), Gates(), NOW)
        assert {use.correction.id for use in found if use.injected} == entered


def test_use_renews_what_was_inferred():
    """Of class C trust counts from the last use, also on a shelf that is at hand; the old shelf stays (M1)."""
    month_ago = NOW - timedelta(days=30)
    kept = [rule("a", decay_class=DecayClass.C, created_at=month_ago), rule("b", created_at=month_ago)]
    shelf = Shelf(kept)
    renewed = shelf.renewed({"a": NOW, "b": NOW, "unknown": NOW})
    assert shelf.remaining(NOW).tolist() == pytest.approx([0.5, 1.0])
    assert renewed.remaining(NOW).tolist() == pytest.approx([1.0, 1.0])
    assert renewed.recency(NOW)[0] == pytest.approx(1.0)
    assert renewed.corrections[0].last_used_at == NOW
    assert shelf.renewed({}) is shelf
