"""Signing heads, proving entries and verifying everything, through the ports of the store and the log."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, tzinfo
from typing import Generic, Protocol, TypeVar

from auritas.audit import entry as entries
from auritas.audit.errors import ForkError, KeyLostError, UnknownEntryError, UnprovableError
from auritas.audit.growth import Expected, StoredTiles
from auritas.audit.model import Checkpoint, Head, Reason, StoredEntry, VerifyReport
from auritas.audit.note import Note, Signer, VerifierKey, with_signature
from auritas.audit.policy import closable, covering, due, midnight_after
from auritas.audit.proof import AddCheckpoint, InclusionProof, TreeHead
from auritas.audit.tiles import TileNodes, TileReader
from auritas.audit.tree import consistency_proof, inclusion_proof, leaf_hash, verify_inclusion
from auritas.audit.verify import Progress, verify
from auritas.kernel.clock import Clock, timestamp
from auritas.kernel.errors import InvalidError, NotFoundError
from auritas.kernel.log import Kind, Level, Log, LogEvent
from auritas.kernel.ports import Store

U = TypeVar("U")
U_co = TypeVar("U_co", covariant=True)
U_contra = TypeVar("U_contra", contravariant=True)


class DurableStore(Store[U_co], Protocol[U_co]):
    """A store that can make what it holds survive a power cut."""

    def sync(self) -> None:
        """Return once everything committed so far is on the disk."""


class Tiles(TileReader, StoredTiles, Protocol):
    """Tiles, cut to a size for proofs and raw for verification."""


class CheckpointBook(Protocol[U_contra]):
    """Keeps the log's key and its checkpoints."""

    def signer(self, unit: U_contra) -> Signer | None: ...
    def ensure_signer(self, unit: U_contra) -> Signer: ...
    def checkpoints(self, unit: U_contra) -> Sequence[Checkpoint]: ...
    def examined(self, unit: U_contra) -> tuple[Sequence[Checkpoint], Sequence[int]]: ...
    def latest(self, unit: U_contra) -> Checkpoint | None: ...
    def daily(self, unit: U_contra, count: int) -> Sequence[Checkpoint]: ...
    def made(self, unit: U_contra, size: int, day: date | None) -> Checkpoint | None: ...
    def keep(self, unit: U_contra, checkpoint: Checkpoint) -> None: ...
    def witnessed(self, unit: U_contra, checkpoint: Checkpoint) -> None: ...


class Ledger(Log[U_contra], Protocol[U_contra]):
    """A log that can be read back."""

    @property
    def identities(self) -> CheckpointBook[U_contra]: ...
    def head(self, unit: U_contra) -> Head: ...
    def size(self, unit: U_contra) -> int: ...
    def root(self, unit: U_contra, size: int) -> bytes: ...
    def nodes(self, unit: U_contra, size: int) -> TileNodes: ...
    def tiles(self, unit: U_contra, size: int) -> Tiles: ...
    def entries(self, unit: U_contra, start: int = ..., end: int | None = None) -> Iterator[StoredEntry]: ...
    def newest(
        self, unit: U_contra, before: int, count: int, kind: Kind | None = None, trace_id: str | None = None
    ) -> list[StoredEntry]: ...
    def first_at(self, unit: U_contra, start: int, ts: str) -> int | None: ...
    def news_since(self, unit: U_contra, size: int) -> bool: ...


class EmptyLogError(NotFoundError):
    """There is nothing to sign, prove or export yet."""

    code = "empty_log"


class AuditService(Generic[U]):
    """What can be done with a log besides appending to it."""

    def __init__(self, store: DurableStore[U], ledger: Ledger[U], clock: Clock) -> None:
        self._store = store
        self._ledger = ledger
        self._book = ledger.identities
        self._clock = clock

    def checkpoint(self, reason: Reason) -> Checkpoint:
        """Sign the log as it stands; when nothing happened since the last checkpoint, return that one.

        Raises EmptyLogError when there is no entry at all.
        """
        with self._store.read() as unit:
            size, latest = self._ledger.size(unit), self._book.latest(unit)
            if latest is not None and not self._ledger.news_since(unit, latest.size):
                return latest
        return self._sign(size, reason)

    def run_due(self, zone: tzinfo) -> tuple[Checkpoint, ...]:
        """Make the checkpoints that are due: daily roots of days that ended in `zone`, and every 1,000 entries."""
        with self._store.read() as unit:
            size, latest, days = self._ledger.size(unit), self._book.latest(unit), self._book.daily(unit, 1)
        last_day = days[0].day if days else None
        reasons = due(self._clock.now(), zone, last_day, latest.size if latest else 0, size)
        made = self.close_days(zone) if Reason.DAILY in reasons else ()
        if Reason.COUNT in reasons and not any(c.size == size for c in made):
            return (*made, self._sign(size, Reason.COUNT))
        return made

    def close_days(self, zone: tzinfo) -> tuple[Checkpoint, ...]:
        """Sign the daily root of each local day that has ended and is not closed yet, the oldest first.

        A day closes everything before the first entry after its midnight; a day without entries has no root. Days
        that were missed while the machine was off are caught up; a closed day is never computed again.
        """
        made = []
        while (closing := self._next_day(zone)) is not None:
            size, day = closing
            made.append(self._sign(size, Reason.DAILY, day))
        return tuple(made)

    def prove(self, seq: int) -> InclusionProof:
        """Return the proof file of entry `seq`, signing a checkpoint first when none covers it.

        Raises UnknownEntryError when there is no such entry, and UnprovableError when it is not what was signed.
        """
        with self._store.read() as unit:
            size, known = self._ledger.size(unit), covering(seq, self._book.checkpoints(unit))
        if not 0 <= seq < size:
            raise UnknownEntryError(seq, size)
        checkpoint = known or self._sign(size, Reason.PROOF)
        try:
            with self._store.read() as unit:
                hashes = inclusion_proof(seq, checkpoint.size, self._ledger.nodes(unit, checkpoint.size))
                entry = entry_of(next(self._ledger.entries(unit, seq, seq + 1)))
        except (InvalidError, StopIteration):  # a tile or the entry itself is gone
            raise UnprovableError(seq) from None
        if not verify_inclusion(leaf_hash(entry), seq, checkpoint.size, hashes, checkpoint.root):
            raise UnprovableError(seq)
        return InclusionProof(seq, hashes, checkpoint.note, entry)

    def continuation(self, old: int, checkpoint: Checkpoint) -> AddCheckpoint:
        """Return the request that shows a witness, who last saw `old` entries, that `checkpoint` continues them."""
        if not old:
            return AddCheckpoint(0, (), checkpoint.note)
        if old > checkpoint.size:
            raise ForkError(
                f"The witness has seen {old} entries, this log has signed {checkpoint.size}.",
                remedy="Entries are missing here: compare with a backup before you write anything more.",
            )
        with self._store.read() as unit:
            nodes = self._ledger.nodes(unit, checkpoint.size)
            return AddCheckpoint(old, consistency_proof(old, checkpoint.size, nodes), checkpoint.note)

    def add_cosignature(self, checkpoint: Checkpoint, line: str, witness: VerifierKey) -> Checkpoint:
        """Store what a witness answered. Raises SignatureError when it does not fit the checkpoint."""
        note = with_signature(checkpoint.note, line)
        Note.parse(note).signed_by([witness])
        cosigned = replace(checkpoint, note=note, level=Level.WITNESSED, witness=str(witness))
        with self._store.unit() as unit:
            self._book.witnessed(unit, cosigned)
        return cosigned

    def verify(self, kept: Sequence[TreeHead] = (), progress: Progress | None = None) -> VerifyReport:
        """Verify everything in one snapshot. kept: heads from elsewhere that the log must still contain."""
        with self._store.read() as unit:
            return verify_in(unit, self._ledger, kept, progress)

    def _next_day(self, zone: tzinfo) -> tuple[int, date] | None:
        """Return the size and the day of the next daily root, or None when no ended day is open."""
        with self._store.read() as unit:
            days = self._book.daily(unit, 1)
            start = days[0].size if days else 0
            first = next(self._ledger.entries(unit, start, start + 1), None)
            if first is None:
                return None
            day = entries.moment(first.created_at).astimezone(zone).date()
            if days and days[0].day is not None:  # after a clock that was put back, time goes on with the next day
                day = max(day, date.fromordinal(days[0].day.toordinal() + 1))
            if day > closable(self._clock.now(), zone):
                return None
            end = self._ledger.first_at(unit, start, timestamp(midnight_after(day, zone)))
            return self._ledger.size(unit) if end is None else end, day

    def _sign(self, size: int, reason: Reason, day: date | None = None) -> Checkpoint:
        """Sign the head of `size` entries, keep it, and append the entry that announces it, which it cannot cover.

        The head is read first and made durable next: a signed head is never ahead of what survives a power cut.
        """
        if not size:
            raise EmptyLogError("The audit log has no entry yet.", remedy="Ask something first.")
        with self._store.read() as unit:
            root = self._ledger.root(unit, size)
        self._store.sync()
        with self._store.unit() as unit:
            same = self._book.made(unit, size, day)
            if same is not None:
                return same  # another process was faster
            signer = self._book.ensure_signer(unit)
            (receipt,) = self._ledger.append(unit, [_announcement(size, root, reason, day, signer)])
            row = next(self._ledger.entries(unit, receipt.seq, receipt.seq + 1))
            note = signer.sign(TreeHead(signer.name, size, root).text)
            made = entries.moment(row.created_at)
            checkpoint = Checkpoint(size, root, note, Level.SIGNED, made, reason, day)
            self._book.keep(unit, checkpoint)
        return checkpoint


def verify_in(
    unit: U, ledger: Ledger[U], kept: Sequence[TreeHead] = (), progress: Progress | None = None
) -> VerifyReport:
    """Verify the log that `unit` sees; whatever in it cannot be read is a finding, never an error."""
    try:
        signer = ledger.identities.signer(unit)
    except KeyLostError:
        signer = None
    checkpoints, damaged = ledger.identities.examined(unit)
    expected = Expected(signer.key if signer else None, checkpoints, kept, damaged)
    return verify(ledger.entries(unit), ledger.tiles(unit, ledger.size(unit)), expected, progress)


def entry_of(row: StoredEntry) -> bytes:
    """Return the bytes whose hash is the leaf of a row. Raises UnprovableError when the row holds what is no text."""
    try:
        return entries.entry_bytes(row.seq, row.created_at, row.event_type, row.actor, row.refs, row.details)
    except UnicodeEncodeError:
        raise UnprovableError(row.seq) from None


def _announcement(size: int, root: bytes, reason: Reason, day: date | None, signer: Signer) -> LogEvent:
    refs = {"root": root.hex(), "reason": reason.value, "key": signer.key.id.hex()}
    if day is not None:
        refs["day"] = day.isoformat()
    return LogEvent(Kind.CHECKPOINT, "system", {**refs, "size": size})
