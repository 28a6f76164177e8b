"""Words and shapes of what commands print."""

import io

import pytest
from rich.console import Console

from auritas.app.evaluating import Evaluation
from auritas.cli.blocks import rows
from auritas.cli.board import Board
from auritas.cli.eval_report import as_text
from auritas.cli.hints import hint
from auritas.council.evaluation.report import Calibration, PolicyResult, Report
from auritas.kernel.answers import AccuracyLevel, Answer, Seat
from auritas.kernel.events import AnswerDone, AskStarted
from auritas.kernel.text import counted


def printed(thing: object, width: int) -> str:
    console = Console(width=width, file=io.StringIO(), record=True)
    console.print(thing)
    return console.export_text()


@pytest.mark.parametrize(
    ("words", "typed"),
    [
        ("Say: auritas grade right", "Say: /right"),
        ("auritas pick NUMBER", "/pick NUMBER"),
        ("auritas grade undo", "/undo"),
        ("auritas ask --level high", "auritas ask --level high"),
        ("auritas grade list", "auritas grade list"),
    ],
)
def test_a_conversation_names_its_own_commands(words, typed):
    """What a conversation has is named as it is typed there; the rest, and everything at a shell, stays."""
    assert hint(words, in_chat=True) == typed
    assert hint(words, in_chat=False) == words


@pytest.mark.parametrize("width", [45, 60, 75, 90, 200])
def test_a_name_is_never_broken(width):
    """Wherever a table does not fit there is a block for each seat, and all figures are in both."""
    name = "a-seat-with-a-long-name"
    figures = ["12 of 40 (0.10 to 0.20)"] * 3
    shown = printed(rows(["member", "one", "two", "three"], [[name, *figures]], Console(width=width)), width)
    assert name in shown
    assert shown.count("12 of 40 (0.10 to 0.20)") == 3
    assert ("member" in shown) is (width >= 110)


def test_one_is_not_many():
    """Numbers agree with their nouns."""
    assert [counted(n, "question") for n in (0, 1, 1200)] == ["0 questions", "1 question", "1,200 questions"]


def test_who_was_not_asked_yet_is_not_on_the_board():
    """A member that a cascade may never need is not shown as if it were waited for."""
    ada, bob = Seat("ada", "ada"), Seat("bob", "bob")
    board = Board(100)
    board.update(AskStarted("q", "c", AccuracyLevel.BALANCED, (ada, bob)))
    assert "Waking the members" in printed(board, 100)
    board.update(AnswerDone(Answer("r", ada, "Canberra")))
    shown = printed(board, 100)
    assert "ada" in shown
    assert "bob" not in shown


def report(calibration: Calibration) -> str:
    single = PolicyResult(0.7, 0.0, (0.0, 0.0), 0.0, (0.0, 0.0), 1.0)
    found = Report(
        pool=("ada", "bob"),
        used=("ada", "bob"),
        questions=100,
        splits=1,
        default_policy="guarded",
        best_single=0.7,
        members={"ada": 0.7, "bob": 0.6},
        policies={"guarded": single},
        council_in_force=0.5,
        oracle=0.9,
        effective_votes=None,
        calibration=calibration,
        coverage={0.8: 0.8, 1.0: 0.7},
    )
    return " ".join(printed(as_text(Evaluation(found)), 100).split())


def test_the_verdict_on_calibration_says_what_was_measured():
    """The share is the real one of the bin nearest to 80 %, with the policy; too few questions are called that."""
    bins = ((0.5, 0.4, 30), (0.78, 0.9, 30), (0.95, 0.9, 30))
    sure = report(Calibration(0.03, 0.02, 0.1, 0.8, bins))
    assert "Of answers that guarded calls 78 % sure, 90 in 100 are right" in sure
    assert "before rounding" in sure
    assert "Too few questions to tell" in report(Calibration(0.2, 0.06, 0.1, 0.8, bins))
