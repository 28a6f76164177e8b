"""Recalling what was said in earlier conversations: for a prompt where the question looks back, and on request."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING

from auritas.app.missing_embedder import NoEmbedderError
from auritas.kernel.clock import Clock
from auritas.kernel.memory import Passage
from auritas.kernel.ports import EmbeddingPort, Store
from auritas.search.adapters.recall_sql import AT_ONCE, RecallIndex
from auritas.search.recall.cues import looks_back
from auritas.search.recall.service import NEAR, Recaller
from auritas.store import Unit

if TYPE_CHECKING:
    from auritas.app.memory_parts import MemoryParts

PASSAGES = 3
"""That enter a prompt at most: they take the place of other things in a small window."""


@dataclass
class Recall:
    """Finds passages of earlier conversations. load: returns the embedder, or None while none is installed."""

    store: Store[Unit]
    clock: Clock
    load: Callable[[], EmbeddingPort | None]
    _embedder: EmbeddingPort | None = None

    def embedding(self) -> EmbeddingPort | None:
        """Return the embedder, loaded once, or None while none is installed."""
        if self._embedder is None:
            self._embedder = self.load()
        return self._embedder

    @cached_property
    def index(self) -> RecallIndex:
        """The part of the index that follows the messages; the indexer keeps it up."""
        return RecallIndex(self.embedding)

    def for_prompt(
        self, unit: Unit, question: str, now: datetime, conversation_id: str | None, project_id: str | None
    ) -> tuple[Passage, ...]:
        """Return what enters the prompts of a question: nothing, unless it refers to the user's own past."""
        if not looks_back(question):
            return ()
        return self._recaller().recall(
            unit, question, now=now, limit=PASSAGES, conversation_id=conversation_id, project_id=project_id
        )

    def on_request(self, unit: Unit, text: str, limit: int, *, at_least: float = NEAR) -> tuple[Passage, ...]:
        """Return the nearest passages of all conversations that are near at all. Raises NoEmbedderError."""
        if self.embedding() is None:
            raise NoEmbedderError
        return self._recaller().recall(unit, text, now=self.clock.now(), limit=limit, at_least=at_least)

    def embed_missing(self, count: int = AT_ONCE) -> int:
        """Embed some of the messages that have no vector yet, the newest first; return how many were taken."""
        return self.index.fill(self.store, count)

    def _recaller(self) -> Recaller[Unit]:
        return Recaller(self.index, self.embedding())


def recall_over(parts: "MemoryParts") -> Recall:
    """Return recall over the parts of a composition."""
    return Recall(parts.store, parts.clock, parts.sentence_embedding)
