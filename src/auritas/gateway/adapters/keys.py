"""Where the keys of providers are kept: in the encrypted file, or in the operating system's keyring.

A key's reference says where it lies: `store:NAME` or `keyring:NAME`. Keys are read for each call, never from the
environment, and never put there.
"""

import asyncio
from typing import Protocol

from sqlalchemy import bindparam, delete, select
from sqlalchemy.dialects.sqlite import insert

from auritas.kernel.clock import Clock, timestamp
from auritas.kernel.errors import UnavailableError
from auritas.kernel.ports import Store
from auritas.store.schema import secrets
from auritas.store.unit import Unit

STORE = "store"
KEYRING = "keyring"
_SERVICE = "auritas-providers"
_READ = select(secrets.c.value).where(secrets.c.name == bindparam("name"))


class Keyring(Protocol):
    """A place of the operating system for secrets."""

    def get(self, name: str) -> str | None:
        """Return the secret `name`, or None."""

    def put(self, name: str, value: str) -> None:
        """Store or replace the secret. Raises UnavailableError when there is no keyring."""

    def remove(self, name: str) -> None:
        """Remove the secret, if it is there."""


class OsKeyring:
    """The real one, by the library `keyring`, imported when it is first asked."""

    def get(self, name: str) -> str | None:
        import keyring
        from keyring.errors import KeyringError

        try:
            return keyring.get_password(_SERVICE, name)
        except KeyringError:
            return None

    def put(self, name: str, value: str) -> None:
        import keyring
        from keyring.errors import KeyringError

        try:
            keyring.set_password(_SERVICE, name, value)
        except KeyringError:
            raise UnavailableError(
                "The keyring of this system does not answer.", remedy="Keep the key in the encrypted file instead."
            ) from None

    def remove(self, name: str) -> None:
        import keyring
        from keyring.errors import KeyringError, PasswordDeleteError

        try:
            keyring.delete_password(_SERVICE, name)
        except (PasswordDeleteError, KeyringError):
            return


class StoredKeys:
    """Implements the port `Keys` over both places."""

    def __init__(self, store: Store[Unit], clock: Clock, keyring: Keyring | None = None) -> None:
        self._store = store
        self._clock = clock
        self._keyring = keyring or OsKeyring()

    async def reveal(self, ref: str) -> str | None:
        """Return the key that `ref` names, or None.

        A keyring is asked off the event loop, because it may ask a person; a row of the file takes no time to speak of.
        """
        where, _, name = ref.partition(":")
        if where == KEYRING:
            return await asyncio.to_thread(self._keyring.get, name)
        with self._store.read() as unit:
            return unit.connection.execute(_READ, {"name": name}).scalar_one_or_none()

    def put(self, unit: Unit, name: str, key: str, where: str = STORE) -> str:
        """Keep `key` under `name` and return its reference. The keyring is outside of the unit's transaction."""
        if where == KEYRING:
            self._keyring.put(name, key)
        else:
            row = {"name": name, "value": key, "updated_at": timestamp(self._clock.now())}
            changed = {"value": row["value"], "updated_at": row["updated_at"]}
            unit.connection.execute(
                insert(secrets).values(row).on_conflict_do_update(index_elements=["name"], set_=changed)
            )
        return f"{where}:{name}"

    def remove(self, unit: Unit, ref: str) -> None:
        """Forget the key that `ref` names, if it is there."""
        where, _, name = ref.partition(":")
        if where == KEYRING:
            self._keyring.remove(name)
        else:
            unit.connection.execute(delete(secrets).where(secrets.c.name == name))
