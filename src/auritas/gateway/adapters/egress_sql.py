"""The egress ledger in the encrypted file: a row and an audit entry in one unit, committed before anything is sent."""

import hashlib
import hmac
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Protocol, TypeVar

from sqlalchemy import Row, Select, and_, bindparam, func, insert, or_, select, update

from auritas.gateway.model import EgressRecord, Outbound
from auritas.kernel.canonical import canonical
from auritas.kernel.clock import Clock, from_timestamp, timestamp
from auritas.kernel.ids import Ids
from auritas.kernel.log import Kind, Log, LogEvent
from auritas.kernel.randomness import Entropy
from auritas.store.schema import egress
from auritas.store.unit import Unit

T = TypeVar("T")

_SALT_BYTES = 16
# Built once: building a statement costs more than running it.
_INSERT = insert(egress)
_SETTLE = update(egress).where(egress.c.id == bindparam("record")).values(status=bindparam("answer"))


class Writes(Protocol):
    """The part of the store that commits one piece of work, grouped with what others write at the same moment."""

    async def write(self, work: Callable[[Unit], T]) -> T:
        """Run `work` in a transaction and return its result once that is committed."""


class SqlEgress:
    """Implements the port `EgressLedger`."""

    def __init__(self, store: Writes, log: Log[Unit], *, ids: Ids, clock: Clock, entropy: Entropy) -> None:
        self._store = store
        self._log = log
        self._ids = ids
        self._clock = clock
        self._entropy = entropy

    async def record(self, outbound: Outbound) -> str:
        salt = self._entropy.token(_SALT_BYTES)
        row = {
            "id": self._ids.new(),
            "at": timestamp(self._clock.now()),
            "url_host": outbound.host,
            "url": outbound.url,
            "method": outbound.method,
            "model": outbound.model,
            "purpose": outbound.purpose.why,
            "query_id": outbound.purpose.query_id,
            "conversation_id": outbound.purpose.conversation_id,
            "bytes_out": outbound.bytes_out,
            "commitment": commitment(salt, outbound.content),
            "salt": salt,
            "loopback": outbound.loopback,
        }
        event = _event(row)

        def work(unit: Unit) -> None:
            (receipt,) = self._log.append(unit, [event])
            unit.connection.execute(_INSERT, row | {"audit_seq": receipt.seq})

        await self._store.write(work)
        return str(row["id"])

    async def settle(self, record_id: str, status: str) -> None:
        def work(unit: Unit) -> None:
            unit.connection.execute(_SETTLE, {"record": record_id, "answer": status})

        await self._store.write(work)


def commitment(salt: bytes, content: bytes) -> bytes:
    """Return HMAC-SHA-256(salt, content), which binds the ledger to what was sent without holding it."""
    return hmac.new(salt, content, hashlib.sha256).digest()


def page(
    unit: Unit, *, size: int, before: tuple[str, str] | None, since: datetime | None, model: str | None
) -> list[EgressRecord]:
    """Return up to `size` records, newest first, that are older than the cursor (at, id)."""
    query = _filtered(select(egress), since, model)
    if before is not None:
        at, record_id = before
        query = query.where(or_(egress.c.at < at, and_(egress.c.at == at, egress.c.id < record_id)))
    rows = unit.connection.execute(query.order_by(egress.c.at.desc(), egress.c.id.desc()).limit(size))
    return [_record(row) for row in rows]


def totals(unit: Unit, *, since: datetime | None, model: str | None) -> list[tuple[str, str, bool, int, int]]:
    """Return (day, host, loopback, requests, bytes) for each day of UTC and host, newest day first."""
    day = func.substr(egress.c.at, 1, len("2026-01-01"))
    query = _filtered(
        select(day, egress.c.url_host, egress.c.loopback, func.count(), func.sum(egress.c.bytes_out)), since, model
    )
    grouped = query.group_by(day, egress.c.url_host, egress.c.loopback).order_by(day.desc(), egress.c.url_host)
    return [(row[0], row[1], bool(row[2]), int(row[3]), int(row[4])) for row in unit.connection.execute(grouped)]


def _filtered(query: Select[Any], since: datetime | None, model: str | None) -> Select[Any]:
    if since is not None:
        query = query.where(egress.c.at >= timestamp(since))
    if model is not None:
        query = query.where(egress.c.model == model)
    return query


def _event(row: Mapping[str, object]) -> LogEvent:
    """The refs hold ids and numbers, the body what could be words; together they cover every column of the row."""
    content = row["commitment"]
    refs = {
        "egress_id": str(row["id"]),
        "query_id": None if row["query_id"] is None else str(row["query_id"]),
        "conversation_id": None if row["conversation_id"] is None else str(row["conversation_id"]),
        "bytes_out": int(str(row["bytes_out"])),
        "loopback": bool(row["loopback"]),
        "commitment": content.hex() if isinstance(content, bytes) else "",
    }
    body = {name: str(row[name]) for name in ("at", "method", "url_host", "url", "model", "purpose")}
    return LogEvent(Kind.EGRESS, "system", refs, canonical(body).decode())


def _record(row: Row[Any]) -> EgressRecord:
    columns = row._mapping  # noqa: SLF001  the public accessor of SQLAlchemy rows, despite its name
    return EgressRecord(
        id=columns["id"],
        at=from_timestamp(columns["at"]),
        method=columns["method"],
        host=columns["url_host"],
        url=columns["url"],
        model=columns["model"] or "",
        why=columns["purpose"],
        query_id=columns["query_id"],
        conversation_id=columns["conversation_id"],
        bytes_out=columns["bytes_out"],
        commitment=columns["commitment"],
        loopback=bool(columns["loopback"]),
        status=columns["status"],
        audit_seq=columns["audit_seq"],
    )
