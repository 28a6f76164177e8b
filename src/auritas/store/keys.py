"""The store's key: made once at random, and kept by a keyring, under a passphrase, or beside a plain warning.

The key itself never changes with the passphrase: a new passphrase wraps the same key anew, so nothing is encrypted
again. A database whose key is missing is an error, never a reason to make a new one.
"""

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from auritas.kernel.errors import NotFoundError, RefusedError, UnavailableError
from auritas.kernel.randomness import Entropy, SystemEntropy
from auritas.store import envelope as envelopes
from auritas.store.envelope import KEY_BYTES, Envelope, EnvelopeDamagedError, Method
from auritas.store.home import Home, alone, os_failure, overwrite, replace_file, shred
from auritas.store.keychain import Keychain, SystemKeychain
from auritas.store.secret import Secret

_INSTALL_BYTES = 16
_LOCK_WAIT_S = 60.0

KEY_FILE_WARNING = (
    "key.json holds the key in the clear, because there is neither a keyring nor a passphrase. Whoever can read this "
    "folder (another administrator, a copy of the disk, a stolen machine whose disk is not encrypted, a backup program "
    "that takes the whole folder) can read everything. Only a copy of auritas.db alone is protected. "
    "Set a passphrase to change that."
)


class KeyMissingError(NotFoundError):
    """The key is not where it should be."""

    code = "key_missing"


class KeyExistsError(RefusedError):
    """There is a key already, and another one would lock the database for ever."""

    code = "key_exists"


class PassphraseNeededError(RefusedError):
    """The store is guarded by a passphrase, and none was given."""

    code = "passphrase_needed"


class KeyringSilentError(UnavailableError):
    """The keyring that holds the key does not answer."""

    code = "keyring_silent"


@dataclass(frozen=True, slots=True)
class Unlocked:
    """The key, how it is kept, the install's id, and what a person must be told about it (or nothing)."""

    key: Secret
    method: Method
    install: str
    warning: str = ""


def has_key(folder: Path) -> bool:
    """Tell whether a key was made for `folder`."""
    return Home(folder).envelope.exists()


def create_key(
    folder: Path,
    *,
    passphrase: str | None = None,
    keychain: Keychain | None = None,
    entropy: Entropy | None = None,
) -> Unlocked:
    """Make the key of a new store: under `passphrase` if given, else in the keyring, else in a file with a warning.

    Raises KeyExistsError, KeyMissingError when a database is there already, WeakPassphraseError, StoreReadOnlyError.
    """
    home, keychain, entropy = Home(folder), keychain or SystemKeychain(), entropy or SystemEntropy()
    with alone(home.key_lock, _LOCK_WAIT_S):
        if home.envelope.exists():
            raise KeyExistsError(f"{folder} has a key already.", remedy="Use `auritas config passphrase` to change it.")
        _require_no_orphan(home)
        key, install = Secret(entropy.token(KEY_BYTES)), entropy.token(_INSTALL_BYTES).hex()
        envelope = _sealed(install, key, passphrase, keychain, entropy)
        replace_file(home.envelope, envelope.encode())
    return _unlocked(envelope, key)


def _sealed(install: str, key: Secret, passphrase: str | None, keychain: Keychain, entropy: Entropy) -> Envelope:
    if passphrase is not None:
        return envelopes.by_passphrase(install, key, passphrase, entropy)
    if keychain.answers():
        keychain.put(install, key.reveal().hex())
        return envelopes.by_keyring(install, key)
    return envelopes.in_clear(install, key)


def unlock(folder: Path, passphrase: str | None = None, *, keychain: Keychain | None = None) -> Unlocked:
    """Return the key of the store in `folder`.

    Raises KeyMissingError, PassphraseNeededError, WrongPassphraseError, KeyringSilentError, EnvelopeDamagedError.
    """
    envelope = read_envelope(folder)
    return _unlocked(envelope, open_envelope(envelope, passphrase, keychain or SystemKeychain()))


def read_envelope(folder: Path) -> Envelope:
    """Return the envelope in `folder`. Raises KeyMissingError or EnvelopeDamagedError."""
    home = Home(folder)
    try:
        return envelopes.decode(home.envelope.read_bytes())
    except FileNotFoundError:
        _require_no_orphan(home)
        raise KeyMissingError(f"{folder} has no key yet.", remedy="Start Auritas once to make one.") from None
    except OSError as error:
        raise os_failure(home.envelope, error) from error


def open_envelope(envelope: Envelope, passphrase: str | None, keychain: Keychain) -> Secret:
    """Return the key in `envelope`; raises as `unlock` does."""
    match envelope.method:
        case Method.PASSPHRASE:
            if passphrase is None:
                raise PassphraseNeededError(
                    "The store is guarded by a passphrase.", remedy="Give it when asked, or in AURITAS_PASSPHRASE_FILE."
                )
            return envelopes.with_passphrase(envelope, passphrase)
        case Method.KEYRING:
            return envelopes.checked(envelope, _from_keychain(envelope, keychain))
        case Method.KEY_FILE:
            return envelopes.checked(envelope, Secret(envelope.key))
        case Method.STORE:
            raise EnvelopeDamagedError(
                "key.json holds the envelope of a backup.", remedy="Put back the key.json that belongs to this store."
            )


def _from_keychain(envelope: Envelope, keychain: Keychain) -> Secret:
    found = keychain.get(envelope.install)
    if found is not None:
        with suppress(ValueError):
            return Secret(bytes.fromhex(found))
    if not keychain.answers():
        raise KeyringSilentError(
            "The keyring that holds the key does not answer.",
            remedy="Log in to the desktop session that made the store, or unlock its keyring, and try again.",
        )
    raise KeyMissingError(
        f"The keyring has no key for this store (entry {envelope.install}).",
        remedy="Restore the keyring of the machine that made it, or a backup that has a passphrase.",
    )


def change_passphrase(
    folder: Path,
    old: str | None,
    new: str,
    *,
    keychain: Keychain | None = None,
    entropy: Entropy | None = None,
) -> Unlocked:
    """Wrap the same key under `new`; a key in a keyring or key file moves under the passphrase.

    A power cut leaves the old envelope or the new one. The old one is overwritten, and older backups keep their own.
    Raises as `unlock` does, and WeakPassphraseError.
    """
    home, keychain, entropy = Home(folder), keychain or SystemKeychain(), entropy or SystemEntropy()
    with alone(home.key_lock, _LOCK_WAIT_S):
        before = unlock(folder, old, keychain=keychain)
        envelope = envelopes.by_passphrase(before.install, before.key, new, entropy)
        replaced = os.open(home.envelope, os.O_RDWR)
        try:
            replace_file(home.envelope, envelope.encode())
            overwrite(replaced)
        finally:
            os.close(replaced)
        if before.method is Method.KEYRING:
            keychain.delete(before.install)
    return _unlocked(envelope, before.key)


def destroy(folder: Path, *, keychain: Keychain | None = None) -> bool:
    """Destroy the key: without it the database is noise. Nothing is asked, nothing is written down.

    Returns whether it is gone from the keyring too; False means that the keyring still gives it out.
    """
    home, keychain = Home(folder), keychain or SystemKeychain()
    install = None
    with suppress(KeyMissingError, EnvelopeDamagedError, OSError):
        install = read_envelope(folder).install
    shred(home.envelope)
    shred(home.envelope.with_name(home.envelope.name + ".new"))
    if install is None:
        return True
    keychain.delete(install)
    return keychain.get(install) is None


def _require_no_orphan(home: Home) -> None:
    if home.database.exists() and home.database.stat().st_size:
        raise KeyMissingError(
            f"{home.database} exists, but its key.json does not. A new key would not open it.",
            remedy="Put key.json back, or move the database away and restore a backup that has a passphrase.",
        )


def _unlocked(envelope: Envelope, key: Secret) -> Unlocked:
    warning = KEY_FILE_WARNING if envelope.method is Method.KEY_FILE else ""
    return Unlocked(key, envelope.method, envelope.install, warning)
