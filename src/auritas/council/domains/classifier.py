"""What a question is about, decided by a frozen snapshot before anybody answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from auritas.council.domains.meaning import Vectors, centred
from auritas.council.domains.tags import trimmed
from auritas.council.domains.tree import GENERAL
from auritas.council.domains.wordlist import WordClassifier
from auritas.kernel.ports import EmbeddingPort

TEMPERATURE = 0.03
"""Of the soft-max; it has the least log-loss on the exemplars themselves, each left out in turn (0.44 nats)."""
NEAREST = 3
"""Exemplars of a node that are looked at; the other half of its fit is the node's centre."""
NO_FIT = 0.08
"""Fit below which a question belongs to no node."""
NEIGHBOURS = 5
NEIGHBOUR_COSINE = 0.5
"""Centred cosine from which a past question counts, and above which what it says weighs."""
NEIGHBOURS_AT_MOST = 0.5
"""Share of the whole that past questions can have."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A question as the classifier read it. shares: as `classify` returns them.

    vector: of the question, by the embedder of that id; None without one.
    """

    shares: Mapping[str, float]
    vector: Sequence[float] | None = None
    embedder: str = ""


class DomainClassifier(Protocol):
    """Says what a question is about. It never sees an answer, and nothing changes it after it was made."""

    degraded: str
    """Why it does less than it could, as a sentence, or nothing."""

    def classify(self, text: str) -> Mapping[str, float]:
        """Return shares over the most specific nodes; they add up to 1, and none is below .05."""

    def read(self, text: str) -> Reading:
        """Return the shares together with the vector that they came from, so that it is computed once."""


@dataclass(frozen=True, slots=True)
class Examples:
    """Texts that belong to nodes, as vectors of one embedder. nodes: one for each row of `vectors`."""

    nodes: tuple[str, ...]
    vectors: Vectors


@dataclass(frozen=True, slots=True)
class PastQuestions:
    """Graded questions: their vectors, and what the members that were right said they are about."""

    vectors: Vectors
    shares: tuple[Mapping[str, float], ...]


@dataclass(frozen=True, slots=True)
class _Node:
    name: str
    examples: Vectors
    centre: Vectors

    def fit(self, vector: Vectors) -> float:
        """Return half the mean cosine to the nearest exemplars, half the cosine to their centre."""
        cosines = np.sort(self.examples @ vector)[-NEAREST:]
        return float(cosines.mean() + self.centre @ vector) / 2


class ExemplarClassifier:
    """Implements DomainClassifier by centred cosine to exemplars, refined by the nearest graded questions of the past.

    centre: vector that is taken off everything; by default the mean of the exemplars.
    """

    degraded = ""

    def __init__(
        self,
        embedder: EmbeddingPort,
        examples: Examples,
        past: PastQuestions | None = None,
        *,
        centre: Vectors | None = None,
    ) -> None:
        self._embedder = embedder
        self._mean = examples.vectors.mean(0) if centre is None else centre
        rows = centred(examples.vectors, self._mean)
        labels = np.array(examples.nodes)
        self._nodes = tuple(_node(str(name), rows[labels == name]) for name in sorted(set(examples.nodes)))
        self._past = PastQuestions(centred(past.vectors, self._mean), past.shares) if past and past.shares else None

    def classify(self, text: str) -> Mapping[str, float]:
        return self.read(text).shares

    def read(self, text: str) -> Reading:
        vector = self._embedder.embed([text])[0]
        return Reading(self._shares(vector), vector, self._embedder.id)

    def _shares(self, vector: Sequence[float]) -> Mapping[str, float]:
        row = centred(np.asarray([vector], dtype=np.float32), self._mean)[0]
        return trimmed(self._refined(self._by_exemplars(row), row))

    def _by_exemplars(self, row: Vectors) -> dict[str, float]:
        fits = np.array([node.fit(row) for node in self._nodes])
        if fits.max() < NO_FIT:
            return {GENERAL: 1.0}
        powers = np.exp((fits - fits.max()) / TEMPERATURE)
        shares = powers / powers.sum()
        return {node.name: float(share) for node, share in zip(self._nodes, shares, strict=True)}

    def _refined(self, shares: dict[str, float], row: Vectors) -> dict[str, float]:
        """Mix in what near questions of the past were about: the nearer and the more they are, up to one half."""
        if self._past is None:
            return shares
        cosines = self._past.vectors @ row
        near = [int(i) for i in np.argsort(-cosines, kind="stable")[:NEIGHBOURS] if cosines[i] > NEIGHBOUR_COSINE]
        weights = {i: float(cosines[i]) - NEIGHBOUR_COSINE for i in near}
        total = sum(weights.values())
        part = min(NEIGHBOURS_AT_MOST, total)
        mixed = {node: share * (1 - part) for node, share in shares.items()}
        for i, weight in weights.items():
            for node, share in self._past.shares[i].items():
                mixed[node] = mixed.get(node, 0.0) + part * weight / total * share
        return mixed


class KeywordClassifier:
    """Implements DomainClassifier by words alone."""

    degraded = "Domains are told by keywords only: the embedder is not installed (auritas models get minilm-l6-v2)."

    def __init__(self, names: Mapping[str, Sequence[str]], exemplars: Mapping[str, Sequence[str]]) -> None:
        self._words = WordClassifier(names, exemplars)

    def classify(self, text: str) -> Mapping[str, float]:
        return self._words.classify(text)

    def read(self, text: str) -> Reading:
        return Reading(self.classify(text))


def _node(name: str, rows: Vectors) -> _Node:
    centre = rows.mean(0)
    length = float(np.linalg.norm(centre))
    return _Node(name, rows, centre / length if length else centre)
