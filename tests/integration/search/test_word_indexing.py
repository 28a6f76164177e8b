"""The index follows what is said: nothing is lost, nothing comes twice, and what is deleted is gone."""

import asyncio
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from sqlcipher3 import dbapi2
from tests.integration.search.archive import KEY, NEW_YEAR, Archive

from auritas.app.indexing import Indexing
from auritas.kernel.clock import timestamp
from auritas.kernel.ids import TimeOrderedIds
from auritas.kernel.randomness import SeededRng
from auritas.kernel.tasks import TaskSpawner
from auritas.search.adapters.index_sql import ATTEMPTS, SqlWordIndex
from auritas.search.model import IndexedMessage, Liveness, Progress
from auritas.store import Unit
from auritas.store.database import SqlStore

CANARY = "zyzzyvaquokka"


@pytest.fixture
def archive(tmp_path):
    found = Archive(tmp_path / "home")
    yield found
    found.close()


class ListedPart:
    """A further index that keeps what it is given in memory; it can be made to fail."""

    name = "listed"

    def __init__(self) -> None:
        self.had: dict[int, IndexedMessage] = {}
        self.prepared = 0
        self.fails = False

    def prepare(self, rows: Sequence[IndexedMessage]) -> None:
        self.prepared += len(rows)
        if self.fails:
            raise RuntimeError(CANARY)

    def add(self, unit: Unit, rows: Sequence[IndexedMessage]) -> None:
        assert not unit.connection.closed
        for row in rows:
            assert row.seq not in self.had
            self.had[row.seq] = row

    def remove(self, unit: Unit, seqs: Sequence[int]) -> None:
        assert not unit.connection.closed
        for seq in seqs:
            self.had.pop(seq, None)

    def clear(self, unit: Unit) -> None:
        assert not unit.connection.closed
        self.had.clear()


def test_nothing_is_indexed_on_the_answer_path(archive):
    """Writing a message only lists its conversation; catching up indexes it (M13)."""
    archive.talk("a", "one canary")
    assert archive.rows("SELECT count(*) FROM search_messages") == [(0,)]
    assert archive.health().waiting == 1
    assert archive.catch_up() == 1
    assert [hit.conversation_id for hit in archive.look("canary").conversations] == ["a"]
    assert archive.catch_up() == 0


def test_indexing_again_makes_no_duplicates(archive):
    """However often a conversation is listed, it is in the index once, with its own dates (M15)."""
    archive.talk("old", "an imported canary", at="2019-05-05T00:00:00.000000Z")
    archive.catch_up()
    for _ in range(3):
        archive.run("INSERT INTO search_queue (conversation_id) VALUES ('old')")
        archive.catch_up()
    (hit,) = archive.look("canary").conversations
    assert hit.at.year == 2019
    assert archive.rows("SELECT created_at FROM messages") == [("2019-05-05T00:00:00.000000Z",)]
    assert archive.rows("SELECT count(*) FROM fts_conv_docsize") == [(1,)]
    assert archive.rows("SELECT count(*) FROM fts_msg_docsize") == [(1,)]
    assert archive.sound


def test_what_is_imported_later_keeps_its_place_in_time(archive):
    """An old conversation that comes later is listed after a newer one (M15)."""
    archive.talk("new", "a canary")
    archive.catch_up()
    archive.talk("old", "a canary", at="2019-05-05T00:00:00.000000Z")
    assert archive.names("can") == ["new", "old"]


def test_conversations_of_one_moment_have_their_own_places(archive):
    """Many conversations of one second are all found."""
    for number in range(30):
        archive.talk(f"c{number}", "the same canary")
    assert len(archive.find("canary", limit=50).conversations) == 30


def test_a_conversation_grows_and_is_renamed(archive):
    """New messages and a new title are found after the next catching up, together with what was there."""
    archive.talk("a", "first apple", title="Fruit")
    archive.catch_up()
    archive.say("a", "then pear", first=1)
    archive.run("UPDATE conversations SET title = 'Orchard' WHERE conversation_id = 'a'")
    assert archive.names("apple pear orchard") == ["a"]
    assert archive.names("fruit") == []
    assert archive.sound


def test_deleted_and_changed_text_is_found_no_more(archive):
    """It leaves the index in the transaction that deletes or changes it, without any catching up (M14)."""
    archive.talk("a", f"my {CANARY}", "another apple")
    archive.talk("b", f"their {CANARY}")
    archive.catch_up()
    archive.run("DELETE FROM messages WHERE message_id = 'a-0'")
    archive.run("UPDATE messages SET content = 'zebra' WHERE message_id = 'b-0'")
    assert not archive.look(CANARY, entered=True).conversations
    assert not archive.look(CANARY, entered=True).messages
    assert archive.names("apple") == ["a"]
    assert archive.names("zebra") == ["b"]
    archive.run("DELETE FROM conversations")
    assert not archive.look("apple").conversations
    assert archive.health().extra == 0
    assert archive.sound


def test_no_page_holds_a_deleted_word(archive):
    """After deleting, the words are on no page of a decrypted copy, signposts of the index included (M14, F13)."""
    canaries = [f"{chr(97 + n % 26)}{chr(97 + n // 26)}{CANARY}{n}" for n in range(300)]
    for number, canary in enumerate(canaries):
        archive.talk(f"c{number}", f"{canary} with filler{number} and more filler{number + 1}", title=canary)
        if number % 20 == 0:
            archive.catch_up()
    archive.talk("kept", "nothing special here")
    archive.catch_up()
    archive.store.empty_wal()
    assert CANARY.encode() in decrypted(archive)
    archive.run("DELETE FROM conversations WHERE conversation_id LIKE 'c%'")
    assert not archive.rows("SELECT term FROM search_words WHERE term LIKE ?", f"%{CANARY}%")
    archive.catch_up()
    archive.store.empty_wal()
    assert CANARY.encode() not in decrypted(archive)
    assert archive.names("special") == ["kept"]
    assert archive.sound


def decrypted(archive: Archive) -> bytes:
    """Return the file page by page decrypted, free pages included, through a plaintext copy of the whole file."""
    page, salt, behind = 4096, 16, 80
    data, out = archive.store.home.database.read_bytes(), []
    for start in range(0, len(data), page):
        skip = salt if start == 0 else 0
        body = data[start + skip : start + page - behind]
        vector = data[start + page - behind : start + page - behind + 16]
        key = Cipher(algorithms.AES256(KEY.reveal()), modes.CBC(vector)).decryptor()
        out.append(key.update(body) + key.finalize())
    return b"".join(out).lower()


def test_one_bad_conversation_keeps_no_other_back(archive):
    """What cannot be indexed is noted and passed over; it is tried a few times and then shown as stuck."""

    class Picky(SqlWordIndex):
        def put(self, unit: Unit, conversation_id: str, parts: Sequence[str]) -> None:
            if conversation_id == "bad":
                raise RuntimeError(CANARY)
            super().put(unit, conversation_id, parts)

    archive.index = Picky()
    archive.talk("bad", "a canary")
    archive.talk("good", "a canary")
    assert archive.names("canary") == ["good"]
    assert archive.diagnostics.troubles == [("search index", "RuntimeError")] * ATTEMPTS
    assert archive.health().stuck == 1
    assert not archive.health().ok
    archive.index = SqlWordIndex()
    archive.indexer().rebuild()
    assert sorted(archive.names("canary")) == ["bad", "good"]


def test_a_budget_is_kept_and_the_rest_comes_later(archive):
    """With no time left nothing is taken; the next call goes on."""
    archive.talk("a", "canary")
    assert archive.indexer().catch_up(0.0).done == 0
    assert archive.catch_up() == 1


@pytest.mark.parametrize("damaged", [False, True])
def test_rebuild(archive, damaged):
    """A rebuild tells how far it is and ends with the same index; what is damaged is thrown away first."""
    for number in range(5):
        archive.talk(f"c{number}", f"canary {number}")
    archive.catch_up()
    if damaged:
        archive.run("DELETE FROM fts_conv_data WHERE id > 10")
        assert not archive.sound
    told: list[Progress] = []
    archive.indexer().rebuild(told.append, damaged=damaged)
    assert (told[-1].done, told[-1].total) == (5, 5)
    assert len(archive.find("canary").conversations) == 5
    assert archive.sound
    assert archive.health().ok
    assert not archive.health().rebuilding


def test_a_rebuild_that_is_cut_short_goes_on(archive):
    """The old index serves while a rebuild waits; the next catching up finishes it."""
    archive.talk("a", "canary")
    archive.catch_up()
    with archive.store.unit() as unit:
        SqlWordIndex().begin_rebuild(unit)
    assert len(archive.look("canary").conversations) == 1
    assert archive.health().rebuilding
    assert archive.catch_up() == 1
    assert not archive.health().rebuilding


def test_a_further_part_gets_each_message_once(archive):
    """It gets every message once, with the one before it; a change brings it anew, a failure later."""
    part = ListedPart()
    archive.talk("a", "first", "second")
    archive.catch_up()
    archive.parts = (part,)
    archive.catch_up()
    archive.say("a", "third", first=2)
    archive.catch_up()
    assert [(row.content, row.previous) for row in part.had.values()] == [
        ("first", None),
        ("second", "first"),
        ("third", "second"),
    ]
    archive.run("UPDATE messages SET content = 'other' WHERE message_id = 'a-1'")
    part.fails = True
    archive.catch_up()
    assert archive.names("other") == ["a"]
    assert archive.diagnostics.troubles[0] == ("search part listed", "RuntimeError")
    part.fails = False
    archive.catch_up()
    assert sorted(row.content for row in part.had.values()) == ["first", "other", "third"]
    assert archive.health().pending == {}


def test_a_part_keeps_its_place_while_it_is_not_followed(archive):
    """A search that indexes words alone leaves the part its list."""
    part = ListedPart()
    archive.parts = (part,)
    archive.talk("a", "first")
    archive.catch_up()
    archive.talk("b", "second")
    archive.indexer().catch_up(follow=False)
    assert len(part.had) == 1
    archive.catch_up()
    assert len(part.had) == 2


def test_two_processes_may_index_at_once(archive):
    """Two that take turns index everything once."""
    other = SqlStore.open(archive.folder, KEY)
    for number in range(40):
        archive.talk(f"c{number}", "canary")
    with closing(other):
        with other.unit() as unit:
            for name in SqlWordIndex().take(unit, 15):
                SqlWordIndex().put(unit, name, ())
        archive.catch_up()
    assert archive.rows("SELECT count(*) FROM fts_conv_docsize") == [(40,)]
    assert archive.sound


def test_a_kill_at_any_point_loses_nothing(archive):
    """An indexer killed in the middle leaves a sound index, and the next one finishes (M13)."""
    for number in range(400):
        archive.talk(f"c{number}", *(f"canary number{number} word{place}" for place in range(4)))
    script = f"""
import sys; from pathlib import Path
sys.path.insert(0, {str(Path.cwd())!r})
from tests.integration.search.archive import Archive
archive = Archive(Path({str(archive.folder)!r}))
archive.indexer().catch_up(progress=lambda done: print(done.done, flush=True))
for _ in range(1000): archive.indexer().rebuild(progress=lambda done: print(done.done, flush=True))
"""
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    process.send_signal(signal.SIGKILL)
    process.communicate()
    archive.catch_up()
    health = archive.health()
    assert (health.indexed, health.conversations, health.missing, health.extra) == (1600, 400, 0, 0)
    assert archive.sound
    assert archive.names("number399") == ["c399"]


def indexing(archive: Archive) -> Indexing:
    return Indexing(archive.store, archive.clock, TimeOrderedIds(archive.clock, SeededRng(3)), archive.diagnostics)


@pytest.mark.anyio
async def test_the_worker_indexes_and_a_dead_one_is_noticed(archive):
    """A worker takes what comes and beats while it lives; ended it is idle, and one that died is told within 10 s."""
    archive.talk("a", "canary")
    work = indexing(archive)
    task = work.run(TaskSpawner())
    while (await asyncio.to_thread(archive.health)).indexed == 0:
        pass
    assert archive.health().worker is Liveness.RUNNING
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
    assert archive.health().worker is Liveness.IDLE
    beat = timestamp(archive.clock.now())
    archive.run("UPDATE schedule SET holder = 'gone', held_until = ? WHERE job = 'search index'", beat)
    archive.clock.advance(10)
    assert archive.health().worker is Liveness.DEAD
    assert not archive.health().ok


def test_the_migration_lists_what_was_said_before(tmp_path):
    """Conversations of an older database are indexed after the migration, with their own dates (M15)."""
    archive = Archive(tmp_path / "home")
    archive.talk("a", "an old canary", at="2019-05-05T00:00:00.000000Z")
    archive.catch_up()
    script = Path(__file__).parents[3] / "src/auritas/store/migrations/versions/v0003/search.sql"
    listing = script.read_text(encoding="utf-8").strip().split("\n\n")[-1]
    archive.run(listing)
    assert archive.health().waiting == 1
    assert archive.names("canary") == ["a"]
    archive.close()


def test_the_index_is_inside_the_encrypted_file(archive):
    """No file but the database and its log holds the index, and neither can be read without the key."""
    archive.talk("a", CANARY)
    archive.catch_up()
    archive.store.empty_wal()
    assert all(CANARY.encode() not in file.read_bytes() for file in archive.folder.iterdir() if file.is_file())
    with closing(dbapi2.connect(str(archive.store.home.database))) as raw, pytest.raises(dbapi2.DatabaseError):
        raw.execute("SELECT * FROM fts_conv_data").fetchall()
    assert NEW_YEAR
