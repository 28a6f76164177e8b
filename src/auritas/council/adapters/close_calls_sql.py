"""How close past questions were, to tell which are close now."""

import json

from sqlalchemy import desc, select

from auritas.store import Unit
from auritas.store import schema as t

NEWEST = 200


def past_gaps(unit: Unit) -> list[float]:
    """Return, for the newest decided questions with a rival, by how much the chosen candidate was likelier."""
    q = t.queries.c
    # The order of ids is that of their making, and they have an index: no question waits for a look at all others.
    query = select(q.decision).where(q.decision.is_not(None)).order_by(desc(q.query_id)).limit(NEWEST)
    gaps = []
    for document in unit.connection.execute(query).scalars():
        decision = json.loads(document)
        p = {c["id"]: c["p"] for c in decision["candidates"] if c.get("p") is not None}
        rivals = [value for key, value in p.items() if key != decision.get("chosen")]
        if decision.get("chosen") in p and rivals:
            gaps.append(p[decision["chosen"]] - max(rivals))
    return gaps
