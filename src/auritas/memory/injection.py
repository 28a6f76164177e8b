"""Which corrections enter the prompt of one question, and why each does or does not."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from auritas.kernel.memory import FACTORS, Factors, MemoryUse, UseReason
from auritas.memory.factors import WEIGHTS
from auritas.memory.model import Gates, Policy, Where
from auritas.memory.shelf import Shelf

Floats: TypeAlias = NDArray[np.float64]
Places: TypeAlias = NDArray[np.intp]

LEFT_OUT_SHOWN = 20
"""Of those in scope that do not enter, how many are kept with the run: the ones that came nearest."""

_CODES: Sequence[UseReason] = tuple(UseReason)
_CODE: Mapping[UseReason, int] = {reason: code for code, reason in enumerate(_CODES)}
ADMITTED = frozenset({UseReason.PINNED, UseReason.RULE_IN_SCOPE, UseReason.RELEVANT, UseReason.SCORE})
"""Reasons for which a correction enters as long as there is room."""


def inject(shelf: Shelf, relevance: Floats, where: Where, gates: Gates, now: datetime) -> tuple[MemoryUse, ...]:
    """Return the corrections in scope as they were weighed: all that enter, by score, then others by relevance.

    relevance: of each correction of the shelf to the question, in [0, 1]; 0: unrelated.
    """
    present = shelf.in_scope(where)
    refused = present & shelf.among(where.left_out)
    here = np.flatnonzero(present)
    if not here.size:
        return ()
    terms = _terms(shelf, relevance, now)
    scores = _scores(terms)
    # What is left out here hides nothing either: the wider one of its slot holds as if it were not there.
    reasons = _reasons(shelf, relevance, scores, gates, present & ~refused)
    reasons[refused] = _CODE[UseReason.LEFT_OUT]
    served = here[np.lexsort((here, -scores[here], reasons[here] != _CODE[UseReason.PINNED]))]
    enters = _fitting(shelf, reasons, served, gates.budget)
    left_out = served[~enters[served]]
    # What the person left out is always told; of the others, those that came nearest.
    nearest = left_out[np.lexsort((-relevance[left_out], ~refused[left_out]))]
    nearest = nearest[: max(LEFT_OUT_SHOWN, int(refused.sum()))]
    shown = np.concatenate((served[enters[served]], nearest))
    rows = np.stack([terms[name][shown] for name in FACTORS], axis=1).tolist()
    columns = (scores[shown], enters[shown], reasons[shown], shelf.columns.tokens[shown])
    each = zip(shown.tolist(), rows, *(column.tolist() for column in columns), strict=True)
    return tuple(
        MemoryUse(shelf.corrections[place], Factors(*factors), score, enter, _CODES[reason], tokens)
        for place, factors, score, enter, reason, tokens in each
    )


def _terms(shelf: Shelf, relevance: Floats, now: datetime) -> Mapping[str, Floats]:
    """Return what `factors.factors_of` says of every correction at once: ten thousand of them take milliseconds."""
    columns = shelf.columns
    left = shelf.remaining(now)
    return {
        "relevance": relevance,
        "failure_prevention": columns.failure_prevention,
        "importance": columns.importance,
        "recency": shelf.recency(now),
        "confidence": columns.confidence * left,
        "pinned": columns.pinned.astype(np.float64),
        "staleness": np.where(columns.confidence > 0, 1.0 - left, 1.0),
        "token_cost": columns.token_cost,
    }


def _scores(terms: Mapping[str, Floats]) -> Floats:
    """Return the weighted sum of the factors; see `factors.score_of`."""
    total = np.zeros(len(terms["relevance"]))
    for name, weight in WEIGHTS.items():
        total += weight * terms[name]
    return total


def _reasons(
    shelf: Shelf, relevance: Floats, scores: Floats, gates: Gates, present: NDArray[np.bool_]
) -> NDArray[np.int8]:
    """Return for each correction why it may enter, or why not."""
    relevant = relevance >= gates.relevance
    unrelated = _CODE[UseReason.NOT_RELEVANT]
    if gates.policy is Policy.THRESHOLD:
        enough = np.where(scores >= gates.score, _CODE[UseReason.SCORE], _CODE[UseReason.LOW_SCORE])
        reasons = np.where(relevant, enough, unrelated)
    else:
        facts = np.where(relevant, _CODE[UseReason.RELEVANT], unrelated)
        reasons = np.where(shelf.columns.is_fact, facts, _CODE[UseReason.RULE_IN_SCOPE])
    reasons = np.where(shelf.columns.pinned, _CODE[UseReason.PINNED], reasons).astype(np.int8)
    reasons[shelf.hidden(present)] = _CODE[UseReason.HIDDEN]
    return reasons


def _fitting(shelf: Shelf, reasons: NDArray[np.int8], served: Places, budget: int) -> NDArray[np.bool_]:
    """Return which corrections enter: the pinned ones always, the others in order while the budget lasts."""
    enters = np.zeros(len(shelf), dtype=np.bool_)
    may = np.isin(reasons[served], [_CODE[reason] for reason in ADMITTED])
    smallest = int(shelf.columns.tokens[served[may]].min()) if may.any() else 0
    for place in served[may].tolist():
        tokens, pinned = int(shelf.columns.tokens[place]), bool(shelf.columns.pinned[place])
        if pinned or tokens <= budget:
            enters[place] = True
            budget -= tokens
        elif budget < smallest:
            break
    out = served[may & ~enters[served]]
    reasons[out] = _CODE[UseReason.OVER_BUDGET]
    return enters


def entering(uses: Sequence[MemoryUse]) -> tuple[MemoryUse, ...]:
    """Return those that enter, the weightiest last: what stands nearest to the question is followed best."""
    return tuple(sorted((use for use in uses if use.injected), key=lambda use: (use.correction.is_fact, use.score)))
