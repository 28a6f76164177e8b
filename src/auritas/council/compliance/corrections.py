"""Corrections of the user's that a rule can check, such as "use metric units" and "no tabs".

Only a correction that is nothing but such an instruction becomes a check. One with a condition ("no tabs in Python",
"metric units for recipes") holds somewhere and not elsewhere, which no rule here can tell.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from auritas.council.compliance.amounts import imperial_amount, spelled_dates, twelve_hour_times
from auritas.council.compliance.checks import language_check
from auritas.council.compliance.language import NAMES
from auritas.council.compliance.model import Check, Checked, Failed, Finding, Level, Passed
from auritas.council.compliance.reading import own_words, without_code, words_of
from auritas.council.compliance.spelling import american_words, british_words
from auritas.kernel.numerals import cardinal

Finder = Callable[[Checked], str | None]
"""Returns what breaks the rule, or None."""

MOST_CHARACTERS = 120
"""Of a correction that is a bare instruction."""

_POLITE = re.compile(
    r"^(?:please,? |remember(?: that| to)?:?,? |from now on,? |in future,? |always "
    r"|in (?:your|all|every) (?:answers?|replies),? "
    r"|i (?:want|would like|prefer|need)(?: you to| that you)? |you (?:should|must) )+",
)
_TAIL = re.compile(
    r"(?:,? please|,? (?:always|everywhere|from now on|with me|at all|ever)"
    r"|,? (?:in|for) (?:(?:all|any|every|your|the|my) )*(?:answers?|repl(?:y|ies)|responses?|texts?|writing))+$",
)
_NO = (
    r"(?:no|never(?: use| write| put| include)?"
    r"|(?:do not|don't|stop|avoid)(?: us(?:e|ing)| writ(?:e|ing)| add(?:ing)?| put(?:ting)?)?)(?: any)? "
)
_USE = (
    r"(?:(?:use|using|write(?: in| with)?|answer (?:in|with)|give|prefer|stick to|only|show|format|with|in) )*"
    r"(?:only |the )?"
)
_ISO = r"(?:iso(?: ?8601)?(?:[- ]format(?:ted)?)?|yyyy-mm-dd)"


@dataclass(frozen=True, slots=True)
class Mechanical:
    """A kind of correction that can be checked. asked: the whole instruction, without its politeness."""

    name: str
    asked: re.Pattern[str]
    make: Callable[[re.Match[str], str], Check | None]


def mechanical_check(text: str, policy: str = "") -> Check | None:
    """Return the check that a correction amounts to, or None when only a reader could tell whether it was followed.

    policy: id of the correction.
    """
    if len(text) > MOST_CHARACTERS:
        return None
    asked = " ".join(text.lower().replace("\u2019", "'").split()).strip(" .!")
    asked = _TAIL.sub("", _POLITE.sub("", asked))
    for kind in REGISTRY:
        if match := kind.asked.fullmatch(asked):
            return kind.make(match, policy)
    return None


def _rule(name: str, asked: str, instruction: str, found: Finder) -> Mechanical:
    check = partial(Check, name, Level.SOFT, instruction, partial(_finding, found=found))
    return Mechanical(name, re.compile(asked), lambda _, policy: check(policy))


def _finding(subject: Checked, found: Finder) -> Finding:
    offence = found(subject)
    return Failed(f"It holds {offence!r}.") if offence else Passed()


def _own(find: Callable[[str], Iterable[str]]) -> Finder:
    """Return a finder in the member's own words that excuses what the user wrote, too."""

    def found(subject: Checked) -> str | None:
        asked = subject.asked.lower()
        return next((each for each in find(own_words(words_of(subject))) if each.lower() not in asked), None)

    return found


def _imperial(subject: Checked) -> str | None:
    return imperial_amount(own_words(words_of(subject)), subject.asked)


def _tab(subject: Checked) -> str | None:
    return "\t" if "\t" in words_of(subject) else None


def _bullet(subject: Checked) -> str | None:
    items = _BULLET.findall(without_code(words_of(subject)))
    return items[0].strip() if len(items) >= LEAST_ITEMS else None


def _word_limit(match: re.Match[str], policy: str) -> Check | None:
    said = match["limit"]
    limit = int(said) if said.isdecimal() else cardinal([said])
    if not limit:
        return None
    run = partial(_finding, found=partial(_too_long, limit=limit))
    return Check("word_limit", Level.SOFT, f"Use at most {limit} words in all.", run, policy)


def _too_long(subject: Checked, limit: int) -> str | None:
    count = len(words_of(subject).split())
    return f"{count} words" if count > limit else None


def _settled_language(match: re.Match[str], policy: str) -> Check:
    return language_check(NAMES[match["language"]], match["language"].title(), policy)


_BULLET = re.compile(r"^[^\S\n]*(?:[-*\u2022]|\d{1,2}[.)])[^\S\n]+\S.*$", re.MULTILINE)
LEAST_ITEMS = 2
"""Of a list; a single line that begins with a dash may be a number below zero."""
_EMOJI = re.compile(
    "[\U0001f000-\U0001faff\u231a\u231b\u23e9-\u23f3\u26a1\u26bd\u26d4\u2705\u2728\u274c\u274e\u2753-\u2755\u2757"
    "\u2795-\u2797\u27b0\u2b50\u2b55]|.\ufe0f",
)

REGISTRY: Sequence[Mechanical] = (
    _rule("metric_units", rf"{_USE}(?:metric|si)(?: units?| system| measurements?)?", "Use metric units.", _imperial),
    _rule(
        "no_tabs",
        rf"{_NO}tabs?(?: characters?)?|{_USE}spaces,? (?:not|instead of|rather than|never) tabs|indent with spaces",
        "Use spaces, never tabs.",
        _tab,
    ),
    _rule(
        "iso_dates",
        rf"{_USE}{_ISO}(?: dates?| for dates?)?|{_USE}dates? (?:in|as) {_ISO}(?: format)?",
        "Write dates as YYYY-MM-DD.",
        _own(spelled_dates),
    ),
    _rule(
        "clock_24h",
        rf"{_USE}(?:24[- ]?h(?:ours?)?|twenty-four[- ]hour) ?(?:clock|times?|format|notation)?",
        "Write times of day on the 24-hour clock.",
        _own(twelve_hour_times),
    ),
    _rule("no_emoji", rf"{_NO}(?:emojis?|emoticons?)", "Use no emoji.", _own(_EMOJI.findall)),
    _rule(
        "british_spelling",
        rf"{_USE}(?:british|uk) (?:english(?: spelling)?|spelling)",
        "Use British spelling.",
        _own(american_words),
    ),
    _rule(
        "american_spelling",
        rf"{_USE}(?:american|us) (?:english(?: spelling)?|spelling)",
        "Use American spelling.",
        _own(british_words),
    ),
    _rule(
        "no_bullets",
        rf"{_NO}(?:bullet(?:s| points?| lists?|ed lists?)|lists?)",
        "Write in sentences, without bullet points.",
        _bullet,
    ),
    _rule("no_em_dashes", rf"{_NO}em[- ]?dash(?:es)?", "Use no em dashes.", _own(re.compile("\u2014").findall)),
    _rule(
        "no_exclamation_marks",
        rf"{_NO}exclamation (?:marks?|points?)",
        "Use no exclamation marks.",
        _own(re.compile(r"[^\W\d_]!(?!=)").findall),
    ),
    Mechanical(
        "word_limit",
        re.compile(
            r"(?:(?:keep|limit|use|give|write|answer|reply|be|it|them|your|the|answers?|repl(?:y|ies)|in|to|with) )*"
            r"(?:under|below|at most|no more than|max(?:imum)?(?: of)?|up to|less than|fewer than|within) "
            r"(?P<limit>\d{1,4}|[a-z]+) words(?: long)?"
        ),
        _word_limit,
    ),
    Mechanical(
        "language",
        re.compile(
            r"(?:only )?(?:answer|reply|respond|write|speak)(?: to me| me| only)? in "
            rf"(?P<language>{'|'.join(NAMES)})(?: only)?"
        ),
        _settled_language,
    ),
)
