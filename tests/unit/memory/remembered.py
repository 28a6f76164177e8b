"""Corrections, places and moments for tests of what enters a prompt."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
from hypothesis import strategies as st

from auritas.kernel.memory import Correction, CorrectionState, CorrectionType, DecayClass, Provenance, Scope
from auritas.memory.injection import Floats
from auritas.memory.model import Gates, Policy, Where

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
PLACES = ("one", "two")


def rule(name: str, claim: str = "Use metric units", **more: Any) -> Correction:
    """Return an active rule that the user said outright, changed by `more`."""
    correction = Correction(
        id=name,
        type=CorrectionType.INSTRUCTION,
        scope=Scope.GLOBAL,
        state=CorrectionState.ACTIVE,
        provenance=Provenance.USER_EXPLICIT,
        claim=claim,
        created_at=NOW - timedelta(days=1),
    )
    return replace(correction, **more)


def fact(name: str, claim: str = "The limit is 100", **more: Any) -> Correction:
    """Return an active fact."""
    return rule(name, claim, type=CorrectionType.FACT, **more)


def relevances(*values: float) -> Floats:
    return np.array(values, dtype=np.float64)


moments = st.integers(-800, 800).map(lambda days: NOW - timedelta(days=days))


@st.composite
def corrections(draw: st.DrawFn, name: str, *, of_model: bool = True) -> Correction:
    """Any correction that a store can hold."""
    kinds = [kind for kind in CorrectionType if of_model or kind is not CorrectionType.MODEL_PREFERENCE]
    scope = draw(st.sampled_from(Scope))
    return Correction(
        id=name,
        type=draw(st.sampled_from(kinds)),
        scope=scope,
        state=draw(st.sampled_from([CorrectionState.ACTIVE] * 4 + list(CorrectionState))),
        provenance=draw(st.sampled_from(Provenance)),
        claim="x" * draw(st.sampled_from([1, 4, 60, 400, 799, 2_000])),
        instruction="y" * draw(st.sampled_from([0, 0, 40, 900])),
        created_at=draw(moments),
        slot=draw(st.sampled_from([None, "limit|amount", "me|home"])),
        condition=draw(st.sampled_from(["", "", "except makefile"])),
        domain=draw(st.sampled_from(PLACES)) if scope is Scope.DOMAIN else None,
        project_id=draw(st.sampled_from(PLACES)) if scope is Scope.PROJECT else None,
        conversation_id=draw(st.sampled_from(PLACES)) if scope is Scope.CONVERSATION else None,
        confidence=draw(st.just(0.0) | st.floats(0.001, 1)),
        decay_class=draw(st.sampled_from(DecayClass)),
        pinned=draw(st.booleans()),
        last_used_at=draw(st.none() | moments),
    )


@st.composite
def stores(draw: st.DrawFn, most: int = 12) -> list[Correction]:
    """Several corrections, also such as contradict each other."""
    return [draw(corrections(f"{number:02}")) for number in range(draw(st.integers(0, most)))]


wheres = st.builds(
    Where,
    st.sampled_from([None, *PLACES]),
    st.sampled_from([None, *PLACES]),
    st.frozensets(st.sampled_from(PLACES)),
)
gates = st.builds(
    Gates,
    st.sampled_from(Policy),
    st.sampled_from([0, 1, 20, 200, 1_800]),
    st.floats(0.20, 0.80),
    st.floats(0, 1),
)
