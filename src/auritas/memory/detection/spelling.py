"""What people leave out or swap when they type fast, put right for the rules; a claim stays in the user's own words."""

import re

_LEADS = frozenset({"wrong", "actually", "remember", "always", "never", "correction", "incorrect"})
"""Words by which a correction is told, so that a slip in one of them would hide it."""
_KNOWN_SLIPS = {"rember": "remember", "remeber": "remember", "alwas": "always"}
"""Slips of two letters that are as common as those of one."""
_OTHER_WORDS = frozenset({"wring", "wrung", "wrongs", "newer", "remembers", "corrections", "nevers"})
"""Words of their own, though one letter away."""
_FIRST, _LAST = 5, 5
"""Words at the two ends of a sentence in which a slip is put right; in the middle it is no lead."""
_SHORTEST_SLIP = 4
_BARE = re.compile(
    r"\b(?P<stem>(?:do|does|did|is|was|are|were|has|have|had|ca|wo|would|should|could|must)n)t\b"
    r"|\b(?P<be>that|what|there|here|who|he|she)s\b"
    r"|\b(?P<them>you|they)(?P<are>re|ve)\b|\b(?P<me>i)(?P<am>m|ve)\b|\b(?P<we>we)ve\b"
    r"|^(?P<let>let)s\b",
    re.IGNORECASE,
)
_ITS = re.compile(
    r"\bits(?= ?(?:[$\u20ac\u00a3]?\d|(?:an?|the|not|no|now|only|just|really|very|too|so|still|been|always|never"
    r"|actually|in|on|at|from|by|because|called|about|around|more|less|my|our|your|his|her|their|mine|yours|all|also"
    r"|wrong|right|true|false)\b))"
    r"|(?:(?<=[,;:.!?\u2014\u2013] )|^|(?<=\bno )|(?<=\bnope )|(?<=\bnah )|(?<=\bthink )|(?<=\bbecause )"
    r"|(?<=\bactually )|(?<=\bwrong )|(?<=\bnow ))its(?= )"
    r"(?![^,;.!?]*\b(?:is|are|was|were|has|have|had|can|will|would|does|did|should|must|lies|means|starts|ends|moved"
    r"|changed|costs|runs|uses|became|won)\b)",
    re.IGNORECASE,
)
""" "its" for "it's": before a number, an article and the like, or opening a clause that has no other verb."""
_WORD = re.compile(r"[^\W\d_]+")


def as_meant(sentence: str) -> str:
    """Return a sentence with its missing apostrophes, and with slips in the words that open or close it put right."""
    return _ITS.sub(_its, _BARE.sub(_apostrophe, _without_slips(sentence)))


def as_typed(part: str, sentence: str) -> str:
    """Return what the user typed for a part of `as_meant(sentence)`."""
    if part in sentence:
        return part
    typed = re.compile("".join(_typed(piece) for piece in re.split(r"(\W)", part)), re.IGNORECASE)
    found = [match[0] for match in typed.finditer(sentence)]
    return found[-1] if found else part


def _typed(piece: str) -> str:
    if piece == "'":
        return "'?"
    return r"[^\W\d_]+" if piece.lower() in _LEADS else re.escape(piece)


def _apostrophe(match: re.Match[str]) -> str:
    typed = match[0]
    cut = 2 if match["are"] or match["we"] or (match["am"] or "").lower() == "ve" else 1
    return f"{typed[:-cut]}'{typed[-cut:]}"


def _its(match: re.Match[str]) -> str:
    return f"{match[0][:-1]}'{match[0][-1]}"


def _without_slips(sentence: str) -> str:
    found = list(_WORD.finditer(sentence))
    looked_at = found if len(found) <= _FIRST + _LAST else [*found[:_FIRST], *found[-_LAST:]]
    for match in reversed(looked_at):
        if meant := _meant(match[0].lower()):
            sentence = sentence[: match.start()] + meant + sentence[match.end() :]
    return sentence


def _meant(word: str) -> str:
    """Return the lead that a word is a slip of, or ""."""
    if len(word) < _SHORTEST_SLIP or word in _LEADS or word in _OTHER_WORDS:
        return ""
    near = (lead for lead in sorted(_LEADS) if word[0] == lead[0] and one_slip(word, lead))
    return _KNOWN_SLIPS.get(word) or next(near, "")


def one_slip(typed: str, meant: str) -> bool:
    """Return whether one letter was added, left out or mistaken, or two neighbours swapped.

    That is a distance of at most 1: Damerau, Communications of the ACM 7 (1964).
    """
    start = 0
    while start < min(len(typed), len(meant)) and typed[start] == meant[start]:
        start += 1
    one, other = typed[start:], meant[start:]
    while one and other and one[-1] == other[-1]:
        one, other = one[:-1], other[:-1]
    return max(len(one), len(other)) <= 1 or (len(one) == len(other) == 2 and one == other[::-1])  # noqa: PLR2004  a pair
