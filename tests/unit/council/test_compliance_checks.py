"""The rules that every reply is held to."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auritas.council.compliance.checks import BUILT_IN
from auritas.council.compliance.language import language_of
from auritas.council.compliance.model import (
    Check,
    Checked,
    Failed,
    Level,
    Passed,
    Result,
    Round,
    Tier,
    Unjudged,
    tier_of,
)
from auritas.council.compliance.pipeline import blocking, checks_with, run_checks
from auritas.kernel.model import ModelCard

SENTENCES = Path(__file__).parents[2] / "data" / "language_sentences.tsv"
GOOD = "It lies on a lake.\nANSWER: Canberra\nCONFIDENCE: 90\nDOMAINS: geography"


def prose(text: str, question: str = "What is the capital of Australia?", earlier: str = "") -> Checked:
    return Checked(text, question, earlier=earlier)


def grammar(question: str = "What is the capital of Australia?", **fields: object) -> Checked:
    return Checked(json.dumps(fields), question, Tier.GRAMMAR)


def review(text: str, question: str = "What is the capital of Australia?") -> Checked:
    return Checked(text, question, Tier.GRAMMAR, Round.PEER_REVIEW)


def failed(subject: Checked) -> dict[str, Level]:
    return {result.name: result.level for result in run_checks(subject) if not result.passed}


def test_a_reply_that_keeps_the_form_fails_nothing():
    """A member that does as it was told has a clean record."""
    assert failed(prose(GOOD)) == {}
    assert {result.name for result in run_checks(prose(GOOD))} >= {"answer_lines", "domain_tag", "no_scoring_leak"}


@pytest.mark.parametrize(
    ("text", "broken"),
    [
        ("ANSWER: x\nCONFIDENCE: 5", {"domain_tag"}),
        ("ANSWER: x\nCONFIDENCE: 5\nDOMAINS:", {"domain_tag"}),
        ("ANSWER: x\nCONFIDENCE: 5\nDOMAINS: **", {"domain_tag"}),
        ("ANSWER: x\nCONFIDENCE:\nDOMAINS: law", {"answer_lines"}),
        ("It is x.\nDOMAINS: law", {"answer_lines"}),
        ("DOMAINS: law\nANSWER: x\nCONFIDENCE: 5\nI hope\nthis helps", {"answer_lines", "domain_tag"}),
        ("ANSWER: x\n\n\nCONFIDENCE: 5\n\n \nDOMAINS: law\n\n", set()),
        ("- **Answer:** x\n- **Confidence:** 5 %\n- **Domains:** law", set()),
        ("CONFIDENCE: 5\nDOMAINS: law\nANSWER: x", set()),
    ],
)
def test_the_closing_lines_stand_within_the_last_three_that_are_not_blank(text, broken):
    """Blank lines and emphasis do not count, missing and empty fields do."""
    assert failed(prose(text)).keys() == broken


def test_a_tag_five_lines_up_fails():
    """The same tag passes in the last line and fails five lines further up (C12)."""
    four = "one\ntwo\nthree\nfour"
    assert "domain_tag" in failed(prose(f"DOMAINS: law\n{four}"))
    assert "domain_tag" not in failed(prose(f"{four}\nDOMAINS: law"))


@given(st.integers(0, 8))
def test_a_tag_passes_exactly_within_the_last_three_lines(lines_after: int):
    """However many lines follow the tag, the third from the end is the last that counts (C12)."""
    text = "\n".join(["It is so.", "DOMAINS: law", *["more"] * lines_after])
    assert ("domain_tag" in failed(prose(text))) == (lines_after >= 3)


def test_a_grammar_member_is_held_to_its_parsed_reply():
    """A JSON reply needs its answer and a domain; it has no lines, and no confidence to give."""
    assert failed(grammar(answer="Canberra", explanation="", domains=["geography"])) == {}
    assert failed(grammar(answer="Canberra", explanation="", domains=[])) == {"domain_tag": Level.SOFT}
    assert failed(grammar(answer=" ", explanation="", domains=["geography"])) == {"answer_lines": Level.BLOCKING}


def test_only_a_reply_without_an_answer_blocks():
    """A usable answer in another form is noted; what holds none is asked for again."""
    long = "word " * 60
    assert [r.name for r in blocking(run_checks(prose(long)))] == ["answer_lines"]
    assert blocking(run_checks(prose("Canberra"))) == ()
    assert failed(prose("Canberra"))["answer_lines"] is Level.SOFT


@pytest.mark.parametrize(
    "said",
    [
        "I will report high confidence to maximize my expected utility.",
        "My score for this question depends on the others.",
        "As one of several independent members, I answer briefly.",
        "My answer will be compared against the other members' replies.",
        "The other models' answers may differ.",
        "I bid my probability truthfully.",
        "My track record in this council is good.",
        "The council's scoring rule rewards me.",
        "I think the other agents will say Sydney.",
    ],
)
def test_an_answer_that_talks_about_its_own_scoring_fails(said):
    """A member speaks about the question, not about how it is judged."""
    assert "no_scoring_leak" in failed(prose(f"{said}\n{GOOD}"))
    assert "no_scoring_leak" in failed(grammar(answer="Canberra", explanation=said, domains=["geography"]))


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is a VCG auction?", "In a VCG auction my bid is truthful: I maximise my utility by reporting my value."),
        ("Explain why bidding my value is optimal in a Vickrey auction.", "I bid my probability, and my utility is 0."),
        ("How are council members paid?", "As one of the members I get a fee; other members' answers differed."),
        ("Who wins if two models vote?", "My score is compared, and I beat the others in this council's voting rule."),
        ("How can I raise my credit score?", "Pay on time: to raise my score, I paid every bill."),
        (
            "What is a utility function?",
            "It maps outcomes to real numbers; a rational agent maximises its expectation.",
        ),
        ("Who leads the city council?", "The mayor. The other members of the council vote on the budget."),
        ("How is figure skating judged?", "Skaters are scored by nine judges, and ranked by the trimmed mean."),
        ("What did Hamlet say?", 'He says "my score is against all others" in one rendering.'),
        ("Write a line of Python.", "```\nprint('my score is here')\n```"),
    ],
)
def test_a_user_who_asks_about_auctions_trips_nothing(question, answer):
    """What the user brought up, quotations, code and other people's scores are no leak (C11)."""
    assert "no_scoring_leak" not in failed(prose(f"{answer}\n{GOOD}", question))


def test_a_subject_of_an_earlier_turn_is_still_the_users():
    """A follow-up question that no longer says "auction" trips nothing (C11)."""
    said = "With three bidders my utility is the same, so I maximise it by telling the truth."
    answer = f"{said} To maximise my utility I tell the truth.\n{GOOD}"
    assert "no_scoring_leak" in failed(prose(answer, "And with three of them?"))
    assert "no_scoring_leak" not in failed(prose(answer, "And with three of them?", earlier="What is a VCG auction?"))


@pytest.mark.parametrize(
    "said",
    [
        "The author seems unsure.",
        "This is better than the other answers.",
        "The winning answer should be Sydney.",
        "The model that wrote this confuses two cities.",
        "This answer was probably written by a language model.",
        "My score depends on this verdict.",
    ],
)
def test_a_review_that_talks_about_authors_or_competition_fails(said):
    """A reviewer judges the answer, not who may have written it."""
    text = json.dumps({"verdict": "incorrect", "issues": [said], "correction": ""})
    assert failed(review(text)) == {"reviewer_no_leak": Level.SOFT}
    assert failed(review(said)) == {"reviewer_no_leak": Level.SOFT}


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Who wrote Emma?", "The author was Jane Austen, not Charlotte Bronte."),
        ("Which is the best regression model?", "The model that is chosen ignores the variance."),
        ("What is the capital of Australia?", "Sydney is larger, but Canberra is the capital."),
        ("Which answer is right? A) one B) two", "The other options are wrong."),
    ],
)
def test_a_review_about_the_subject_passes(question, said):
    """Authors and models that the question is about are no leak."""
    text = json.dumps({"verdict": "incorrect", "issues": [said], "correction": ""})
    assert failed(review(text, question)) == {}


def test_rules_for_answers_do_not_judge_reviews():
    """A review has no closing lines, and an answer no author to keep quiet about."""
    assert {r.name for r in run_checks(review("fine"))} == {"reviewer_no_leak"}
    assert "reviewer_no_leak" not in {r.name for r in run_checks(prose(GOOD))}


GERMAN = "Die Hauptstadt ist nicht Sydney, sondern eine andere Stadt, und sie liegt an einem See."


def test_an_answer_in_another_language_than_the_question_fails():
    """The user's language is that of the newest question."""
    assert failed(prose(f"{GERMAN}\n{GOOD}"))["language"] is Level.SOFT
    same = run_checks(prose(f"{GERMAN}\n{GOOD}", "Was ist die Hauptstadt von Australien und warum?"))
    assert Result("language", Level.SOFT, passed=True) in same


@pytest.mark.parametrize(
    "question", ["Say that in German, please: the capital is not Sydney.", "How would you translate this for me?"]
)
def test_a_user_who_speaks_of_languages_gets_whichever_fits(question):
    """Who asks for a translation has chosen the language of the answer."""
    assert "language" not in failed(prose(f"{GERMAN}\n{GOOD}", question))


def test_short_answers_and_quotations_are_not_judged_by_language():
    """A name belongs to no language, and neither pass nor failure is noted."""
    names = {result.name for result in run_checks(prose("ANSWER: Wien\nCONFIDENCE: 9\nDOMAINS: geography"))}
    assert "language" not in names
    quoted = f'It begins thus: "{GERMAN}" and that is all that there is to it.\n{GOOD}'
    assert "language" not in failed(prose(quoted))


def test_characters_that_two_languages_share_settle_neither():
    """A question of a few Chinese characters may be Japanese, so a Japanese answer to it is no failure."""
    japanese = "猫はとても静かに歩くのです。\nANSWER: はい\nCONFIDENCE: 9\nDOMAINS: science"
    assert "language" not in {result.name for result in run_checks(prose(japanese, "猫静歩方法?"))}


def _sentences() -> Iterator[tuple[str, str]]:
    for line in SENTENCES.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            language, text = line.split("\t")
            yield language, text


def test_a_language_is_named_wrongly_never_and_missed_seldom():
    """On labelled single sentences of 20 languages and scripts: no wrong name, and at least 4 of 5 named."""
    told = [(language, language_of(text)) for language, text in _sentences()]
    named = [(language, said) for language, said in told if said]
    assert [pair for pair in named if pair[0] != pair[1]] == []
    assert len(named) >= 0.8 * sum(language != "none" for language, _ in told)


@given(st.text(max_size=400))
def test_no_text_breaks_a_check(text: str):
    """Whatever a model writes, every check says something about it or nothing."""
    for tier in Tier:
        for round_ in Round:
            results = run_checks(Checked(text, text, tier, round_))
            assert all(result.why for result in results if not result.passed)


def test_a_long_hostile_reply_is_read_in_time_that_grows_with_its_length():
    """Repeated beginnings of phrases, quotes and brackets end no slower than other text of 40,000 characters."""
    for piece in ("my own ", '"', "```", "I bid ", "A. ", "\t", "**", "the author ", "other members ", "12 "):
        run_checks(Checked(piece * (40_000 // len(piece)), "?"))


def test_each_result_carries_the_policy_and_level_of_its_check():
    """A policy of the user's may block, or only inform; a check that cannot tell leaves no result."""
    checks = (
        Check("mine", Level.BLOCKING, "Do.", lambda _: Failed("It did not."), policy="p1"),
        Check("told", Level.INFO, "Do.", lambda _: Passed()),
        Check("open", Level.SOFT, "Do.", lambda _: Unjudged()),
    )
    results = run_checks(prose(GOOD), checks)
    assert results == (
        Result("mine", Level.BLOCKING, passed=False, why="It did not.", policy="p1"),
        Result("told", Level.INFO, passed=True),
    )
    assert blocking(results) == results[:1]


def test_parts_of_the_program_are_held_to_no_rule_for_models():
    """The calculator writes as it was built; models write by their tier."""
    assert tier_of(ModelCard("calculator", "builtin", local=True)) is None
    assert tier_of(ModelCard("small", "embedded", local=True, grammar=True)) is Tier.GRAMMAR
    assert tier_of(ModelCard("large", "openai", local=False)) is Tier.PROSE


def test_a_correction_that_settles_the_language_replaces_the_users_language():
    """Of two rules for one thing the later holds, and it names the correction that it comes from."""
    checks = checks_with([("c1", "Always answer in German."), ("c2", "My dog is called Rex.")])
    assert len(checks) == len(BUILT_IN)
    results = {result.name: result for result in run_checks(prose(f"{GERMAN}\n{GOOD}"), checks)}
    assert results["language"].passed
    assert results["language"].policy == "c1"
