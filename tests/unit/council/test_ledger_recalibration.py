"""Curves from stated confidence to how often a seat is right."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from auritas.council.ledger.recalibration import Graded, Recalibration, learn
from auritas.kernel.errors import InvalidError

probabilities = st.floats(0, 1)
histories = st.lists(
    st.builds(Graded, probabilities, st.floats(-1.5, 2.5), st.floats(0.04, 1)),
    max_size=60,
)
curves = st.lists(probabilities, min_size=2, max_size=12).map(lambda values: Recalibration(tuple(sorted(values))))


@given(curves, probabilities, probabilities)
def test_a_curve_never_falls(curve, a, b):
    """A higher report is never worth less, to the last bit, and a curve stays between 0 and 1."""
    low, high = sorted((a, b))
    assert 0 <= curve(low) <= curve(high) <= 1


def test_without_a_history_a_report_is_taken_as_stated():
    """Nothing learned changes nothing."""
    assert [learn([])(p) for p in (0, 0.25, 0.5, 1)] == pytest.approx([0, 0.25, 0.5, 1])


@given(histories, st.randoms())
def test_what_is_learned_is_a_curve_whatever_came_in_whatever_order(history, random):
    """Stand-ins beyond [0, 1] included, the result is monotone, inside [0, 1], and the same for every order."""
    curve = learn(history)
    assert all(low <= high for low, high in pairwise(curve.values))
    shuffled = list(history)
    random.shuffle(shuffled)
    assert learn(shuffled) == curve


def test_one_mistake_does_not_ruin_a_seat():
    """A single wrong answer moves the curve by less than a tenth anywhere."""
    curve = learn([Graded(0.9, 0.0)])
    assert max(abs(curve(p / 10) - p / 10) for p in range(11)) < 0.1


def test_always_sure_and_half_right_becomes_a_half():
    """A seat that says 90 and is right half of the time is believed half of the time, also when it says 100."""
    curve = learn([Graded(0.9, float(i % 2)) for i in range(400)])
    assert curve(0.9) == pytest.approx(0.5, abs=0.02)
    assert curve(1.0) < 0.6


def test_a_learned_curve_is_more_honest_than_the_reports():
    """On new answers of an overconfident seat the curve's Brier score is far below the reports' and near the best."""
    rng = np.random.default_rng(5)
    reports = rng.integers(5, 11, 4000) / 10
    truly = 0.2 + 0.5 * (reports - 0.5) / 0.5
    outcomes = (rng.random(4000) < truly).astype(float)
    curve = learn([Graded(float(p), float(y)) for p, y in zip(reports[:1000], outcomes[:1000], strict=True)])
    learned = np.array([curve(float(p)) for p in reports[1000:]])
    fresh, best = outcomes[1000:], truly[1000:]
    brier = [float(((forecast - fresh) ** 2).mean()) for forecast in (best, learned, reports[1000:])]
    assert brier[0] <= brier[1] < brier[0] + 0.003 < brier[2] - 0.05


@pytest.mark.parametrize("values", [(), (0.5,), (0.6, 0.5), (-0.1, 0.5), (0.5, 1.1)])
def test_no_curve_falls_or_leaves_its_range(values):
    """What is not monotone in [0, 1] cannot be built."""
    with pytest.raises(InvalidError):
        Recalibration(values)
