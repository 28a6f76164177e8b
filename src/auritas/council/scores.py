"""Public scores: how often a model was right in a public examination, which is what is believed before any grade."""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files
from itertools import chain
from pathlib import Path
from typing import Any

from auritas.kernel.errors import InvalidError, NotFoundError, UnavailableError, unreadable

_DATA = "data/public_scores.toml"
_REMEDY = 'Each row is [[model]] with name = "…", score = 0.73 and, if you like, source = "…".'


@dataclass(frozen=True, slots=True)
class PublicScore:
    """One row. score: share of right answers, in (0, 1). also: other names of the model. own: the user wrote it."""

    model: str
    score: float
    source: str = ""
    also: tuple[str, ...] = ()
    own: bool = False

    def __post_init__(self) -> None:
        if not normalised(self.model):
            raise InvalidError("A public score needs the name of a model.")
        if not 0 < self.score < 1:
            raise InvalidError(
                f"A public score lies between 0 and 1, not {self.score:g}.",
                remedy="Give a share of right answers: 73 % is .73.",
            )


def normalised(name: str) -> str:
    """Return what two spellings of one model share: no provider before it, no case, every separator a dash."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower().rpartition("/")[2]).strip("-")


class PublicScores(Mapping[str, float]):
    """Scores by model; any spelling of a name finds its row. Of two rows for one model the later one counts.

    rows: those that count, by name.
    """

    def __init__(self, rows: Iterable[PublicScore]) -> None:
        unique: dict[str, PublicScore] = {}
        for row in rows:
            before = unique.get(normalised(row.model))
            unique[normalised(row.model)] = replace(row, also=(*before.also, *row.also)) if before else row
        self.rows = tuple(unique[name] for name in sorted(unique))
        # A model's own name beats another's alias.
        self._by_name = {normalised(name): row for row in self.rows for name in row.also} | unique

    def row(self, model: str) -> PublicScore | None:
        """Return the row of a model with its source, or None."""
        return self._by_name.get(normalised(model))

    def plus(self, rows: Iterable[PublicScore]) -> "PublicScores":
        """Return these scores and `rows`, which win."""
        return PublicScores(chain(self.rows, rows))

    def __getitem__(self, model: str) -> float:
        return self._by_name[normalised(model)].score

    def __contains__(self, model: object) -> bool:
        return isinstance(model, str) and normalised(model) in self._by_name

    def __iter__(self) -> Iterator[str]:
        return (row.model for row in self.rows)

    def __len__(self) -> int:
        return len(self.rows)


@lru_cache(maxsize=1)
def public_scores() -> PublicScores:
    """Return the scores that ship with Auritas."""
    return PublicScores(parse_scores(files("auritas.council").joinpath(_DATA).read_text(encoding="utf-8"), _DATA))


def read_scores(path: Path) -> PublicScores:
    """Return the scores in a file of the user's.

    Raises NotFoundError when there is none, UnavailableError when it cannot be read, InvalidError when it is no table.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise NotFoundError(f"There is no file {path}.", remedy="Give a TOML file with --scores.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise UnavailableError(f"{path} {unreadable(error)}.", remedy="Check the file.") from None
    return PublicScores(parse_scores(text, path.name, own=True))


def parse_scores(text: str, place: str, *, own: bool = False) -> tuple[PublicScore, ...]:
    """Return the rows of a TOML text. Raises InvalidError, which names the first row that cannot be read."""
    if not text.strip():
        raise InvalidError(f"The file {place} is empty.", remedy=_REMEDY)
    try:
        listed = tomllib.loads(text).get("model")
    except tomllib.TOMLDecodeError as error:
        raise InvalidError(f"{place} is not TOML: {error}.", remedy=_REMEDY) from None
    if not isinstance(listed, list) or not all(isinstance(item, dict) for item in listed):
        raise InvalidError(f"{place} is no table of scores.", remedy=_REMEDY)
    return tuple(_row(item, f"{place}, row {number}", own=own) for number, item in enumerate(listed, 1))


def _row(item: Mapping[str, Any], place: str, *, own: bool) -> PublicScore:
    name, score = item.get("name"), item.get("score")
    source, also = item.get("source", ""), item.get("also", [])
    if not (isinstance(name, str) and isinstance(source, str) and isinstance(score, int | float)):
        raise InvalidError(f"{place} needs a name and a score.", remedy=_REMEDY)
    if not isinstance(also, list) or not all(isinstance(other, str) for other in also):
        raise InvalidError(f"{place}: also is a list of names.", remedy=_REMEDY)
    try:
        return PublicScore(name, float(score), source, tuple(also), own)
    except InvalidError as error:
        raise InvalidError(f"{place}: {error.message}", remedy=error.remedy or _REMEDY) from None
