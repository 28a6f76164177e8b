"""Signed notes (c2sp.org/signed-note) with Ed25519 keys, and timed cosignatures (c2sp.org/tlog-cosignature)."""

import binascii
from base64 import b64decode, b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from hashlib import sha256

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from auritas.audit.errors import MalformedError, SignatureError
from auritas.kernel.errors import InvalidError

SEED_BYTES = 32
_ID_BYTES = 4
_TIME_BYTES = 8
_SIGNATURE_BYTES = 64
_MAX_SIGNATURES = 64
_LINE_START = "\u2014 "


class Algorithm(IntEnum):
    """What a key signs: the note itself, or a timed statement of a witness about it."""

    ED25519 = 0x01
    COSIGNATURE = 0x04


@dataclass(frozen=True, slots=True)
class VerifierKey:
    """A named public key, written `name+id+base64(algorithm ‖ public key)`."""

    name: str
    public: bytes
    algorithm: Algorithm = Algorithm.ED25519

    def __post_init__(self) -> None:
        if not self.name or "+" in self.name or any(c.isspace() for c in self.name):
            raise InvalidError(f"A key's name has neither spaces nor plus signs, unlike {self.name!r}.")

    @property
    def id(self) -> bytes:
        """The first four bytes of SHA-256(name ‖ newline ‖ algorithm ‖ public key)."""
        return sha256(self.name.encode() + b"\n" + bytes([self.algorithm]) + self.public).digest()[:_ID_BYTES]

    def __str__(self) -> str:
        return f"{self.name}+{self.id.hex()}+{b64encode(bytes([self.algorithm]) + self.public).decode()}"

    @classmethod
    def parse(cls, text: str) -> "VerifierKey":
        """Read a verifier key. Raises MalformedError when it is none, or its id does not belong to it."""
        parts = text.strip().split("+", 2)  # base64 may hold plus signs of its own
        if len(parts) != 3:  # noqa: PLR2004  name, id, key
            raise MalformedError("A verifier key reads name+id+key.")
        name, key_id, encoded = parts
        raw = decode64(encoded)
        if len(raw) != 1 + SEED_BYTES or raw[0] not in list(Algorithm):
            raise MalformedError("Only Ed25519 keys are known here.")
        key = cls(name, raw[1:], Algorithm(raw[0]))
        if key.id.hex() != key_id:
            raise MalformedError(f"The id of the key should be {key.id.hex()}, not {key_id}.")
        return key

    def verifies(self, text: str, signature: bytes) -> bool:
        """Whether `signature`, without the key's id, is this key's for the note `text`."""
        message = text.encode()
        if self.algorithm is Algorithm.COSIGNATURE:
            if len(signature) != _TIME_BYTES + _SIGNATURE_BYTES:
                return False
            message = _timed(text, int.from_bytes(signature[:_TIME_BYTES], "big"))
            signature = signature[_TIME_BYTES:]
        try:
            Ed25519PublicKey.from_public_bytes(self.public).verify(signature, message)
        except (InvalidSignature, ValueError):
            return False
        return True


class Signer:
    """A named private key. Neither its repr nor its errors show it."""

    def __init__(self, name: str, seed: bytes) -> None:
        self._private = Ed25519PrivateKey.from_private_bytes(seed)
        self.name = name
        self._public = self._private.public_key().public_bytes_raw()

    @property
    def key(self) -> VerifierKey:
        """What others need to check notes."""
        return VerifierKey(self.name, self._public)

    @property
    def cosigning_key(self) -> VerifierKey:
        """What others need to check cosignatures."""
        return VerifierKey(self.name, self._public, Algorithm.COSIGNATURE)

    def sign(self, text: str) -> str:
        """Return the signed note of `text`, which ends with a newline."""
        return f"{text}\n{_line(self.key, self._private.sign(text.encode()))}"

    def cosign(self, text: str, seconds: int) -> str:
        """Return the signature line that says: at `seconds` since 1970 this was the latest consistent head seen."""
        signature = self._private.sign(_timed(text, seconds))
        return _line(self.cosigning_key, seconds.to_bytes(_TIME_BYTES, "big") + signature)


@dataclass(frozen=True, slots=True)
class Signature:
    """One signature line of a note."""

    name: str
    key_id: bytes
    signature: bytes


@dataclass(frozen=True, slots=True)
class Note:
    """A text and the signatures below it, not verified yet."""

    text: str
    signatures: tuple[Signature, ...]

    @classmethod
    def parse(cls, raw: str) -> "Note":
        """Read a signed note. Raises MalformedError on anything that is not exactly in the format."""
        if any(ord(c) < ord(" ") and c != "\n" for c in raw):
            raise MalformedError("A signed note holds no control characters.")
        head, blank, tail = raw.rpartition("\n\n")
        if not blank or not head or not tail.endswith("\n"):
            raise MalformedError("A signed note is a text, an empty line and signature lines.")
        lines = tail[:-1].split("\n")
        if len(lines) > _MAX_SIGNATURES:
            raise MalformedError(f"A signed note here has at most {_MAX_SIGNATURES} signatures.")
        return cls(head + "\n", tuple(_signature(line) for line in lines))

    def signed_by(self, keys: Sequence[VerifierKey]) -> tuple[VerifierKey, ...]:
        """Return those of `keys` that signed. Signatures of other keys are ignored, as the format demands.

        Raises SignatureError when a signature of one of `keys` is wrong, or none of them signed.
        """
        known = {(key.name, key.id): key for key in keys}
        found: dict[VerifierKey, None] = {}
        for line in self.signatures:
            key = known.get((line.name, line.key_id))
            if key is None:
                continue
            if not key.verifies(self.text, line.signature):
                raise SignatureError(f"The signature of {key.name} is wrong.")
            found[key] = None
        if not found:
            raise SignatureError("No key that you trust has signed this.", remedy="Compare the name and id of the key.")
        return tuple(found)


def with_signature(note: str, line: str) -> str:
    """Return the note with one more signature line, which replaces an older one of the same key."""
    added = _signature(line.removesuffix("\n"))
    text, _, tail = note.rpartition("\n\n")
    kept = [old for old in tail.splitlines() if not _same_key(_signature(old), added)]
    return "\n".join([text, "", *kept]) + f"\n{line}"


def decode64(text: str) -> bytes:
    """Decode standard base64 in its only valid spelling. Raises MalformedError otherwise."""
    try:
        raw = b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise MalformedError("This is not base64.") from None
    if b64encode(raw).decode() != text:
        raise MalformedError("This is not the canonical base64 of anything.")
    return raw


def _signature(line: str) -> Signature:
    name, _, encoded = line.removeprefix(_LINE_START).partition(" ")
    if not line.startswith(_LINE_START) or not name:
        raise MalformedError("A signature line reads: dash, name, base64.")
    raw = decode64(encoded)
    if len(raw) <= _ID_BYTES:
        raise MalformedError("A signature line holds a key id and a signature.")
    return Signature(name, raw[:_ID_BYTES], raw[_ID_BYTES:])


def _same_key(one: Signature, other: Signature) -> bool:
    return (one.name, one.key_id) == (other.name, other.key_id)


def _line(key: VerifierKey, signature: bytes) -> str:
    return f"{_LINE_START}{key.name} {b64encode(key.id + signature).decode()}\n"


def _timed(text: str, seconds: int) -> bytes:
    return f"cosignature/v1\ntime {seconds}\n{text}".encode()
