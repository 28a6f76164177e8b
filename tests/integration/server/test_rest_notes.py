"""Hand-off notes and recovery prompts over HTTP."""

import json

import pytest
from tests.integration.app.hall import Hall, lines
from tests.integration.server.desk import served

from auritas.app.access import Scope
from auritas.gateway.adapters.scripted import ScriptedModel
from auritas.kernel.answers import AccuracyLevel
from auritas.kernel.model import ModelCard

pytestmark = pytest.mark.anyio
NOTES, RECOVERY = "/api/v1/notes", "/api/v1/recovery"
NOTE = {"goal": "Plan the concert", "decisions": [], "status": "", "active_file": "", "preferences": [], "resume": ""}
TRAJECTORY = {"trajectory": "The user plans the concert."}


def writer(name: str) -> ScriptedModel:
    """Return a model that answers questions, and writes notes and recovery prompts."""

    def reply(prompt):
        said = "\n".join(message.content for message in prompt.messages)
        if "DOMAINS:" in said:
            return [lines("yes")]
        return [json.dumps(TRAJECTORY if "trajectory" in said else NOTE)]

    return ScriptedModel(name, reply=reply, base=ModelCard(name, "scripted", local=True, digest=f"scripted:{name}"))


@pytest.fixture
async def web(hall: Hall):
    hall.seat(writer("ada"))
    async with served(hall) as found:
        yield found


async def test_a_note_is_made_as_a_run_and_read(web):
    """A model writes for as long as it takes; then its note is listed and shown (W9)."""
    held = await web.hall.ask("Shall we plan the concert?", AccuracyLevel.FAST)
    assert await web.get(NOTES) == {"items": [], "next": None}
    run = await web.post(NOTES, {"conversation_id": held.conversation_id, "seat": "ada"}, 201)
    frames = await web.ended(run["id"])
    assert frames[-1].event.state == "done", frames[-1].event
    page = await web.get(NOTES, conversation_id=held.conversation_id)
    note = page["items"][0]["note"]
    assert (note["seat"], note["trigger"], page["items"][0]["valid"]) == ("ada", "manual", True)
    assert (await web.get(f"{NOTES}/{note['id']}"))["note"]["text"] == note["text"] != ""
    assert await web.get(f"{NOTES}/pending") == []


async def test_notes_go_on_page_by_page(web):
    """Each note is on one page, newest first (W9)."""
    made = []
    for text in ("Shall we plan the concert?", "When is the concert?", "Plan a concert?"):
        held = await web.hall.ask(text, AccuracyLevel.FAST)
        run = await web.post(NOTES, {"conversation_id": held.conversation_id}, 201)
        await web.ended(run["id"])
        made.append(held.conversation_id)
    page = await web.get(NOTES, limit=2)
    rest = await web.get(NOTES, limit=2, before=page["next"])
    found = [each["note"]["conversation_id"] for each in page["items"] + rest["items"]]
    assert (found, rest["next"]) == (made[::-1], None)
    assert await web.refused("GET", NOTES, before="gone") == "no_such_note"


async def test_a_note_that_cannot_be_made_ends_its_run_with_the_reason(web):
    """A seat that is not there, or nothing to write about, is told by the run (W9)."""
    held = await web.hall.ask("Shall we?", AccuracyLevel.FAST)
    for body, code in (
        ({"conversation_id": held.conversation_id, "seat": "zed"}, "no_such_seat"),
        ({"conversation_id": "nowhere", "seat": "ada"}, "not_found"),
    ):
        frames = await web.ended((await web.post(NOTES, body, 201))["id"])
        assert (frames[-1].event.state, frames[-1].event.problem.code) == ("failed", code)
    assert await web.refused("GET", f"{NOTES}/nowhere") == "no_such_note"


async def test_a_recovery_prompt_is_made_and_shown(web):
    """What a model is told of the person stands there to be read (W9)."""
    await web.hall.ask("Shall we plan the concert?", AccuracyLevel.FAST)
    assert [(each["seat"], each["prompt"]) for each in await web.get(RECOVERY)] == [("ada", None)]
    frames = await web.ended((await web.post(f"{RECOVERY}/ada", None, 201))["id"])
    assert frames[-1].event.state == "done", frames[-1].event
    assert "plans the concert" in (await web.get(f"{RECOVERY}/ada"))["prompt"]["text"]
    assert await web.refused("GET", f"{RECOVERY}/zed") == "no_such_seat"
    frames = await web.ended((await web.post(f"{RECOVERY}/zed", None, 201))["id"])
    assert frames[-1].event.problem.code == "no_such_seat"


async def test_notes_need_the_scope_query(web):
    """Without the scope no note is read or made (W1)."""
    web.as_(Scope.STATUS)
    for path in (NOTES, f"{NOTES}/pending", f"{NOTES}/x", RECOVERY, f"{RECOVERY}/ada"):
        assert await web.refused("GET", path, None, 403) == "forbidden"
    assert await web.refused("POST", f"{RECOVERY}/ada", None, 403) == "forbidden"
