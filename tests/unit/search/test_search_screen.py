"""Searching as one types, key by key."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from auritas.app.search import ConversationHit, Found, Order, Piece
from auritas.cli.keyboard import Key
from auritas.cli.search_screen import Chosen, Field, after, chosen


@dataclass
class Answers:
    """A search that finds two conversations for every text, and keeps what it was asked."""

    asked: list[tuple[str, bool]] = field(default_factory=list)

    def words(self, text: str, *, entered: bool, limit: int) -> Found:
        assert limit
        self.asked.append((text, entered))
        at = datetime(2026, 1, 1, tzinfo=UTC)
        hits = tuple(ConversationHit(name, (Piece(name),), at, None, ()) for name in ("one", "two"))
        return Found(hits, order=Order.RELEVANCE)

    def place(self, text: str, conversation_id: str) -> str:
        return f"{conversation_id}: {text}"


def pressed(search: Any, *keys: Key | str, burst: bool) -> Field:
    found = Field()
    for place, key in enumerate(keys, 1):
        found = after(search, found, key, stale=burst and place < len(keys))
    return found


def test_of_keys_that_wait_only_the_last_is_looked_for():
    """While typing fast, or pasting, only what stands there at the end is searched."""
    search = Answers()
    assert pressed(search, *"canaries", Key.BACK, Key.BACK, Key.BACK, "y", burst=True).text == "canary"
    assert search.asked == [("canary", False)]
    pressed(search, *"can", burst=False)
    assert [text for text, _ in search.asked[1:]] == ["c", "ca", "can"]


def test_arrows_and_enter_after_a_burst_work_on_what_stands_there():
    """An arrow first looks for the text, Enter asks for its order of relevance."""
    search = Answers()
    moved = pressed(search, *"can", Key.DOWN, burst=True)
    assert (moved.selected, search.asked) == (1, [("can", False)])
    entered = pressed(search, *"can", Key.ENTER, burst=True)
    assert entered.opens
    assert search.asked[-1] == ("can", True)


def test_opening_looks_for_the_place_that_typing_did_not_reach():
    """A conversation opens at the words, also where they stand deep in it."""
    search: Any = Answers()
    assert chosen(search, pressed(search, *"can", burst=True)) == Chosen("one", "one: can")
    assert chosen(search, Field("can")) is None
