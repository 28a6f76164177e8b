"""Choosing by self-test while there are no grades."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auritas.council.candidates import Group
from auritas.council.model import Member, Tally, Topic
from auritas.council.policy import ALTERNATIVES, SelfTestPolicy, rate, score_shares, tally_of, weight
from auritas.council.waves import settled, waves
from auritas.kernel.answers import AccuracyLevel, ConfidenceLabel, Seat
from auritas.kernel.model import ModelCard


def member(
    name: str, right: int = 0, graded: int = 0, *, calculation: Tally | None = None, provider: str = "embedded"
) -> Member:
    record = {Topic.GENERAL: Tally(right, graded)} | ({Topic.CALCULATION: calculation} if calculation else {})
    return Member(Seat(name, name), ModelCard(name, provider, local=True), record)


MEMBERS = (member("large", 20, 20), member("middle", 17, 20), member("small", 12, 20))


def test_the_best_member_outweighs_a_weak_one():
    """With one vote each, the answer of the member with the better self-test is chosen."""
    groups = (Group("a", "Sydney", ("small",)), Group("b", "Canberra", ("large",)))
    decision = SelfTestPolicy().choose(groups, MEMBERS, Topic.GENERAL)
    assert decision.winner is not None
    assert (decision.winner.text, decision.shown_seat) == ("Canberra", "large")


def test_a_tested_topic_counts_before_the_general_record():
    """A calculator that passed many sums beats two models that agree but fail at sums."""
    members = (
        member("large", 20, 20, calculation=Tally(3, 6)),
        member("middle", 17, 20, calculation=Tally(0, 6)),
        member("calculator", calculation=Tally(60, 60), provider="builtin"),
    )
    groups = (Group("a", "401", ("large", "middle")), Group("b", "391", ("calculator",)))
    assert SelfTestPolicy().choose(groups, members, Topic.CALCULATION).shown_seat == "calculator"
    assert tally_of(members[0], Topic.GENERAL) == Tally(20, 20)


def test_nobody_answering_is_no_decision():
    """Without a candidate nothing is chosen and the council is unsure."""
    decision = SelfTestPolicy().choose((), MEMBERS, Topic.GENERAL)
    assert (decision.chosen, decision.shown_seat) == (None, None)
    assert decision.confidence.label is ConfidenceLabel.UNCERTAIN


tallies = st.integers(0, 200).flatmap(lambda n: st.builds(Tally, st.integers(0, n), st.just(n)))


@given(tallies)
def test_a_rate_is_inside_its_bounds(tally):
    """The prior keeps every rate inside (0, 1), and every weight finite and not negative."""
    assert 0 < rate(tally) < 1
    assert 0 <= weight(tally) < 20


def test_a_member_that_guesses_has_no_weight():
    """A rate at or below one in ALTERNATIVES + 1 adds nothing."""
    assert weight(Tally(0, 400)) == 0
    assert rate(Tally()) == 0.5
    assert ALTERNATIVES > 1


@given(st.permutations(MEMBERS), st.permutations(["a", "b", "c"]), st.booleans())
def test_the_order_of_members_and_candidates_never_matters(members, names, split):
    """Whoever is listed first has no advantage, ties included."""
    seats = {"a": ("large",), "b": ("middle", "small") if not split else ("middle",), "c": ("small",) if split else ()}
    groups = [Group(name, name.upper(), seats[name]) for name in names if seats[name]]
    policy = SelfTestPolicy()
    reference = policy.choose(sorted(groups, key=lambda g: g.id), MEMBERS, Topic.GENERAL)
    assert policy.choose(groups, members, Topic.GENERAL) == reference


@given(st.lists(st.floats(0, 50), min_size=1, max_size=6))
def test_shares_leave_room_for_none_of_these(scores):
    """Shares are positive and add up to less than one: the missing part is the unseen answer."""
    from auritas.kernel.answers import Candidate

    shares = score_shares([Candidate(str(i), str(i), ("s",), score) for i, score in enumerate(scores)])
    assert all(share >= 0 for share in shares)
    assert sum(shares) <= 1 + 1e-12  # rounding of the last bit


def test_a_prior_is_never_called_a_probability():
    """Without grades p stays empty, and the basis says so (promise 6)."""
    decision = SelfTestPolicy().choose((Group("a", "x", ("large",)),), MEMBERS, Topic.GENERAL)
    assert decision.confidence.p is None
    assert "score" in decision.confidence.basis
    assert "no probability" in decision.confidence.basis


@pytest.mark.parametrize(
    ("level", "expected"),
    [
        (AccuracyLevel.FAST, [{"calculator"}, {"large"}]),
        (AccuracyLevel.BALANCED, [{"calculator"}, {"large", "middle"}, {"small"}]),
        (AccuracyLevel.HIGH, [{"calculator", "large", "middle", "small"}]),
    ],
)
def test_a_level_says_who_is_asked_and_when(level, expected):
    """Fast asks the best, balanced two and then more, high everybody; the calculator goes before a cascade."""
    members = (*MEMBERS, member("calculator", 60, 60, provider="builtin"))
    planned = waves(level, members, Topic.GENERAL)
    assert [{m.seat.name for m in wave} for wave in planned] == expected


def test_a_cascade_stops_when_the_lead_is_clear():
    """Two good members that agree settle a question; a split does not."""
    policy = SelfTestPolicy()
    agreed = policy.choose((Group("a", "x", ("large", "middle")),), MEMBERS, Topic.GENERAL)
    split = policy.choose((Group("a", "x", ("middle",)), Group("b", "y", ("small",))), MEMBERS, Topic.GENERAL)
    assert settled(agreed)
    assert not settled(split)


def test_an_answer_of_members_without_a_vote_alone_is_uncertain():
    """When nobody who may vote answered, the best of the others is shown and called what it is."""
    mute = (replace(member("weak", 11, 24), votes=False), replace(member("weaker", 5, 24), votes=False))
    groups = (Group("a", "x", ("weaker",)), Group("b", "y", ("weak",)))
    decision = SelfTestPolicy().choose(groups, mute, Topic.GENERAL)
    assert decision.shown_seat == "weak"
    assert decision.confidence.label is ConfidenceLabel.UNCERTAIN
    assert "no information" in decision.confidence.basis
    assert "auritas models get standard" in decision.reason


def test_an_untested_member_is_said_to_be_untested():
    """The reason never names a self-test that nobody ran (promise 6)."""
    members = (Member(Seat("new", "new"), ModelCard("new", "openai", local=True)),)
    decision = SelfTestPolicy().choose((Group("a", "x", ("new",)),), members, Topic.GENERAL)
    assert "untested" in decision.reason
    assert "an even guess for untested members" in decision.confidence.basis
    tested = SelfTestPolicy().choose((Group("a", "x", ("large",)),), MEMBERS, Topic.GENERAL)
    assert "20 of 20 right in the self-test" in tested.reason


def test_who_failed_the_self_test_is_heard_but_weighs_nothing():
    """A member without the right to vote is asked with all, never decides, and is skipped in a cascade."""
    failed = replace(member("weak", 11, 24), votes=False)
    members = (*MEMBERS, failed)
    groups = (Group("a", "x", ("weak",)), Group("b", "y", ("small",)))
    decision = SelfTestPolicy().choose(groups, members, Topic.GENERAL)
    assert decision.shown_seat == "small"
    assert "weak failed the self-test and has no vote" in decision.reason
    assert failed in waves(AccuracyLevel.HIGH, members, Topic.GENERAL)[0]
    assert all(failed not in wave for wave in waves(AccuracyLevel.BALANCED, members, Topic.GENERAL))
    assert waves(AccuracyLevel.FAST, (failed,), Topic.GENERAL) == ((failed,),)
