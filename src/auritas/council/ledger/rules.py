"""Two rules by which reports may matter, and the price of being shown under each. See docs/design/mechanism.md."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Protocol

from auritas.council.ledger.recalibration import Recalibration
from auritas.kernel.answers import Answer, Decision
from auritas.kernel.errors import InvalidError

CERTAIN = 0.01
"""A recalibrated report is kept this far from 0 and 1 before its log-odds are taken: no report outweighs all others."""
_AS_STATED = Recalibration()


@dataclass(frozen=True, slots=True)
class Price:
    """The smallest report with which the one shown would still have been shown; None where none exists. basis: why."""

    report: float | None
    basis: str


class Rule(Protocol):
    """How reports entered a choice."""

    @property
    def name(self) -> str:
        """The name of the rule in the ledger's bases."""

    def price(self, answers: Sequence[Answer], decision: Decision) -> Price:
        """Return what being shown cost the one who was."""


@dataclass(frozen=True, slots=True)
class ReportRule:
    """Among the authors of the chosen candidate, the one whose recalibrated report is highest is shown.

    recalibrations: by seat, as they were before the round; a seat without one is taken as it states. record: track
    record by seat; it settles ties, then a hash does.
    """

    recalibrations: Mapping[str, Recalibration] = field(default_factory=dict)
    record: Mapping[str, float] = field(default_factory=dict)
    name = "report"

    def shown(self, authors: Sequence[str], reports: Mapping[str, float]) -> str | None:
        """Return who is shown: None when no author made a report. Their order never matters."""
        return min(
            (seat for seat in authors if seat in reports), key=lambda s: self._place(s, reports[s]), default=None
        )

    def critical(self, seat: str, authors: Sequence[str], reports: Mapping[str, float]) -> float:
        """Return the smallest report with which `seat`, who is shown, would still be: 0 for the only one who reports.

        Where it loses a tie, the number is the one next above the tie.
        """
        rivals = [self._place(other, reports[other]) for other in authors if other in reports and other != seat]
        return critical_report(lambda r: all(self._place(seat, r) < rival for rival in rivals), reports[seat])

    def price(self, answers: Sequence[Answer], decision: Decision) -> Price:
        authors, reports = decision.winner.supporters if decision.winner else (), reports_of(answers)
        shown = self.shown(authors, reports)
        if shown is None or shown != decision.shown_seat:
            return Price(None, "no price: its report is not why it was shown")
        price = self.critical(shown, authors, reports)
        alone = "" if len([seat for seat in authors if seat in reports]) > 1 else ", nobody else reported this answer"
        return Price(price, f"price {price:.4f} under the report rule{alone}")

    def _place(self, seat: str, report: float) -> tuple[float, float, str]:
        value = self.recalibrations.get(seat, _AS_STATED)(report)
        return (-value, -self.record.get(seat, 0.0), sha256(seat.encode()).hexdigest())


@dataclass(frozen=True, slots=True)
class CouncilRule:
    """Reports enter a candidate's score, each as weight · logit g(report). Which author is shown does not hang on them.

    weight: at least 0; at 0, where it starts, reports change nothing and there is no price. All that is claimed is
    that a higher report of one's own never makes one's answer less likely to be chosen.
    """

    weight: float = 0.0
    recalibrations: Mapping[str, Recalibration] = field(default_factory=dict)
    name = "council"

    def __post_init__(self) -> None:
        if not 0 <= self.weight < math.inf:
            raise InvalidError(f"The weight of reports is a number of at least 0, not {self.weight}.")

    def term(self, seat: str, report: float | None) -> float:
        """Return what the report of `seat` adds to its candidate's score, in log-odds; nothing without a report."""
        if report is None or not self.weight:
            return 0.0
        value = min(1 - CERTAIN, max(CERTAIN, self.recalibrations.get(seat, _AS_STATED)(report)))
        return self.weight * math.log(value / (1 - value))

    def price(self, answers: Sequence[Answer], decision: Decision) -> Price:
        winner, seat = decision.winner, decision.shown_seat or ""
        report = reports_of(answers).get(seat)
        if not self.weight:
            return Price(None, "no price: under the council rule reports weigh nothing in the choice (λ = 0)")
        if report is None or winner is None:
            return Price(None, "no price: it made no report")
        rival = max((c.score for c in decision.candidates if c.id != winner.id), default=-math.inf)
        if winner.score < rival:
            return Price(None, "no price: the scores, and so the reports, did not decide")
        others = winner.score - self.term(seat, report)
        price = critical_report(lambda r: others + self.term(seat, r) >= rival, report)
        return Price(price, f"price {price:.4f} under the council rule with λ = {self.weight:.4f}")


def critical_report(shown_with: Callable[[float], bool], report: float) -> float:
    """Return the smallest number in [0, report] for which `shown_with` holds, to the last bit.

    shown_with: never turns false as its argument grows, and holds at `report`. The rule itself is asked, so that it
    and its price cannot disagree about a tie, a plateau or a rounding.
    """
    if shown_with(0.0):
        return 0.0
    short, enough = 0.0, report
    while short < (middle := (short + enough) / 2) < enough:
        if shown_with(middle):
            enough = middle
        else:
            short = middle
    return enough


def reports_of(answers: Sequence[Answer]) -> dict[str, float]:
    """Return the stated confidence of each seat whose answer counts and that stated one."""
    return {a.seat.name: a.stated_confidence for a in answers if a.votes and a.stated_confidence is not None}
