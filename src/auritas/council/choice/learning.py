"""From graded questions to what the next question is decided by. Runs beside the path of a question, never on it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from auritas.council.choice.belief import believed_rates
from auritas.council.choice.guard import believed
from auritas.council.choice.model import Case, Situation, restricted
from auritas.council.choice.penalties import Penalties
from auritas.council.choice.prior import MEAN_WEIGHT, MOST, prior_weights
from auritas.council.choice.ranking import tie
from auritas.council.choice.record import TrackRecord, counted
from auritas.council.choice.rule import Weights
from auritas.council.choice.snapshot import Snapshot

MOST_MEMBERS = 8
"""Asked for one question. Beyond eight, more members have gained nothing on recorded answers."""


COMPUTED_RATE = 0.99
"""What is believed of a member that calculates, and abstains from anything else."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What learning needs to know besides the questions.

    seats: who can be asked now. known: how often each was right in a self-test or public examination. parents: of the
    nodes of the domain tree. computed: seats that calculate instead of believing; they are asked always, and start
    beyond contradiction. cascade: whether to learn when to stop early, which takes most of the time.
    """

    seats: Collection[str]
    known: Mapping[str, float] = field(default_factory=dict)
    parents: Mapping[str, str] = field(default_factory=dict)
    computed: frozenset[str] = frozenset()
    penalties: Penalties = field(default_factory=Penalties)
    most: int = MOST_MEMBERS
    cascade: bool = True


def learn(cases: Sequence[Case], setting: Setting, before: Snapshot | None = None) -> Snapshot:
    """Return the snapshot that follows from `cases`, in the order of asking. before: where to start, to be quicker."""
    graded = [case for case in cases if case.likelihood is not None]
    record = _record(graded, [case.situation for case in cases], setting)
    order = _order(record, setting)
    now = {seat: record.rate(seat) for seat in order}
    prior = starting_weights(record, order, setting.computed)
    unlearned = Snapshot(sum(case.sure for case in graded), tuple(order), record, prior, believed(now, 0))
    return _fitted(graded, setting, unlearned, before) if graded else unlearned


def _fitted(graded: Sequence[Case], setting: Setting, start: Snapshot, before: Snapshot | None) -> Snapshot:
    """Return the snapshot `start` with everything that graded cases add to it."""
    # The libraries of numbers take a second to import, and no question waits for that.
    from auritas.council.choice.cascade import stages
    from auritas.council.choice.correlation import error_correlations
    from auritas.council.choice.fit import design, fit, weights_of
    from auritas.council.choice.paired import Fits, guard

    own = [restricted(case, frozenset(start.seats) | setting.computed) for case in graded]
    matrices, weights = design(own), start.weights
    if len(matrices):
        fitted = fit(matrices, start.weights, setting.penalties, before.weights if before else None)
        weights = weights_of(matrices.names, fitted, MEAN_WEIGHT)
        weights = replace(weights, seats={**start.weights.seats, **weights.seats})
    now = {seat: start.record.rate(seat) for seat in start.seats}
    return replace(
        start,
        weights=weights,
        guard=guard(matrices, now, Fits(start.weights, setting.penalties, weights)),
        stages=stages(own, start.seats, now, setting.penalties) if setting.cascade else (),
        correlations=error_correlations(own, start.seats),
    )


def adapted(snapshot: Snapshot, setting: Setting) -> Snapshot:
    """Return the snapshot for the members that can be asked now, without learning anew.

    Who left is not asked; who came starts from what is believed of it; what was learned of the others stays.
    """
    if set(setting.seats) == set(snapshot.seats) and setting.computed <= set(snapshot.weights.seats):
        return snapshot
    counts = snapshot.record.counts
    rates = believed_rates(setting.seats, setting.known, counts)
    record = replace(snapshot.record, prior={**_computed(setting), **rates}, parents=setting.parents)
    order = _order(record, setting)
    prior = starting_weights(record, order, setting.computed)
    weights = replace(snapshot.weights, seats={**prior.seats, **snapshot.weights.seats})
    return replace(snapshot, seats=tuple(order), record=record, weights=weights)


def starting_weights(record: TrackRecord, order: Sequence[str], computed: Collection[str]) -> Weights:
    """Return the weights before any question is learned from: by record, and beyond contradiction for who computes."""
    prior = prior_weights({seat: record.rate(seat) for seat in order})
    return replace(prior, seats={**prior.seats, **dict.fromkeys(sorted(computed), MOST)})


def _record(graded: Sequence[Case], situations: Sequence[Situation], setting: Setting) -> TrackRecord:
    counts = counted(graded)
    rates = believed_rates(setting.seats, setting.known, counts, situations)
    return TrackRecord(counts, setting.parents, {**_computed(setting), **rates})


def _computed(setting: Setting) -> dict[str, float]:
    return dict.fromkeys(setting.computed, COMPUTED_RATE)


def _order(record: TrackRecord, setting: Setting) -> list[str]:
    return sorted(setting.seats, key=lambda seat: (-round(record.rate(seat), 9), tie(seat)))[: setting.most]
