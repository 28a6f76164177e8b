"""A conversation in pieces that a model can read: nothing is left out, however long it is."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from auritas.memory.notes.model import Turn
from auritas.memory.notes.tokens import CHARACTERS_A_TOKEN, TokenCount, estimated


def windows(turns: Sequence[Turn], tokens: int, count: TokenCount = estimated) -> Iterator[tuple[Turn, ...]]:
    """Yield the turns in order, in pieces of about `tokens` tokens at most; a longer message is divided."""
    piece: list[Turn] = []
    taken = 0
    for turn in _divided(turns, tokens, count):
        size = count(turn.text)
        if piece and taken + size > tokens:
            yield tuple(piece)
            piece, taken = [], 0
        piece.append(turn)
        taken += size
    if piece:
        yield tuple(piece)


def _divided(turns: Sequence[Turn], tokens: int, count: TokenCount) -> Iterator[Turn]:
    for turn in turns:
        if count(turn.text) <= tokens:
            yield turn
            continue
        # Each character takes at most one token by any tokenizer's reckoning of a long text, mostly a quarter.
        wide = CHARACTERS_A_TOKEN * tokens
        step = wide if count(turn.text[:wide]) <= tokens else tokens
        for start in range(0, len(turn.text), step):
            yield replace(turn, text=turn.text[start : start + step])
