"""How often a rule was broken in a row, and how it is said louder."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auritas.council.compliance.checks import BUILT_IN
from auritas.council.compliance.emphasis import emphasised
from auritas.council.compliance.model import Level, Result, Round, Tier
from auritas.council.compliance.streaks import BOLD_AT, REPEATED_AT, advance, advanced
from auritas.council.prompts import INSTRUCTIONS, prose_prompt
from auritas.gateway.embedded_prompt import member_prompt, stable_beginning
from auritas.kernel.model import Message, Prompt, Role

PROSE = prose_prompt("What is it?", ())
SMALL = member_prompt("What is it?")
RULE = {(c.name, tier): f"**{c.instruction}**" for c in BUILT_IN for tier in c.tiers}
TAG = RULE["domain_tag", Tier.PROSE]


def streak_of(*passes: bool) -> int:
    streak = 0
    for passed in passes:
        streak = advance(streak, passed=passed)
    return streak


def test_two_failures_make_a_rule_bold_and_a_pass_makes_it_plain_again():
    """Fail, fail: bold; then a pass: plain; fail, pass, fail: a streak of one (C10)."""
    assert streak_of(False, False) == BOLD_AT
    assert TAG in emphasised(PROSE, {"domain_tag": streak_of(False, False)}).messages[0].content
    assert streak_of(False, False, True) == 0
    assert emphasised(PROSE, {"domain_tag": streak_of(False, False, True)}) == PROSE
    assert streak_of(False, True, False) == 1
    assert emphasised(PROSE, {"domain_tag": 1}) == PROSE


def test_streaks_of_different_rules_are_independent():
    """One rule broken and another kept leave a streak of one each for itself (C10)."""
    before = {"answer_lines": 1, "domain_tag": 3, "language": 2}
    results = (
        Result("answer_lines", Level.BLOCKING, passed=False),
        Result("domain_tag", Level.SOFT, passed=True),
    )
    assert advanced(before, results) == {"answer_lines": 2, "domain_tag": 0}


def test_what_is_only_information_has_no_streak():
    """A failure from which nothing follows makes nothing louder."""
    assert advanced({}, [Result("told", Level.INFO, passed=False)]) == {}


@given(st.lists(st.booleans()))
def test_a_streak_counts_the_failures_since_the_last_pass(passes: list[bool]):
    """Whatever came before, it is the length of the last run of failures (C10)."""
    run = 0
    for passed in reversed(passes):
        if passed:
            break
        run += 1
    assert streak_of(*passes) == run


@pytest.mark.parametrize(("streak", "times"), [(0, 0), (1, 0), (2, 1), (3, 1), (4, 2), (9, 2)])
def test_a_rule_is_bold_from_two_and_closes_the_prompt_from_four(streak, times):
    """From four failures in a row it stands at the end of the system prompt as well (C10)."""
    system = emphasised(PROSE, {"domain_tag": streak}).messages[0]
    assert system.role is Role.SYSTEM
    assert system.content.count(TAG) == times
    assert system.content.endswith(TAG) == (streak >= REPEATED_AT)
    assert INSTRUCTIONS in system.content


def test_the_rest_of_the_prompt_stays_as_it_was():
    """Only the system prompt of a prose member changes."""
    assert emphasised(PROSE, {"domain_tag": 5}).messages[1:] == PROSE.messages[1:]


def test_an_embedded_members_cached_beginning_is_never_touched():
    """Its reminders stand around the newest message, so that the engine reads nothing twice."""
    said = emphasised(SMALL, {"language": 4})
    assert stable_beginning(said) == stable_beginning(SMALL)
    assert said.messages[:-1] == SMALL.messages[:-1]
    rule = RULE["language", Tier.GRAMMAR]
    assert said.question == f"{rule}\n\nWhat is it?\n\n{rule}"


def test_a_member_is_reminded_only_of_rules_for_its_form():
    """A member under a grammar is never told to end with lines, and nobody who answers how to review."""
    said = emphasised(SMALL, {"domain_tag": 2, "reviewer_no_leak": 9}).question
    assert "DOMAINS:" not in said
    assert RULE["domain_tag", Tier.GRAMMAR] in said
    assert RULE["reviewer_no_leak", Tier.PROSE] not in said
    asked = emphasised(PROSE, {"domain_tag": 2, "reviewer_no_leak": 2}, round_=Round.PEER_REVIEW).messages[0].content
    assert RULE["reviewer_no_leak", Tier.PROSE] in asked
    assert TAG not in asked


def test_a_prompt_without_a_system_message_gets_one():
    """A plugin may have taken it away; the reminder is given all the same."""
    bare = Prompt((Message(Role.USER, "What is it?"),))
    said = emphasised(bare, {"domain_tag": 2})
    assert said.messages == (Message(Role.SYSTEM, TAG), *bare.messages)
