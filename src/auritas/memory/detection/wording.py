"""A message as it is read: without control characters, in sentences, with its courtesy known."""

import re
import unicodedata

from auritas.kernel.text import displayable, storable

_QUOTES = str.maketrans({"\u2018": "'", "\u2019": "'", "\u02bc": "'", "\u201c": '"', "\u201d": '"', "\u00a0": " "})
_SENTENCE_END = re.compile(
    r"(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\bvs\.)(?<!\bMr\.)(?<!\bDr\.)(?<!\bMrs\.)(?<=[.!?\u2026;])\s+"
)
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
FUNCTION_WORDS = frozenset(
    re.findall(
        r"\S+",
        "a an and are as at be been but by can did do does don't for from had has have he her his i if in "
        "into is it it's its i'm just me my no not of on or our she so than that that's the their them then "
        "there these they this those to too us was we were what when where which who will with would you your "
        "you're isn't should must never always use please actually only yes about all any each every more "
        "most some such very also ",
    )
)


def readable(said: str) -> str:
    """Return a message with its line ends, one space between words, no invisible and no control character."""
    plain = displayable(storable(said)).translate(_QUOTES)
    plain = "".join(c for c in unicodedata.normalize("NFC", plain) if c == "\n" or unicodedata.category(c)[0] != "C")
    lines = (" ".join(line.split()) for line in plain.splitlines())
    return "\n".join(lines).strip()


def normalised(said: str) -> str:
    """Return a message on one line; every claim is a part of this."""
    return " ".join(readable(said).split())


def sentences(text: str) -> list[str]:
    """Return the sentences of a text; each line is at least one."""
    parts = (part.strip() for line in text.splitlines() for part in _SENTENCE_END.split(line))
    return [part for part in parts if part]


def words(text: str) -> list[str]:
    """Return the words of a text in lower case."""
    return _WORD.findall(text.lower())


def share_of_function_words(text: str) -> float:
    """Return how much of a text is made of small English words: near 0 for another language, about 0.5 for English."""
    all_words = words(text)
    return sum(word in FUNCTION_WORDS for word in all_words) / len(all_words) if all_words else 0.0
