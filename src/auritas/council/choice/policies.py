"""The policies, one interface: best member, track record per domain, plain vote, the council's rule, and the guard."""

from collections.abc import Mapping
from dataclasses import dataclass

from auritas.council.choice.model import Situation
from auritas.council.choice.ranking import Policy, Ranking, best, tie
from auritas.council.choice.record import leaves, welfare
from auritas.council.choice.rule import shares
from auritas.council.choice.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class BestSingle:
    """Says what the member with the best record says; when it is silent, the next best, and so on."""

    name: str = "best_single"

    def rank(self, situation: Situation, learned: Snapshot) -> Ranking:
        rates = _overall(situation, learned)
        scores = tuple(max((rates[seat] for seat in option.supporters), default=0.0) for option in situation.options)
        return Ranking(scores, best(scores, situation, rates))


@dataclass(frozen=True, slots=True)
class TrackRecordPolicy:
    """Says what the member with the highest welfare W = Σ p(j|q) u(j) says: the rule as its source describes it."""

    name: str = "track_record"

    def rank(self, situation: Situation, learned: Snapshot) -> Ranking:
        record = learned.record
        domains = situation.tagged or leaves(situation.domains, record.parents)
        worth = {
            seat: welfare({node: record.utility(seat, node) for node in domains}, domains) if domains else 0.5
            for seat in situation.answered
        }
        scores = tuple(max((worth[seat] for seat in option.supporters), default=0.0) for option in situation.options)
        return Ranking(scores, best(scores, situation, _overall(situation, learned)))


@dataclass(frozen=True, slots=True)
class Vote:
    """Says what most members say."""

    name: str = "vote"

    def rank(self, situation: Situation, learned: Snapshot) -> Ranking:
        scores = tuple(float(len(option.supporters)) for option in situation.options)
        return Ranking(scores, best(scores, situation, _overall(situation, learned)))


@dataclass(frozen=True, slots=True)
class CouncilRule:
    """Rule A: weighs who says it, by what each has been right about, against "none of these"."""

    name: str = "council"

    def rank(self, situation: Situation, learned: Snapshot) -> Ranking:
        scores = learned.weights_for(situation).scores(situation)
        p = shares(scores)[:-1]
        return Ranking(scores[:-1], best(scores[:-1], situation, _overall(situation, learned)), p)


@dataclass(frozen=True, slots=True)
class Guarded:
    """The council's rule once it is expected to be right more often than the best member, else the best member."""

    name: str = "guarded"

    def rank(self, situation: Situation, learned: Snapshot) -> Ranking:
        council = CouncilRule().rank(situation, learned)
        if learned.guard.council:
            return council
        single = BestSingle().rank(situation, learned)
        return Ranking(council.scores, single.chosen, council.p)


POLICIES: Mapping[str, Policy] = {
    policy.name: policy for policy in (BestSingle(), TrackRecordPolicy(), Vote(), CouncilRule(), Guarded())
}
DEFAULT_POLICY = Guarded().name


def shown(situation: Situation, option: int, learned: Snapshot) -> str:
    """Return whose words are shown: among the authors of an option the one with the best record on these domains."""
    seats = situation.options[option].supporters
    return min(seats, key=lambda seat: (-round(learned.record.expected(seat, situation.domains), 9), tie(seat)))


def _overall(situation: Situation, learned: Snapshot) -> Mapping[str, float]:
    return {seat: learned.record.rate(seat) for seat in {*situation.asked, *situation.answered}}
