"""How text becomes words: as FTS5's unicode61 does it, with the parts of identifiers beside them."""

import re
import unicodedata
from collections.abc import Iterator

# Letters and digits that Python knows and FTS5's tables do not: they part words there, so they do here.
_UNKNOWN_TO_FTS5 = "\u19b0-\u19c0\u19c8\u19c9\u1cf2\u1cf3"
_WORD = re.compile(rf"[^\W{_UNKNOWN_TO_FTS5}]+")
_CHAIN = re.compile(r"(?<!\w)\w++(?:\.\w++)++")
"""Never looked for from the middle of a word: a key of a megabyte would be read once for each of its letters."""
_CHAIN_PARTS = 6
"""Names in a dotted identifier whose ends are indexed too: path.join of os.path.join."""
_HUMP = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")
_SEAM = re.compile(r"_|[^\W\d_]\d|\d[^\W\d_]|[a-z][A-Z]|[A-Z][A-Z][a-z]|[A-Za-z][^\W\x00-\x7f]|[^\W\x00-\x7f][A-Za-z]")
"""Where a word may fall into parts."""
_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af\u0e00-\u0e7f"
_CJK_RUN = re.compile(f"[{_CJK}]{{2,}}")

STOP_WORDS = frozenset(
    (  # noqa: SIM905  a list of seventy words would fill a page
        "a about an and are as at be been but by can could did do does for from had has have how i if in into is "
        "it its me my no not of on or our should so such that the their them then there these they this to was we "
        "were what when where which who why will with would you your"
    ).split(" ")
)
"""Words of nearly every message: completed ones are no terms."""


def words(text: str) -> list[str]:
    """Return the words of `text` as they stand; identifiers with underscores stay whole."""
    return _WORD.findall(text)


def folded(word: str) -> str:
    """Return `word` in lower case without diacritics, to compare words by; the index folds by itself."""
    if word.isascii():
        return word.lower()
    plain = "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))
    return unicodedata.normalize("NFC", plain).lower()


def parts(word: str) -> list[str]:
    """Return the parts of an identifier, or nothing when it has only one.

    `MessageCache` is Message and Cache, `fire_and_forget` fire, and, forget, `http404` http and 404.
    """
    found = [part for piece in word.split("_") for part in _HUMP.findall(piece)]
    return found if len(found) > 1 else []


def chain(names: str) -> str:
    """Return a dotted identifier as the one word that stands for it in the index."""
    return names.replace(".", "_")


def extra_words(text: str) -> str:
    """Return what the index gets beside `text`: parts of identifiers, dotted ones whole, and pairs of CJK letters.

    Each comes once; what is a word of the text already may come again, which makes identifiers weigh double.
    """
    return " ".join(dict.fromkeys(_extras(text)))


def _extras(text: str) -> Iterator[str]:
    for word in _identifiers(text):
        found = parts(word)
        if found:
            yield word
            yield from found
    for match in _CHAIN.finditer(text):
        names = match[0].split(".")[-_CHAIN_PARTS:]
        yield from ("_".join(names[start:]) for start in range(len(names) - 1))
    if not text.isascii():
        for run in _CJK_RUN.findall(text):
            yield from pairs(run)


def _identifiers(text: str) -> Iterator[str]:
    """Yield the words that may have parts; looking only where two kinds of letters meet is much faster."""
    end = 0
    for match in _SEAM.finditer(text):
        if match.start() < end:
            continue
        start = match.start()
        while start > end and _WORD.match(text[start - 1]):
            start -= 1
        found = _WORD.match(text, start)
        if found:
            end = found.end()
            yield found[0]


def pairs(run: str) -> list[str]:
    """Return the overlapping pairs of letters by which text without blanks is found."""
    return [run[index : index + 2] for index in range(len(run) - 1)]


def is_cjk(word: str) -> bool:
    """Tell whether `word` is a run of letters that are written without blanks."""
    return bool(_CJK_RUN.fullmatch(word))
