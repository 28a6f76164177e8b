"""Health, previews and the page, through the routes."""

import asyncio
import re

import pytest
from tests.integration.app.hall import voice
from tests.integration.server.gated import gated

from auritas.app.access import Scope
from auritas.app.duties import Duties, Duty
from auritas.app.house_duties import SECOND
from auritas.kernel.clock import SystemClock
from auritas.kernel.tasks import TaskSpawner
from auritas.server.health import readiness
from auritas.server.static import Site


@pytest.mark.anyio
async def test_a_server_is_ready_when_everything_can_work(served):
    """With a store, an index and a member it is ready; without a member it says what is missing and how to get it."""
    said = await served.get("/health/ready", 503)
    (models,) = [part for part in said["parts"] if not part["ok"]]
    assert models["name"] == "models"
    assert "auritas models get" in models["remedy"]
    served.hall.seat(voice("ada"))
    assert (await served.get("/health/ready"))["ready"]


@pytest.mark.anyio
async def test_how_things_stand_is_told_only_to_whoever_may_know_it(hall):
    """Without a token each part says yes or no and nothing else; the scope `status` tells counts and remedies (W1)."""
    async with gated(hall) as stage:
        shown = {
            "nobody": stage.client(),
            "wrong": stage.client("aur_" + "x" * 43),
            "query": stage.client(stage.token(Scope.QUERY)),
            "status": stage.client(stage.token(Scope.STATUS)),
            "install": stage.client(stage.install),
            "session": stage.client(cookie=stage.access.begin_session()),
        }
        said = {name: (await client.get("/health/ready")).json() for name, client in shown.items()}
        for client in shown.values():
            await client.aclose()
    verdicts = [{part["name"]: part["ok"] for part in each["parts"]} for each in said.values()]
    assert all(each == verdicts[0] for each in verdicts)
    for name, each in said.items():
        told = "".join(part["text"] + part["remedy"] for part in each["parts"])
        assert bool(told) is (name in {"status", "install", "session"}), name


@pytest.mark.anyio
async def test_a_worker_that_fails_is_told(hall, served):
    """A duty that raises makes the server not ready: its name and the type of its error are told, no word of it."""

    async def fails() -> None:
        raise ValueError("words of a person")

    duties = Duties([Duty("notes", SECOND, fails)], TaskSpawner(), SystemClock(), lambda: hall.auritas.diagnostics)
    duties.start()
    try:
        while not duties.heartbeats()[0].failures:
            await SystemClock().sleep(0.01)
        found = readiness(served.household, duties)
    finally:
        await duties.aclose()
    told = next(part for part in found.parts if part.name == "worker: notes")
    assert not found.ready
    assert "ValueError" in told.text
    assert "words" not in str(found)
    assert ("notes", "ValueError") in hall.auritas.kept.troubles


@pytest.mark.anyio
async def test_metrics_are_text_that_prometheus_reads(served):
    """Every line is a comment or a sample, each measure has help and type, and tokens are counted by model."""
    served.hall.seat(voice("ada"), 15)
    await served.hall.ask("Is it so?")
    answer = await served.client.get("/metrics")
    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    names = set()
    for line in answer.text.splitlines():
        if line.startswith("# TYPE "):
            names.add(line.split()[2])
        elif not line.startswith("# HELP "):
            sample, _, value = line.rpartition(" ")
            float(value)
            assert sample.split("{")[0].removesuffix("_bucket").removesuffix("_sum").removesuffix("_count") in names
    assert 'auritas_model_tokens_today{model="ada",direction="out"}' in answer.text
    assert {"auritas_streams", "auritas_runs", "auritas_log_entries", "auritas_store_bytes"} <= names
    served.as_(Scope.QUERY)
    assert (await served.client.get("/metrics")).status_code == 403


@pytest.mark.anyio
async def test_metrics_tell_nobody_of_the_models_of_another(served):
    """A guest reads the use and sizes of their own store only; who installed the program those of all (W2)."""
    served.hall.seat(voice("ada"), 15)
    await served.hall.ask("Is it so?")
    served.household.admit("anna")
    await asyncio.to_thread(served.household.of, "anna")
    everything = (await served.client.get("/metrics")).text
    served.as_(Scope.STATUS, owner="anna")
    hers = (await served.client.get("/metrics")).text
    assert 'model="ada"' in everything
    assert "ada" not in hers
    entries = [int(re.findall(r"^auritas_log_entries (\d+)$", text, re.MULTILINE)[0]) for text in (everything, hers)]
    assert entries[1] < entries[0]


@pytest.mark.anyio
async def test_a_preview_can_do_nothing_but_show_itself(served):
    """A page that a model wrote is served with its own sandbox policy, to whoever made it, for ten minutes."""
    made = await served.post("/api/v1/previews", {"html": "<script>alert(1)</script>"}, 201)
    shown = await served.client.get(made["path"])
    assert shown.text == "<script>alert(1)</script>"
    policy = "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'; frame-ancestors 'self'"
    assert shown.headers["content-security-policy"] == policy
    served.as_(owner="ben")
    assert (await served.client.get(made["path"])).status_code == 404
    served.as_()
    served.hall.clock.advance(601)
    assert await served.refused("GET", made["path"]) == "no_preview"


@pytest.mark.anyio
async def test_previews_take_no_more_memory_than_they_may(served):
    """A page that is too large is refused; one preview too many takes the place of the oldest."""
    assert await served.refused("POST", "/api/v1/previews", {"html": "x" * 900_001}, 422) == "invalid"
    made = [await served.post("/api/v1/previews", {"html": "x"}, 201) for _ in range(33)]
    assert (await served.client.get(made[0]["path"])).status_code == 404
    assert (await served.client.get(made[1]["path"])).status_code == 200


@pytest.mark.anyio
async def test_only_addresses_of_the_page_are_answered_by_the_page(served, tmp_path):
    """A path that no interface knows is a view of the page for a browser; under an interface it is a 404."""
    (tmp_path / "index.html").write_text("<!doctype html>page")
    served.called.app.state.site = Site(tmp_path)
    html = {"accept": "text/html"}
    for path in ("/", "/memory", "/openly", "/apiary", "/v10"):
        assert (await served.client.get(path, headers=html)).text.endswith("page"), path
    for path in ("/api/v1/none", "/api", "/v1/none", "/health/none", "/preview", "/%2e%2e/index.html", "/x.js"):
        headers = {} if path in {"/%2e%2e/index.html", "/x.js"} else html
        answer = await served.client.get(path, headers=headers)
        assert answer.status_code == 404, path
        assert answer.json()["error"]["code"] == "not_found"
