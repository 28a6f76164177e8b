"""Fits the classifier: a logistic regression with a ridge penalty (Hastie et al., 2009, section 4.4)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from auritas.kernel.ports import EmbeddingPort
from auritas.memory.detection.classifier import Weights
from auritas.memory.detection.features import Vectors, features, similarities, texts
from auritas.memory.detection.model import Nothing
from auritas.memory.detection.sentences import Labelled
from auritas.memory.detection.service import considered
from auritas.memory.detection.trigger import Heard

RIDGE = 0.3
"""Penalty on the weights of named features; of those tried (0.2 to 1) about the best in cross-validation."""
RIDGE_VECTOR = 0.3
"""Penalty on the weights of the vector; its 384 numbers are each about 0.05, so that this holds them down."""

FALSE_ALARM = 2.5
"""How much worse it is to hear what was not meant than to miss what was: the first costs trust, the second a repeat."""

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence as the classifier gets it; heard is None where the rules have settled it before. settled: how."""

    sentence: Labelled
    heard: Heard | None
    settled: bool
    vectors: Vectors | None = None


def examples(sentences: Sequence[Labelled], embedder: EmbeddingPort | None) -> list[Example]:
    """Return what stage 1 makes of each sentence, with the vectors that stage 2 needs."""
    remembered = _Remembered(embedder) if embedder else None
    return [_example(sentence, remembered) for sentence in sentences]


def fitted(
    given: Sequence[Example], *, meaning: bool, ridge: float = RIDGE, ridge_vector: float = RIDGE_VECTOR
) -> Weights:
    """Return the weights with the least penalised log-loss. meaning: use vectors, which every example must have."""
    used = [each for each in given if each.heard is not None]
    named = np.array([_named(each, meaning=meaning) for each in used])
    vector = np.array([each.vectors.said for each in used if each.vectors]) if meaning else np.zeros((len(used), 0))
    labels = np.array([each.sentence.meant for each in used], dtype=np.float64)
    penalty = np.concatenate([[0.0], np.full(named.shape[1], ridge), np.full(vector.shape[1], ridge_vector)])
    rows = np.hstack([np.ones((len(used), 1)), named, vector])
    found = minimize(
        _loss,
        np.zeros(rows.shape[1]),
        args=(rows, labels, penalty),
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": 2000},
    )
    weights = [float(value) for value in found.x]
    end = 1 + named.shape[1]
    return Weights(weights[0], tuple(weights[1:end]), tuple(weights[end:]))


def _loss(weights: Array, rows: Array, labels: Array, penalty: Array) -> tuple[float, Array]:
    score = rows @ weights
    cost = np.where(labels == 1, 1.0, FALSE_ALARM)
    loss = cost * (np.logaddexp(0, score) - labels * score)
    error = cost * (1 / (1 + np.exp(-score)) - labels)
    return float(loss.sum() + penalty @ weights**2 / 2), rows.T @ error + penalty * weights


def _named(example: Example, *, meaning: bool) -> list[float]:
    if example.heard is None:
        return []
    named = features(example.heard, example.sentence.before)
    return [*named, *similarities(example.heard, example.vectors)] if meaning and example.vectors else named


class _Remembered:
    """Embeds each text once: many sentences follow the same answer."""

    def __init__(self, embedder: EmbeddingPort) -> None:
        self._embedder = embedder
        self._known: dict[str, Sequence[float]] = {}

    def embed(self, given: Sequence[str]) -> list[Sequence[float]]:
        new = [text for text in given if text not in self._known]
        self._known.update(zip(new, self._embedder.embed(new), strict=True))
        return [self._known[text] for text in given]


def _example(sentence: Labelled, embedder: _Remembered | None) -> Example:
    found = considered(sentence.said, sentence.before)
    if isinstance(found, Nothing):
        return Example(sentence, None, settled=False)
    heard = found.heard
    if heard.prefixed:
        return Example(sentence, None, settled=True)
    if embedder is None:
        return Example(sentence, heard, settled=False)
    vectors = [*embedder.embed(texts(heard, sentence.before)), None, None]
    return Example(sentence, heard, settled=False, vectors=Vectors(vectors[0] or (), vectors[1], vectors[2]))
