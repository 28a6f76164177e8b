"""Vectors of texts: those of our own texts kept in a file, those of the user's questions in the encrypted store."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from sqlalchemy import Column, Select, select

from auritas.council.domains.meaning import Vectors
from auritas.kernel.ports import EmbeddingPort
from auritas.store import Unit
from auritas.store import schema as t

QUESTIONS_PER_NODE = 40
PAST_QUESTIONS = 2_000
"""Newest that the classifier looks at."""
_IDS_AT_ONCE = 1_000


class OwnVectors:
    """Embeds texts that ship with the program, once for each embedder, and keeps the vectors in a file.

    Never give it anything that a person or a model wrote: the file is not encrypted. Where it cannot be written, the
    vectors are computed anew.
    """

    def __init__(self, folder: Path, embedder: EmbeddingPort) -> None:
        self._folder = folder
        self._embedder = embedder

    def of(self, texts: Sequence[str]) -> Vectors:
        """Return one row for each text."""
        name = sha256("\0".join([self._embedder.id, *texts]).encode()).hexdigest()[:32]
        path = self._folder / f"{name}.npy"
        shape = (len(texts), self._embedder.dimensions)
        with suppress(OSError, ValueError, EOFError):
            kept: Vectors = np.load(path, allow_pickle=False)
            if kept.shape == shape and kept.dtype == np.float32:
                return kept
        vectors = embedded(self._embedder, texts)
        with suppress(OSError):
            self._keep(path, vectors)
        return vectors

    def _keep(self, path: Path, vectors: Vectors) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(".part.npy")
        np.save(part, vectors)
        part.replace(path)


def embedded(embedder: EmbeddingPort, texts: Sequence[str]) -> Vectors:
    """Return one row for each text."""
    return np.asarray(embedder.embed(texts), dtype=np.float32).reshape(len(texts), embedder.dimensions)


def vectors_of(unit: Unit, query_ids: Iterable[str], embedder: EmbeddingPort) -> dict[str, Vectors]:
    """Return the stored vectors of questions by this embedder; those of another do not compare and are left out."""
    c = t.question_vectors.c
    stored = select(c.query_id, c.vector).where(c.embedder == embedder.id)
    rows = (row for some in _parts(query_ids) for row in unit.connection.execute(stored.where(c.query_id.in_(some))))
    return {query_id: np.frombuffer(raw, dtype="<f4").astype(np.float32) for query_id, raw in rows}


def questions_naming(unit: Unit, strings: Collection[str]) -> tuple[str, ...]:
    """Return the newest questions in which a member named one of these strings, newest first."""
    named = _named(t.queries.c.query_id).where(t.domain_mentions.c.string.in_(list(strings)))
    newest = named.group_by(t.queries.c.query_id).order_by(t.queries.c.created_at.desc(), t.queries.c.query_id)
    return tuple(unit.connection.execute(newest.limit(QUESTIONS_PER_NODE)).scalars())


def texts_of(unit: Unit, query_ids: Collection[str]) -> dict[str, str]:
    """Return the words of questions."""
    query = select(t.queries.c.query_id, t.messages.c.content).join(
        t.messages, t.messages.c.message_id == t.queries.c.question_message_id
    )
    rows = (
        row
        for some in _parts(query_ids)
        for row in unit.connection.execute(query.where(t.queries.c.query_id.in_(some)))
    )
    return {row.query_id: row.content for row in rows}


def right_tags(unit: Unit) -> dict[str, dict[str, list[str]]]:
    """Return, for each of the newest graded questions, the tags of every answer that was right: query, run, tags."""
    # By id, the order of which is that of asking: the index has it, while times lie in the rows with the vectors.
    newest = select(t.question_vectors.c.query_id).order_by(t.question_vectors.c.query_id.desc()).limit(PAST_QUESTIONS)
    query = (
        _named(t.queries.c.query_id, t.model_runs.c.run_id, t.domain_mentions.c.string)
        .where(t.model_runs.c.correct.is_(True), t.queries.c.query_id.in_(newest))
        .order_by(t.queries.c.query_id, t.model_runs.c.run_id, t.domain_mentions.c.string)
    )
    found: dict[str, dict[str, list[str]]] = {}
    for query_id, run_id, string in unit.connection.execute(query):
        found.setdefault(query_id, {}).setdefault(run_id, []).append(string)
    return found


def _parts(ids: Iterable[str]) -> Iterator[list[str]]:
    """Yield ids by so many as one statement may name."""
    every = list(ids)
    for start in range(0, len(every), _IDS_AT_ONCE):
        yield every[start : start + _IDS_AT_ONCE]


def _named(*columns: Column[str]) -> Select[Any]:
    mentions, runs = t.domain_mentions, t.model_runs
    joined = mentions.join(runs, runs.c.run_id == mentions.c.run_id)
    chosen: Select[Any] = select(*columns)  # type: ignore[assignment]
    return chosen.select_from(joined.join(t.queries, t.queries.c.query_id == runs.c.query_id))
