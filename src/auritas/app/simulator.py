"""What a question would take and who would be asked, worked out without asking anybody or writing anything."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from auritas.app.ask import checked_question
from auritas.app.learning import Learning, computed_seats
from auritas.app.roster import BUILTIN
from auritas.council.adapters.habits_sql import habits
from auritas.council.candidates import Group, candidates
from auritas.council.choice.model import Situation
from auritas.council.choice.policies import POLICIES
from auritas.council.choice.snapshot import Snapshot
from auritas.council.choosing import reports_in, situation_of
from auritas.council.expectation import expected
from auritas.council.ledger.rules import CouncilRule
from auritas.council.meaning import worded
from auritas.council.model import Member, Topic
from auritas.council.policy import Choosing
from auritas.council.shape import shape_of
from auritas.council.waves import enough, waves
from auritas.kernel.answers import AccuracyLevel, Answer, Decision, Expected, QuestionShape, Seat
from auritas.kernel.errors import UsageError
from auritas.kernel.ports import Store
from auritas.store import Unit

if TYPE_CHECKING:
    from auritas.app.domains import Domains

ANYTHING = "?"
"""The question where only its domains are given: it offers no answers to choose from."""


@dataclass(frozen=True, slots=True)
class LevelExpectation:
    """What a question is likely to take at one level, and who is asked at most, in order."""

    level: AccuracyLevel
    expected: Expected
    members: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Supposed:
    """What one member is supposed to say. stated_confidence: how sure it is supposed to call itself, in [0, 1]."""

    seat: str
    text: str
    stated_confidence: float | None = None


@dataclass(frozen=True, slots=True)
class Route:
    """A question that nobody asks. domains: its shares by domain, which the text gives where they are left out."""

    text: str = ""
    domains: Mapping[str, float] | None = None
    level: AccuracyLevel = AccuracyLevel.BALANCED
    shape: QuestionShape | None = None
    answers: tuple[Supposed, ...] = ()


@dataclass(frozen=True, slots=True)
class RoutedMember:
    """A member in the order of asking. rate: expected share of right answers on these domains; weight: of its vote."""

    seat: str
    model: str
    local: bool
    votes: bool
    rate: float
    weight: float | None


@dataclass(frozen=True, slots=True)
class RoutedWave:
    """Members who are asked at once. asked: whether it comes to them, with the answers that were supposed."""

    members: tuple[RoutedMember, ...]
    asked: bool


@dataclass(frozen=True, slots=True)
class Routed:
    """How a question would go.

    missing: seats it comes to of which nothing was supposed. decision: what would be chosen from what was; None where
    nothing was supposed. threshold: P at which a cascade stops after its first wave, None where none was learned.
    """

    level: AccuracyLevel
    shape: QuestionShape
    domains: Mapping[str, float]
    waves: tuple[RoutedWave, ...]
    expected: Expected
    policy: str
    decision: Decision | None
    missing: tuple[str, ...]
    threshold: float | None


@dataclass(frozen=True, slots=True)
class Simulator:
    """Plays a question through with what the council knows now. policy, least: as they are set."""

    store: Store[Unit]
    members: Callable[[], Sequence[Member]]
    topic_of: Callable[[str], Topic]
    learning: Learning
    domains: "Domains"
    policy: str
    least: float = 0.0

    def expectation(self, text: str = "", wanted: Sequence[str] = ()) -> tuple[LevelExpectation, ...]:
        """Return what a question takes at every level; without a text, what a closed one does.

        wanted: seats that are to be asked; none of them, or none that sits here, means all.
        """
        seated = self.members()
        members = [member for member in seated if member.seat.name in wanted] or seated
        learned = self.learning.current(members)
        shape = self._shape(checked_question(text)) if text.strip() else QuestionShape.CLOSED
        with self.store.read() as unit:
            known = habits(unit)
        return tuple(
            LevelExpectation(
                level,
                expected(level, members, learned, known, shape),
                tuple(m.seat.name for wave in waves(level, members, learned, shape) for m in wave),
            )
            for level in AccuracyLevel
        )

    def route(self, wanted: Route) -> Routed:
        """Play a question through.

        Raises UsageError when it has neither a text nor domains, or supposes an answer of nobody who sits in the
        council, and UnknownDomainError.
        """
        members = self.members()
        learned = self.learning.current(members)
        self._require_seats(wanted, members)
        text = checked_question(wanted.text) if wanted.text.strip() else ""
        shape = wanted.shape or (self._shape(text) if text else QuestionShape.CLOSED)
        shares = self._shares(wanted, text)
        planned = waves(wanted.level, members, learned, shape)
        with self.store.read() as unit:
            takes = expected(wanted.level, members, learned, habits(unit), shape)
        mute = frozenset(member.seat.name for member in members if not member.votes)
        choosing, reports = self._choosing(members, learned), self.learning.reports()
        game = _Game(text or ANYTHING, shares, learned, choosing, reports, shape, mute)
        stages = game.played(wanted, planned)
        seats = [m.seat.name for wave, asked in zip(planned, stages, strict=True) if asked for m in wave]
        supposed = {each.seat for each in wanted.answers}
        answers = [each for each in wanted.answers if each.seat in seats]
        return Routed(
            level=wanted.level,
            shape=shape,
            domains=shares,
            waves=tuple(
                RoutedWave(tuple(_routed(m, learned, shares) for m in wave), asked)
                for wave, asked in zip(planned, stages, strict=True)
            ),
            expected=takes,
            policy=self.policy,
            decision=game.decided(answers) if answers else None,
            missing=tuple(seat for seat in seats if supposed and seat not in supposed),
            threshold=_threshold(planned, learned),
        )

    def _choosing(self, members: Sequence[Member], learned: Snapshot) -> Choosing:
        return Choosing(POLICIES[self.policy], learned, self.least, computed_seats(members))

    def _shape(self, text: str) -> QuestionShape:
        return QuestionShape.CLOSED if self.topic_of(text) is Topic.CALCULATION else shape_of(text).shape

    def _shares(self, wanted: Route, text: str) -> Mapping[str, float]:
        if wanted.domains:
            tree = self.domains.tree()
            total = sum(wanted.domains.values())
            if total <= 0:
                raise UsageError(
                    "Shares of domains add up to more than nothing.", remedy="Give one domain the share 1."
                )
            named = [(tree.node(name).id, share / total) for name, share in wanted.domains.items()]
            return tree.spread({node: sum(s for n, s in named if n == node) for node, _ in named})
        if not text:
            raise UsageError("What is the question about?", remedy="Give its text, or its domains.")
        return self.domains.tree().spread(self.domains.classifier().read(text).shares)

    @staticmethod
    def _require_seats(wanted: Route, members: Sequence[Member]) -> None:
        known = {member.seat.name for member in members}
        unknown = next((each.seat for each in wanted.answers if each.seat not in known), None)
        if unknown is not None:
            raise UsageError(
                f"Nobody named {unknown!r} sits in the council.", remedy=f"There are: {', '.join(sorted(known))}."
            )


@dataclass(frozen=True, slots=True)
class _Game:
    """One question with what is known before anybody answers. mute: seats whose answers carry no vote."""

    text: str
    shares: Mapping[str, float]
    learned: Snapshot
    choosing: Choosing
    reports: CouncilRule
    shape: QuestionShape
    mute: frozenset[str]

    def played(self, wanted: Route, planned: Sequence[Sequence[Member]]) -> list[bool]:
        """Return for each wave whether it comes to it; where nothing is supposed of a wave, the next is not known."""
        said, asked, goes_on = list[Supposed](), [], True
        for wave in planned:
            asked.append(goes_on)
            if not goes_on:
                continue
            seats = {member.seat.name for member in wave}
            said += [each for each in wanted.answers if each.seat in seats]
            goes_on = not (said and self._enough(wanted.level, said))
        return asked

    def _enough(self, level: AccuracyLevel, said: Sequence[Supposed]) -> bool:
        situation, groups = self._situation(said)
        decision = self.choosing.decide(groups, situation)
        return enough(level, decision, situation, self.learned, one=self.shape is QuestionShape.OPEN)

    def decided(self, said: Sequence[Supposed]) -> Decision:
        """Return what is chosen from what members are supposed to say; answers are compared by their words alone."""
        situation, groups = self._situation(said)
        return self.choosing.decide(groups, situation)

    def _situation(self, said: Sequence[Supposed]) -> tuple[Situation, tuple[Group, ...]]:
        answers = [
            Answer(each.seat, Seat(each.seat, each.seat), each.text, stated_confidence=each.stated_confidence)
            for each in said
            if each.seat not in self.mute
        ]
        groups = candidates(answers, worded(answers, self.text))
        reports = reports_in(answers, self.reports)
        return situation_of(self.text, groups, answers, self.shares, reports=reports), groups


def _routed(member: Member, learned: Snapshot, shares: Mapping[str, float]) -> RoutedMember:
    seat = member.seat
    rate, weight = learned.record.expected(seat.name, shares), learned.weights.seats.get(seat.name)
    return RoutedMember(seat.name, seat.model, seat.local, member.votes, rate, weight)


def _threshold(planned: Sequence[Sequence[Member]], learned: Snapshot) -> float | None:
    first = {m.seat.name for wave in planned[:2] for m in wave if m.card.provider != BUILTIN}
    stage = next((stage for stage in learned.stages if set(stage.seats) == first), None)
    return stage.threshold if stage and stage.threshold <= 1 else None
