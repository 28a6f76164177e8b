"""A conversation in pieces."""

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from auritas.kernel.model import Role
from auritas.memory.notes.model import Turn
from auritas.memory.notes.tokens import estimated
from auritas.memory.notes.windows import windows

NOW = datetime(2026, 5, 14, tzinfo=UTC)

said = st.lists(st.text(alphabet="ab \u6f22", min_size=1, max_size=400), min_size=1, max_size=12)


@given(said, st.integers(5, 200))
def test_pieces_hold_the_whole_conversation_in_order(texts: list[str], tokens: int):
    """Every character is in exactly one piece (spec: from the whole conversation since the last note)."""
    turns = [Turn(n, Role.USER, text, NOW) for n, text in enumerate(texts)]
    pieces = list(windows(turns, tokens))
    assert "".join(turn.text for piece in pieces for turn in piece) == "".join(texts)


@given(said, st.integers(5, 200))
def test_no_piece_is_longer_than_a_window(texts: list[str], tokens: int):
    """A piece that does not fit could not be read."""
    turns = [Turn(n, Role.USER, text, NOW) for n, text in enumerate(texts)]
    for piece in windows(turns, tokens):
        assert sum(estimated(turn.text) for turn in piece) <= tokens


def test_tokens_are_a_quarter_of_the_characters_and_whole_ones_in_east_asia():
    """Spec §2: characters / 4 where there is no tokenizer; Chinese takes about one token a character."""
    assert [estimated(text) for text in ("", "a", "abcd", "abcde", "\u6f22\u5b57", "\u6f22ab")] == [0, 1, 1, 2, 2, 2]
