"""The rules that hold for every member."""

from functools import partial

from auritas.council.compliance.language import Language, language_of, speaks_of_languages
from auritas.council.compliance.leaks import no_scoring_leak, reviewer_no_leak
from auritas.council.compliance.model import Check, Checked, Failed, Finding, Level, Passed, Round, Tier, Unjudged
from auritas.council.compliance.reading import closing_fields, own_words, words_of
from auritas.council.replies import parse

LANGUAGE = "language"
"""Name of the rule on the language; a correction that sets the language replaces the check of this name."""

_SHARED_CHARACTERS = frozenset({Language.CHINESE, Language.JAPANESE})
"""A few words without kana may be either."""


def answer_lines(subject: Checked) -> Finding:
    """Fail a reply without its answer and, in prose, its confidence in the closing lines.

    A reply in which no answer at all can be read is silence, and blocks; one that was only written in another form
    can be used, and does not.
    """
    if not parse(subject.text).answer:
        return Failed("It holds no answer that can be read.", Level.BLOCKING)
    if subject.tier is Tier.GRAMMAR:
        return Passed()
    return _has_lines(subject, "answer", "confidence")


def domain_tag(subject: Checked) -> Finding:
    """Fail a reply that does not name its domains, in prose within the closing lines."""
    if subject.tier is Tier.GRAMMAR:
        return Passed() if parse(subject.text).domains else Failed("It names no domain.")
    return _has_lines(subject, "domains")


def users_language(subject: Checked) -> Finding:
    """Fail an answer in another language than the question's newest words, unless the user spoke of languages."""
    wanted = None if speaks_of_languages(subject.asked) else language_of(own_words(subject.question))
    return in_language(subject, wanted) if wanted else Unjudged()


def in_language(subject: Checked, wanted: Language) -> Finding:
    """Fail an answer that is in another language than `wanted`; one that could be in either is not judged."""
    written = language_of(own_words(words_of(subject)))
    if written is None or {written, wanted} == _SHARED_CHARACTERS:
        return Unjudged()
    return Passed() if written is wanted else Failed(f"It is in {written}, not in {wanted}.")


def language_check(wanted: Language, called: str, policy: str = "") -> Check:
    """Return the check for a user who has settled the language once, by the name `called`."""
    return Check(LANGUAGE, Level.SOFT, f"Answer in {called}.", partial(in_language, wanted=wanted), policy)


def _has_lines(subject: Checked, *names: str) -> Finding:
    fields = closing_fields(subject.text)
    missing = [f"{name.upper()}:" for name in names if not fields.get(name)]
    return Failed(f"Its last three lines hold no {' and no '.join(missing)}") if missing else Passed()


_PROSE, _GRAMMAR = frozenset({Tier.PROSE}), frozenset({Tier.GRAMMAR})
_REVIEW = frozenset({Round.PEER_REVIEW})

BUILT_IN: tuple[Check, ...] = (
    Check(
        "answer_lines",
        Level.SOFT,
        "End with the lines ANSWER: and CONFIDENCE:, neither of them empty, within the last three lines.",
        answer_lines,
        tiers=_PROSE,
    ),
    Check("answer_lines", Level.SOFT, "Never leave answer empty.", answer_lines, tiers=_GRAMMAR),
    Check(
        "domain_tag",
        Level.SOFT,
        "Within the last three lines, name one to three fields of knowledge in the line DOMAINS:.",
        domain_tag,
        tiers=_PROSE,
    ),
    Check("domain_tag", Level.SOFT, "Name one or two fields of knowledge in domains.", domain_tag, tiers=_GRAMMAR),
    Check(
        "no_scoring_leak",
        Level.SOFT,
        "Write about the question alone: not a word about yourself, about others who answer, or about being compared.",
        no_scoring_leak,
    ),
    Check(
        "reviewer_no_leak",
        Level.SOFT,
        "Judge the answer alone: not a word about who may have written it or about other answers.",
        reviewer_no_leak,
        rounds=_REVIEW,
    ),
    Check(LANGUAGE, Level.SOFT, "Answer in the language of the question.", users_language),
)
