"""The trace: the stored reasons of one decision, the same for every ask, resolution, action and refusal."""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from auritas.kernel.clock import from_timestamp, timestamp
from auritas.kernel.errors import InvalidError
from auritas.kernel.ids import TRACE_ID_PATTERN

RATIONALE_LIMIT = 500
"""Characters; a reason that does not fit is not a reason but an essay."""


class TraceKind(StrEnum):
    """What kind of decision it was."""

    ASK = "ask"
    RESOLUTION = "resolution"
    ACTION = "action"
    REFUSAL = "refusal"


class RationaleSource(StrEnum):
    """Who wrote the rationale: a rule of ours, a model, or a fixed sentence when the model was too slow."""

    POLICY = "policy"
    MODEL = "model"
    TEMPLATE = "template"


class Outcome(StrEnum):
    """What became of the decision."""

    PENDING = "pending"
    CONFIRMED = "confirmed"
    DISMISSED = "dismissed"
    TIMED_OUT = "timed_out"
    EXECUTED_AUTO = "executed_auto"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Signal:
    """Something that was seen: what it is, and the reference or value that was used."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class TraceCandidate:
    """Something that was considered. components: the named terms that add up to the score."""

    id: str
    kind: str
    score: float
    components: Mapping[str, float] = field(default_factory=dict)
    confirm_required: bool = False
    capped_by: str | None = None


@dataclass(frozen=True, slots=True)
class Trace:
    """One decision with its reasons. Building one checks it: an invalid trace cannot be written.

    Raises InvalidError when an id is malformed, the rationale is too long or the chosen one was never considered.
    """

    trace_id: str
    ts: datetime
    kind: TraceKind
    trigger: str
    signals: tuple[Signal, ...]
    candidates: tuple[TraceCandidate, ...]
    chosen: str | None
    rationale: str
    rationale_source: RationaleSource
    outcome: Outcome
    reason_code: str | None = None
    confirm_required: bool = False
    redactions: tuple[str, ...] = ()
    remedies: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not re.fullmatch(TRACE_ID_PATTERN, self.trace_id):
            raise InvalidError(f"{self.trace_id!r} is not a trace id.")
        if self.ts.tzinfo is None:
            raise InvalidError("A trace needs an aware time.")
        if not self.trigger:
            raise InvalidError("A trace says what triggered it.")
        if len(self.rationale) > RATIONALE_LIMIT:
            raise InvalidError(f"A rationale holds at most {RATIONALE_LIMIT} characters, not {len(self.rationale)}.")
        ids = [candidate.id for candidate in self.candidates]
        if len(set(ids)) != len(ids):
            raise InvalidError("Each candidate of a trace has its own id.")
        if self.chosen is not None and self.chosen not in ids:
            raise InvalidError(f"{self.chosen!r} was chosen but never considered.")
        if self.chosen is None and self.reason_code is None:
            raise InvalidError("A trace that chose nothing says why by a reason code.")


class SectionTitle(StrEnum):
    """The five sections in which every trace is shown, in this order."""

    WHY_NOW = "Why now"
    SAW = "What I saw"
    CONSIDERED = "What I considered"
    CHOSE = "What I chose and why"
    CAN_DO = "What you can do"


@dataclass(frozen=True, slots=True)
class Section:
    """One of the five parts, as lines of text."""

    title: SectionTitle
    lines: tuple[str, ...]


def sections(trace: Trace) -> tuple[Section, ...]:
    """Return the trace in its five sections."""
    considered = tuple(_considered(candidate) for candidate in trace.candidates)
    chosen = next((c for c in trace.candidates if c.id == trace.chosen), None)
    verdict = f"Chosen: {chosen.kind.rstrip('.')}." if chosen else f"Nothing was chosen ({trace.reason_code})."
    return (
        Section(SectionTitle.WHY_NOW, (trace.trigger, f"At {trace.ts:%Y-%m-%d %H:%M:%S} UTC.")),
        Section(SectionTitle.SAW, tuple(f"{s.kind}: {s.text}" for s in trace.signals) or ("Nothing but the trigger.",)),
        Section(SectionTitle.CONSIDERED, considered or ("No candidate.",)),
        Section(SectionTitle.CHOSE, (verdict, trace.rationale)),
        Section(SectionTitle.CAN_DO, trace.remedies or ("Nothing is waiting for you.",)),
    )


def _considered(candidate: TraceCandidate) -> str:
    terms = ", ".join(f"{name} {value:.3g}" for name, value in candidate.components.items())
    capped = f"; held back by {candidate.capped_by}" if candidate.capped_by else ""
    return f"{candidate.kind}: score {candidate.score:.3g}" + (f" ({terms})" if terms else "") + capped


def to_document(trace: Trace) -> dict[str, Any]:
    """Return the trace as plain JSON values, in the order of its fields."""
    return {**asdict(trace), "ts": timestamp(trace.ts)}


def from_document(document: Mapping[str, Any]) -> Trace:
    """Return the trace that `to_document` wrote. Raises InvalidError when it breaks the schema."""
    try:
        return Trace(
            **{
                **document,
                "ts": from_timestamp(document["ts"]),
                "kind": TraceKind(document["kind"]),
                "signals": tuple(Signal(**signal) for signal in document["signals"]),
                "candidates": tuple(TraceCandidate(**candidate) for candidate in document["candidates"]),
                "rationale_source": RationaleSource(document["rationale_source"]),
                "outcome": Outcome(document["outcome"]),
                "redactions": tuple(document["redactions"]),
                "remedies": tuple(document["remedies"]),
            },
        )
    except (KeyError, TypeError, ValueError) as error:
        raise InvalidError(f"This is no trace: {error}.") from None
