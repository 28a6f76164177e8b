"""What a triggered sentence says: its type, where and when it holds, what it is about, and a sentence for a prompt."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from auritas.kernel.memory import CorrectionType, DecayClass, Provenance, Scope
from auritas.memory.detection.model import Before
from auritas.memory.detection.patterns import Pattern, patterns
from auritas.memory.detection.spelling import as_meant
from auritas.memory.detection.trigger import Heard, asked

QUESTION_SHOWN = 200
"""Characters of a question that an instruction repeats."""
_VERB = (
    r"(?:is|are|was|were|has|have|had|should be|should|must be|means|costs|starts|ends|runs on|runs|uses|lives"
    r"|lies|will be|equals|takes|supports|closes|opens|expires|prefers|moved|works|goes|changed)"
)
_SUBJECT = re.compile(
    rf"(?P<subject>[^,;:]{{1,80}}?)(?:'s| {_VERB})(?: (?:not|now|actually|in|on|at|called))*(?: (?P<value>.*)|$)",
    re.IGNORECASE,
)
_DEICTIC = frozenset({"it", "that", "this", "he", "she", "they", "there", "these", "those", "one", "you", "which"})
_RULE_OBJECT = re.compile(
    r"(?:please |you (?:should|must) )?(?:always|never|don't|do not|dont|only|stop|avoid|prefer|use|using"
    r"|answer(?: me)? (?:in|with)|reply in|write(?: in)?"
    r"|keep|give|add|include|put|end with|start with|call me|i (?:really )?(?:prefer|like|hate|love|dislike"
    r"|don't (?:eat|like|drink)))+ (?P<object>.+)",
    re.IGNORECASE,
)
_ORDER = re.compile(
    r"(?:always|never|use|avoid|don't|do not|only|answer|reply|respond|write|keep|give|call|prefer|include"
    r"|cite|add|put|format|speak|round|spell|stop|show|start|end|limit|be|stick)\b",
    re.IGNORECASE,
)
_ADVERB = re.compile(r"^(?:always|never|ever|only|use|please|using)\s+", re.IGNORECASE)
_SHORT = 60
_STANDING_ALONE = re.compile(
    r"\b(?:is|are|was|were|has|have|use|uses|should|must|will|can|prefer|like|eat|live|work|always|never"
    r"|don't|not|moved|lives|works|goes|changed|costs|starts)\b|'s\b",
    re.IGNORECASE,
)
_POINTS_BACK = re.compile(r"(?:it|they|that)(?:'s|'re| is| are| was| were)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Meaning:
    """What is read from a sentence; the fields are those of `Detected`."""

    type: CorrectionType
    scope: Scope
    claim: str
    instruction: str
    rejected: str
    subject: str
    condition: str
    canonical_query: str
    domain_hint: str
    decay_class: DecayClass
    provenance: Provenance


def read(heard: Heard, before: Before | None, *, project_active: bool = False) -> Meaning:
    """Return what a triggered sentence says. A decision belongs to the project, if one is active or is named."""
    kind = _type(heard)
    query = _query(heard, kind, before)
    field = _field(heard.sentence)
    scope = _scope(heard.sentence, kind, field, project_active=project_active)
    decay = _decay(heard)
    return Meaning(
        type=kind,
        scope=scope,
        claim=heard.claim,
        instruction=_instruction(heard.claim, kind, query),
        rejected=heard.rejected,
        subject=_subject(heard.claim, kind, query),
        condition=_condition(heard.claim, kind),
        canonical_query=query,
        domain_hint=field,
        decay_class=decay,
        provenance=Provenance.USER_EXPLICIT if decay is DecayClass.A else Provenance.USER_IMPLICIT,
    )


def _type(heard: Heard) -> CorrectionType:
    rule = heard.rule
    if rule is None:
        return CorrectionType.INSTRUCTION if "from_now_on" in heard.leads else CorrectionType.FACT
    claim_orders = bool(_ORDER.match(heard.claim))
    if rule.type is CorrectionType.FACT and claim_orders and rule.name in {"replaces", "meant", "said", "should_be"}:
        return CorrectionType.INSTRUCTION
    if "from_now_on" in heard.leads and rule.name in {"states", "should_be", "replaces"}:
        return CorrectionType.INSTRUCTION
    if rule.name in _BARE_ORDERS and "negation" in heard.leads and not _MANNER.search(heard.core):
        return CorrectionType.FACT  # "No, that's wrong: use Postgres" says what the right answer was
    if rule.type in _RULES and _names_field_at_start(heard.core):
        return CorrectionType.DOMAIN_RULE
    return rule.type


_RULES = frozenset({CorrectionType.INSTRUCTION, CorrectionType.PREFERENCE})
_BARE_ORDERS = frozenset({"orders", "orders_instead"})
_MANNER = re.compile(
    r"\b(?:always|never|every|all|only|answers?|answer|reply|replies|respond|responses?|write|speak|call"
    r"|address|keep|format|tone|style"
    r"|words?|sentences?|metric|imperial|units?|celsius|fahrenheit|english|german|french|spanish|dates?"
    r"|spelling|lists?|bullets?|short\w*)\b",
    re.IGNORECASE,
)
"""How answers should look, rather than what they should say."""
_FIELD_AT_START = re.compile(r"(?:in|for|with|when) ", re.IGNORECASE)


def _names_field_at_start(core: str) -> bool:
    return bool(_FIELD_AT_START.match(core)) and bool(_field(core))


def _decay(heard: Heard) -> DecayClass:
    outright = heard.rule is not None and heard.rule.standing and heard.rule.name != "own_fact"
    if heard.explicit or outright:
        return DecayClass.A
    denies = heard.disputes or (heard.rule is not None and heard.rule.name not in {"states", "own_fact"})
    return DecayClass.B if denies else DecayClass.C


def _scope(sentence: str, kind: CorrectionType, field: str, *, project_active: bool) -> Scope:
    scopes = patterns().scopes
    if _any(scopes["conversation"], sentence):
        return Scope.CONVERSATION
    if _any(scopes["project"], sentence) or (project_active and kind is CorrectionType.DECISION):
        return Scope.PROJECT
    return Scope.DOMAIN if kind is CorrectionType.DOMAIN_RULE and field else Scope.GLOBAL


def _query(heard: Heard, kind: CorrectionType, before: Before | None) -> str:
    """Return the question that a fact answers: the one before it, unless it came with a prefix and stands alone."""
    if before is None or kind is not CorrectionType.FACT or not asked(before.question):
        return ""
    return "" if _stands_alone(heard) else " ".join(before.question.split())[:QUESTION_SHOWN]


def answers(heard: Heard) -> bool:
    """Return whether it may be the answer to a question before it."""
    return _type(heard) is CorrectionType.FACT and not _stands_alone(heard)


def _stands_alone(heard: Heard) -> bool:
    """Return whether it came with a prefix and says what it is about: "it's Ines, please remember" does not."""
    said = as_meant(heard.claim)
    if not heard.prefixed or "correction" in heard.leads or _POINTS_BACK.match(said):
        return False
    return "update" in heard.leads or bool(_STANDING_ALONE.search(said))


def _instruction(claim: str, kind: CorrectionType, query: str) -> str:
    if query:
        return f'Asked "{query}", the answer is: {claim}.'
    sentence = claim[0].upper() + claim[1:]
    match kind:
        case CorrectionType.FAILURE_PATTERN:
            return f"The user has noticed: {claim}. Do not do that again."
        case CorrectionType.DECISION:
            return f"It was decided: {claim}."
        case CorrectionType.PREFERENCE | CorrectionType.MODEL_PREFERENCE:
            return f"The user says: {claim}."
        case _:
            return sentence if sentence.endswith((".", "!", "?")) else f"{sentence}."


def _subject(claim: str, kind: CorrectionType, query: str) -> str:
    if kind is not CorrectionType.FACT:
        found = _RULE_OBJECT.match(claim)
        about = found["object"] if found else claim
        return _short(_ADVERB.sub("", _without_condition(about)))
    found = _SUBJECT.match(as_meant(claim))
    if found and found["subject"].split()[0].lower() not in _DEICTIC:
        return _short(found["subject"])
    return _short(query) if query else ""


def _short(text: str) -> str:
    return text.strip(" .,;:!?")[:_SHORT].strip()


def _condition(claim: str, kind: CorrectionType) -> str:
    """Return when it holds; a fact's "after 1990" is part of the fact unless it is an exception."""
    found = [match for pattern in patterns().conditions if (match := pattern.search(claim))]
    if not found:
        return ""
    condition = min(found, key=lambda match: match.start())[0].strip(" ,.;")
    exception = condition.lower().startswith(
        ("except", "unless", "only", "but", "as long", "provided", "apart", "other")
    )
    return condition if exception or kind is not CorrectionType.FACT else ""


def _without_condition(text: str) -> str:
    starts = [match.start() for pattern in patterns().conditions if (match := pattern.search(text))]
    cut = text[: min(starts)] if starts else text
    return cut if cut.strip() else text


def _field(text: str) -> str:
    return next((name for name, pattern in patterns().fields if pattern.search(text)), "")


def _any(forms: Sequence[Pattern], text: str) -> bool:
    return any(form.search(text) for form in forms)
