"""Commands that are named to a person, as they are typed where that person is: at a shell, or in a conversation."""

import re

_SPOKEN = re.compile(r"\bauritas (?:grade )?(right|wrong|none|key|merge|undo|pick|compare|why|search)\b")
_OF_MEMORY = re.compile(r"\bauritas memory (add|undo|confirm|dismiss|replace|why)\b")
_TYPED = {
    "add": "remember",
    "undo": "undo",
    "confirm": "keep",
    "dismiss": "drop",
    "replace": "replace",
    "why": "memory",
}


def hint(words: str, *, in_chat: bool) -> str:
    """Return our own words; in_chat: with the commands that a conversation has, too, named as they are typed there."""
    if not in_chat:
        return words
    return _OF_MEMORY.sub(lambda found: f"/{_TYPED[found[1]]}", _SPOKEN.sub(r"/\1", words))
