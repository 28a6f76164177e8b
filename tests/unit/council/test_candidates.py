"""Candidates: groups of answers that say the same."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auritas.council.candidates import candidates, clustered
from auritas.council.equivalence import equal_key, key, same_key
from auritas.kernel.answers import Answer, Failure, Seat

PAIRS = Path(__file__).parents[2] / "data" / "equivalence_pairs.tsv"
ROWS = [line.split("\t") for line in PAIRS.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
TEXTS = sorted({text for row in ROWS for text in row[1:]})


def answers(*texts: str) -> list[Answer]:
    return [Answer(f"run-{number}", Seat(f"seat-{number:02d}", "m"), text) for number, text in enumerate(texts)]


def grouped(*texts: str) -> set[frozenset[str]]:
    given_answers = answers(*texts)
    said = {answer.seat.name: answer.text for answer in given_answers}
    return {frozenset(said[seat] for seat in group.supporters) for group in candidates(given_answers)}


def test_answers_that_say_the_same_support_one_candidate():
    """391 in four dresses is one candidate with four supporters; 401 is another."""
    groups = candidates(answers("391", "The answer is 391.", "401", "17*23 = 391", "three hundred ninety-one"))
    assert sorted(group.supporters for group in groups) == [
        ("seat-00", "seat-01", "seat-03", "seat-04"),
        ("seat-02",),
    ]


def test_only_votes_count():
    """An abstention, a failure and silence form no candidate."""
    seat = Seat("calculator", "calculator")
    assert not candidates(
        [
            Answer("1", seat, abstained=True),
            Answer("2", seat, "391", failure=Failure("late", "Too late.")),
            Answer("3", seat, ""),
        ],
    )


def test_a_vague_answer_never_joins_two_that_differ():
    """3.14 agrees with 3.142 and with 3.138, which differ: it stands alone, whoever came first."""
    assert grouped("3.14", "3.142", "3.138") == {frozenset({each}) for each in ("3.14", "3.142", "3.138")}
    assert grouped("3.14", "3.142", "3.1416") == {frozenset({"3.14", "3.142", "3.1416"})}
    assert grouped("5", "5 km", "5 miles") == {frozenset({"5"}), frozenset({"5 km"}), frozenset({"5 miles"})}
    assert grouped("5", "5 km", "5000 m") == {frozenset({"5", "5 km", "5000 m"})}


def test_the_finest_answer_speaks_for_the_group():
    """The words shown are those that say most."""
    (group,) = candidates(answers("B", "B) Paris", "Paris"))
    assert group.text == "B) Paris"
    assert group.supporters == ("seat-00", "seat-01", "seat-02")


def test_one_seat_supports_a_candidate_once():
    """A seat that answers twice is one supporter."""
    seat = Seat("a", "m")
    (group,) = candidates([Answer("1", seat, "Canberra"), Answer("2", seat, "canberra.")])
    assert group.supporters == ("a",)


def test_meaning_can_join_where_form_could_not():
    """A later stage passes its own sameness and merges what only meaning can."""
    pair = answers("Canberra", "Canberra, Australia")
    assert len(candidates(pair)) == 2

    def by_meaning(a, b):
        return same_key(a, b) or {a.text, b.text} == {"canberra", "canberra australia"}

    assert len(candidates(pair, by_meaning)) == 1


@given(st.lists(st.sampled_from(TEXTS), max_size=12), st.randoms(use_true_random=False))
def test_the_order_of_answers_never_matters(texts, shuffle):
    """Groups, their ids and their words are the same for every order of the answers (C6)."""
    given_answers = answers(*texts)
    shuffled = list(given_answers)
    shuffle.shuffle(shuffled)
    assert candidates(given_answers) == candidates(shuffled)


@given(st.lists(st.sampled_from(TEXTS) | st.text(min_size=1, max_size=20), max_size=12))
def test_every_vote_supports_exactly_one_candidate(texts):
    """Groups partition the votes, and no two have the same id."""
    given_answers = answers(*texts)
    groups = candidates(given_answers)
    seats = [seat for group in groups for seat in group.supporters]
    assert sorted(seats) == [answer.seat.name for answer in given_answers if answer.votes]
    assert len({group.id for group in groups}) == len(groups)


@given(st.lists(st.sampled_from(TEXTS), max_size=10))
def test_no_group_holds_two_answers_that_its_finest_contradicts(texts):
    """Everyone in a group says the same as the finest answer in it, or as one exactly equal to that."""
    for cluster in clustered(key(text) for text in texts):
        heads = [head for head in cluster if head is cluster[0] or equal_key(cluster[0], head)]
        assert all(any(same_key(head, each) for head in heads) for each in cluster)


@pytest.mark.parametrize("other", ["canberra", "**Canberra**", "It is Canberra."])
def test_the_id_follows_from_what_is_said(other):
    """Seats and dress do not change a candidate's id, so that a replay finds it again."""
    (first,) = candidates(answers("Canberra"))
    (second,) = candidates([Answer("9", Seat("z", "other"), other)])
    assert first.id == second.id
