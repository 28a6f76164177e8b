"""Measures against what they mean, counted slowly, and against chance."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from auritas.council.evaluation.metrics import (
    accuracy_at,
    auroc,
    brier,
    ece,
    ece_floor,
    paired,
    reliability,
)

chances = arrays(float, st.integers(1, 60), elements=st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.5001, 0.8, 1.0]))


@st.composite
def said_and_true(draw):
    p = draw(chances)
    return p, draw(arrays(float, len(p), elements=st.sampled_from([0.0, 1.0])))


@given(said_and_true())
def test_the_ranking_measure_is_the_share_of_pairs_in_order(pair):
    """AUROC equals the count over all pairs of a right and a wrong answer, ties counting half."""
    p, hit = pair
    right, wrong = p[hit == 1], p[hit == 0]
    if not len(right) or not len(wrong):
        assert auroc(p, hit) == 0.5
        return
    pairs = [(a > b) + (a == b) / 2 for a in right for b in wrong]
    assert auroc(p, hit) == pytest.approx(np.mean(pairs))


@given(said_and_true())
def test_the_squared_error_is_what_it_says(pair):
    """Brier: the mean of (P - outcome)², 0 for certain and right, 1 for certain and wrong."""
    p, hit = pair
    assert brier(p, hit) == pytest.approx(sum((a - b) ** 2 for a, b in zip(p, hit, strict=True)) / len(p))
    assert brier(hit, hit) == 0
    assert brier(1 - hit, hit) == 1


@given(said_and_true())
def test_the_bins_hold_every_question_once(pair):
    """Bins of equal size whose sizes differ by at most one, and the calibration error is their weighted gap."""
    p, hit = pair
    bins = reliability(p, hit)
    sizes = [size for _, _, size in bins]
    assert sum(sizes) == len(p)
    assert max(sizes) - min(sizes) <= 1
    gap = sum(size * abs(mean - right) for mean, right, size in bins) / len(p)
    assert ece(p, hit) == pytest.approx(gap)
    assert 0 <= ece(p, hit) <= 1


def test_a_perfect_chance_has_the_error_of_chance_alone():
    """Where outcomes follow P exactly, the calibration error lies about its floor, which falls with the size."""
    chance = np.random.default_rng(5)
    errors, floors = [], []
    for size in (300, 3000):
        p = chance.uniform(0.2, 0.95, size)
        errors.append(np.mean([ece(p, (chance.random(size) < p).astype(float)) for _ in range(40)]))
        floors.append(ece_floor(p, chance.random))
    assert errors == pytest.approx(floors, rel=0.15)
    assert floors[1] < floors[0] / 2


def test_an_overconfident_chance_shows_above_the_floor():
    """Said .9 and right in .7: the error is .2."""
    hit = np.array([1.0] * 700 + [0.0] * 300)
    p = np.full(1000, 0.9)
    order = np.random.default_rng(1).permutation(1000)
    assert ece(p, hit[order]) == pytest.approx(0.2, abs=0.02)
    assert ece_floor(p, np.random.default_rng(2).random) < 0.06


def test_the_order_of_the_questions_never_matters_where_chances_differ():
    """Shuffled questions have the same measures."""
    chance = np.random.default_rng(3)
    p = chance.random(200)
    hit = (chance.random(200) < p).astype(float)
    order = chance.permutation(200)
    for measure in (ece, brier, auroc, lambda a, b: accuracy_at(a, b, 0.8)):
        assert measure(p[order], hit[order]) == pytest.approx(measure(p, hit))


def test_answering_the_surest_first():
    """Accuracy at a coverage is that of the questions with the highest P; at least one is answered."""
    p, hit = np.array([0.9, 0.1, 0.8, 0.2]), np.array([1.0, 0.0, 1.0, 0.0])
    assert [accuracy_at(p, hit, c) for c in (0.0, 0.25, 0.5, 1.0)] == [1, 1, 1, 0.5]


def test_a_paired_interval_covers_the_truth_as_often_as_it_says():
    """Of 800 intervals at 95 % between 93 and 97 % hold the true difference."""
    chance = np.random.default_rng(8)
    inside = 0
    for _ in range(800):
        differences = chance.choice([-1.0, 0.0, 1.0], p=[0.06, 0.84, 0.10], size=600)
        low, high = paired(differences, np.ones_like(differences)).interval
        inside += low <= 0.04 <= high
    assert 0.93 <= inside / 800 <= 0.97


def test_one_difference_has_no_interval():
    """A single pair says nothing about how far others differ."""
    assert all(np.isnan(paired(np.array([0.5]), np.ones(1)).interval))
