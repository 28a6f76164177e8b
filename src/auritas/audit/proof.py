"""The text forms of heads and proofs: c2sp.org/tlog-checkpoint, c2sp.org/tlog-proof and c2sp.org/tlog-witness."""

import re
from base64 import b64encode
from dataclasses import dataclass

from auritas.audit.errors import MalformedError
from auritas.audit.note import decode64
from auritas.audit.tree import HASH_BYTES
from auritas.kernel.errors import InvalidError

PROOF_HEADER = "c2sp.org/tlog-proof@v1"
_MAX_HASHES = 63


@dataclass(frozen=True, slots=True)
class TreeHead:
    """What a checkpoint says: the log's name, how many entries it has, and the root over them."""

    origin: str
    size: int
    root: bytes

    @property
    def text(self) -> str:
        """The note text to sign."""
        return f"{self.origin}\n{self.size}\n{b64encode(self.root).decode()}\n"

    @classmethod
    def parse(cls, text: str) -> "TreeHead":
        """Read a note text; extension lines are allowed and ignored. Raises MalformedError."""
        lines = text.split("\n")
        if len(lines) < 4 or lines[-1] or not all(lines[:-1]):  # noqa: PLR2004  three lines and the end
            raise MalformedError("A checkpoint holds an origin, a size and a root, each on a line.")
        return cls(lines[0], decimal(lines[1]), decode_hash(lines[2]))


@dataclass(frozen=True, slots=True)
class InclusionProof:
    """A `.tlog-proof` file: entry `index` is in the tree that `checkpoint`, a signed note, names.

    hashes: from the leaf's sibling up to the child of the root. extra: the entry itself, so that a file is enough; its
    hash is the leaf that the proof starts from.
    """

    index: int
    hashes: tuple[bytes, ...]
    checkpoint: str
    extra: bytes = b""

    def encode(self) -> str:
        """Return the file's text."""
        extra = [f"extra {b64encode(self.extra).decode()}"] if self.extra else []
        head = [PROOF_HEADER, *extra, f"index {self.index}", *_encoded(self.hashes), ""]
        return "\n".join(head) + "\n" + self.checkpoint

    @classmethod
    def parse(cls, raw: str) -> "InclusionProof":
        """Read a file. Raises MalformedError on anything that is not exactly in the format."""
        head, blank, checkpoint = raw.partition("\n\n")
        lines = head.split("\n")
        if not blank or lines.pop(0) != PROOF_HEADER:
            raise MalformedError(f"A proof starts with {PROOF_HEADER}.")
        extra = decode64(lines.pop(0).removeprefix("extra ")) if lines and lines[0].startswith("extra ") else b""
        if not lines or not lines[0].startswith("index "):
            raise MalformedError("A proof names the index of its entry.")
        index = decimal(lines[0].removeprefix("index "))
        return cls(index, _hashes(lines[1:]), checkpoint, extra)


@dataclass(frozen=True, slots=True)
class AddCheckpoint:
    """The body of an `add-checkpoint` request: `checkpoint` continues the tree of `old` entries.

    hashes: the consistency proof, empty from old = 0, where a witness has nothing to compare with.
    """

    old: int
    hashes: tuple[bytes, ...]
    checkpoint: str

    def __post_init__(self) -> None:
        if not self.old and self.hashes:
            raise InvalidError("A consistency proof from size 0 proves nothing.", remedy="Start from a size you keep.")

    def encode(self) -> str:
        """Return the body's text."""
        return "\n".join([f"old {self.old}", *_encoded(self.hashes), ""]) + "\n" + self.checkpoint

    @classmethod
    def parse(cls, raw: str) -> "AddCheckpoint":
        """Read a body. Raises MalformedError on anything else, InvalidError on a proof from size 0."""
        head, blank, checkpoint = raw.partition("\n\n")
        first, *rest = head.split("\n")
        if not blank or not first.startswith("old "):
            raise MalformedError("A request starts with the old size.")
        return cls(decimal(first.removeprefix("old ")), _hashes(rest), checkpoint)


def decimal(text: str) -> int:
    """Read a number written without sign or leading zeros. Raises MalformedError."""
    if not re.fullmatch(r"0|[1-9][0-9]{0,17}", text):
        raise MalformedError(f"{text!r} is not a plain decimal number.")
    return int(text)


def decode_hash(text: str) -> bytes:
    """Read one base64 hash. Raises MalformedError."""
    raw = decode64(text)
    if len(raw) != HASH_BYTES:
        raise MalformedError(f"A hash has {HASH_BYTES} bytes, not {len(raw)}.")
    return raw


def _encoded(hashes: tuple[bytes, ...]) -> list[str]:
    return [b64encode(node).decode() for node in hashes]


def _hashes(lines: list[str]) -> tuple[bytes, ...]:
    if len(lines) > _MAX_HASHES:
        raise MalformedError(f"A proof has at most {_MAX_HASHES} hashes.")
    return tuple(decode_hash(line) for line in lines)
