"""Pages by cursor."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import Column, Integer, MetaData, Select, Table, Text, create_engine, select
from tests.unit.store.rows import MOMENT

from auritas.kernel.errors import InvalidError
from auritas.store import schema
from auritas.store.cursor import Cursor, Page, page
from auritas.store.database import SqlStore

ROWS = Table("rows", MetaData(), Column("seq", Integer, primary_key=True), Column("at", Text))


def test_three_messages_of_one_moment(store: SqlStore):
    """Three messages with one timestamp, page size 2: each appears exactly once (F1)."""
    with store.unit() as unit:
        talk = {"conversation_id": "c", "created_at": MOMENT, "updated_at": MOMENT}
        unit.connection.execute(schema.conversations.insert().values(talk))
        said = [
            {"message_id": str(n), "conversation_id": "c", "role": "user", "content": "", "created_at": MOMENT}
            for n in range(3)
        ]
        unit.connection.execute(schema.messages.insert(), said)
    m = schema.messages.c
    asking = select(m.message_id, m.created_at, m.seq)
    with store.read() as unit:
        first = page(unit.connection, asking, m.created_at, m.seq, size=2)
        second = page(unit.connection, asking, m.created_at, m.seq, size=2, after=first.next)
    assert [row.message_id for row in (*first.rows, *second.rows)] == ["0", "1", "2"]
    assert second.next is None


@settings(max_examples=60, deadline=None)
@given(
    times=st.lists(st.sampled_from(["a", "b", "c"]), max_size=12),
    size=st.integers(1, 5),
    newest_first=st.booleans(),
    late=st.lists(st.sampled_from(["a", "b", "c"]), max_size=4),
)
def test_each_row_once(times: list[str], size: int, newest_first: bool, late: list[str]):
    """Whatever the timestamps, rows there at the start come exactly once and in order, while others arrive (F1)."""
    engine = create_engine("sqlite://")
    ROWS.metadata.create_all(engine)
    with engine.begin() as connection:
        for at in times:
            connection.execute(ROWS.insert().values(at=at))
        there = list(range(1, len(times) + 1))
        asking: Select[tuple[int, str]] = select(ROWS.c.seq, ROWS.c.at)
        seen, after = [], None
        while True:
            got: Page[tuple[int, str]] = page(
                connection, asking, ROWS.c.at, ROWS.c.seq, size=size, after=after, newest_first=newest_first
            )
            seen += [row[0] for row in got.rows]
            if got.next is None:
                break
            after = Cursor.decode(got.next.encode())
            if late:
                connection.execute(ROWS.insert().values(at=late.pop()))
    ordered = sorted(there, key=lambda n: (times[n - 1], n), reverse=newest_first)
    assert [n for n in seen if n in set(there)] == ordered
    assert len(set(seen)) == len(seen)
    engine.dispose()


@given(at=st.text(max_size=30), tie=st.one_of(st.integers(-(2**53) + 1, 2**53 - 1), st.text(max_size=30)))
def test_a_cursor_survives_its_text(at: str, tie: int | str):
    """A cursor is the same after it was written into an address and read again."""
    assert Cursor.decode(Cursor(at, tie).encode()) == Cursor(at, tie)


@pytest.mark.parametrize("text", ["", "x", "!!", "bm90IGpzb24", Cursor("a", 1).encode()[:-2], "W10", "WyJhIix0cnVlXQ"])
def test_a_foreign_cursor_is_refused(text: str):
    """Any other text is refused with a typed error that says what to do."""
    with pytest.raises(InvalidError) as caught:
        Cursor.decode(text)
    assert caught.value.remedy


@pytest.mark.parametrize("size", [0, -1, 1001])
def test_page_sizes_are_bounded(store: SqlStore, size: int):
    """A page has between one and a thousand rows."""
    m = schema.messages.c
    with store.read() as unit, pytest.raises(InvalidError):
        page(unit.connection, select(m.created_at, m.seq), m.created_at, m.seq, size=size)
