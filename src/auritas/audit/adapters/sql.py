"""The log in the store: appending, erasing, and reading back for proofs and verification."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from sqlalchemy import Connection, bindparam, select, update

from auritas.audit.adapters.identity import Identities
from auritas.audit.adapters.tiles import SqlTiles, grow
from auritas.audit.entry import (
    CHAIN_START,
    SALT_BYTES,
    admit,
    chained,
    entry_id,
    id_time,
    seal,
)
from auritas.audit.errors import UnprovableError
from auritas.audit.model import Head, StoredEntry
from auritas.audit.policy import ERASED_SEQS, erasures, reason_code
from auritas.audit.tiles import TILE_WIDTH, TileNodes
from auritas.audit.tree import leaf_hash, root
from auritas.kernel.clock import Clock, timestamp
from auritas.kernel.errors import InvalidError
from auritas.kernel.ids import Ids
from auritas.kernel.log import Kind, LogEvent, Receipt
from auritas.kernel.randomness import Entropy
from auritas.store.engine import plain_rows
from auritas.store.schema import audit_log as log
from auritas.store.unit import Unit

_PAGE = 256
_COLUMNS = [log.c[name] for name in StoredEntry._fields]
# Appending and verifying move whole rows by the hundred thousand: as plain tuples they take half the time.
_NAMES = ", ".join(StoredEntry._fields)
_INSERT = f"INSERT INTO audit_log ({_NAMES}) VALUES ({', '.join('?' * len(_COLUMNS))})"  # noqa: S608  constants
_SELECT = f"SELECT {_NAMES} FROM audit_log WHERE seq >= ? AND seq < ? ORDER BY seq LIMIT ?"  # noqa: S608  constants
_LAST = "SELECT seq, curr_hash FROM audit_log ORDER BY seq DESC LIMIT 1"
_ALL = 2**63 - 1
_NONE_BEFORE = -(2**63)
"""Below every number: a verifier must see what should not be there."""


@dataclass(frozen=True, slots=True)
class _Tail:
    """The end of the log: enough to append to it. leaves: hashes of the tile that is not full yet."""

    size: int = 0
    chain: bytes = CHAIN_START
    leaves: tuple[bytes, ...] = field(default=())


class SqlAuditLog:
    """Implements `kernel.log.Log` on the store's tables, and gives the parts of a log to whoever proves or verifies."""

    def __init__(self, clock: Clock, entropy: Entropy, ids: Ids) -> None:
        self.clock = clock
        self.entropy = entropy
        self.ids = ids
        self.appended = 0
        """Entries that this process has added; a process that only read has nothing to sign."""
        self._tail = _Tail()
        self.identities = Identities(clock, entropy, ids)

    def append(self, unit: Unit, events: Sequence[LogEvent]) -> tuple[Receipt, ...]:
        """Append in order, inside the unit's transaction; nothing is visible before the unit commits.

        Raises EntryRefusedError or InvalidError when an event cannot become an entry; then nothing is written.
        """
        if not events:
            return ()
        tail = self._end(unit.connection)
        ts = timestamp(self.clock.now())
        rows, chain = self._rows(events, tail, ts)
        unit.connection.exec_driver_sql(_INSERT, rows)
        leaves = [*tail.leaves, *(row.leaf_hash for row in rows)]
        rest = grow(unit.connection, tail.size // TILE_WIDTH, leaves)
        self._tail = _Tail(tail.size + len(rows), chain, tuple(rest))
        self.appended += len(rows)
        return tuple(Receipt(row.seq) for row in rows)

    def erase(self, unit: Unit, seqs: Sequence[int], reason: str, *, actor: str = "user") -> tuple[Receipt, ...]:
        """Remove the bodies and salts of `seqs` for good and append the `erased` entry that says so.

        reason: a short code. Entries without a body are left out; when none is left, nothing is written. The words
        linger in the write-ahead log until the store's `empty_wal`. Raises EntryRefusedError for another reason.
        """
        code = reason_code(reason)
        held = [seq for seq in sorted(set(seqs)) if self._has_body(unit.connection, seq)]
        if not held:
            return ()
        unit.connection.execute(
            update(log).where(log.c.seq == bindparam("erased_seq")).values(body=None, salt=None),
            [{"erased_seq": seq} for seq in held],
        )
        events = [LogEvent(Kind.ERASED, actor, {ERASED_SEQS: text, "reason": code}) for text in erasures(held)]
        return self.append(unit, events)

    def head(self, unit: Unit) -> Head:
        """Return the log as the unit sees it."""
        size, chain = self._last(unit.connection)
        return Head(size, self.root(unit, size), chain)

    def size(self, unit: Unit) -> int:
        """Return how many entries there are."""
        return self._last(unit.connection)[0]

    def root(self, unit: Unit, size: int) -> bytes:
        """Return the root over the first `size` entries. Raises UnprovableError when a tile under it is gone."""
        try:
            return root(size, self.nodes(unit, size))
        except InvalidError:
            raise UnprovableError(size - 1) from None

    def nodes(self, unit: Unit, size: int) -> TileNodes:
        """Return the tree over the first `size` entries, read from tiles."""
        return TileNodes(SqlTiles(unit.connection, size))

    def tiles(self, unit: Unit, size: int) -> SqlTiles:
        """Return the stored tiles, cut to the first `size` entries."""
        return SqlTiles(unit.connection, size)

    def entries(self, unit: Unit, start: int = _NONE_BEFORE, end: int | None = None) -> Iterator[StoredEntry]:
        """Yield the rows [start, end) in order, a page at a time."""
        stop = _ALL if end is None else end
        while page := plain_rows(unit.connection, _SELECT, (start, stop, _PAGE)):
            yield from map(StoredEntry._make, page)
            start = page[-1][0] + 1

    def newest(
        self, unit: Unit, before: int, count: int, kind: Kind | None = None, trace_id: str | None = None
    ) -> list[StoredEntry]:
        """Return up to `count` rows with seq < `before`, the newest first, of one kind or trace where given."""
        query = select(*_COLUMNS).where(log.c.seq < before).order_by(log.c.seq.desc()).limit(count)
        if kind is not None:
            query = query.where(log.c.event_type == kind)
        if trace_id is not None:
            query = query.where(log.c.trace_id == trace_id)
        return [StoredEntry._make(row) for row in unit.connection.execute(query)]

    def leaves(self, unit: Unit) -> Iterator[bytes]:
        """Yield the stored leaf hashes in order."""
        result = unit.connection.execute(
            select(log.c.leaf_hash).order_by(log.c.seq), execution_options={"yield_per": _PAGE}
        )
        for page in result.scalars().partitions():
            yield from page

    def first_at(self, unit: Unit, start: int, ts: str) -> int | None:
        """Return the smallest seq from `start` on whose time is `ts` or later."""
        query = select(log.c.seq).where(log.c.seq >= start, log.c.created_at >= ts).order_by(log.c.seq).limit(1)
        return unit.connection.execute(query).scalar()

    def news_since(self, unit: Unit, size: int) -> bool:
        """Whether anything but checkpoints was appended after the first `size` entries."""
        query = select(log.c.seq).where(log.c.seq >= size, log.c.event_type != Kind.CHECKPOINT).limit(1)
        return unit.connection.execute(query).first() is not None

    def _rows(self, events: Sequence[LogEvent], tail: _Tail, ts: str) -> tuple[list[StoredEntry], bytes]:
        salts = self.entropy.token(SALT_BYTES * len(events))
        stamp, chain, rows = id_time(ts), tail.chain, []
        for offset, event in enumerate(events):
            seq = tail.size + offset
            salt = salts[offset * SALT_BYTES : (offset + 1) * SALT_BYTES]
            sealed = seal(event, salt)
            entry = admit(seq, ts, sealed)
            leaf, previous = leaf_hash(entry), chain
            chain = chained(previous, entry)
            kept = (salt, event.body) if event.body else (None, None)
            lasting = (sealed.kind, sealed.actor, sealed.refs, sealed.commit)
            row = (seq, entry_id(stamp, leaf), ts, *lasting, *kept, *sealed.columns, previous, chain, leaf)
            rows.append(StoredEntry._make(row))
        return rows, chain

    def _end(self, connection: Connection) -> _Tail:
        """Return the end of the log as this transaction sees it: memory is trusted only where the file agrees."""
        size, chain = self._last(connection)
        if (size, chain) != (self._tail.size, self._tail.chain):
            query = select(log.c.leaf_hash).where(log.c.seq >= size - size % TILE_WIDTH).order_by(log.c.seq)
            return _Tail(size, chain, tuple(connection.execute(query).scalars()))
        return self._tail

    def _last(self, connection: Connection) -> tuple[int, bytes]:
        last = connection.exec_driver_sql(_LAST).first()
        return (0, CHAIN_START) if last is None else (last[0] + 1, last[1])

    def _has_body(self, connection: Connection, seq: int) -> bool:
        query = select(log.c.seq).where(log.c.seq == seq, log.c.body.is_not(None))
        return connection.execute(query).first() is not None
