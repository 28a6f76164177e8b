"""Ordering open-ended answers by pairs."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from auritas.council.model import Member
from auritas.council.review.model import Comparison, Preference
from auritas.council.review.pairwise import copeland, matches, rank_open
from auritas.kernel.answers import Answer, Failure, Seat
from auritas.kernel.model import ModelCard

FIRST, SECOND, NEITHER = Preference.FIRST, Preference.SECOND, Preference.NEITHER
NAMES = ("ada", "bob", "eve", "joe")


def member(name: str) -> Member:
    return Member(Seat(name, name), ModelCard(name, "any", local=True))


def answer(name: str) -> Answer:
    return Answer(f"run-{name}", Seat(name, name), text=f"{name} says so")


ANSWERS = tuple(answer(name) for name in NAMES)
OUTCOMES = st.lists(
    st.builds(
        Comparison,
        st.just("judge"),
        st.sampled_from(["run-ada", "run-bob"]),
        st.sampled_from(["run-eve", "run-joe"]),
        st.sampled_from(Preference),
        st.sampled_from(Preference),
    ),
    max_size=12,
)


def won(better: str, worse: str) -> Comparison:
    return Comparison("judge", f"run-{better}", f"run-{worse}", FIRST, FIRST)


def test_every_pair_is_judged_by_somebody_who_wrote_neither():
    """Each pair of answers is compared once, never by one of its authors."""
    found = matches(ANSWERS, [member(name) for name in NAMES], {}, key="q")
    pairs = {frozenset((m.first.seat.name, m.second.seat.name)) for m in found}
    assert pairs == {frozenset(pair) for pair in combinations(NAMES, 2)}
    assert len(found) == len(pairs)
    assert all(m.judge.seat.name not in {m.first.seat.name, m.second.seat.name} for m in found)


def test_two_members_alone_compare_nothing():
    """Nobody judges an answer of its own; failures and abstentions are not compared."""
    two = [member("ada"), member("bob")]
    assert matches(ANSWERS[:2], two, {}, key="q") == ()
    broken = Answer("run-x", Seat("x", "x"), failure=Failure("silent", "x"))
    assert matches((ANSWERS[0], broken), [*two, member("eve")], {}, key="q") == ()


def test_the_answer_that_beats_all_others_comes_first():
    """A Condorcet winner leads, whatever the track records say."""
    comparisons = [won("joe", name) for name in ("ada", "bob", "eve")] + [won("ada", "bob")]
    ranked = rank_open(ANSWERS, comparisons, {"bob": 1.0}, key="q")
    assert [a.seat.name for a in ranked][:2] == ["joe", "ada"]


def test_draws_are_settled_by_the_track_record():
    """Without a consistent preference the better record comes first."""
    undecided = [Comparison("judge", "run-ada", "run-bob", FIRST, SECOND)]
    assert rank_open(ANSWERS[:2], undecided, {"bob": 0.9}, key="q")[0].seat.name == "bob"


@given(OUTCOMES, st.permutations(ANSWERS), st.randoms())
def test_no_order_of_answers_or_comparisons_matters(comparisons, answers, shuffle):
    """Whoever is listed first, or compared first, has no advantage (C6)."""
    other = list(comparisons)
    shuffle.shuffle(other)
    assert rank_open(answers, other, {}, key="q") == rank_open(ANSWERS, comparisons, {}, key="q")


@given(OUTCOMES)
def test_what_is_shown_first_makes_no_difference(comparisons):
    """Naming the two answers of a comparison the other way round changes no score."""
    turn = {FIRST: SECOND, SECOND: FIRST, NEITHER: NEITHER}
    turned = [Comparison(c.judge, c.second, c.first, turn[c.forward], turn[c.backward]) for c in comparisons]
    names = [a.run_id for a in ANSWERS]
    assert copeland(names, comparisons) == copeland(names, turned)
    assert sum(copeland(names, comparisons).values()) == 0
