"""The rows of a graded question, and the price under both rules."""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auritas.council.ledger.recalibration import Recalibration
from auritas.council.ledger.rules import CouncilRule, ReportRule, Rule, critical_report
from auritas.council.ledger.settlement import LedgerRow, Part, rows_for, settle
from auritas.council.model import Grade, GradeSource, Question
from auritas.kernel.answers import (
    AccuracyLevel,
    Answer,
    Candidate,
    Confidence,
    ConfidenceLabel,
    Decision,
    Failure,
    Seat,
)
from auritas.kernel.errors import InvalidError

QUESTION = Question("q1", "c1", "What is the capital of Australia?", AccuracyLevel.HIGH)
UNSURE = Confidence(ConfidenceLabel.UNCERTAIN, "test")

probabilities = st.floats(0, 1)
curves = st.lists(probabilities, min_size=2, max_size=12).map(lambda values: Recalibration(tuple(sorted(values))))


def answer(seat: str, text: str, report: float | None = None) -> Answer:
    return Answer(f"run of {seat}", Seat(seat, seat), text, stated_confidence=report)


def decided(shown: str, **sides: tuple[tuple[str, ...], float]) -> Decision:
    candidates = tuple(Candidate(text, text, seats, score) for text, (seats, score) in sides.items())
    chosen = next(c.id for c in candidates if shown in c.supporters)
    return Decision(candidates, chosen, shown, UNSURE, "test", "test")


def right(*seats: str) -> list[Grade]:
    return [Grade(f"run of {seat}", correct=True, source=GradeSource.KEY) for seat in seats]


def wrong(*seats: str) -> list[Grade]:
    return [Grade(f"run of {seat}", correct=False, source=GradeSource.KEY) for seat in seats]


ANSWERS = (answer("ann", "Canberra", 0.9), answer("bob", "Canberra", 0.6), answer("cat", "Sydney", 0.8))
DECISION = decided("ann", Canberra=(("ann", "bob"), 2.0), Sydney=(("cat",), 1.0))
GRADES = [*right("ann", "bob"), *wrong("cat")]


def amounts(rows: tuple[LedgerRow, ...]) -> dict[tuple[str, Part], float]:
    return {(row.seat, row.part): round(row.amount, 6) for row in rows}


def test_every_graded_report_earns_credit_and_the_shown_one_its_award():
    """Credit goes to all who reported; under the rule `report` the award is the outcome less the rival's report."""
    rows = rows_for(QUESTION, ANSWERS, DECISION, GRADES, ReportRule())
    assert amounts(rows) == {
        ("ann", Part.CREDIT): 0.99,
        ("ann", Part.AWARD): 0.4,
        ("bob", Part.CREDIT): 0.84,
        ("cat", Part.CREDIT): -0.64,
    }
    assert {row.query_id for row in rows} == {"q1"}


def test_without_a_weight_there_is_no_price_and_the_row_says_so():
    """Under the council rule with λ = 0 the award row is 0, its basis says that there is no price."""
    (award,) = [r for r in rows_for(QUESTION, ANSWERS, DECISION, GRADES, CouncilRule()) if r.part is Part.AWARD]
    assert award.amount == 0
    assert award.basis.startswith("no price: under the council rule reports weigh nothing")


def test_a_sole_author_pays_nothing():
    """Nobody else reported the chosen answer, so any report would do: the price is 0, and the row says why."""
    decision = decided("cat", Canberra=(("ann", "bob"), 1.0), Sydney=(("cat",), 2.0))
    (award,) = [r for r in rows_for(QUESTION, ANSWERS, decision, GRADES, ReportRule()) if r.part is Part.AWARD]
    assert award.amount == 0
    assert award.basis == "price 0.0000 under the report rule, nobody else reported this answer; graded wrong by key"


@pytest.mark.parametrize(
    ("reports", "record", "price"),
    [
        ((0.5, 0.5), {"ann": 1.0}, 0.5),
        ((1.0, 1.0), {"ann": 1.0}, 1.0),
        ((1.0, 0.0), {"ann": 1.0}, 0.0),
        ((0.0, 0.0), {"ann": 1.0}, 0.0),
        ((0.7, 0.0), {"bob": 1.0}, math.nextafter(0, 1)),
        ((0.7, 0.5), {"bob": 1.0}, math.nextafter(0.5, 1)),
    ],
)
def test_prices_at_ties_and_ends(reports, record, price):
    """With equal reports the better record is shown, at the report of the other; who loses ties must pass it."""
    rule = ReportRule(record=record)
    said = dict(zip(("ann", "bob"), reports, strict=True))
    assert rule.shown(("ann", "bob"), said) == "ann"
    assert rule.critical("ann", ("ann", "bob"), said) == pytest.approx(price, abs=1e-15)


def test_the_price_on_a_plateau_is_where_it_begins_or_ends():
    """Where a whole range of reports is worth the same, the tie's winner pays its low end, its loser the high end."""
    step = Recalibration((0.0, 0.5, 0.5, 1.0))
    curves, said = {"ann": step}, {"ann": 0.9, "bob": 0.5}
    for record, price in (({"ann": 1.0}, 1 / 3), ({"bob": 1.0}, 2 / 3)):
        assert ReportRule(curves, record).critical("ann", ("ann", "bob"), said) == pytest.approx(price)


@given(st.lists(st.tuples(probabilities, curves, probabilities), min_size=1, max_size=5), probabilities)
def test_a_price_does_not_depend_on_what_the_shown_one_reported(authors, other):
    """Every report that is shown has one price; reporting that is enough, and the next number below is not."""
    seats = tuple(f"seat {i}" for i in range(len(authors)))
    rule = ReportRule(
        {s: a[1] for s, a in zip(seats, authors, strict=True)}, {s: a[2] for s, a in zip(seats, authors, strict=True)}
    )
    reports = {s: a[0] for s, a in zip(seats, authors, strict=True)}
    shown = rule.shown(seats, reports)
    assert shown is not None
    price = rule.critical(shown, seats, reports)
    assert rule.shown(seats, reports | {shown: price}) == shown
    assert price == 0 or rule.shown(seats, reports | {shown: math.nextafter(price, 0)}) != shown
    if rule.shown(seats, reports | {shown: other}) == shown:
        assert rule.critical(shown, seats, reports | {shown: other}) == price


@given(curves, st.floats(0, 10), probabilities, probabilities)
def test_a_higher_report_never_hurts_ones_own_answer(curve, weight, a, b):
    """Under the council rule what a report adds to its candidate is finite and never falls as the report rises."""
    rule = CouncilRule(weight, {"ann": curve})
    low, high = sorted((a, b))
    assert rule.term("ann", low) <= rule.term("ann", high) < math.inf


@given(
    st.dictionaries(st.sampled_from("abcdef"), st.tuples(st.integers(0, 2), curves, probabilities), min_size=1),
    st.lists(st.floats(-2, 2), min_size=3, max_size=3),
    st.floats(0, 5),
    probabilities,
)
def test_under_the_council_rule_raising_ones_report_never_loses_the_choice(members, scores, weight, raised):
    """Whoever is chosen stays chosen when it alone reports more, ties included; at λ = 0 nothing moves at all."""
    rule = CouncilRule(weight, {seat: curve for seat, (_, curve, _) in members.items()})

    def chosen(reports: dict[str, float]) -> int:
        terms = [[rule.term(s, reports[s]) for s, (side, _, _) in members.items() if side == i] for i in range(3)]
        totals = [math.fsum([score, *added]) for score, added in zip(scores, terms, strict=True)]
        return totals.index(max(totals))

    reports = {seat: report for seat, (_, _, report) in members.items()}
    before = chosen(reports)
    for seat, (side, _, report) in members.items():
        after = chosen(reports | {seat: max(report, raised)})
        assert after == before or (side == after and weight > 0)


@given(curves, st.floats(0.01, 5), probabilities, st.floats(-3, 3), st.lists(probabilities, max_size=8))
def test_under_the_council_rule_a_price_is_where_the_choice_turns(curve, weight, report, rest, tries):
    """With λ > 0 every report of at least the price keeps the answer chosen, and every lower one does not."""
    rule = CouncilRule(weight, {"ann": curve})
    score = rest + rule.term("ann", report)
    decision = decided("ann", Canberra=(("ann",), score), Sydney=(("cat",), 0.0))
    price = rule.price([answer("ann", "Canberra", report)], decision)
    if score < 0:
        assert price.report is None
        return
    assert price.report is not None
    assert price.report <= report
    for other in tries:
        kept = (score - rule.term("ann", report)) + rule.term("ann", other) >= 0
        assert kept == (other >= price.report) or math.isclose(other, report)


def test_the_council_rule_has_no_price_without_a_report():
    """A shown member that stated no confidence has none, though reports weigh something."""
    silent = (answer("ann", "Canberra"), *ANSWERS[1:])
    assert CouncilRule(0.5).price(silent, DECISION).report is None
    assert CouncilRule(0.5).term("ann", None) == 0


@pytest.mark.parametrize("weight", [-0.1, math.inf, math.nan])
def test_the_weight_of_reports_is_a_number_of_at_least_0(weight):
    """Anything else is refused."""
    with pytest.raises(InvalidError):
        CouncilRule(weight)


def test_who_has_no_credit_is_named_with_the_reason():
    """No report, no answer and no grade each have their sentence; an author without a report sets no price."""
    answers = (
        answer("ann", "Canberra", 0.9),
        answer("bob", "Canberra"),
        answer("cat", "Sydney", 0.8),
        replace(answer("dan", ""), abstained=True),
        replace(answer("eve", "Perth", 0.5), failure=Failure("timeout", "It took too long.")),
    )
    done = settle(QUESTION, answers, DECISION, right("ann", "bob", "dan", "eve"), ReportRule())
    assert amounts(done.rows) == {("ann", Part.CREDIT): 0.99, ("ann", Part.AWARD): 1.0}
    assert done.without == {
        "bob": "it stated no confidence, so there is no report to score",
        "cat": "not graded by anybody who can tell",
        "dan": "no answer to grade",
        "eve": "no answer to grade",
    }


@pytest.mark.parametrize("rule", [ReportRule(), CouncilRule()])
def test_ungraded_questions_have_no_rows(rule: Rule):
    """Before a grade nothing is earned, neither credit nor award."""
    assert rows_for(QUESTION, ANSWERS, DECISION, [], rule) == ()


def test_an_award_needs_a_report_that_decided():
    """Who was shown for its record, not for its report, has an award row of 0 that says so."""
    (award,) = [
        row
        for row in rows_for(QUESTION, ANSWERS, replace(DECISION, shown_seat="bob"), GRADES, ReportRule())
        if row.part is Part.AWARD
    ]
    assert (award.seat, award.amount) == ("bob", 0)
    assert award.basis.startswith("no price: its report is not why it was shown")


def test_a_reviewers_grade_counts_by_its_stand_in():
    """A reviewer right in 80 % counts as 1.33 or -0.33, in credit and award alike, and the basis says so."""
    grades = [Grade("run of ann", correct=True, source=GradeSource.REVIEWER, reliability=0.8, given_by="rita")]
    rows = rows_for(QUESTION, ANSWERS, DECISION, grades, ReportRule())
    assert amounts(rows) == {
        ("ann", Part.CREDIT): pytest.approx(0.9 * (2 * 4 / 3 - 0.9)),
        ("ann", Part.AWARD): pytest.approx(4 / 3 - 0.6),
    }
    assert all("graded right by rita, who can err: counts as 1.33" in row.basis for row in rows)


@given(st.permutations(ANSWERS), st.permutations(GRADES))
def test_the_order_of_answers_and_grades_never_matters(answers, grades):
    """Settling again, in whatever order, finds the same rows."""
    expected = rows_for(QUESTION, ANSWERS, DECISION, GRADES, ReportRule())
    assert rows_for(QUESTION, answers, DECISION, grades, ReportRule()) == expected


@given(probabilities, probabilities)
def test_the_smallest_report_is_found_to_the_last_bit(threshold, report):
    """`critical_report` finds where a monotone rule turns."""
    if threshold <= report:
        assert critical_report(lambda r: r >= threshold, report) == threshold
