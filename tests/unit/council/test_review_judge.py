"""The content judge: advice until it has been right often enough."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auritas.council.model import Member
from auritas.council.review.judge import (
    CLOSE_GAP,
    ENOUGH,
    apply,
    close_call,
    close_gap,
    decides,
    gap,
    judge_for,
    may_decide,
    wilson,
)
from auritas.council.review.model import Comparison, JudgeRecord, Preference
from auritas.kernel.answers import Candidate, Confidence, ConfidenceLabel, Decision, Seat
from auritas.kernel.errors import InvalidError
from auritas.kernel.model import ModelCard

FIRST, SECOND, NEITHER = Preference.FIRST, Preference.SECOND, Preference.NEITHER
EARNED, NEW = JudgeRecord(34, 40), JudgeRecord(10, 10)
STANDING = {"ada": 0.5, "bob": 0.6, "eve": 0.7}
RECORDS = st.integers(0, 200).flatmap(lambda n: st.builds(JudgeRecord, st.integers(0, n), st.just(n)))


def decision(p_a: float | None = 0.5, p_b: float | None = 0.4, *, calibrated: bool = True) -> Decision:
    a, b = Candidate("a", "Sydney", ("ada",), 1.0, p_a), Candidate("b", "Canberra", ("bob", "eve"), 0.8, p_b)
    confidence = Confidence(ConfidenceLabel.HIGH, "grades", p_a if calibrated else None)
    return Decision((a, b), "a", "ada", confidence, "council", "Why.")


def opinion(forward: Preference, backward: Preference) -> Comparison:
    return Comparison("joe", "a", "b", forward, backward)


FOR_B = opinion(SECOND, SECOND)


def test_a_call_is_close_when_the_leaders_nearly_tie():
    """The chosen candidate and its strongest rival come back if their P differ by less than the threshold."""
    pair = close_call(decision())
    assert pair is not None
    assert [c.id for c in pair] == ["a", "b"]
    assert gap(decision()) == pytest.approx(0.1)
    assert close_call(decision(0.7, 0.2)) is None
    assert close_call(decision(0.3, 0.5)) is not None  # chosen against the odds, which is close, too


def test_without_chances_or_a_rival_nothing_is_close():
    """A score is no chance, and one candidate has nobody to be compared with."""
    assert close_call(decision(None, None)) is None
    assert close_call(decision(0.5, None)) is None
    alone = decision()
    assert close_call(replace(alone, candidates=alone.candidates[:1])) is None
    assert close_call(replace(alone, chosen=None)) is None


@given(st.lists(st.floats(0, 1), min_size=50, max_size=300, unique=True))
def test_one_question_in_five_is_close(past):
    """With enough past questions the threshold lets through the closest fifth of them."""
    share = sum(each < close_gap(past) for each in past) / len(past)
    assert share <= 0.2
    assert share > 0.2 - 1 / len(past) - 1e-9


def test_few_past_questions_leave_the_default():
    """A quantile of a handful of questions would be noise."""
    assert close_gap([0.01] * 49) == CLOSE_GAP


@pytest.mark.parametrize(
    ("record", "allowed"),
    [((0, 0), False), ((39, 39), False), ((30, 40), True), ((29, 40), False), ((75, 100), True), ((74, 100), False)],
)
def test_the_right_to_decide_is_earned(record, allowed):
    """It takes three in four of at least forty graded disagreements, by the plain ratio."""
    assert may_decide(JudgeRecord(*record)) is allowed


@given(RECORDS)
def test_the_interval_holds_the_rate_and_narrows(record):
    """Wilson's interval lies inside [0, 1], holds the plain ratio, and four times the evidence narrows it."""
    low, high = wilson(record)
    assert 0 <= low <= high <= 1
    if record.graded:
        assert low <= record.right / record.graded + 1e-12
        assert high >= record.right / record.graded - 1e-12
        more = wilson(JudgeRecord(4 * record.right, 4 * record.graded))
        assert more[1] - more[0] < high - low


def test_wilsons_interval_is_the_known_one():
    """30 of 40: .598 to .858."""
    assert list(wilson(JudgeRecord(30, 40))) == pytest.approx([0.5981, 0.8581], abs=1e-4)


def test_a_judge_without_a_record_is_shown_and_not_used():
    """Until it has earned it, its opinion stands in the reason and changes nothing else."""
    before = decision()
    after = apply(before, FOR_B, NEW, STANDING)
    assert replace(after, reason=before.reason) == before
    assert "shown, not used" in after.reason
    assert "10 of 10" in after.reason
    assert not decides(before, FOR_B, NEW)


def test_a_judge_that_has_earned_it_changes_a_close_answer():
    """The other answer is chosen, in the words of its best author, at most Medium, with record and interval said."""
    after = apply(decision(), FOR_B, EARNED, STANDING)
    assert decides(decision(), FOR_B, EARNED)
    assert (after.chosen, after.shown_seat) == ("b", "eve")
    assert after.winner is not None
    assert after.confidence.label is ConfidenceLabel.MEDIUM
    assert after.confidence.p == pytest.approx(0.9 * 34 / 40)
    assert "34 of 40 graded disagreements, 95 % interval 0.71 to 0.93" in after.reason


def test_an_uncalibrated_decision_gets_no_probability_from_the_judge():
    """Where P was only a score it stays one."""
    after = apply(decision(calibrated=False), FOR_B, EARNED, STANDING)
    assert after.confidence.p is None
    assert after.confidence.label is ConfidenceLabel.MEDIUM


@pytest.mark.parametrize("both", [(FIRST, SECOND), (SECOND, FIRST), (NEITHER, SECOND), (NEITHER, NEITHER)])
def test_an_opinion_that_depends_on_the_order_is_none(both):
    """A judge that changes its mind when the answers change places decides nothing, whatever its record."""
    after = apply(decision(), opinion(*both), EARNED, STANDING)
    assert after.chosen == "a"
    assert "neither" in after.reason


def test_agreement_changes_nothing():
    """A judge that favours the chosen answer leaves it and its confidence alone."""
    after = apply(decision(), opinion(FIRST, FIRST), EARNED, STANDING)
    assert (after.chosen, after.confidence) == ("a", decision().confidence)
    assert "favours the chosen answer" in after.reason


@given(st.sampled_from(Preference), st.sampled_from(Preference), RECORDS, st.floats(0, 0.5), st.floats(0, 0.5))
def test_a_judge_never_breaks_a_decision(forward, backward, record, p_a, p_b):
    """Whatever it says, the chosen one is a candidate, the shown seat its author, and P a chance."""
    after = apply(decision(p_a, p_b), opinion(forward, backward), record, STANDING)
    assert after.winner is not None
    assert after.shown_seat in after.winner.supporters
    assert after.candidates == decision(p_a, p_b).candidates


def member(name: str) -> Member:
    return Member(Seat(name, name), ModelCard(name, "any", local=True))


def test_who_wrote_neither_judges_first():
    """A stranger to both answers judges before a better informed author; without one, the best informed author."""
    ada, bob, eve = member("ada"), member("bob"), member("eve")
    informed = {"ada": 0.9, "bob": 0.5, "eve": 0.1}
    assert judge_for({"ada", "bob"}, (ada, bob, eve), informed, key="q") is eve
    assert judge_for({"ada", "bob", "eve"}, (bob, ada, eve), informed, key="q") is ada
    assert judge_for((), (), informed, key="q") is None


def test_an_impossible_record_cannot_be_built():
    """More right than graded is no record."""
    with pytest.raises(InvalidError):
        JudgeRecord(3, 2)
    assert ENOUGH == 40
