"""Tables of recorded answers: one JSON object a line, {id, domain, gold, answers: {model: text or null}}.

Two fields may be added: question, its words, and cost_micros, what each answer cost in millionths of a unit of money.
"""

import gzip
import json
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from auritas.kernel.errors import InvalidError, NotFoundError, UnavailableError, nearest, unreadable

FEWEST_ROWS = 40
"""A table with fewer questions cannot be split into halves that say anything."""
_REMEDY = 'Each line is {"id", "domain", "gold", "answers": {model: text or null}}; see the guide.'


@dataclass(frozen=True, slots=True)
class Row:
    """One question. answers: by model; None is silence, and a model that was not asked is not in it.

    cost_micros: by model, where the table has it.
    """

    id: str
    domain: str
    gold: str
    answers: Mapping[str, str | None]
    question: str = ""
    cost_micros: Mapping[str, int] = field(default_factory=dict)


def read_table(path: Path) -> tuple[Row, ...]:
    """Return the rows of a table, plain or compressed with gzip.

    Raises NotFoundError when there is no file, UnavailableError when it cannot be read, and InvalidError, with the
    number of the line, when it is no table, or has two questions of one id.
    """
    try:
        rows = tuple(_rows(path))
    except FileNotFoundError:
        raise NotFoundError(
            f"There is no file {path}.", remedy="Give a table of recorded answers with --data."
        ) from None
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise UnavailableError(f"{path} {unreadable(error)}.", remedy="Check the file.") from None
    except zlib.error:
        raise UnavailableError(f"{path} is damaged.", remedy="Check the file.") from None
    if not rows:
        raise InvalidError(f"The file {path.name} is empty.", remedy=_REMEDY)
    twice = next((name for name, count in Counter(row.id for row in rows).items() if count > 1), None)
    if twice is not None:
        raise InvalidError(f"{path.name} has the question {twice!r} twice.", remedy="Give each question its own id.")
    return rows


def _rows(path: Path) -> Iterator[Row]:
    with path.open("rb") as file:
        packed = file.read(2) == b"\x1f\x8b"
    opening = gzip.open if packed else open
    with opening(path, "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                yield _row(line, f"{path.name}, line {number}")


def _row(line: str, place: str) -> Row:
    try:
        given: Any = json.loads(line)
        answers = {str(model): None if said is None else str(said) for model, said in given["answers"].items()}
        question = str(given.get("question") or "")
        cost = {str(model): int(micros) for model, micros in (given.get("cost_micros") or {}).items()}
        return Row(str(given["id"]), str(given.get("domain") or ""), str(given["gold"]), answers, question, cost)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InvalidError(f"{place} is no recorded question: {_fault(error)}.", remedy=_REMEDY) from None


def _fault(error: Exception) -> str:
    match error:
        case json.JSONDecodeError():
            return "it is not JSON"
        case KeyError(args=(str(field), *_)):
            return f"it has no {field}"
        case _:
            return "a field has the wrong kind of value"


def models_of(rows: Sequence[Row]) -> tuple[str, ...]:
    """Return every model of the table, in the order of their names."""
    return tuple(sorted({model for row in rows for model in row.answers}))


def pool_of(rows: Sequence[Row], asked: Sequence[str]) -> tuple[str, ...]:
    """Return the models to be evaluated: `asked`, or all. Raises NotFoundError for one that the table lacks."""
    there = models_of(rows)
    for model in asked:
        if model not in there:
            remedy = nearest(model, there) or f"The table has: {', '.join(there)}"
            raise NotFoundError(f"The table has no answers of {model!r}.", remedy=remedy)
    return tuple(dict.fromkeys(asked)) or there


def require_enough(rows: Sequence[object]) -> None:
    """Raise InvalidError when the table is too small to be split."""
    if len(rows) < FEWEST_ROWS:
        raise InvalidError(
            f"The table has {len(rows)} questions that two of these models were asked; it takes {FEWEST_ROWS}.",
            remedy="Record more questions, or choose other models with --pool.",
        )
