"""What is said of real members after an evaluation."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from scipy.stats import binomtest

from auritas.cli.eval_live import as_text
from auritas.council.evaluation.live import (
    LiveOutcome,
    Said,
    by_domain,
    graded,
    is_right,
    reported,
    right_count,
    sign_test,
    to_document,
)
from auritas.council.evaluation.live_questions import LiveKind, LiveQuestion
from auritas.kernel.answers import Answer, Candidate, Confidence, ConfidenceLabel, Decision, Failure, Seat
from auritas.kernel.model import Usage

QUESTION = LiveQuestion("live-01", LiveKind.ARITHMETIC, "mathematics", "What is 27 * 34?", ("918",))


def outcome(*, council: bool, members: dict[str, bool | None], domain: str = "mathematics") -> LiveOutcome:
    question = LiveQuestion("k", LiveKind.FACTS, domain, "?", ("yes",))
    return LiveOutcome(question, {seat: Said("x", right, 1.0) for seat, right in members.items()}, "x", council, 2.0)


@pytest.mark.parametrize("answer", ["918", "918.0", "The result is 918.", "It is 918, of course"])
def test_a_right_answer_counts_in_its_own_words(answer):
    """Sameness of the council decides, or the key as whole words."""
    assert is_right(QUESTION, answer)


@pytest.mark.parametrize("answer", ["", "9180", "919", "I do not know"])
def test_a_wrong_answer_does_not_count(answer):
    """Neither silence nor a near miss is right."""
    assert not is_right(QUESTION, answer)


def test_silence_is_wrong_and_an_abstention_is_neither():
    """Who fails was wrong; who leaves a question to others is not held to it."""
    answers = [
        Answer("1", Seat("ada", "ada"), "918", usage=Usage(total_ms=500)),
        Answer("2", Seat("bob", "bob"), failure=Failure("silent", "…")),
        Answer("3", Seat("calc", "calc"), abstained=True),
    ]
    candidate = Candidate("c", "918", ("ada",), 1.0)
    sure = Confidence(ConfidenceLabel.HIGH, "")
    found = graded(QUESTION, answers, Decision((candidate,), "c", "ada", sure, "guarded", ""), 1.5)
    assert {seat: said.right for seat, said in found.members.items()} == {"ada": True, "bob": False, "calc": None}
    assert found.right
    assert found.members["ada"].seconds == 0.5
    undecided = graded(QUESTION, answers, Decision((), None, None, sure, "guarded", ""), 1.5)
    assert not undecided.right


@given(st.integers(0, 40), st.integers(0, 40))
def test_the_sign_test_is_the_exact_one(won, lost):
    """The p is that of the exact binomial test with even odds."""
    expected = binomtest(won, won + lost).pvalue if won + lost else 1.0
    assert sign_test(won, lost) == pytest.approx(expected)


def test_the_council_is_compared_with_whoever_was_right_most_often():
    """An abstaining member is not the best one, however often it was right where it answered."""
    outcomes = [outcome(council=True, members={"ada": True, "bob": False, "calc": None}) for _ in range(6)]
    outcomes += [outcome(council=True, members={"ada": False, "bob": True, "calc": True}) for _ in range(4)]
    report = reported("e", "high", "guarded", outcomes)
    found = report.comparison
    assert found is not None
    assert (found.best, found.won, found.lost) == ("ada", 4, 0)
    assert found.gain == pytest.approx(0.4)
    assert found.interval[0] <= found.gain <= found.interval[1]
    assert report.seats == ("ada", "bob", "calc")
    assert report.right == 10


def test_only_questions_that_both_were_asked_are_compared():
    """A member that the cascade did not need is not beaten on what it never saw, and no column claims that it was."""
    outcomes = [outcome(council=True, members={"ada": True, "bob": False}) for _ in range(3)]
    outcomes += [outcome(council=True, members={"bob": True}, domain="law")] * 2 + [outcome(council=False, members={})]
    report = reported("e", "balanced", "guarded", outcomes)
    found = report.comparison
    assert found is not None
    assert (found.best, found.questions, found.won, found.lost, found.gain) == ("ada", 3, 0, 0, 0.0)
    document = to_document(report)
    assert document["comparison"]["questions"] == 3
    assert document["domains"]["law"]["members"] == {"bob": 2}
    console = Console(width=100, record=True, file=io.StringIO())
    console.print(as_text(report))
    law = next(line.split() for line in console.export_text().splitlines() if line.startswith("law"))
    assert law == ["law", "2", "2", "-"]


def test_a_tiny_p_is_not_printed_as_nothing():
    """No figure claims more than it can: below a thousandth only that is said."""
    report = reported("e", "high", "guarded", [outcome(council=True, members={"ada": False})] * 20)
    console = Console(width=200, record=True, file=io.StringIO())
    console.print(as_text(report))
    assert "p < 0.001" in console.export_text()


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=30))
def test_the_interval_holds_the_gain_and_repeats(pairs):
    """The same outcomes give the same interval, and it holds what was measured."""
    outcomes = [outcome(council=council, members={"ada": ada}) for council, ada in pairs]
    first, again = (reported("e", "high", "guarded", outcomes).comparison for _ in range(2))
    assert first == again
    assert first is not None
    assert first.interval[0] <= first.gain + 1e-9
    assert first.gain <= first.interval[1] + 1e-9


def test_domains_and_document_add_up():
    """Every question is in one domain, and the document counts as the report does."""
    outcomes = [outcome(council=True, members={"ada": True}, domain="law"), outcome(council=False, members={})]
    report = reported("live.1", "high", "guarded", outcomes)
    assert {name: len(own) for name, own in by_domain(report).items()} == {"law": 1, "mathematics": 1}
    document = to_document(report)
    assert document["council"] == {"right": 1, "accuracy": 0.5}
    assert document["members"]["ada"] | {"seconds": 0} == {
        "right": 1, "accuracy": 1.0, "asked": 1, "abstained": 0, "seconds": 0,
    }  # fmt: skip
    assert right_count(outcomes, "nobody") == 0
