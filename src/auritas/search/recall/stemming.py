"""The stem of an English word: M. F. Porter, An algorithm for suffix stripping, Program 14(3), 1980.

A word is [C](VC){m}[V] in runs of consonants and vowels; m is its measure. Rules name a suffix, what replaces it, and
what must hold of the rest. The longest suffix that matches decides, whether its condition holds or not.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

_SHORT: Final = 2
"""Words of up to two letters have no suffix."""
_CACHED: Final = 65_536

_SECOND: Final = {
    "ational": "ate",
    "tional": "tion",
    "enci": "ence",
    "anci": "ance",
    "izer": "ize",
    "bli": "ble",
    "alli": "al",
    "entli": "ent",
    "eli": "e",
    "ousli": "ous",
    "ization": "ize",
    "ation": "ate",
    "ator": "ate",
    "alism": "al",
    "iveness": "ive",
    "fulness": "ful",
    "ousness": "ous",
    "aliti": "al",
    "iviti": "ive",
    "biliti": "ble",
    "logi": "log",
}
_THIRD: Final = {"icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": ""}
_FOURTH: Final = dict.fromkeys(
    (
        *("al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou", "ism"),
        *("ate", "iti", "ous", "ive", "ize"),
    ),
    "",
)


@lru_cache(maxsize=_CACHED)
def stem(word: str) -> str:
    """Return the stem of a word in lower case; what is not English letters comes back unchanged."""
    if len(word) <= _SHORT or not (word.isascii() and word.isalpha()):
        return word
    word = _with_i(_past(_plural(word)))
    word = _replaced(word, _SECOND, 0)
    word = _replaced(word, _THIRD, 0)
    word = _replaced(word, _FOURTH, 1)
    return _tidy(word)


def _shape(word: str) -> str:
    """Return c or v for each letter; y is a vowel after a consonant."""
    shape = ""
    for letter in word:
        vowel = letter in "aeiou" or (letter == "y" and shape.endswith("c"))
        shape += "v" if vowel else "c"
    return shape


def _measure(word: str) -> int:
    return len(re.findall("v+c+", _shape(word)))


def _plural(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _past(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for suffix in ("ed", "ing"):
        rest = word.removesuffix(suffix)
        if rest != word and "v" in _shape(rest):
            return _mended(rest)
    return word


def _mended(word: str) -> str:
    """Restore what an ending took away: hop(p)ing, fil(e)ing, conflat(e)ed."""
    if word.endswith(("at", "bl", "iz")):
        return word + "e"
    if word[-2:-1] == word[-1] and _shape(word).endswith("c") and word[-1] not in "lsz":
        return word[:-1]
    return word + "e" if _measure(word) == 1 and _is_short(word) else word


def _is_short(word: str) -> bool:
    """Whether it ends as consonant, vowel, consonant, and the last is not w, x or y."""
    return _shape(word).endswith("cvc") and word[-1] not in "wxy"


def _with_i(word: str) -> str:
    return word[:-1] + "i" if word.endswith("y") and "v" in _shape(word[:-1]) else word


def _replaced(word: str, rules: Mapping[str, str], over: int) -> str:
    suffix = max((each for each in rules if word.endswith(each)), key=len, default=None)
    if suffix is None:
        return word
    rest = word.removesuffix(suffix)
    if _measure(rest) <= over or (suffix == "ion" and not rest.endswith(("s", "t"))):
        return word
    return rest + rules[suffix]


def _tidy(word: str) -> str:
    if word.endswith("e"):
        rest = word[:-1]
        measure = _measure(rest)
        if measure > 1 or (measure == 1 and not _is_short(rest)):
            word = rest
    return word[:-1] if word.endswith("ll") and _measure(word[:-1]) > 1 else word
