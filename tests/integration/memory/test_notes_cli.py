"""`auritas notes` and `auritas recovery` as a person and a program read them."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert

from auritas.app.compose import opened
from auritas.cli.root import run
from auritas.kernel.model import Usage
from auritas.memory.notes.model import Draft, Trigger
from auritas.store import schema as t

AT = "2026-05-14T12:00:00.000000Z"


@pytest.fixture(autouse=True)
def _no_models(tmp_path: Path) -> Iterator[None]:
    """Nobody sits in these homes, whatever is installed on the machine."""
    before = os.environ.get("AURITAS_MODEL_DIR")
    os.environ["AURITAS_MODEL_DIR"] = str(tmp_path / "none")
    yield
    if before is None:
        del os.environ["AURITAS_MODEL_DIR"]
    else:
        os.environ["AURITAS_MODEL_DIR"] = before


def write(text: str = "GOAL: Move\x1b[2J the shop", *, pending: bool = False) -> str:
    """Put a conversation with a note into the test's own home; return the note's id."""
    with opened() as auritas:
        with auritas.store.unit() as unit:
            talk = {"conversation_id": "talk", "title": "The shop\x1b[2J", "created_at": AT, "updated_at": AT}
            unit.connection.execute(insert(t.conversations).values(talk))
            message = {"message_id": "m", "conversation_id": "talk", "role": "user", "content": "x", "created_at": AT}
            (seq,) = unit.connection.execute(insert(t.messages).values(message)).inserted_primary_key or (0,)
            draft = Draft("talk", "ada", Trigger.MESSAGES, text, 7, seq, Usage())
            note = auritas.notes.records.store(unit, draft)
        if pending:
            with auritas.store.unit() as unit:
                auritas.notes.counters.order(unit, "talk", "bob", Trigger.COVERAGE)
    assert note is not None
    return note.id


def document(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    assert run([*arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_a_new_home_has_no_note_and_says_how_to_make_one(capsys: pytest.CaptureFixture[str]):
    """Nothing is there yet, and nothing can be resumed."""
    assert run(["notes", "list"]) == 0
    assert "auritas notes make" in capsys.readouterr().out
    assert run(["notes", "show"]) == 3
    assert run(["notes", "make"]) == 3
    assert run(["recovery", "show"]) == 0
    assert run(["recovery", "make", "nobody"]) == 3


def test_notes_are_listed_and_shown_without_harm(capsys: pytest.CaptureFixture[str]):
    """Newest first, each with its trigger; what a model wrote cannot speak to the terminal."""
    note = write(pending=True)
    assert run(["notes", "list"]) == 0
    out = capsys.readouterr().out
    assert "message_count" in out
    assert "waiting, due" in out
    assert run(["notes", "show", note]) == 0
    assert "GOAL: Move the shop" in (shown := capsys.readouterr().out)
    assert "\x1b[2J" not in out + shown


def test_a_program_gets_every_field(capsys: pytest.CaptureFixture[str]):
    """With --json there is one document."""
    note = write(pending=True)
    listed = document(capsys, "notes", "list")
    assert [each["id"] for each in listed["notes"]] == [note]
    assert [(each["seat"], each["may_write"]) for each in listed["pending"]] == [("bob", False)]
    assert document(capsys, "notes", "show")["valid"] is True
    assert document(capsys, "recovery", "show") == {"recovery": []}


def test_notes_are_switched_off_and_on(capsys: pytest.CaptureFixture[str]):
    """The choice is a setting like any other, and says what it costs and where notes go."""
    assert run(["notes", "off"]) == 0
    assert "notes = off" in capsys.readouterr().out
    assert run(["notes", "on", "hourly"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "notes = hourly" in out
    assert "minutes of one core; it stays in the store" in out
    with opened() as auritas:
        assert auritas.settings.notes == "hourly"


def test_an_unknown_note_says_where_they_are_listed(capsys: pytest.CaptureFixture[str]):
    """What is not there is named."""
    assert run(["notes", "show", "nothing"]) == 3
    assert "auritas notes list" in capsys.readouterr().err
