"""A snapshot as JSON, and back."""

import math
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from auritas.council.choice.guard import Guard
from auritas.council.choice.record import Count, TrackRecord
from auritas.council.choice.rule import Weights
from auritas.council.choice.snapshot import Snapshot, Stage
from auritas.kernel.errors import InvalidError


def to_document(snapshot: Snapshot) -> dict[str, Any]:
    """Return the snapshot as plain JSON values, in the order of its fields."""
    return asdict(snapshot)


def from_document(document: Mapping[str, Any]) -> Snapshot:
    """Return the snapshot that `to_document` wrote. Raises InvalidError on anything else."""
    try:
        return Snapshot(
            grades=int(document["grades"]),
            seats=_names(document["seats"]),
            record=_record(document["record"]),
            weights=_weights(document["weights"]),
            guard=_guard(document["guard"]),
            stages=tuple(
                Stage(_names(one["seats"]), _weights(one["weights"]), _number(one["threshold"]), _number(one["stops"]))
                for one in document["stages"]
            ),
            correlations=_table(document["correlations"]),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InvalidError(f"What was learned cannot be read: {error}.", remedy="Try: auritas council refit") from None


def _record(document: Mapping[str, Any]) -> TrackRecord:
    counts = {
        seat: {node: Count(_number(count["right"]), _number(count["graded"])) for node, count in nodes.items()}
        for seat, nodes in document["counts"].items()
    }
    parents = dict(zip(document["parents"], _names(document["parents"].values()), strict=True))
    return TrackRecord(counts, parents, _numbers(document["prior"]))


def _weights(document: Mapping[str, Any]) -> Weights:
    """Return weights of which every number is one: a strange value must not surface in the middle of a question."""
    return Weights(
        seats=_numbers(document["seats"]),
        nodes=_table(document["nodes"]),
        forms=_table(document["forms"]),
        bias=_numbers(document["bias"]),
        none=_numbers(document["none"]),
        none_nodes=_numbers(document["none_nodes"]),
        oddness=_number(document["oddness"]),
        reports=_number(document["reports"]),
        unknown=_number(document["unknown"]),
    )


def _guard(document: Mapping[str, Any]) -> Guard:
    numbers = {name: _number(document[name]) for name in ("gain", "expected", "measured", "error")}
    return Guard(document["council"] is True, **numbers, questions=int(document["questions"]))


def _table(document: Mapping[str, Any]) -> dict[str, dict[str, float]]:
    return {name: _numbers(values) for name, values in document.items()}


def _numbers(document: Mapping[str, Any]) -> dict[str, float]:
    return {name: _number(value) for name, value in document.items()}


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(f"{value!r} is no number")
    return float(value)


def _names(values: Any) -> tuple[str, ...]:
    names = tuple(values)
    if isinstance(values, str) or not all(isinstance(name, str) for name in names):
        raise ValueError(f"{values!r} are no names")
    return names
