"""What is believed before grades: rates, agreement, and the weights that follow."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.simulation.choice_pools import Pool, without_keys
from tests.unit.council.choice_kit import SEATS

from auritas.council.choice.agreement import agreed_rates
from auritas.council.choice.belief import believed_rates, expit
from auritas.council.choice.model import EVERYTHING, Option, Situation
from auritas.council.choice.prior import LEAST, MEAN_WEIGHT, MOST, log_odds, prior_weights
from auritas.council.choice.record import Count
from auritas.council.choice.rule import shares

rates = st.floats(0.001, 0.999)
of_seats = st.dictionaries(st.sampled_from(SEATS), rates, min_size=1)


@given(rates)
def test_odds_and_chance_are_each_others_inverse(p):
    """Between .02 and .98 going there and back changes nothing; outside, the edge is meant."""
    assert expit(log_odds(p)) == pytest.approx(min(max(p, 0.02), 0.98))


@given(of_seats, st.sampled_from(SEATS), st.floats(0.01, 0.3))
def test_a_better_member_never_weighs_less(believed, seat, more):
    """A member's weight is monotone in its rate, the others being what they are."""
    before = prior_weights({**believed, seat: 0.5}).seats[seat]
    after = prior_weights({**believed, seat: 0.5 + more}).seats[seat]
    assert after >= before - 1e-12


@given(of_seats)
def test_support_never_counts_against_and_nobody_is_beyond_contradiction(believed):
    """Every weight stays between LEAST and MOST, in the order of the rates."""
    weights = prior_weights(believed).seats
    assert all(LEAST <= weight <= MOST for weight in weights.values())
    ordered = sorted(believed, key=lambda seat: believed[seat])
    assert [weights[seat] for seat in ordered] == sorted(weights.values())


@given(of_seats, st.permutations(SEATS))
def test_the_order_of_members_never_matters_to_the_prior(believed, order):
    """Sums over members are the same in any order (C6)."""
    turned = {seat: believed[seat] for seat in order if seat in believed}
    assert prior_weights(turned) == prior_weights(believed)


@given(st.floats(0.05, 0.95))
def test_a_member_alone_is_taken_at_its_word(rate):
    """Asked alone, its answer is as likely to be right as it itself is."""
    alone = prior_weights({"ada": rate})
    p = shares(alone.scores(Situation((Option("x", ("ada",)),), ("ada",))))[0]
    assert p == pytest.approx(rate)


def test_with_nobody_known_there_are_weights_nevertheless():
    """A seat that nobody believes anything of weighs what an average one does."""
    assert prior_weights({}).vote("new", {}) == MEAN_WEIGHT


@given(st.dictionaries(st.sampled_from(SEATS), rates))
def test_a_stranger_is_taken_for_an_average_member(known):
    """Without grades and questions a member of which nothing is known has the mean log-odds of the others."""
    believed = believed_rates((*SEATS, "stranger"), known, {})
    odds = [log_odds(known[seat]) for seat in SEATS if seat in known]
    mean = sum(odds) / len(odds) if odds else 0.0
    assert believed["stranger"] == pytest.approx(expit(mean))
    assert all(0 < rate < 1 for rate in believed.values())


def test_the_level_comes_from_the_grades_at_hand():
    """Public examinations say who is better; how hard these questions are, the grades say."""
    known = {"ada": 0.9, "bob": 0.8, "cid": 0.8}
    hard = {seat: {EVERYTHING: Count(30, 100)} for seat in ("ada", "bob")}
    believed = believed_rates(known, known, hard)
    assert believed["bob"] == believed["cid"] < 0.4
    assert log_odds(believed["ada"]) - log_odds(believed["bob"]) == pytest.approx(log_odds(0.9) - log_odds(0.8))


def test_few_grades_do_not_move_the_level():
    """Nineteen grades of a member are too few to tell how hard the questions are."""
    known = {"ada": 0.9, "bob": 0.8}
    few = {"ada": {EVERYTHING: Count(0, 19)}}
    assert believed_rates(known, known, few) == pytest.approx(known)


@pytest.mark.parametrize("seed", range(4))
def test_agreement_orders_members_who_err_on_their_own(seed):
    """Of members who err independently, agreement alone finds who is better, and about how much."""
    pool = Pool({"ada": 0.85, "bob": 0.7, "cid": 0.55, "dee": 0.4}, together=0.0, lure=0.0)
    situations = [case.situation for case in pool.cases(800, seed)]
    found = agreed_rates(situations, dict.fromkeys(pool.seats, 0.5))
    assert sorted(found, key=lambda seat: -found[seat]) == list(pool.rates)
    assert found == pytest.approx(dict(pool.rates), abs=0.12)


def test_agreement_lifts_a_stranger_who_says_what_the_good_ones_say():
    """Fifty ungraded questions are enough to tell strangers apart; forty-nine say nothing."""
    pool = Pool({"ada": 0.85, "bob": 0.8, "good": 0.8, "bad": 0.3}, together=0.0)
    asked = [case.situation for case in without_keys(pool.cases(50, 3))]
    known = {"ada": 0.85, "bob": 0.8}
    believed = believed_rates(pool.seats, known, {}, asked)
    assert believed["good"] > believed["bad"]
    few = believed_rates(pool.seats, known, {}, asked[1:])
    assert few["good"] == few["bad"]


def test_who_answers_alone_tells_nothing():
    """A question that one member answered shows no agreement."""
    alone = [Situation((Option("x", ("ada",)),), ("ada", "bob"))] * 60
    assert agreed_rates(alone, {"ada": 0.7, "bob": 0.6}) == pytest.approx({"ada": 0.7, "bob": 0.6})
