"""Imports and exports on a real encrypted store: nothing twice, nothing lost, in constant memory."""

import gc
import json
import tracemalloc
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.integration.app.hall import Hall

from auritas.app.conversations import Form
from auritas.app.exports import FileExistsAlreadyError
from auritas.app.imports import Progressed, Tally
from auritas.kernel.clock import timestamp
from auritas.kernel.errors import AuritasError, NotFoundError
from auritas.kernel.log import Kind
from auritas.memory.imports.model import UnknownExportError
from auritas.store import schema as t

MEGABYTE = 2**20


@pytest.fixture
def talk(tmp_path, clock, ids, rng) -> Iterator[Hall]:
    found = Hall(tmp_path / "talk", clock, ids, rng)
    yield found
    found.close()


@pytest.fixture
def other(tmp_path, clock, ids, rng) -> Iterator[Hall]:
    found = Hall(tmp_path / "other", clock, ids, rng, own_key=True)
    yield found
    found.close()


def claude(name: str, *said: str, **more: Any) -> dict[str, Any]:
    messages = [
        {
            "uuid": f"{name}-{n}",
            "sender": ("human", "assistant")[n % 2],
            "text": text,
            "created_at": f"2024-05-01T10:00:{n:02}Z",
        }
        for n, text in enumerate(said)
    ]
    head = {"uuid": name, "name": name, "created_at": "2024-05-01T10:00:00Z", "updated_at": "2024-05-01T11:00:00Z"}
    return head | {"chat_messages": messages} | more


def chatgpt(name: str, *said: str) -> dict[str, Any]:
    nodes: dict[str, Any] = {"root": {"id": "root", "parent": None, "children": [f"{name}-0"], "message": None}}
    for n, text in enumerate(said):
        message = {
            "id": f"{name}-{n}",
            "author": {"role": ("user", "assistant")[n % 2]},
            "create_time": 1_700_000_000.5 + n,
            "content": {"content_type": "text", "parts": [text]},
        }
        parent = f"{name}-{n - 1}" if n else "root"
        nodes[f"{name}-{n}"] = {"id": f"{name}-{n}", "parent": parent, "children": [], "message": message}
    head = {"conversation_id": name, "title": name, "create_time": 1_700_000_000.5, "update_time": 1_700_000_999.5}
    return head | {"mapping": nodes, "current_node": f"{name}-{len(said) - 1}"}


def written(path: Path, document: Any) -> Path:
    path.write_text(document if isinstance(document, str) else json.dumps(document), encoding="utf-8")
    return path


def bring(hall: Hall, file: Path) -> Tally:
    return last(hall, file).tally


def last(hall: Hall, file: Path) -> Progressed:
    return list(hall.auritas.imports.run(file))[-1]


def texts(hall: Hall) -> dict[str, list[str]]:
    """Return what was said, by title."""
    found = hall.auritas.conversations.newest(1000).conversations
    return {each.title: [said.text for said in hall.auritas.conversations.show(each.id).messages] for each in found}


@pytest.mark.parametrize("make", [chatgpt, claude])
def test_a_second_run_adds_only_what_is_new(talk, tmp_path, make):
    """Imported twice, nothing stands twice; a newer export continues what is there; times stay as they were (M15)."""
    file = written(tmp_path / "conversations.json", [make("soup", "q", "a"), make("bread", "q", "a")])
    assert bring(talk, file) == Tally(conversations=2, messages=4)
    before = talk.rows(t.messages), talk.rows(t.conversations)
    assert bring(talk, file) == Tally(known=2)
    assert (talk.rows(t.messages), talk.rows(t.conversations)) == before
    newer = written(tmp_path / "newer.json", [make("soup", "q", "a", "q2"), make("cake", "q")])
    assert bring(talk, newer) == Tally(conversations=1, messages=2, continued=1)
    assert texts(talk) == {"soup": ["q", "a", "q2"], "bread": ["q", "a"], "cake": ["q"]}
    first = "2023-11-14T22:13:20.500000Z" if make is chatgpt else "2024-05-01T10:00:00.000000Z"
    assert {row.created_at for row in talk.rows(t.conversations)} == {first}
    assert min(row.created_at for row in talk.rows(t.messages)) == first
    assert [row.event_type for row in talk.rows(t.audit_log)] == [Kind.IMPORT] * 4
    assert talk.rows(t.corrections) == []
    assert talk.intact


def test_damaged_entries_are_left_out_and_named(talk, tmp_path):
    """The rest lands; each damaged entry is told by its place in the file, and none of its words is quoted."""
    damaged: list[Any] = [{"uuid": 7, "chat_messages": ["secret words"]}, "secret words", {"mapping": {}}, None]
    file = written(tmp_path / "c.json", [claude("a", "q"), *damaged, claude("b", "q"), claude("empty")])
    tally = bring(talk, file)
    assert (tally.conversations, tally.failed, tally.empty) == (2, 4, 1)
    assert [each.index for each in tally.damaged] == [1, 2, 3, 4]
    assert "secret" not in str(tally)


@pytest.mark.parametrize("keep", [0.3, 0.6, 0.95])
def test_a_file_that_breaks_off_gives_what_it_holds(talk, tmp_path, keep):
    """Every conversation that is whole lands, the damage is told, and a whole file completes the import."""
    whole = json.dumps([claude(f"talk {n:03}", "x" * 5000, "y" * 5000) for n in range(40)])
    file = written(tmp_path / "c.json", whole[: int(len(whole) * keep)])
    tally = bring(talk, file)
    assert tally.cut_off
    assert tally.conversations >= int(40 * keep) - 1
    file.write_text(whole)
    assert bring(talk, file).conversations == 40 - tally.conversations
    assert len(talk.rows(t.conversations)) == 40


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_damaged_zip_is_told(talk, tmp_path, method):
    """However it was packed, damage in the middle ends the import with a sentence and not with a crash (M15)."""
    file = tmp_path / "export.zip"
    with zipfile.ZipFile(file, "w", method) as archive:
        archive.writestr("conversations.json", json.dumps([claude(f"talk {n}", "q") for n in range(2000)]))
    raw = bytearray(file.read_bytes())
    raw[200:260] = b"\x55" * 60
    file.write_bytes(raw)
    assert bring(talk, file).cut_off == "the file is damaged"


@pytest.mark.parametrize("opening", [b"[", b'{"a":'])
def test_brackets_without_end_cost_nothing(talk, tmp_path, opening):
    """A file of nested brackets, for which a parser would take gigabytes, ends there; what came before stands (M15)."""
    file = tmp_path / "c.json"
    soup = json.dumps([claude("soup", "q")]).encode()[:-1]
    file.write_bytes(soup + b"," + b" " * 2**20 + b'{"mapping":' + opening * 200_000)
    tally = bring(talk, file)
    assert "nested" in tally.cut_off
    assert tally.conversations == 1


def test_names_in_an_import_are_names(talk, other, tmp_path):
    """A title and a project of our own form are kept as ones given here: one line, harmless, and short (M15)."""
    bring(other, written(tmp_path / "c.json", [claude("soup", "q")]))
    document = json.loads("".join(other.auritas.conversations.export(None, Form.JSON)))
    document["conversations"][0] |= {"title": "two\nlines \x1b[31m" + "x" * 9000, "project": "a\nb\x07" + "y" * 9000}
    assert bring(talk, written(tmp_path / "own.json", document)).conversations == 1
    (row,), (project,) = talk.rows(t.conversations), talk.rows(t.projects)
    assert (len(row.title), len(project.name)) == (200, 80)
    assert row.title.startswith("two lines x")
    assert project.name.startswith("a by")


def test_a_zip_is_read_as_it_came(talk, tmp_path):
    """Conversations in several parts and folders are read, projects are linked, and the other files are named."""
    file = tmp_path / "export.zip"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(
            "export/conversations.json", json.dumps([claude("a", "q", project_uuid="p-1"), claude("b", "q")])
        )
        archive.writestr("export/conversations-001.json", json.dumps([chatgpt("c", "q")]))
        archive.writestr("export/projects.json", json.dumps([{"uuid": "p-1", "name": "Garden"}, {"uuid": 7}]))
        archive.writestr("export/users.json", "[]")
        archive.writestr("export/shared_conversations.json", "[]")
    tally = bring(talk, file)
    assert tally.conversations == 3
    assert tally.ignored_files == ("export/projects.json", "export/shared_conversations.json", "export/users.json")
    assert {each.title: each.project for each in talk.auritas.conversations.newest().conversations} == {
        "a": "Garden",
        "b": None,
        "c": None,
    }


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (b"", UnknownExportError),
        (b"hello", UnknownExportError),
        (b'{"mapping": {}}', UnknownExportError),
        (b'{"format": "auritas-conversations", "version": 2, "conversations": []}', UnknownExportError),
        (b'"[]"', UnknownExportError),
    ],
)
def test_what_is_no_export_is_refused(talk, tmp_path, content, error):
    """Nothing is written, and the person reads what would be one."""
    file = tmp_path / "c.json"
    file.write_bytes(content)
    with pytest.raises(error) as refused:
        bring(talk, file)
    assert refused.value.remedy
    for missing in (tmp_path / "none.json", tmp_path):
        with pytest.raises(NotFoundError):
            bring(talk, missing)
    with zipfile.ZipFile(tmp_path / "empty.zip", "w") as archive:
        archive.writestr("users.json", "[]")
    with pytest.raises(UnknownExportError):
        bring(talk, tmp_path / "empty.zip")
    assert talk.rows(t.conversations) == []


def test_bad_bytes_never_reach_the_store(talk, tmp_path):
    """Lone surrogates and NUL never land, a byte order mark is skipped, and bytes that are no UTF-8 are damage."""
    file = tmp_path / "c.json"
    file.write_bytes(b"\xef\xbb\xbf" + json.dumps([claude("a", "x\ud800y\0z")]).encode())
    bring(talk, file)
    assert texts(talk)["a"][0].replace("?", "") == "xyz"
    file.write_bytes(b'[{"uuid": "\xff", "chat_messages": []}]')
    assert bring(talk, file).cut_off


def test_stopping_keeps_what_has_landed(talk, tmp_path):
    """An import that is left in the middle has what it told of, whole, and the next one goes on from there."""
    file = written(tmp_path / "c.json", [claude(f"talk {n}", "q", "a") for n in range(9)])
    run = talk.auritas.imports.run(file)
    told = [next(run).tally.conversations for _ in range(4)]
    run.close()
    assert told[-1] == len(talk.rows(t.conversations)) == 4
    assert len(talk.rows(t.messages)) == 8
    assert bring(talk, file) == Tally(conversations=5, messages=10, known=4)


def test_an_export_can_be_imported_again(talk, other, tmp_path):
    """Into an empty store it brings everything back; into the one it came from, nothing (round trip)."""
    file = written(tmp_path / "c.json", [claude("soup", "q", "a", "q2"), chatgpt("bread", "q", "a")])
    bring(talk, file)
    conversations = talk.auritas.conversations
    branch = conversations.branch("soup", "2").conversation
    conversations.rename(branch.id, "Soup, again")
    conversations.archive("bread")
    talk.auritas.projects.create("Kitchen")
    conversations.move(branch.id, "Kitchen")
    target = tmp_path / "out.json"
    conversations.export_to(target, None, Form.JSON)
    assert bring(talk, target) == Tally(known=3)
    assert bring(other, target) == Tally(conversations=3, messages=7)
    assert bring(other, target) == Tally(known=3)
    copies = [json.loads("".join(each.auritas.conversations.export(None, Form.JSON))) for each in (talk, other)]
    assert copies[0]["conversations"] == copies[1]["conversations"]
    conversations.delete([branch.id])
    assert bring(talk, target) == Tally(conversations=1, messages=2, known=2)
    assert talk.intact
    assert other.intact


def test_an_export_never_replaces_a_file_unasked(talk, tmp_path):
    """A file that is there stays; with force it is replaced whole; nobody else can read it; the log has an entry."""
    bring(talk, written(tmp_path / "c.json", [claude("soup", "q", "a")]))
    target, conversations = tmp_path / "out.md", talk.auritas.conversations
    conversations.export_to(target, ["soup"], Form.MARKDOWN)
    assert target.stat().st_mode & 0o077 == 0
    assert "# soup" in target.read_text()
    target.write_text("mine")
    with pytest.raises(FileExistsAlreadyError):
        conversations.export_to(target, ["soup"], Form.MARKDOWN)
    assert target.read_text() == "mine"
    with pytest.raises(AuritasError):
        conversations.export_to(target, ["unknown"], Form.MARKDOWN, force=True)
    assert target.read_text() == "mine"
    conversations.export_to(target, ["soup"], Form.JSON, force=True)
    assert json.loads(target.read_text())["conversations"][0]["title"] == "soup"
    refs = [json.loads(row.refs) for row in talk.rows(t.audit_log, t.audit_log.c.event_type == Kind.EXPORT)]
    assert [each["form"] for each in refs] == ["markdown", "json"]
    assert "soup" not in str(refs)
    assert [path.name for path in tmp_path.iterdir() if path.name.endswith(".part")] == []


def big(path: Path, megabytes: int) -> int:
    """Write an export of about so many megabytes, 100 kB a conversation; return how many conversations it has."""
    text = "Every word of it is searched. " * 170
    count = megabytes * 10
    with path.open("w") as file:
        for n in range(count):
            made = chatgpt if n % 2 else claude
            file.write(f"{',' if n else '['}{json.dumps(made(f'talk {n}', *([text] * 20)))}")
        file.write("]")
    return count


def peak_of(hall: Hall, file: Path) -> tuple[int, Tally]:
    """Return the most memory that Python held at once while importing, in bytes."""
    gc.collect()
    tracemalloc.start()
    try:
        tally = bring_quietly(hall, file)
        return tracemalloc.get_traced_memory()[1], tally
    finally:
        tracemalloc.stop()


def bring_quietly(hall: Hall, file: Path) -> Tally:
    tally = Tally()
    for step in hall.auritas.imports.run(file):
        tally = step.tally
    return tally


def test_memory_does_not_grow_with_the_file(talk, tmp_path):
    """Twenty megabytes take as little memory as two: a few conversations at a time."""
    small, large = tmp_path / "small.json", tmp_path / "large.json"
    big(small, 2)
    count = big(large, 20)
    peaks = [peak_of(talk, file) for file in (small, large)]
    assert peaks[1][1].conversations + peaks[1][1].known == count
    assert peaks[1][0] < 6 * MEGABYTE
    assert peaks[1][0] < peaks[0][0] + 2 * MEGABYTE


@pytest.mark.slow
def test_four_hundred_megabytes_in_constant_memory(talk, tmp_path):
    """An export of 400 MB lands whole, in the memory of a few conversations, and so does its export."""
    file = tmp_path / "huge.json"
    count = big(file, 400)
    peak, tally = peak_of(talk, file)
    assert (tally.conversations, tally.failed, tally.cut_off) == (count, 0, "")
    assert peak < 6 * MEGABYTE
    tracemalloc.start()
    try:
        written_bytes = talk.auritas.conversations.export_to(tmp_path / "out.json", None, Form.JSON)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert written_bytes > 300 * MEGABYTE
    assert peak < 6 * MEGABYTE


def test_the_clock_of_an_import_is_that_of_the_export(talk, tmp_path):
    """What bears no time is dated by the import, and only that."""
    bring(
        talk,
        written(
            tmp_path / "c.json",
            [
                claude(
                    "a",
                    "q",
                    created_at=None,
                    updated_at=None,
                    chat_messages=[{"uuid": "1", "sender": "human", "text": "q"}],
                )
            ],
        ),
    )
    (row,) = talk.rows(t.conversations)
    assert row.created_at == row.updated_at == timestamp(talk.clock.now())
