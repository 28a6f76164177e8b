"""A recorded question through the code of a live one: answers become candidates, candidates a situation."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from auritas.council.candidates import candidates
from auritas.council.choice.model import Case, known
from auritas.council.choosing import situation_of
from auritas.council.equivalence import key, same_key
from auritas.council.evaluation.table import Row
from auritas.kernel.answers import Answer, Seat


@dataclass(frozen=True, slots=True)
class Replayed:
    """A recorded question. case: with its key. right: seats that are right. cost: of each answer, in micro-units."""

    id: str
    case: Case
    right: frozenset[str]
    cost: Mapping[str, int] = field(default_factory=dict)


def replayed(row: Row, pool: Sequence[str], seats: Mapping[str, Seat]) -> Replayed | None:
    """Return the row as a live question would have seen it, or None when fewer than two of the pool were asked."""
    asked = [model for model in pool if model in row.answers]
    if len(asked) < 2:  # noqa: PLR2004  one model is no council
        return None
    answers = [Answer(f"{row.id}/{model}", seats[model], text=row.answers[model] or "") for model in asked]
    groups = candidates(answers)
    domains = {row.domain: 1.0} if row.domain else {}
    situation = situation_of(row.question, groups, answers, domains)
    gold = key(row.gold)
    right = next((index for index, group in enumerate(groups) if same_key(key(group.text), gold)), None)
    winners = frozenset(groups[right].supporters) if right is not None else frozenset()
    return Replayed(row.id, known(situation, right), winners, row.cost_micros)


def replay(rows: Sequence[Row], pool: Sequence[str]) -> tuple[Replayed, ...]:
    """Return every row that at least two of the pool were asked."""
    seats = {model: Seat(model, model) for model in pool}
    return tuple(one for row in rows if (one := replayed(row, pool, seats)))
