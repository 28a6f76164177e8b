"""What can go wrong with the log, as a program and a person need to know it."""

from auritas.kernel.errors import NotFoundError, RefusedError, UsageError, VerificationError


class MalformedError(VerificationError):
    """A note, a proof or a key is not in its format."""

    code = "malformed"


class SignatureError(VerificationError):
    """No trusted key signed it, or a signature of a trusted key is wrong."""

    code = "bad_signature"


class ForkError(VerificationError):
    """Two heads of one log that cannot both be true: the log was rewritten."""

    code = "fork"


class KeyLostError(VerificationError):
    """There are signed checkpoints, but the key that signed them is gone or unreadable."""

    code = "audit_key_lost"


class CheckpointDamagedError(VerificationError):
    """A stored checkpoint is none."""

    code = "checkpoint_damaged"


class UnprovableError(VerificationError):
    """What is stored does not lead to what was signed."""

    code = "unprovable"

    def __init__(self, seq: int) -> None:
        super().__init__(
            f"Entry {seq}, or a hash beside it, is not what was signed.", remedy="Try: auritas audit verify"
        )


class StaleError(RefusedError):
    """A witness knows another size than the one that a request starts from."""

    code = "stale_checkpoint"

    def __init__(self, known: int, offered: int) -> None:
        super().__init__(
            f"The witness last saw {known} entries, the request starts from {offered}.",
            remedy=f"Send a consistency proof from {known}.",
        )
        self.known = known


class UnknownEntryError(NotFoundError):
    """The log has no such entry."""

    code = "unknown_entry"

    def __init__(self, seq: int, size: int) -> None:
        held = f"Entries 0 to {size - 1} exist." if size else "The log is empty."
        super().__init__(f"There is no entry {seq}.", remedy=held)


class EntryRefusedError(UsageError):
    """An event cannot become an entry."""

    code = "entry_refused"
