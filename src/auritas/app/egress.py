"""What has left the machine: the egress ledger, page by page and in totals."""

from dataclasses import dataclass
from datetime import datetime

from auritas.gateway.adapters import egress_sql
from auritas.gateway.model import EgressRecord
from auritas.kernel.clock import from_timestamp, timestamp
from auritas.kernel.errors import InvalidError
from auritas.kernel.ports import Store
from auritas.store.unit import Unit

PAGE = 50
_MAX_PAGE = 1_000


@dataclass(frozen=True, slots=True)
class EgressPage:
    """Some records, newest first, and the cursor of the next page, if there is one."""

    records: tuple[EgressRecord, ...]
    next: str | None


@dataclass(frozen=True, slots=True)
class HostTotal:
    """What went to one host on one day (UTC). loopback: it never left the machine."""

    day: str
    host: str
    loopback: bool
    requests: int
    bytes_out: int


class EgressView:
    """Reads the ledger. Nothing here writes."""

    def __init__(self, store: Store[Unit]) -> None:
        self._store = store

    def page(
        self,
        *,
        size: int = PAGE,
        cursor: str | None = None,
        since: datetime | None = None,
        model: str | None = None,
    ) -> EgressPage:
        """Return one page. Each record is on exactly one, also when several have the same time.

        Raises InvalidError on a cursor that is none of ours and on a size out of 1 to 1,000.
        """
        if not 1 <= size <= _MAX_PAGE:
            raise InvalidError(f"A page holds 1 to {_MAX_PAGE} records, not {size}.")
        before = None if cursor is None else _position(cursor)
        with self._store.read() as unit:
            found = egress_sql.page(unit, size=size + 1, before=before, since=since, model=model)
        records = tuple(found[:size])
        more = len(found) > size
        return EgressPage(records, f"{timestamp(records[-1].at)}|{records[-1].id}" if more else None)

    def totals(self, *, since: datetime | None = None, model: str | None = None) -> tuple[HostTotal, ...]:
        """Return requests and bytes by day and host, newest day first."""
        with self._store.read() as unit:
            return tuple(HostTotal(*row) for row in egress_sql.totals(unit, since=since, model=model))


def _position(cursor: str) -> tuple[str, str]:
    at, _, record_id = cursor.partition("|")
    try:
        return timestamp(from_timestamp(at)), record_id
    except ValueError:
        raise InvalidError(f"{cursor!r} is no cursor.", remedy="Use the one that a page ended with.") from None
