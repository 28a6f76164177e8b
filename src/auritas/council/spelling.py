"""The form of a word in which inflections and the two English spellings fall together."""

import re
from functools import cache

_LEAST = 4
"""Letters that an ending must leave: "news" is not "new"."""
_FULL = 5
"""Letters that a stem keeps when it loses its silent e: "rate" is not "rat"."""
_WHOLE = frozenset({"customs", "goods", "means", "arms", "species", "series", "texas", "wales", "united", "humane"})
_IRREGULAR = {
    form: base
    for base, forms in {
        "begin": "began begun",
        "build": "built",
        "buy": "bought",
        "child": "children",
        "do": "done",
        "draw": "drew drawn",
        "act": "acts acted acting",
        "add": "adds added adding",
        "ask": "asks asked asking",
        "die": "died dies dying",
        "eat": "ate eaten eats eating",
        "end": "ended ends ending",
        "pay": "paid pays paying",
        "fall": "fell fallen",
        "find": "found",
        "foot": "feet",
        "fly": "flew flown flies",
        "give": "gave given",
        "go": "goes went gone going",
        "grow": "grew grown",
        "hold": "held",
        "keep": "kept",
        "know": "knew known",
        "lead": "led",
        "lie": "lies lay lain lying",
        "lose": "lost",
        "make": "made makes making",
        "man": "men",
        "mouse": "mice",
        "rise": "rose risen rises rising",
        "run": "ran runs running",
        "say": "said says",
        "see": "saw seen sees",
        "sell": "sold",
        "send": "sent",
        "sing": "sang sung",
        "sink": "sank sunk",
        "speak": "spoke spoken",
        "take": "took taken takes taking",
        "tooth": "teeth",
        "win": "won wins winning",
        "woman": "women",
        "write": "wrote written writing writes",
        "bee": "bees",
        "use": "used uses using",
    }.items()
    for form in forms.split()
}


@cache
def stem(word: str) -> str:
    """Return the form by which two words are compared: plural and verb endings off, British spelling as American.

    It is only ever compared with another stem, so it need not be a word. Endings that change what is said ("-er",
    "-less", "un-") stay.
    """
    if word in _WHOLE:
        return word
    word = _IRREGULAR.get(word, word)
    word = re.sub(r"isation(?=s?$)", "ization", word)
    word = re.sub(r"(?<=\w{3})is(?=(?:e|es|ed|ing)$)", "iz", word)
    word = re.sub(r"(?<=\w{3})our(?=s?$|ed$|ing$|less$|ful$)", "or", word)
    return _without_e(_without_ending(word))


def _without_ending(word: str) -> str:
    word = _singular(word)
    for ending in ("ing", "ed"):
        bare = word.removesuffix(ending)
        if bare != word and len(bare) >= _LEAST:
            return re.sub(r"([^aeiouylsz])\1$", r"\1", bare)
    return word


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > _LEAST + 1:
        return word[:-3] + "y"
    if word.endswith("es") and word[:-2].endswith(("s", "x", "z", "ch", "sh")) and len(word) > _FULL:
        return word[:-2]
    ends = word.endswith("s") and not word.endswith(("ss", "us", "is", "as", "os"))
    return word[:-1] if ends and len(word) > _LEAST and re.search(r"[aeiouy]", word) else word


def _without_e(word: str) -> str:
    silent = word.endswith("e") and len(word) > _FULL
    return word[:-1] if silent or (word.endswith(("se", "ze")) and len(word) == _FULL) else word
