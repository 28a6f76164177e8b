"""The eight factors by which a correction is weighed."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.memory.remembered import NOW, corrections, moments, rule

from auritas.kernel.errors import InvalidError
from auritas.kernel.memory import FACTORS, CorrectionType, DecayClass, Factors
from auritas.memory.factors import FAILURE_PREVENTION, WEIGHTS, factors_of, score_of, tokens_of

PERFECT = Factors(1, 1, 1, 1, 1, 1, 0, 0)
WORST = Factors(0, 0, 0, 0, 0, 0, 1, 1)
factors = st.builds(Factors, *[st.floats(0, 1)] * len(FACTORS))


@given(corrections("x"), st.floats(-5, 5), moments)
def test_every_factor_lies_between_nothing_and_all(said, relevance, now):
    """Each of the eight factors is in [0, 1] for any correction at any time (M8)."""
    found = factors_of(said, relevance, now).by_name()
    assert tuple(found) == FACTORS
    assert all(0 <= value <= 1 for value in found.values())


def test_the_weights_are_those_of_the_contract():
    """The sum is .30 .25 .20 .10 .10 .05 less .20 .15, and nothing scores above 1 or below -.35 (M8)."""
    assert list(WEIGHTS.values()) == [0.30, 0.25, 0.20, 0.10, 0.10, 0.05, -0.20, -0.15]
    assert tuple(WEIGHTS) == FACTORS
    assert score_of(PERFECT) == pytest.approx(1.0)
    assert score_of(WORST) == pytest.approx(-0.35)


@given(factors, st.sampled_from(FACTORS), st.floats(0, 1))
def test_the_score_is_linear_in_each_factor(given_, name, value):
    """Changing one factor changes the score by its weight times the change (M8)."""
    changed = replace(given_, **{name: value})
    moved = WEIGHTS[name] * (value - given_.by_name()[name])
    assert score_of(changed) - score_of(given_) == pytest.approx(moved)


@given(corrections("x"), st.floats(0, 1))
def test_each_formula_is_the_contracts(said, relevance):
    """Importance, recency, confidence, staleness and token cost are as the contract says, clamped (M8)."""
    found = factors_of(said, relevance, NOW)
    half_lives = {DecayClass.A: None, DecayClass.B: 365, DecayClass.C: 30}[said.decay_class]
    used = said.last_used_at or said.created_at
    trusted = max(said.created_at, used) if said.decay_class is DecayClass.C else said.created_at

    def left(since: datetime) -> float:
        return 1.0 if half_lives is None else 0.5 ** (max((NOW - since) / timedelta(days=1), 0) / half_lives)

    added = {DecayClass.A: 0.10, DecayClass.B: 0.05, DecayClass.C: 0.0}[said.decay_class]
    assert found.relevance == relevance
    assert found.importance == pytest.approx(min(1.0, said.confidence + added))
    assert found.recency == pytest.approx(0.8 if half_lives is None else left(used))
    assert found.confidence == pytest.approx(said.confidence * left(trusted))
    assert found.staleness == pytest.approx(1 - left(trusted) if said.confidence else 1.0)
    assert found.pinned == float(said.pinned)
    assert found.token_cost == pytest.approx(min(1.0, tokens_of(said.text) / 200))


def test_what_prevents_failure_is_told_by_the_type():
    """A pattern of failure 1, a fact .85, a decision .70, an instruction .65, a preference .40 (M8)."""
    kinds = CorrectionType
    wanted = {kinds.FAILURE_PATTERN: 1.0, kinds.FACT: 0.85, kinds.DECISION: 0.70}
    wanted |= {kinds.INSTRUCTION: 0.65, kinds.PREFERENCE: 0.40}
    for kind, value in wanted.items():
        assert factors_of(rule("x", type=kind), 0, NOW).failure_prevention == value
    assert set(FAILURE_PREVENTION) == set(kinds)


def test_the_text_of_the_prompt_is_what_costs():
    """Tokens are counted of the sentence that enters, a fourth of its characters, at least one (M8)."""
    assert tokens_of("") == tokens_of("four") == 1
    assert tokens_of("fiver") == 2
    short = factors_of(rule("x", "long " * 200, instruction="Brief"), 0, NOW)
    assert short.token_cost == 2 / 200
    assert factors_of(rule("x", "long " * 400), 0, NOW).token_cost == 1.0


def test_no_factor_is_built_out_of_bounds():
    """Who hands a number outside of [0, 1], or none at all, as a factor is refused (M8)."""
    for wrong in (-0.1, 1.1, float("nan"), float("inf")):
        with pytest.raises(InvalidError):
            Factors(wrong, 0, 0, 0, 0, 0, 0, 0)
