"""Check a `.tlog-proof` file against verifier keys, from files alone: python -m auritas.audit.check FILE --key K.

This one file needs Python and `cryptography`, nothing else of Auritas: take it to another machine, read it, run it.
It repeats what `tree`, `note` and `proof` know on purpose, so that a mistake there is not repeated by its own checker.
Formats: c2sp.org/tlog-proof@v1, c2sp.org/signed-note, c2sp.org/tlog-cosignature; the path as in RFC 9162, 2.1.3.2.
"""

import argparse
import json
import re
import sys
from base64 import b64decode, b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

HEADER = "c2sp.org/tlog-proof@v1"
EXIT_USAGE, EXIT_REFUSED = 2, 6
ED25519, COSIGNATURE = 1, 4


class ProofRefused(Exception):  # noqa: N818  the word that every sentence here uses
    """The file does not prove what it claims; the message says why."""


class KeyMalformed(ProofRefused):
    """What should be a verifier key is none; the proof itself was not judged."""


@dataclass(frozen=True)
class Proven:
    """What a file proves: `entry` is number `index` of the first `size` entries of the log `origin`."""

    origin: str
    size: int
    index: int
    root: bytes
    entry: bytes
    signed_by: tuple[str, ...]


def check(proof: bytes, log_key: str, witness_keys: Sequence[str] = ()) -> Proven:
    """Verify the bytes of a proof file.

    log_key: the verifier key of the log, whose signature must be there. witness_keys: verifier keys of witnesses, each
    of whose cosignatures must be there too. Signatures of other keys are ignored. Raises ProofRefused.
    """
    try:
        text = proof.decode()
    except UnicodeDecodeError:
        raise ProofRefused("The file is not text.") from None
    entry, index, path, note = _split(text)
    body, lines = _note(note)
    for key in (log_key, *witness_keys):
        _require_signature(body, lines, key)
    origin, size, root = _head(body)
    if origin != log_key.partition("+")[0]:
        raise ProofRefused(f"The checkpoint is of the log {origin!r}, the key of another one.")
    if not _included(sha256(b"\0" + entry).digest(), index, size, path, root):
        raise ProofRefused("The hashes do not lead from the entry to the signed root.")
    if _seq(entry) != index:
        raise ProofRefused("The entry carries another number than the place where it stands.")
    return Proven(origin, size, index, root, entry, tuple(key.partition("+")[0] for key in (log_key, *witness_keys)))


def _split(text: str) -> tuple[bytes, int, list[bytes], str]:
    head, blank, note = text.partition("\n\n")
    lines = head.split("\n")
    if not blank or len(lines) < 3 or lines[0] != HEADER:  # noqa: PLR2004  header, entry and index at least
        raise ProofRefused(f"The file does not start like a proof ({HEADER}).")
    if not lines[1].startswith("extra ") or not lines[2].startswith("index "):
        raise ProofRefused("The file lacks its entry or its index.")
    return _decode(lines[1][6:]), _decimal(lines[2][6:]), [_decode(line, 32) for line in lines[3:]], note


def _note(note: str) -> tuple[str, list[str]]:
    body, blank, signatures = note.rpartition("\n\n")
    if not blank or not signatures.endswith("\n"):
        raise ProofRefused("The checkpoint is not a signed note.")
    return body + "\n", signatures[:-1].split("\n")


def _head(body: str) -> tuple[str, int, bytes]:
    lines = body[:-1].split("\n")
    if len(lines) < 3 or not all(lines):  # noqa: PLR2004  origin, size, root
        raise ProofRefused("The checkpoint lacks a line.")
    return lines[0], _decimal(lines[1]), _decode(lines[2], 32)


def _require_signature(body: str, lines: list[str], key: str) -> None:
    """Raise ProofRefused unless every line of this key verifies and there is one."""
    name, key_id, algorithm, public = _key(key)
    start, found = f"\u2014 {name} ", False
    for line in lines:
        if not line.startswith("\u2014 ") or line.count(" ") != 2:  # noqa: PLR2004  dash, name, base64
            raise ProofRefused("A line of the checkpoint is not a signature.")
        raw = _decode(line.rpartition(" ")[2])
        if line.startswith(start) and raw[:4] == key_id:
            if not _signed(public, algorithm, raw[4:], body):
                raise ProofRefused(f"The signature of {name} is wrong.")
            found = True
    if not found:
        raise ProofRefused(f"{name} has not signed this checkpoint.")


def _key(text: str) -> tuple[str, bytes, int, bytes]:
    match = re.fullmatch(r"([^+\s]+)\+([0-9a-f]{8})\+(\S+)", text.strip())
    if match is None:
        raise KeyMalformed("A verifier key reads name+id+key.")
    name, key_id, raw = match[1], bytes.fromhex(match[2]), _decode(match[3], 33)
    if raw[0] not in {ED25519, COSIGNATURE} or sha256(name.encode() + b"\n" + raw).digest()[:4] != key_id:
        raise KeyMalformed("The verifier key is damaged or of an unknown kind.")
    return name, key_id, raw[0], raw[1:]


def _signed(public: bytes, algorithm: int, signature: bytes, body: str) -> bool:
    message = body.encode()
    if algorithm == COSIGNATURE:
        message = f"cosignature/v1\ntime {int.from_bytes(signature[:8], 'big')}\n".encode() + message
        signature = signature[8:]
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def _included(leaf: bytes, index: int, size: int, path: list[bytes], root: bytes) -> bool:
    if index >= size:
        return False
    position, last, computed = index, size - 1, leaf
    for sibling in path:
        if last == 0:
            return False
        if position % 2 or position == last:
            computed = sha256(b"\1" + sibling + computed).digest()
            while position % 2 == 0 and position:
                position, last = position // 2, last // 2
        else:
            computed = sha256(b"\1" + computed + sibling).digest()
        position, last = position // 2, last // 2
    return last == 0 and computed == root


def _seq(entry: bytes) -> object:
    try:
        content = json.loads(entry)
    except ValueError:
        raise ProofRefused("The entry is not JSON.") from None
    return content.get("seq") if isinstance(content, dict) else None


def _decimal(text: str) -> int:
    if not re.fullmatch(r"0|[1-9][0-9]{0,17}", text):
        raise ProofRefused(f"{text!r} is not a plain number.")
    return int(text)


def _decode(text: str, length: int | None = None) -> bytes:
    try:
        raw = b64decode(text, validate=True)
    except ValueError:
        raise ProofRefused("The file holds damaged base64.") from None
    if b64encode(raw).decode() != text or (length is not None and len(raw) != length):
        raise ProofRefused("The file holds base64 of another form or length.")
    return raw


def main(arguments: Sequence[str] | None = None) -> int:
    """Check a file named on the command line. Returns 0 when it proves what it claims, 2 for a bad key, else 6."""
    parser = argparse.ArgumentParser(prog="python -m auritas.audit.check", description="Check a .tlog-proof file.")
    parser.add_argument("file", type=Path)
    parser.add_argument("--key", required=True, help="verifier key of the log")
    parser.add_argument("--witness-key", action="append", default=[], help="verifier key of a witness that must agree")
    given = parser.parse_args(arguments)
    try:
        proven = check(given.file.read_bytes(), given.key, given.witness_key)
    except KeyMalformed as error:
        sys.stderr.write(f"{error}\n")
        return EXIT_USAGE
    except (ProofRefused, OSError) as error:
        sys.stderr.write(f"refused: {error}\n")
        return EXIT_REFUSED
    sys.stdout.write(f"ok: entry {proven.index} of the first {proven.size} of {proven.origin}\n")
    sys.stdout.write(f"signed by {', '.join(proven.signed_by)}\n{proven.entry.decode()}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
