"""What is left out of which conversation, and which pairs both hold, in the store."""

from collections.abc import Sequence

from sqlalchemy import delete, or_, select
from sqlalchemy.dialects.sqlite import insert

from auritas.store import Unit
from auritas.store import schema as t


def left_out(unit: Unit, conversation_id: str) -> Sequence[str]:
    """Return the ids of what is left out of a conversation, the latest first."""
    c = t.left_out.c
    query = select(c.correction_id).where(c.conversation_id == conversation_id)
    return unit.connection.execute(query.order_by(c.created_at.desc(), c.correction_id.desc())).scalars().all()


def left_out_of(unit: Unit, correction_id: str) -> Sequence[str]:
    """Return the ids of the conversations of which a correction is left out."""
    c = t.left_out.c
    query = select(c.conversation_id).where(c.correction_id == correction_id)
    return unit.connection.execute(query.order_by(c.conversation_id)).scalars().all()


def put_left_out(unit: Unit, conversation_id: str, correction_id: str, at: str) -> bool:
    """Leave a correction out of a conversation; return whether it was not."""
    row = {"conversation_id": conversation_id, "correction_id": correction_id, "created_at": at}
    written = insert(t.left_out).values(row).on_conflict_do_nothing()
    return bool(unit.connection.execute(written).rowcount)


def drop_left_out(unit: Unit, conversation_id: str, correction_id: str) -> bool:
    """Let a correction enter a conversation again; return whether it was left out."""
    c = t.left_out.c
    mine = (c.conversation_id == conversation_id) & (c.correction_id == correction_id)
    return bool(unit.connection.execute(delete(t.left_out).where(mine)).rowcount)


def copy_left_out(unit: Unit, origin_id: str, branch_id: str) -> None:
    """Leave out of a branch what is left out of where it began."""
    c = t.left_out.c
    rows = unit.connection.execute(select(c.correction_id, c.created_at).where(c.conversation_id == origin_id)).all()
    for correction_id, created_at in rows:
        put_left_out(unit, branch_id, correction_id, created_at)


def kept_pairs(unit: Unit) -> frozenset[tuple[str, str]]:
    """Return the pairs of which both hold, each with the smaller id first."""
    c = t.kept_pairs.c
    return frozenset((row[0], row[1]) for row in unit.connection.execute(select(c.first_id, c.second_id)))


def put_pair(unit: Unit, pair: tuple[str, str], at: str) -> bool:
    """Keep that both of a pair hold; return whether that was new."""
    row = {"first_id": pair[0], "second_id": pair[1], "created_at": at}
    written = insert(t.kept_pairs).values(row).on_conflict_do_nothing()
    return bool(unit.connection.execute(written).rowcount)


def drop_pair(unit: Unit, pair: tuple[str, str]) -> bool:
    """Forget that both of a pair hold; return whether that was kept."""
    c = t.kept_pairs.c
    mine = (c.first_id == pair[0]) & (c.second_id == pair[1])
    return bool(unit.connection.execute(delete(t.kept_pairs).where(mine)).rowcount)


def drop_pairs_of(unit: Unit, correction_id: str) -> None:
    """Forget every pair that a correction is one of."""
    c = t.kept_pairs.c
    mine = or_(c.first_id == correction_id, c.second_id == correction_id)
    unit.connection.execute(delete(t.kept_pairs).where(mine))


def forget_steering(unit: Unit, correction_id: str) -> None:
    """Forget where a correction is left out and beside what it holds: it is erased."""
    drop_pairs_of(unit, correction_id)
    unit.connection.execute(delete(t.left_out).where(t.left_out.c.correction_id == correction_id))
