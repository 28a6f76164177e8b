"""A witness (c2sp.org/tlog-witness): it remembers the last head of each log it saw and cosigns only what continues it.

Its value is that it lives elsewhere: on a stick, another machine, with another person. It needs files only.
"""

from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from auritas.audit.errors import ForkError, MalformedError, SignatureError, StaleError
from auritas.audit.note import Note, Signer, VerifierKey, with_signature
from auritas.audit.proof import AddCheckpoint, TreeHead
from auritas.audit.tree import verify_consistency
from auritas.kernel.clock import Clock


@dataclass(frozen=True, slots=True)
class Seen:
    """The last head of one log that the witness cosigned, and the key the log had when it was first seen."""

    key: VerifierKey
    head: TreeHead
    note: str


class Memory(Protocol):
    """Where a witness keeps its key and what it has seen."""

    def signer(self) -> Signer:
        """Return the witness's key, made on first use."""

    def seen(self, origin: str) -> Seen | None:
        """Return the last head of a log, or None."""

    def remember(self, seen: Seen) -> None:
        """Keep a head for good: it is on the disk when this returns."""

    def alone(self) -> AbstractContextManager[None]:
        """Keep every other user of this memory waiting."""


class Witness:
    """Cosigns heads that continue what it has seen; refuses forks and rollbacks for ever."""

    def __init__(self, memory: Memory, clock: Clock) -> None:
        self._memory = memory
        self._clock = clock

    @property
    def key(self) -> VerifierKey:
        """The key that checks this witness's cosignatures."""
        return self._memory.signer().cosigning_key

    def size_of(self, origin: str) -> int:
        """Return how many entries of a log it has seen; 0 when the log is new to it."""
        seen = self._memory.seen(origin)
        return seen.head.size if seen else 0

    def add(self, request: AddCheckpoint, key: VerifierKey) -> str:
        """Return the cosignature line for the request's checkpoint, after remembering it.

        key: the log's key, pinned when the log is first seen. Raises SignatureError or MalformedError, StaleError when
        the request starts from another size than the one last seen, and ForkError when the log was rewritten.
        """
        note = Note.parse(request.checkpoint)
        note.signed_by([key])
        head = TreeHead.parse(note.text)
        if head.origin != key.name:
            raise MalformedError(f"The checkpoint is of {head.origin}, the key of {key.name}.")
        with self._memory.alone():
            _require_continuation(self._memory.seen(head.origin), request, head, key)
            line = self._memory.signer().cosign(note.text, int(self._clock.now().timestamp()))
            self._memory.remember(Seen(key, head, with_signature(request.checkpoint, line)))
        return line


def _require_continuation(seen: Seen | None, request: AddCheckpoint, head: TreeHead, key: VerifierKey) -> None:
    if seen is None:
        if request.old:
            raise StaleError(0, request.old)
        return  # nothing to compare with: from here on the log is bound to this head
    if seen.key != key:
        raise SignatureError(f"{head.origin} signs with another key than the one this witness knows.")
    if head.size < seen.head.size:
        raise ForkError(f"The log went back from {seen.head.size} entries to {head.size}.")
    if request.old != seen.head.size:
        raise StaleError(seen.head.size, request.old)
    if not verify_consistency(request.old, head.size, request.hashes, seen.head.root, head.root):
        raise ForkError(
            f"This head of {head.size} entries does not continue the {seen.head.size} that were seen before.",
            remedy="The log was rewritten, or this is a copy that went its own way. Keep both heads as evidence.",
        )
