"""How the audit log looks from outside: hashes in hex."""

from datetime import date, datetime
from typing import Any

from pydantic import BaseModel

from auritas.app.shapes.audit import Checkpoint, Entry, EntryPage, Level, Proven, Roots
from auritas.kernel.canonical import Scalar


class EntryView(BaseModel):
    """One entry. refs: ids and numbers. body_commit: commitment to its body, None without one; erased: it is gone."""

    seq: int
    ts: datetime
    kind: str
    actor: str
    refs: dict[str, Scalar]
    body_commit: str | None
    leaf_hash: str
    level: Level
    erased: bool


class EntryLines(BaseModel):
    """A page of entries, newest first. next: what to give as `before` for the page after it."""

    items: list[EntryView]
    next: int | None


class CheckpointView(BaseModel):
    """A signed head of the log. note: its text, which any verifier of signed notes reads. day: that it closes.

    reason: why it was signed: daily, count, shutdown, demand, proof, export or witness.
    """

    size: int
    root: str
    note: str
    level: Level
    created_at: datetime
    reason: str
    day: date | None
    witness: str | None


class CheckpointLines(BaseModel):
    """A page of checkpoints, the largest first. next: what to give as `before` for the page after it."""

    items: list[CheckpointView]
    next: int | None


class EntryDetail(BaseModel):
    """An entry and the checkpoint that covers it."""

    entry: EntryView
    checkpoint: CheckpointView | None


class HeadView(BaseModel):
    """The log as it stands."""

    size: int
    root: str
    chain: str


class RootView(BaseModel):
    """Where the log stands. key: to check it with, once something was signed. days: daily roots, newest first."""

    head: HeadView
    key: str | None
    checkpoint: CheckpointView | None
    days: list[CheckpointView]


class ProvenView(BaseModel):
    """What a proof proves: `entry` is number `index` of the first `size` entries of the log `origin`.

    entry: its canonical text. signed_by: whose keys have signed.
    """

    origin: str
    size: int
    index: int
    root: str
    entry: str
    signed_by: list[str]


class ProofView(BaseModel):
    """A proof as a file, the key to check it with, how much stands behind it, and what it proves."""

    filename: str
    text: str
    key: str
    level: Level
    proves: ProvenView


def entry_of(entry: Entry) -> EntryView:
    """Return an entry with its hashes in hex."""
    return EntryView(
        seq=entry.seq,
        ts=entry.ts,
        kind=entry.kind,
        actor=entry.actor,
        refs=dict(entry.refs),
        body_commit=entry.body_commit,
        leaf_hash=entry.leaf_hash.hex(),
        level=entry.level,
        erased=entry.erased,
    )


def lines_of(page: EntryPage) -> EntryLines:
    """Return a page of entries."""
    return EntryLines(items=[entry_of(each) for each in page.entries], next=page.next_cursor)


def checkpoint_of(checkpoint: Checkpoint) -> CheckpointView:
    """Return a checkpoint with its root in hex."""
    return CheckpointView(
        size=checkpoint.size,
        root=checkpoint.root.hex(),
        note=checkpoint.note,
        level=checkpoint.level,
        created_at=checkpoint.created_at,
        reason=checkpoint.reason,
        day=checkpoint.day,
        witness=checkpoint.witness,
    )


def root_of(roots: Roots) -> RootView:
    """Return where the log stands."""
    head = HeadView(size=roots.head.size, root=roots.head.root.hex(), chain=roots.head.chain.hex())
    last = checkpoint_of(roots.checkpoint) if roots.checkpoint else None
    return RootView(head=head, key=roots.key, checkpoint=last, days=[checkpoint_of(each) for each in roots.days])


def proven_of(proven: Proven) -> ProvenView:
    """Return what a proof proves."""
    return ProvenView(
        origin=proven.origin,
        size=proven.size,
        index=proven.index,
        root=proven.root.hex(),
        entry=proven.entry.decode("utf-8", "replace"),
        signed_by=list(proven.signed_by),
    )


_ROOT = "7f3a0c11d2e4b5967f3a0c11d2e4b5967f3a0c11d2e4b5967f3a0c11d2e4b596"
_AT = "2026-11-20T10:00:00Z"
KEY = "auritas/7f3a+0c11d2e4+AX8…"
ENTRY: dict[str, Any] = {
    "seq": 12,
    "ts": _AT,
    "kind": "trace",
    "actor": "system",
    "refs": {"trace_id": "tr_abc123def456", "outcome": "executed_auto"},
    "body_commit": "9a0b",
    "leaf_hash": _ROOT,
    "level": "signed",
    "erased": False,
}
ENTRIES: dict[str, Any] = {"items": [ENTRY], "next": 12}
CHECKPOINT: dict[str, Any] = {
    "size": 20,
    "root": _ROOT,
    "note": "auritas/7f3a\n20\nfzoMEdLktZY=\n",
    "level": "signed",
    "created_at": _AT,
    "reason": "demand",
    "day": None,
    "witness": None,
}
CHECKPOINTS: dict[str, Any] = {"items": [CHECKPOINT], "next": None}
ENTRY_DETAIL: dict[str, Any] = {"entry": ENTRY, "checkpoint": CHECKPOINT}
ROOT: dict[str, Any] = {
    "head": {"size": 20, "root": _ROOT, "chain": _ROOT},
    "key": KEY,
    "checkpoint": CHECKPOINT,
    "days": [],
}
PROVEN: dict[str, Any] = {
    "origin": "auritas/7f3a",
    "size": 20,
    "index": 12,
    "root": _ROOT,
    "entry": '{"seq":12}',
    "signed_by": ["auritas/7f3a"],
}
PROOF: dict[str, Any] = {
    "filename": "entry-12.tlog-proof",
    "text": "c2sp.org/tlog-proof@v1\n…",
    "key": KEY,
    "level": "signed",
    "proves": PROVEN,
}
