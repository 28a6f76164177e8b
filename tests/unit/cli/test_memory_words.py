"""Memory in words: what a screen shows of it."""

import io
from datetime import UTC, datetime
from typing import Any

import pytest
from rich.console import Console

from auritas.app.remembering import Entry, Reason, WhyUsed
from auritas.cli.hints import hint
from auritas.cli.memory_report import document, entries, used
from auritas.kernel.memory import (
    Correction,
    CorrectionState,
    CorrectionType,
    Factors,
    Provenance,
    Scope,
    UseReason,
)
from auritas.memory.adapters.used_sql import Weighed

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def correction(claim: str = "Use metric units", **more: object) -> Correction:
    made: dict[str, Any] = {"type": CorrectionType.INSTRUCTION, "scope": Scope.GLOBAL, "state": CorrectionState.ACTIVE}
    made |= {"provenance": Provenance.USER_EXPLICIT, "claim": claim, "created_at": NOW}
    return Correction(id="019b77c3-8a4e-7000-8000-000000000001", **made | more)


def printed(thing: object, width: int) -> str:
    console = Console(width=width, file=io.StringIO(), record=True)
    console.print(thing)
    return console.export_text()


@pytest.mark.parametrize(
    ("words", "typed"),
    [
        ("To keep it all the same: auritas memory add", "To keep it all the same: /remember"),
        ("undo: auritas memory undo", "undo: /undo"),
        ("auritas memory confirm ID", "/keep ID"),
        ("auritas memory dismiss ID", "/drop ID"),
        ("auritas memory why", "/memory"),
        ("auritas memory replace A B", "/replace A B"),
        ("See them: auritas search", "See them: /search"),
        ("See all: auritas memory list --all", "See all: auritas memory list --all"),
    ],
)
def test_a_conversation_names_its_commands_on_memory(words, typed):
    """What a conversation has is named as it is typed there; the rest stays a command of the shell."""
    assert hint(words, in_chat=True) == typed
    assert hint(words, in_chat=False) == words


@pytest.mark.parametrize("width", [40, 80, 200])
def test_a_list_shows_whole_ids_that_can_be_typed(width):
    """However narrow the screen is, the id is not broken, and the words stand beside it."""
    entry = Entry(correction(pinned=True), 3, "019b77c3-8a4e")
    shown = printed(entries([entry], proposed=False), width)
    assert "019b77c3-8a4e" in shown
    assert "pinned" in shown
    assert "3 questions" in " ".join(shown.split())


def test_an_erased_one_is_said_to_be_erased():
    """What entered an answer and was erased since keeps its bars, and no words."""
    factors = Factors(0.9, 0.65, 1, 0.8, 1, 0, 0, 0.02)
    gone = Reason(Weighed("019b77c3", factors, 0.62, injected=True, reason=UseReason.RULE_IN_SCOPE, tokens=4), None)
    left = Reason(
        Weighed("019b77c4", factors, 0.1, injected=False, reason=UseReason.NOT_RELEVANT, tokens=4), correction("Tea")
    )
    shown = printed(used(WhyUsed("q", "r", "ada", "Is it so?", (gone, left), (), ()), every=False), 80)
    assert "(erased since)" in shown
    assert "a rule that holds here" in shown
    assert "1 other weighed and left out: add --all." in shown
    assert "Tea" not in shown
    assert shown.count("░") + shown.count("█") == 8 * 12


def test_a_program_reads_every_field():
    """No field is missing, and absent ones are null rather than empty."""
    found = document(correction(claim="[bold]\u202ex"))
    assert found["claim"] == "[bold]\u202ex"
    assert found["condition"] is None
    assert found["created_at"].startswith("2026-01-01T00:00:00")
