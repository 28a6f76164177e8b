"""Takes a question out of its natural dress: what is left is the bare matter, or something that is not ours."""

import re
from dataclasses import dataclass

from auritas.gateway.calculator.model import NotOursError

MAX_QUESTION = 300
"""Characters; a longer one is a text, not a calculation."""


@dataclass(frozen=True, slots=True)
class Matter:
    """What is asked. demanded: by words that want a calculation ("calculate 9/11"), not a meaning ("what is 9/11")."""

    text: str
    demanded: bool


_SIGNS = {
    "\N{MULTIPLICATION SIGN}": " * ",
    "\N{MIDDLE DOT}": " * ",
    "\N{DOT OPERATOR}": " * ",
    "\N{ASTERISK OPERATOR}": " * ",
    "\N{DIVISION SIGN}": " / ",
    "\N{FRACTION SLASH}": "/",
    "\N{DIVISION SLASH}": " / ",
    "\N{MINUS SIGN}": " - ",
    "\N{EN DASH}": "-",
    "\N{RIGHT SINGLE QUOTATION MARK}": "'",
    "\N{PRIME}": "'",
    "\N{LEFT DOUBLE QUOTATION MARK}": '"',
    "\N{RIGHT DOUBLE QUOTATION MARK}": '"',
    "\N{DOUBLE PRIME}": '"',
    "\N{GREEK SMALL LETTER MU}": "\N{MICRO SIGN}",
    "\N{GREATER-THAN OR EQUAL TO}": ">=",
    "\N{LESS-THAN OR EQUAL TO}": "<=",
}
_TABLE = str.maketrans(_SIGNS)
_NARROW_SPACE = re.compile("(?<=\\d)[\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}\N{THIN SPACE}](?=\\d{3}(?!\\d))")
_RAISED = (
    "\N{SUPERSCRIPT ZERO}\N{SUPERSCRIPT ONE}\N{SUPERSCRIPT TWO}\N{SUPERSCRIPT THREE}\N{SUPERSCRIPT FOUR}"
    "\N{SUPERSCRIPT FIVE}\N{SUPERSCRIPT SIX}\N{SUPERSCRIPT SEVEN}\N{SUPERSCRIPT EIGHT}\N{SUPERSCRIPT NINE}"
    "\N{SUPERSCRIPT MINUS}"
)
_LOWERED = str.maketrans(_RAISED, "0123456789-")
_RAISED_RUN = re.compile(f"[{_RAISED}]+")
_VULGAR = {
    "\N{VULGAR FRACTION ONE HALF}": "1/2",
    "\N{VULGAR FRACTION ONE THIRD}": "1/3",
    "\N{VULGAR FRACTION TWO THIRDS}": "2/3",
    "\N{VULGAR FRACTION ONE QUARTER}": "1/4",
    "\N{VULGAR FRACTION THREE QUARTERS}": "3/4",
    "\N{VULGAR FRACTION ONE FIFTH}": "1/5",
    "\N{VULGAR FRACTION ONE EIGHTH}": "1/8",
    "\N{VULGAR FRACTION THREE EIGHTHS}": "3/8",
}
_VULGAR_SIGN = re.compile(rf"(?P<whole>\d+ ?)?(?P<part>[{''.join(_VULGAR)}])")

_FORMAT = re.compile(
    r"(?<=[?.!=]) ?(?:please )?(?:just |only )?(?:answer|reply|respond|give)(?: me)?(?: only| just)?(?: with)?"
    r"(?: only| just)?(?: the| a| one| your)?(?: final| single| exact)?(?: number| answer| result| integer)"
    r"(?: only)?\.?$",
    re.IGNORECASE,
)
_ENDING = re.compile(
    r"(?:[?.\s]+|,? (?:please|exactly|for me|thanks|thank you)|,?(?: and)? show (?:your|the) (?:work|steps))$",
    re.IGNORECASE,
)
_EQUALS = re.compile(
    r"(?:\s*=\s*(?:\?|_+|x|what|how much)?|\s(?:equals?|is|makes?|gives?)(?: to)?(?: what| how much)?"
    r"|\s(?:as|in)(?: a)? decimal(?: number| form)?)$",
    re.IGNORECASE,
)
_POLITE = re.compile(
    r"(?:(?:hi|hello|hey|please|ok|okay|so|now)[,:!.]? "
    r"|(?:can|could|would|will) you (?:please )?(?=tell|calc|comp|eval|work|figure|convert|find|add|mult|div|subt)"
    r"|(?:do you know|tell me|i (?:want|need|would like) to know|help me(?: to)?|quick question|question)[,:]? )",
    re.IGNORECASE,
)
_WHAT = r"what(?: is|'s|s| are| was| will be| would be)"
_VALUE = r" the (?:exact )?(?:value|result|answer|outcome)(?: of| to| for)?"
_DEMAND = re.compile(
    rf"(?:(?:calculate|compute|evaluate|work out|figure out|solve|find|how much (?:is|are))(?:{_VALUE})?"
    rf"|{_WHAT}{_VALUE}|what (?:do|does|will|would) (?=.* (?:equal|make|give|get|come to|add up to)$)"
    r"|what (?:do|does|would|will) (?:you|i|one) get (?:if|when) (?:you|i|one|we))"
    r"(?:[:,]| (?:calculating|computing))? ?",
    re.IGNORECASE,
)
_DOES = re.compile(r" (?:equal|make|give|come to|add up to)$", re.IGNORECASE)
_PLAIN = re.compile(rf"{_WHAT}:? ", re.IGNORECASE)


def undress(question: str) -> Matter:
    """Return the matter of a question. Raises NotOursError when it is too long or shouts at the end of a sum."""
    if len(question) > MAX_QUESTION:
        raise NotOursError("It is too long to be a calculation.")
    text = " ".join(plain_signs(question).split())
    text, demanded = _ended(_FORMAT.sub("", text))
    text = _repeatedly(_POLITE, text)
    if demand := _DEMAND.match(text):
        # "what does … equal" gave up its verb already, or still has it
        return Matter(_DOES.sub("", text[demand.end() :]), demanded=True)
    plain = _PLAIN.match(text)
    return Matter(text[plain.end() :] if plain else text, demanded)


def plain_signs(text: str) -> str:
    """Return `text` with one sign for each operation, raised digits as powers and ½ as (1/2)."""
    text = _NARROW_SPACE.sub(",", text).translate(_TABLE)
    text = _RAISED_RUN.sub(lambda run: f"^{run[0].translate(_LOWERED)}", text)
    return _VULGAR_SIGN.sub(_vulgar, text)


def _vulgar(sign: re.Match[str]) -> str:
    part = _VULGAR[sign["part"]]
    return f"{sign['whole'].strip()} {part}" if sign["whole"] else f"({part})"


def _ended(text: str) -> tuple[str, bool]:
    """Return the text without its ending, and whether that ending asks for a result."""
    demanded, before, asked = False, "", False
    while before != text:
        before = text
        asked = asked or text.endswith("?")
        text = _ENDING.sub("", text)
        if not demanded and (equals := _EQUALS.search(text)) and not _DEMAND.match(text):
            text, demanded = text[: equals.start()], True
    return _unshouted(text, certain=asked or demanded), demanded


def _unshouted(text: str, *, certain: bool) -> str:
    """Drop an exclamation, keep a factorial. certain: a question mark or an equals sign follows it."""
    if not text.endswith("!"):
        return text
    if not re.search(r"[\d)][ !]*$", text):
        return text.rstrip("! ")
    is_sum = re.search(r"\d\D*[-+*/^x]|\d [a-z]+ \d", text[:-1])
    if is_sum and not certain and text.count("!") == len(text) - len(text.rstrip("!")):
        raise NotOursError("The sign at its end may be an exclamation or a factorial.")
    return text


def _repeatedly(pattern: re.Pattern[str], text: str) -> str:
    while match := pattern.match(text):
        text = text[match.end() :]
    return text
