"""A real encrypted store with its log, and a client on top of it."""

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pytest

from auritas.app.egress import EgressView
from auritas.app.models import RemoteModels, connector
from auritas.audit.adapters.sql import SqlAuditLog
from auritas.gateway.adapters.egress_sql import SqlEgress
from auritas.gateway.adapters.http import Http
from auritas.gateway.adapters.keys import StoredKeys
from auritas.kernel.clock import Clock, SystemClock
from auritas.kernel.ids import TimeOrderedIds
from auritas.kernel.randomness import SeededRng, SystemEntropy
from auritas.store.database import SqlStore
from auritas.store.secret import Secret


class MemoryKeyring:
    """The operating system's keyring, in a dictionary."""

    def __init__(self) -> None:
        self.kept: dict[str, str] = {}

    def get(self, name: str) -> str | None:
        return self.kept.get(name)

    def put(self, name: str, value: str) -> None:
        self.kept[name] = value

    def remove(self, name: str) -> None:
        self.kept.pop(name, None)


@dataclass
class Desk:
    """Everything that stands between the user and models elsewhere."""

    store: SqlStore
    clock: Clock

    @cached_property
    def log(self) -> SqlAuditLog:
        return SqlAuditLog(self.clock, SystemEntropy(), self._ids)

    @cached_property
    def _ids(self) -> TimeOrderedIds:
        return TimeOrderedIds(self.clock, SeededRng(3))

    @cached_property
    def ledger(self) -> SqlEgress:
        return SqlEgress(self.store, self.log, ids=self._ids, clock=self.clock, entropy=SystemEntropy())

    @cached_property
    def view(self) -> EgressView:
        return EgressView(self.store)

    @cached_property
    def http(self) -> Http:
        return Http(self.ledger)

    @cached_property
    def keyring(self) -> MemoryKeyring:
        return MemoryKeyring()

    @cached_property
    def keys(self) -> StoredKeys:
        return StoredKeys(self.store, self.clock, self.keyring)

    @cached_property
    def remote(self) -> RemoteModels:
        connect = connector(self.http, self.ledger, self.keys, self.clock)
        return RemoteModels(self.store, self.log, keys=self.keys, connect=connect, clock=self.clock)


@pytest.fixture
def provider_store(tmp_path: Path) -> Iterator[SqlStore]:
    with SqlStore.open(tmp_path / "home", Secret(SystemEntropy().token(32))) as store:
        yield store


@pytest.fixture
async def desk(provider_store: SqlStore) -> AsyncIterator[Desk]:
    found = Desk(provider_store, SystemClock())
    yield found
    await found.http.aclose()
