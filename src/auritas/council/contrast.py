"""The stricter test: whether two answers to one question can say the same, word by word.

Similar sentences often contradict each other, so similarity alone never joins. Here every sign of one answer must be
found in the other, in its place; what the question has already said may be left out.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import Enum
from functools import cache
from itertools import pairwise, takewhile

from auritas.council.lexicon import lexicon
from auritas.council.reading import Reading, initials, is_special, signs_of
from auritas.council.spelling import stem

_ABOUT_WORDS = re.compile(
    r"\b(?:symbols?|abbreviat\w*|acronyms?|stands? for|short for|formulas?|formulae|spel\w*|translat\w*|synonyms?"
    r"|antonyms?|words?|term|letters?|initials?|verbs?|nouns?|adjectives?|plural|tense|keyword|syntax|methods?|functions?|commands?"
    r"|operators?|variables?|mot|wort|palabra)\b",
    re.IGNORECASE,
)
_IN_ORDER = re.compile(r"\b(?:order|sequence|sort\w*|rank\w*|chronolog\w*|respectively|steps?)\b", re.IGNORECASE)
_CHOICES = re.compile(r"\b(?:or|than|whom|ou|oder)\b", re.IGNORECASE)
_ABBREVIATION = range(3, 7)
_NAME_SIGNS = range(2, 4)
_LIKE_SPELLING = 0.6
_NEAR_SIGNS = range(3, 9)
_LIST_WORDS = 3


class Likeness(Enum):
    """What comparing words can say of two answers. NEAR: the same but for a word that could be a synonym."""

    SAME = "same"
    NEAR = "near"
    DIFFERENT = "different"


@dataclass(frozen=True, slots=True)
class Asked:
    """What the question says.

    literal: it asks for a word, so none may stand for another. ordered: it asks for an order. chooses: it names what to
    choose from. signs: what it mentions. pairs: which of these stand side by side.
    """

    signs: frozenset[str] = frozenset()
    pairs: frozenset[tuple[str, str]] = frozenset()
    literal: bool = False
    ordered: bool = False
    chooses: bool = False


def asked(question: str) -> Asked:
    """Return what of a question bears on comparing its answers."""
    literal = bool(_ABOUT_WORDS.search(question))
    signs = signs_of(question, literal=literal)
    return Asked(
        signs=frozenset({*signs, *signs_of(question)}),
        pairs=frozenset(pairwise(signs)),
        literal=literal,
        ordered=bool(_IN_ORDER.search(question)),
        chooses=bool(_CHOICES.search(question)),
    )


def compared(a: Reading, b: Reading, question: Asked, names: frozenset[str] = frozenset()) -> Likeness:
    """Return how alike two answers are. Symmetric.

    names: words that somebody wrote as a name; none of them is anybody's synonym.
    """
    if _is_title(a.words, b.words, names) or _is_title(b.words, a.words, names):
        return Likeness.DIFFERENT
    if _agree(a.signs, b.signs, question) or _same_list(a, b, question) or _same_rest(a, b, question):
        return Likeness.SAME
    if question.literal:
        return Likeness.DIFFERENT
    if _abbreviates(a, b) or _abbreviates(b, a):
        return Likeness.SAME
    return Likeness.NEAR if _is_near(a, b, names) else Likeness.DIFFERENT


def _is_title(short: tuple[str, ...], full: tuple[str, ...], names: frozenset[str]) -> bool:
    """Whether the longer one is a name that begins like a sentence: "It's a Wonderful Life"."""
    lead = full[: len(full) - len(short)]
    idle = bool(lead) and full[len(lead) :] == short and {"a", "an"} & set(lead) and set(lead) <= lexicon().grammar
    return bool(idle) and stem(short[0]) in names


def _agree(a: tuple[str, ...], b: tuple[str, ...], question: Asked) -> bool:
    a, b = _without_lead(a), _without_lead(b)
    if a == b:
        return bool(a)
    if question.literal:
        return False
    return any(_is_surname(x, y) or _is_in(x, y) for x, y in ((a, b), (b, a)))


def _without_lead(signs: tuple[str, ...]) -> tuple[str, ...]:
    """Drop "because", "by" and a title in front; "by 1914" is another day than "1914"."""
    lead = 0
    while lead < len(signs) - 1 and (
        signs[lead] in _leads() or (signs[lead] == "by" and signs[lead + 1][0] not in "#=")
    ):
        lead += 1
    return signs[lead:]


@cache
def _leads() -> frozenset[str]:
    return frozenset({*lexicon().titles, *signs_of("because called named")})


def _same_list(a: Reading, b: Reading, question: Asked) -> bool:
    """Whether both list the same things: "hydrogen and oxygen", "oxygen and hydrogen"."""
    if question.ordered or len(a.parts) < 2 or len(a.parts) != len(b.parts):  # noqa: PLR2004  one thing is no list
        return False
    same = len(list(takewhile(lambda pair: pair[0] == pair[1], zip(a.parts[0], b.parts[0], strict=False))))
    first, second = ((each.parts[0][same:], *each.parts[1:]) for each in (a, b))
    if any(not part or len(part) > _LIST_WORDS for part in (*first, *second)) or "then" in (*a.signs, *b.signs):
        return False
    return sorted(first) == sorted(second)


def _same_rest(a: Reading, b: Reading, question: Asked) -> bool:
    """Whether both say the same besides what the question said, and what one repeats of it the other does not deny."""
    if "than" in a.signs or "than" in b.signs:  # who is compared with whom is the answer
        return False
    rest_a, said_a = _rest(a.signs, question)
    rest_b, said_b = _rest(b.signs, question)
    nested = set(said_a) <= set(said_b) or set(said_b) <= set(said_a)
    turned = question.chooses and said_a != said_b and sorted(said_a) == sorted(said_b)
    telling = all(any(sign not in lexicon().fixed for sign in rest) for rest in (rest_a, rest_b))
    return telling and nested and not turned and _agree(rest_a, rest_b, question)


def _rest(signs: tuple[str, ...], question: Asked) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Part the signs into what an answer adds to the question and what it repeats."""
    told = [_was_said(signs, at, question) for at in range(len(signs))]
    kept = tuple(sign for sign, was in zip(signs, told, strict=True) if not was)
    return kept, tuple(_nations().get(sign, sign) for sign, was in zip(signs, told, strict=True) if was)


def _was_said(signs: Sequence[str], at: int, question: Asked) -> bool:
    """Whether the question said this sign; an amount, a "not" or a fixed word counts only beside its neighbour."""
    sign = signs[at]
    if sign not in question.signs and not (question.literal and stem(sign) in question.signs):
        return _nations().get(sign, "") in question.signs
    if sign[0] == "@" or not (is_special(sign) or sign in lexicon().fixed):
        return True
    return any(pair in question.pairs for pair in (tuple(signs[at : at + 2]), tuple(signs[max(at - 1, 0) : at + 1])))


def _is_surname(short: tuple[str, ...], full: tuple[str, ...]) -> bool:
    """Whether one is the surname of the other: "Einstein", "Albert Einstein"; not "Curie", whom two people share."""
    known = len(short) == 1 and len(full) in _NAME_SIGNS and full[-1:] == short and short[0] not in _shared()
    return known and all(name in _given() for name in full[:-1])


def _is_in(place: tuple[str, ...], qualified: tuple[str, ...]) -> bool:
    """Whether the longer one only adds the country that the bare name of the place implies."""
    return len(qualified) == len(place) + 1 and (place, qualified[-1]) in _principal() and qualified[:-1] == place


def _abbreviates(short: Reading, full: Reading) -> bool:
    word = short.words[0] if len(short.words) == 1 else ""
    return len(word) in _ABBREVIATION and len(full.words) > 2 and word in initials(full.words)  # noqa: PLR2004


def _is_near(a: Reading, b: Reading, names: frozenset[str]) -> bool:
    """Whether one word is exchanged for another, and is not known to change the answer."""
    if not names & {*a.signs, *b.signs} and _inverted(a, b):
        return True
    changed = _changed(a.signs, b.signs)
    if len(changed) != 1 or len(a.signs) not in _NEAR_SIGNS:
        return False
    return not any(_excludes(x, y, names) for x, y in changed)


def _inverted(a: Reading, b: Reading) -> bool:
    """Whether one is "speed of light" and the other "light speed"."""
    turned = len(a.signs) == 2 and a.signs == b.signs[::-1]  # noqa: PLR2004  two words can change places
    return turned and a.inverts != b.inverts and not any(map(is_special, a.signs))


def _changed(a: tuple[str, ...], b: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Return the words exchanged, one for one, or nothing if words were added, dropped or moved."""
    if len(a) != len(b):
        return ()
    return tuple((x, y) for x, y in zip(a, b, strict=True) if x != y)


def _excludes(x: str, y: str, names: frozenset[str]) -> bool:
    """Whether two words are known to differ: numbers, names, opposites, or words that only look alike."""
    if is_special(x) or is_special(y) or x in names or y in names or {x, y} & lexicon().fixed:
        return True
    if any(base in _contrasting() for sign in (x, y) for base in (sign, *_bases(sign))):
        return True
    return SequenceMatcher(None, min(x, y), max(x, y)).ratio() >= _LIKE_SPELLING


def _bases(sign: str) -> tuple[str, ...]:
    """Return what a comparative may be of: fast for faster, large for larger."""
    bare = sign.removesuffix("est").removesuffix("er")
    return (bare, f"{bare}e", bare[:-1]) if bare != sign else ()


@cache
def _shared() -> frozenset[str]:
    return frozenset(sign for name in lexicon().shared for sign in signs_of(name))


@cache
def _given() -> frozenset[str]:
    return frozenset(sign for name in lexicon().given for sign in signs_of(name))


@cache
def _principal() -> frozenset[tuple[tuple[str, ...], str]]:
    return frozenset((signs_of(place), signs_of(country)[0]) for place, country in lexicon().principal)


@cache
def _nations() -> dict[str, str]:
    return {signs_of(word)[0]: signs_of(country)[0] for word, country in lexicon().nationalities.items()}


@cache
def _contrasting() -> frozenset[str]:
    """Words with an opposite, and words for one kind of many: their synonyms, if any, are listed."""
    words = {word for pair in lexicon().opposites for word in pair} | lexicon().kinds
    return frozenset(sign for word in words for sign in signs_of(word))
