"""Files that are read in over HTTP."""

import io
import json
import zipfile
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from tests.integration.app.hall import Hall, voice
from tests.integration.server.desk import served

from auritas.app.access import Scope
from auritas.app.folders import UPLOADS
from auritas.app.runs import Progress
from auritas.kernel.answers import AccuracyLevel

pytestmark = pytest.mark.anyio
HERE = "/api/v1/imports"


@pytest.fixture
async def web(hall: Hall):
    hall.seat(voice("ada", "yes"))
    async with served(hall) as found:
        yield found


def exported(count: int) -> dict[str, object]:
    """Return our own export of so many conversations with two messages each."""
    at = "2026-01-01T10:00:00.000000Z"
    return {
        "format": "auritas-conversations",
        "version": 1,
        "exported_at": at,
        "conversations": [
            {
                "id": f"019b0000-0000-7000-8000-{n:012x}",
                "title": f"Talk {n}",
                "source": "auritas",
                "created_at": at,
                "updated_at": at,
                "messages": [
                    {
                        "id": f"019b0000-0000-7000-9000-{2 * n + k:012x}",
                        "role": role,
                        "at": at,
                        "text": f"zebra {n} {k}",
                    }
                    for k, role in enumerate(("user", "assistant"))
                ],
            }
            for n in range(count)
        ],
    }


def zipped(document: object) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations.json", json.dumps(document))
        archive.writestr("chat.html", "<html>")
    return file.getvalue()


async def sent(web, body: bytes, name: str = "talks.zip"):
    answer = await web.client.post(HERE, content=body, params={"name": name})
    assert answer.status_code == 201, answer.text
    return answer.json()


def left(web) -> list[str]:
    folder = web.hall.folder / UPLOADS
    return [each.name for each in folder.iterdir()] if folder.is_dir() else []


@pytest.mark.parametrize("pack", [zipped, lambda document: json.dumps(document).encode()])
async def test_a_file_becomes_conversations_that_can_be_searched(web, pack):
    """An import tells how far it is, ends with what came of it, and leaves no file behind (W9)."""
    run = await sent(web, pack(exported(3)))
    assert (run["kind"], run["text"], run["state"]) == ("import", "talks.zip", "running")
    frames = await web.ended(run["id"])
    steps = [frame.event for frame in frames if isinstance(frame.event, Progress)]
    assert steps[-1].note.startswith("Imported 3 new conversations and 6 new messages.")
    assert all(step.done <= step.total for step in steps)
    assert len((await web.get("/api/v1/conversations"))["items"]) == 3
    assert len((await web.get("/api/v1/search", q="zebra 2", entered=True))["conversations"]) >= 1
    assert left(web) == []


async def test_the_same_file_adds_nothing_twice(web):
    """Sent again, a file adds only what is new (W9)."""
    for expected in ("Imported 2 new", "Imported 0 new conversations and 0 new messages. 2 conversations had nothing"):
        frames = await web.ended((await sent(web, zipped(exported(2))))["id"])
        assert frames[-2].event.note.startswith(expected)


async def test_a_file_that_is_no_export_says_so_by_its_name(web):
    """The error names the file as the person does, never a place on this machine (W9)."""
    empty = io.BytesIO()
    with zipfile.ZipFile(empty, "w") as archive:
        archive.writestr("holiday.jpg", "x")
    for body, code in ((empty.getvalue(), "unknown_export"), (b"hello", "unknown_export")):
        frames = await web.ended((await sent(web, body, "holiday.zip"))["id"])
        ended = frames[-1].event
        assert (ended.state, ended.problem.code) == ("failed", code)
        assert str(web.hall.folder) not in ended.problem.message + ended.problem.remedy
    assert left(web) == []


async def test_an_empty_or_endless_body_is_refused(web):
    """Nothing is begun for a body without bytes, and nothing stays of it (W3)."""
    assert (await web.client.post(HERE, content=b"")).status_code == 422
    assert (await web.client.post("/api/v1/memory/import", content=b"")).status_code == 422

    async def pieces() -> AsyncIterator[bytes]:
        for _ in range(65):
            yield b" " * 1_000_000

    answer = await web.client.post("/api/v1/memory/import", content=pieces())
    assert (answer.status_code, answer.json()["error"]["code"]) == (413, "too_large")
    assert left(web) == []


async def test_a_file_has_no_name_on_the_disk_while_it_is_sent(web):
    """However large, a file that is taken can be found in no folder, so that a crash leaves nothing (promise 4)."""
    uploads = replace(web.hall.auritas.uploads, in_memory=10)
    small, large = uploads.receive("small"), uploads.receive("large")
    small.write(b"words")
    large.write(b"words of a person" * 10_000)
    assert left(web) == []
    with large.opened() as file:
        assert file.read().startswith(b"words of a person")
    assert (small.size, large.size) == (5, 170_000)
    for each in (small, large):
        each.discard()


async def test_a_file_that_is_not_held_in_memory_is_read_in_as_well(web):
    """An export that is larger than what memory takes lands whole (W9)."""
    uploads = replace(web.hall.auritas.uploads, in_memory=10)
    for body in (zipped(exported(2)), json.dumps(exported(3)).encode()):
        upload = uploads.receive("talks")
        upload.write(body)
        steps = [step async for step in uploads.read_in(upload)]
        assert steps[-1].note.startswith("Imported")
    assert len((await web.get("/api/v1/conversations"))["items"]) == 3


async def test_a_stopped_import_keeps_what_has_landed(web):
    """A person may stop an import; its file goes, and the log still verifies (W9)."""
    run = await sent(web, zipped(exported(400)))
    desk = web.desk
    reader = desk.join(run["id"])
    while not any(isinstance(frame.event, Progress) for frame in desk.get(run["id"]).frames):
        await reader.wait(30)
    await web.send("DELETE", f"/api/v1/runs/{run['id']}", status=204)
    frames = await web.ended(run["id"])
    assert frames[-1].event.state in {"stopped", "done"}
    assert left(web) == []
    assert web.hall.intact


async def test_memory_goes_out_and_comes_in(web):
    """What was written out as JSON is read in elsewhere; what is damaged is named (W9)."""
    await web.post("/api/v1/memory", {"claim": "Use metric units"}, 201)
    out = await web.client.post("/api/v1/memory/export", json={"form": "json"})
    assert out.headers["content-disposition"].startswith('attachment; filename="auritas-memory.json"')
    page = await web.client.post("/api/v1/memory/export", json={"form": "markdown"})
    assert "- Use metric units" in page.text
    document = out.json()
    document["corrections"] += [{"claim": "x"}, document["corrections"][0] | {"claim": "Use the 24-hour clock"}]
    came = await web.post("/api/v1/memory/import", document)
    assert (came["added"], came["known"], len(came["problems"])) == (1, 1, 1)
    assert await web.refused("POST", "/api/v1/memory/import", {"format": "other"}, 422) == "invalid"
    assert web.hall.intact


async def test_files_need_the_scope_batch(web):
    """Neither asking nor changing memory is leave to read in or write out files (W1)."""
    await web.hall.ask("Is it so?", AccuracyLevel.FAST)
    web.as_(Scope.QUERY, Scope.CORRECTIONS_READ, Scope.CORRECTIONS_WRITE)
    for path in (HERE, "/api/v1/memory/import", "/api/v1/memory/export", "/api/v1/conversations/export"):
        assert await web.refused("POST", path, {}, 403) == "forbidden"
