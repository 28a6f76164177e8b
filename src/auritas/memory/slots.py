"""What a sentence is about, as a slot: of one slot, place and condition only one correction can hold.

A slot is read only where the sentence names an attribute that has one value at a time, or says or denies one thing.
"My limit is 100" replaces "my limit is 50", and "I no longer like tea" replaces "I like tea"; "I like coffee" replaces
neither. Where it is unsure the person is asked instead: replacing wrongly is worse than asking.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from auritas.kernel.memory import CorrectionType
from auritas.memory.slot_book import Statement, book

_LONGEST = 300
"""Of a sentence that is read; a longer one says several things."""
_MOST_SUBJECT_WORDS = 8
_MOST_WORDS = 16
"""Of a sentence that is compared whole."""
_NAME = r"(?:\w|[+#.-])+"
_PLACE_FIRST = re.compile(r"(?:when|whenever|if|while|for|in|with|to) ([^,]+),")
_PLACE_AFTER = re.compile(
    rf"\b(?:in|for|with|except|unless|if|when(?: writing| talking about)?) ({_NAME}(?: {_NAME}){{0,5}})$"
)
_PLACE_BEFORE = re.compile(
    rf"(?:in |for )?({_NAME}(?: {_NAME})?)(?:,| code| files?| projects?)* (?:should|must|always|never|uses?)\b"
)
_OBJECT = re.compile(r"(?:write|draft|compose|translate|answer) ([^,]+?) (?:in|with|using) ")
_AFTERTHOUGHTS = re.compile(
    r"(?:,? (?:from now on|please|always|going forward|now|instead|everywhere|anymore|any more|again|these days"
    r"|nowadays))+$"
)
_POINTING = frozenset({"it", "that", "this", "there", "he", "she", "they", "these", "those"})
"""A sentence that begins so says something about what stood before it."""
_SOMEBODYS = frozenset({"his", "her", "its", "their"})
"""Of whom, only what stood before says."""
_OWNERS = frozenset({"my", "your"})
"""What is mine is not what is the project's."""
_TOPIC_WORDS = 2
"""Words that a question needs before it can stand for what it asks."""
_MOST_SINGULAR = 3
"""Letters of a word that is never taken for a plural."""
_TELLING = ("i am ", "i was ", "i have ", "i had ")
"""A sentence that begins so tells something, and rules nothing."""
_RULES = frozenset({CorrectionType.INSTRUCTION, CorrectionType.DOMAIN_RULE, CorrectionType.DECISION})
_WHOLE = ("rule|", "said|")


@dataclass(frozen=True, slots=True)
class Slot:
    """What a sentence says something about. subject: of what; attribute: which property. value: what it says."""

    subject: str
    attribute: str
    value: str = ""

    @property
    def key(self) -> str:
        """The slot in one text, as it is stored."""
        return f"{self.subject}|{self.attribute}"


def slot_of(claim: str, kind: CorrectionType, canonical_query: str = "") -> Slot | None:
    """Return the slot of a sentence, or that of the question which it answers, or None where neither can be read."""
    sentence = _plain(claim)
    if not sentence or len(sentence) > _LONGEST:
        return None
    said = _setting(sentence, kind) or _statement(sentence, claim)
    if kind is CorrectionType.FACT and canonical_query and (said is None or _is_vague(said)):
        return _asked(canonical_query) or said
    return said or (_rule(sentence) if kind in _RULES else _saying(sentence))


def says_whole(slot: str) -> bool:
    """Whether a slot, as it is stored, is a whole sentence, which only its denial shares, rather than an attribute."""
    return slot.startswith(_WHOLE)


def condition_key(condition: str) -> str:
    """Return a condition in the form in which two are compared; empty: always."""
    plain = condition.lower()
    return " ".join(sorted(set(_words(plain)))) or " ".join(re.findall(r"\w+", plain))


def topic(text: str) -> frozenset[str]:
    """Return the words of a text that carry its meaning."""
    return frozenset(_words(_plain(text)))


def _setting(sentence: str, kind: CorrectionType) -> Slot | None:
    """Return the setting of answers that a short rule chooses; a fact about tabs is no rule about tabs."""
    if kind is CorrectionType.FACT or sentence.startswith(_TELLING):
        return None
    for name, choices in book().settings.items():
        for choice in choices:
            if re.search(rf"(?<![\w-]){re.escape(choice)}(?![\w-])", sentence):
                where = _elsewhere(sentence)
                return Slot(f"answers{' ' + where if where else ''}", name.replace("_", " "), choice)
    return None


def _elsewhere(sentence: str) -> str:
    """Return what a setting is limited to: tabs in Python and spaces in YAML do not exclude each other."""
    said = book().polarity.sub("", sentence)
    found = (_PLACE_FIRST.match(said), _PLACE_AFTER.search(said), _PLACE_BEFORE.match(said), _OBJECT.match(said))
    words = [word for each in found if each for word in _words(each[1])]
    chosen = {_singular(word) for word in book().chosen}
    return " ".join(sorted(set(words) - book().general - chosen))


def _statement(sentence: str, claim: str) -> Slot | None:
    """Return the slot of the first statement whose pattern is the sentence. claim: the same with its capitals."""
    for statement in book().statements:
        if match := statement.pattern.fullmatch(sentence):
            groups = {name: text for name, text in match.groupdict().items() if text}
            value, subject = _first(groups, "value"), _subject(statement, groups)
            if not subject or (statement.proper and not _is_name(value, claim)):
                continue
            if statement.names and not _is_named_in(statement.names, groups["subject"]):
                continue
            return Slot(subject, _attribute(statement, groups, value), value)
    return None


def _subject(statement: Statement, groups: Mapping[str, str]) -> str:
    """Return what a statement is about, in the form in which two are compared; empty: nothing that can be told."""
    if statement.pair:
        return " or ".join(sorted((_key(_first(groups, "value")), _key(groups.get("other", "")))))
    raw = _first(groups, "subject")
    if not raw:
        return statement.subject
    words = raw.split()
    subject = _key(f"{raw} {groups.get('of', '')} {statement.adds}")
    unclear = words[0] in _POINTING or _SOMEBODYS.intersection(words) or len(subject.split()) > _MOST_SUBJECT_WORDS
    return "" if unclear or not _words(raw) else subject


def _attribute(statement: Statement, groups: Mapping[str, str], value: str) -> str:
    """Return the attribute, with what is measured: a trip has a price and a duration, a limit is one number."""
    if not statement.measured or _is_named_in("attributes", groups["subject"]):
        return statement.attribute
    unit = re.sub(r"[\d.,:-]+", " ", value).split()
    known = [book().dimensions[word] for word in unit if word in book().dimensions]
    return " ".join(filter(None, (statement.attribute, known[0] if known else " ".join(unit[-2:]))))


def _rule(sentence: str) -> Slot | None:
    """Return the slot of a rule that differs from its opposite only in polarity: "use tabs", "never use tabs".

    Where it sets a limit, the limit is what it says: of lines of at most 80 and at most 100 characters one holds.
    """
    said = book().limited.sub(r"\1#", book().polarity.sub("", sentence).strip())
    words = [word for word in re.findall(r"[\w'+#./-]+", said) if word not in {"a", "an", "the", "any"}]
    return Slot("rule", " ".join(words)) if 0 < len(words) <= _MOST_WORDS else None


def _saying(sentence: str) -> Slot | None:
    """Return the slot of a sentence that says one thing, and is shared by what denies it: "I like tea"."""
    denied = book().denial.sub(" ", sentence)
    words = [word for word in re.findall(r"[\w'+#./-]+", denied) if word not in {"a", "an", "the", "any"}]
    clear = words and words[0] not in _POINTING and not _SOMEBODYS.intersection(words)
    return Slot("said", " ".join(words)) if clear and _TOPIC_WORDS <= len(words) <= _MOST_WORDS else None


def _asked(question: str) -> Slot | None:
    sentence = _plain(question).rstrip("?")
    words = sorted(set(_words(sentence)))
    attribute = "amount" if sentence.startswith("how many ") else "asked"
    return Slot(" ".join(words), attribute) if len(words) >= _TOPIC_WORDS else None


def _is_vague(slot: Slot) -> bool:
    """Whether a subject stands for something only in its conversation: "it is 53", "the limit is 100"."""
    kind = slot.attribute.split()[0]
    return kind in {"amount", "value", "place", "time", "day"} and len(slot.subject.split()) < _TOPIC_WORDS


def _is_named_in(nouns: str, subject: str) -> bool:
    """Whether a noun phrase names something of a list: "the owner of the repo", "my favourite tea"."""
    words, known = subject.split(), book().nouns[nouns]
    if nouns == "attributes" and {"favourite", "favorite", "preferred", "default", "main", "primary"} & set(words):
        return True
    head = re.split(r" (?:of|for) ", subject, maxsplit=1)[0].split()
    return bool(head) and (head[-1] in known or " ".join(head[-2:]) in known)


def _is_name(value: str, claim: str) -> bool:
    """Whether a value begins with a capital where it stands in the claim."""
    first = re.search(re.escape(value.split(maxsplit=1)[0]), claim, re.IGNORECASE) if value.split() else None
    return first is not None and first[0][0].isupper()


def _first(groups: Mapping[str, str], name: str) -> str:
    return next((text for key, text in groups.items() if key.rstrip("0123456789") == name), "")


def _key(phrase: str) -> str:
    """Return a noun phrase in the form in which two are compared: "limit of the API" and "API limit" are one."""
    owners = _OWNERS.intersection(phrase.split())
    return " ".join(sorted({*_words(phrase), *owners}))


def _words(phrase: str) -> list[str]:
    words = (word.removesuffix("'s").strip(".'-") for word in re.findall(r"[\w'+#./-]+", phrase.lower()))
    known = book()
    spelled = (known.spellings.get(word, word) for word in words)
    return [_singular(word) for word in spelled if word and word not in known.small]


def _singular(word: str) -> str:
    """Return a plural without its s, as far as a rule can tell: comparing needs no dictionary."""
    if len(word) > _MOST_SINGULAR and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _plain(text: str) -> str:
    """Return a sentence in lower case, without courtesy, contractions and what stands around it."""
    known = book()
    sentence = " ".join(text.lower().replace("\u2019", "'").split()).strip(" .!,;:\"'")
    sentence = known.contractions.sub(lambda found: known.expanded[found[0]], sentence)
    before = None
    while sentence != before:
        before = sentence
        sentence = known.courtesy.sub("", sentence).strip(" ,:;-\u2014\u2013")
    return _AFTERTHOUGHTS.sub("", sentence)
