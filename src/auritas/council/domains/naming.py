"""Names of fields: their normal form, their ids, and when one is a slip of the pen for another."""

import unicodedata
from collections.abc import Collection

NAME_CHARACTERS = 40
TYPO_SIMILARITY = 0.80
TYPO_LETTERS = 6
"""Of the longer word, below which nothing counts as a typo: in a shorter one a single letter makes another word (law
and raw, legal and regal, music and Munich), and 1 - 1/5 would let it pass."""

_KEPT = frozenset("+#")
"""Signs that tell names apart: C, C++ and C#."""
_SPOKEN = str.maketrans({"+": " plus ", "#": " sharp "})
_SPACES = str.maketrans({"-": " ", "_": " ", "/": " ", "&": " and "})


def normalise(tag: str) -> str:
    """Return a tag in its normal form: one space between words, lower case, at most 40 safe characters.

    Safe are letters, marks and digits of every script, and the signs in `C++` and `C#`. Without a letter or a digit
    ("++") it names nothing, and nothing comes back.
    """
    text = unicodedata.normalize("NFKC", tag).casefold().translate(_SPACES)
    safe = "".join(c if _is_safe(c) else " " if c.isspace() else "" for c in text)
    name = " ".join(safe.split())[:NAME_CHARACTERS].rstrip()
    return name if any(c.isalnum() for c in name) else ""


def _is_safe(character: str) -> bool:
    return character.isalnum() or character in _KEPT or unicodedata.category(character).startswith("M")


def node_id(name: str, taken: Collection[str] = ()) -> str:
    """Return the id of a node called `name`: snake case, with a number behind it where the id is taken.

    Like a name it has at most 40 characters, so that its words are told from those of every other id.
    """
    plain = "_".join(normalise(name).translate(_SPOKEN).split())
    number, chosen = 1, _cut(plain, NAME_CHARACTERS)
    while chosen in taken:
        number += 1
        chosen = f"{_cut(plain, NAME_CHARACTERS - len(f'_{number}'))}_{number}"
    return chosen


def _cut(snake: str, characters: int) -> str:
    return snake[:characters].rstrip("_")


def edit_similarity(a: str, b: str) -> float:
    """Return 1 - d / length of the longer, with d the optimal string alignment distance.

    d counts insertions, deletions, substitutions and swaps of neighbours (Damerau, CACM 7, 1964, in the restricted
    form in which no part is edited twice), because swapped letters are one slip and not two.
    """
    longer = max(len(a), len(b))
    return 1 - _distance(a, b) / longer if longer else 1.0


def is_typo(word: str, name: str) -> bool:
    """Return whether `word` reads like `name` with a slip.

    Besides the similarity the first letters must be equal, which slips rarely touch and other words often do (pathology
    and mythology), and so must be their digits.
    """
    if max(len(word), len(name)) < TYPO_LETTERS or word[:1] != name[:1] or _digits(word) != _digits(name):
        return False
    return edit_similarity(word, name) >= TYPO_SIMILARITY


def _digits(text: str) -> str:
    return "".join(filter(str.isdigit, text))


def _distance(a: str, b: str) -> int:
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, left in enumerate(a, 1):
        earlier, before, row = before, row, [i]
        for j, right in enumerate(b, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (left != right))
            if i > 1 and j > 1 and left == b[j - 2] and a[i - 2] == right:
                cost = min(cost, earlier[j - 2] + 1)
            row.append(cost)
    return row[-1]
