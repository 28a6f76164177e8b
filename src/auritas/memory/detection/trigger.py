"""Stage 1: rules that cost nothing find the sentence in which something may be corrected."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from auritas.memory.detection.model import Before
from auritas.memory.detection.patterns import Rule, patterns
from auritas.memory.detection.spelling import as_meant, as_typed
from auritas.memory.detection.wording import sentences, share_of_function_words, words

ENDS_LOOKED_AT = 4
"""Sentences at each end of a message in which an unprefixed correction is looked for; the middle is a story."""
BARE_WORDS = 6
"""Of a bare value, such as "Canberra", that answers an earlier question."""
LONGEST_CLAIM = 500
LEAST_ENGLISH = 0.12
"""Share of small English words below which a sentence of more than BARE_WORDS words is in another language."""
_EDGES = " ,.;:!?\u2014\u2013-\"'\u2026*_"
_CODE_OPEN = " ,;:!?\u2014\u2013\u2026"
_QUESTION_START = re.compile(
    r"(?:what|how|which|who|whom|whose|where|why)\b(?! (?:i (?:want|need|meant|asked)|matters))|when (?:did"
    r"|is|was|will|do|does|are|should|can)\b"
    r"|(?:is|are|was|were|do|does|did|can|could|would|will|should|has|have|am|isn't|aren't|doesn't"
    r"|don't you|didn't|won't you)"
    r" (?:it|there|this|that|the|you|i|we|they|he|she|a|an|my|your|any|anyone)\b",
    re.IGNORECASE,
)
_NOT = re.compile(
    r"(?P<claim>.+?)(?:,| \u2014| -|;) (?:and |but )?not (?P<rejected>(?!(?:only|just|even|yet|sure)\b)[^,;:]{1,60})",
    re.IGNORECASE,
)
_POLITE = re.compile(
    r"^(?:\W*(?:please|pls|ok|okay|now|and|also|actually|no|so|just|well|hey|oh|you (?:can|should|may|must)"
    r"|i (?:want|need) you to|(?:can|could|would|will) you)\b)*\W*",
    re.IGNORECASE,
)
_UPDATE = re.compile(r"\b(?:update|record)\b", re.IGNORECASE)
_REQUEST = re.compile(r"^\W*(?:could|can|would|will) you\b", re.IGNORECASE)
_ASKED = re.compile(
    r"\?|^\W*(?:what|how|which|who|where|why|when|is|are|do|does|can|name|tell|give|list|find)\b", re.IGNORECASE
)

_NO_THING = frozenset(
    {"thanks", "thank", "hello", "hi", "good", "poem", "story", "song", "list", "lots", "plenty", "because", "instead"}
    | {"out", "full", "one", "i", "we", "you"}
)
"""Words with which no thing begins that is named instead of being asked for."""
_NAME_WORDS = range(2, 9)
_SAYS = re.compile(
    r"\b(?:is|are|was|were|am|has|have|had|do|does|did|will|would|can|could|should|must|write|draft|compose|translate"
    r"|make|explain|summari[sz]e|tell|it's|that's|there's|here's|let's|what's|who's|he's|she's)\b",
    re.IGNORECASE,
)

_SETS_RIGHT = frozenset({"replaces", "should_be", "said", "meant", "orders_instead"})


@dataclass(frozen=True, slots=True)
class Heard:
    """One sentence and what the rules say of it.

    sentence: as it is meant, with its apostrophes; said: as it was typed. core: the sentence without leads and tails;
    claim, rejected: parts of what was typed. leads: names of what was taken off.
    rule: the form of the core, if any. excuses: names of what it may be instead.
    stopped: an excuse that even a prefix does not overrule. bare: a value without a sentence around it.
    """

    sentence: str
    said: str = ""
    core: str = ""
    claim: str = ""
    rejected: str = ""
    leads: frozenset[str] = frozenset()
    prefixed: bool = False
    rule: Rule | None = None
    excuses: frozenset[str] = frozenset()
    stopped: bool = False
    question: bool = False
    bare: bool = False

    @property
    def explicit(self) -> bool:
        """Whether it is said outright: with a prefix, or as a rule with always or never."""
        return self.prefixed or (self.rule is not None and self.rule.explicit)

    @property
    def disputes(self) -> bool:
        """Whether it opens by denying or correcting what was said."""
        return bool(self.leads & {"negation", "emphasis"})

    @property
    def outright(self) -> bool:
        """Whether it sets something right in so many words: "no, …", "in fact …", "… instead of …", "I meant …"."""
        return self.disputes or (self.rule is not None and self.rule.name in _SETS_RIGHT)

    @property
    def trigger(self) -> str:
        """The name of what fired, for the trace."""
        ways = sorted(self.leads - {"courtesy"})
        form = self.rule.name if self.rule else "bare" if self.bare else ""
        return "+".join([*ways, *([form] if form else [])])


@dataclass(frozen=True, slots=True)
class Listening:
    """What a message holds: its best candidate, the others, the question it also asks, and whether it only denied.

    forgets: it asks to forget something.
    """

    best: Heard | None
    others: tuple[Heard, ...]
    asks: str
    denied: bool
    forgets: bool


def listen(pieces: Sequence[str], before: Before | None) -> Listening:
    """Return what the user's own words may correct. pieces: from `quoting.own_words`."""
    heard = [each for piece in pieces for each in _in_piece(piece)]
    candidates = [each for each in heard if fires(each, before)]
    best = min(candidates, key=_rank, default=None)
    others = tuple(each for each in candidates if best and each is not best and each.claim not in best.claim)
    asked = [each.said for each in heard if each.question and each is not best]
    denied = any(each.disputes and not each.core for each in heard)
    return Listening(best, others, asked[-1] if asked else "", denied, any(forgets(each) for each in heard))


def forgets(heard: Heard) -> bool:
    """Return whether a sentence asks to forget something that is remembered."""
    if "remember" in heard.leads or heard.said.rstrip("\"') ").endswith("?"):
        return False
    opening = _POLITE.sub("", heard.sentence)
    return any(form.match(opening) for form in patterns().forget)


def fires(heard: Heard, before: Before | None) -> bool:
    """Return whether a sentence is worth the classifier's look."""
    if not heard.claim or (heard.question and not heard.prefixed):
        return False
    if heard.prefixed:
        return True
    if len(words(heard.sentence)) > BARE_WORDS and share_of_function_words(heard.sentence) < LEAST_ENGLISH:
        return False
    if heard.rule is not None:
        return heard.rule.standing or heard.disputes or before is not None
    return heard.bare and (before is not None or "negation" in heard.leads)


def asked(question: str) -> bool:
    """Return whether a text asks for something that a value answers."""
    return bool(_ASKED.search(question)) or _names(question)


def _names(question: str) -> bool:
    """Return whether a text names a thing instead of asking for it: "Capital of Australia", "Australia's capital"."""
    said = question.lower().replace("\u2019", "'").split()
    if len(said) not in _NAME_WORDS or said[0] in _NO_THING or _SAYS.search(" ".join(said)):
        return False
    return "of" in said[1:-1] or any(word.endswith("'s") for word in said[:-1])


def _rank(heard: Heard) -> tuple[bool, bool, bool, bool]:
    strong = heard.rule is not None and heard.rule.name != "states"
    return (not heard.prefixed, bool(heard.excuses), not (heard.disputes or heard.explicit), not strong)


def _in_piece(piece: str) -> list[Heard]:
    parts = sentences(piece)
    story = {e.name for e in patterns().excuses if e.name == "story" and e.fits(" ".join(parts))}
    found: list[Heard] = []
    carried: frozenset[str] = frozenset()
    for index, sentence in enumerate(parts):
        if found and (meant := _asked_behind(found[-1], sentence)):
            found[-1] = meant
            continue
        heard = _heard(sentence, carried)
        if heard.prefixed and not heard.question:
            heard = _extended(heard, parts[index + 1 :])
        carried = heard.leads if not heard.core else frozenset()
        near_end = min(index, len(parts) - 1 - index) < ENDS_LOOKED_AT
        if heard.prefixed or near_end:
            found.append(replace(heard, excuses=heard.excuses | story, stopped=heard.stopped or bool(story)))
    return found


def _asked_behind(heard: Heard, said: str) -> Heard | None:
    """Return a statement as one with a prefix, if the sentence behind it only says "please remember that"."""
    sentence = as_meant(said)
    if not heard.core or heard.question or sentence.endswith("?"):
        return None
    name = next((t.name for t in patterns().tails if t.explicit and t.pattern.fullmatch(sentence)), "")
    if name != "remember" and not (heard.claim and _UPDATE.search(sentence)):
        return None
    if any(e.stops_all and e.fits(f"{heard.sentence} {sentence}") for e in patterns().excuses):
        return None
    return replace(
        heard, claim=heard.claim or as_typed(heard.core, heard.said), leads=heard.leads | {name}, prefixed=True
    )


def _heard(said: str, carried: frozenset[str]) -> Heard:
    sentence = as_meant(said)
    leads, core = _taken_off(sentence, {*carried})
    explicit = {lead.name for lead in (*patterns().leads, *patterns().tails) if lead.explicit}
    prefixed = bool(leads & explicit)
    polite = bool(_REQUEST.match(sentence)) and not _REQUEST.match(core)
    fitting = [e for e in patterns().excuses if e.fits(sentence) or (e.name == "another_request" and e.fits(core))]
    heard = Heard(
        sentence,
        said,
        core,
        leads=frozenset(leads),
        prefixed=prefixed,
        excuses=frozenset(e.name for e in fitting),
        stopped=any(e.stops_all for e in fitting),
        question=_is_question(sentence, core, tagged=prefixed or polite),
    )
    if not core:
        return heard
    formed = _formed(heard)
    return replace(formed, claim=as_typed(formed.claim, said), rejected=as_typed(formed.rejected, said))


def _is_question(sentence: str, core: str, *, tagged: bool) -> bool:
    starts = bool(_QUESTION_START.match(core))
    return starts if tagged else starts or sentence.rstrip("\"') ").endswith("?")


def _formed(heard: Heard) -> Heard:
    """Return it with the first rule that its core fits, and the claim that the rule reads."""
    for rule in patterns().rules:
        for pattern in rule.patterns:
            if match := pattern.fullmatch(heard.core):
                groups = match.groupdict()
                claim, rejected = groups.get("claim") or heard.core, groups.get("rejected") or ""
                if not rejected and (said := _NOT.fullmatch(claim)):
                    claim, rejected = said["claim"], said["rejected"]
                return replace(heard, rule=rule, claim=_trimmed(claim), rejected=_trimmed(rejected))
    size = len(words(heard.core))
    bare = heard.disputes or 0 < size <= BARE_WORDS
    return replace(heard, claim=_trimmed(heard.core) if bare or heard.prefixed else "", bare=bare)


def _extended(heard: Heard, following: Sequence[str]) -> Heard:
    """Return a prefixed one with the statements that follow it, as long as they are no questions or new requests."""
    claim = heard.claim
    ending = heard.said[heard.said.rfind(claim) + len(claim) :] if claim else ""
    if not claim or ending.strip(_EDGES):
        return heard
    for sentence in following:
        apart = _heard(sentence, frozenset())
        longer = f"{claim}{ending} {sentence}"
        if apart.question or apart.excuses or apart.leads or len(longer) > LONGEST_CLAIM:
            break
        claim, ending = longer, ""
    return replace(heard, claim=claim if ending == "" and claim != heard.claim else heard.claim)


def _taken_off(sentence: str, leads: set[str]) -> tuple[set[str], str]:
    core, found = sentence.lstrip(" ,;:!?\u2014\u2013\u2026-*").strip(), set(leads)
    before = None
    while core and core != before:
        before = core
        for lead in patterns().leads:
            if (match := lead.pattern.match(core)) and match.end():
                found.add(lead.name)
                core = core[match.end() :].strip()
                break
    before = None
    while core and core != before:
        before = core
        for tail in patterns().tails:
            if (match := tail.pattern.search(core)) and match.start():
                found.add(tail.name)
                core = core[: match.start()].rstrip()
    return found, _trimmed(core)


def _trimmed(text: str) -> str:
    """Return a text without the punctuation around it, but with the sign or the dot that begins a number or name."""
    cut = text.strip().rstrip(" ,.;:!?\u2014\u2013\u2026-").lstrip(" ,;:!?\u2014\u2013\u2026")
    for mark in ('"', "'"):
        if cut.startswith(mark) and cut.endswith(mark) and cut.count(mark) == 2 and len(cut) > 1:  # noqa: PLR2004  a pair
            cut = cut[1:-1].strip()
    return cut
