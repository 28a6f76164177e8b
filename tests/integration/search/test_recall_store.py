"""Recall over a real encrypted store."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from auritas.app.missing_embedder import NoEmbedderError
from auritas.app.recall import Recall
from auritas.kernel.clock import ManualClock, timestamp
from auritas.kernel.memory import Passage
from auritas.kernel.model import Role
from auritas.search.adapters.health_sql import is_sound
from auritas.search.model import IndexedMessage
from auritas.search.recall.service import NEAR
from auritas.search.recall.terms import terms
from auritas.store import SqlStore
from auritas.store.secret import Secret

KEY = Secret(b"\x31" * 32)

BOATS = ("We named the boat Heron.", "A lovely name for a boat!", "She leaks a little, though.")
BREAD = ("How long does the dough rest?", "Twelve hours, in the fridge.", "Then it bakes for forty minutes.")
TAXES = ("The tax office wants the form by June.", "I suggest to send it by registered mail.")


class Bag:
    """An embedder of words: texts with the same stems point the same way."""

    id = "bag"
    dimensions = 64

    def __init__(self, name: str = "bag") -> None:
        self.id = name
        self.embedded: list[str] = []

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        self.embedded += texts
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> list[float]:
        sums = np.full(self.dimensions, 1e-3)
        for term in terms(text):
            sums += np.frombuffer(sha256(term.encode()).digest() * 2, np.uint8).astype(np.float64) - 127.5
        found: list[float] = (sums / np.linalg.norm(sums)).tolist()
        return found


class Shelf:
    """A store of conversations with recall over it."""

    def __init__(self, folder: Path, clock: ManualClock, embedder: Bag | None) -> None:
        self.store = SqlStore.open(folder, KEY)
        self.clock = clock
        self.embedder = embedder
        self.recall = Recall(self.store, clock, lambda: self.embedder)
        self.seq = 0

    def talk(self, name: str, said: Sequence[str], *, project: str | None = None) -> list[IndexedMessage]:
        """Write a conversation that alternates between user and assistant, and index it."""
        rows, begun = [], self.clock.now()
        with self.store.unit() as unit:
            run = unit.connection.exec_driver_sql
            columns = "(conversation_id, created_at, updated_at, project_id) VALUES (?, ?, ?, ?)"
            run(f"INSERT INTO conversations {columns}", (name, timestamp(begun), timestamp(begun), project))
            for place, text in enumerate(said):
                self.seq += 1
                role, at = (Role.USER, Role.ASSISTANT)[place % 2], begun + timedelta(minutes=place)
                rows.append(IndexedMessage(self.seq, f"m{self.seq}", name, role, text, at))
                columns = "(seq, message_id, conversation_id, role, content, created_at) VALUES (?, ?, ?, ?, ?, ?)"
                run(f"INSERT INTO messages {columns}", (self.seq, f"m{self.seq}", name, role, text, timestamp(at)))
        self.index(rows)
        return rows

    def index(self, rows: Sequence[IndexedMessage]) -> None:
        """Do as the indexer does."""
        self.recall.index.prepare(rows)
        with self.store.unit() as unit:
            self.recall.index.add(unit, rows)

    def ask(self, question: str, *, without: str | None = None, project: str | None = None) -> tuple[Passage, ...]:
        """Return what would enter a prompt."""
        with self.store.read() as unit:
            return self.recall.for_prompt(unit, question, self.now, without, project)

    def search(self, text: str, limit: int = 5, *, at_least: float = 0.0) -> list[str]:
        """Return what is found on request, however far it is unless said."""
        with self.store.read() as unit:
            return [passage.text for passage in self.recall.on_request(unit, text, limit, at_least=at_least)]

    def run(self, statement: str, *values: object) -> list[object]:
        """Run one statement and return the first column."""
        with self.store.unit() as unit:
            found = unit.connection.exec_driver_sql(statement, values)
            return list(found.scalars()) if found.returns_rows else []

    @property
    def now(self) -> datetime:
        return self.clock.now()


@pytest.fixture
def shelf(tmp_path: Path, clock: ManualClock) -> Iterator[Shelf]:
    made = Shelf(tmp_path / "store", clock, Bag())
    yield made
    made.store.close()


def test_what_was_said_is_recalled_in_another_conversation(shelf: Shelf) -> None:
    """A question that looks back gets the passage, with its score and its place (M6, M16)."""
    shelf.talk("boats", BOATS)
    shelf.talk("bread", BREAD)
    found = shelf.ask("What did we name the boat?")
    assert found[0].text == BOATS[0]
    assert found[0].conversation_id == "boats"
    assert 0.5 <= found[0].score <= 1


def test_a_search_by_meaning_finds_nothing_where_nothing_is_near(shelf: Shelf) -> None:
    """What has nothing to do with the words is left out, instead of standing there as the least far."""
    shelf.talk("boats", BOATS)
    shelf.talk("bread", BREAD)
    assert set(shelf.search("boat Heron", limit=99)) == {*BOATS, *BREAD}
    near = shelf.search("boat Heron", limit=99, at_least=NEAR)
    assert BOATS[0] in near
    assert not {*BREAD} <= {*near}


def test_a_question_that_does_not_look_back_recalls_nothing(shelf: Shelf) -> None:
    """Without a reference to the past no passage enters a prompt, however near it is (M7)."""
    shelf.talk("boats", BOATS)
    assert shelf.ask("How does one name a boat?") == ()


def test_an_unrelated_question_gets_nothing_even_when_it_looks_back(shelf: Shelf) -> None:
    """Passages below the threshold stay out of a prompt (M7)."""
    shelf.talk("bread", BREAD)
    assert shelf.ask("What did I say about the mortgage?") == ()


def test_the_conversation_that_goes_on_is_left_out(shelf: Shelf) -> None:
    """What stands in the conversation already is not recalled into it (M16)."""
    shelf.talk("boats", BOATS)
    assert shelf.ask("What did we name the boat?", without="boats") == ()


def test_a_project_recalls_only_its_own_conversations(shelf: Shelf) -> None:
    """Inside a project nothing of other projects is recalled (M9)."""
    shelf.run("INSERT INTO projects (project_id, name, created_at) VALUES ('p', 'Harbour', ?)", timestamp(shelf.now))
    shelf.talk("boats", BOATS, project="p")
    shelf.talk("other", ("We named the boat Stork.",))
    assert {passage.conversation_id for passage in shelf.ask("What did we name the boat?", project="p")} == {"boats"}


def test_deleted_messages_leave_no_word_in_the_index(shelf: Shelf) -> None:
    """Deleting a conversation takes its stems, vectors, signs and counts with it (M14)."""
    shelf.talk("boats", BOATS)
    shelf.talk("bread", BREAD)
    shelf.run("DELETE FROM conversations WHERE conversation_id = 'boats'")
    for table in ("recall_turns", "recall_signs", "message_vectors", "fts_recall"):
        assert shelf.run(f"SELECT count(*) FROM {table}") == [len(BREAD)]  # noqa: S608  the names above
    assert shelf.run("SELECT count(*) FROM fts_recall_terms WHERE term = 'heron'") == [0]
    assert shelf.run("SELECT messages FROM recall_totals") == [len(BREAD)]
    assert shelf.search("boat Heron", limit=9) != []
    assert not {*BOATS} & {*shelf.search("boat Heron", limit=9)}


def test_a_changed_message_is_found_by_its_new_words_only(shelf: Shelf) -> None:
    """Indexing a message again replaces what was there, and totals stay right (M15)."""
    rows = shelf.talk("boats", BOATS)
    shelf.run("UPDATE messages SET content = 'The ship is called Stork.' WHERE seq = 1")
    shelf.index([IndexedMessage(1, "m1", "boats", Role.USER, "The ship is called Stork.", rows[0].created_at)])
    assert shelf.run("SELECT count(*) FROM fts_recall_terms WHERE term = 'heron'") == [0]
    assert shelf.run("SELECT messages FROM recall_totals") == [len(BOATS)]
    assert shelf.search("ship Stork")[0] == "The ship is called Stork."


def test_clearing_forgets_everything_and_a_rebuild_restores_it(shelf: Shelf) -> None:
    """A rebuild gives the same ranking as before (M15)."""
    rows = [*shelf.talk("boats", BOATS), *shelf.talk("bread", BREAD)]
    before = shelf.search("boat")
    with shelf.store.unit() as unit:
        shelf.recall.index.clear(unit)
    assert shelf.search("boat") == []
    shelf.index(rows)
    assert shelf.search("boat") == before


def test_a_damaged_index_is_made_anew(shelf: Shelf) -> None:
    """Damage in the index of recall is seen, and a rebuild heals it; before it even a deletion would fail (M15)."""
    rows = [*shelf.talk("boats", BOATS), *shelf.talk("bread", BREAD)]
    before = shelf.search("boat")
    shelf.run("UPDATE fts_recall_data SET block = x'00112233445566' WHERE id > 10")
    with shelf.store.unit() as unit:
        assert not is_sound(unit)
        shelf.recall.index.clear(unit)
        assert is_sound(unit)
    shelf.index(rows)
    assert shelf.search("boat") == before
    assert shelf.run("SELECT messages FROM recall_totals") == [len(rows)]
    shelf.run("DELETE FROM messages WHERE conversation_id = 'boats'")
    assert shelf.run("SELECT messages FROM recall_totals") == [len(BREAD)]
    assert "heron" not in shelf.run("SELECT term FROM fts_recall_terms")
    assert shelf.run("SELECT v FROM fts_recall_config WHERE k = 'secure-delete'") == [1]


def test_an_import_gets_its_vectors_bit_by_bit(shelf: Shelf) -> None:
    """Many messages are indexed by words at once and embedded later, each once, in bounded pieces (M15)."""
    said = [f"Remark number {number} about sails." for number in range(40)]
    shelf.talk("import", said)
    assert shelf.run("SELECT count(*) FROM message_vectors") == [0]
    steps = []
    while step := shelf.recall.embed_missing(16):
        steps.append(step)
    assert steps == [16, 16, 8]
    assert shelf.embedder is not None
    assert sorted(shelf.embedder.embedded) == sorted(said)


def test_another_embedder_takes_over(shelf: Shelf) -> None:
    """Vectors of two embedders are never compared: those of the old one are replaced (M16)."""
    shelf.talk("boats", BOATS)
    shelf.recall = Recall(shelf.store, shelf.clock, lambda: Bag("another"))
    assert shelf.recall.embed_missing(99) == len(BOATS)
    assert shelf.run("SELECT DISTINCT embedder FROM message_vectors") == ["another"]
    assert shelf.run("SELECT DISTINCT embedder FROM recall_signs") == ["another"]


def test_without_an_embedder_words_alone_recall(tmp_path: Path, clock: ManualClock) -> None:
    """Nothing installed that makes vectors: prompts get what words find, and a search by meaning says why not (M16)."""
    shelf = Shelf(tmp_path / "store", clock, None)
    shelf.talk("boats", BOATS)
    shelf.talk("bread", BREAD)
    assert {passage.conversation_id for passage in shelf.ask("What did we name the boat?")} == {"boats"}
    assert shelf.recall.embed_missing() == 0
    with pytest.raises(NoEmbedderError):
        shelf.search("boat")
    shelf.store.close()


def test_quotes_and_operators_in_a_question_are_words(shelf: Shelf) -> None:
    """Whatever is asked is looked up as words, never read as a query (M14)."""
    shelf.talk("boats", BOATS)
    for question in ('"boat" OR NOT (x', "boat* AND -heron", "NEAR(boat)", "", "'; DROP TABLE messages", "日本語"):
        shelf.search(question)
    assert shelf.search('"boat" OR NOT (x')[0] in BOATS
