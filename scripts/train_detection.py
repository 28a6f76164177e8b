"""Train the classifier of corrections and write its weights: python scripts/train_detection.py FOLDER_OF_MINILM.

The same sentences and the same embedder give the same file. What it learns from is in
src/auritas/memory/detection/data/sentences.jsonl; sentences marked "apart" are not looked at.
"""

import hashlib
import json
import sys
from pathlib import Path

from auritas.gateway.adapters.minilm import MiniLm
from auritas.memory.detection.classifier import Weights
from auritas.memory.detection.features import NAMES, SIMILARITIES
from auritas.memory.detection.fitting import examples, fitted
from auritas.memory.detection.sentences import labelled

OUT = Path(__file__).parent.parent / "src" / "auritas" / "memory" / "detection" / "data" / "weights.json"
DIGITS = 3
"""Behind the point: the loss does not change in its fourth figure."""


def embedder(folder: Path) -> MiniLm:
    weights = folder / "model.safetensors"
    return MiniLm(weights, folder / "tokenizer.json", hashlib.sha256(weights.read_bytes()).hexdigest())


def as_json(weights: Weights, names: tuple[str, ...]) -> dict[str, object]:
    named = {name: round(value, DIGITS) for name, value in zip(names, weights.named, strict=True)}
    return {"bias": round(weights.bias, DIGITS), "named": named, "vector": [round(v, DIGITS) for v in weights.vector]}


def main() -> None:
    minilm = embedder(Path(sys.argv[1]))
    given = examples([each for each in labelled() if not each.apart], minilm)
    document = {
        "embedder": minilm.id,
        "rules": as_json(fitted(given, meaning=False), NAMES),
        "meaning": as_json(fitted(given, meaning=True), (*NAMES, *SIMILARITIES)),
    }
    OUT.write_text(json.dumps(document, separators=(",", ":")) + "\n", encoding="utf-8")
    left = sum(each.heard is not None for each in given)
    print(f"{len(given)} sentences, {left} of them left open by the rules; written to {OUT.name}.")


if __name__ == "__main__":
    main()
