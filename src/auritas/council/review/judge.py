"""The content judge: on close questions it reads the two leading answers. Until it has earned it, it only advises."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Final

from auritas.council.model import Member
from auritas.council.policy import MEDIUM
from auritas.council.review.assignment import eligible, tie
from auritas.council.review.model import Comparison, JudgeRecord
from auritas.kernel.answers import Candidate, Confidence, ConfidenceLabel, Decision

CLOSE_SHARE: Final = 0.2
"""Share of the questions that count as close."""
CLOSE_GAP: Final = 0.25
"""Difference in P below which a question counts as close, while there are too few past ones to tell."""
PAST_GAPS: Final = 50
"""Past questions from which on the share decides: ten of them are then close."""
ENOUGH: Final = 40
"""Graded disagreements before the judge may change an answer."""
RATE: Final = 0.75
"""Share of them in which it must have been right."""
_Z: Final = 1.959964
"""97.5 % point of the normal distribution."""


def close_gap(past: Sequence[float]) -> float:
    """Return the difference in P below which a question is close: the CLOSE_SHARE quantile of past differences."""
    return sorted(past)[int(CLOSE_SHARE * len(past))] if len(past) >= PAST_GAPS else CLOSE_GAP


def gap(decision: Decision) -> float | None:
    """Return by how much the chosen candidate is likelier than its rival, or None where there is no rival or no P."""
    leading = _leading(decision)
    return None if leading is None else _p(leading[0]) - _p(leading[1])


def close_call(decision: Decision, threshold: float = CLOSE_GAP) -> tuple[Candidate, Candidate] | None:
    """Return the chosen candidate and its rival if they are closer than `threshold`, else None."""
    distance = gap(decision)
    return _leading(decision) if distance is not None and distance < threshold else None


def judge_for(
    authors: Collection[str], members: Sequence[Member], informed: Mapping[str, float], *, key: str
) -> Member | None:
    """Return who judges between two candidates: one that wrote neither where there is one, then the best informed.

    informed: each seat's informedness as a reviewer. Where everybody wrote one of the two, an author judges, blind:
    whether that works is what its record says. Ties by a hash of `key` and the seat.
    """
    return min(
        eligible((), members),
        key=lambda m: (m.seat.name in authors, -informed.get(m.seat.name, 0.0), tie(key, m.seat.name)),
        default=None,
    )


def may_decide(record: JudgeRecord) -> bool:
    """Return whether the judge may change an answer: right in RATE of at least ENOUGH graded disagreements."""
    return record.graded >= ENOUGH and record.right >= RATE * record.graded


def wilson(record: JudgeRecord) -> tuple[float, float]:
    """Return the 95 % interval of the rate at which the judge is right.

    Wilson, Journal of the American Statistical Association 22 (1927).
    """
    n = record.graded
    if n == 0:
        return 0.0, 1.0
    p, z2 = record.right / n, _Z * _Z
    middle = (p + z2 / (2 * n)) / (1 + z2 / n)
    half = _Z * math.sqrt(p * (1 - p) / n + z2 / (4 * n * n)) / (1 + z2 / n)
    return max(0.0, middle - half), min(1.0, middle + half)


def decides(decision: Decision, opinion: Comparison, record: JudgeRecord) -> bool:
    """Return whether the opinion changes the answer."""
    return (
        may_decide(record)
        and decision.winner is not None
        and _favoured(decision, opinion) not in {None, decision.winner}
    )


def apply(decision: Decision, opinion: Comparison, record: JudgeRecord, standing: Mapping[str, float]) -> Decision:
    """Return the decision with the judge's opinion in its reason, and changed by it where the judge may.

    standing: each seat's track record; the best among the authors of the new answer is shown, ties by a hash. The
    confidence of a changed answer is at most Medium: the members thought otherwise. Where the candidates' P are
    calibrated its p is the chance that one of the two is right, times the rate at which the judge picks that one.
    """
    favoured, winner = _favoured(decision, opinion), decision.winner
    reason = f"{decision.reason} {_sentence(decision, opinion, record)}".strip()
    if favoured is None or winner is None or not decides(decision, opinion, record):
        return replace(decision, reason=reason)
    shown = min(favoured.supporters, key=lambda seat: (-standing.get(seat, 0.0), tie(favoured.id, seat)), default=None)
    confidence = _confidence(decision, winner, favoured, record)
    return replace(decision, chosen=favoured.id, shown_seat=shown, confidence=confidence, reason=reason)


def _leading(decision: Decision) -> tuple[Candidate, Candidate] | None:
    winner = decision.winner
    rivals = [c for c in decision.candidates if c.p is not None and c.id != decision.chosen]
    if winner is None or winner.p is None or not rivals:
        return None
    return winner, min(rivals, key=lambda c: (-_p(c), -c.score, tie("", c.id)))


def _p(candidate: Candidate) -> float:
    return candidate.p or 0.0


def _favoured(decision: Decision, opinion: Comparison) -> Candidate | None:
    return next((c for c in decision.candidates if c.id == opinion.favours), None)


def _confidence(decision: Decision, winner: Candidate, favoured: Candidate, record: JudgeRecord) -> Confidence:
    before = decision.confidence
    basis = f"the content judge overruled the members; right in {_rate(record)}"
    if before.p is None:
        label = before.label if before.label is ConfidenceLabel.UNCERTAIN else ConfidenceLabel.MEDIUM
        return Confidence(label, f"{basis}; no probability")
    p = min(1.0, _p(winner) + _p(favoured)) * record.right / record.graded
    return Confidence(ConfidenceLabel.MEDIUM if p >= MEDIUM else ConfidenceLabel.UNCERTAIN, basis, p)


def _sentence(decision: Decision, opinion: Comparison, record: JudgeRecord) -> str:
    favoured = _favoured(decision, opinion)
    if favoured is None:
        return f"The content judge ({opinion.judge}) favoured neither answer in both orders."
    which = "the chosen answer" if favoured.id == decision.chosen else "the other answer"
    standing = f"right in {_rate(record)}" if record.graded else "no graded disagreement yet"
    use = "so it decides" if may_decide(record) else f"shown, not used: it needs {RATE:.0%} of at least {ENOUGH}"
    return f"The content judge ({opinion.judge}) favours {which} in both orders ({standing}; {use})."


def _rate(record: JudgeRecord) -> str:
    low, high = wilson(record)
    return f"{record.right} of {record.graded} graded disagreements, 95 % interval {low:.2f} to {high:.2f}"
