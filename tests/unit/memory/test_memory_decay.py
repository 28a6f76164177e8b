"""How trust in what was said fades."""

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.memory.remembered import NOW, corrections, moments, rule

from auritas.kernel.memory import DecayClass
from auritas.memory.decay import HALF_LIFE_DAYS, STEADY_RECENCY, effective_confidence, recency, remaining

A, B, C = DecayClass.A, DecayClass.B, DecayClass.C
FADING = st.sampled_from([B, C])


@pytest.mark.parametrize(("kind", "days"), [(B, 365), (C, 30)])
def test_a_half_life_halves(kind, days):
    """A confidence of .8 is .4 after one half-life and .2 after two (M1)."""
    said = rule("x", confidence=0.8, decay_class=kind, created_at=NOW)
    assert effective_confidence(said, NOW) == pytest.approx(0.8)
    assert effective_confidence(said, NOW + timedelta(days=days)) == pytest.approx(0.4)
    assert effective_confidence(said, NOW + timedelta(days=2 * days)) == pytest.approx(0.2)


@given(st.floats(0, 1), st.integers(0, 100_000))
def test_what_was_said_outright_never_fades(confidence, days):
    """Class A keeps its confidence and its steady recency for ever (M1)."""
    said = rule("x", confidence=confidence, decay_class=A, created_at=NOW - timedelta(days=days))
    assert effective_confidence(said, NOW) == confidence
    assert recency(said, NOW) == STEADY_RECENCY


@given(st.sampled_from(DecayClass), st.floats(0, 1), st.integers(0, 4_000))
def test_the_future_gives_no_boost(kind, confidence, days):
    """What says that it comes from the future has the confidence of now, and no more (M1)."""
    said = rule("x", confidence=confidence, decay_class=kind, created_at=NOW + timedelta(days=days))
    assert effective_confidence(said, NOW) == confidence
    assert remaining(kind, -float(days)) == 1.0


@given(FADING, st.floats(0, 50_000), st.floats(0, 50_000))
def test_trust_only_falls(kind, age, more):
    """Nobody is trusted more for being older, and the share that is left lies in [0, 1] (M1)."""
    assert 0 <= remaining(kind, age + more) <= remaining(kind, age) <= 1


@given(FADING, st.floats(0, 300), st.floats(0, 300))
def test_two_spans_are_one(kind, first, second):
    """Fading over two spans is fading over their sum: no moment counts twice (M1)."""
    both = remaining(kind, first) * remaining(kind, second)
    assert both == pytest.approx(remaining(kind, first + second))
    assert remaining(kind, HALF_LIFE_DAYS[kind]) == 0.5


def test_use_renews_what_was_inferred():
    """Class C counts from its last use, class B does not, and neither from a use before it was said (M1)."""
    said = rule("x", confidence=0.8, decay_class=C, created_at=NOW - timedelta(days=90))
    used = replace(said, last_used_at=NOW - timedelta(days=30))
    assert effective_confidence(said, NOW) == pytest.approx(0.1)
    assert effective_confidence(used, NOW) == pytest.approx(0.4)
    assert effective_confidence(replace(used, decay_class=B), NOW) < 0.8
    assert effective_confidence(replace(used, decay_class=B), NOW) == effective_confidence(
        replace(said, decay_class=B), NOW
    )
    before = replace(said, last_used_at=said.created_at - timedelta(days=300))
    assert effective_confidence(before, NOW) == effective_confidence(said, NOW)


@given(corrections("x"), moments)
def test_confidence_and_recency_stay_in_bounds(said, now):
    """Effective confidence is at most what was stated, and recency lies in [0, 1] (M1)."""
    assert 0 <= effective_confidence(said, now) <= said.confidence
    assert 0 <= recency(said, now) <= 1
