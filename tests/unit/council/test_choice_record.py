"""Track records: the source's rule, the posterior, and how domains share a question."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auritas.council.choice.model import EVERYTHING, Case, Option, Situation, known
from auritas.council.choice.record import (
    Count,
    TrackRecord,
    cliff,
    counted,
    leaves,
    posterior_mean,
    utility,
    welfare,
)

PATH = {"c": "b", "b": "a", "a": "top"}
"""Parents: the leaf c is at depth 3."""
FULL = {"top": 1.0, "a": 1.0, "b": 1.0, "c": 1.0}


@pytest.mark.parametrize(
    ("right", "graded", "expected"),
    [
        (0, 0, 0.5),
        (1, 1, 0.525),
        (0, 1, 0.475),
        (7, 10, 0.600),
        (5, 5, 0.625),
        (19, 19, 0.975),
        (14, 20, 0.70),
        (20, 20, 1.0),
        (10, 40, 0.25),
    ],
)
def test_the_win_rate_is_shrunk_to_one_half_until_twenty_grades(right, graded, expected):
    """U = a · win rate + (1 - a) / 2 with a = min(1, n / 20) (C1)."""
    assert utility(Count(right, graded)) == pytest.approx(expected)


@pytest.mark.parametrize(("right", "graded", "expected"), [(14, 20, 0.60), (20, 20, 0.75), (7, 10, 0.5667)])
def test_the_posterior_starts_from_ten_and_ten(right, graded, expected):
    """The mean of Beta(10 + right, 10 + wrong) (C2)."""
    assert posterior_mean(Count(right, graded), 0.5) == pytest.approx(expected, abs=5e-5)


@given(st.floats(0, 1e6), st.floats(0, 1), st.floats(0.001, 0.999))
def test_the_posterior_never_reaches_certainty(graded, share, prior):
    """However many grades there are, the posterior mean is inside (0, 1) (C2)."""
    assert 0 < posterior_mean(Count(share * graded, graded), prior) < 1


@given(st.integers(0, 100), st.integers(1, 100), st.floats(0.01, 0.99))
def test_one_more_right_answer_never_lowers_a_record(right, wrong, prior):
    """The posterior rises with a right answer and falls with a wrong one."""
    before = posterior_mean(Count(right, right + wrong), prior)
    assert posterior_mean(Count(right + 1, right + wrong + 1), prior) > before
    assert posterior_mean(Count(right, right + wrong + 1), prior) < before


def test_welfare_weighs_each_domain_by_its_share():
    """P = {code .7, mathematics .3} gives A .68 and B .69, so B leads (C3)."""
    domains = {"code": 0.7, "mathematics": 0.3}
    a = welfare({"code": 0.8, "mathematics": 0.4}, domains)
    b = welfare({"code": 0.6, "mathematics": 0.9}, domains)
    assert [a, b] == pytest.approx([0.68, 0.69])


def test_a_share_below_a_twentieth_is_noise():
    """P = {code .97, legal .03} counts as code alone (C4)."""
    assert welfare({"code": 0.8, "legal": 0.1}, {"code": 0.97, "legal": 0.03}) == pytest.approx(0.8)


def test_a_node_without_enough_grades_leaves_it_to_its_parent():
    """A leaf with 3 grades under a parent with 25 uses the parent's rate; with 8, its own (C5)."""
    parents = {"leaf": "c3", "c3": "c2", "c2": "c1"}
    few = TrackRecord({"A": {"leaf": Count(0, 3), "c3": Count(20, 25)}}, parents)
    enough = TrackRecord({"A": {"leaf": Count(0, 8), "c3": Count(20, 25)}}, parents)
    assert cliff(3) == 8
    assert few.utility("A", "leaf") == pytest.approx(utility(Count(20, 25)))
    assert enough.utility("A", "leaf") == pytest.approx(utility(Count(0, 8)))


def test_the_deeper_a_node_the_fewer_grades_it_needs():
    """20, 15, 10, 8, 5, and 5 from there on."""
    assert [cliff(depth) for depth in range(7)] == [20, 15, 10, 8, 5, 5, 5]


def test_a_member_without_grades_is_worth_one_half_anywhere():
    """Nothing known is neither good nor bad."""
    assert TrackRecord(parents=PATH).utility("A", "c") == 0.5


def test_a_node_starts_from_what_its_parent_has_learned():
    """Without grades of its own a node has the rate of the node above it, up to the belief before any grade."""
    record = TrackRecord({"A": {"top": Count(40, 40)}}, PATH, {"A": 0.3})
    assert record.rate("A") == 0.3
    assert record.rate("A", "top") == pytest.approx((40 + 20 * 0.3) / 60)
    assert record.rate("A", "c") == record.rate("A", "top")


def test_what_a_member_is_expected_to_do_is_read_from_the_most_specific_nodes():
    """Half of the question is in the leaf and half in its parent; what fits nowhere counts by the overall rate."""
    record = TrackRecord({"A": {"top": Count(60, 60), "a": Count(0, 60)}}, PATH, {"A": 0.5})
    shares = {"top": 0.8, "a": 0.4}
    expected = 0.4 * record.rate("A", "top") + 0.4 * record.rate("A", "a") + 0.2 * record.rate("A")
    assert record.expected("A", shares) == pytest.approx(expected)


def test_each_node_keeps_what_no_child_takes():
    """Shares on a path are shares of one question."""
    assert leaves(FULL, PATH) == {"c": 1.0}
    assert leaves({"top": 1.0, "a": 0.25}, PATH) == pytest.approx({"top": 0.75, "a": 0.25})


def case(right: int | None) -> Case:
    options = (Option("x", ("A", "B")), Option("y", ("C",)))
    return known(Situation(options, ("A", "B", "C", "silent"), {"law": 0.5}), right)


def test_silence_counts_as_wrong_and_abstention_not_at_all():
    """Whoever was asked and said nothing was not right; whoever abstained is not among the asked."""
    counts = counted([case(0), case(1), case(None)])
    assert counts["A"][EVERYTHING] == counts["B"][EVERYTHING] == Count(1, 3)
    assert counts["C"] == {"law": Count(0.5, 1.5), EVERYTHING: Count(1, 3)}
    assert counts["silent"][EVERYTHING] == Count(0, 3)
    assert "abstained" not in counts


def test_a_grade_counts_for_a_seat_as_far_as_it_tells_something_about_it():
    """A verdict of wrong is a whole count for who said it and little for the others; no grade is none at all."""
    situation = case(0).situation
    assert counted([Case(situation)]) == {}
    counts = counted([Case(situation, (0.0, *[1.0] * len(situation.options)))])
    wrong, other = situation.options[0].supporters[0], situation.options[1].supporters[0]
    assert counts[wrong][EVERYTHING] == Count(0, 1)
    assert 0 < counts[other][EVERYTHING].graded < 0.3
    assert counts["silent"][EVERYTHING] == Count(0, 1)


def test_whoever_is_shown_is_counted_when_it_is_wrong_too():
    """Verdicts on the shown answer alone bring a member that is right in 30 % to a rate of about .3, not of .9."""
    options = (Option("x", ("A",)), Option("y", ("B",)))
    situation = Situation(options, ("A", "B"))
    right, wrong = known(situation, 0), Case(situation, (0.0, 1.0, 1.0))
    counts = counted([*[right] * 30, *[wrong] * 70])
    assert counts["A"][EVERYTHING] == Count(30, 100)
    assert counts["B"][EVERYTHING].right / counts["B"][EVERYTHING].graded > 0.15
