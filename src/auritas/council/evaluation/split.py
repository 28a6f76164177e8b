"""One split of an evaluation: what was learned on one half, and how every policy does on the other."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from auritas.council.choice.cascade import Progress
from auritas.council.choice.model import Case, restricted
from auritas.council.choice.policies import POLICIES, BestSingle, CouncilRule, Guarded
from auritas.council.choice.ranking import Policy
from auritas.council.choice.snapshot import Snapshot
from auritas.council.evaluation.metrics import Vector
from auritas.council.evaluation.replay import Replayed

_LIMITED = frozenset({CouncilRule().name, Guarded().name})
"""Policies that ask no more members than learning chose."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a policy said of each held question.

    hit: whether it was right. p: where it has one. calls: how many it asked. spent: what they cost, in micro-units.
    """

    hit: Vector
    p: Vector
    calls: Vector
    spent: Vector


@dataclass(frozen=True, slots=True)
class Split:
    """The held half of one split. single: hits of the best single model without fallback."""

    held: NDArray[np.int64]
    learned: Snapshot
    outcomes: Mapping[str, Outcome]
    single: Vector


def measured(questions: Sequence[Replayed], held: NDArray[np.int64], learned: Snapshot, names: Sequence[str]) -> Split:
    """Return how the policies `names` do on the questions at `held` with what was learned elsewhere."""
    half = [questions[index] for index in held]
    best = learned.seats[0]
    single = np.array([float(best in question.right) for question in half])
    return Split(held, learned, {name: outcome(half, POLICIES[name], learned) for name in names}, single)


def outcome(half: Sequence[Replayed], policy: Policy, learned: Snapshot) -> Outcome:
    """Return what `policy` says of each question."""
    said = [_said(question.case, policy, learned, question.cost) for question in half]
    return Outcome(*(np.array(column, float) for column in zip(*said, strict=True)))


def _said(
    case: Case, policy: Policy, learned: Snapshot, cost: Mapping[str, int] = MappingProxyType({})
) -> tuple[float, float, float, float]:
    seen = restricted(case, frozenset(learned.seats)) if policy.name in _LIMITED else case
    ranking = policy.rank(seen.situation, learned)
    hit = ranking.chosen is not None and ranking.chosen == seen.right
    p = ranking.p[ranking.chosen] if ranking.p and ranking.chosen is not None else 0.0
    asked = _asked(seen, policy, learned)
    return float(hit), p, float(len(asked)), float(sum(cost.get(seat, 0) for seat in asked))


def _asked(case: Case, policy: Policy, learned: Snapshot) -> Sequence[str]:
    """Return the members that the policy needs: one after another until somebody answers, or all."""
    one_by_one = isinstance(policy, BestSingle) or (isinstance(policy, Guarded) and not learned.guard.council)
    if not one_by_one:
        return case.situation.asked
    order = sorted(case.situation.asked, key=lambda seat: -learned.record.rate(seat))
    answered = case.situation.answered
    return order[: next((place for place, seat in enumerate(order, 1) if seat in answered), len(order))]


def cascaded(half: Sequence[Replayed], learned: Snapshot) -> Progress:
    """Return what each stage of the cascade says of each question, through the rule that a live question uses."""
    sizes = [*(len(stage.seats) for stage in learned.stages), len(learned.seats)]
    rows = [[_said_by(question.case, learned.seats[:size], learned) for question in half] for size in sizes]
    table = np.array(rows, float)
    return Progress(table[:, :, 1], table[:, :, 0], tuple(sizes))


def _said_by(case: Case, seats: Sequence[str], learned: Snapshot) -> tuple[float, float]:
    hit, p, *_ = _said(restricted(case, frozenset(seats)), CouncilRule(), learned)
    return hit, p
