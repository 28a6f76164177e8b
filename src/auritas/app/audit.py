"""The use cases behind `auritas audit`."""

import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, tzinfo
from pathlib import Path
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from auritas.audit.adapters.folders import WitnessFolder, write_export
from auritas.audit.check import KeyMalformed, ProofRefused, Proven
from auritas.audit.check import check as check_proof
from auritas.audit.entry import moment
from auritas.audit.errors import MalformedError, UnknownEntryError
from auritas.audit.export import count, files
from auritas.audit.model import Checkpoint, Entry, Head, Reason, StoredEntry, VerifyReport
from auritas.audit.note import Note, VerifierKey
from auritas.audit.policy import closable, covering, level_of
from auritas.audit.proof import AddCheckpoint, TreeHead, decimal
from auritas.audit.service import AuditService, entry_of
from auritas.audit.tree import HASH_BYTES
from auritas.audit.witness import Witness
from auritas.kernel.clock import SystemClock
from auritas.kernel.errors import InvalidError, NotFoundError, VerificationError
from auritas.kernel.ids import TimeOrderedIds
from auritas.kernel.log import Kind, Level, LogEvent
from auritas.kernel.randomness import SeededRng, SystemEntropy

if TYPE_CHECKING:
    from auritas.app.progress import Steps
    from auritas.audit.adapters.sql import SqlAuditLog
    from auritas.audit.service import DurableStore
    from auritas.store import Unit

__all__ = [
    "AuditUseCases",
    "Checkpoint",
    "Cosigned",
    "Entry",
    "EntryPage",
    "Exported",
    "Head",
    "Proof",
    "ProofRefusedError",
    "Proven",
    "Reason",
    "Roots",
    "VerifyReport",
    "check",
    "check_text",
    "cosign",
    "kept_head",
    "machine_zone",
]

DAILY_ROOTS = 30
_LOCALTIME = Path("/etc/localtime")


class ProofRefusedError(VerificationError):
    """A proof file does not prove what it claims."""

    code = "proof_refused"


class LogBrokenError(VerificationError):
    """The log does not verify."""

    code = "log_broken"

    def __init__(self, report: VerifyReport) -> None:
        super().__init__(
            f"Entry {report.first_bad} cannot be trusted: {report.reason}",
            remedy="Compare with a backup or an export, and rely on nothing from that entry on.",
        )


@dataclass(frozen=True, slots=True)
class EntryPage:
    """Entries, the newest first. next_cursor: pass it as `cursor` for the page before; None at the beginning."""

    entries: tuple[Entry, ...]
    next_cursor: int | None


@dataclass(frozen=True, slots=True)
class Roots:
    """Where the log stands. key: the verifier key, once something was signed. days: daily roots, newest first."""

    head: Head
    key: str | None
    checkpoint: Checkpoint | None
    days: tuple[Checkpoint, ...]


@dataclass(frozen=True, slots=True)
class Proof:
    """The text of a `.tlog-proof` file, the key to check it with, and how much stands behind it."""

    text: str
    key: str
    level: Level


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written, and the checkpoint over it."""

    folder: Path
    files: int
    checkpoint: Checkpoint


@dataclass(frozen=True, slots=True)
class Cosigned:
    """A checkpoint that a witness has signed too, and the witness's key."""

    checkpoint: Checkpoint
    witness_key: str
    seen_before: int


class AuditUseCases:
    """Everything a person can do with the log. zone: whose days are closed; the machine's when left out."""

    def __init__(self, store: "DurableStore[Unit]", log: "SqlAuditLog", zone: tzinfo | None = None) -> None:
        self._store = store
        self._log = log
        self._zone = zone or machine_zone()
        self._service = AuditService(store, log, log.clock)

    def verify(self, kept: Sequence[str] = (), progress: Callable[[int], None] | None = None) -> VerifyReport:
        """Verify everything. kept: heads from elsewhere, `size:root` or the path of a kept checkpoint."""
        return self._service.verify([kept_head(text) for text in kept], progress)

    def size(self) -> int:
        """Return how many entries there are."""
        with self._store.read() as unit:
            return self._log.size(unit)

    def show(
        self, last: int = 20, *, cursor: int | None = None, kind: Kind | None = None, trace_id: str | None = None
    ) -> EntryPage:
        """Return up to `last` entries before `cursor`, of one kind or trace where given."""
        with self._store.read() as unit:
            size = self._log.size(unit)
            before = size if cursor is None else max(0, min(cursor, size))
            rows = self._log.newest(unit, before, last, kind, trace_id)
            checkpoints = self._log.identities.checkpoints(unit)
        found = tuple(_entry(row, checkpoints) for row in rows)
        more = len(rows) == last and rows[-1].seq > 0
        return EntryPage(found, rows[-1].seq if more else None)

    def entry(self, seq: int) -> tuple[Entry, Checkpoint | None]:
        """Return one entry and the checkpoint that proves it. Raises UnknownEntryError."""
        with self._store.read() as unit:
            size = self._log.size(unit)
            row = next(self._log.entries(unit, seq, seq + 1), None) if 0 <= seq < size else None
            if row is None:
                raise UnknownEntryError(seq, size)
            checkpoints = self._log.identities.checkpoints(unit)
        return _entry(row, checkpoints), covering(seq, checkpoints)

    def root(self) -> Roots:
        """Return the head and the latest daily roots."""
        with self._store.read() as unit:
            book = self._log.identities
            signer = book.signer(unit)
            return Roots(
                self._log.head(unit),
                str(signer.key) if signer else None,
                book.latest(unit),
                tuple(book.daily(unit, DAILY_ROOTS)),
            )

    def root_of(self, day: date) -> Checkpoint:
        """Return the daily root of `day`. Raises NotFoundError when it has none."""
        with self._store.read() as unit:
            found = next((c for c in self._log.identities.checkpoints(unit) if c.day == day), None)
        if found is None:
            latest = closable(self._log.clock.now(), self._zone)
            raise NotFoundError(
                f"There is no daily root of {day}.",
                remedy=f"Days up to {latest} can have one, if something happened on them. Try: auritas audit root",
            )
        return found

    def checkpoints(self, count: int, before: int | None = None) -> tuple[tuple[Checkpoint, ...], int | None]:
        """Return checkpoints over fewer than `before` entries, the largest first, and where the next page begins.

        A page holds `count`, and more where several are of one size: a daily root and one that was asked for.
        """
        with self._store.read() as unit:
            every = self._log.identities.checkpoints(unit)
        found = sorted(every, key=lambda each: (each.size, each.created_at), reverse=True)
        left = [each for each in found if before is None or each.size < before]
        smallest = left[:count][-1].size if left else 0
        page = tuple(each for each in left if each.size >= smallest)
        return page, smallest if len(page) < len(left) else None

    async def verifying(self, kept: Sequence[str], steps: "Steps") -> str:
        """Verify everything in a thread, tell its steps, and return what was verified in a sentence.

        Raises LogBrokenError where something cannot be trusted, and as `kept_head` does.
        """
        total = self.size()
        report = await asyncio.to_thread(self.verify, kept, lambda done: steps(done, max(total, done)))
        if not report.ok:
            raise LogBrokenError(report)
        signed = f", signed up to entry {report.checkpoint.size}" if report.checkpoint else ", nothing is signed yet"
        return f"{report.entries:,} entries verified, root {report.root.hex()[:16]}…{signed}."

    def prove(self, seq: int) -> Proof:
        """Return the proof of one entry, signing a checkpoint first when none covers it. Raises UnknownEntryError."""
        proof = self._service.prove(seq)
        _, checkpoint = self.entry(seq)
        key = self.root().key
        if key is None or checkpoint is None:
            raise VerificationError("The signing key of the log is gone.", remedy="Try: auritas audit verify")
        return Proof(proof.encode(), key, checkpoint.level)

    def checkpoint(self, reason: Reason = Reason.DEMAND) -> Checkpoint:
        """Sign the log as it stands, or return the last checkpoint when nothing happened since."""
        return self._service.checkpoint(reason)

    def run_due(self) -> tuple[Checkpoint, ...]:
        """Make the checkpoints that are due: daily roots from 00:05 on, and one every 1,000 entries."""
        return self._service.run_due(self._zone)

    def export(self, folder: Path, progress: Callable[[int], None] | None = None) -> Exported:
        """Write the log as a folder for foreign tools; refs and commitments leave, bodies do not.

        The export is itself an entry. progress: called with files written; `export_files` says how many there will be.
        """
        with self._store.unit() as unit:
            size = self._log.size(unit)
            self._log.append(unit, [LogEvent(Kind.EXPORT, "user", {"what": "audit_log", "size": size})])
        checkpoint = self._service.checkpoint(Reason.EXPORT)
        with self._store.read() as unit:
            entries = map(entry_of, self._log.entries(unit, 0, checkpoint.size))
            parts = files(checkpoint, entries, self._log.tiles(unit, checkpoint.size))
            written = write_export(folder, TreeHead.parse(Note.parse(checkpoint.note).text).origin, parts, progress)
        return Exported(folder, written, checkpoint)

    def export_files(self) -> int:
        """Return about how many files an export has now."""
        return count(self.size())

    def witness(self, folder: Path) -> Cosigned:
        """Have the witness in `folder` cosign the log as it stands, and keep its cosignature with the checkpoint.

        Raises ForkError when the log does not continue what the witness has seen.
        """
        witness = Witness(WitnessFolder(folder, self._log.entropy, self._log.ids), self._log.clock)
        checkpoint = self._service.checkpoint(Reason.WITNESS)
        with self._store.read() as unit:
            key = self._log.identities.signer(unit)
        if key is None:
            raise VerificationError("The signing key of the log is gone.", remedy="Try: auritas audit verify")
        before = witness.size_of(key.name)
        line = witness.add(self._service.continuation(before, checkpoint), key.key)
        cosigned = self._service.add_cosignature(checkpoint, line, witness.key)
        return Cosigned(cosigned, str(witness.key), before)


def check(file: Path, key: str, witness_keys: Sequence[str] = ()) -> Proven:
    """Check a proof file against verifier keys, without any store. Raises ProofRefusedError, or InvalidError."""
    try:
        return check_proof(file.read_bytes(), key, witness_keys)
    except OSError as error:
        raise NotFoundError(f"{file} cannot be read ({error.strerror}).", remedy="Name a .tlog-proof file.") from None
    except KeyMalformed as error:
        raise InvalidError(str(error), remedy="`auritas audit root` prints the key of a log.") from None
    except ProofRefused as refusal:
        raise ProofRefusedError(str(refusal), remedy="Do not rely on this file.") from None


def check_text(proof: str, key: str, witness_keys: Sequence[str] = ()) -> Proven:
    """Check the text of a proof as `check` does a file."""
    try:
        return check_proof(proof.encode("utf-8", "replace"), key, witness_keys)
    except KeyMalformed as error:
        raise InvalidError(str(error), remedy="The key of this log is shown with its root.") from None
    except ProofRefused as refusal:
        raise ProofRefusedError(str(refusal), remedy="Do not rely on this proof.") from None


def cosign(folder: Path, request: Path, key: str) -> str:
    """Let the witness in `folder` answer an add-checkpoint request from a file, without any store.

    key: the verifier key of the log that asks. Returns the signature line.
    """
    clock = SystemClock()
    memory = WitnessFolder(folder, SystemEntropy(), TimeOrderedIds(clock, SeededRng()))
    return Witness(memory, clock).add(AddCheckpoint.parse(_text(request)), VerifierKey.parse(key))


def kept_head(text: str) -> TreeHead:
    """Read a head that was kept elsewhere: `size:root` with the root in hex, or the path of a checkpoint file.

    Raises InvalidError when it is neither.
    """
    size, colon, root = text.partition(":")
    try:
        if not colon:
            return TreeHead.parse(Note.parse(_text(Path(text))).text)
        head = TreeHead("", decimal(size), bytes.fromhex(root))
        if len(head.root) == HASH_BYTES:
            return head
    except (ValueError, MalformedError):
        pass
    raise InvalidError(f"{text!r} is no head.", remedy="Give size:root as `auritas audit root` prints it, or a file.")


def machine_zone() -> tzinfo:
    """Return the machine's time zone with its rules for summer time, or UTC where it does not tell."""
    try:
        with _LOCALTIME.open("rb") as file:
            return ZoneInfo.from_file(file, key="localtime")
    except (OSError, ValueError):
        return UTC


def _entry(row: StoredEntry, checkpoints: Sequence[Checkpoint]) -> Entry:
    try:
        refs, ts = dict(json.loads(row.refs)), moment(row.created_at)
        f"{row.event_type}{row.actor}{row.refs}{row.details}".encode()  # bytes that are no text cannot be shown
    except (ValueError, TypeError, RecursionError):
        raise VerificationError(f"Entry {row.seq} is damaged.", remedy="Try: auritas audit verify") from None
    return Entry(
        seq=row.seq,
        ts=ts,
        kind=row.event_type,
        actor=row.actor,
        refs=refs,
        body_commit=row.details,
        leaf_hash=row.leaf_hash,
        level=level_of(row.seq, checkpoints),
        erased=row.details is not None and row.body is None,
    )


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise NotFoundError(f"{path} cannot be read ({error.strerror}).", remedy="Name a file that exists.") from None
    except UnicodeDecodeError:
        raise MalformedError(f"{path} is not text.") from None
