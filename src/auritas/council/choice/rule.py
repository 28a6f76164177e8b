"""Rule A: a conditional logit over the candidates and "none of these".

The score of a candidate is the sum over its supporters i of w_i + Σ_j p(j|q) v_ij + f_i(form); "none of these" has a
score of its own. P(candidate is right) is the share of exp(score). McFadden, Conditional logit analysis of qualitative
choice behavior (1974); as a weighted vote, Nitzan and Paroush (1982).
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from auritas.council.choice.model import Option, Situation

SHAPES = ("one", "options", "top", "top_squared", "silent")
"""What "none of these" depends on besides the domain: a constant, how many candidates there are, the share of the
asked who support the largest one, its square, and the share who were silent."""


@dataclass(frozen=True, slots=True)
class Weights:
    """The parameters of rule A, all in nats.

    seats: w_i. nodes: v_ij by seat and node. forms: f_i by seat and form. bias: what a form is worth whoever says it.
    none, none_nodes: of "none of these", by shape and by node. oddness: what each unit of it takes or adds. reports:
    the weight of recalibrated reports, at least 0. unknown:
    w_i of a seat that was never seen.
    """

    seats: Mapping[str, float]
    nodes: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    forms: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    bias: Mapping[str, float] = field(default_factory=dict)
    none: Mapping[str, float] = field(default_factory=dict)
    none_nodes: Mapping[str, float] = field(default_factory=dict)
    oddness: float = 0.0
    reports: float = 0.0
    unknown: float = 0.0

    def vote(self, seat: str, nodes: Mapping[str, float], form: str = "") -> float:
        """Return what the support of `seat` adds to a candidate's score."""
        total = self.seats.get(seat, self.unknown)
        by_node, by_form = self.nodes.get(seat), self.forms.get(seat)
        if by_node:
            total += sum(share * by_node.get(node, 0.0) for node, share in nodes.items())
        return total + by_form.get(form, 0.0) if by_form and form else total

    def scores(self, situation: Situation) -> tuple[float, ...]:
        """Return the score of each option and, last, of "none of these"."""
        nodes, said = situation.nodes, situation.reports
        return (*(self._score(option, nodes, said) for option in situation.options), self.none_of_these(situation))

    def _score(self, option: Option, nodes: Mapping[str, float], said: Mapping[str, float]) -> float:
        votes = math.fsum(self.vote(seat, nodes, option.form) for seat in option.supporters)
        reports = math.fsum(said.get(seat, 0.0) for seat in option.supporters) if said else 0.0
        of_option = self.bias.get(option.form, 0.0) + self.oddness * option.oddness
        return votes + of_option + self.reports * reports

    def none_of_these(self, situation: Situation) -> float:
        """Return the score of the option that no candidate is right."""
        shape = zip(SHAPES, shape_of(situation), strict=True)
        by_shape = sum(self.none.get(name, 0.0) * value for name, value in shape)
        return by_shape + sum(share * self.none_nodes.get(node, 0.0) for node, share in situation.nodes.items())


def shape_of(situation: Situation) -> tuple[float, ...]:
    """Return the values of SHAPES."""
    asked = max(len(situation.asked), 1)
    sizes = [len(option.supporters) for option in situation.options]
    top = max(sizes, default=0) / asked
    return (1.0, float(len(sizes)), top, top * top, 1 - sum(sizes) / asked)


def shares(scores: Sequence[float]) -> tuple[float, ...]:
    """Return exp(score) as shares that add up to 1."""
    top = max(scores)
    powers = [math.exp(score - top) for score in scores]
    total = math.fsum(powers)
    return tuple(power / total for power in powers)
