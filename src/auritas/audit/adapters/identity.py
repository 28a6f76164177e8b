"""Who signs: the log's name, its key, and its checkpoints, all inside the encrypted store."""

from base64 import b64decode, b64encode
from collections.abc import Sequence
from datetime import date

from sqlalchemy import Connection, Row, insert, select, update

from auritas.audit.errors import CheckpointDamagedError, KeyLostError, MalformedError
from auritas.audit.model import Checkpoint, Reason
from auritas.audit.note import SEED_BYTES, Signer
from auritas.audit.proof import decimal
from auritas.kernel.clock import Clock, from_timestamp, timestamp
from auritas.kernel.errors import InvalidError
from auritas.kernel.ids import Ids
from auritas.kernel.log import Level
from auritas.kernel.randomness import Entropy
from auritas.store.engine import lenient_text
from auritas.store.schema import checkpoints, local_settings, secrets
from auritas.store.unit import Unit

INSTALL_ID = "install_id"
SIGNING_KEY = "audit_signing_key"
_CHECKPOINT = [checkpoints.c[n] for n in ("size", "root", "note", "level", "created_at", "reason", "day", "witness")]


class Identities:
    """Keeps the log's identity and its checkpoints."""

    def __init__(self, clock: Clock, entropy: Entropy, ids: Ids) -> None:
        self._clock = clock
        self._entropy = entropy
        self._ids = ids

    def signer(self, unit: Unit) -> Signer | None:
        """Return the log's key, or None when nothing was ever signed. Raises KeyLostError when it cannot be read."""
        with lenient_text(unit.connection):
            install = _install_id(unit.connection)
            seed = unit.connection.execute(select(secrets.c.value).where(secrets.c.name == SIGNING_KEY)).scalar()
        if install is None or seed is None:
            return None
        try:
            signer = Signer(origin(install), b64decode(seed, validate=True))
            signer.sign("")  # a name that no key can have is found here
        except (ValueError, InvalidError):
            raise _lost("damaged") from None
        return signer

    def ensure_signer(self, unit: Unit) -> Signer:
        """Return the log's key, made now when the log is new. Raises KeyLostError rather than making a second one."""
        signer = self.signer(unit)
        if signer is not None:
            return signer
        if self.checkpoints(unit):
            raise _lost("gone")
        now = timestamp(self._clock.now())
        if _install_id(unit.connection) is None:
            unit.connection.execute(insert(local_settings).values(key=INSTALL_ID, value=self._ids.new()))
        seed = b64encode(self._entropy.token(SEED_BYTES)).decode()
        unit.connection.execute(insert(secrets).values(name=SIGNING_KEY, value=seed, updated_at=now))
        return self.ensure_signer(unit)

    def checkpoints(self, unit: Unit) -> Sequence[Checkpoint]:
        """Return all checkpoints, the oldest first. Raises CheckpointDamagedError, as all that return one do."""
        rows = unit.connection.execute(select(*_CHECKPOINT).order_by(checkpoints.c.size, checkpoints.c.id))
        return [_checkpoint(row) for row in rows]

    def examined(self, unit: Unit) -> tuple[Sequence[Checkpoint], Sequence[int]]:
        """Return all checkpoints that can be read, and the sizes of those that cannot: for a verifier, who goes on."""
        with lenient_text(unit.connection):
            rows = unit.connection.execute(select(*_CHECKPOINT).order_by(checkpoints.c.size, checkpoints.c.id)).all()
        readable, damaged = [], []
        for row in rows:
            try:
                readable.append(_checkpoint(row))
            except CheckpointDamagedError:
                damaged.append(row.size)
        return readable, damaged

    def latest(self, unit: Unit) -> Checkpoint | None:
        """Return the checkpoint that covers the most."""
        order = select(*_CHECKPOINT).order_by(checkpoints.c.size.desc(), checkpoints.c.id.desc())
        row = unit.connection.execute(order.limit(1)).first()
        return None if row is None else _checkpoint(row)

    def daily(self, unit: Unit, count: int) -> Sequence[Checkpoint]:
        """Return the latest `count` daily roots, the newest first."""
        days = select(*_CHECKPOINT).where(checkpoints.c.day.is_not(None)).order_by(checkpoints.c.day.desc())
        return [_checkpoint(row) for row in unit.connection.execute(days.limit(count))]

    def made(self, unit: Unit, size: int, day: date | None) -> Checkpoint | None:
        """Return the daily root of `day`, or without a day a checkpoint of `size` entries, if it was made."""
        same = checkpoints.c.day == day.isoformat() if day else checkpoints.c.size == size
        row = unit.connection.execute(select(*_CHECKPOINT).where(same).limit(1)).first()
        return None if row is None else _checkpoint(row)

    def keep(self, unit: Unit, checkpoint: Checkpoint) -> None:
        """Store a new checkpoint."""
        unit.connection.execute(
            insert(checkpoints).values(
                size=checkpoint.size,
                root=checkpoint.root,
                note=checkpoint.note,
                level=checkpoint.level.value,
                created_at=timestamp(checkpoint.created_at),
                reason=checkpoint.reason.value,
                day=checkpoint.day and checkpoint.day.isoformat(),
                witness=checkpoint.witness,
            )
        )

    def witnessed(self, unit: Unit, checkpoint: Checkpoint) -> None:
        """Store what a witness added to every checkpoint of this size and root."""
        unit.connection.execute(
            update(checkpoints)
            .where(checkpoints.c.size == checkpoint.size, checkpoints.c.root == checkpoint.root)
            .values(note=checkpoint.note, level=checkpoint.level.value, witness=checkpoint.witness)
        )


def origin(install_id: str) -> str:
    """Return the log's name; it resolves nowhere on purpose."""
    return f"auritas.invalid/{install_id}/audit/1"


def _install_id(connection: Connection) -> str | None:
    return connection.execute(select(local_settings.c.value).where(local_settings.c.key == INSTALL_ID)).scalar()


def _lost(how: str) -> KeyLostError:
    return KeyLostError(
        f"The key that signed the audit log is {how}.",
        remedy="Restore a backup: a new key would make the old checkpoints worthless.",
    )


def _checkpoint(row: Row[tuple[object, ...]]) -> Checkpoint:
    try:
        f"{row.note}{row.witness}".encode()  # what is no text cannot be compared with a signature
        decimal(str(row.size))
        return Checkpoint(
            size=row.size,
            root=row.root,
            note=row.note,
            level=Level(row.level),
            created_at=from_timestamp(row.created_at),
            reason=Reason(row.reason),
            day=None if row.day is None else date.fromisoformat(row.day),
            witness=row.witness,
        )
    except (ValueError, MalformedError):
        raise CheckpointDamagedError(
            f"The checkpoint over {row.size} entries is damaged.", remedy="Try: auritas audit verify"
        ) from None
