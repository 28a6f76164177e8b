"""What a report earns, and what stands in for a grade that can be wrong."""

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from auritas.council.ledger.scores import (
    LEAST_EDGE,
    Confusion,
    UninformativeGraderError,
    credit,
    settled,
    surrogate,
)
from auritas.council.model import Grade, GradeSource
from auritas.kernel.errors import InvalidError

probabilities = st.floats(0, 1)
DEVIATIONS = [step / 1000 for step in range(1001)]


def expected_credit(report: float, belief: float) -> float:
    return belief * credit(report, 1) + (1 - belief) * credit(report, 0)


@given(probabilities)
def test_credit_is_strictly_proper(belief):
    """A belief b earns b² - (p - b)² in expectation: most at p = b, never negative there, less elsewhere."""
    honest = expected_credit(belief, belief)
    assert honest >= 0
    for lie in DEVIATIONS:
        lost = honest - expected_credit(lie, belief)
        assert math.isclose(lost, (lie - belief) ** 2, abs_tol=1e-12)


@given(probabilities, st.sampled_from([0, 1]))
def test_credit_is_the_shifted_brier_score(report, outcome):
    """The linear form is y - (p - y)² for every outcome that is certain."""
    assert math.isclose(credit(report, outcome), outcome - (report - outcome) ** 2, abs_tol=1e-12)


def test_credit_at_the_ends():
    """Certainly wrong earns 0, certainly right 1, a wrong certainty -1, and a right answer disowned 0."""
    assert [credit(0, 0), credit(1, 1), credit(1, 0), credit(0, 1)] == [0, 1, -1, 0]


@pytest.mark.parametrize("report", [-0.01, 1.01, math.nan])
def test_a_report_is_a_probability(report):
    """A confidence outside [0, 1] is refused."""
    with pytest.raises(InvalidError):
        credit(report, 1)


@given(probabilities, probabilities, probabilities)
def test_a_stand_in_is_unbiased(sensitivity, specificity, report):
    """Given the truth, what stands in for a noisy grade averages to the truth, and the credit to the true credit."""
    assume(sensitivity + specificity - 1 > 0.01)
    confusion = Confusion(sensitivity, specificity)
    right, wrong = surrogate(confusion, said_right=True), surrogate(confusion, said_right=False)
    for truth, says_right in ((1, sensitivity), (0, 1 - specificity)):
        assert math.isclose(says_right * right + (1 - says_right) * wrong, truth, abs_tol=1e-9)
        mean = says_right * credit(report, right) + (1 - says_right) * credit(report, wrong)
        assert math.isclose(mean, credit(report, truth), abs_tol=1e-9)


@given(probabilities, probabilities)
def test_a_grader_that_says_nothing_is_refused(sensitivity, specificity):
    """With sensitivity + specificity of at most 1 there is no stand-in, and the error says what to do."""
    confusion = Confusion(sensitivity, specificity)
    assume(confusion.edge <= 0)
    with pytest.raises(UninformativeGraderError) as refused:
        surrogate(confusion, said_right=True)
    assert refused.value.remedy


def test_a_confusion_is_made_of_probabilities():
    """Rates outside [0, 1] are refused."""
    with pytest.raises(InvalidError):
        Confusion(1.2, 0.5)


def grade(source: GradeSource, *, correct: bool | None, reliability: float = 1.0, by: str = "") -> Grade:
    return Grade("run", correct, source, reliability, by)


def test_the_most_telling_grade_counts_and_the_newest_of_equals():
    """A person's word goes before a reviewer's, whatever both say, and a later word before an earlier one."""
    user = grade(GradeSource.USER, correct=False)
    reviewer = grade(GradeSource.REVIEWER, correct=True, reliability=0.8, by="rita")
    for grades in ([user, reviewer], [reviewer, user]):
        outcome = settled(grades)
        assert outcome is not None
        assert (outcome.value, outcome.edge, outcome.basis) == (0, 1, "graded wrong by user")
    changed = settled([user, grade(GradeSource.USER, correct=True)])
    assert changed is not None
    assert changed.value == 1


def test_who_counts_does_not_depend_on_what_was_said():
    """Turning every verdict round leaves the same grader counting; else the choice would bend the mean."""
    grades = [grade(GradeSource.REVIEWER, correct=True, reliability=r, by=f"r{r}") for r in (0.7, 0.9, 0.8)]
    turned = [Grade(g.run_id, not g.correct, g.source, g.reliability, g.given_by) for g in grades]
    straight, reverse = settled(grades), settled(turned)
    assert straight is not None
    assert reverse is not None
    assert math.isclose(straight.value + reverse.value, 1)
    assert "r0.9" in straight.basis
    assert "r0.9" in reverse.basis


def test_measured_rates_go_before_a_reliability():
    """Where sensitivity and specificity of a reviewer were measured they are used, not their mean."""
    reviewer = grade(GradeSource.REVIEWER, correct=True, reliability=0.7, by="rita")
    outcome = settled([reviewer], {"rita": Confusion(0.9, 0.5)})
    assert outcome is not None
    assert math.isclose(outcome.value, 0.5 / 0.4)


@pytest.mark.parametrize("correct", [True, False, None])
def test_graders_without_an_edge_settle_nothing(correct):
    """A coin, a grader worse than a coin, one barely better, and one who could not tell leave an answer ungraded."""
    weak = [
        grade(GradeSource.REVIEWER, correct=correct, reliability=r) for r in (0.5, 0.3, (1 + LEAST_EDGE) / 2 - 0.01)
    ]
    assert settled([*weak, grade(GradeSource.USER, correct=None)]) is None
    assert settled([]) is None
