"""What a question itself says of where its answer is: in the user's own past, and in whose words."""

import re
from typing import Final

from auritas.kernel.model import Role
from auritas.search.recall.model import Speakers

_WORDS: Final = re.compile(r"[^\W\d_]+")

_PEOPLE: Final = (
    "sister|brother|mother|mum|mom|father|dad|wife|husband|partner|girlfriend|boyfriend|son|daughter|kid|kids|child|"
    "children|aunt|uncle|cousin|nephew|niece|grandmother|grandma|grandfather|grandpa|boss|manager|colleague|friend|"
    "neighbour|neighbor|landlord|doctor|dentist|dog|cat|puppy|kitten"
)
_TOLD: Final = (
    "said|say|told|tell|mentioned|mention|asked|ask|talked|talk|discussed|discuss|chose|choose|picked|pick|decided|"
    "decide|agreed|agree|settled|settle|recommended|recommend|suggested|suggest|promised|explained|explain|planned|"
    "wrote|write|called|call|named|name|used|use|tried|try|bought|buy|visited|visit|booked|book|ordered|order|"
    "concluded|conclude|found|find|had|have|came|come|left|leave|stopped|stop|fixed|fix|solved|solve|set|liked|like|"
    "read|watched|watch|ate|eat|cooked|cook|ended|end|went|go|saw|see|met|meet|got|get|put|made|make|did|do|wanted|want"
)

_SAID: Final = (
    "said|told|mentioned|discussed|talked|decided|chosen|picked|agreed|tried|asked|recommended|suggested|been|read|seen|"
    "done|used|visited|bought|planned"
)
_WHEN: Final = "last (?:week|month|year|spring|summer|autumn|fall|winter)"

_ASKING: Final = r"\b(?:what|which|where|when|who|why|how)\b"
_ONCE: Final = "(?:already |once |just )?"
_EVER: Final = "(?:ever |already |not |once )?"
_TO_US: Final = (
    "told you|mentioned|discussed|talked about|decided on|agreed on|settled on|asked you|gave you|were talking"
)
_YOU_DID: Final = "say|tell|mention|explain|suggest|recommend|propose|call|write|promise|find"
_MADE: Final = "reason|plan|list|name|price|date|place|recipe|idea|decision"

_PATTERNS: Final = (
    r"\bremind me\b(?! (?:to|in|at|on|every|when|tomorrow|next)\b)",
    r"\b(?:do|can|could) you (?:still )?(?:remember|recall)\b",
    r"\b(?:as|like) (?:i|we) (?:said|told|mentioned|discussed|agreed|decided|talked|planned|wrote)\b",
    rf"{_ASKING}.{{0,60}}?\bdid (?:i|we) (?:last |first |finally |end up )?(?:{_TOLD})\b",
    rf"{_ASKING}.{{0,60}}?\bdid you (?:{_YOU_DID})\b",
    rf"\bdid (?:i|we) {_EVER}(?:{_TOLD})\b",
    rf"\bdidn't (?:i|we) (?:{_TOLD})\b",
    rf"\b(?:have|had) (?:i|we) {_EVER}(?:{_SAID})\b",
    rf"\b(?:i|we) {_ONCE}(?:{_TO_US})\b",
    rf"\b(?:{_MADE}) (?:that )?(?:i|we) \w+(?:ed|ade|ave|ose|aid|old)\b",
    rf"\byou {_ONCE}(?:told me|suggested|recommended|explained|helped me)\b",
    r"\blast time\b.{0,40}\b(?:i|we|you|our|my)\b",
    r"\b(?:i|we|you|our|my)\b.{0,60}\blast time\b",
    r"\b(?:our|my) (?:last|previous|earlier|old) (?:conversation|chat|discussion|talk|session)s?\b",
    r"\b(?:what|who|where|when|which)(?: is|'s| was| were| are)\b.{0,40}\bagain\?",
    (
        r"\b(?:what|who|where|when|which|how old|how tall)(?: is|'s| was| were| are| does| did| do)\b.{0,30}?"
        rf"\bmy (?:\w+ )?(?:{_PEOPLE})\b"
    ),
    (
        r"\b(?:what|where|when|which|who)(?: is|'s| was| are| were) my "
        r"(?!best\b|chances?\b|options?\b|rights?\b|next\b)\w+(?: \w+)?\s*\?"
    ),
    r"\b(?:back to|continue|pick up|go on) (?:with )?where (?:we|i) (?:left|stopped)\b",
    rf"\b(?:the other day|{_WHEN}|(?:days|weeks|months|years) ago),? (?:i|we|you) \w+",
)
_BACKWARDS: Final = re.compile("|".join(_PATTERNS), re.IGNORECASE)
_TAUGHT: Final = re.compile(r"\b(?:what|how) (?:should|can|could|would|do|must|shall) (?:i|we)\b", re.IGNORECASE)
"""Asks for advice, not for a memory."""
_QUOTED: Final = re.compile(r"[\"“„][^\"”“„]*[\"”“]")
"""Somebody else's words."""


def looks_back(question: str) -> bool:
    """Whether a question refers to the user's own past, so that earlier conversations help to answer it.

    English only. Rules, so that it costs nothing on questions that do not; its precision and recall on sentences that
    it was not written on are in docs/design/recall.md.
    """
    question = _QUOTED.sub(" ", question)
    if _TAUGHT.search(question):
        return False
    return _BACKWARDS.search(question) is not None


def speaker_asked(question: str, speakers: Speakers) -> Role | None:
    """Return who said what is asked for: the one speaker that the question names, or nobody when it names both."""
    words = {word.lower() for word in _WORDS.findall(question)}
    named = [
        role for role, names in ((Role.USER, speakers.user), (Role.ASSISTANT, speakers.assistant)) if words & {*names}
    ]
    return named[0] if len(named) == 1 else None
