"""How a candidate is chosen while there are no grades: by what each member was right about in its self-test."""

import math
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Protocol

from auritas.council.candidates import Group
from auritas.council.model import Member, Tally, Topic
from auritas.kernel.answers import Candidate, Confidence, ConfidenceLabel, Decision

PSEUDO_COUNT = 4
"""Strength of the prior at one half: a member without a self-test counts as right half of the time."""
ALTERNATIVES = 4
"""Wrong answers that an open question is taken to have; agreement by chance is one in this many."""
HIGH, MEDIUM, RIVAL = 0.85, 0.60, 0.20


class ChoicePolicy(Protocol):
    """Chooses among candidates. A policy that learns from grades takes this place."""

    def choose(self, groups: Sequence[Group], members: Sequence[Member], topic: Topic) -> Decision:
        """Return the decision; the order in which groups and members are given never matters."""


def rate(tally: Tally) -> float:
    """Return the mean of Beta(right + k/2, wrong + k/2) with k = PSEUDO_COUNT, always inside (0, 1)."""
    return (tally.right + PSEUDO_COUNT / 2) / (tally.graded + PSEUDO_COUNT)


def weight(tally: Tally) -> float:
    """Return the log-odds that one vote adds to its candidate against any single other one, at least 0.

    The weighted-majority weight for a rater who is right with probability p and errs evenly over ALTERNATIVES wrong
    answers: log(p · ALTERNATIVES / (1 - p)) (Nitzan and Paroush, International Economic Review 23, 1982).
    """
    p = rate(tally)
    return max(0.0, math.log(p * ALTERNATIVES / (1 - p)))


def vote_weight(member: Member, topic: Topic) -> float:
    """Return what the member's vote weighs on `topic`: nothing for one that may not vote."""
    return weight(tally_of(member, topic)) if member.votes else 0.0


def tally_of(member: Member, topic: Topic) -> Tally:
    """Return the member's self-test on `topic`, or on everything when the topic was not tested."""
    return member.record.get(topic) or member.record.get(Topic.GENERAL, Tally())


class SelfTestPolicy:
    """Weighted vote by self-test, with "none of these" as a silent candidate of score 0."""

    name = "self_test"

    def choose(self, groups: Sequence[Group], members: Sequence[Member], topic: Topic) -> Decision:
        if not groups:
            unsure = Confidence(ConfidenceLabel.UNCERTAIN, "nobody answered")
            return Decision((), None, None, unsure, self.name, "No member gave an answer that can be read.")
        weights = {member.seat.name: vote_weight(member, topic) for member in members}
        candidates = sorted((_candidate(group, weights) for group in groups), key=lambda c: _rank(c, weights))
        best = candidates[0]
        shown = min(best.supporters, key=lambda seat: (-weights.get(seat, 0.0), _tie(seat)))
        confidence = _confidence(candidates, topic)
        reason = _reason(candidates, weights, topic) + _unheard(groups, members)
        return Decision(tuple(candidates), best.id, shown, confidence, self.name, reason)


def _candidate(group: Group, weights: Mapping[str, float]) -> Candidate:
    score = math.fsum(weights.get(seat, 0.0) for seat in group.supporters)
    return Candidate(group.id, group.text, group.supporters, score)


def _rank(candidate: Candidate, weights: Mapping[str, float]) -> tuple[float, float, str]:
    strongest = max(weights.get(seat, 0.0) for seat in candidate.supporters)
    return (-round(candidate.score, 9), -strongest, _tie(candidate.id))


def _tie(name: str) -> str:
    return sha256(name.encode()).hexdigest()


def score_shares(candidates: Sequence[Candidate]) -> tuple[float, ...]:
    """Return each candidate's share of exp(score), the unseen "none of these" having score 0.

    It would be a probability if members erred independently, which they do not: it is a score.
    """
    top = max(0.0, *(c.score for c in candidates))
    powers = [math.exp(c.score - top) for c in candidates]
    total = math.fsum(powers) + math.exp(-top)
    return tuple(power / total for power in powers)


def _confidence(candidates: Sequence[Candidate], topic: Topic) -> Confidence:
    shares = score_shares(candidates)
    share, rival = shares[0], max(shares[1:], default=0.0)
    basis = f"prior: a score of {share:.2f} from self-tests on {topic} questions; no grades yet, so no probability"
    if share >= HIGH and rival < RIVAL:
        return Confidence(ConfidenceLabel.HIGH, basis)
    if share >= MEDIUM:
        return Confidence(ConfidenceLabel.MEDIUM, basis)
    return Confidence(ConfidenceLabel.UNCERTAIN, basis)


def _unheard(groups: Sequence[Group], members: Sequence[Member]) -> str:
    mute = sorted(m.seat.name for m in members if not m.votes and any(m.seat.name in g.supporters for g in groups))
    have = "has" if len(mute) == 1 else "have"
    return f" {', '.join(mute)} failed the self-test and {have} no vote." if mute else ""


def _reason(candidates: Sequence[Candidate], weights: Mapping[str, float], topic: Topic) -> str:
    best = candidates[0]
    voters = sum(len(c.supporters) for c in candidates)
    parts = ", ".join(f"{seat} {weights.get(seat, 0.0):.2f}" for seat in best.supporters)
    agreed = f"{len(best.supporters)} of {voters} members who answered say so" if voters > 1 else "One member answered"
    against = f" against {candidates[1].score:.2f} for the runner-up" if len(candidates) > 1 else ""
    return f"{agreed}; weights from self-tests on {topic} questions: {parts}{against}."
