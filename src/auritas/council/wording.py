"""The wording of an answer without its dress: markdown, lead-ins, articles, case and punctuation."""

import re
import unicodedata

MAX_CHARACTERS = 2000
"""Of an answer that is read; the rest of a longer one is kept as it is and makes it differ."""
MAX_LAYERS = 12
"""Of dress that are taken off, one inside the other."""

_RAISED = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-", strict=True))
_RAISED_RUN = re.compile(rf"[{''.join(_RAISED)}]+")
_SIGNS = str.maketrans(
    {
        "\N{RIGHT SINGLE QUOTATION MARK}": "'",
        "\N{LEFT SINGLE QUOTATION MARK}": "'",
        "\N{LEFT DOUBLE QUOTATION MARK}": '"',
        "\N{RIGHT DOUBLE QUOTATION MARK}": '"',
        "\N{MINUS SIGN}": "-",
        "\N{HYPHEN}": "-",
        "\N{NON-BREAKING HYPHEN}": "-",
        "\N{EN DASH}": "-",
        "\N{EM DASH}": " - ",
        "\N{MULTIPLICATION SIGN}": "*",
        "\N{FRACTION SLASH}": "/",
    },
)
_MARKUP = (
    (re.compile(r"\\(?:text|mathrm|mathbf)\{([^{}]*)\}"), r"\1"),
    (re.compile(r"\\boxed\{([^{}]*)\}"), r"\1"),
    (re.compile(r"\\[dt]?frac\{(\d+)\}\{(\d+)\}"), r"\1/\2"),
    (re.compile(r"\\(?:times|cdot)\b"), "*"),
    (re.compile(r"\\([%$&#_])"), r"\1"),
    (re.compile(r"^\s*(?:\\\((.*)\\\)|\\\[(.*)\\\])\s*\.?\s*$"), r"\1\2"),
    (re.compile(r"^\s*\$\$?([^$]+)\$\$?\s*\.?\s*$"), r"\1"),
    (re.compile(r"(\*\*\*?)(?=\S)(.+?)(?<=\S)\1"), r"\2"),
    (re.compile(r"(?<![\w*])\*(?=[^\s*])([^*]+)(?<=[^\s*])\*(?![\w*])"), r"\1"),
    (re.compile(r"```(?:\w+\n)?([^`]*)```|``?([^`]+)``?"), r"\1\2"),
    (re.compile(r"^\s*(?:#{1,6}|>|[-*\u2022])\s+(?=[^\s\d])"), ""),
)
_LEAD = re.compile(
    r"(?:(?:so|therefore|thus|hence),? (?=the |it )|(?:i think|i believe|i would say)(?: that)?,? "
    r"|(?:the )?(?:(?:final|correct|right|short|best) )?(?:answer|result|solution)(?: to (?:this|the|your) question)?"
    r"(?: is| would be|:| =)[: ]*(?:that )?|that(?: is|'s| would be) (?=\S+$)|= ?|x = )",
    re.IGNORECASE,
)
_IT_IS = re.compile(r"it(?: is|'s| was| would be) (?!(?:a|an|the|not|no|never) )(?=\S+(?: \S+){0,2}$)", re.IGNORECASE)
_SUM = re.compile(r"[\d\s+\-*/().,^%]*[+*/^-][\d\s+\-*/().,^%]*= ?(?=-?[\d.,]+$)")
_YEAR = re.compile(
    r"(?:in the year|the year|in|on) (?=\d{4}$|(?:[a-z]+ \d|\d{1,2}(?:st|nd|rd|th)? )[^?]*\d{4}$)", re.IGNORECASE
)
_PAIRS = (("(", ")"), ('"', '"'), ("'", "'"))
_INITIALS = re.compile(r"\b(?:[^\W\d_]\. ?)+[^\W\d_]\b\.?")
_ARTICLE = re.compile(r"(?:the|an|a) (?P<rest>.+)")
_NO_NAMES = frozenset(
    {"who", "the", "it", "them", "us", "band", "police", "cure", "doors", "fall", "verve", "same", "one", "other"}
)
_SMALL = 2
"""Letters up to which case tells words apart: Co is cobalt, CO a gas."""


def undressed(text: str) -> str:
    """Return what an answer says, in its own case, without markup, lead-in, closing full stop and brackets."""
    text = _plain(text[:MAX_CHARACTERS]) + text[MAX_CHARACTERS:]
    for _ in range(MAX_LAYERS):
        before, text = text, _unwrapped(_led(_closed(_unmarked(text))))
        if before == text:
            break
    return text


def normalised(text: str) -> str:
    """Return the wording by which two answers are compared as text; `text` is undressed already.

    Kept, because it changes meaning: "not", qualifiers ("Paris, Texas"), accents, + and #, points inside names, and
    the case of one or two letters. Dropped: the leading article, commas between words, the points of initials.
    """
    text = _INITIALS.sub(lambda found: re.sub(r"[. ]", "", found[0]), text)
    if len(text) <= _SMALL and text.isalnum():
        return text
    text = text.casefold().replace("&", " and ")
    text = re.sub(r"(?<=[^\W\d_]{2})-(?=[^\W\d_]{2})", " ", text)
    text = re.sub(r"(?<!\d)[,;](?!\d)|(?<=\d)[,;](?=\s)|,(?=\s)", " ", text)
    text = re.sub(r"(?<=[^\W\d_])\.(?=\s|$)", "", text)
    text = " ".join(text.split())
    article = _ARTICLE.fullmatch(text)
    return article["rest"] if article and article["rest"] not in _NO_NAMES else text


def _plain(text: str) -> str:
    text = _RAISED_RUN.sub(_power, text)  # before NFKC, which would make 102 of 10²
    text = unicodedata.normalize("NFKC", text.replace("½", " 1/2").replace("¼", " 1/4").replace("¾", " 3/4"))
    return " ".join(text.translate(_SIGNS).split())


def _unmarked(text: str) -> str:
    for pattern, kept in _MARKUP:
        text = pattern.sub(kept, text)
    return text.strip()


def _led(text: str) -> str:
    """Drop what leads to the answer, unless nothing would be left."""
    for lead in (_LEAD, _IT_IS, _SUM, _YEAR):
        match = lead.match(text)
        text = text[match.end() :].strip() if match and match.end() < len(text) else text
    return text


def _unwrapped(text: str) -> str:
    """Drop a pair of brackets or quotes around the whole; (1, 2) keeps them, because there they mean something."""
    for opening, closing in _PAIRS:
        inner = text[1:-1].strip()
        wraps = text.startswith(opening) and text.endswith(closing) and not set(inner) & {opening, closing}
        if wraps and inner and not (opening == "(" and "," in inner):
            text = inner
    return text


def _power(run: re.Match[str]) -> str:
    return "^" + "".join(_RAISED[sign] for sign in run[0])


def _closed(text: str) -> str:
    """Drop what closes a sentence; 5! keeps its factorial, and etc... nothing."""
    stripped = text.rstrip(" .;,:?")
    if stripped.endswith("!") and not re.search(r"[\d)]!$", stripped):
        stripped = stripped.rstrip("! ")
    return stripped or text
