"""The trace and its five sections."""

from dataclasses import replace

import pytest

from auritas.kernel.clock import ManualClock
from auritas.kernel.errors import InvalidError
from auritas.kernel.trace import (
    RATIONALE_LIMIT,
    Outcome,
    RationaleSource,
    SectionTitle,
    Signal,
    Trace,
    TraceCandidate,
    TraceKind,
    sections,
)


@pytest.fixture
def trace() -> Trace:
    return Trace(
        trace_id="tr_abc123def456",
        ts=ManualClock().now(),
        kind=TraceKind.ASK,
        trigger="You asked a question.",
        signals=(Signal("member", "qwen said Canberra"),),
        candidates=(
            TraceCandidate("c1", "Canberra", 1.2, {"qwen": 0.9, "smol": 0.3}),
            TraceCandidate("c2", "Sydney", 0.1),
        ),
        chosen="c1",
        rationale="Two of three agree.",
        rationale_source=RationaleSource.POLICY,
        outcome=Outcome.EXECUTED_AUTO,
        remedies=("Correct it.",),
    )


def test_a_trace_is_shown_in_five_sections(trace):
    """Why now, what I saw, what I considered, what I chose and why, what you can do: in this order."""
    shown = sections(trace)
    assert [section.title for section in shown] == list(SectionTitle)
    assert all(section.lines for section in shown)
    assert "Canberra: score 1.2 (qwen 0.9, smol 0.3)" in shown[2].lines


@pytest.mark.parametrize(
    "change",
    [
        {"trace_id": "tr_short"},
        {"trace_id": "tr_ABC123DEF456"},
        {"rationale": "x" * (RATIONALE_LIMIT + 1)},
        {"chosen": "c9"},
        {"chosen": None},
        {"trigger": ""},
        {"candidates": (TraceCandidate("c1", "a", 1.0), TraceCandidate("c1", "b", 1.0))},
    ],
)
def test_an_invalid_trace_cannot_be_built(trace, change):
    """The schema is checked when a trace is made, so that none can be written that breaks it."""
    with pytest.raises(InvalidError):
        replace(trace, **change)


def test_a_refusal_says_why(trace):
    """A trace that chose nothing carries a reason code and shows it."""
    refusal = replace(trace, kind=TraceKind.REFUSAL, chosen=None, reason_code="no_answer")
    assert "Nothing was chosen (no_answer)." in sections(refusal)[3].lines
