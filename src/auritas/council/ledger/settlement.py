"""The rows of one graded question: who earned what, and who has no row and why."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from auritas.council.ledger.rules import Price, Rule
from auritas.council.ledger.scores import Confusion, Outcome, credit, settled
from auritas.council.model import Grade, Question
from auritas.kernel.answers import Answer, Decision


class Part(StrEnum):
    """CREDIT: for an honest report, every member's. AWARD: for being shown, less its price."""

    CREDIT = "brier"
    AWARD = "award"


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """What one seat earned with one question. amount: in right answers. basis: from what, for a person."""

    seat: str
    query_id: str
    part: Part
    amount: float
    basis: str


@dataclass(frozen=True, slots=True)
class Settlement:
    """All rows of a question. without: why a seat has no credit."""

    rows: tuple[LedgerRow, ...]
    without: Mapping[str, str]


def rows_for(
    question: Question,
    answers: Sequence[Answer],
    decision: Decision,
    grades: Sequence[Grade],
    rule: Rule,
    *,
    graders: Mapping[str, Confusion] | None = None,
) -> tuple[LedgerRow, ...]:
    """Return the rows that `settle` finds."""
    return settle(question, answers, decision, grades, rule, graders=graders).rows


def settle(
    question: Question,
    answers: Sequence[Answer],
    decision: Decision,
    grades: Sequence[Grade],
    rule: Rule,
    *,
    graders: Mapping[str, Confusion] | None = None,
) -> Settlement:
    """Return what each seat earned, sorted by seat: always the same for the same grades, so it can be done again.

    A member that made no report earns no credit: none can be made up for it, and an honest one would have expected at
    least as much. An award of 0 says in its basis why being shown had no price.
    grades: those in force, oldest first. graders: confusion by seat, where it was measured.
    """
    rows: list[LedgerRow] = []
    without: dict[str, str] = {}
    for answer in sorted(answers, key=lambda answer: answer.seat.name):
        seat, outcome = answer.seat.name, settled([g for g in grades if g.run_id == answer.run_id], graders)
        if reason := _no_credit(answer, outcome):
            without[seat] = reason
        elif outcome and answer.stated_confidence is not None:
            rows.append(_credit(answer, question.query_id, answer.stated_confidence, outcome))
        if outcome and answer.votes and seat == decision.shown_seat:
            rows.append(_award(seat, question.query_id, rule.price(answers, decision), outcome))
    return Settlement(tuple(rows), without)


def _no_credit(answer: Answer, outcome: Outcome | None) -> str:
    if not answer.votes:
        return "no answer to grade"
    if answer.stated_confidence is None:
        return "it stated no confidence, so there is no report to score"
    return "" if outcome else "not graded by anybody who can tell"


def _credit(answer: Answer, query_id: str, report: float, outcome: Outcome) -> LedgerRow:
    basis = f"report {report:.2f}; {outcome.basis}"
    return LedgerRow(answer.seat.name, query_id, Part.CREDIT, credit(report, outcome.value), basis)


def _award(seat: str, query_id: str, price: Price, outcome: Outcome) -> LedgerRow:
    amount = 0.0 if price.report is None else outcome.value - price.report
    return LedgerRow(seat, query_id, Part.AWARD, amount, f"{price.basis}; {outcome.basis}")
