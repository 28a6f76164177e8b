"""How often the preference that matters for a question is found in a store of many.

A file is a JSON list of objects with `preference` and `question`, its name is their topic. A store holds one preference
with its question and others drawn from all topics; the question is the query.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from auritas.kernel.errors import InvalidError, NotFoundError
from auritas.search.evaluation.measures import difference, share
from auritas.search.evaluation.recall import gained, interval

AT: Final = (1, 5, 10)
HEADLINE: Final = 5

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Preference:
    """A preference with a question for which it matters."""

    topic: str
    text: str
    question: str


@dataclass(frozen=True, slots=True)
class Drawn:
    """One store and how it ranked. rank, plain: places of the wanted one, from 0, by relevance and by cosine alone.

    injected: whether the wanted one would be. others: how many of another topic there were; wrongly: how many of
    those would be injected.
    """

    rank: int
    plain: int
    injected: bool
    others: int
    wrongly: int
    plain_wrongly: int


@dataclass(frozen=True, slots=True)
class PreferenceReport:
    """All stores."""

    drawn: tuple[Drawn, ...]
    store: int
    preferences: int
    embedder: str


def read_preferences(folder: Path) -> tuple[Preference, ...]:
    """Return the preferences of all files of a folder. Raises NotFoundError and InvalidError."""
    paths = sorted(folder.glob("*.json"))
    if not paths:
        raise NotFoundError(f"There are no JSON files in {folder}.", remedy="Name a folder of preferences.")
    return tuple(found for path in paths for found in _read(path))


def _read(path: Path) -> list[Preference]:
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))
        return [Preference(path.stem, row["preference"], row["question"]) for row in rows]
    except (ValueError, KeyError, TypeError) as error:
        raise InvalidError(
            f"{path} is no list of preferences with questions.", remedy="See docs/design/recall.md for the format."
        ) from error


def stores(count: int, size: int, seed: int) -> Sequence[NDArray[np.intp]]:
    """Return a store for each of `count` preferences: itself first, then `size` - 1 others, each once."""
    if not 1 < size <= count:
        raise InvalidError(f"A store holds from 2 to {count} preferences, not {size}.", remedy="Change --store.")
    rng = np.random.default_rng(seed)
    drawn = []
    for wanted in range(count):
        others = rng.choice(count - 1, size - 1, replace=False)
        drawn.append(np.concatenate([[wanted], others + (others >= wanted)]))
    return drawn


def place_of_first(values: Floats) -> int:
    """Return how many are ranked before the first; ties count half, as drawing lots among them would on average."""
    before, equal = int((values > values[0]).sum()), int((values == values[0]).sum()) - 1
    return before + equal // 2


def to_document(report: PreferenceReport) -> dict[str, Any]:
    """Return the report as plain JSON values; all are shares."""
    ours = {count: [float(each.rank < count) for each in report.drawn] for count in AT}
    plain = {count: [float(each.plain < count) for each in report.drawn] for count in AT}
    wrong = [each.wrongly / each.others for each in report.drawn if each.others]
    plain_wrong = [each.plain_wrongly / each.others for each in report.drawn if each.others]
    found = {count: share(ours[count]) for count in AT}
    rate = share(wrong)
    return {
        "recall_at": {str(count): found[count].value for count in AT},
        "unrelated_injection_rate": rate.value,
        "related_injection_rate": share([float(each.injected) for each in report.drawn]).value,
        "stores": len(report.drawn),
        "store": report.store,
        "preferences": report.preferences,
        "embedder": report.embedder,
        "interval": {str(count): interval(found[count]) for count in AT},
        "unrelated_injection_interval": interval(rate),
        "plain": {
            "recall_at": {str(count): share(plain[count]).value for count in AT},
            "unrelated_injection_rate": share(plain_wrong).value,
        },
        "gain": {str(count): gained(difference(ours[count], plain[count])) for count in AT},
    }
