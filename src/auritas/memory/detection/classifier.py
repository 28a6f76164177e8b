"""Stage 2: how likely a triggered sentence is meant as a correction, by a logistic regression with shipped weights."""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from auritas.memory.detection.features import NAMES, SIMILARITIES, Vectors, cosine, features, gainsays, similarities
from auritas.memory.detection.model import Before
from auritas.memory.detection.trigger import Heard

MOST = 30.0
"""Beyond this the logistic function is 0 or 1 in double precision, for all that matters here."""

GAINSAYING = 0.75
"""The least P of what takes a value of the answer and names another one: enough for a card, not for more."""


@dataclass(frozen=True, slots=True)
class Weights:
    """One model. named: by feature; vector: for the sentence's vector, empty for rules alone."""

    bias: float
    named: tuple[float, ...]
    vector: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Trained:
    """What scripts/train_detection.py wrote. embedder: whose vectors `meaning` was trained on."""

    embedder: str
    rules: Weights
    meaning: Weights


def by_rules(weights: Weights, heard: Heard, before: Before | None) -> float:
    """Return P(meant as a correction) without vectors."""
    return _at_least(heard, before, logistic(weights.bias + _dot(weights.named, features(heard, before))))


def by_meaning(weights: Weights, heard: Heard, before: Before | None, vectors: Vectors) -> float:
    """Return P(meant as a correction) from rules and vectors."""
    named = [*features(heard, before), *similarities(heard, vectors)]
    score = weights.bias + _dot(weights.named, named) + cosine(weights.vector, vectors.said)
    return _at_least(heard, before, logistic(score))


def _at_least(heard: Heard, before: Before | None, strength: float) -> float:
    return max(strength, GAINSAYING) if before is not None and gainsays(heard, before.answer) else strength


def logistic(x: float) -> float:
    """Return 1 / (1 + exp(-x))."""
    return 1 / (1 + math.exp(-max(-MOST, min(MOST, x))))


@cache
def trained() -> Trained:
    """Return the weights that ship with Auritas."""
    text = resources.files("auritas.memory.detection").joinpath("data", "weights.json").read_text(encoding="utf-8")
    data = json.loads(text)
    rules, meaning = data["rules"], data["meaning"]
    return Trained(
        data["embedder"],
        Weights(rules["bias"], tuple(rules["named"][name] for name in NAMES)),
        Weights(
            meaning["bias"],
            tuple(meaning["named"][name] for name in (*NAMES, *SIMILARITIES)),
            tuple(meaning["vector"]),
        ),
    )


def _dot(one: Sequence[float], other: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))
