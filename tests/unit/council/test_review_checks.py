"""Measuring reviewers with answers whose truth is known."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auritas.council.model import GradeSource
from auritas.council.review.checks import (
    BIAS_COUNT,
    MEASURED,
    REVIEWS_PER_CHECK,
    built_in_answers,
    due_check,
    grade_of,
    length_bias,
    next_check,
    position_bias,
    reliability,
)
from auritas.council.review.model import Bias, CheckResult, Comparison, Preference, Reliability
from auritas.kernel.answers import Review, ReviewVerdict
from auritas.kernel.errors import InvalidError

CORRECT, INCORRECT = ReviewVerdict.CORRECT, ReviewVerdict.INCORRECT
PARTIAL, UNREVIEWED = ReviewVerdict.PARTIALLY_CORRECT, ReviewVerdict.UNREVIEWED
FIRST, SECOND, NEITHER = Preference.FIRST, Preference.SECOND, Preference.NEITHER
CHECKS = st.builds(CheckResult, st.just("x.right"), st.booleans(), st.sampled_from(ReviewVerdict))


def checks(right_said: list[ReviewVerdict], wrong_said: list[ReviewVerdict]) -> list[CheckResult]:
    return [CheckResult("a.right", True, v) for v in right_said] + [
        CheckResult("a.wrong", False, v) for v in wrong_said
    ]


def test_our_own_known_answers_are_many_and_even():
    """At least sixty items, as many right as wrong, no name twice, and for each long form a short one."""
    items = built_in_answers()
    assert len(items) >= 60
    assert len({item.id for item in items}) == len(items)
    assert len({(item.question, item.answer) for item in items}) == len(items)
    assert sum(item.is_right for item in items) * 2 == len(items)
    lengths = {item.id: len(item.answer) for item in items}
    assert all(lengths[name] > 4 * lengths[name.replace(".long_", ".")] for name in lengths if ".long_" in name)


def test_an_unmeasured_reviewer_has_the_prior():
    """Sensitivity and specificity start at .8, and ten verdicts weigh as much as that belief."""
    assert reliability([]) == Reliability(0.8, 0.8)
    measured = reliability(checks([CORRECT] * 10, [CORRECT] * 10))
    assert [measured.sensitivity, measured.specificity, measured.checks] == pytest.approx([0.9, 0.4, 20])


def test_only_plain_verdicts_count():
    """A verdict that gives no grade says nothing about the grades of its reviewer; how many there were is kept."""
    measured = reliability(checks([CORRECT, PARTIAL, UNREVIEWED], [PARTIAL]))
    assert (measured.checks, measured.plain) == (1, 0.25)
    assert measured.specificity == 0.8


@given(st.lists(CHECKS, max_size=60))
def test_reliability_is_always_inside_its_bounds(results):
    """No history of checks gives certainty, a grade worse than a coin, or one better than the mean of both rates."""
    measured = reliability(results)
    assert 0 < measured.sensitivity < 1
    assert 0 < measured.specificity < 1
    assert 0.5 <= measured.of_a_grade <= 1
    assert 0 <= measured.informedness < 1


@pytest.mark.parametrize("verdict", [CORRECT, INCORRECT])
def test_one_who_always_says_the_same_weighs_nothing(verdict):
    """A reviewer that calls everything correct (or incorrect) is told apart after thirty pairs and grades nothing."""
    measured = reliability(checks([verdict] * 30, [verdict] * 30))
    assert measured.informedness < 0.2
    assert measured.of_a_grade < 0.6
    assert grade_of(Review("eve", "run", CORRECT), measured) is None


def test_one_who_is_mostly_wrong_is_not_believed_in_reverse():
    """Verdicts that are wrong more often than right are worth a coin, not their opposite."""
    measured = reliability(checks([INCORRECT] * 40, [CORRECT] * 40))
    assert (measured.informedness, measured.of_a_grade) == (0.0, 0.5)


@pytest.mark.parametrize(
    ("verdict", "correct"), [(CORRECT, True), (INCORRECT, False), (PARTIAL, None), (UNREVIEWED, "no grade")]
)
def test_a_verdict_becomes_a_grade(verdict, correct):
    """Correct and incorrect grade the author's answer, partially correct cannot tell, unreviewed gives nothing (C9)."""
    grade = grade_of(Review("ada", "run-1", verdict), Reliability(0.9, 0.7, checks=50))
    if correct == "no grade":
        assert grade is None
        return
    assert grade is not None
    assert (grade.run_id, grade.correct, grade.source, grade.given_by) == (
        "run-1",
        correct,
        GradeSource.REVIEWER,
        "ada",
    )
    assert grade.reliability == pytest.approx(0.8)


def test_one_review_grades_all_who_said_the_same():
    """Where all agreed, the same verdict grades each of their runs."""
    review = Review("ada", "run-1", CORRECT)
    assert [grade_of(review, Reliability(0.8, 0.8), run).run_id for run in ("run-1", "run-2")] == ["run-1", "run-2"]  # type: ignore[union-attr]


def test_one_review_in_ten_is_a_check():
    """After nine real reviews the next item is a known answer."""
    assert [n for n in range(12) if due_check(n)] == [REVIEWS_PER_CHECK - 1, 10, 11]


def test_checks_go_round_all_items_before_any_comes_again():
    """The item seen least often comes next, so no reviewer is measured on a few favourites."""
    items, seen = built_in_answers(), Counter[str]()
    for _ in range(2 * len(items)):
        item = next_check("ada", items, seen)
        assert item is not None
        seen[item.id] += 1
    assert set(seen.values()) == {2}
    assert next_check("ada", (), seen) is None
    assert next_check("ada", tuple(reversed(items)), {}) == next_check("ada", items, {})


def test_a_liking_for_length_shows():
    """One that calls long answers correct and short ones incorrect has a length bias of one; a fair one has none."""
    items = [item for item in built_in_answers() if item.id.partition(".")[0] in {"planet-hottest", "light-year"}] * 5
    lover = [CheckResult(i.id, i.is_right, CORRECT if ".long_" in i.id else INCORRECT) for i in items]
    fair = [CheckResult(i.id, i.is_right, CORRECT if i.is_right else INCORRECT) for i in items]
    assert length_bias(lover) == Bias(1.0, 20)
    assert length_bias(fair) == Bias(0.0, 20)
    assert length_bias(lover[:8]) is None


@pytest.mark.parametrize(
    ("forward", "backward", "expected"),
    [(FIRST, SECOND, 1.0), (SECOND, FIRST, -1.0), (FIRST, FIRST, 0.0), (NEITHER, FIRST, 0.0)],
)
def test_a_liking_for_a_place_shows(forward, backward, expected):
    """One that names whatever stands first, in both orders, has a position bias of one; a consistent one has none."""
    same = [Comparison("ada", "a", "b", forward, backward)] * BIAS_COUNT
    assert position_bias(same) == Bias(expected, BIAS_COUNT)
    assert position_bias(same[1:]) is None


def test_a_reliability_outside_its_range_cannot_be_built():
    """Rates are shares."""
    with pytest.raises(InvalidError):
        Reliability(1.2, 0.5)
    assert MEASURED <= 2 * REVIEWS_PER_CHECK
