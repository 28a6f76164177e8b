"""What the log consists of, as frozen types."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import NamedTuple

from auritas.kernel.canonical import Scalar
from auritas.kernel.log import Level


class StoredEntry(NamedTuple):
    """One row of audit_log exactly as stored: a verifier trusts none of it. A plain tuple, because millions are read.

    details: the commitment to the body in hex, None for an event that had none. refs: canonical JSON text.
    """

    seq: int
    id: str
    created_at: str
    event_type: str
    actor: str
    refs: str
    details: str | None
    salt: bytes | None
    body: str | None
    session_id: object
    trace_id: object
    token_id: object
    field: object
    specialist: object
    u_score: object
    confidence: object
    latency_ms: object
    prev_hash: bytes
    curr_hash: bytes
    leaf_hash: bytes


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry as a person sees it. body_commit: hex, None without a body. erased: whether the body is gone."""

    seq: int
    ts: datetime
    kind: str
    actor: str
    refs: Mapping[str, Scalar]
    body_commit: str | None
    leaf_hash: bytes
    level: Level
    erased: bool


@dataclass(frozen=True, slots=True)
class Head:
    """The log as it stands: how many entries, the root over them, and the end of the chain."""

    size: int
    root: bytes
    chain: bytes


class Reason(StrEnum):
    """Why a checkpoint was made."""

    DAILY = "daily"
    COUNT = "count"
    SHUTDOWN = "shutdown"
    DEMAND = "demand"
    PROOF = "proof"
    EXPORT = "export"
    WITNESS = "witness"


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A signed tree head. day: the local day that a daily root closes. witness: verifier key of who cosigned."""

    size: int
    root: bytes
    note: str
    level: Level
    created_at: datetime
    reason: Reason
    day: date | None = None
    witness: str | None = None


@dataclass(frozen=True, slots=True)
class VerifyReport:
    """What a full verification found.

    entries: how many were read. root: the root over them, recomputed. checkpoint: the largest one that holds.
    first_bad: the smallest seq that cannot be trusted. reason: one sentence.
    """

    ok: bool
    entries: int
    root: bytes
    checkpoint: Checkpoint | None
    first_bad: int | None = None
    reason: str = ""
