"""`auritas eval recall`: conversations of others through the index and the ranking of the product."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from auritas.app.missing_embedder import NoEmbedderError
from auritas.kernel.clock import timestamp
from auritas.kernel.model import Role
from auritas.kernel.ports import EmbeddingPort
from auritas.kernel.randomness import Entropy
from auritas.search.adapters.recall_sql import RecallIndex
from auritas.search.evaluation.baseline import Baseline
from auritas.search.evaluation.conversations import Conversation, Question, read_conversations
from auritas.search.evaluation.recall import Outcome, RecallReport, recalled, to_document
from auritas.search.model import IndexedMessage
from auritas.search.recall.model import Speakers
from auritas.search.recall.service import Recaller
from auritas.store import SqlStore, Unit
from auritas.store.envelope import KEY_BYTES
from auritas.store.secret import Secret

__all__ = ["RecallReport", "evaluate_recall", "to_document"]

Heard = Callable[[str], None]
Floats = NDArray[np.float64]
_MS = 1000.0
_ID = "conversation"


def evaluate_recall(
    folder: Path, embedder: EmbeddingPort | None, entropy: Entropy, heard: Heard = lambda _: None
) -> RecallReport:
    """Run each conversation through an encrypted store of its own, which is deleted afterwards.

    The first speaker is stored as the user and the second as the assistant, under their own names. Raises
    NoEmbedderError, NotFoundError and InvalidError.
    """
    if embedder is None:
        raise NoEmbedderError
    outcomes: list[Outcome] = []
    conversations = read_conversations(folder)
    for conversation in conversations:
        heard(f"conversation {conversation.name}")
        outcomes += _outcomes(conversation, embedder, entropy)
    turns = sum(len(conversation.turns) for conversation in conversations)
    return RecallReport(tuple(outcomes), len(conversations), turns, embedder.id)


def _outcomes(conversation: Conversation, embedder: EmbeddingPort, entropy: Entropy) -> Iterator[Outcome]:
    known = _Known(embedder)
    vectors = known.learn([turn.content for turn in conversation.turns])
    baseline = Baseline(conversation, vectors)
    with _store(entropy) as store:
        index = RecallIndex(lambda: known)
        _fill(store, index, conversation)
        user, assistant = (name.lower() for name in conversation.speakers)
        recaller = Recaller(index, known, Speakers((user,), (assistant,)))
        with store.read() as unit:
            _rank(recaller, unit, conversation, conversation.questions[0], vectors[0])  # what is loaded once
            for question in conversation.questions:
                began = time.process_time()
                vector = np.asarray(embedder.embed([question.text])[0], dtype=np.float64)
                embedded = time.process_time()
                ranked = _rank(recaller, unit, conversation, question, vector)
                cpu, embedding = time.process_time() - embedded, embedded - began
                plain = np.argsort(-baseline.values(question.text, vector), kind="stable").tolist()
                ours, theirs = recalled(ranked, question.evidence), recalled(plain, question.evidence)
                yield Outcome(question.category, ours, theirs, _MS * cpu, _MS * embedding)


def _rank(
    recaller: Recaller[Unit], unit: Unit, conversation: Conversation, question: Question, vector: Floats
) -> list[int]:
    """Return the places of the turns, best first; in the store they are numbered from 1."""
    asked = recaller.asked(question.text, conversation.turns[-1].at, vector)
    return [each.turn.seq - 1 for each in recaller.rank(unit, asked)]


class _Known:
    """The embedder, which remembers what it has embedded: turns go to the index and to the baseline."""

    def __init__(self, embedder: EmbeddingPort) -> None:
        self.id = embedder.id
        self.dimensions = embedder.dimensions
        self._embedder = embedder
        self._vectors: dict[str, Sequence[float]] = {}

    def learn(self, texts: Sequence[str]) -> Floats:
        """Embed `texts` and return their vectors, one a row."""
        new = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        self._vectors |= dict(zip(new, self._embedder.embed(new), strict=True))
        return np.array([self._vectors[text] for text in texts], dtype=np.float64)

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        self.learn(texts)
        return [self._vectors[text] for text in texts]


@contextmanager
def _store(entropy: Entropy) -> Iterator[SqlStore]:
    with TemporaryDirectory(prefix="auritas-eval-") as folder:
        store = SqlStore.open(Path(folder), Secret(entropy.token(KEY_BYTES)))
        try:
            yield store
        finally:
            store.close()


def _fill(store: SqlStore, index: RecallIndex, conversation: Conversation) -> None:
    """Write the turns as messages and index them, as the indexer would, and then their vectors."""
    rows = [
        IndexedMessage(place, f"{_ID}-{place}", _ID, _role(conversation, turn.speaker), turn.content, turn.at)
        for place, turn in enumerate(conversation.turns, start=1)
    ]
    with store.unit() as unit:
        begun = timestamp(conversation.turns[0].at)
        run = unit.connection.exec_driver_sql
        run("INSERT INTO conversations (conversation_id, created_at, updated_at) VALUES (?, ?, ?)", (_ID, begun, begun))
        columns = "(seq, message_id, conversation_id, role, content, created_at) VALUES (?, ?, ?, ?, ?, ?)"
        said = [(r.seq, r.message_id, _ID, r.role, r.content, timestamp(r.created_at)) for r in rows]
        run(f"INSERT INTO messages {columns}", said)
        index.add(unit, rows)
    while index.fill(store, len(rows)):
        pass


def _role(conversation: Conversation, speaker: str) -> Role:
    return Role.USER if speaker == conversation.speakers[0] else Role.ASSISTANT
