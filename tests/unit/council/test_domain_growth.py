"""When a candidate becomes a node."""

import math
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from auritas.council.domains.growth import CandidateEvidence, ModelEvidence, delta, promotable

SIMULATIONS = 2_000
CELLS = [(models, runs) for models in (2, 5, 10) for runs in (5, 10, 30)]
MOST_FALSE = 0.05


def candidate(*models: ModelEvidence, questions: int = 5, **more: Any) -> CandidateEvidence:
    named: dict[str, Any] = {"mentioned_by": len(models), "parent_depth": 0} | more
    return CandidateEvidence("rust", questions, models=models, **named)


def one_good_one_bad(runs: int = 5, parent: int = 60) -> tuple[ModelEvidence, ModelEvidence]:
    good = ModelEvidence("good", runs, runs, parent // 2, parent)
    return good, ModelEvidence("bad", 0, runs, parent // 2, parent)


@pytest.mark.parametrize(("depth", "expected"), [(0, 0.10), (1, 0.15), (3, 0.25), (6, 0.40)])
def test_delta_grows_with_depth(depth, expected):
    """δ is .10, .15, .25 and .40 at depths 0, 1, 3 and 6 (C13)."""
    assert delta(depth) == pytest.approx(expected)


@pytest.mark.parametrize("parent", [60, 1_000, 1_000_000])
@pytest.mark.parametrize("depth", [0, 1, 2, 3])
def test_five_questions_and_two_models_suffice(parent, depth):
    """Five of five and none of five against a parent at one half is promoted (C16)."""
    verdict = promotable(candidate(*one_good_one_bad(parent=parent), parent_depth=depth))
    assert verdict.promoted
    assert verdict.log_bayes_factor > math.log(20)
    assert verdict.difference > verdict.delta


def test_a_parent_that_is_hardly_known_takes_one_question_more():
    """Against twenty graded runs at one half six questions are needed, because that rate is no certainty."""
    assert not promotable(candidate(*one_good_one_bad(5, parent=20))).promoted
    assert promotable(candidate(*one_good_one_bad(6, parent=20), questions=6)).promoted


def test_against_a_known_rate_the_factor_is_the_textbooks():
    """With the parent known exactly it tends to B(r+1, w+1) / (p^r (1-p)^w): 32/6 for five of five against one half."""
    good, _ = one_good_one_bad(parent=10_000_000)
    assert good.log_bayes_factor == pytest.approx(math.log(32 / 6), abs=1e-4)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"questions": 4}, "4 of 5 questions"),
        ({"mentioned_by": 1}, "1 of 2 models"),
        ({"covered_by": "rust"}, "rust covers it"),
        ({"taken_back": True}, "took its promotion back"),
    ],
)
def test_too_little_is_said(change, words):
    """Four questions, one model, a field that is there already, or one that the user took back: not promoted (C16)."""
    verdict = promotable(candidate(*one_good_one_bad(), **change))
    assert not verdict.promoted
    assert any(words in reason for reason in verdict.reasons)


def test_one_graded_model_is_not_enough():
    """A model without graded runs, or with few elsewhere in the field, says nothing (C16)."""
    good, bad = one_good_one_bad(30)
    for silent in (ModelEvidence("bad", 0, 0, 50, 100), ModelEvidence("bad", 0, 30, 10, 19)):
        assert not promotable(candidate(good, silent)).promoted
    assert promotable(candidate(good, bad)).promoted


@given(st.integers(0, 40), st.integers(0, 40), st.integers(0, 200), st.integers(0, 200))
def test_right_and_wrong_are_treated_alike(right, wrong, parent_right, parent_wrong):
    """Swapping right and wrong everywhere leaves factor and difference as they were."""
    one = ModelEvidence("a", right, right + wrong, parent_right, parent_right + parent_wrong)
    other = ModelEvidence("a", wrong, right + wrong, parent_wrong, parent_right + parent_wrong)
    assert one.log_bayes_factor == pytest.approx(other.log_bayes_factor, abs=1e-7)
    assert abs(one.shrunk_rate - one.parent_rate) == pytest.approx(
        abs(other.shrunk_rate - other.parent_rate), abs=1e-12
    )


@given(st.integers(1, 12), st.integers(0, 30), st.integers(0, 30))
def test_under_the_parents_rate_the_factor_has_mean_one(runs, parent_right, parent_wrong):
    """Σ P(sequence | parent) · factor = Σ P(sequence | own) = 1, which is what bounds false promotions."""
    total = 0.0
    for right in range(runs + 1):
        model = ModelEvidence("a", right, runs, parent_right, parent_right + parent_wrong)
        own = math.lgamma(right + 1) + math.lgamma(runs - right + 1) - math.lgamma(runs + 2)
        total += math.comb(runs, right) * math.exp(own - model.log_bayes_factor)
    assert total == pytest.approx(1, rel=1e-9)


@pytest.fixture(scope="module")
def null_worlds():
    """Simulated candidates whose members do exactly as elsewhere: rates from 0 to 1, parents of 20 to 200 runs."""
    rng = np.random.default_rng(20260101)
    return {cell: [_null(rng, *cell) for _ in range(SIMULATIONS)] for cell in CELLS}


@pytest.mark.parametrize("cell", CELLS)
def test_chance_is_hardly_ever_promoted(null_worlds, cell):
    """At most 5 % of 2,000 candidates without any difference are promoted, in each of nine cells (C15)."""
    promoted = sum(promotable(world).promoted for world in null_worlds[cell])
    assert promoted <= MOST_FALSE * SIMULATIONS


@pytest.mark.parametrize("rate", [0.5, 0.95])
@pytest.mark.parametrize("parent_runs", [20, 200])
def test_the_worst_rates_and_parents_are_no_exception(rate, parent_runs):
    """The bound holds at one half with a parent hardly known, and for members that are nearly always right (C15)."""
    rng = np.random.default_rng(7)
    for cell in ((10, 5), (10, 30)):
        make = partial(_null, rng, *cell, rates=rate, parent_runs=parent_runs)
        assert sum(promotable(make()).promoted for _ in range(SIMULATIONS // 2)) <= MOST_FALSE * SIMULATIONS / 2


def test_a_difference_of_means_alone_fails(null_worlds):
    """The rule "mean difference above δ" promotes chance in most cells, which is why it is not ours (C15)."""
    failing = [cell for cell, worlds in null_worlds.items() if _naive(worlds) > MOST_FALSE]
    assert len(failing) >= 5
    assert max(map(_naive, null_worlds.values())) > 0.5


def _null(
    rng: np.random.Generator, models: int, runs: int, *, rates: float | None = None, parent_runs: int | None = None
) -> CandidateEvidence:
    rate = rng.uniform(0, 1, models) if rates is None else np.full(models, rates)
    known = rng.integers(20, 201, models) if parent_runs is None else np.full(models, parent_runs)
    right, parent = rng.binomial(runs, rate), rng.binomial(known, rate)
    listed = zip(right, parent, known, strict=True)
    members = [ModelEvidence(str(i), int(r), runs, int(p), int(k)) for i, (r, p, k) in enumerate(listed)]
    return candidate(*members, questions=runs)


def _naive(worlds: list[CandidateEvidence]) -> float:
    def differs(world: CandidateEvidence) -> bool:
        gaps = [abs(m.right / m.graded - m.parent_right / m.parent_graded) for m in world.models]
        return sum(gaps) / len(gaps) > delta(0)

    return sum(map(differs, worlds)) / len(worlds)
