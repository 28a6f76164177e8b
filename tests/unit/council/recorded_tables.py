"""Tables of recorded answers with known strengths, made from a seed."""

import gzip
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

LETTERS = "ABCDE"
STRENGTHS = {"ada": 0.85, "bob": 0.75, "eve": 0.7, "dan": 0.5}


def recorded(
    questions: int = 120, strengths: Mapping[str, float] = STRENGTHS, *, seed: int = 1, cost: bool = False
) -> list[dict[str, Any]]:
    """Return rows in which each model is right as often as it should be, and is silent in one answer of fifty."""
    rng = np.random.default_rng(seed)
    rows: list[dict[str, Any]] = []
    for number in range(questions):
        gold = LETTERS[rng.integers(len(LETTERS))]
        answers: dict[str, str | None] = {}
        for model, strength in strengths.items():
            wrong = [letter for letter in LETTERS if letter != gold]
            said = gold if rng.random() < strength else wrong[rng.integers(len(wrong))]
            answers[model] = None if rng.random() < 0.02 else said
        row: dict[str, Any] = {"id": str(number), "domain": ("law", "physics")[number % 2], "gold": gold}
        rows.append(row | {"answers": answers} | ({"cost_micros": dict.fromkeys(strengths, 100)} if cost else {}))
    return rows


def written(path: Path, rows: list[dict[str, Any]]) -> Path:
    """Write rows as JSON lines, compressed where the name says so."""
    text = "".join(json.dumps(row) + "\n" for row in rows).encode()
    path.write_bytes(gzip.compress(text) if path.suffix == ".gz" else text)
    return path
