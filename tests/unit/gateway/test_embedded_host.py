"""The host of embedded models: one queue, lazy loading, a memory budget, and work that really stops."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import repeat

import pytest
from tests.unit.gateway.engine_kit import HELLO, Desk, ending, model, reading, token

from auritas.gateway.adapters.embedded import ModelHost
from auritas.gateway.adapters.engine_queue import HostClosedError, NoMemoryError
from auritas.gateway.adapters.engine_reply import EngineError, PromptTooLongError
from auritas.gateway.embedded_prompt import ballot_prompt, member_prompt
from auritas.gateway.quoting import Material
from auritas.kernel.model import Finished, FinishReason, Message, Params, Part, Prefill, Role, Text
from auritas.kernel.ports import ModelPort
from auritas.kernel.tasks import TaskSpawner

pytestmark = pytest.mark.anyio


@contextmanager
def hosting(desk: Desk, *, cores: int = 2, memory_mib: int = 1000) -> Iterator[ModelHost]:
    host = desk.host(cores=cores, memory_mib=memory_mib)
    try:
        yield host
    finally:
        desk.gate.set()
        host.close()


async def reply(port: ModelPort, params: Params | None = None) -> list[Part]:
    return [part async for part in port.answer(HELLO, params or Params())]


def finish(parts: list[Part]) -> Finished:
    assert isinstance(parts[-1], Finished)
    return parts[-1]


async def until_quiet(desk: Desk) -> None:
    assert await asyncio.to_thread(desk.quiet.wait, 10)


async def test_a_reply_streams_prefill_text_and_an_end():
    """Reading progress, pieces of text in order, and one end with counts and provenance."""
    with hosting(Desk()) as host:
        parts = await reply(model(host), Params(seed=7))
    assert parts[:4] == [Prefill(0, 5), Prefill(5, 5), Text("Hel"), Text("lo.")]
    end = finish(parts)
    assert (end.reason, end.usage.tokens_in, end.usage.tokens_out) == (FinishReason.STOP, 5, 2)
    assert end.usage.first_token_ms is not None
    assert end.usage.first_token_ms <= end.usage.total_ms
    assert (end.provenance.engine, end.provenance.model_digest, end.provenance.seed) == ("scripted 1", "digest-a", 7)


async def test_a_model_is_loaded_once_and_only_when_asked():
    """Making a port loads nothing; two questions load the model once."""
    desk = Desk()
    with hosting(desk) as host:
        port = model(host)
        assert desk.loaded == []
        await reply(port)
        await reply(port)
        assert desk.loaded == ["a"]
        assert host.loaded == ("a",)


async def test_one_model_answers_one_question_at_a_time():
    """Several questions to one model wait in our queue, never inside the engine."""
    desk = Desk()
    with hosting(desk, cores=4) as host:
        port, spawner = model(host), TaskSpawner()
        for task in [spawner.spawn("ask", reply(port)) for _ in range(6)]:
            assert finish(await task).reason is FinishReason.STOP
    assert not desk.twice_on_one


async def test_generations_are_as_wide_as_the_cores():
    """With two cores and one thread each, three models never compute all at once."""
    desk = Desk()
    with hosting(desk, cores=2) as host:
        spawner = TaskSpawner()
        tasks = [spawner.spawn("ask", reply(model(host, name))) for name in "abcabc"]
        for task in tasks:
            await task
    assert desk.most_at_once <= 2


async def test_the_least_recently_used_model_makes_room():
    """When a third model would pass the memory budget, the one that was not used for longest is closed."""
    desk = Desk()
    with hosting(desk, memory_mib=250) as host:
        for name in "abac":
            await reply(model(host, name))
        assert desk.closed == ["b"]
        assert host.loaded == ("a", "c")


async def test_a_model_larger_than_the_budget_is_refused():
    """A model that can never fit is refused with both numbers, instead of filling the memory."""
    with hosting(Desk(), memory_mib=250) as host, pytest.raises(NoMemoryError, match=r"300 MiB .* 250 MiB"):
        await reply(model(host, "big", memory_mib=300))


async def test_a_model_waits_while_the_others_are_busy_and_fill_the_memory():
    """Nothing is unloaded under a running generation: the newcomer waits until there is room."""
    desk = Desk()
    desk.gate.clear()
    with hosting(desk, memory_mib=150) as host:
        spawner = TaskSpawner()
        first = spawner.spawn("first", reply(model(host, "a")))
        while desk.running != ["a"]:
            await asyncio.to_thread(desk.gate.wait, 0.01)
        second = spawner.spawn("second", reply(model(host, "b")))
        await asyncio.to_thread(desk.gate.wait, 0.05)
        assert desk.loaded == ["a"]
        desk.gate.set()
        await first
        await second
        assert desk.closed == ["a"]


async def test_models_that_load_at_the_same_time_share_the_memory():
    """A model that is still loading counts, and one in memory that is idle gives way to it: the budget always holds."""
    desk = Desk()
    with hosting(desk, cores=3, memory_mib=250) as host:
        await reply(model(host, "c"))
        spawner = TaskSpawner()
        tasks = [spawner.spawn("ask", reply(model(host, name))) for name in "abdeabcabde"]
        for task in tasks:
            await task
        assert desk.most_at_once <= 2
        assert len(host.loaded) <= 2


async def test_our_prompts_are_begun_with_the_part_that_never_changes():
    """What may be kept on disk is a constant of the program: no word of the question, the history or the notes."""
    desk = Desk()
    history = (Message(Role.USER, "heron"), Message(Role.ASSISTANT, "heron"))
    with hosting(desk) as host:
        port = model(host)
        for prompt in (
            member_prompt("heron?", history, Material(remembered=["heron"], note="heron")),
            ballot_prompt("heron", "heron"),
            HELLO,
        ):
            assert [part async for part in port.answer(prompt, Params())]
    assert len(desk.prepared) == 2
    assert "heron" not in json.dumps(desk.prepared)
    assert all(body["max_tokens"] == 1 for body in desk.prepared)


async def test_closing_the_stream_stops_the_engine():
    """Whoever stops listening stops the work within one chunk."""
    desk = Desk(script=repeat(token("x")), hold_after=3)
    with hosting(desk) as host:
        parts = model(host).answer(HELLO, Params())
        assert await anext(parts) == Text("x")
        assert await asyncio.to_thread(desk.held.wait, 10)
        await parts.aclose()
        desk.gate.set()
        await until_quiet(desk)
    assert desk.sent == 3


async def test_cancelling_while_the_prompt_is_read_stops_the_engine():
    """A cancelled task stops the work between two batches of the prompt."""
    desk = Desk(script=repeat(reading(64, 64_000)), hold_after=3)
    with hosting(desk) as host:
        task = TaskSpawner().spawn("ask", reply(model(host)))
        assert await asyncio.to_thread(desk.held.wait, 10)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        desk.gate.set()
        await until_quiet(desk)
    assert desk.sent == 3


async def test_the_deadline_ends_the_reply_and_the_work():
    """After the deadline the last part says so, with what was read and written until then."""
    desk = Desk(script=[reading(0, 9), token("x"), token("y"), ending()], hold_after=2)
    with hosting(desk) as host:
        rest = await reply(model(host), Params(deadline_s=0.2))
        desk.gate.set()
        await until_quiet(desk)
    assert desk.sent == 2
    assert finish(rest).reason is FinishReason.DEADLINE
    assert finish(rest).usage.tokens_in == 9


async def test_the_deadline_counts_while_waiting_for_a_turn():
    """A question that never got its turn ends by its deadline and is taken out of the queue."""
    desk = Desk()
    desk.gate.clear()
    with hosting(desk, cores=1) as host:
        first = TaskSpawner().spawn("first", reply(model(host, "a")))
        while not desk.running:
            await asyncio.to_thread(desk.gate.wait, 0.01)
        late = await reply(model(host, "b"), Params(deadline_s=0.05))
        assert finish(late).reason is FinishReason.DEADLINE
        assert host.queue.busy == 1
        desk.gate.set()
        await first
    assert desk.loaded == ["a"]


async def test_a_cut_reply_says_so():
    """A reply that ran into the token limit ends with the reason length."""
    with hosting(Desk(script=[token("x"), ending("length")])) as host:
        assert finish(await reply(model(host))).reason is FinishReason.LENGTH


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        ({"type": "exceed_context_size_error", "n_prompt_tokens": 9000, "n_ctx": 4096}, PromptTooLongError),
        ({"message": "it broke"}, EngineError),
        ("it broke", EngineError),
    ],
)
async def test_errors_of_the_engine_become_ours(error: object, kind: type[Exception]):
    """What the engine reports as a value is raised as an error with a sentence, and the next question is answered."""
    desk = Desk(script=[{"error": error}])
    with hosting(desk) as host:
        with pytest.raises(kind):
            await reply(model(host))
        desk.script = [ending()]
        assert finish(await reply(model(host))).reason is FinishReason.STOP


async def test_a_surprise_in_a_chunk_reaches_the_caller_and_not_the_engine():
    """Even a chunk that makes no sense raises nothing in the engine's thread."""
    desk = Desk(script=[{"timings": {"nonsense": 1}}, token("x")])
    with hosting(desk) as host:
        with pytest.raises(KeyError):
            await reply(model(host))
        assert desk.sent == 0


async def test_a_model_that_cannot_be_loaded_is_tried_again():
    """A failure to load reaches the caller and leaves nothing behind."""
    desk = Desk(fails=MemoryError("no room"))
    with hosting(desk) as host:
        with pytest.raises(MemoryError):
            await reply(model(host))
        desk.fails = None
        assert finish(await reply(model(host))).reason is FinishReason.STOP


async def test_closing_the_host_stops_everything():
    """Close ends running and waiting work, frees the models and refuses new questions; twice is harmless."""
    desk = Desk(script=repeat(token("x")), hold_after=1)
    with hosting(desk, cores=1) as host:
        spawner = TaskSpawner()
        running = model(host, "a").answer(HELLO, Params())
        await anext(running)
        waiting = spawner.spawn("waiting", reply(model(host, "b")))
        while host.queue.busy < 2:
            await asyncio.to_thread(desk.gate.wait, 0.01)
        desk.gate.set()
        await asyncio.to_thread(host.close)
        with pytest.raises(HostClosedError):
            await waiting
        with pytest.raises(HostClosedError):
            await reply(model(host))
        host.close()
        await running.aclose()
    assert (desk.running, desk.closed) == ([], ["a"])


async def test_unloading_frees_a_model():
    """Before its file is removed a model leaves the memory; it is loaded again when asked."""
    desk = Desk()
    with hosting(desk) as host:
        await reply(model(host))
        host.unload("a")
        host.unload("never loaded")
        assert (host.loaded, desk.closed) == ((), ["a"])
        await reply(model(host))
    assert desk.loaded == ["a", "a"]
