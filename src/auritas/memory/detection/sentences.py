"""The sentences that we wrote and labelled: most to train on, the rest kept apart and only measured on."""

import json
from dataclasses import dataclass
from functools import cache
from importlib import resources

from auritas.memory.detection.model import Before


@dataclass(frozen=True, slots=True)
class Labelled:
    """One message. apart: never trained on. meant: it is to be remembered. kind: of what sort it is."""

    apart: bool
    meant: bool
    kind: str
    said: str
    before: Before | None


@cache
def labelled() -> tuple[Labelled, ...]:
    """Return all sentences that ship with Auritas, in their order."""
    text = resources.files("auritas.memory.detection").joinpath("data", "sentences.jsonl").read_text(encoding="utf-8")
    return tuple(_read(line) for line in text.splitlines())


def _read(line: str) -> Labelled:
    entry = json.loads(line)
    before = Before(entry["question"], entry["answer"]) if "question" in entry else None
    return Labelled(entry["part"] == "apart", entry["meant"], entry["kind"], entry["said"], before)
