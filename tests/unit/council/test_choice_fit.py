"""Learning rule A: the same scores as the rule, the right gradient, one optimum, and oracles in closed form."""

import math
from collections.abc import Sequence
from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.simulation.choice_pools import Pool
from tests.unit.council.choice_kit import SEATS, cases, weights

from auritas.council.choice.fit import Design, design, fit, objective, probabilities, vector, weights_of
from auritas.council.choice.model import Case, Option, Situation, known
from auritas.council.choice.penalties import Penalties
from auritas.council.choice.rule import Weights, shares

PRIOR = Weights({"a": 1.2, "b": 0.8, "c": 0.5}, none={"one": 1.0})
POOL = Pool({"a": 0.75, "b": 0.65, "c": 0.55}, silence={"c": 0.1})


def likelihood_of(cases: Sequence[Case], found: Weights) -> float:
    """The marginal log-likelihood, question by question, as it stands in the text."""
    total = 0.0
    for case in cases:
        p = shares(found.scores(case.situation))
        total += math.log(math.fsum(a * b for a, b in zip(p, case.likelihood or (), strict=True)))
    return total


def unsure(case: Case, sensitivity: float = 0.8, specificity: float = 0.8) -> Case:
    """A reviewer's word on the first option: said to be right exactly when it is, but less reliable than that."""
    right = case.right == 0
    of_right, of_wrong = (sensitivity, 1 - specificity) if right else (1 - sensitivity, specificity)
    return Case(case.situation, (of_right, *(of_wrong for _ in case.situation.options)))


@given(st.lists(cases(), min_size=1, max_size=5), weights)
def test_the_matrices_score_as_the_rule_does(given_cases, of_seats):
    """P from the matrices that are learned from equals P from the rule that decides, for any weights and questions."""
    used = [case for case in given_cases if case.teaches]
    matrices = design(given_cases)
    assert len(matrices) == len(used)
    if not used:
        return
    theta = vector(matrices.names, of_seats)
    options, none = probabilities(matrices, theta)
    again = weights_of(matrices.names, theta, of_seats.unknown)
    for row, case in enumerate(used):
        mine = (*options[matrices.start[row] : matrices.start[row + 1]], none[row])
        assert mine == pytest.approx(shares(of_seats.scores(case.situation)))
        assert again.scores(case.situation) == pytest.approx(of_seats.scores(case.situation))


@given(st.lists(cases(), min_size=1, max_size=4), weights, weights)
def test_the_gradient_is_that_of_the_loss(given_cases, here, prior):
    """Central differences agree with the gradient in every direction, with sure and with unsure grades."""
    matrices = design(given_cases)
    loss = objective(matrices, prior, Penalties())
    theta = vector(matrices.names, here)
    _, gradient = loss(theta)
    step = 1e-5
    for place in range(len(theta)):
        aside = np.zeros_like(theta)
        aside[place] = step
        slope = (loss(theta + aside)[0] - loss(theta - aside)[0]) / (2 * step)
        assert gradient[place] == pytest.approx(slope, abs=1e-3, rel=1e-5)


@given(st.lists(cases(), min_size=1, max_size=4), weights, weights, st.floats(0.1, 0.9))
def test_with_sure_grades_the_loss_is_convex(given_cases, one, other, share):
    """Between any two parameters the loss lies below the line that joins them."""
    matrices = design([case for case in given_cases if case.right is not None])
    loss = objective(matrices, Weights({}), Penalties())
    a, b = vector(matrices.names, one), vector(matrices.names, other)
    assert loss(share * a + (1 - share) * b)[0] <= share * loss(a)[0] + (1 - share) * loss(b)[0] + 1e-6


@pytest.mark.parametrize("seed", range(3))
def test_wherever_the_fit_starts_it_ends_in_the_same_place(seed):
    """With sure grades there is one optimum."""
    matrices = design(POOL.cases(400, seed))
    far = Weights(dict.fromkeys("abc", -3.0), none={"one": 4.0, "silent": -2.0}, oddness=2.0)
    once, again = fit(matrices, PRIOR, Penalties()), fit(matrices, PRIOR, Penalties(), far)
    assert again == pytest.approx(once, abs=0.02)
    loss = objective(matrices, PRIOR, Penalties())
    assert loss(again)[0] == pytest.approx(loss(once)[0], abs=0.01)


def test_with_nothing_to_learn_from_the_prior_stays():
    """No cases, or none with a candidate or a grade that leaves a truth, leave every weight where it was."""
    empty = Situation((), ("a", "b"))
    nothing = [
        known(empty, None),
        Case(POOL.cases(1, 1)[0].situation),
        Case(Situation((Option("x", ("a",)),), ("a",)), (0, 0)),
    ]
    matrices = design(nothing)
    assert len(matrices) == 0
    assert fit(matrices, PRIOR, Penalties()) == pytest.approx(vector(matrices.names, PRIOR))


def one_member(right: int, wrong: int) -> list[Case]:
    situation = Situation((Option("x", ("a",)),), ("a",))
    return [known(situation, 0)] * right + [known(situation, None)] * wrong


@pytest.mark.parametrize(("right", "wrong"), [(30, 10), (1, 0), (0, 50), (500, 20)])
def test_of_one_member_the_fit_is_newtons_on_a_line(right, wrong):
    """One member and "none of these" leave one number, the difference of their scores, and a closed second derivative.

    Its penalty is 1 / Σ (x² / λ) over the features x: the seat, and the four shapes that are 1 for one candidate.
    """
    penalties, prior = Penalties(), Weights({"a": 1.0}, none={"one": 0.4})
    strength = 1 / (1 / penalties.seat + 4 / penalties.none)
    line = start = 0.6
    for _ in range(50):
        p = 1 / (1 + math.exp(-line))
        slope = (right + wrong) * p - right + 2 * strength * (line - start)
        line -= slope / ((right + wrong) * p * (1 - p) + 2 * strength)
    matrices = design(one_member(right, wrong))
    found = weights_of(matrices.names, fit(matrices, prior, penalties), 0.0)
    score, none = found.scores(one_member(1, 0)[0].situation)
    assert score - none == pytest.approx(line, abs=0.01)


def test_firmly_held_the_fit_is_the_covariance_of_features_and_residuals():
    """As λ grows, θ - θ⁰ becomes Σ x (y - P) / 2λ: counted here from the rule alone, by seat and for "none"."""
    firm, held = 2e4, POOL.cases(300, 5)
    drift: dict[str, float] = dict.fromkeys("abc", 0.0)
    none = 0.0
    for case in held:
        p = shares(PRIOR.scores(case.situation))
        for place, option in enumerate(case.situation.options):
            for seat in option.supporters:
                drift[seat] += (case.right == place) - p[place]
        none += (case.right == len(case.situation.options)) - p[-1]
    matrices = design(held)
    found = weights_of(matrices.names, fit(matrices, PRIOR, Penalties(*[firm] * len(fields(Penalties)))), 0.0)
    for seat, total in drift.items():
        assert 2 * firm * (found.seats[seat] - PRIOR.seats[seat]) == pytest.approx(total, rel=0.03, abs=0.3)
    assert 2 * firm * (found.none["one"] - PRIOR.none["one"]) == pytest.approx(none, rel=0.03, abs=0.3)


def dense(matrices: Design) -> list[tuple[np.ndarray, np.ndarray]]:
    """For each question a row of features for each option and, last, for "none of these"; and the likelihood."""
    rows = matrices.options.toarray()
    found = []
    for question, none in enumerate(matrices.none):
        part = slice(matrices.start[question], matrices.start[question + 1])
        own = np.hstack([rows[part], np.zeros((part.stop - part.start, len(none)))])
        last = np.concatenate([np.zeros(rows.shape[1]), none])
        found.append((np.vstack([own, last]), np.append(matrices.likelihood[part], matrices.none_likelihood[question])))
    return found


def by_expectation(matrices: Design, prior: np.ndarray, strength: float, rounds: int) -> np.ndarray:
    """Plain EM: what is right by Bayes' rule, then Newton's steps towards it with the penalty, again and again."""
    theta, questions = prior.copy(), dense(matrices)
    for _ in range(rounds):
        believed = []
        for features, likelihood in questions:
            after = np.array(shares(features @ theta)) * likelihood
            believed.append(after / after.sum())
        for _ in range(4):
            slope, curve = 2 * strength * (theta - prior), 2 * strength * np.eye(len(theta))
            for (features, _), after in zip(questions, believed, strict=True):
                p = np.array(shares(features @ theta))
                slope += features.T @ (p - after)
                curve += features.T @ (np.diag(p) - np.outer(p, p)) @ features
            theta = theta - np.linalg.solve(curve, slope)
    return theta


def test_unsure_grades_are_learned_as_expectation_maximisation_would():
    """The fit ends where plain EM over the hidden right answer does."""
    plain = [
        replace(
            case,
            situation=replace(
                case.situation, domains={}, options=tuple(replace(o, form="") for o in case.situation.options)
            ),
        )
        for case in POOL.cases(80, 11)
    ]
    mixed = [unsure(case) if place % 2 and case.situation.options else case for place, case in enumerate(plain)]
    matrices, strength = design(mixed), 3.0
    oracle = by_expectation(matrices, vector(matrices.names, PRIOR), strength, rounds=60)
    assert fit(matrices, PRIOR, Penalties(*[strength] * len(fields(Penalties)))) == pytest.approx(oracle, abs=0.01)


@given(st.lists(cases(), min_size=1, max_size=6), st.floats(1e-9, 1e9))
def test_a_common_factor_of_the_likelihood_means_nothing(given_cases, factor):
    """Only the proportions of the grades' likelihoods are data."""
    scaled = [
        Case(case.situation, None if case.likelihood is None else tuple(factor * each for each in case.likelihood))
        for case in given_cases
    ]
    assert fit(design(scaled), PRIOR, Penalties()) == pytest.approx(fit(design(given_cases), PRIOR, Penalties()))


@given(st.lists(cases(), min_size=1, max_size=6))
def test_the_fit_is_no_worse_than_the_prior(given_cases):
    """The likelihood of what was learned from is at least that under the prior."""
    used = [case for case in given_cases if case.teaches]
    matrices = design(used)
    prior = Weights(dict.fromkeys(SEATS, 1.0), none={"one": 1.0})
    found = weights_of(matrices.names, fit(matrices, prior, Penalties()), 0.0)
    assert likelihood_of(used, found) >= likelihood_of(used, prior) - 1e-6


def test_a_report_that_misleads_weighs_nothing():
    """The weight of reports is learned, and never falls below 0: who is surer when wrong is not rewarded for it."""

    def stated(sure_when_right: float) -> list[Case]:
        return [
            replace(
                case,
                situation=replace(
                    case.situation,
                    reports=dict.fromkeys(
                        case.situation.options[0].supporters, sure_when_right if case.right == 0 else -sure_when_right
                    ),
                ),
            )
            for case in POOL.cases(300, 2)
            if case.situation.options
        ]

    for sure, holds in ((1.0, True), (-1.0, False)):
        matrices = design(stated(sure))
        found = weights_of(matrices.names, fit(matrices, PRIOR, Penalties()), 0.0)
        assert (found.reports > 0.3) is holds
        assert found.reports >= 0


def test_that_the_shown_answer_was_wrong_is_learned_from():
    """A partial grade, "not that one", lowers whoever said it, though nobody says which other one is right."""
    situation = Situation((Option("x", ("a",)), Option("y", ("b",))), ("a", "b"))
    matrices = design([Case(situation, (0.0, 1.0, 1.0))] * 60)
    found = weights_of(matrices.names, fit(matrices, PRIOR, Penalties()), 0.0)
    assert found.seats["a"] < PRIOR.seats["a"] - 0.1
    assert found.seats["b"] > PRIOR.seats["b"]
    assert shares(found.scores(situation))[0] < shares(PRIOR.scores(situation))[0] / 5


def test_domains_of_many_members_are_held_more_firmly():
    """Up to ten members one penalty, above another."""
    assert Penalties().of_domains(10) == Penalties().domain
    assert Penalties().of_domains(11) == Penalties().domain_of_many > Penalties().domain
