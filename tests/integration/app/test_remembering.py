"""What is remembered, changed, taken back, erased, written out and read in, over the whole program."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.integration.app.hall import Hall, voice
from tests.integration.store.test_canaries import decrypted

from auritas.app.indexing import Indexing
from auritas.app.remembering import SecretError, Telling
from auritas.kernel.answers import QuestionShape
from auritas.kernel.doubles import HashEmbedding
from auritas.kernel.errors import InvalidError, NotFoundError, RefusedError, UsageError
from auritas.kernel.memory import Correction, CorrectionState, CorrectionType, Scope
from auritas.search.adapters.recall_sql import RecallIndex
from auritas.store import schema as t

pytestmark = pytest.mark.anyio

CHOIR = "How many members has our choir?"
WRONG = "No, that's wrong, it is 53."
CANARY = "zyzzyvaquokka"
LARGEST = 2_000


@pytest.fixture
def seated(hall: Hall) -> Hall:
    hall.auritas.embedder = HashEmbedding()
    hall.seat(voice("ada", "40"))
    hall.seat(voice("bob", "53"))
    return hall


def add(hall: Hall, claim: str, **more: object) -> Correction:
    hall.clock.advance(1)
    return hall.auritas.memory.add(claim, Telling(**more)).correction  # type: ignore[arg-type]


def held(hall: Hall) -> list[str]:
    return [entry.correction.claim for entry in hall.auritas.memory.list((CorrectionState.ACTIVE,))]


def everything(hall: Hall) -> bytes:
    """Return every page of the decrypted store, and every other file of the folder."""
    pages = decrypted(hall.auritas.opened)
    files = [path for path in Path(hall.folder).rglob("*") if path.is_file()]
    return (pages + b"\n".join(path.read_bytes() for path in files)).lower()


def test_a_change_of_mind_is_seen_and_undone(hall):
    """What is replaced is kept, linked, named when it happens, and holds again after an undo (M4)."""
    first = add(hall, "Use metric units")
    hall.clock.advance(1)
    kept = hall.auritas.memory.add("Use imperial units", Telling())
    assert [each.id for each in kept.replaced] == [first.id]
    assert held(hall) == ["Use imperial units"]
    detail = hall.auritas.memory.show(kept.correction.id)
    assert [each.claim for each in detail.replaces] == ["Use metric units"]
    assert hall.auritas.memory.show(first.id).entry.correction.state is CorrectionState.SUPERSEDED
    undone = hall.auritas.memory.undo()
    assert [each.claim for each in undone.restored] == ["Use metric units"]
    assert held(hall) == ["Use metric units"]
    assert hall.intact


def test_ids_are_shown_long_enough_to_be_told_apart(hall):
    """Many made in one moment are each found by what the list shows of their ids."""
    made = [add_at_once(hall, f"Rule number {n} concerns topic {n}") for n in range(30)]
    entries = hall.auritas.memory.list()
    assert len({entry.short for entry in entries}) == len(made)
    for entry in entries:
        assert hall.auritas.memory.show(entry.short).entry.correction.id == entry.correction.id


def add_at_once(hall: Hall, claim: str) -> Correction:
    return hall.auritas.memory.add(claim, Telling(type=CorrectionType.PREFERENCE)).correction


def test_names_that_mean_nothing_or_several_change_nothing(hall):
    """An empty id, as an empty variable of a shell gives it, never means the newest; a short one lists its choices."""
    add_at_once(hall, "I like green tea")
    add_at_once(hall, "I like long walks")
    memory = hall.auritas.memory
    for act in (memory.erase, memory.show, memory.why, memory.dismiss, memory.confirm):
        with pytest.raises(UsageError, match="empty"):
            act("")
    with pytest.raises(UsageError, match="green tea"):
        memory.erase(memory.list()[0].correction.id[:8])
    with pytest.raises(NotFoundError, match="nowhere"):
        memory.show("nowhere")
    assert len(held(hall)) == 2


@pytest.mark.parametrize("secret", ["my password is hunter2horse", "the key is sk-abcdefghijklmnopqrstuvwxyz123456"])
def test_secrets_are_refused_wherever_words_come_in(hall, secret):
    """Adding, the question of a fact, editing and reading in all refuse what looks like a secret."""
    kept = add(hall, "Use metric units")
    with pytest.raises(SecretError):
        add(hall, secret)
    with pytest.raises(SecretError):
        add(hall, "It is so", query=secret)
    with pytest.raises(SecretError):
        add(hall, "It is so", condition=f"unless {secret}")
    with pytest.raises(SecretError):
        hall.auritas.memory.edit(kept.id, secret)
    document = hall.auritas.memory_files.document()
    document["corrections"][0]["claim"] = secret
    file = hall.folder / "in.json"
    file.write_text(json.dumps(document))
    came = hall.auritas.memory_files.read_in(file)
    assert (came.added, len(came.problems)) == (0, 1)
    assert "secret" in came.problems[0]


@pytest.mark.parametrize("claim", ["", "   ", "\0", "x" * (LARGEST + 1)])
def test_nothing_and_too_much_are_refused(hall, claim):
    """There must be words, and at most 2,000 characters of them."""
    with pytest.raises(InvalidError):
        add(hall, claim)
    assert held(hall) == []


@pytest.mark.parametrize(
    "claim",
    ["x" * LARGEST, "[bold]Use[/bold] tabs", "\x1b[31mred\x1b[0m units", "استخدم المتر", "use \u202eside-by-side"],
)
def test_strange_words_are_kept_and_found_again(hall, claim):
    """Markup, escapes and writing from right to left are words like others; the screen makes them harmless."""
    kept = add(hall, claim)
    assert hall.auritas.memory.show(kept.id).entry.correction.claim == claim
    assert hall.intact


def test_a_place_must_be_there(hall):
    """Nothing is moved to a conversation, or into a project, that does not exist."""
    kept = add(hall, "Use metric units")
    with pytest.raises(UsageError, match="conversation"):
        hall.auritas.memory.move(kept.id, Scope.CONVERSATION)
    with pytest.raises(NotFoundError, match="project"):
        hall.auritas.memory.move(kept.id, Scope.PROJECT)
    with pytest.raises(NotFoundError, match="project"):
        add(hall, "Use yards", scope=Scope.PROJECT)


# --- grades -----------------------------------------------------------------------------------------------------------


def marks(hall: Hall, query_id: str) -> dict[str, bool | None]:
    return {mark.seat: mark.right for mark in hall.auritas.grading.compare(query_id).marks}


async def test_a_yes_grades_what_it_corrects_and_an_undo_takes_both_back(seated):
    """A proposal that is confirmed grades the answer it is about; taken back it is a proposal, and the grade goes."""
    first = await seated.ask(CHOIR)
    assert first.decision.winner is not None
    await seated.ask("Our choir has 53 members.", conversation_id=first.conversation_id)
    (proposed,) = seated.auritas.memory.list((CorrectionState.PROPOSED,))
    assert proposed.correction.query_id == first.query_id
    before = marks(seated, first.query_id)
    seated.clock.advance(1)
    confirmed = seated.auritas.memory.confirm(None)
    assert confirmed.asks == CHOIR
    assert confirmed.graded
    assert marks(seated, first.query_id)["ada"] is False
    seated.clock.advance(1)
    assert seated.auritas.memory.undo().event == "confirmed"
    assert marks(seated, first.query_id) == before
    assert len(seated.auritas.memory.list((CorrectionState.PROPOSED,))) == 1
    seated.auritas.memory.confirm(confirmed.kept.correction.id)
    with pytest.raises(RefusedError, match="already"):
        seated.auritas.memory.confirm(confirmed.kept.correction.id)


async def test_the_last_thing_is_known_among_memory_and_grades(seated):
    """An undo in a conversation means what came last: a correction, with the grade that it brought, or a grade."""
    assert seated.auritas.memory.changed_last() is False
    first = await seated.ask(CHOIR)
    seated.clock.advance(1)
    seated.auritas.grading.verdict(first.query_id, right=False)
    assert seated.auritas.memory.changed_last() is False
    await seated.ask(WRONG, conversation_id=first.conversation_id)
    assert seated.auritas.memory.changed_last() is True
    seated.clock.advance(1)
    seated.auritas.grading.verdict(first.query_id, right=True)
    assert seated.auritas.memory.changed_last() is False
    seated.auritas.grading.undo()
    assert seated.auritas.memory.changed_last() is True


# --- erasing ----------------------------------------------------------------------------------------------------------


def index(hall: Hall) -> None:
    own = hall.auritas
    Indexing(own.store, own.clock, own.ids, own.diagnostics, [RecallIndex(HashEmbedding)]).catch_up()


async def test_erased_everywhere_leaves_no_word_behind(hall):
    """Correction, messages, titles, answers, traces, notes, grades, indexes, log: 0 hits in a decrypted copy (F13)."""
    hall.auritas.embedder = HashEmbedding()
    hall.seat(voice("ada", lambda asked: f"the {CANARY} of course" if asked.endswith("mascot?") else "five metres"))
    hall.seat(voice("bob", lambda asked: f"{CANARY} it is" if asked.endswith("mascot?") else "five metres"))
    told = f"Remember that our mascot is\n the  {CANARY.upper()}."
    await hall.events(told)
    hall.auritas.memory.pin(None, pinned=True)
    found = await hall.ask("What is our mascot?")
    branch = hall.auritas.conversations.branch(found.conversation_id)
    hall.auritas.grading.key(found.query_id, f"our mascot is the {CANARY}")
    hall.auritas.conversations.rename(branch.conversation.id, f"Our mascot is the {CANARY}")
    await hall.ask("How tall is a giraffe?")
    (kept,) = hall.auritas.memory.list()
    hall.auritas.memory.edit(kept.correction.id, f"our mascot is the {CANARY} for good")
    hall.auritas.memory.undo()
    index(hall)
    hall.auritas.store.empty_wal()
    assert everything(hall).count(CANARY.encode()) > 10
    erased = hall.auritas.memory.erase(kept.correction.id, everywhere=True)
    assert (erased.elsewhere, erased.lingers) == (0, False)
    assert everything(hall).count(CANARY.encode()) == 0
    assert hall.intact
    assert any("giraffe" in row.content for row in hall.rows(t.messages))


async def test_erased_alone_says_how_much_is_left(seated):
    """Without --everywhere what was said in conversations stays, and is counted."""
    await seated.events(f"Remember that our mascot is the {CANARY}.")
    (kept,) = seated.auritas.memory.list()
    erased = seated.auritas.memory.erase(kept.correction.id)
    assert erased.elsewhere == 2
    assert seated.auritas.memory.list() == ()
    assert len(seated.rows(t.messages)) == 2
    assert seated.rows(t.corrections)[0].claim == ""


async def test_a_short_claim_takes_nothing_unrelated_along(seated):
    """Words such as "it is 53" mean a value in one conversation; another one that holds them, too, stays whole."""
    other = await seated.ask("What is fifty plus three? Somebody says it is 53.")
    first = await seated.ask(CHOIR)
    await seated.ask(WRONG, conversation_id=first.conversation_id)
    (kept,) = seated.auritas.memory.list()
    seated.auritas.memory.erase(kept.correction.id, everywhere=True)
    left = seated.rows(t.messages, t.messages.c.conversation_id == other.conversation_id)
    assert len(left) == 2
    assert WRONG not in [row.content for row in seated.rows(t.messages)]


# --- files ------------------------------------------------------------------------------------------------------------


def comparable(document: dict[str, Any]) -> list[dict[str, Any]]:
    return sorted(({k: v for k, v in each.items() if k != "provenance"} for each in document["corrections"]), key=str)


def test_written_out_and_read_in_elsewhere_nothing_is_lost(hall, tmp_path, clock, ids, rng):
    """Types, places, conditions, times and pins come along, projects are made; a second time nothing is added."""
    hall.auritas.projects.create("Ünderground [bold]")
    hall.auritas.projects.use("Ünderground [bold]")
    add(hall, "Use metric units", pinned=True)
    add(hall, "Our choir has 53 members", type=CorrectionType.FACT, query=CHOIR)
    add(hall, "Use tabs", scope=Scope.PROJECT)
    add(hall, "Weigh in grams", scope=Scope.DOMAIN, domain="cooking")
    add(hall, "Answer in short", condition="unless I ask for details")
    file = tmp_path / "memory.json"
    assert hall.auritas.memory_files.export_to(file, structured=True) == 5
    assert file.stat().st_mode & 0o077 == 0
    other = Hall(tmp_path / "other", clock, ids, rng, own_key=True)
    try:
        came = other.auritas.memory_files.read_in(file)
        assert (came.added, came.known, came.problems) == (5, 0, ())
        assert comparable(other.auritas.memory_files.document()) == comparable(hall.auritas.memory_files.document())
        again = other.auritas.memory_files.read_in(file)
        assert (again.added, again.known, again.problems) == (0, 5, ())
        assert {entry.correction.provenance for entry in other.auritas.memory.list()} == {"import"}
    finally:
        other.close()
    assert "Use metric units (pinned)" in hall.auritas.memory_files.markdown()


def test_an_old_file_does_not_bring_back_what_was_replaced(hall, tmp_path):
    """What holds here and is newer than the file's entry stays, and the entry is named."""
    add(hall, "Use metric units")
    file = tmp_path / "memory.json"
    hall.auritas.memory_files.export_to(file, structured=True)
    add(hall, "Use imperial units")
    came = hall.auritas.memory_files.read_in(file)
    assert (came.added, came.replaced) == (0, ())
    assert "Use imperial units" in came.problems[0]
    assert held(hall) == ["Use imperial units"]


@pytest.mark.parametrize(
    "broken",
    [
        {"claim": 7},
        {"claim": "x" * (LARGEST + 1)},
        {"claim": None},
        {"type": "rumour"},
        {"type": "model_preference"},
        {"scope": ["global"]},
        {"scope": "conversation", "conversation_id": "elsewhere"},
        {"scope": "project"},
        {"scope": "domain"},
        {"domain": {"a": 1}, "scope": "domain"},
        {"confidence": 10**400},
        {"confidence": "high"},
        {"pinned": "false"},
        {"created_at": "yesterday"},
        {"created_at": "0001-01-01T00:00:00+14:00"},
        {"decay_class": "Z"},
    ],
)
def test_damaged_entries_are_named_and_the_rest_comes(hall, tmp_path, broken):
    """Whatever an entry holds, it is left out with a reason, and the others are read."""
    add(hall, "Use metric units")
    document = hall.auritas.memory_files.document()
    good = document["corrections"][0]
    other = good | {"claim": "I like green tea", "type": "preference_rule"}
    document["corrections"] = [good | {"claim": "I like walks"} | broken, "no object", other]
    file = tmp_path / "memory.json"
    file.write_text(json.dumps(document))
    came = hall.auritas.memory_files.read_in(file)
    assert came.added == 1
    assert [problem.split(":")[0] for problem in came.problems] == ["entry 1", "entry 2"]
    assert "I like green tea" in held(hall)


@pytest.mark.parametrize("text", ["", "[]", "[" * 100_000, '{"format": "auritas-memory", "version": 2}', "\ud800x"])
def test_what_is_no_memory_is_refused(hall, tmp_path, text):
    """Another file is refused whole, with the command that makes a right one."""
    file = tmp_path / "memory.json"
    file.write_bytes(text.encode("utf-8", "surrogatepass"))
    with pytest.raises(InvalidError, match="no memory"):
        hall.auritas.memory_files.read_in(file)


async def test_only_closed_questions_are_graded(seated):
    """A poem is not wrong because something is said after it."""
    first = await seated.ask("Write a short poem about rain.")
    assert first.shape is QuestionShape.OPEN
    await seated.ask("Always write in rhymes.", conversation_id=first.conversation_id)
    assert seated.rows(t.grading_acts, t.grading_acts.c.kind != "reviewer") == []
