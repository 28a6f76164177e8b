"""Rows of corrections, of their history and of their use, and what they say."""

import json
from collections.abc import Mapping
from dataclasses import asdict, fields
from datetime import datetime
from typing import TYPE_CHECKING, Any

import numpy as np
from sqlalchemy import Column, Row, ScalarSelect, select

from auritas.kernel.clock import from_timestamp, timestamp
from auritas.kernel.log import Kind, LogEvent
from auritas.kernel.memory import (
    Correction,
    CorrectionState,
    CorrectionType,
    DecayClass,
    MemoryUse,
    Provenance,
    Scope,
)
from auritas.memory.decay import effective_confidence
from auritas.memory.history import Change, Happened
from auritas.memory.model import place_of
from auritas.memory.shelf import Vectors

if TYPE_CHECKING:
    from auritas.kernel.canonical import Scalar

KINDS: Mapping[Change, Kind] = {
    Change.CREATED: Kind.CORRECTION_CREATED,
    Change.CONFIRMED: Kind.CORRECTION_EDITED,
    Change.DISMISSED: Kind.CORRECTION_ERASED,
    Change.APPLIED: Kind.CORRECTION_APPLIED,
    Change.EDITED: Kind.CORRECTION_EDITED,
    Change.PINNED: Kind.CORRECTION_EDITED,
    Change.UNPINNED: Kind.CORRECTION_EDITED,
    Change.SUPERSEDED: Kind.CORRECTION_SUPERSEDED,
    Change.RESTORED: Kind.CORRECTION_EDITED,
    Change.ERASED: Kind.CORRECTION_ERASED,
    Change.LEFT_OUT: Kind.CORRECTION_EDITED,
    Change.BROUGHT_BACK: Kind.CORRECTION_EDITED,
    Change.KEPT_BOTH: Kind.CORRECTION_EDITED,
}
"""As what each change stands in the audit log."""
_WITH_WORDS = frozenset({Change.CREATED, Change.CONFIRMED, Change.EDITED})
"""Changes whose audit entry commits to the words."""
_SUPERSEDED_SCOPE = "superseded"
"""What the schema calls the scope of a superseded row; where it held before stands in `metadata`."""
_TIMES = ("created_at", "last_used_at")


def to_document(correction: Correction) -> dict[str, Any]:
    """Return a correction as plain JSON values."""
    document = asdict(correction)
    return document | {name: timestamp(document[name]) if document[name] else None for name in _TIMES}


def from_document(document: Mapping[str, Any]) -> Correction:
    """Return the correction that `to_document` wrote."""
    known = {each.name for each in fields(Correction)}
    values = {name: value for name, value in document.items() if name in known}
    values |= {name: from_timestamp(values[name]) if values.get(name) else None for name in _TIMES}
    return Correction(
        **values
        | {
            "type": CorrectionType(values["type"]),
            "scope": Scope(values["scope"]),
            "state": CorrectionState(values["state"]),
            "provenance": Provenance(values["provenance"]),
            "decay_class": DecayClass(values["decay_class"]),
        }
    )


def row_of(correction: Correction, place: str, now: datetime) -> dict[str, Any]:
    """Return the row of a correction, save what it may point at no more: its project and its conversation."""
    # The schema's scope says "superseded" for what no longer holds; where it held is kept beside it.
    over = correction.state is CorrectionState.SUPERSEDED
    return {
        "id": correction.id,
        "created_at": timestamp(correction.created_at),
        "subject": correction.subject,
        "domain": correction.domain,
        "claim": correction.claim,
        "rejected": correction.rejected or None,
        "confidence": correction.confidence,
        "source": "manual" if correction.provenance in {Provenance.USER_EXPLICIT, Provenance.IMPORT} else "arbiter",
        "effective_confidence": effective_confidence(correction, now),
        "decay_class": correction.decay_class,
        "metadata": json.dumps({"scope": correction.scope}) if over else "{}",
        "type": correction.type,
        "scope": _SUPERSEDED_SCOPE if over else correction.scope,
        "state": correction.state,
        "slot": correction.slot,
        "canonical_query": correction.canonical_query or None,
        "instruction": correction.instruction or None,
        "reason": correction.reason or None,
        "pinned": correction.pinned,
        "provenance": correction.provenance,
        "superseded_by": correction.superseded_by,
        "last_used_at": timestamp(correction.last_used_at) if correction.last_used_at else None,
        "condition": correction.condition,
        "place": place,
        "query_id": correction.query_id,
    }


def correction_of(row: Row[Any]) -> Correction:
    """Return the correction that a row holds."""
    scope = row.scope
    if scope == _SUPERSEDED_SCOPE:
        scope = json.loads(row.metadata).get("scope", Scope.GLOBAL)
    return Correction(
        id=row.id,
        type=CorrectionType(row.type),
        scope=Scope(scope),
        state=CorrectionState(row.state),
        provenance=Provenance(row.provenance),
        claim=row.claim,
        created_at=from_timestamp(row.created_at),
        subject=row.subject,
        slot=row.slot,
        condition=row.condition,
        instruction=row.instruction or "",
        rejected=row.rejected or "",
        reason=row.reason or "",
        canonical_query=row.canonical_query or "",
        domain=row.domain,
        project_id=row.project_id or (row.place if scope == Scope.PROJECT else None) or None,
        conversation_id=row.conversation_id or (row.place if scope == Scope.CONVERSATION else None) or None,
        confidence=row.confidence,
        decay_class=DecayClass(row.decay_class),
        pinned=bool(row.pinned),
        last_used_at=from_timestamp(row.last_used_at) if row.last_used_at else None,
        superseded_by=row.superseded_by,
        query_id=row.query_id,
    )


def if_there(ids: Column[str], wanted: str | None) -> ScalarSelect[str] | None:
    """Return an id as long as there is a row of that id; None else."""
    return select(ids).where(ids == wanted).scalar_subquery() if wanted is not None else None


def happened_of(row: Row[Any]) -> Happened:
    """Return the line of history that a row holds."""
    before = from_document(json.loads(row.before)) if row.before else None
    at, act_id = from_timestamp(row.at), row.act_id or ""
    return Happened(row.correction_id, Change(row.event), act_id, at, before, row.other or "")


def entry_of(happened: Happened, correction: Correction) -> LogEvent:
    """Return the audit entry of a line of history; of what was said it commits to the words."""
    refs: dict[str, Scalar] = {
        "correction_id": correction.id,
        "change": happened.change.value,
        "type": correction.type.value,
        "scope": correction.scope.value,
        "state": correction.state.value,
    }
    if correction.superseded_by:
        refs["superseded_by"] = correction.superseded_by
    if happened.other:
        refs["other"] = happened.other
    body = correction.claim if happened.change in _WITH_WORDS else ""
    return LogEvent(KINDS[happened.change], "user", refs, body)


def use_row(run_id: str, use: MemoryUse) -> dict[str, Any]:
    """Return the row that says how a correction was weighed for a run."""
    return {
        "run_id": run_id,
        "correction_id": use.correction.id,
        **use.factors.by_name(),
        "score": use.score,
        "injected": use.injected,
        "reason": use.reason,
        "tokens": use.tokens,
    }


def vectors_of(blob: bytes, width: int) -> Vectors:
    """Return stored vectors as rows of `width`."""
    return np.frombuffer(blob, dtype=np.float32).reshape(-1, width)


def place_in(correction: Correction) -> str:
    """Return the id of the place in which a correction holds, as it is stored; empty: everywhere."""
    return place_of(correction.scope, correction)
