"""Learning the weights of rule A from past questions.

Maximises the penalised marginal log-likelihood Σ_q log Σ_c P(c | q) L(grades | c) - Σ λ (θ - θ⁰)². With sure grades
this is the convex conditional logit; with noisy or partial ones it is the function that the EM algorithm over the
hidden right answer climbs (Dempster, Laird and Rubin, 1977), climbed here directly: its gradient is P minus the
posterior.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import chain

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_array

from auritas.council.choice.model import Case, Situation
from auritas.council.choice.penalties import Penalties
from auritas.council.choice.rule import SHAPES, Weights, shape_of

Vector = NDArray[np.float64]

Loss = Callable[[Vector], tuple[float, Vector]]
"""The loss of some parameters, in nats, and its gradient."""

_TINY = 1e-12
_ITERATIONS = 200
_RELATIVE_TOLERANCE = 1e-7


@dataclass(frozen=True, slots=True)
class Names:
    """Which parameter stands where.

    Seats, then seats by node, seats by form, forms, oddness, reports; of "none of these" the shapes, then the nodes.
    """

    seats: tuple[str, ...]
    nodes: tuple[str, ...]
    forms: tuple[str, ...]

    @property
    def of_options(self) -> int:
        """How many parameters an option's score has."""
        return len(self.seats) * (1 + len(self.nodes) + len(self.forms)) + len(self.forms) + 2

    @property
    def reports(self) -> int:
        """The place of the weight of reports."""
        return self.of_options - 1

    @property
    def of_none(self) -> int:
        """How many parameters the score of "none of these" has."""
        return len(SHAPES) + len(self.nodes)


@dataclass(frozen=True, slots=True)
class Design:
    """Past questions as matrices. options: one row an option. none: one row a question. start: first row of each."""

    names: Names
    options: csr_array
    none: Vector
    start: NDArray[np.int64]
    likelihood: Vector
    none_likelihood: Vector
    supports: Vector = field(repr=False)
    """One row an option, one column a seat: who supports what."""

    def __len__(self) -> int:
        return len(self.none)

    @property
    def question(self) -> NDArray[np.int64]:
        """The question that each option belongs to."""
        return np.repeat(np.arange(len(self)), np.diff(self.start))

    def rows(self, chosen: NDArray[np.int64]) -> "Design":
        """Return the design of some questions alone."""
        sizes = np.diff(self.start)[chosen]
        ends = np.cumsum(sizes)
        rows = np.arange(sizes.sum()) + np.repeat(self.start[chosen] - (ends - sizes), sizes)
        return Design(
            self.names,
            self.options[rows],
            self.none[chosen],
            np.concatenate(([0], ends)).astype(np.int64),
            self.likelihood[rows],
            self.none_likelihood[chosen],
            self.supports[rows],
        )


def design(cases: Sequence[Case]) -> Design:
    """Return the matrices of the cases that have a candidate and a grade; the others teach nothing."""
    used = [case for case in cases if case.teaches]
    names = _names(used)
    situations = [case.situation for case in used]
    seat_of = {seat: index for index, seat in enumerate(names.seats)}
    node_of = {node: index for index, node in enumerate(names.nodes)}
    form_of = {form: index for index, form in enumerate(names.forms)}
    seats, forms = len(names.seats), len(names.forms)
    to_nodes, to_forms, to_bias = seats, seats * (1 + len(node_of)), seats * (1 + len(node_of) + forms)
    columns: list[int] = []
    values: list[float] = []
    ends = [0]
    for situation in situations:
        nodes = [(to_nodes + node_of[node] * seats, share) for node, share in situation.nodes.items()]
        for option in situation.options:
            form = form_of.get(option.form)
            for seat in option.supporters:
                index = seat_of[seat]
                columns.append(index)
                values.append(1.0)
                for offset, share in nodes:
                    columns.append(offset + index)
                    values.append(share)
                if form is not None:
                    columns.append(to_forms + form * seats + index)
                    values.append(1.0)
            if form is not None:
                columns.append(to_bias + form)
                values.append(1.0)
            if option.oddness:
                columns.append(to_bias + forms)
                values.append(option.oddness)
            if situation.reports:
                columns.append(to_bias + forms + 1)
                values.append(sum(situation.reports.get(seat, 0.0) for seat in option.supporters))
            ends.append(len(columns))
    options = csr_array((values, columns, ends), shape=(len(ends) - 1, names.of_options), dtype=np.float64)
    likelihoods = [_scaled(case.likelihood or ()) for case in used]
    return Design(
        names,
        options,
        _none(situations, names),
        np.cumsum([0, *(len(situation.options) for situation in situations)]).astype(np.int64),
        np.fromiter(chain.from_iterable(each[:-1] for each in likelihoods), float),
        np.array([each[-1] for each in likelihoods], float),
        np.asarray(options[:, :seats].toarray()),
    )


def _none(situations: Sequence[Situation], names: Names) -> Vector:
    """Return what the score of "none of these" is made of, one row a question."""
    place = {node: len(SHAPES) + index for index, node in enumerate(names.nodes)}
    rows = np.zeros((len(situations), names.of_none))
    for row, situation in zip(rows, situations, strict=True):
        row[: len(SHAPES)] = shape_of(situation)
        for node, share in situation.nodes.items():
            row[place[node]] = share
    return rows


def _scaled(likelihood: Sequence[float]) -> list[float]:
    """Return the likelihood with its common factor taken out: the greatest is 1."""
    top = max(likelihood)
    return [value / top for value in likelihood]


def _names(cases: Sequence[Case]) -> Names:
    seats: set[str] = set()
    nodes: set[str] = set()
    forms: set[str] = set()
    for case in cases:
        nodes.update(case.situation.nodes)
        for option in case.situation.options:
            seats.update(option.supporters)
            forms.add(option.form)
    return Names(tuple(sorted(seats)), tuple(sorted(nodes)), tuple(sorted(forms - {""})))


def probabilities(design: Design, theta: Vector) -> tuple[Vector, Vector]:
    """Return P of each option and of "none of these" for each question."""
    question = design.question
    powers, none_power = _powers(design, theta, question)
    total = np.add.reduceat(powers, design.start[:-1]) + none_power
    return powers / total[question], none_power / total


def _powers(design: Design, theta: Vector, question: NDArray[np.int64]) -> tuple[Vector, Vector]:
    """Return exp(score) of each option and of "none of these", up to a factor for each question."""
    split = design.names.of_options
    # einsum, because a threaded product of a matrix this size waits for its threads longer than it works
    scores, none = design.options @ theta[:split], np.einsum("qj,j->q", design.none, theta[split:])
    top = np.maximum(np.maximum.reduceat(scores, design.start[:-1]), none)
    return np.exp(scores - top[question]), np.exp(none - top)


def vector(names: Names, weights: Weights) -> Vector:
    """Return the parameters of `weights` in the order of `names`."""
    seats = names.seats
    none = weights.none
    return np.array(
        [
            *(weights.seats.get(seat, weights.unknown) for seat in seats),
            *(weights.nodes.get(seat, {}).get(node, 0.0) for node in names.nodes for seat in seats),
            *(weights.forms.get(seat, {}).get(form, 0.0) for form in names.forms for seat in seats),
            *(weights.bias.get(form, 0.0) for form in names.forms),
            weights.oddness,
            weights.reports,
            *(none.get(shape, 0.0) for shape in SHAPES),
            *(weights.none_nodes.get(node, 0.0) for node in names.nodes),
        ],
    )


def fit(design: Design, prior: Weights, penalties: Penalties, start: Weights | None = None) -> Vector:
    """Return the parameters that fit best. start: where to begin, if somewhere better than the prior is known."""
    loss, begin, reports = (
        objective(design, prior, penalties),
        vector(design.names, start or prior),
        design.names.reports,
    )
    found = _least(loss, begin)
    # A bound makes each step several times as slow, and it is rarely needed: only when reports mislead.
    return found if found[reports] >= 0 else _least(loss, np.maximum(found, _floor(design.names)), _floor(design.names))


def _least(loss: Loss, begin: Vector, floor: Vector | None = None) -> Vector:
    """Return where the loss is least, no parameter being below its floor."""
    bounds = None if floor is None else [(low, np.inf) for low in floor]
    options = {"maxiter": _ITERATIONS, "ftol": _RELATIVE_TOLERANCE, "maxcor": 20}
    return np.asarray(minimize(loss, begin, jac=True, method="L-BFGS-B", bounds=bounds, options=options).x, float)


def objective(design: Design, prior: Weights, penalties: Penalties) -> Loss:
    """Return the penalised loss, in nats, and its gradient, as a function of the parameters."""
    middle, strength = vector(design.names, prior), _strength(design.names, penalties)
    split, question, first = design.names.of_options, design.question, design.start[:-1]
    every_option = design.options.T.tocsr()

    def loss(theta: Vector) -> tuple[float, Vector]:
        powers, none_power = _powers(design, theta, question)
        graded, none_graded = powers * design.likelihood, none_power * design.none_likelihood
        total = np.add.reduceat(powers, first) + none_power
        kept = np.maximum(np.add.reduceat(graded, first) + none_graded, _TINY)
        off = theta - middle
        gradient = np.empty_like(theta)
        gradient[:split] = every_option @ (powers / total[question] - graded / kept[question])
        gradient[split:] = np.einsum("qj,q->j", design.none, none_power / total - none_graded / kept)
        return float(np.log(total / kept).sum() + strength @ (off * off)), gradient + 2 * strength * off

    return loss


def _floor(names: Names) -> Vector:
    """Return the least value of each parameter: a higher report never counts less, and nothing else is bounded."""
    free = np.full(names.of_options + names.of_none, -np.inf)
    free[names.reports] = 0.0
    return free


def _strength(names: Names, penalties: Penalties) -> Vector:
    seats, nodes, forms = len(names.seats), len(names.nodes), len(names.forms)
    return np.repeat(
        [
            penalties.seat,
            penalties.of_domains(seats),
            penalties.form,
            penalties.bias,
            penalties.oddness,
            penalties.reports,
            penalties.none,
        ],
        [seats, seats * nodes, seats * forms, forms, 1, 1, names.of_none],
    )


def weights_of(names: Names, theta: Vector, unknown: float) -> Weights:
    """Return the parameters by name. unknown: what a seat weighs that was never seen."""
    seats, nodes, forms = names.seats, names.nodes, names.forms
    values = iter(float(value) for value in theta)
    own = {seat: next(values) for seat in seats}
    by_node = {node: {seat: next(values) for seat in seats} for node in nodes}
    by_form = {form: {seat: next(values) for seat in seats} for form in forms}
    return Weights(
        seats=own,
        nodes={seat: {node: by_node[node][seat] for node in nodes} for seat in seats},
        forms={seat: {form: by_form[form][seat] for form in forms} for seat in seats},
        bias={form: next(values) for form in forms},
        oddness=next(values),
        reports=next(values),
        none={shape: next(values) for shape in SHAPES},
        none_nodes={node: next(values) for node in nodes},
        unknown=unknown,
    )
