"""Counters and notes on a real encrypted store: nothing fires twice, and nothing is lost when a process dies."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from tests.integration.app.hall import Hall
from tests.integration.store.kills import ROOT

from auritas.gateway.adapters.scripted import ScriptedModel
from auritas.kernel.canonical import canonical
from auritas.memory.notes.model import Trigger
from auritas.store import schema as t

TALK = "talk"
SEAT = "ada"
REPLY = canonical(
    {
        "goal": "Move the stock list of the bookshop",
        "decisions": ["PostgreSQL on marlin"],
        "status": "The stock list is moved",
        "active_file": "",
        "preferences": [],
        "resume": "Test the stock list",
    }
).decode()

CHILD = """
import json, os, pathlib, signal, sys
from sqlalchemy import insert
from auritas.audit.adapters.sql import SqlAuditLog
from auritas.kernel.clock import SystemClock, timestamp
from auritas.kernel.ids import TimeOrderedIds
from auritas.kernel.model import Usage
from auritas.kernel.randomness import SeededRng, SystemEntropy
from auritas.memory.adapters.counters_sql import SqlCounters
from auritas.memory.adapters.notes_sql import SqlNotes
from auritas.memory.notes.model import Draft, Portion, Trigger
from auritas.memory.notes.triggers import Rules
from auritas.store import open_store, schema as t
from auritas.store.keychain import NoKeychain

folder, seed, messages, die = pathlib.Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
store = open_store(folder, keychain=NoKeychain()).store
clock = SystemClock()
ids = TimeOrderedIds(clock, SeededRng(seed))
counters = SqlCounters(clock, ids, Rules())
notes = SqlNotes(SqlAuditLog(clock, SystemEntropy(), ids), clock, ids, counters)

def end(here):
    if die == here:
        os.kill(os.getpid(), signal.SIGKILL)

fired = []
for _ in range(messages):
    with store.unit() as unit:
        row = {"message_id": ids.new(), "conversation_id": "talk", "role": "user", "created_at": timestamp(clock.now())}
        unit.connection.execute(insert(t.messages).values(content="marlin", **row))
        trigger = counters.count(unit, "talk", {"ada": Portion(1, 1, 100000)}).get("ada")
        seen = counters.counter(unit, "talk", "ada").messages
        if trigger is not None:
            end("before the trigger is committed")
    if trigger is not None:
        fired.append([trigger, seen])
        end("after the trigger is committed")
if die != "never":
    with store.unit() as unit:
        newest = notes.turns(unit, "talk")[-1].seq
        notes.store(unit, Draft("talk", "ada", Trigger.MESSAGES, "GOAL: x", 2, newest, Usage()))
        end("before the note is committed")
    end("after the note is committed")
store.close()
print(json.dumps(fired))
"""


@pytest.fixture
def notes_hall(tmp_path, clock, ids, rng) -> Iterator[Hall]:
    found = Hall(tmp_path / "hall", clock, ids, rng)
    found.seat(ScriptedModel(SEAT, scripts=[[REPLY]]))
    with found.auritas.store.unit() as unit:
        at = {"created_at": "2026-01-01T00:00:00.000000Z", "updated_at": "2026-01-01T00:00:00.000000Z"}
        unit.connection.execute(t.conversations.insert().values(conversation_id=TALK, title="Stock list", **at))
    yield found
    found.close()


def child(hall: Hall, seed: int, messages: int, die: str = "never") -> subprocess.Popen[str]:
    command = [sys.executable, "-c", CHILD, str(hall.folder), str(seed), str(messages), die]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def said(process: subprocess.Popen[str]) -> Any:
    out, errors = process.communicate(timeout=120)
    assert (process.returncode, errors) == (0, "")
    return json.loads(out)


def test_the_thirtieth_message_fires_once_though_two_processes_count(notes_hall: Hall):
    """Two processes write at once; exactly one of them sees the trigger, at exactly the thirtieth message (M12)."""
    processes = [child(notes_hall, seed, 25) for seed in (1, 2)]
    assert [fired for process in processes for fired in said(process)] == [[Trigger.MESSAGES, 30]]
    (row,) = notes_hall.rows(t.token_counters)
    assert (row.message_count, row.pending) == (50, Trigger.MESSAGES)


@pytest.mark.parametrize(
    ("die", "messages", "pending", "notes"),
    [
        ("before the trigger is committed", 29, None, 0),
        ("after the trigger is committed", 30, Trigger.MESSAGES, 0),
        ("before the note is committed", 30, Trigger.MESSAGES, 0),
        ("after the note is committed", 30, None, 1),
    ],
)
def test_a_kill_loses_no_note_and_no_trigger(
    notes_hall: Hall, die: str, messages: int, pending: Trigger | None, notes: int
):
    """Wherever a process is killed, message, trigger and note stand or fall together (M11)."""
    process = child(notes_hall, 1, 30, die)
    process.communicate(timeout=120)
    assert process.returncode == -signal.SIGKILL
    assert len(notes_hall.rows(t.messages)) == messages
    (row,) = notes_hall.rows(t.token_counters)
    assert (row.pending, len(notes_hall.rows(t.context_backups))) == (pending, notes)
    assert row.message_count == (0 if notes else messages)
    assert notes_hall.intact


@pytest.mark.anyio
async def test_a_pending_note_is_written_at_the_next_start(notes_hall: Hall):
    """What a killed process left behind is taken up by the next one (M11)."""
    child(notes_hall, 1, 30, "after the trigger is committed").communicate(timeout=120)
    notes_hall.clock.advance(400 * 86_400)  # the child's clock was the machine's
    (note,) = await notes_hall.auritas.notes.run_due()
    assert (note.trigger, note.covers_seq, note.seat) == (Trigger.MESSAGES, notes_hall.rows(t.messages)[-1].seq, SEAT)
    assert notes_hall.rows(t.token_counters)[0].pending is None
