"""The operating system's keyring, behind a seam."""

from contextlib import suppress
from typing import Protocol

SERVICE = "auritas"
_PROBE = "probe"
_NO_PROTECTION = ("keyring.backends.fail", "keyring.backends.null", "keyrings.alt")


class Keychain(Protocol):
    """Keeps short secrets for one user of the machine."""

    def answers(self) -> bool:
        """Tell whether a secret put in comes out again, and is protected while it is in."""

    def get(self, name: str) -> str | None:
        """Return the secret called `name`, or None."""

    def put(self, name: str, value: str) -> None:
        """Store or replace a secret."""

    def delete(self, name: str) -> None:
        """Remove a secret, if it is there."""


class SystemKeychain:
    """The keyring that the desktop or the system offers; on a headless machine there is usually none."""

    def answers(self) -> bool:
        import keyring

        try:
            backend = keyring.get_keyring()
            parts = [backend, *getattr(backend, "backends", ())]
            if any(type(part).__module__.startswith(_NO_PROTECTION) for part in parts):
                return False
            keyring.set_password(SERVICE, _PROBE, _PROBE)
            found = keyring.get_password(SERVICE, _PROBE) == _PROBE
            keyring.delete_password(SERVICE, _PROBE)
        except Exception:  # noqa: BLE001  backends raise whatever their bus or library raises; all mean "no"
            return False
        return found

    def get(self, name: str) -> str | None:
        import keyring

        try:
            return keyring.get_password(SERVICE, name)
        except Exception:  # noqa: BLE001  as above; the caller finds out by `answers`
            return None

    def put(self, name: str, value: str) -> None:
        import keyring

        keyring.set_password(SERVICE, name, value)

    def delete(self, name: str) -> None:
        import keyring

        with suppress(Exception):  # as above; the caller finds out by `get`
            keyring.delete_password(SERVICE, name)


class MemoryKeychain:
    """A keyring in a dictionary."""

    def __init__(self) -> None:
        self.secrets: dict[str, str] = {}

    def answers(self) -> bool:
        return True

    def get(self, name: str) -> str | None:
        return self.secrets.get(name)

    def put(self, name: str, value: str) -> None:
        self.secrets[name] = value

    def delete(self, name: str) -> None:
        self.secrets.pop(name, None)


class NoKeychain:
    """A machine without a keyring."""

    def answers(self) -> bool:
        return False

    def get(self, name: str) -> str | None:
        del name
        return None

    def put(self, name: str, value: str) -> None:
        del name, value
        msg = "There is no keyring."
        raise RuntimeError(msg)

    def delete(self, name: str) -> None:
        """Nothing to remove."""
