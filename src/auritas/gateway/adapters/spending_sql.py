"""What each day has cost, kept in the encrypted file so that a restart does not refill the budget."""

import json

from sqlalchemy import select
from sqlalchemy.dialects.sqlite import insert

from auritas.gateway.adapters.egress_sql import Writes
from auritas.gateway.model import Spend
from auritas.kernel.clock import Clock, timestamp
from auritas.store.schema import local_settings
from auritas.store.unit import Unit


class SqlSpend:
    """Implements the port `SpendLedger` with one row of local_settings per day."""

    def __init__(self, store: Writes, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def spent(self, day: str) -> Spend:
        return await self._store.write(lambda unit: _read(unit, day))

    async def add(self, day: str, spend: Spend) -> None:
        now = timestamp(self._clock.now())

        def work(unit: Unit) -> None:
            total = _read(unit, day) + spend
            value = json.dumps({"tokens": total.tokens, "micros": total.micros})
            row = {"key": _key(day), "value": value, "updated_at": now}
            changed = {"value": value, "updated_at": now}
            unit.connection.execute(
                insert(local_settings).values(row).on_conflict_do_update(index_elements=["key"], set_=changed)
            )

        await self._store.write(work)


def _key(day: str) -> str:
    return f"gateway.spent.{day}"


def _read(unit: Unit, day: str) -> Spend:
    query = select(local_settings.c.value).where(local_settings.c.key == _key(day))
    value = unit.connection.execute(query).scalar_one_or_none()
    return Spend(**json.loads(value)) if value else Spend()
