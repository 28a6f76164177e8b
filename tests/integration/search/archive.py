"""An encrypted store with conversations in it, and the index over them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from auritas.kernel.clock import ManualClock
from auritas.kernel.diagnostics import KeptDiagnostics
from auritas.search.adapters.health_sql import health, is_sound
from auritas.search.adapters.index_sql import SqlWordIndex
from auritas.search.adapters.search_sql import SqlSearch
from auritas.search.model import Found, Health, IndexPart
from auritas.search.query import read
from auritas.search.service import Indexer
from auritas.store import SqlStore, Unit
from auritas.store.schema import conversations
from auritas.store.secret import Secret

KEY = Secret(b"\x17" * 32)
NEW_YEAR = "2026-01-01T00:00:00.000000Z"


@dataclass
class Archive:
    """What was said, and the search in it."""

    folder: Path
    parts: Sequence[IndexPart[Unit]] = ()
    clock: ManualClock = field(default_factory=ManualClock)
    diagnostics: KeptDiagnostics = field(default_factory=KeptDiagnostics)
    index: Any = field(default_factory=SqlWordIndex)

    def __post_init__(self) -> None:
        self.store = SqlStore.open(self.folder, KEY)

    def indexer(self) -> Indexer[Unit]:
        return Indexer(self.store, self.index, self.parts, self.clock, self.diagnostics)

    def talk(self, name: str, *said: str, title: str = "", at: str = NEW_YEAR, **more: str) -> None:
        """Write a conversation; its messages are called name-0, name-1 and so on."""
        row = {"conversation_id": name, "title": title, "created_at": at, "updated_at": at}
        with self.store.unit() as unit:
            unit.connection.execute(conversations.insert().values(row | more))
        self.say(name, *said, at=at)

    def say(self, name: str, *said: str, at: str = NEW_YEAR, first: int = 0) -> None:
        for number, text in enumerate(said, first):
            self.run(
                "INSERT INTO messages (message_id, conversation_id, role, content, created_at) VALUES (?, ?, ?, ?, ?)",
                *(f"{name}-{number}", name, "assistant" if number % 2 else "user", text, at),
            )

    def run(self, statement: str, *values: Any) -> None:
        with self.store.unit() as unit:
            unit.connection.exec_driver_sql(statement, values)

    def rows(self, statement: str, *values: Any) -> list[Any]:
        with self.store.read() as unit:
            return list(unit.connection.exec_driver_sql(statement, values).all())

    def catch_up(self) -> int:
        return self.indexer().catch_up().done

    def find(self, text: str, *, entered: bool = False, limit: int = 10) -> Found:
        self.catch_up()
        return self.look(text, entered=entered, limit=limit)

    def look(self, text: str, *, entered: bool = False, limit: int = 10) -> Found:
        """Search without indexing first."""
        with self.store.read() as unit:
            return SqlSearch().find(unit, read(text, entered=entered), limit)

    def names(self, text: str, *, entered: bool = False) -> list[str]:
        return [hit.conversation_id for hit in self.find(text, entered=entered).conversations]

    def health(self) -> Health:
        with self.store.read() as unit:
            return health(unit, self.clock)

    @property
    def sound(self) -> bool:
        with self.store.unit() as unit:
            return is_sound(unit)

    def close(self) -> None:
        self.store.close()
