"""How near two spellings are, and how much of its letters a title shares with what was typed."""

from collections.abc import Iterable

SHORT_WORD = 5
"""Letters up to which a word may differ by one slip; longer ones by two."""
_SHORTEST = 3


def slips_allowed(word: str) -> int:
    """Return how many slips a word of this length is forgiven."""
    return 0 if len(word) < _SHORTEST else 1 if len(word) <= SHORT_WORD else 2


def distance(first: str, second: str, most: int) -> int:
    """Return the number of slips between two words, or most + 1 when there are more.

    A slip is a letter too many, missing or wrong, or two neighbours swapped: the optimal string alignment distance
    (Boytsov, Indexing methods for approximate dictionary searching, 2011, section 2.2).
    """
    if abs(len(first) - len(second)) > most:
        return most + 1
    before: list[int] = []
    row = list(range(len(second) + 1))
    for i, a in enumerate(first, 1):
        earlier, before, row = before, row, [i]
        for j, b in enumerate(second, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == second[j - 2] and b == first[i - 2]:
                cost = min(cost, earlier[j - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
    return row[-1]


def nearest(word: str, known: Iterable[tuple[str, int]]) -> str | None:
    """Return the known word with the fewest slips, of several the one in most conversations; None when all are far.

    known: words with the number of conversations that hold them.
    """
    most = slips_allowed(word)
    found = [(distance(word, other, most), -count, other) for other, count in known]
    near = [each for each in found if each[0] <= most]
    return min(near)[2] if near else None


def trigrams(text: str) -> set[str]:
    """Return all stretches of three letters."""
    return {text[place : place + 3] for place in range(len(text) - 2)}


def shared(wanted: str, title: str) -> float:
    """Return the share of trigrams of `wanted` that `title` has, in [0, 1]."""
    mine = trigrams(wanted)
    return len(mine & trigrams(title)) / len(mine) if mine else 0.0
