"""Which words of a message are the user's own: what is pasted, quoted or forwarded is data, not their word."""

import re
import unicodedata
from typing import NamedTuple

from auritas.memory.detection.wording import readable

LONG_QUOTE = 5
"""Words from which a quotation is somebody's text rather than a name or an example."""
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\U000e0000-\U000e007f]"
)
_JOINERS = re.compile("(?<=[A-Za-z])[\u200c\u200d]|[\u200c\u200d](?=[A-Za-z])")
_TAGS = re.compile("\U0001f3f4[\U000e0000-\U000e007f]+")
"""Flags of regions, the one honest use of these characters."""
_FENCE = re.compile(r"(?:```|~~~).*?(?:```|~~~|\Z)", re.DOTALL)
_BLOCK_QUOTE = re.compile(r"^\s*(?:>|\|).*$", re.MULTILINE)
_QUOTED = re.compile(
    r"\"[^\"]*\"|\u00ab[^\u00bb]*\u00bb|\u201e[^\"]*\"|(?<!\w)'(?:[^'\n]|(?<=\w)'(?=\w))*'(?!\w)|`[^`\n]*`"
)
_TASK = (
    r"(?:summari[sz]e|summary of|translat\w*|explain|proof-?read|paraphrase|rephrase|rewrite|re-word"
    r"|analy[sz]e|review"
    r"|check|correct|edit|shorten|improve|read|classify|extract|what does|what do you (?:think|make) of"
    r"|who wrote|fix (?:this|the|my)"
    r"|reply to|respond to|answer (?:this|these|the following)|tl;?dr|continue|complete|look at|here(?:'s"
    r"| is| are)|this is|these are|see|evaluate"
    r"|zusammenfass\w*|\u00fcbersetz\w*|fasse?|traduis\w*|r\u00e9sum\w*|traduc\w*|resum\w*)"
)
_GIVEN = re.compile(
    rf"\b(?!(?:edit|correct|check|improve|read|review|see)\s*:){_TASK}\b[^\n:]{{0,80}}:(?!\d)"
    r"|\b(?:the|this|that|my|a|an|his|her|their|our) (?:\w+ ){0,3}?(?:page|site|website|web ?page|article"
    r"|document|docs?"
    r"|readme|file|pdf|e?-?mail|letter|message|note|text|post|tweet|comment|chat|ticket|issue|wiki|manual"
    r"|book|ad|sign"
    r"|prompt|blog|answer|bot|assistant|ai|model|source|tool|result|web|internet|script|review|reviewer|memo|slide)s?"
    r"(?: \w+){0,3}?,? (?:says?|said|reads?|tells?|told|states?|stated|claims?|claimed|contains?|wrote"
    r"|writes|asks|asked"
    r"|suggests?|instructs?|recommends?)\b"
    r"|\b(?:according to (?:the|this|that)|(?:quote|quoting|saying)\s*[:,]|copied from|pasted from"
    r"|forwarded|found this|got this|received this"
    r"|someone (?:wrote|posted|sent|said)|it says|it said)(?!\w)",
    re.IGNORECASE,
)
"""From here on the words are given to work on, or somebody else's."""
_FOREIGN = re.compile(
    r"^\s*(?:from|to|cc|bcc|subject|date|sent|reply-to|von|an|betreff|de|objet|asunto|fwd|fw|re):\s"
    r"|^\s*-{2,}.*(?:forwarded|original|begin|message|transcript|conversation).*$|^\s*on .{4,80} wrote:"
    r"|^\s*(?:begin )?forwarded message"
    r"|^\W{0,3}(?:system|user|human|assistant|ai|bot|chatgpt|claude|gpt[-\w]*|gemini|copilot|llm"
    r"|admin(?:istrator)?|developer|operator|tool"
    r"|function|model|me|you|root|moderator|support|agent|instructions?|prompt|notice|attention|note to (?:the )?\w+"
    r"|memory|user (?:said|says|wants|note|correction|preference|message)|the user|utilisateur|benutzer"
    r"|usuario|sistema|syst[e\u00e8]me)"
    r"(?: (?:said|says|wrote|prompt|message|override|update|note|notice|instructions?))?\W{0,2}\s*[:>\]](?!\d)"
    r"|^\s*\[?\d{1,2}:\d\d(?::\d\d)?(?: ?[ap]m)?\]?,? *\w[\w .]{0,30}:"
    r"|^\s*\[?\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}.{0,30}\] *\w+"
    r"|^\s*(?!correction|update|fix|fact|rule|note|reminder|remember|edit|preference|ps"
    r"|p\.s)[A-Z][\w.-]{1,20}(?: \([^)]*\))?: .+\n(?:.*\n)*?\s*[A-Z][\w.-]{1,20}(?: \([^)]*\))?: "
    r"|<\|?/?(?:im_start|im_end|system|user|assistant|endoftext|inst|s|html|body|head|div|span|p|a|br|img"
    r"|script|style|table|h\d|li|ul|meta"
    r"|title|instructions?|prompt|memory|context|document|b|i|font|iframe|svg|input|form|page|email|note"
    r"|quote|blockquote|data|text|msg|message"
    r"|tool\w*|function\w*)\b[^>\n]*>|<!--|\[/?inst\]|<<sys>>"
    r"|^\s*#{1,6} |!\[[^\]]*\]\(|\[[^\]]+\]\([a-z]+:|^\s*(?:https?://|www\.)"
    r"|^\s*(?:={3,}|-{3,}|\*{3,}|_{3,})\s*$|^\s*\{\s*\"|\"(?:role|content|instruction|system|memory)\"\s*:"
    r"|\bBEGIN [A-Z]+|&(?:lt|gt|#\d+|nbsp|quot);",
    re.IGNORECASE | re.MULTILINE,
)
"""Headers, transcripts, mark-up and forged roles: all that follows came from elsewhere."""


class OwnWords(NamedTuple):
    """The user's own words in pieces, and whether anything was cut out or cut off."""

    pieces: tuple[str, ...]
    quoted: bool


def disguised(said: str) -> bool:
    """Return whether a text hides something: invisible characters, or letters of two alphabets in one word.

    Nobody types these; see Unicode Technical Standard 39, section 5, on mixed scripts.
    """
    plain = _TAGS.sub("", said)
    if _INVISIBLE.search(plain) or _JOINERS.search(plain):
        return True
    return any(len(_alphabets(word)) > 1 for word in re.findall(r"[^\W\d_]+", plain)) or _styled(plain)


def own_words(said: str) -> OwnWords:
    """Return what of a message the user wrote for us, without what it gives us to read."""
    text = readable(said)
    kept, quoted = text, False
    if found := _FOREIGN.search(text):
        kept, quoted = text[: found.start()], True
    if found := _GIVEN.search(_QUOTED.sub(lambda m: "\ufffc" * len(m[0]), kept)):
        kept, quoted = _before_sentence(kept, found.start()), True
    pieces = [kept]
    for pattern in (_FENCE, _BLOCK_QUOTE):
        pieces = [part for piece in pieces for part in pattern.split(piece)]
    pieces = [part for piece in pieces for part in _without_long_quotes(piece)]
    whole = tuple(stripped for piece in pieces if (stripped := piece.strip()))
    return OwnWords(whole, quoted or len(pieces) > 1)


def _before_sentence(text: str, at: int) -> str:
    """Return what stands before the sentence that goes over position `at`."""
    ends = [match.end() for match in re.finditer(r"[.!?]\s+|\n+", text[:at])]
    return text[: ends[-1]] if ends else ""


def _without_long_quotes(text: str) -> list[str]:
    parts, start = [], 0
    for match in _QUOTED.finditer(text):
        if len(match[0].split()) >= LONG_QUOTE:
            parts.append(text[start : match.start()])
            start = match.end()
    return [*parts, text[start:]]


def _alphabets(word: str) -> set[str]:
    return {unicodedata.name(c, "?").split(" ")[0] for c in word} & {
        "LATIN",
        "CYRILLIC",
        "GREEK",
        "ARMENIAN",
        "CHEROKEE",
    }


def _styled(text: str) -> bool:
    """Return whether letters are written as mathematical or full-width look-alikes."""
    names = (unicodedata.name(c, "") for c in text if ord(c) > 0x2000)  # noqa: PLR2004  where look-alikes begin
    return (
        sum(name.startswith(("MATHEMATICAL", "FULLWIDTH LATIN", "CIRCLED LATIN", "SQUARED LATIN")) for name in names)
        > 1
    )
