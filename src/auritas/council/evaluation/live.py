"""What an evaluation of real models found: each member, the council, and the two compared question by question."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from auritas.council.equivalence import same
from auritas.council.evaluation.live_questions import LiveQuestion
from auritas.council.evaluation.report import POINTS
from auritas.kernel.answers import Answer, Decision

_RESAMPLES = 4_000
_LIMITS = (2.5, 97.5)


@dataclass(frozen=True, slots=True)
class Said:
    """A member's answer to one question. right: None where it left the question to others."""

    text: str
    right: bool | None
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class LiveOutcome:
    """One question, as it went. members: by seat. chosen: what the council answered."""

    question: LiveQuestion
    members: Mapping[str, Said]
    chosen: str
    right: bool
    seconds: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """The council against its best member, paired. gain: share of questions. interval: 95 %, by bootstrap.

    won, lost: questions that only the one or the other had right. p_value: of the exact two-sided sign test on them.
    questions: those that both were asked; nothing else is compared.
    """

    best: str
    gain: float
    interval: tuple[float, float]
    won: int
    lost: int
    p_value: float
    questions: int


@dataclass(frozen=True, slots=True)
class LiveReport:
    """Everything. policy: the rule that chose. comparison: None when nobody answered anything."""

    exam: str
    level: str
    policy: str
    outcomes: tuple[LiveOutcome, ...]
    comparison: Comparison | None

    @property
    def seats(self) -> tuple[str, ...]:
        """Everybody who was asked, the one right most often first."""
        seats = {seat for outcome in self.outcomes for seat in outcome.members}
        return tuple(sorted(seats, key=lambda seat: (-right_count(self.outcomes, seat), seat)))

    @property
    def right(self) -> int:
        """Questions that the council had right."""
        return sum(outcome.right for outcome in self.outcomes)

    @property
    def seconds(self) -> float:
        """Time for all questions."""
        return math.fsum(outcome.seconds for outcome in self.outcomes)


def is_right(question: LiveQuestion, answer: str) -> bool:
    """Return whether an answer says the same as one that counts as right, or has it as whole words."""
    return bool(answer) and (any(same(answer, words) for words in question.accept) or question.right(answer))


def graded(question: LiveQuestion, answers: Sequence[Answer], decision: Decision, seconds: float) -> LiveOutcome:
    """Return how a question went, graded by its key. Silence is wrong, an abstention is neither."""
    members = {
        answer.seat.name: Said(
            answer.text,
            None if answer.abstained else is_right(question, answer.text if answer.votes else ""),
            answer.usage.total_ms / 1000,
        )
        for answer in answers
    }
    chosen = decision.winner.text if decision.winner else ""
    return LiveOutcome(question, members, chosen, is_right(question, chosen), seconds)


def reported(exam: str, level: str, policy: str, outcomes: Sequence[LiveOutcome]) -> LiveReport:
    """Return the report, the council compared with whoever was right most often."""
    seats = {seat for outcome in outcomes for seat in outcome.members}
    best = max(sorted(seats), key=lambda seat: right_count(outcomes, seat), default=None)
    comparison = None if best is None else compared(best, outcomes)
    return LiveReport(exam, level, policy, tuple(outcomes), comparison)


def right_count(outcomes: Sequence[LiveOutcome], seat: str) -> int:
    """Return how many questions a seat had right; those that it left to others or was not asked do not count."""
    return sum(_had_right(outcome, seat) for outcome in outcomes)


def asked(outcomes: Sequence[LiveOutcome], seat: str) -> tuple[LiveOutcome, ...]:
    """Return the questions that a seat was asked, those included that it left to others."""
    return tuple(outcome for outcome in outcomes if seat in outcome.members)


def compared(best: str, outcomes: Sequence[LiveOutcome]) -> Comparison:
    """Return the council against one member, on the questions that it was asked, of which there is at least one.

    The resampling is the same for the same outcomes.
    """
    both = asked(outcomes, best)
    differences = np.array([float(o.right) - float(_had_right(o, best)) for o in both])
    draws = np.random.default_rng(0).integers(0, len(differences), (_RESAMPLES, len(differences)))
    low, high = np.percentile(differences[draws].mean(axis=1), _LIMITS)
    won, lost = int((differences > 0).sum()), int((differences < 0).sum())
    p_value = sign_test(won, lost)
    return Comparison(best, float(differences.mean()), (float(low), float(high)), won, lost, p_value, len(both))


def sign_test(won: int, lost: int) -> float:
    """Return the exact two-sided p of `won` heads in won + lost throws of a fair coin: McNemar (1947), exact form."""
    n = won + lost
    tail = sum(math.comb(n, k) for k in range(min(won, lost) + 1)) / 2.0**n
    return min(1.0, 2 * tail)


def _had_right(outcome: LiveOutcome, seat: str) -> bool:
    return seat in outcome.members and outcome.members[seat].right is True


def by_domain(report: LiveReport) -> Mapping[str, tuple[LiveOutcome, ...]]:
    """Return the outcomes of each domain, by name."""
    domains = sorted({outcome.question.domain for outcome in report.outcomes})
    return {name: tuple(o for o in report.outcomes if o.question.domain == name) for name in domains}


def to_document(report: LiveReport) -> dict[str, Any]:
    """Return the report as plain JSON values; accuracies are shares, gains are percentage points."""
    total, against = len(report.outcomes), report.comparison
    return {
        "exam": report.exam,
        "level": report.level,
        "policy": report.policy,
        "questions": total,
        "seconds": round(report.seconds, 1),
        "council": {"right": report.right, "accuracy": round(report.right / total, 4)},
        "members": {seat: _member(report, seat) for seat in report.seats},
        "comparison": None
        if against is None
        else {
            "best_member": against.best,
            "questions": against.questions,
            "gain_pp": round(POINTS * against.gain, 2),
            "ci_pp": [round(POINTS * bound, 2) for bound in against.interval],
            "won": against.won,
            "lost": against.lost,
            "p_value": round(against.p_value, 4),
        },
        "domains": {
            name: {
                "questions": len(own),
                "council": sum(o.right for o in own),
                "members": {seat: right_count(own, seat) for seat in report.seats if asked(own, seat)},
            }
            for name, own in by_domain(report).items()
        },
        "answers": [_answers(outcome) for outcome in report.outcomes],
    }


def _member(report: LiveReport, seat: str) -> dict[str, Any]:
    said = [outcome.members[seat] for outcome in report.outcomes if seat in outcome.members]
    right = right_count(report.outcomes, seat)
    return {
        "right": right,
        "accuracy": round(right / len(said), 4),
        "asked": len(said),
        "abstained": sum(one.right is None for one in said),
        "seconds": round(math.fsum(one.seconds for one in said), 1),
    }


def _answers(outcome: LiveOutcome) -> dict[str, Any]:
    return {
        "key": outcome.question.key,
        "question": outcome.question.ask,
        "council": outcome.chosen or None,
        "right": outcome.right,
        "members": {seat: {"answer": said.text or None, "right": said.right} for seat, said in outcome.members.items()},
    }
