"""A person need not wait for the last member: the question ends with what was answered by then."""

import asyncio
from collections.abc import Callable

import pytest
from tests.integration.app.hall import kind_of, lines, voice
from tests.integration.server.serving import hanging

from auritas.app.runs import Frame
from auritas.gateway.adapters.scripted import Hang, ScriptedModel
from auritas.kernel.answers import AskResult
from auritas.kernel.events import AnswerDone, AskFinished
from auritas.kernel.model import ModelCard, Prompt
from auritas.store import schema as t

pytestmark = pytest.mark.anyio


async def begun(served, level: str = "high") -> str:
    run = await served.post("/api/v1/runs", {"text": "Is it so?", "level": level}, 201)
    return str(run["id"])


async def until(served, run_id: str, there: Callable[[Frame], bool], count: int) -> None:
    reader, held = served.desk.join(run_id), served.desk.get(run_id)
    try:
        while sum(map(there, held.frames)) < count:
            await reader.wait(30)
    finally:
        served.desk.leave(reader)


def answered(frame: Frame) -> bool:
    return isinstance(frame.event, AnswerDone)


async def result_of(served, run_id: str) -> AskResult:
    (last,) = [f.event for f in await served.ended(run_id) if isinstance(f.event, AskFinished)]
    return last.result


async def concluded(served, run_id: str) -> AskResult:
    await served.post(f"/api/v1/runs/{run_id}/conclude", status=204)
    return await result_of(served, run_id)


@pytest.mark.parametrize("level", ["balanced", "high", "maximum"])
async def test_a_question_ends_with_what_was_answered_by_now(served, level):
    """Who hangs is let go and counts for nothing; the others decide, and all of it is recorded (W9)."""
    served.hall.seat(voice("ash", "yes"), 19)
    cedar = served.hall.seat(hanging("cedar"), 18)
    run_id = await begun(served, level)
    await until(served, run_id, answered, 1)
    result = await concluded(served, run_id)
    winner = result.decision.winner
    assert winner is not None
    assert (winner.text, winner.supporters) == ("yes", ("ash",))
    (left,) = [answer for answer in result.answers if answer.seat.name == "cedar"]
    assert left.abstained
    assert left.failure is not None
    assert left.failure.code == "not_awaited"
    assert (cedar.running, cedar.closed) == (0, 1)
    (query,) = served.hall.rows(t.queries)
    assert query.status == "finished"
    assert served.hall.intact


async def test_a_review_is_not_waited_for_either(served):
    """Called while a reviewer reads, the answer stands as it was chosen, and says that nobody reviewed it (W9)."""
    reading = asyncio.Event()

    def reply(prompt: Prompt):
        if kind_of(prompt) == "answer":
            return [lines("no")]
        reading.set()
        return [Hang()]

    served.hall.seat(voice("ash", "yes"), 19)
    base = ModelCard("birch", "scripted", local=True, digest="scripted:birch")
    served.hall.seat(ScriptedModel("birch", reply=reply, base=base), 12)
    run_id = await begun(served)
    await asyncio.wait_for(reading.wait(), 30)
    result = await concluded(served, run_id)
    assert result.decision.shown_seat == "ash"
    assert result.reviews == ()
    assert any("did not want to wait" in notice for notice in result.notices)


async def test_without_any_answer_a_question_cannot_be_concluded(served):
    """While nobody has answered it is refused in words, and the question goes on (W9)."""
    served.hall.seat(hanging("cedar"), 18)
    run_id = await begun(served)
    assert await served.refused("POST", f"/api/v1/runs/{run_id}/conclude", status=409) == "nobody_answered"
    assert served.desk.get(run_id).running
    await served.send("DELETE", f"/api/v1/runs/{run_id}", status=204)
    await served.ended(run_id)


async def test_what_is_over_or_no_question_stays_as_it_is(served):
    """Concluding twice changes nothing, other work is refused, and there is no run of a made-up id (W9)."""
    served.hall.seat(voice("ash", "yes"), 19)
    run_id = await begun(served)
    frames = len(await served.ended(run_id))
    await served.post(f"/api/v1/runs/{run_id}/conclude", status=204)
    assert len(served.desk.get(run_id).frames) == frames
    held = asyncio.Event()

    async def work():
        await held.wait()
        return
        yield

    other = served.desk.start("backup", "", work)
    assert await served.refused("POST", f"/api/v1/runs/{other.id}/conclude", status=422) == "usage"
    held.set()
    assert await served.refused("POST", "/api/v1/runs/nothing/conclude") == "no_run"


async def test_the_next_question_asks_everybody_again(served):
    """Not having been waited for is no failure of a member: it is asked the next time (W9)."""
    served.hall.seat(voice("ash", "yes"), 19)
    served.hall.seat(ScriptedModel("cedar", scripts=([Hang()], [lines("yes")])), 18)
    first = await begun(served)
    await until(served, first, answered, 1)
    await concluded(served, first)
    second = await begun(served)
    result = await result_of(served, second)
    assert {answer.seat.name for answer in result.answers if answer.votes} == {"ash", "cedar"}
