"""Full verification of a stored log: it trusts nothing but the key, reads each row once and keeps little in memory.

Each row is recomputed from its own columns and the row before it. Every 256 rows the tree grows by a tile, which is
compared with the stored one: a rewritten history differs there at the exact entry. Where a checkpoint ends, its root is
compared with the recomputed one, and the entry that announced it must be there, and the other way round.
"""

import json
from collections.abc import Callable, Iterable, Iterator

from auritas.audit import entry as entries
from auritas.audit.errors import EntryRefusedError, MalformedError, SignatureError
from auritas.audit.growth import Expected, Fault, GrowingTree, StoredTiles
from auritas.audit.model import Checkpoint, StoredEntry, VerifyReport
from auritas.audit.note import Note, VerifierKey
from auritas.audit.policy import ERASED_SEQS, erased
from auritas.audit.proof import TreeHead
from auritas.audit.tiles import TILE_WIDTH
from auritas.audit.tree import leaf_hash
from auritas.kernel.clock import timestamp
from auritas.kernel.errors import InvalidError
from auritas.kernel.log import Kind, Level

Progress = Callable[[int], None]

_parse = json.JSONDecoder().raw_decode
_CHECKPOINT, _ERASED = Kind.CHECKPOINT.value, Kind.ERASED.value


def verify(
    rows: Iterable[StoredEntry], tiles: StoredTiles, expected: Expected, progress: Progress | None = None
) -> VerifyReport:
    """Verify every column of every row, all tiles and all checkpoints; `rows` come in the order of seq.

    progress: called with the number of verified entries, once per tile.
    """
    chain = _Chain(expected)
    tree = GrowingTree(tiles, expected)
    read, faults = _scan(iter(rows), chain, tree, progress)
    worst = min(faults, key=lambda fault: fault.seq, default=None)
    return VerifyReport(
        ok=worst is None,
        entries=read,
        root=tree.root(),
        checkpoint=tree.best,
        first_bad=worst.seq if worst else None,
        reason=worst.reason if worst else "",
    )


def _scan(
    rows: Iterator[StoredEntry], chain: "_Chain", tree: GrowingTree, progress: Progress | None
) -> tuple[int, list[Fault]]:
    read = 0
    try:
        for row in rows:
            read += 1
            tree.add(chain.leaf(row))
            if progress is not None and not chain.size % TILE_WIDTH:
                progress(chain.size)
    except Fault as fault:
        # entries before it may be in doubt too: a tile that was not completed, a body that no later entry erased
        read += chain.excuse(rows)
        return read, [fault, *_raised(tree.check_rest), *chain.unexplained()]
    return read, [*_raised(tree.check_end), *chain.unexplained(), *chain.unannounced()]


def _raised(check: Callable[[], None]) -> list[Fault]:
    try:
        check()
    except Fault as fault:
        return [fault]
    return []


class _Chain:
    """Rows, one after the other: content, chain, derived columns, bodies and the checkpoints that they announce."""

    def __init__(self, expected: Expected) -> None:
        self.size = 0
        self._previous = entries.CHAIN_START
        self._key = expected.key
        self._announced: dict[tuple[str, ...], Checkpoint] = {}
        self._strange = [*expected.damaged]
        for checkpoint in expected.checkpoints:
            if self._announced.setdefault(_name_of(checkpoint), checkpoint) is not checkpoint:
                self._strange.append(checkpoint.size)  # one announcement cannot stand for two
        self._bodiless: set[int] = set()
        self._time = ("", "")

    def leaf(self, row: StoredEntry) -> bytes:
        """Return the leaf hash of the next row. Raises Fault when anything in the row is not as it must be."""
        seq, kind, refs_text, leaf = row.seq, row.event_type, row.refs, row.leaf_hash
        if seq != self.size:
            raise Fault(self.size, f"entry {self.size} is missing; entry {seq} follows")
        try:
            entry = entries.entry_bytes(seq, row.created_at, kind, row.actor, refs_text, row.details)
        except UnicodeEncodeError:
            raise Fault(seq, "it holds bytes that are no text") from None
        if leaf_hash(entry) != leaf:
            raise Fault(seq, "its content does not match its hash")
        if row.prev_hash != self._previous:
            raise Fault(seq, "it does not follow the entry before it")
        self._previous = entries.chained(self._previous, entry)
        if row.curr_hash != self._previous:
            raise Fault(seq, "its link to the next entry is wrong")
        self._check_columns(row)
        self._check_body(row)
        self.size += 1
        return leaf

    def _id_time(self, ts: str) -> str:
        if self._time[0] != ts:
            self._time = (ts, entries.id_time(ts))
        return self._time[1]

    def _check_columns(self, row: StoredEntry) -> None:
        try:
            refs, end = _parse(row.refs)
            derived = entries.columns(refs)
            row_id = entries.entry_id(self._id_time(row.created_at), row.leaf_hash)
        except (ValueError, AttributeError, TypeError, RecursionError, EntryRefusedError):
            raise Fault(row.seq, "its refs or its time cannot be read") from None
        if row.id != row_id:
            raise Fault(row.seq, "its id does not belong to it")
        if end != len(row.refs) or row[9:17] != derived:  # session_id … latency_ms, in the order of StoredEntry
            raise Fault(row.seq, "a column says something else than its refs")
        if row.event_type == _CHECKPOINT:
            self._check_announcement(row, refs)
        elif row.event_type == _ERASED:
            self._check_erasure(row.seq, refs.get(ERASED_SEQS))

    def _check_body(self, row: StoredEntry) -> None:
        salt, body = row.salt, row.body
        if row.details is None:
            if salt is not None or body is not None:
                raise Fault(row.seq, "it has a body to which it never committed")
        elif salt is None or body is None:
            if salt is not None or body is not None:
                raise Fault(row.seq, "its body or its salt is gone, the other is left")
            self._bodiless.add(row.seq)
        elif len(salt) != entries.SALT_BYTES or _commitment(salt, body) != row.details:
            raise Fault(row.seq, "its body is not the one it committed to")

    def _check_erasure(self, seq: int, named: object) -> None:
        try:
            ranges = erased(named)
        except ValueError:
            raise Fault(seq, "it does not say what was erased") from None
        for span in ranges:
            for target in span:
                if target not in self._bodiless:
                    raise Fault(min(target, seq), f"entry {seq} names it as erased, but it is not")
                self._bodiless.discard(target)

    def _check_announcement(self, row: StoredEntry, refs: dict[str, object]) -> None:
        if self._key is None or refs.get("key") != self._key.id.hex():
            raise Fault(row.seq, "it announces a checkpoint under another key than the store holds")
        checkpoint = self._announced.pop(_name(*map(refs.get, ("size", "root", "reason", "day")), row.created_at), None)
        if checkpoint is None:
            raise Fault(row.seq, "the checkpoint that it announces is gone or changed")
        problem = note_problem(checkpoint, self._key)
        if problem:
            raise Fault(row.seq, problem)

    def excuse(self, rows: Iterator[StoredEntry]) -> int:
        """Take back doubts about missing bodies that a later entry, itself unverified, names as erased.

        Returns how many rows there were.
        """
        read = 0
        for row in rows:
            read += 1
            if row.event_type == _ERASED:
                try:
                    named = erased(json.loads(row.refs)[ERASED_SEQS])
                except (ValueError, KeyError, TypeError, RecursionError):
                    continue
                for span in named:
                    self._bodiless -= _within(self._bodiless, span)
        return read

    def unexplained(self) -> list[Fault]:
        """Return a fault for the first entry whose body is gone though nobody erased it."""
        first = sorted(self._bodiless)[:1]
        return [Fault(seq, "its body is gone, and no entry says that it was erased") for seq in first]

    def unannounced(self) -> list[Fault]:
        """Return a fault for each checkpoint that no entry announced, and for each that cannot be read."""
        sizes = [*(checkpoint.size for checkpoint in self._announced.values()), *self._strange]
        return [
            Fault(max(0, min(size, self.size)), "a checkpoint is stored that no entry announces, or that is damaged")
            for size in sizes
        ]


def _commitment(salt: bytes, body: str) -> str | None:
    try:
        return entries.commitment(salt, body)
    except EntryRefusedError:
        return None  # bytes that are no text: nobody can have committed to them


def _within(seqs: set[int], span: range) -> set[int]:
    """Return those of `seqs` that lie in `span`, which may be far longer: nobody has verified it."""
    if span.stop - span.start < len(seqs):
        return seqs.intersection(span)
    return {seq for seq in seqs if seq in span}


def note_problem(checkpoint: Checkpoint, key: VerifierKey) -> str:
    """Return what is wrong with the note of a stored checkpoint, or an empty string."""
    try:
        note = Note.parse(checkpoint.note)
        head = TreeHead.parse(note.text)
        note.signed_by([key])
        if checkpoint.witness is not None:
            note.signed_by([VerifierKey.parse(checkpoint.witness)])
    except (MalformedError, SignatureError, InvalidError) as error:
        return f"its checkpoint is not signed as it should be: {error.message}"
    if head != TreeHead(key.name, checkpoint.size, checkpoint.root):
        return "the signed note of its checkpoint says something else"
    proven = Level.SIGNED if checkpoint.witness is None else Level.WITNESSED
    return "" if checkpoint.level is proven else f"its checkpoint claims to be {checkpoint.level}, it is {proven}"


def _name_of(checkpoint: Checkpoint) -> tuple[str, ...]:
    return _name(
        checkpoint.size,
        checkpoint.root.hex(),
        checkpoint.reason.value,
        checkpoint.day and checkpoint.day.isoformat(),
        timestamp(checkpoint.created_at),
    )


def _name(*parts: object) -> tuple[str, ...]:
    """Return what ties a checkpoint to the entry that announces it."""
    return tuple(map(str, parts))
