"""How a member stands."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta

from auritas.council.choice.record import PSEUDO_COUNT, Count, TrackRecord
from auritas.council.standing import Runs, interval, rate_of, standing


@given(st.integers(0, 200), st.integers(0, 200), st.floats(0.05, 0.95))
def test_the_interval_is_that_of_the_beta_distribution(right, wrong, prior):
    """The ends are its 2.5 and 97.5 percent points, and the mean lies between them."""
    found = interval(Count(right, right + wrong), prior)
    a, b = PSEUDO_COUNT * prior + right, PSEUDO_COUNT * (1 - prior) + wrong
    assert found == pytest.approx(tuple(beta(a, b).interval(0.95)), abs=1e-6)
    assert found[0] <= a / (a + b) <= found[1]


def test_a_domain_starts_at_the_rate_above_it():
    """Without grades on a node its rate is the seat's overall one, as in choosing (C2)."""
    record = TrackRecord({"ada": {"": Count(15, 20)}}, {}, {"ada": 0.5})
    assert rate_of(record, "ada", "law").mean == rate_of(record, "ada").mean == 0.625
    assert rate_of(record, "ada", "law").graded == 0


def test_the_most_graded_roots_are_shown():
    """Of many domains the few with most grades are named, none below a root."""
    counts = {"": Count(9, 20), "law": Count(1, 2), "code": Count(5, 9), "rust": Count(5, 9), "science": Count(3, 8)}
    counts["history"] = Count(0, 1)
    found = standing("ada", Runs(), TrackRecord({"ada": counts}, {"rust": "code"}, {"ada": 0.5}), 0.7)
    assert list(found.domains) == ["code", "science", "law"]
    assert found.weight == 0.7


def test_silence_is_counted_among_questions_meant_for_it():
    """An abstention is no silence, and nobody who was never asked was silent."""
    assert Runs(asked=10, silent=2, abstained=5).silence == 0.4
    assert Runs().silence is None
    assert Runs(asked=3, abstained=3).silence is None
