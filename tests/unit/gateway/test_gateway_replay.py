"""Cassettes and tables of recorded answers."""

import json
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.gateway.doubles import WHY, ask, heard

from auritas.gateway.adapters.replay import PLAINTEXT, Cassette, RecordingModel, TableModel, load
from auritas.gateway.adapters.schema import JsonSchemaCheck
from auritas.gateway.adapters.scripted import Hang, Script, ScriptedModel
from auritas.gateway.errors import CassetteMismatch, FailureKind, ProviderFailed
from auritas.gateway.service import Gateway
from auritas.kernel.clock import ManualClock
from auritas.kernel.errors import AuritasError, UnavailableError, UsageError
from auritas.kernel.model import (
    Finished,
    FinishReason,
    ModelCard,
    Params,
    Part,
    Prefill,
    Price,
    Prompt,
    Provenance,
    Text,
    Usage,
)
from auritas.kernel.ports import ModelPort
from auritas.kernel.randomness import SeededRng

T = TypeVar("T")

finite = st.floats(allow_nan=False, allow_infinity=False)
PARTS = st.lists(
    st.one_of(
        st.builds(Text, st.text(st.characters())),
        st.builds(Prefill, st.integers(0, 10**6), st.integers(0, 10**6)),
        st.builds(
            Finished,
            st.sampled_from(list(FinishReason)),
            st.builds(Usage, st.integers(0), st.integers(0), st.integers(0), st.none() | finite, finite),
            st.builds(Provenance, st.text(), st.text(), st.none() | st.integers(), finite, st.text()),
            st.none() | finite,
        ),
    ),
    max_size=6,
)


async def everything(model: ModelPort, prompt: Prompt, params: Params) -> list[Part | tuple[str, str]]:
    found: list[Part | tuple[str, str]] = []
    try:
        async for part in model.answer(prompt, params):
            found.append(part)  # noqa: PERF401  what came before an error must be kept
    except AuritasError as error:
        found.append((error.code, error.message))
    return found


@pytest.mark.anyio
async def test_a_cassette_replays_byte_for_byte(tmp_path: Path):
    """Playing a cassette while recording it gives the same file, errors and repeated questions included (F18)."""
    scripts: list[Script] = [
        ["Can", Prefill(3, 7), "berra"],
        ["Sydney?"],
        [ProviderFailed("busy", kind=FailureKind.LIMITED, retry_after=2.5)],
    ]
    original = ScriptedModel("m", scripts, base=ModelCard("m", "p", local=False, price=Price(3, 4), grammar=True))
    questions = [ask(), ask(), ask(), ask("東京 \ud800 🦘")]
    first = Cassette(tmp_path / "first.jsonl")
    told = [await everything(RecordingModel(original, first), q, Params(schema={"type": "object"})) for q in questions]
    second = Cassette(tmp_path / "second.jsonl")
    replayed = RecordingModel(load(first.path)["m"], second)
    again = [await everything(replayed, q, Params(schema={"type": "object"})) for q in questions]
    assert again == told
    assert second.path.read_bytes() == first.path.read_bytes()
    assert replayed.card == original.card


@given(st.lists(st.tuples(st.text(), PARTS), max_size=4))
def test_any_run_comes_back_exactly(tmp_path_factory: pytest.TempPathFactory, calls: list[tuple[str, list[Part]]]):
    """Every text, number and order survives the file (F18)."""
    folder = tmp_path_factory.mktemp("cassette")
    first, second = Cassette(folder / "a"), Cassette(folder / "b")
    card = ModelCard("m", "p", local=True)
    for question, parts in calls:
        first.record(card, ask(question), Params(), parts, None)
    models = load(first.path)
    for question, parts in calls:
        assert run(everything(models["m"], ask(question), Params())) == parts
        second.record(card, ask(question), Params(), parts, None)
    assert first.path.read_bytes() == second.path.read_bytes()


def run(work: Coroutine[Any, Any, T]) -> T:
    """Drive a coroutine that never waits."""
    try:
        work.send(None)
    except StopIteration as end:
        value: T = end.value
        return value
    msg = "a replay waits for nothing"
    raise AssertionError(msg)


@pytest.mark.anyio
async def test_a_recorded_failure_is_retried_as_it_was(tmp_path: Path):
    """Through the gateway a replay takes the same way: fail, retry, answer (F18)."""
    busy = ProviderFailed("busy", kind=FailureKind.SERVER)
    cassette = Cassette(tmp_path / "run.jsonl")
    recorded = RecordingModel(ScriptedModel("m", [[busy], ["Canberra"]]), cassette)
    for model in (recorded, load(cassette.path).get("m")):
        current = model or load(cassette.path)["m"]
        asked = Gateway({"m": current}, clock=ManualClock(), rng=SeededRng(1), check=JsonSchemaCheck())
        assert (await heard(asked.answer("m", ask(), Params(), WHY))).text == "Canberra"
        assert asked.degraded() == ()


@pytest.mark.anyio
async def test_a_recorded_refusal_keeps_its_code(tmp_path: Path):
    """What was an error of another kind is played back with its code and remedy."""
    cassette = Cassette(tmp_path / "run.jsonl")
    refused = RecordingModel(ScriptedModel("m", [[UsageError("no", remedy="try this")]]), cassette)
    with pytest.raises(UsageError):
        await heard(refused.answer(ask(), Params()))
    with pytest.raises(UnavailableError, match="no try this") as caught:
        await heard(load(cassette.path)["m"].answer(ask(), Params()))
    assert caught.value.code == "usage"


def test_a_cassette_says_that_it_is_plain(tmp_path: Path):
    """The warning stands in the file's first line and on the object, and the file is the owner's alone (F17)."""
    cassette = Cassette(tmp_path / "run.jsonl")
    assert json.loads(cassette.path.read_text())["warning"] == PLAINTEXT == cassette.warning
    assert cassette.path.stat().st_mode & 0o077 == 0


def test_a_cassette_never_overwrites(tmp_path: Path):
    """An existing file is left as it is."""
    (tmp_path / "run.jsonl").write_text("mine")
    with pytest.raises(UsageError):
        Cassette(tmp_path / "run.jsonl")
    assert (tmp_path / "run.jsonl").read_text() == "mine"


@pytest.mark.parametrize(
    "text", ["", "{}", "hello", '{"format": "auritas-cassette", "version": 9}', '[1]\n{"card": 3}']
)
def test_another_file_is_no_cassette(tmp_path: Path, text: str):
    """A wrong file is named as such."""
    path = tmp_path / "x"
    path.write_text(text)
    with pytest.raises(UsageError, match="not a cassette"):
        load(path)
    with pytest.raises(UsageError, match="cannot be read"):
        load(tmp_path / "missing")


@pytest.mark.anyio
async def test_a_question_that_was_not_recorded_is_told(tmp_path: Path):
    """A replay never invents: another question, or a third time, is an error."""
    cassette = Cassette(tmp_path / "run.jsonl")
    await heard(RecordingModel(ScriptedModel("m", [["yes"]]), cassette).answer(ask(), Params()))
    model = load(cassette.path)["m"]
    with pytest.raises(CassetteMismatch):
        await heard(model.answer(ask("another"), Params()))
    assert (await heard(model.answer(ask(), Params(deadline_s=3)))).text == "yes"
    with pytest.raises(CassetteMismatch):
        await heard(model.answer(ask(), Params()))


@pytest.mark.anyio
async def test_a_call_that_was_closed_early_is_not_recorded(tmp_path: Path):
    """Half a call cannot be replayed."""
    cassette = Cassette(tmp_path / "run.jsonl")
    stream = RecordingModel(ScriptedModel("m", [["Can", Hang()]]), cassette).answer(ask(), Params())
    await anext(stream)
    await stream.aclose()
    assert len(cassette.path.read_text().splitlines()) == 1


@pytest.mark.anyio
async def test_a_table_answers_by_question_and_by_id():
    """Null is silence, a missing answer is an error, and the row is found by its text or its id."""
    rows: list[dict[str, Any]] = [
        {"id": "7", "question": "2+2?", "answers": {"a": "4", "b": None}},
        {"id": 8, "answers": {"a": "I"}},
    ]
    a, b = TableModel("a", rows), TableModel("b", rows)
    assert (await heard(a.answer(ask("2+2?"), Params()))).text == "4"
    assert (await heard(a.answer(ask("7"), Params()))).text == "4"
    assert (await heard(a.answer(ask("8"), Params()))).text == "I"
    silent = await heard(b.answer(ask("7"), Params()))
    assert (silent.text, silent.end.reason) == ("", FinishReason.STOP)
    with pytest.raises(CassetteMismatch):
        await heard(b.answer(ask("8"), Params()))
