"""Tokens and sessions as rows of the table `tokens`, and the passphrases of further persons among the secrets."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from threading import Lock
from typing import Any

from sqlalchemy import Row, insert, select, update
from sqlalchemy.dialects.sqlite import insert as insert_or_leave

from auritas.kernel.clock import from_timestamp
from auritas.store.database import SqlStore
from auritas.store.engine import typed_errors
from auritas.store.errors import StoreClosedError
from auritas.store.schema import secrets, tokens
from auritas.store.unit import Unit

API, BROWSER = "api", "browser"
_PERSON = "person:"
_FIND = (
    "SELECT token_id, name, owner, token_hash, scopes, created_at, expires_at, last_used_at, revoked_at, kind "
    "FROM tokens WHERE token_hash = ?"
)


@dataclass(frozen=True, slots=True)
class TokenRow:
    """One token or session; times as `kernel.clock.timestamp` writes them."""

    token_id: str
    name: str
    owner: str
    token_hash: bytes
    scopes: tuple[str, ...]
    created_at: str
    expires_at: str | None
    last_used_at: str | None
    revoked_at: str | None
    kind: str

    def alive(self, now: datetime) -> bool:
        """Whether it is neither revoked nor past its time."""
        return self.revoked_at is None and (self.expires_at is None or now < from_timestamp(self.expires_at))


class TokenReader:
    """Finds a token by its hash, on a connection of its own.

    Each call reads what is committed now, by whatever process, so that a revocation ends a token on the very next
    call. It takes about seven microseconds, where a snapshot of the pool takes a hundred.
    """

    def __init__(self, store: SqlStore) -> None:
        self._store, self._path = store, store.home.database
        self._lock = Lock()
        self._connection: Any = None
        self._open = True

    def find(self, token_hash: bytes) -> TokenRow | None:
        """Return the token with this hash, revoked ones too. Raises StoreClosedError after `close`."""
        with self._lock, typed_errors(self._path):
            if not self._open:
                raise StoreClosedError("The store is closed.", remedy="Open it again.")
            if self._connection is None:
                self._connection = self._store.connect()
            found = self._connection.execute(_FIND, (token_hash,)).fetchone()
        return None if found is None else _row(found)

    def close(self) -> None:
        """Close the connection. Closing twice is fine."""
        with self._lock:
            self._open = False
            if self._connection is not None:
                self._connection.close()
                self._connection = None


def put(unit: Unit, row: TokenRow) -> None:
    """Insert a token."""
    columns = {name: getattr(row, name) for name in TokenRow.__slots__}
    unit.connection.execute(insert(tokens).values(columns | {"scopes": json.dumps(row.scopes)}))


def every(unit: Unit) -> tuple[TokenRow, ...]:
    """Return all tokens and sessions, the newest first."""
    columns = [tokens.c[name] for name in TokenRow.__slots__]
    query = select(*columns).order_by(tokens.c.created_at.desc(), tokens.c.token_id.desc())
    return tuple(_row(row) for row in unit.connection.execute(query))


def end(unit: Unit, token_id: str, at: str) -> bool:
    """Revoke a token; return whether there was one that had not been revoked."""
    rule = update(tokens).where(tokens.c.token_id == token_id, tokens.c.revoked_at.is_(None))
    return unit.connection.execute(rule.values(revoked_at=at)).rowcount == 1


def touch(unit: Unit, token_id: str, at: str, expires_at: str | None) -> None:
    """Write when a token was last used, and until when it holds now; one that was revoked stays as it is."""
    rule = update(tokens).where(tokens.c.token_id == token_id, tokens.c.revoked_at.is_(None))
    unit.connection.execute(rule.values(last_used_at=at, expires_at=expires_at))


def let_in(unit: Unit, owner: str, passphrase: str, at: str) -> bool:
    """Keep the passphrase of a further person's store; return False where there is one, which then stays."""
    row = {"name": _PERSON + owner, "value": passphrase, "updated_at": at}
    return unit.connection.execute(insert_or_leave(secrets).values(row).on_conflict_do_nothing()).rowcount == 1


def passphrase_of(unit: Unit, owner: str) -> str | None:
    """Return the passphrase of a person's store, None for somebody who was never let in."""
    return unit.connection.execute(select(secrets.c.value).where(secrets.c.name == _PERSON + owner)).scalar()


def people(unit: Unit) -> Sequence[str]:
    """Return the names of the further persons, in order."""
    query = select(secrets.c.name).where(secrets.c.name.startswith(_PERSON, autoescape=True)).order_by(secrets.c.name)
    return [name.removeprefix(_PERSON) for name in unit.connection.execute(query).scalars()]


def _row(found: Row[Any] | tuple[Any, ...]) -> TokenRow:
    token_id, name, owner, token_hash, scopes, created, expires, last_used, revoked, kind = tuple(found)
    allowed = tuple(json.loads(scopes))
    return TokenRow(token_id, name, owner, token_hash, allowed, created, expires, last_used, revoked, kind)
