"""How a candidate is chosen while there are no grades: by what each member was right about in its self-test."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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
        votes = _Votes({member.seat.name: member for member in members}, topic)
        candidates = sorted((votes.candidate(group) for group in groups), key=votes.rank)
        best = candidates[0]
        shown = min(best.supporters, key=lambda seat: (-votes.weight(seat), -votes.record(seat), _tie(seat)))
        confidence = _confidence(candidates, votes)
        return Decision(tuple(candidates), best.id, shown, confidence, self.name, _reason(candidates, votes))


@dataclass(frozen=True, slots=True)
class _Votes:
    """What each seat's vote weighs on a topic."""

    members: Mapping[str, Member]
    topic: Topic

    def weight(self, seat: str) -> float:
        member = self.members.get(seat)
        return vote_weight(member, self.topic) if member else 0.0

    def record(self, seat: str) -> float:
        """What the vote would weigh if it counted: it orders those whose vote does not."""
        member = self.members.get(seat)
        return weight(tally_of(member, self.topic)) if member else 0.0

    def candidate(self, group: Group) -> Candidate:
        score = math.fsum(self.weight(seat) for seat in group.supporters)
        return Candidate(group.id, group.text, group.supporters, score)

    def rank(self, candidate: Candidate) -> tuple[float, float, float, str]:
        strongest = max(self.weight(seat) for seat in candidate.supporters)
        records = math.fsum(self.record(seat) for seat in candidate.supporters)
        return (-round(candidate.score, 9), -strongest, -round(records, 9), _tie(candidate.id))

    def without_vote(self, candidates: Sequence[Candidate]) -> tuple[str, ...]:
        seats = {seat for candidate in candidates for seat in candidate.supporters}
        return tuple(sorted(s for s in seats if s in self.members and not self.members[s].votes))

    def untested(self, candidate: Candidate) -> bool:
        return any(not self.members[seat].record for seat in candidate.supporters if seat in self.members)


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


def _confidence(candidates: Sequence[Candidate], votes: _Votes) -> Confidence:
    shares = score_shares(candidates)
    share, rival = shares[0], max(shares[1:], default=0.0)
    if not candidates[0].score:
        return Confidence(ConfidenceLabel.UNCERTAIN, "only members without a vote answered; it carries no information")
    source = f"self-tests on {votes.topic} questions"
    if votes.untested(candidates[0]):
        source += ", an even guess for untested members"
    basis = f"prior: a score of {share:.2f} from {source}; no grades yet, so no probability"
    if share >= HIGH and rival < RIVAL:
        return Confidence(ConfidenceLabel.HIGH, basis)
    if share >= MEDIUM:
        return Confidence(ConfidenceLabel.MEDIUM, basis)
    return Confidence(ConfidenceLabel.UNCERTAIN, basis)


def _reason(candidates: Sequence[Candidate], votes: _Votes) -> str:
    best = candidates[0]
    voters = sum(len(c.supporters) for c in candidates)
    agreed = f"{len(best.supporters)} of {voters} members who answered say so" if voters > 1 else "One member answered"
    parts = ", ".join(_weighed(seat, votes) for seat in best.supporters if votes.weight(seat))
    weights = f"; weights: {parts}" if parts else ""
    against = f" against {candidates[1].score:.2f} for the runner-up" if parts and len(candidates) > 1 else ""
    return f"{agreed}{weights}{against}.{_unheard(votes.without_vote(candidates), only=not parts)}"


def _weighed(seat: str, votes: _Votes) -> str:
    tally = tally_of(votes.members[seat], votes.topic)
    basis = f"{tally.right} of {tally.graded} right in the self-test" if tally.graded else "untested"
    return f"{seat} {votes.weight(seat):.2f} ({basis})"


def _unheard(mute: Sequence[str], *, only: bool) -> str:
    if not mute:
        return ""
    have = "has" if len(mute) == 1 else "have"
    better = " For answers that mean something: auritas models get standard" if only else ""
    return f" {', '.join(mute)} failed the self-test and {have} no vote.{better}"
