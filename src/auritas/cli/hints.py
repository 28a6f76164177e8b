"""Commands that are named to a person, as they are typed where that person is: at a shell, or in a conversation."""

import re

_SPOKEN = re.compile(r"\bauritas (?:grade )?(right|wrong|none|key|merge|undo|pick|compare|why)\b")


def hint(words: str, *, in_chat: bool) -> str:
    """Return our own words; in_chat: with the commands that a conversation has, too, named as they are typed there."""
    return _SPOKEN.sub(r"/\1", words) if in_chat else words
