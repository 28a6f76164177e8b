"""The envelope of a key: what is written down so that the key can be had again, and by whom.

Format 1 is a JSON object {v, install, key_id, method, …}. `key_id` is a short fingerprint by which a wrong key is
recognised. By method:

- `keyring`: nothing more; the key is in the operating system's keyring under the install's id.
- `passphrase`: `kdf` (Argon2id, RFC 9106, with its parameters and salt), `nonce` and `wrapped`: the key encrypted with
  AES-256-GCM under what the passphrase gives. Every other field is authenticated.
- `store`: `nonce` and `wrapped`: the key of a backup, encrypted under the store's own key.
- `key_file`: `key`, in the clear.
"""

import hmac
import json
import unicodedata
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from auritas.kernel.canonical import Json, canonical
from auritas.kernel.errors import InvalidError, RefusedError, UsageError, VerificationError
from auritas.kernel.randomness import Entropy
from auritas.store.secret import Secret

FORMAT = 1
KEY_BYTES = 32
PASSPHRASE_MINIMUM = 8
_SALT_BYTES, _NONCE_BYTES, _TAG_BYTES, _ID_BYTES = 16, 12, 16, 8
_MEMORY_KIB_AT_MOST, _PASSES_AT_MOST, _LANES_AT_MOST = 2**20, 64, 16


class EnvelopeDamagedError(VerificationError):
    """The envelope cannot be read, or was changed."""

    code = "key_envelope_damaged"


class WrongPassphraseError(RefusedError):
    """The passphrase does not open the envelope."""

    code = "wrong_passphrase"


class WeakPassphraseError(UsageError):
    """The passphrase is too short to protect anything."""

    code = "weak_passphrase"


class Method(StrEnum):
    """Where the key comes from."""

    KEYRING = "keyring"
    PASSPHRASE = "passphrase"  # noqa: S105  the name of a method, not a password
    KEY_FILE = "key_file"
    STORE = "store"


@dataclass(frozen=True, slots=True)
class Kdf:
    """The cost of one guess at a passphrase (Argon2id, RFC 9106): memory in KiB, passes, lanes."""

    salt: bytes
    memory_kib: int = 65536
    passes: int = 3
    lanes: int = 1

    def derive(self, passphrase: str) -> bytes:
        """Return the 32 bytes that `passphrase` gives; equal texts in different Unicode forms give the same."""
        from cryptography.hazmat.primitives.kdf.argon2 import Argon2id

        text = unicodedata.normalize("NFC", passphrase).encode()
        return Argon2id(
            salt=self.salt, length=KEY_BYTES, iterations=self.passes, lanes=self.lanes, memory_cost=self.memory_kib
        ).derive(text)


@dataclass(frozen=True, slots=True, repr=False)
class Envelope:
    """One key as it is written down. Its repr shows nothing of it."""

    install: str
    key_id: str
    method: Method
    kdf: Kdf | None = None
    nonce: bytes = b""
    wrapped: bytes = b""
    key: bytes = b""

    def __repr__(self) -> str:
        return f"Envelope({self.method}, key {self.key_id})"

    def fields(self) -> dict[str, Json]:
        """Return the fields as they are written."""
        fields = self._header()
        if self.wrapped:
            fields |= {"nonce": self.nonce.hex(), "wrapped": self.wrapped.hex()}
        if self.key:
            fields |= {"key": self.key.hex()}
        return fields

    def encode(self) -> bytes:
        """Return the bytes of the file."""
        return canonical(self.fields()) + b"\n"

    def authenticated(self) -> bytes:
        """Return what a wrapped key is bound to."""
        return canonical(self._header())

    def _header(self) -> dict[str, Json]:
        header: dict[str, Json] = {
            "v": FORMAT,
            "install": self.install,
            "key_id": self.key_id,
            "method": self.method.value,
        }
        if self.kdf is not None:
            header["kdf"] = {
                "name": "argon2id",
                "salt": self.kdf.salt.hex(),
                "memory_kib": self.kdf.memory_kib,
                "passes": self.kdf.passes,
                "lanes": self.kdf.lanes,
            }
        return header


def key_id(key: Secret) -> str:
    """Return the fingerprint of a random key; 64 bits of an HMAC tell nothing about 256 random ones."""
    return hmac.digest(key.reveal(), b"auritas key id 1", "sha256")[:_ID_BYTES].hex()


def by_keyring(install: str, key: Secret) -> Envelope:
    """Return the envelope of a key that the operating system keeps."""
    return Envelope(install, key_id(key), Method.KEYRING)


def in_clear(install: str, key: Secret) -> Envelope:
    """Return the envelope that is the key itself."""
    return Envelope(install, key_id(key), Method.KEY_FILE, key=key.reveal())


def by_passphrase(install: str, key: Secret, passphrase: str, entropy: Entropy) -> Envelope:
    """Wrap `key` under a passphrase. Raises WeakPassphraseError."""
    if len(passphrase) < PASSPHRASE_MINIMUM:
        raise WeakPassphraseError(
            f"A passphrase has at least {PASSPHRASE_MINIMUM} characters.",
            remedy="Take four or five random words: they are easy to type and hard to guess.",
        )
    kdf = Kdf(entropy.token(_SALT_BYTES))
    envelope = Envelope(install, key_id(key), Method.PASSPHRASE, kdf=kdf)
    return _wrapped(envelope, Secret(kdf.derive(passphrase)), key, entropy)


def by_key(install: str, key: Secret, outer: Secret, entropy: Entropy) -> Envelope:
    """Wrap `key` under another key."""
    return _wrapped(Envelope(install, key_id(key), Method.STORE), outer, key, entropy)


def _wrapped(envelope: Envelope, outer: Secret, key: Secret, entropy: Entropy) -> Envelope:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    nonce = entropy.token(_NONCE_BYTES)
    sealed = AESGCM(outer.reveal()).encrypt(nonce, key.reveal(), envelope.authenticated())
    return replace(envelope, nonce=nonce, wrapped=sealed)


def with_passphrase(envelope: Envelope, passphrase: str) -> Secret:
    """Return the key. Raises WrongPassphraseError, also when somebody changed the envelope."""
    if envelope.kdf is None:
        raise _damaged()
    key = _unwrapped(envelope, Secret(envelope.kdf.derive(passphrase)))
    if key is None:
        raise WrongPassphraseError(
            "The passphrase is wrong.",
            remedy="Check the keyboard layout and Caps Lock. Nobody can recover a forgotten passphrase.",
        )
    return key


def with_key(envelope: Envelope, outer: Secret) -> Secret:
    """Return the key that `outer` wraps. Raises EnvelopeDamagedError when it is another key's."""
    key = _unwrapped(envelope, outer)
    if key is None:
        raise EnvelopeDamagedError(
            "The key of this store does not open it: it belongs to another install, or was changed.",
            remedy="Restore it where it was made, or use a backup with a passphrase.",
        )
    return key


def _unwrapped(envelope: Envelope, outer: Secret) -> Secret | None:
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    try:
        key = AESGCM(outer.reveal()).decrypt(envelope.nonce, envelope.wrapped, envelope.authenticated())
    except InvalidTag:
        return None
    return checked(envelope, Secret(key))


def checked(envelope: Envelope, key: Secret) -> Secret:
    """Return `key` if it is the one of the envelope. Raises EnvelopeDamagedError."""
    if len(key.reveal()) != KEY_BYTES or key_id(key) != envelope.key_id:
        raise _damaged()
    return key


def decode(data: bytes) -> Envelope:
    """Return the envelope that `encode` wrote. Raises EnvelopeDamagedError on anything else."""
    try:
        return from_fields(json.loads(data))
    except (ValueError, RecursionError) as error:
        raise _damaged() from error


def from_fields(fields: Any) -> Envelope:
    """Return the envelope of `Envelope.fields`. Raises EnvelopeDamagedError on anything else."""
    try:
        if fields["v"] != FORMAT:
            raise EnvelopeDamagedError(
                f"The key envelope has format {fields['v']}, and this Auritas reads {FORMAT}.",
                remedy="Use the newer Auritas that wrote it.",
            )
        kdf = _kdf(fields["kdf"]) if "kdf" in fields else None
        envelope = Envelope(
            install=str(fields["install"]),
            key_id=str(fields["key_id"]),
            method=Method(fields["method"]),
            kdf=kdf,
            nonce=bytes.fromhex(fields.get("nonce", "")),
            wrapped=bytes.fromhex(fields.get("wrapped", "")),
            key=bytes.fromhex(fields.get("key", "")),
        )
        _require_lengths(envelope)
        envelope.authenticated()  # whatever has no canonical form is none of ours
    except (KeyError, TypeError, ValueError, AttributeError, InvalidError) as error:
        raise _damaged() from error
    return envelope


def _require_lengths(envelope: Envelope) -> None:
    wraps = envelope.method in {Method.PASSPHRASE, Method.STORE}
    fits = len(envelope.nonce) == _NONCE_BYTES and len(envelope.wrapped) == KEY_BYTES + _TAG_BYTES
    if wraps and not fits:
        msg = "nonce or wrapped key of a wrong length"
        raise ValueError(msg)


def _kdf(fields: Any) -> Kdf:
    kdf = Kdf(bytes.fromhex(fields["salt"]), int(fields["memory_kib"]), int(fields["passes"]), int(fields["lanes"]))
    bounded = (
        fields["name"] == "argon2id"
        and len(kdf.salt) >= _SALT_BYTES
        and 8 * kdf.lanes <= kdf.memory_kib <= _MEMORY_KIB_AT_MOST
        and 1 <= kdf.passes <= _PASSES_AT_MOST
        and 1 <= kdf.lanes <= _LANES_AT_MOST
    )
    if not bounded:  # a file from elsewhere must not make this machine work for hours
        msg = "key derivation out of bounds"
        raise ValueError(msg)
    return kdf


def _damaged() -> EnvelopeDamagedError:
    return EnvelopeDamagedError(
        "The key envelope is damaged.",
        remedy="Put back key.json from a copy of the data folder, or restore a backup that has a passphrase.",
    )
