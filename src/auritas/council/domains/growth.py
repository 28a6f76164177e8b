"""When a candidate has earned a node of its own: enough questions, several models, and a record that differs."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

QUESTIONS_NEEDED = 5
MODELS_NEEDED = 2
EVIDENCE_NEEDED = math.log(20)
"""Log Bayes factor: under chance alone it is passed less often than once in twenty (Ville's inequality)."""
DELTA_AT_ROOT, DELTA_PER_LEVEL = 0.10, 0.05
SHRINKAGE = 4
"""Pseudo-counts that draw a child's rate to its parent's. With the five runs of a candidate at the least, a difference
of .5 stays above δ down to depth 3: 5 / (5 + 4) · .5 = .28; with twenty, as elsewhere, it would be .10, and no more."""
PARENT_RUNS_NEEDED = 20
"""Graded runs of a model elsewhere in the parent's field, below which it says nothing: as many as a track record at a
root needs. In simulation the worst cell (ten models at one half, five runs) promotes chance in 2.6 % of the cases with
twenty, in 4.9 % with ten and in 6.4 % with five."""


@dataclass(frozen=True, slots=True)
class ModelEvidence:
    """One model's graded runs in the candidate's field, and elsewhere in the field of the parent."""

    model: str
    right: int
    graded: int
    parent_right: int
    parent_graded: int

    @property
    def counts(self) -> bool:
        """Whether it says anything about the candidate."""
        return self.graded > 0 and self.parent_graded >= PARENT_RUNS_NEEDED

    @property
    def parent_rate(self) -> float:
        """Mean of Beta(1 + right, 1 + wrong) in the parent's field."""
        return (self.parent_right + 1) / (self.parent_graded + 2)

    @property
    def shrunk_rate(self) -> float:
        """The rate in the candidate's field, drawn to the parent's."""
        return (self.right + SHRINKAGE * self.parent_rate) / (self.graded + SHRINKAGE)

    @property
    def log_bayes_factor(self) -> float:
        """How much likelier the runs are under a rate of their own than under the parent's; natural logarithm.

        Own rate θ ~ Beta(1, 1): P = B(r + 1, w + 1). The parent's rate is known from R right and W wrong runs only, so
        it is Beta(R + 1, W + 1), not a point: P = B(R + 1 + r, W + 1 + w) / B(R + 1, W + 1), the Beta-binomial
        predictive of this very sequence (Kass and Raftery, JASA 90, 1995). A point estimate in its place promotes
        chance: with ten graded runs of the parent up to 35 % of the time.
        """
        wrong = self.graded - self.right
        a, b = self.parent_right + 1, self.parent_graded - self.parent_right + 1
        own = _log_beta(self.right + 1, wrong + 1)
        parents = _log_beta(a + self.right, b + wrong) - _log_beta(a, b)
        return own - parents


@dataclass(frozen=True, slots=True)
class CandidateEvidence:
    """Everything that decides about a candidate. parent_depth: of the node below which it would lie.

    questions: in which it was named. mentioned_by: models that named it. covered_by: the node that holds it already.
    taken_back: the user undid its promotion.
    """

    string: str
    questions: int
    mentioned_by: int
    parent_depth: int
    models: tuple[ModelEvidence, ...] = ()
    covered_by: str | None = None
    taken_back: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a candidate is promoted, by which numbers, and what stands in its way.

    log_bayes_factor: summed over models. difference: mean |shrunk rate - parent's rate|. delta: what it must exceed.
    """

    promoted: bool
    log_bayes_factor: float
    difference: float
    delta: float
    reasons: tuple[str, ...]


def delta(depth: int) -> float:
    """Return how much a child of a node at `depth` must differ from it: .10 at a root, .05 more at each level."""
    return DELTA_AT_ROOT + DELTA_PER_LEVEL * depth


def promotable(evidence: CandidateEvidence) -> Verdict:
    """Return whether the candidate becomes a node.

    Two models with 5 of 5 and 0 of 5 against a parent at one half pass once the parent's rate is known from 52 graded
    runs of each; with 20 it takes one question more.
    """
    heard = [model for model in evidence.models if model.counts]
    factor = math.fsum(model.log_bayes_factor for model in heard)
    moved = _mean([abs(model.shrunk_rate - model.parent_rate) for model in heard])
    needed = delta(evidence.parent_depth)
    reasons = (*_too_little(evidence, len(heard)), *_too_alike(factor, moved, needed))
    return Verdict(not reasons, factor, moved, needed, reasons)


def _too_little(evidence: CandidateEvidence, heard: int) -> tuple[str, ...]:
    reasons = []
    if evidence.taken_back:
        reasons.append("you took its promotion back")
    if evidence.covered_by:
        reasons.append(f"{evidence.covered_by} covers it")
    if evidence.questions < QUESTIONS_NEEDED:
        reasons.append(f"named in {evidence.questions} of {QUESTIONS_NEEDED} questions needed")
    if evidence.mentioned_by < MODELS_NEEDED:
        reasons.append(f"named by {evidence.mentioned_by} of {MODELS_NEEDED} models needed")
    elif heard < MODELS_NEEDED:
        reasons.append(
            f"{heard} of {MODELS_NEEDED} models have graded answers in it and {PARENT_RUNS_NEEDED} around it"
        )
    return tuple(reasons)


def _too_alike(factor: float, moved: float, needed: float) -> tuple[str, ...]:
    reasons = []
    if factor <= EVIDENCE_NEEDED:
        reasons.append(f"evidence of a difference {factor:.2f}, needed more than {EVIDENCE_NEEDED:.2f}")
    if moved <= needed:
        reasons.append(f"rates differ by {moved:.2f}, needed more than {needed:.2f}")
    return tuple(reasons)


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values) if values else 0.0


def _log_beta(a: float, b: float) -> float:
    return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)
