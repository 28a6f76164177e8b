"""What was deleted stays in no run: neither in memory nor on its way to a page."""

import asyncio

import pytest
from tests.integration.app.hall import voice
from tests.integration.server.serving import hanging

from auritas.app.runs import RunForgotten, RunState
from auritas.kernel.events import AnswerDone, Notice
from auritas.kernel.tasks import TaskSpawner
from auritas.server.following import Following

pytestmark = pytest.mark.anyio


async def asked(served, text: str = "Is it so?") -> str:
    run = await served.post("/api/v1/runs", {"text": text, "level": "fast"}, 201)
    await served.ended(run["id"])
    return str(run["id"])


async def until_gone(served, run_id: str) -> None:
    reader = served.desk.join()
    try:
        while any(run.id == run_id for run in served.desk.runs()):
            await reader.wait(30)
    finally:
        served.desk.leave(reader)


async def test_the_runs_of_a_deleted_conversation_go_with_it(served):
    """Once a conversation is deleted its run is nowhere, whoever follows is told, and others stay (F13)."""
    served.hall.seat(voice("ash", "yes"))
    run_id, other = await asked(served), await asked(served, "Is it really so?")
    conversation, reader = served.desk.get(run_id).conversation_id, served.desk.join()
    await served.send("DELETE", f"/api/v1/conversations/{conversation}")
    await until_gone(served, run_id)
    assert [f.run for f in reader.take() if isinstance(f.event, RunForgotten)] == [run_id]
    assert await served.refused("GET", f"/api/v1/runs/{run_id}") == "no_run"
    assert (await served.get(f"/api/v1/runs/{other}"))["state"] == "done"


async def test_a_run_in_a_conversation_that_is_deleted_is_stopped(served):
    """What is being answered there ends, and nothing that it said is kept (F13)."""
    served.hall.seat(voice("ash", "yes"))
    conversation = served.desk.get(await asked(served)).conversation_id
    served.hall.seat(hanging("birch"))
    run = await served.post("/api/v1/runs", {"text": "And now?", "conversation_id": conversation}, 201)
    held = served.desk.get(run["id"])
    await served.send("DELETE", f"/api/v1/conversations/{conversation}")
    await until_gone(served, run["id"])
    reader = served.desk.join()
    while held.running:
        await reader.wait(30)
    assert held.frames == []


async def test_what_is_erased_from_memory_stays_in_no_run(served):
    """Erasing a correction takes the runs that may repeat its words with it (F13)."""
    served.hall.seat(voice("ash", "yes"))
    run_id = await asked(served, "Always answer in metric units.")
    (item,) = (await served.get("/api/v1/memory"))["items"]
    await served.send("DELETE", f"/api/v1/memory/{item.get('id') or item['correction']['id']}")
    await until_gone(served, run_id)
    assert await served.refused("GET", f"/api/v1/runs/{run_id}") == "no_run"


async def test_what_was_answered_already_is_no_trouble_where_the_conversation_is_deleted(served):
    """A run is stopped, not failed, although a member had answered that nobody may keep any more (F13)."""
    served.hall.seat(voice("ash", "yes"))
    served.hall.seat(hanging("birch"))
    held = served.desk.get((await served.post("/api/v1/runs", {"text": "Is it so?"}, 201))["id"])
    reader = served.desk.join()
    while not any(isinstance(frame.event, AnswerDone) for frame in held.frames):
        await reader.wait(30)
    await served.send("DELETE", f"/api/v1/conversations/{held.conversation_id}")
    while held.running:
        await reader.wait(30)
    served.desk.leave(reader)
    assert held.state is RunState.STOPPED
    assert served.hall.intact


async def test_whoever_awaits_an_answer_gets_it_although_something_is_erased_meanwhile(served):
    """A request of a program is answered in full while memory is erased, and then the run is gone (F13)."""
    desk, gate = served.desk, asyncio.Event()

    async def work():
        yield Notice("first", "Said before.")
        await gate.wait()
        yield Notice("last", "Said at the end.")

    following = Following(desk, desk.start("ask", "Is it so?", work), served.hall.clock)
    awaited = TaskSpawner().spawn("following", following.end())
    reader = desk.join()
    await reader.wait(30)
    served.hall.auritas.partings.words()
    await asyncio.sleep(0)  # the desk hears of it in its loop
    gate.set()
    assert [each.text for each in (await awaited).notices] == ["Said before.", "Said at the end."]
    assert desk.runs() == ()
    desk.leave(reader)
