"""How sure the council was of what it chose, as it was said then."""

import json
from dataclasses import dataclass

from sqlalchemy import select

from auritas.store import Unit
from auritas.store import schema as t


@dataclass(frozen=True, slots=True)
class SaidSure:
    """What was chosen for a question, by whom it was said, and P then. calibrated: whether P was a probability."""

    supporters: frozenset[str]
    p: float
    calibrated: bool


def said_sure(unit: Unit) -> dict[str, SaidSure]:
    """Return, for each finished question whose choice had a P, how sure the council was."""
    q = t.queries.c
    query = select(q.query_id, q.decision, q.p_right).where(q.status == "finished", q.decision.is_not(None))
    found = {}
    for query_id, document, p_right in unit.connection.execute(query):
        decision = json.loads(document)
        chosen = next((c for c in decision["candidates"] if c["id"] == decision.get("chosen")), None)
        p = None if chosen is None else chosen.get("p") if p_right is None else p_right
        if chosen is not None and p is not None:
            found[query_id] = SaidSure(frozenset(chosen["supporters"]), p, p_right is not None)
    return found
