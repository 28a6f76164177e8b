"""From a folder to an open store: find or make the key, create or migrate the file, back it up before."""

from dataclasses import dataclass
from pathlib import Path

from auritas.kernel.clock import Clock, SystemClock
from auritas.kernel.randomness import Entropy, SystemEntropy
from auritas.store.database import SqlStore
from auritas.store.engine import DEFAULT_TUNING, Tuning
from auritas.store.home import Home
from auritas.store.keychain import Keychain, SystemKeychain
from auritas.store.keys import KeyExistsError, Unlocked, create_key, has_key, unlock
from auritas.store.migration import VERSIONS
from auritas.store.rotation import before_migration


@dataclass(frozen=True, slots=True)
class OpenedStore:
    """An open store, how it was unlocked, and whether its key was made just now."""

    store: SqlStore
    unlocked: Unlocked
    created: bool


def open_store(
    folder: Path,
    passphrase: str | None = None,
    *,
    keychain: Keychain | None = None,
    entropy: Entropy | None = None,
    clock: Clock | None = None,
    tuning: Tuning = DEFAULT_TUNING,
    versions: Path = VERSIONS,
) -> OpenedStore:
    """Open the store in `folder`, or make one with a new key on a first start.

    A migration is preceded by a backup in `backups/`. Raises what `keys.unlock` and `SqlStore.open` raise.
    """
    keychain, entropy, clock = keychain or SystemKeychain(), entropy or SystemEntropy(), clock or SystemClock()
    unlocked, created = _key(folder, passphrase, keychain, entropy)
    guard = before_migration(Home(folder), unlocked.key, clock, entropy)
    store = SqlStore.open(folder, unlocked.key, tuning=tuning, before_migration=guard, versions=versions)
    return OpenedStore(store, unlocked, created)


def _key(folder: Path, passphrase: str | None, keychain: Keychain, entropy: Entropy) -> tuple[Unlocked, bool]:
    if not has_key(folder):
        try:
            return create_key(folder, passphrase=passphrase, keychain=keychain, entropy=entropy), True
        except KeyExistsError:
            pass  # another process was faster: its key is the key
    return unlock(folder, passphrase, keychain=keychain), False
