"""What the classifier looks at: the rules that fired, the form of the sentence and its place after an answer."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from auritas.memory.detection.model import Before
from auritas.memory.detection.patterns import patterns
from auritas.memory.detection.trigger import Heard, asked
from auritas.memory.detection.wording import FUNCTION_WORDS, share_of_function_words, words

SHOWN = 400
"""Characters of each text that are embedded: a claim and the beginning of an answer."""
_SHORT = 8
_STORY = re.compile(
    r"\b(?:yesterday|last (?:night|week|year|month|time)|once|ago|then|when i was|used to|today i"
    r"|this morning|tonight)\b",
    re.IGNORECASE,
)
_BEHAVIOUR = re.compile(
    r"\b(?:answers?|repl(?:y|ies)|responses?|format|units?|bullet\w*|emojis?|tabs|spaces|markdown|tone"
    r"|language|sources?|citations?|words|sentences|short|brief|concise|code|examples?|dates?|currency"
    r"|headings?|style|comments?)\b",
    re.IGNORECASE,
)
_GENERAL = re.compile(
    r"\b(?:always|never|every|all|any|each|only|whenever|must|should|anymore"
    r"|ever)\b",
    re.IGNORECASE,
)
_YOU = re.compile(r"\b(?:you|your|you're|u)\b", re.IGNORECASE)
_I = re.compile(r"\b(?:i|i'm|i've|i'd|my|me)\b", re.IGNORECASE)
_WE = re.compile(r"\b(?:we|our|us|we're|we've)\b", re.IGNORECASE)
_ONE_OFF = re.compile(
    r"^(?:\w+ )?(?:use|give|pick|name|include|put|show|call|write|set|quote|format|assume|answer|make|keep"
    r"|convert|print|display|list|round)"
    r"(?: me)? (?:an?|this|these|it|that|them|the (?:following|word|words|function|data|question|first|last"
    r"|second|same|derivative|result)"
    r"|one|two|three|four|five|ten|\d[\d.]*|some|more|my)\b|^(?:a |an )?(?:\w+ ){0,2}?(?:more|another"
    r"|others?|else|again|instead)\b",
    re.IGNORECASE,
)
_REMARK = re.compile(
    r"^(?:that|this|it|those|these|both|[\w' ]{2,30}?)(?:'s| is| are| was| were| sounds?| looks?| seems?"
    r"| feels?| smells?| must be)"
    r" (?:(?:so|very|too|really|quite|pretty|rather|a bit|just|such|still|an?|not|far|way|also|even) )*"
    r"(?:lot|much|many|enough|bad|good|great|nice|fine|long|short|far|late|early|soon|hard|easy|simple"
    r"|scary|strange|odd|weird|huge|big|small"
    r"|beautiful|lovely|cute|sad|funny|interesting|boring|expensive|cheap|spicy|amazing|crazy|brave|dry"
    r"|cold|hot|cool|slow|fast|pain|generous"
    r"|convenient|pompous|dead|mad|wonderful|terrible|awful|impressive|helpful|useful|clever|smart|sweet"
    r"|heavy|light|tricky|confusing|fun|better|worse)\b",
    re.IGNORECASE,
)
_TROUBLE = re.compile(
    r"\b(?:broken|broke|crash\w*|fail\w*|error\w*|stuck|down|slow|jammed|late|cancelled|canceled|ill|sick"
    r"|hurts?|leak\w*|blank|black|missing|lost"
    r"|nothing happens|not work\w*|doesn't work|didn't work|trouble|problem|due|tomorrow|tonight|today"
    r"|again|still|yesterday|instead of)\b",
    re.IGNORECASE,
)
_LIKES_THIS = re.compile(
    r"^i(?:'d| would)?(?: (?:really|also|do|would))* (?:like|love|hate|want|need|enjoy) (?:this|that|it|the"
    r"|your|you|an?|some|my|one|any|ideas|more|how|where)\b",
    re.IGNORECASE,
)
_VALUE = re.compile(
    r"^\W*(?:what|which|who|whom|when|where|how (?:many|much|long|far|often|old|tall|big|fast|high|late)|is"
    r"|are|does|do|at what|in which|on which)\b",
    re.IGNORECASE,
)
_TASK = re.compile(
    r"^\W*(?:please )?(?:write|draft|plan|recommend|give|make|improve|suggest|create|generate|translate"
    r"|list|show|explain|help|what could|what should i (?:cook|call|do)|how do i|how should|why)\b",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(?:was|were|had|went|took|said|told|got|came|saw|ate|lived|moved|spent|bought|loved|cried|laughed"
    r"|ran|crossed|been)\b",
    re.IGNORECASE,
)
_NAME = re.compile(r"\b[A-Z][\w-]+")
_NO_NAME = FUNCTION_WORDS | {"the", "then", "what", "well", "still", "same", "last", "here"}
_WANTS_AMOUNT = re.compile(
    r"\b(?:when|how (?:many|much|long|far|often|old|tall|big|fast|high)|what time|at what|what year"
    r"|which year|limit|port|rate|dose|number|price|cost|date)\b",
    re.IGNORECASE,
)
_AMOUNT = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty"
    r"|sixty|hundred|thousand|million|half|once|twice"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|may|june|july|august"
    r"|september|october|november|december"
    r"|spring|summer|autumn|winter|noon|midnight|every)\b",
    re.IGNORECASE,
)
_ORDERING = frozenset({"orders", "orders_instead", "forbids", "never", "always", "domain_rule", "preference"})
_MANNER = re.compile(
    r"\b(?:answers?|repl(?:y|ies)|respon\w+|tone|style|language|sources?|citations?|sentences?|paragraphs?"
    r"|brief|concise|short(?:er)?|long(?:er)?|direct|formal|jargon"
    r"|markdown|bullet\w*|bold|emojis?|tables?|headings?|disclaimers?|introductions?|examples|units?|metric"
    r"|imperial|celsius|fahrenheit|kelvin|kilomet\w+|grams|"
    r"dates?|times?|clock|currency|euros?|dollars|pounds|english|german|french|spanish|italian|dutch|polish"
    r"|spelling|voice|slang|words|numbers|abbreviations"
    r"|comments|types?|hints|variables?|names?|tests?|tabs|spaces|semicolons|quotes|comma|question\w*"
    r"|reasoning|confidence|recipes?|me|my|our|us)\b",
    re.IGNORECASE,
)
_WRONG = re.compile(
    r"\b(?:wrong|incorrect|mistaken|false|outdated|out of date|inaccurate|(?:not|isn't|never) (?:right"
    r"|correct|true|accurate)|mistake)\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d")
_COUNT = re.compile(r"(?<![\w.,])(?P<number>\d[\d.,]*) (?P<thing>[a-z]{3,})", re.IGNORECASE)
_DEFINITE = re.compile(r"(?:it|they|there|the|this|that)\b", re.IGNORECASE)
_RULES: Final = (
    "meant", "said", "failure", "never", "always", "domain_rule", "decision", "model_preference", "preference",
    "forbids", "orders_instead", "replaces", "should_be", "orders", "own_fact", "states",
)  # fmt: skip
_EXCUSES: Final = ("story", "saying", "feeling", "another_request", "others", "code", "agreement")
_LEADS: Final = ("negation", "emphasis", "courtesy")
NAMES: Final = (
    *(f"rule_{name}" for name in _RULES),
    *(f"excuse_{name}" for name in _EXCUSES),
    *(f"lead_{name}" for name in _LEADS),
    "prefixed", "bare", "question", "before", "before_asked", "negation_after_answer", "bare_after_question",
    "states_after_question", "states_alone", "in_answer", "in_question", "new_number", "number_for_number",
    "length", "short", "hedged", "story_words", "behaviour", "general", "you", "i", "we", "english", "exclaims",
    "rejected", "own_fact_alone", "own_fact_disputes", "one_off", "remark", "trouble", "likes_this", "asked_value",
    "asked_task", "order_after_task", "past",
    "new_name", "typed_value", "restates", "typed_new_value", "calls_it_wrong", "asserts", "manner_order",
    "plain_order",
)  # fmt: skip
SIMILARITIES: Final = ("cos_answer", "cos_question", "cos_answer_disputes", "cos_answer_states")


@dataclass(frozen=True, slots=True)
class Vectors:
    """Unit vectors of the sentence, and of the answer and question before it, where there are any."""

    said: Sequence[float]
    answer: Sequence[float] | None
    question: Sequence[float] | None


def texts(heard: Heard, before: Before | None) -> list[str]:
    """Return what is embedded: the sentence, the beginning of the answer, the question."""
    if before is None:
        return [heard.sentence[:SHOWN]]
    return [heard.sentence[:SHOWN], before.answer[:SHOWN], before.question[:SHOWN]]


def features(heard: Heard, before: Before | None) -> list[float]:
    """Return the features that rules alone give, in the order of NAMES."""
    rule = heard.rule.name if heard.rule else ""
    value = (
        *(rule == name for name in _RULES),
        *(name in heard.excuses for name in _EXCUSES),
        *(name in heard.leads for name in _LEADS),
        *_placed(heard, before, rule),
        *_formed(heard),
        bool(heard.rejected),
        rule == "own_fact" and not heard.disputes,
        rule == "own_fact" and heard.disputes,
        *_worded(heard, before, rule),
    )
    return [float(each) for each in value]


def similarities(heard: Heard, vectors: Vectors) -> list[float]:
    """Return the cosines to the answer and the question before, in the order of SIMILARITIES; 0 without them."""
    answer = cosine(vectors.said, vectors.answer) if vectors.answer else 0.0
    question = cosine(vectors.said, vectors.question) if vectors.question else 0.0
    states = heard.rule is not None and heard.rule.name == "states"
    return [answer, question, answer * heard.disputes, answer * states]


def gainsays(heard: Heard, answer: str) -> bool:
    """Return whether it takes a value that the answer gave and names another one, whatever the question was.

    Either the value is rejected by name ("it used to be 9, now it's 11"), or the same thing is counted otherwise ("it
    has 9 seats", where the answer has 12).
    """
    if heard.rule is None or heard.excuses or heard.question or not _numbers(heard.claim) - _numbers(answer):
        return False
    rejected = _numbers(heard.rejected)
    if rejected and rejected <= _numbers(answer):
        return True
    counted, known = _counted(heard.sentence), _counted(answer)
    restated = heard.rule.name == "states" and not (_I.search(heard.core) or _STORY.search(heard.core))
    return (
        restated and bool(_DEFINITE.match(heard.core)) and any(known.get(thing, n) != n for thing, n in counted.items())
    )


def _counted(text: str) -> dict[str, str]:
    return {match["thing"].lower(): match["number"] for match in _COUNT.finditer(text)}


def cosine(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the cosine of two unit vectors."""
    return sum(a * b for a, b in zip(one, other, strict=True))


def _placed(heard: Heard, before: Before | None, rule: str) -> tuple[float, ...]:
    question = before is not None and asked(before.question)
    own = _content(heard.core)
    answer = before.answer if before else ""
    number = bool(_NUMBER.search(heard.claim))
    return (
        heard.prefixed,
        heard.bare,
        heard.question,
        before is not None,
        question,
        "negation" in heard.leads and before is not None,
        heard.bare and question and not heard.disputes,
        rule == "states" and question,
        rule == "states" and before is None,
        _share(own, _content(answer)),
        _share(own, _content(before.question if before else "")),
        number and not _numbers(heard.claim) <= _numbers(answer),
        number and bool(_NUMBER.search(answer)),
    )


def _formed(heard: Heard) -> tuple[float, ...]:
    sentence, size = heard.sentence, len(words(heard.sentence))
    return (
        math.log1p(size) / 4,
        size <= _SHORT,
        any(hedge.search(sentence) for hedge in patterns().hedges),
        bool(_STORY.search(sentence)),
        bool(_BEHAVIOUR.search(sentence)),
        bool(_GENERAL.search(sentence)),
        bool(_YOU.search(sentence)),
        bool(_I.search(sentence)),
        bool(_WE.search(sentence)),
        share_of_function_words(sentence),
        sentence.endswith("!"),
    )


def _worded(heard: Heard, before: Before | None, rule: str) -> tuple[bool, ...]:
    question = before.question if before else ""
    task = bool(_TASK.search(question))
    return (
        bool(_ONE_OFF.search(heard.core)),
        bool(_REMARK.search(heard.core)),
        bool(_TROUBLE.search(heard.core)),
        bool(_LIKES_THIS.search(heard.core)),
        bool(_VALUE.search(question)),
        task,
        task and rule in {"orders", "orders_instead", "preference", "replaces"},
        bool(_PAST.search(heard.core)),
        *_answering(heard, before, rule),
        "negation" in heard.leads and bool(_WRONG.search(heard.sentence)),
        _asserts(heard, rule),
        rule in _ORDERING and bool(_MANNER.search(heard.core)),
        rule in _ORDERING and not _ONE_OFF.search(heard.core) and not _MANNER.search(heard.core),
    )


def _asserts(heard: Heard, rule: str) -> bool:
    """Return whether "in fact" opens a plain statement, rather than a story of one's own."""
    plain = not (heard.excuses or any(form.search(heard.core) for form in (_I, _PAST, _REMARK, _TROUBLE)))
    return "emphasis" in heard.leads and rule in {"states", "own_fact", "should_be"} and plain


def _answering(heard: Heard, before: Before | None, rule: str) -> tuple[bool, ...]:
    """Return whether it names something new, of the sort that was asked for, in the words of the question."""
    if before is None:
        return (False,) * 4
    known = frozenset(words(f"{before.question} {before.answer}"))
    names = [
        name for name in _NAME.findall(heard.claim) if not set(words(name)) <= known and name.lower() not in _NO_NAME
    ]
    new_number = not _numbers(heard.claim) <= _numbers(before.answer)
    typed = bool(_AMOUNT.search(heard.claim)) if _WANTS_AMOUNT.search(before.question) else bool(names)
    restates = len(_content(heard.core) & _content(before.question)) >= 1 and rule in {
        "states",
        "should_be",
        "own_fact",
    }
    clean = not (_I.search(heard.core) or _REMARK.search(heard.core) or heard.excuses)
    return bool(names), typed, restates, typed and clean and (bool(names) or new_number)


def _content(text: str) -> frozenset[str]:
    return frozenset(words(text[:SHOWN])) - FUNCTION_WORDS


def _numbers(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\d[\d.,]*\d|\d", text))


def _share(own: frozenset[str], other: frozenset[str]) -> float:
    return len(own & other) / len(own) if own else 0.0
