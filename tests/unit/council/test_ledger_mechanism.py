"""Proposition R of docs/design/mechanism.md: under the rule `report` no lie pays, and where one does, it is found."""

import math

import numpy as np
import pytest
from tests.unit.council.mechanism_harness import (
    AUTHORS,
    DEVIATIONS,
    TOLERANCE,
    Array,
    Rounds,
    accepts,
    brier_credit,
    deviations,
    expected,
    greatest_gain,
    random_rounds,
    recalibrated,
)

from auritas.council.ledger.recalibration import Recalibration
from auritas.council.ledger.rules import ReportRule
from auritas.council.ledger.scores import Confusion, credit, surrogate

ROUNDS = random_rounds(10_000, seed=20260101)
AS_WRITTEN = random_rounds(300, seed=3)
SEATS = tuple(f"seat {i}" for i in range(AUTHORS))


def report_rule(rounds: Rounds, own: Array, outcome: float) -> Array:
    award = np.where(rounds.shown(own), outcome - rounds.price, 0.0)
    return np.asarray(brier_credit(own, outcome) + award)


def selection_as_reward(rounds: Rounds, own: Array, outcome: float) -> Array:
    return np.asarray(brier_credit(own, outcome) + rounds.shown(own))


def first_price(rounds: Rounds, own: Array, outcome: float) -> Array:
    return np.asarray(brier_credit(own, outcome) + np.where(rounds.shown(own), outcome - own, 0.0))


def credit_to_the_winner_only(rounds: Rounds, own: Array, outcome: float) -> Array:
    return np.where(rounds.shown(own), brier_credit(own, outcome), 0.0)


def plain_brier_to_the_winner_only(rounds: Rounds, own: Array, outcome: float) -> Array:
    return np.where(rounds.shown(own), -((own - outcome) ** 2), 0.0)


def flipped_transfer(rounds: Rounds, own: Array, outcome: float) -> Array:
    return np.asarray(brier_credit(own, outcome) + np.where(rounds.shown(own), outcome + rounds.price, 0.0))


def price_in_recalibrated_units(rounds: Rounds, own: Array, outcome: float) -> Array:
    price = np.maximum(rounds.best, 0.0)[:, None]
    return np.asarray(brier_credit(own, outcome) + np.where(rounds.shown(own), outcome - price, 0.0))


def test_no_lie_gains_under_the_report_rule():
    """In 10,000 random rounds none of more than 101 deviations earns over 1e-9 more than the truth (proposition R1)."""
    assert deviations(ROUNDS).shape[1] >= DEVIATIONS
    assert greatest_gain(report_rule, ROUNDS) <= TOLERANCE


@pytest.mark.parametrize(
    "wrong",
    [
        selection_as_reward,
        first_price,
        credit_to_the_winner_only,
        plain_brier_to_the_winner_only,
        flipped_transfer,
        price_in_recalibrated_units,
    ],
)
def test_the_harness_rejects(wrong):
    """A lie that pays well is found in each rule that invites one, so that acceptance means something."""
    assert not accepts(wrong, ROUNDS)
    assert greatest_gain(wrong, ROUNDS) > 0.01


def test_a_price_in_recalibrated_units_is_honest_only_for_curves_that_say_as_stated():
    """With g the identity both prices are one, the execution-contingent Vickrey price; else only the report's holds."""
    stated = np.broadcast_to(np.linspace(0, 1, 11), ROUNDS.curves.shape).round(6)
    as_stated = Rounds(ROUNDS.belief, ROUNDS.reports, stated, ROUNDS.there, ROUNDS.ties)
    assert accepts(price_in_recalibrated_units, as_stated)


def test_the_shown_one_expects_no_loss_exactly_when_it_deserved_to_be_shown():
    """Its expected award is at least 0 if and only if its true belief would have had it shown (proposition R2)."""
    own = deviations(ROUNDS)
    shown = ROUNDS.shown(own)
    award = np.broadcast_to(ROUNDS.belief[:, None] - ROUNDS.price, own.shape)
    deserved = np.broadcast_to(ROUNDS.shown(ROUNDS.belief[:, None]), own.shape)
    clear = shown & (np.abs(award) > TOLERANCE)
    assert clear.sum() > 100_000
    assert ((award >= 0) == deserved)[clear].all()


def test_a_lie_costs_at_least_the_square_of_its_size():
    """The truth is the only best report: the credit takes (p - b)² for a lie, and no award makes up for it (R1)."""
    own, belief = deviations(ROUNDS), ROUNDS.belief[:, None]
    lost = expected(report_rule, ROUNDS, belief) - expected(report_rule, ROUNDS, own)
    assert (lost >= (own - belief) ** 2 - TOLERANCE).all()


def test_honesty_is_never_worse_than_silence():
    """A member that states its belief expects at least the 0 of one that states nothing (proposition R1)."""
    assert expected(report_rule, ROUNDS, ROUNDS.belief[:, None]).min() >= 0


@pytest.mark.parametrize("confusion", [Confusion(0.8, 0.8), Confusion(0.95, 0.4), Confusion(0.55, 0.75)])
def test_a_noisy_grader_makes_no_lie_pay_as_long_as_the_stand_in_is_used(confusion):
    """With the stand-in the proposition holds in expectation; a noisy grade taken for the truth invites lies."""

    def through_the_grader(value_right: float, value_wrong: float):
        def earnings(rounds: Rounds, own: Array, outcome: float) -> Array:
            says_right = confusion.sensitivity if outcome else 1 - confusion.specificity
            value = says_right * value_right + (1 - says_right) * value_wrong
            award = np.where(rounds.shown(own), value - rounds.price, 0.0)
            return np.asarray(own * (2 * value - own) + award)

        return earnings

    stand_ins = (surrogate(confusion, said_right=True), surrogate(confusion, said_right=False))
    assert accepts(through_the_grader(*stand_ins), ROUNDS)
    assert not accepts(through_the_grader(1.0, 0.0), ROUNDS)


def _rule(rounds: Rounds, row: int) -> tuple[ReportRule, tuple[str, ...], dict[str, float]]:
    authors = tuple(seat for seat, there in zip(SEATS, rounds.there[row], strict=True) if there)
    curves = {seat: Recalibration(tuple(map(float, rounds.curves[row, i]))) for i, seat in enumerate(SEATS)}
    record = {seat: float(rounds.ties[row, i]) for i, seat in enumerate(SEATS)}
    reports = {seat: float(rounds.reports[row, i]) for i, seat in enumerate(SEATS) if seat in authors}
    return ReportRule(curves, record), authors, reports


def as_written(rounds: Rounds, own: Array, outcome: float) -> Array:
    """The earnings by the code of the ledger itself, one call for each report."""
    earned = np.zeros_like(own)
    for row, column in np.ndindex(*own.shape):
        rule, authors, reports = _rule(rounds, row)
        reports[SEATS[0]] = report = float(own[row, column])
        earned[row, column] = credit(report, outcome)
        if rule.shown(authors, reports) == SEATS[0]:
            earned[row, column] += outcome - rule.critical(SEATS[0], authors, reports)
    return earned


def test_the_ledger_and_the_harness_compute_the_same():
    """The code's shown seat, price and credit agree with a second derivation in closed form, ties and all."""
    own = deviations(AS_WRITTEN)[:, ::7]
    for outcome in (1.0, 0.0):
        assert np.allclose(as_written(AS_WRITTEN, own, outcome), report_rule(AS_WRITTEN, own, outcome), atol=1e-10)


def test_no_lie_gains_under_the_code_as_written():
    """The same search, through the ledger's own functions (proposition R1)."""
    assert greatest_gain(as_written, random_rounds(40, seed=11)) <= TOLERANCE


def test_the_highest_recalibrated_probability_is_shown():
    """No author of the chosen candidate is more likely right, by the curves, than the one shown (proposition R3)."""
    for row in range(len(AS_WRITTEN.belief)):
        rule, authors, reports = _rule(AS_WRITTEN, row)
        values = {seat: rule.recalibrations[seat](reports[seat]) for seat in authors}
        shown = rule.shown(authors, reports)
        assert shown is not None
        assert values[shown] == max(values.values())
        assert shown == rule.shown(tuple(reversed(authors)), reports)


def test_code_and_harness_recalibrate_bit_for_bit():
    """Both evaluate a curve to the same number, so that a tie is a tie in both."""
    values = recalibrated(AS_WRITTEN.curves[:, 0], AS_WRITTEN.reports)
    for row, curve in enumerate(AS_WRITTEN.curves[:, 0]):
        g = Recalibration(tuple(map(float, curve)))
        assert [g(float(p)) for p in AS_WRITTEN.reports[row]] == list(values[row])


def test_a_belief_that_others_reports_would_move_is_outside_the_proposition():
    """Where another's report tells of my own answer, a lie can pay: the assumption is needed, and the note says so.

    I believe .6. The other reports .9 or .5, equally likely; if .9, I am right nine times in ten, if .5, three.
    Telling the truth, I am shown only against .5, and lose; by reporting a little less than .5 I avoid that.
    """
    rule, seats = ReportRule(), ("me", "other")
    worlds = ((0.9, 0.9), (0.5, 0.3))

    def earns(mine: float) -> float:
        total = []
        for other, right in worlds:
            reports = {"me": mine, "other": other}
            won = rule.shown(seats, reports) == "me"
            award = right - rule.critical("me", seats, reports) if won else 0.0
            total.append(right * credit(mine, 1) + (1 - right) * credit(mine, 0) + award)
        return math.fsum(total) / len(total)

    assert earns(0.49) > earns(0.6) + 0.08
