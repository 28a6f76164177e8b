"""From what was said and learned to a decision: what is chosen, whose words are shown, how sure, and why."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from auritas.council.candidates import Group
from auritas.council.choice.model import EVERYTHING, Case, Situation, restricted
from auritas.council.choice.policies import shown
from auritas.council.choice.ranking import Policy, Ranking
from auritas.council.choice.snapshot import CALIBRATED_AT, Snapshot
from auritas.council.choice.votes import effective_votes
from auritas.kernel.answers import Candidate, Confidence, ConfidenceLabel, Decision
from auritas.kernel.text import counted

HIGH, MEDIUM, RIVAL = 0.85, 0.60, 0.20
"""P(right) from which a decision is High or Medium, and of a runner-up that keeps it from being High."""
_WEIGHING = frozenset({"guarded", "council"})
"""Rules by which members have weights."""
MOST_EXPLAINED = 3
"""Members whose weights the reason names."""


@dataclass(frozen=True, slots=True)
class Choosing:
    """How candidates are chosen for one question: the rule, what it has learned, and when not to be believed.

    least: P below which the council says that it does not know. computed: seats that calculate, whose agreement with
    others says nothing about how independent those are.
    """

    policy: Policy
    learned: Snapshot
    least: float = 0.0
    computed: frozenset[str] = frozenset()

    def decide(self, groups: Sequence[Group], situation: Situation) -> Decision:
        """Return the decision; the order in which groups, options and seats are given never matters."""
        if not groups:
            unsure = Confidence(ConfidenceLabel.UNCERTAIN, "nobody answered")
            return Decision((), None, None, unsure, self.policy.name, "No member gave an answer that can be read.")
        ranking = self.policy.rank(situation, self.learned)
        assert ranking.chosen is not None  # noqa: S101  there are candidates, so one of them is best
        p = self._p(situation, ranking)
        candidates = _candidates(groups, situation, ranking, p)
        abstains = p[ranking.chosen] < self.least
        confidence = _confidence(p, ranking.chosen, self.learned)
        if abstains:
            confidence = replace(confidence, label=ConfidenceLabel.UNCERTAIN)
        return Decision(
            candidates=candidates,
            chosen=situation.options[ranking.chosen].key,
            shown_seat=shown(situation, ranking.chosen, self.learned),
            confidence=confidence,
            policy=self.policy.name,
            reason=self._reason(situation, ranking.chosen),
            effective_votes=effective_votes(situation.answered - self.computed, self.learned.correlations),
            without=self._without(situation),
            abstains=abstains,
        )

    def _p(self, situation: Situation, ranking: Ranking) -> Sequence[float]:
        """Return P of each option; of a rule that has none, what the council's own rule says."""
        from auritas.council.choice.policies import CouncilRule

        return ranking.p or CouncilRule().rank(situation, self.learned).p or ()

    def _without(self, situation: Situation) -> Mapping[str, str | None]:
        """Return for each seat that answered the key of what would have been chosen without it."""
        everybody = frozenset(situation.asked)
        found: dict[str, str | None] = {}
        for seat in sorted(situation.answered):
            others = restricted(Case(situation), everybody - {seat}).situation
            index = self.policy.rank(others, self.learned).chosen
            found[seat] = None if index is None else others.options[index].key
        return found

    def _reason(self, situation: Situation, chosen: int) -> str:
        supporters = situation.options[chosen].supporters
        answered = len(situation.answered)
        agreed = f"{len(supporters)} of {answered} members who voted say so" if answered > 1 else "One member answered"
        if self.policy.name not in _WEIGHING:
            return f"{agreed}. The rule in force is {self.policy.name}, as set."
        weights = self.learned.weights_for(situation)
        votes = {seat: weights.vote(seat, situation.nodes, situation.options[chosen].form) for seat in supporters}
        named = sorted(votes, key=lambda seat: (-round(votes[seat], 9), seat))[:MOST_EXPLAINED]
        why = f"{agreed}; weights: {', '.join(self._weighed(seat, votes[seat]) for seat in named)}."
        # What was computed needs no rule to be preferred to opinions, and what one member says is nobody's choice.
        nobody_overruled = answered == 1 or self.computed & set(supporters)
        return why if nobody_overruled else f"{why} {self._rule()}"

    def _weighed(self, seat: str, vote: float) -> str:
        if seat in self.computed:
            return f"{seat} {vote:.2f} (computed)"
        count, rate = self.learned.record.count(seat, EVERYTHING), self.learned.record.rate(seat)
        graded = f", {count.right:.0f} of {count.graded:.0f} graded right" if count.graded else ""
        return f"{seat} {vote:.2f} (expected right {rate:.0%}{graded})"

    def _rule(self) -> str:
        """Return which rule is in force and why, as a sentence."""
        guard = self.learned.guard
        if self.policy.name != "guarded":
            return f"The rule in force is {self.policy.name}, as set."
        points = 100 * abs(guard.gain)
        basis = counted(guard.questions, "graded question") if guard.questions else "what is known before grades"
        if guard.council:
            return f"The council decides: by {basis} it is right {points:.1f} points more often than its best member."
        return (
            f"The best member who answers decides: by {basis} a council would be right {points:.1f} points less often."
        )


def capped(decision: Decision, why: str) -> Decision:
    """Return the decision with a confidence of at most Medium, and why."""
    before = decision.confidence
    if before.label is not ConfidenceLabel.HIGH:
        return decision
    return replace(decision, confidence=replace(before, label=ConfidenceLabel.MEDIUM, basis=f"{before.basis}; {why}"))


def unheard(decision: Decision, mute: Sequence[str]) -> Decision:
    """Return the decision for answers of members without a vote alone: heard, and worth nothing."""
    have = "has" if len(mute) == 1 else "have"
    reason = f"{', '.join(mute)} failed the self-test and {have} no vote."
    better = "For answers that mean something: auritas models get standard"
    unsure = Confidence(ConfidenceLabel.UNCERTAIN, "only members without a vote answered; it carries no information")
    return replace(decision, confidence=unsure, reason=f"{reason} {better}", effective_votes=None)


def label_of(p: float, rival: float) -> ConfidenceLabel:
    """Return the word for a chance of being right, given that of the runner-up."""
    if p >= HIGH and rival < RIVAL:
        return ConfidenceLabel.HIGH
    return ConfidenceLabel.MEDIUM if p >= MEDIUM else ConfidenceLabel.UNCERTAIN


def _candidates(
    groups: Sequence[Group], situation: Situation, ranking: Ranking, p: Sequence[float]
) -> tuple[Candidate, ...]:
    """Return the candidates, the chosen one first, then the likeliest."""
    text = {group.id: group.text for group in groups}
    order = sorted(
        range(len(situation.options)),
        key=lambda index: (index != ranking.chosen, -round(p[index], 9), situation.options[index].key),
    )
    return tuple(
        Candidate(option.key, text[option.key], option.supporters, ranking.scores[index], p[index])
        for index in order
        for option in (situation.options[index],)
    )


def _confidence(p: Sequence[float], chosen: int, learned: Snapshot) -> Confidence:
    rival = max((value for index, value in enumerate(p) if index != chosen), default=0.0)
    label = label_of(p[chosen], rival)
    if learned.calibrated:
        return Confidence(label, f"a probability learned from {counted(learned.grades, 'graded question')}", p[chosen])
    left = f"{learned.grades} of the {CALIBRATED_AT} grades that a probability needs"
    return Confidence(label, f"prior: a score of {p[chosen]:.2f}, no probability; {left}")
