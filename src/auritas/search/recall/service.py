"""Recalling: what was said in the past that helps with a question."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Generic, Protocol, TypeVar

import numpy as np

from auritas.kernel.memory import Passage
from auritas.kernel.ports import EmbeddingPort
from auritas.search.recall.cues import speaker_asked
from auritas.search.recall.dates import periods
from auritas.search.recall.model import Asked, Floats, Pool, Speakers, Weighed
from auritas.search.recall.scoring import rank
from auritas.search.recall.terms import asked_terms

U_contra = TypeVar("U_contra", contravariant=True)
U = TypeVar("U")

HELPS: Final = 0.5
"""The score from which on a passage is taken to help; see `scoring.confidence`."""
NEAR: Final = 0.16
"""The score from which on a passage is near enough to be shown to whoever searches: `docs/design/recall.md` says how it
was found."""


@dataclass(frozen=True, slots=True)
class Where:
    """Which conversations are looked through. without: the one that goes on. project_id: only those of a project."""

    without: str | None = None
    project_id: str | None = None


EVERYWHERE: Final = Where()


class Past(Protocol[U_contra]):
    """All messages, so indexed that those which may help are found without reading the others."""

    def pool(self, unit: U_contra, asked: Asked, where: Where) -> Pool:
        """Return the messages that share rare words or meaning with the question, and their neighbours."""

    def passages(self, unit: U_contra, weighed: Sequence[Weighed]) -> tuple[Passage, ...]:
        """Return the messages themselves, in the same order."""


class Recaller(Generic[U]):
    """Finds in earlier conversations what helps with a question."""

    def __init__(self, past: Past[U], embedder: EmbeddingPort | None, speakers: Speakers | None = None) -> None:
        """embedder: None recalls by words alone. speakers: how questions name those who speak."""
        self._past = past
        self._embedder = embedder
        self._speakers = speakers or Speakers()

    def recall(
        self,
        unit: U,
        question: str,
        *,
        now: datetime,
        limit: int = 5,
        conversation_id: str | None = None,
        project_id: str | None = None,
        at_least: float = HELPS,
    ) -> tuple[Passage, ...]:
        """Return up to `limit` passages, best first, whose score is `at_least` so high.

        conversation_id: the conversation that goes on, which is left out. project_id: only conversations of a project.
        Embeds the question unless `asked` did; reads only.
        """
        asked = self.asked(question, now)
        ranked = self.rank(unit, asked, Where(conversation_id, project_id))
        return self._past.passages(unit, [each for each in ranked[:limit] if each.score >= at_least])

    def rank(self, unit: U, asked: Asked, where: Where = EVERYWHERE) -> list[Weighed]:
        """Return every message of the pool, best first."""
        return rank(asked, self._past.pool(unit, asked, where))

    def asked(self, question: str, now: datetime, vector: Floats | None = None) -> Asked:
        """Return a question as it is looked up; `vector`: of the question, where it is known already."""
        if vector is None and self._embedder is not None:
            vector = np.asarray(self._embedder.embed([question])[0], dtype=np.float64)
        return Asked(
            question,
            asked_terms(question, self._speakers.names),
            speaker_asked(question, self._speakers),
            periods(question, now.date()),
            vector,
        )
