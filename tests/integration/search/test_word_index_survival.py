"""The index over what processes do to it: kills, old databases, deletions in the middle of merges, real embeddings."""

import os
import signal
import subprocess
import sys
from contextlib import closing
from datetime import UTC, timedelta
from pathlib import Path

import pytest
from tests.integration.search.archive import KEY, Archive

from auritas.app.indexing import Indexing
from auritas.app.recall import Recall
from auritas.app.search import Search
from auritas.app.sweeping import swept
from auritas.gateway.adapters.minilm import MiniLm
from auritas.kernel.clock import ManualClock
from auritas.kernel.ids import TimeOrderedIds
from auritas.kernel.randomness import SeededRng
from auritas.search.adapters.pages import rewrite
from auritas.search.model import Liveness, Order
from auritas.store.engine import Access, connect
from auritas.store.home import Home
from auritas.store.migration import migrate

MODELS = Path(os.environ.get("AURITAS_MODEL_DIR", "")) / "minilm-l6-v2"
LONG_AGO = "2019-05-05T00:00:00.000000Z"
NOTICED_WITHIN = timedelta(seconds=10)
CANARY = "qwyzzx"
FILLER = "nothing to see here, and so on for a while. " * 100


@pytest.fixture
def archive(tmp_path):
    found = Archive(tmp_path / "home")
    yield found
    found.close()


def test_a_killed_worker_is_noticed_within_ten_seconds(archive):
    """A worker process that is killed counts as dead ten seconds after its last beat, and not before (M13)."""
    archive.talk("a", "canary")
    script = f"""
import asyncio, sys; from pathlib import Path
sys.path.insert(0, {str(Path.cwd())!r})
from tests.integration.search.archive import Archive
from auritas.app.indexing import Indexing
from auritas.kernel.clock import SystemClock
from auritas.kernel.ids import TimeOrderedIds
from auritas.kernel.randomness import SeededRng
from auritas.kernel.tasks import TaskSpawner
archive = Archive(Path({str(archive.folder)!r}))
async def work():
    clock = SystemClock()
    task = Indexing(archive.store, clock, TimeOrderedIds(clock, SeededRng(1)), archive.diagnostics).run(TaskSpawner())
    while not archive.health().indexed:
        await clock.sleep(0.01)
    print("indexed", flush=True)
    await task
asyncio.run(work())
"""
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"indexed\n"
    process.send_signal(signal.SIGKILL)
    process.communicate()
    beat = archive.health().beat
    assert beat is not None
    archive.clock = ManualClock(beat)
    assert archive.health().worker is Liveness.RUNNING
    archive.clock.advance(NOTICED_WITHIN.total_seconds())
    assert archive.health().worker is Liveness.DEAD
    assert not archive.health().ok


def test_an_older_database_is_indexed_after_its_migration(tmp_path):
    """What was written under the second version of the schema is found after the migration, once, in its time (M15)."""
    home = Home(tmp_path / "home")
    home.folder.mkdir(mode=0o700)
    with closing(connect(home.database, KEY, Access.CREATE)) as raw:
        raw.execute("PRAGMA journal_mode=WAL")
        migrate(raw, home.database, target="0002")
        talk = "INSERT INTO conversations (conversation_id, title, created_at, updated_at) VALUES (?, ?, ?, ?)"
        raw.execute(talk, ("a", "Birds", LONG_AGO, LONG_AGO))
        said = "INSERT INTO messages (message_id, conversation_id, role, content, created_at) VALUES (?, ?, ?, ?, ?)"
        raw.execute(said, ("a-0", "a", "user", "an old canary", LONG_AGO))
        raw.execute(said, ("a-1", "a", "assistant", "a finch", LONG_AGO))
    with closing(Archive(home.folder)) as archive:
        assert archive.health().waiting == 1
        (hit,) = archive.find("canary finch").conversations
        assert (hit.conversation_id, hit.at.year) == ("a", 2019)
        assert archive.rows("SELECT DISTINCT created_at FROM messages") == [(LONG_AGO,)]
        assert archive.health().ok
        assert archive.catch_up() == 0
        assert archive.sound


@pytest.mark.parametrize("batches", [1, 2, 3, 4, 5, 9, 16, 17, 33])
def test_rewriting_leaves_no_deleted_word_whatever_merges_were_under_way(archive, batches):
    """However many segments there are, after a deletion and the sweep no page of an index holds the word (M14, F13)."""
    for number in range(batches):
        archive.talk(f"c{number}", f"{number}{CANARY} and more", title=f"{CANARY}{number}")
        archive.catch_up()
    archive.talk("kept", "special")
    archive.catch_up()
    archive.run("DELETE FROM conversations WHERE conversation_id LIKE 'c%'")
    assert swept(archive.store)
    for index in ("fts_conv", "fts_msg", "fts_title"):
        for table, column in ((f"{index}_data", "block"), (f"{index}_idx", "term")):
            held = f"SELECT count(*) FROM {table} WHERE instr({column}, CAST(? AS BLOB))"  # noqa: S608  our own names
            assert archive.rows(held, CANARY) == [(0,)]
    assert archive.names("special") == ["kept"]
    assert archive.sound


def test_rewriting_an_empty_index_is_fine(archive):
    """An index without rows is rewritten like any other, as often as one likes."""
    for _ in range(3):
        with archive.store.unit() as unit:
            assert rewrite(unit, "fts_msg", "content", "extra")
            assert rewrite(unit, "fts_recall", "terms", keeps_text=True)
    assert archive.sound


def test_few_are_ordered_by_relevance_while_typing_and_many_by_time(archive):
    """Of many conversations with a word the newest come first until Enter; then the relevant ones do."""
    archive.talk("best", "sonata sonata sonata", title="Sonata", at=LONG_AGO)
    for number in range(200):
        archive.talk(f"c{number}", "nothing much, but one sonata among the many things that there are")
    found = archive.find("sonata")
    assert found.order is Order.RECENCY
    assert "best" not in {hit.conversation_id for hit in found.conversations}
    entered = archive.look("sonata", entered=True)
    assert (entered.order, entered.conversations[0].conversation_id) == (Order.RELEVANCE, "best")


def test_the_place_in_a_long_conversation_is_looked_for_when_it_is_opened(archive):
    """While typing conversations are read only so far; opening one finds the place at any depth."""
    archive.talk("long", *([FILLER] * 40), "here is the canary", at=LONG_AGO)
    archive.catch_up()
    (hit,) = archive.look("canary").conversations
    assert hit.message_id is None
    assert archive.look("canary", entered=True).conversations[0].message_id == "long-40"
    assert search(archive).place("canary", "long") == "long-40"


@pytest.mark.models("small")
@pytest.mark.skipif(not MODELS.is_dir(), reason="needs the embedding weights: make test fetches them")
def test_a_passage_is_found_by_its_meaning(archive):
    """A search by meaning indexes what waits, and finds a passage that shares no word with what was asked."""
    archive.talk("home", "The cat sleeps on the warm radiator.", "She does so every winter.")
    archive.talk("work", "Store credentials hashed with a salt.", "Argon2 is a sound choice for that.")
    found = search(archive).meaning("how are passwords kept safe", 2)
    assert found[0].conversation_id == "work"


def search(archive: Archive) -> Search:
    """Return the use case over an archive, with the real embedder."""
    recall = Recall(
        archive.store,
        archive.clock,
        lambda: MiniLm(MODELS / "model.safetensors", MODELS / "tokenizer.json", "0" * 12),
    )
    ids = TimeOrderedIds(archive.clock, SeededRng(3))
    indexing = Indexing(archive.store, archive.clock, ids, archive.diagnostics, (recall.index,))
    return Search(archive.store, indexing, recall.on_request, UTC)
