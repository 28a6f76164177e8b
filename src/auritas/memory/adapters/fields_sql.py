"""The fields under which members filed their answers: forgotten where no other conversation named them.

What has become a domain of the tree stays one: the person sees it among the domains and can dissolve it.
"""

import json
from collections.abc import Collection, Mapping
from typing import Any

from sqlalchemy import delete, select, update

from auritas.store import Unit
from auritas.store import schema as t


def own_fields(unit: Unit, run_ids: Collection[str]) -> frozenset[str]:
    """Return the fields that these runs named, no other run did, and that are no domain."""
    d = t.domain_mentions.c
    inside: set[str] = set()
    outside: set[str] = set()
    for string, run_id in unit.connection.execute(select(d.string, d.run_id)):
        (inside if run_id in run_ids else outside).add(string)
    return frozenset(inside - outside - _domains(unit)) if inside else frozenset()


def forget_fields(unit: Unit, fields: Collection[str]) -> frozenset[int]:
    """Take fields out of the candidates and of the history of the tree; return which changes named them."""
    if not fields:
        return frozenset()
    candidates, events = t.domain_candidates, t.domain_events
    for field in fields:
        unit.connection.execute(delete(candidates).where(candidates.c.string == field))
    changed = set()
    for row in unit.connection.execute(select(events)).all():
        values = {"before": _without(row.before, fields), "after": _without(row.after, fields)}
        if row.node_id in fields:
            values["node_id"] = ""
        if values != {name: getattr(row, name) for name in values}:
            unit.connection.execute(update(events).where(events.c.seq == row.seq).values(**values))
            changed.add(row.seq)
    return frozenset(changed)


def _without(document: str, fields: Collection[str]) -> str:
    stored: Mapping[str, Any] = json.loads(document)
    left = {part: [each for each in stored[part] if not _names(each, fields)] for part in stored}
    return document if left == stored else json.dumps(left)


def _names(row: Mapping[str, Any], fields: Collection[str]) -> bool:
    """Whether a row of candidates or nodes, as a change of the tree keeps it, is about one of the fields."""
    return row.get("string") in fields or row.get("node_id") in fields


def _domains(unit: Unit) -> set[str]:
    names: set[str] = set()
    for node_id, aliases in unit.connection.execute(select(t.domain_nodes.c.node_id, t.domain_nodes.c.aliases)):
        names.update((node_id, *json.loads(aliases)))
    return names
