"""Memory steered from an answer, over the whole program: left out here, told in the reasons, copied and kept."""

import json

import pytest
from sqlalchemy import func, select
from tests.integration.app.hall import Hall, voice

from auritas.app.remembering import Telling
from auritas.kernel.memory import Correction, UseReason
from auritas.store import schema as t

pytestmark = pytest.mark.anyio
QUESTION = "How far is it to Bern?"


@pytest.fixture
def seated(hall: Hall) -> Hall:
    hall.seat(voice("ada", "40"))
    return hall


def add(hall: Hall, claim: str, **more: object) -> Correction:
    hall.clock.advance(1)
    return hall.auritas.memory.add(claim, Telling(**more)).correction  # type: ignore[arg-type]


def reason(hall: Hall, query_id: str, correction_id: str) -> UseReason:
    (found,) = hall.auritas.memory.why_of(query_id, correction_id).reasons
    return found.weighed.reason


def left_out(hall: Hall, conversation_id: str) -> list[str]:
    return [each.claim for each in hall.auritas.steering.left_out(conversation_id)]


async def test_a_pinned_one_is_left_out_here_and_nowhere_else(seated):
    """Left out of a conversation it enters none of its prompts, the reasons say why; elsewhere it enters (M5)."""
    one = add(seated, "Use metric units", pinned=True)
    first = await seated.ask(QUESTION)
    assert reason(seated, first.query_id, one.id) is UseReason.PINNED
    desk = seated.auritas.steering
    act = desk.leave_out(one.id, first.conversation_id).act_id
    assert left_out(seated, first.conversation_id) == ["Use metric units"]
    here = await seated.ask("And to Basel?", conversation_id=first.conversation_id)
    assert reason(seated, here.query_id, one.id) is UseReason.LEFT_OUT
    (trace,) = seated.rows(t.traces, t.traces.c.query_id == here.query_id)
    assert "left out here, because you asked for it" in trace.document
    elsewhere = await seated.ask(QUESTION)
    assert reason(seated, elsewhere.query_id, one.id) is UseReason.PINNED
    seated.auritas.memory.undo(act)
    again = await seated.ask("And to Biel?", conversation_id=first.conversation_id)
    assert reason(seated, again.query_id, one.id) is UseReason.PINNED
    assert seated.intact


async def test_a_branch_leaves_out_what_its_origin_leaves_out(seated):
    """What was left out before a branch began is left out of it, too; later decisions are its own (W1)."""
    one = add(seated, "Use metric units")
    talk = (await seated.ask(QUESTION)).conversation_id
    desk, conversations = seated.auritas.steering, seated.auritas.conversations
    desk.leave_out(one.id, talk)
    branch = conversations.branch(talk).conversation.id
    assert left_out(seated, branch) == ["Use metric units"]
    desk.leave_out(one.id, branch, out=False)
    assert (left_out(seated, branch), left_out(seated, talk)) == ([], ["Use metric units"])


async def test_an_export_keeps_what_is_left_out_where_the_conversation_is(seated, tmp_path):
    """Written out, erased and read in again, a correction is left out of the same conversation (M5)."""
    one = add(seated, "Use metric units")
    talk = (await seated.ask(QUESTION)).conversation_id
    seated.auritas.steering.leave_out(one.id, talk)
    document = seated.auritas.memory_files.document()
    assert document["corrections"][0]["left_out_of"] == [talk]
    document["corrections"][0]["left_out_of"].append("elsewhere")
    file = tmp_path / "memory.json"
    file.write_text(json.dumps(document))
    seated.auritas.memory.erase(one.id)
    assert seated.auritas.memory_files.read_in(file).added == 1
    assert left_out(seated, talk) == ["Use metric units"]


def test_a_preview_keeps_nothing(hall):
    """How words read is told with what they would replace, and no row or entry comes of it (M4)."""
    old = add(hall, "Use metric units")

    def size() -> list[int]:
        with hall.auritas.store.read() as unit:
            tables = (t.corrections, t.correction_events, t.audit_log)
            return [unit.connection.execute(select(func.count()).select_from(each)).scalar_one() for each in tables]

    before = size()
    foreseen = hall.auritas.memory.foresee("Use imperial units, except for screens", Telling())
    assert (foreseen.type, foreseen.condition) == (old.type, "except for screens")
    assert [each.id for each in hall.auritas.memory.foresee("Use imperial units", Telling()).replaces] == [old.id]
    assert hall.auritas.memory.foresee("Use metric units", Telling()).already
    assert size() == before
