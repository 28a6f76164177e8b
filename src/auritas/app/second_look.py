"""What happens between a decision and its record: blind reviews, comparisons, and the judge on close calls."""

from collections.abc import AsyncGenerator, Collection, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from auritas.app.recollection import Recollection
from auritas.council.acts import Reviewed
from auritas.council.adapters.close_calls_sql import past_gaps
from auritas.council.adapters.reviews_sql import ComparisonKind, ReviewRecords
from auritas.council.choice.snapshot import Snapshot
from auritas.council.ledger.rules import CouncilRule
from auritas.council.model import Member, Question
from auritas.council.policy import capped
from auritas.council.review import judge
from auritas.council.review.assignment import assign, in_random_order
from auritas.council.review.checks import grade_of, informed
from auritas.council.review.model import Comparison, Reliability
from auritas.council.review.pairwise import matches, rank_open
from auritas.council.review.service import Reviewing
from auritas.gateway.model import Purpose
from auritas.kernel.answers import (
    AccuracyLevel,
    Answer,
    Confidence,
    ConfidenceLabel,
    Decision,
    QuestionShape,
    Review,
    ReviewVerdict,
)
from auritas.kernel.events import Event, ReviewDone
from auritas.kernel.memory import MemoryUse, UseReason
from auritas.kernel.model import BUILTIN
from auritas.kernel.ports import Store
from auritas.kernel.randomness import Rng
from auritas.kernel.tasks import Hurry, merge
from auritas.store import Unit

if TYPE_CHECKING:
    from auritas.council.domains.classifier import Reading

_NOT_AWAITED = "Nobody reviewed this answer: you did not want to wait."
THOROUGH = frozenset({AccuracyLevel.HIGH, AccuracyLevel.MAXIMUM})


@dataclass
class Seen:
    """A question on its way: what was answered, decided and found about it so far.

    rule: how reports were turned into log-odds. reading: how the question was classified, with the vector that it came
    from. earlier: what the user had said before in the conversation.
    """

    question: Question
    members: Sequence[Member]
    answers: list[Answer]
    decision: Decision
    learned: Snapshot
    rule: CouncilRule
    reading: "Reading | None" = None
    earlier: str = ""
    recalled: Recollection = field(default_factory=Recollection)
    reviews: list[Review] = field(default_factory=list)
    comparisons: list[tuple[ComparisonKind, Comparison, bool]] = field(default_factory=list)
    acts: list[Reviewed] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)

    @property
    def domains(self) -> Mapping[str, float]:
        """What the question is about: shares of the most specific nodes."""
        return self.reading.shares if self.reading else {}

    @property
    def told(self) -> Sequence[MemoryUse]:
        """What of memory is in the prompts, and what the person wants in none of this conversation."""
        refused = (use for use in self.recalled.uses if use.reason is UseReason.LEFT_OUT)
        return (*self.recalled.entered, *refused)

    @property
    def opinions(self) -> Sequence[str]:
        """What blind comparisons said, as sentences."""
        names = {answer.run_id: answer.seat.name for answer in self.answers}
        names |= {candidate.id: candidate.text for candidate in self.decision.candidates}
        return [
            f"{each.judge} preferred {names.get(each.favours, each.favours)}"
            if each.favours
            else f"{each.judge} preferred neither {names.get(each.first)} nor {names.get(each.second)} in both orders"
            for _, each, _ in self.comparisons
        ]

    @property
    def shown(self) -> Answer | None:
        """The answer whose words are shown."""
        return next((a for a in self.answers if a.seat.name == self.decision.shown_seat), None)

    @property
    def reachable(self) -> Sequence[Member]:
        """The members without those that failed or were silent just now: they would not read an answer, either."""
        down = {answer.seat.name for answer in self.answers if answer.failure}
        return [member for member in self.members if member.seat.name not in down]

    @property
    def standing(self) -> Mapping[str, float]:
        """Each seat's track record on this question."""
        return {m.seat.name: self.learned.record.expected(m.seat.name, self.question.domains) for m in self.members}


@dataclass(frozen=True, slots=True)
class SecondLook:
    """Reviews what was decided. designated: the seat that the user wants as reviewer, if any."""

    store: Store[Unit]
    records: ReviewRecords
    reviewing: Reviewing
    rng: Rng
    designated: str = ""

    async def __call__(self, seen: Seen, hurry: Hurry | None = None) -> AsyncGenerator[Event, None]:
        """Look again as far as the level asks for it, and leave in `seen` what was found. Never fails a question.

        hurry: ends the looking; what was found by then counts.
        """
        if seen.decision.winner is None or _computed(seen):
            return
        try:
            async with aclosing(merge(self.reviewing.spawner, [self._looked(seen)], hurry)) as events:
                async for event in events:
                    yield event
        except Exception as error:  # noqa: BLE001  whatever breaks here, what the members said stands
            self.reviewing.diagnostics.trouble("second look", error)
            seen.notices.append("This answer was not fully reviewed: the second look at it failed.")
        if hurry is not None and hurry.called and not seen.reviews:
            seen.notices[:] = [_NOT_AWAITED]
        if seen.question.shape is QuestionShape.OPEN:
            seen.decision = _open_ended(seen)

    async def _looked(self, seen: Seen) -> AsyncGenerator[Event, None]:
        level, shape = seen.question.level, seen.question.shape
        if level not in THOROUGH and shape is QuestionShape.CLOSED:
            return  # nobody is asked, so nobody need be believed
        with self.store.read() as unit:
            believed = self.records.reliabilities(unit, [member.seat for member in seen.members])
        if shape is QuestionShape.OPEN and level in THOROUGH:
            await self._order(seen, believed)
        if shape is QuestionShape.CLOSED and level is AccuracyLevel.MAXIMUM:
            await self._judge(seen, believed)
        if level in THOROUGH or shape is QuestionShape.OPEN:
            async with aclosing(self._review(seen, believed)) as events:
                async for event in events:
                    yield event

    async def _order(self, seen: Seen, believed: Mapping[str, Reliability]) -> None:
        """Order the answers to an open question by comparing them, each pair by somebody who wrote neither."""
        query_id = seen.question.query_id
        voting = {member.seat.name for member in seen.members if member.votes}
        texts = [answer for answer in seen.answers if answer.seat.name in voting]
        judges = [member for member in seen.reachable if informed(believed[member.seat.name])]
        pairs = matches(texts, judges, _informedness(believed), key=query_id)
        found = await self.reviewing.compare_all(seen.question.text, pairs, _purpose(seen, "compare answers"))
        seen.comparisons += [(ComparisonKind.PAIRWISE, each, True) for each in found]
        order = rank_open(texts or seen.answers, found, seen.standing, key=query_id)
        first = order[0].seat.name
        chosen = next((c.id for c in seen.decision.candidates if first in c.supporters), seen.decision.chosen)
        pairs_compared = f"{len(found)} blind comparison{'' if len(found) == 1 else 's'} by members who wrote neither"
        how = pairs_compared if found else "track record alone, since nobody who judges well wrote none of them"
        seen.decision = replace(
            seen.decision, chosen=chosen, shown_seat=first, reason=f"Open-ended: ordered by {how}; {first} comes first."
        )

    async def _judge(self, seen: Seen, believed: Mapping[str, Reliability]) -> None:
        with self.store.read() as unit:
            threshold = judge.close_gap(past_gaps(unit))
        leading = judge.close_call(seen.decision, threshold)
        if leading is None:
            return
        authors = {seat for candidate in leading for seat in candidate.supporters}
        who = judge.judge_for(authors, seen.reachable, _informedness(believed), key=seen.question.query_id)
        if who is None:
            return
        (first, second), purpose = leading, _purpose(seen, "judge a close call")
        opinion = await self.reviewing.compare(
            seen.question.text, (first.id, first.text), (second.id, second.text), who, purpose
        )
        with self.store.read() as unit:
            record = self.records.judge_record(unit, who.seat.name)
        used = judge.decides(seen.decision, opinion, record)
        seen.decision = judge.apply(seen.decision, opinion, record, seen.standing)
        seen.comparisons.append((ComparisonKind.JUDGE, opinion, used))

    async def _review(self, seen: Seen, believed: Mapping[str, Reliability]) -> AsyncGenerator[Event, None]:
        shown, winner = seen.shown, seen.decision.winner
        # Of a question that has gone up a level, who has read these very words is heard again, not asked again.
        heard = [review for review in seen.reviews if shown and review.run_id == shown.run_id]
        seen.notices.clear()
        for review in heard:
            self._heed(seen, review, believed)
        reviewers = self._reviewers(seen, believed, {review.reviewer for review in heard})
        if shown is None or winner is None or not (reviewers or heard):
            seen.notices.append("Nobody reviewed this answer: no other member is there who reviews better than chance.")
            return
        full = seen.question.shape is QuestionShape.OPEN
        purpose = _purpose(seen, "review an answer")
        async with aclosing(self.reviewing.reviews(seen.question.text, shown, reviewers, purpose, full=full)) as events:
            async for event in events:
                if isinstance(event, ReviewDone):
                    self._take(seen, event.review, believed)
                yield event

    def _reviewers(self, seen: Seen, believed: Mapping[str, Reliability], done: Collection[str]) -> Sequence[Member]:
        """Return who reads the answer: not its author, and nobody who said the same while there is somebody else.

        Who was measured and found to know nothing is left out, unless the user wants that one. At the highest level all
        of the council that was asked read it, and nobody beyond it. done: who has read it.
        """
        authors = set(seen.decision.winner.supporters) if seen.decision.winner else set()
        own = {seen.decision.shown_seat or ""}
        useful = [m for m in seen.reachable if informed(believed[m.seat.name]) or m.seat.name == self.designated]
        if seen.question.level is AccuracyLevel.MAXIMUM:
            council = {answer.seat.name for answer in seen.answers} | {self.designated}
            return in_random_order({*own, *done}, [m for m in useful if m.seat.name in council], self.rng)
        record, key = _informedness(believed), seen.question.query_id
        for excluded in (authors, own):
            found = assign(excluded, useful, record, key=key, designated=self.designated or None)
            if found is not None:
                return (found,)
        return ()

    @staticmethod
    def _take(seen: Seen, review: Review, believed: Mapping[str, Reliability]) -> None:
        seen.reviews.append(review)
        known = believed[review.reviewer]
        grade = grade_of(review, known)
        if grade is not None:
            seen.acts.append(Reviewed(review.run_id, review.verdict, review.reviewer, known.of_a_grade))
        SecondLook._heed(seen, review, believed)

    @staticmethod
    def _heed(seen: Seen, review: Review, believed: Mapping[str, Reliability]) -> None:
        """Let an objection cap the confidence, and tell the person."""
        known = believed[review.reviewer]
        if not review.objects:
            return
        if not informed(known):
            seen.notices.append(f"{review.reviewer} objects, but was found to review no better than chance.")
            return
        seen.decision = capped(seen.decision, f"{review.reviewer} objects")
        what = f": {'; '.join(review.issues)}" if review.issues else ""
        proposed = f" It proposes: {review.correction}" if review.correction else ""
        verdict = "wrong" if review.verdict is ReviewVerdict.INCORRECT else "only partly right"
        seen.notices.append(f"The blind reviewer {review.reviewer} finds this {verdict}{what}.{proposed}")


def _computed(seen: Seen) -> bool:
    """Whether the answer shown was calculated: a reviewer could only miscalculate."""
    return any(m.card.provider == BUILTIN and m.seat.name == seen.decision.shown_seat for m in seen.members)


def _open_ended(seen: Seen) -> Decision:
    """Return the decision with the confidence that an open question can have: what its reviewers say."""
    said = {review.verdict for review in seen.reviews}
    fine = said == {ReviewVerdict.CORRECT}
    label = ConfidenceLabel.MEDIUM if fine else ConfidenceLabel.UNCERTAIN
    basis = "such a question has no single right answer; " + (
        "its blind reviewer found nothing wrong" if fine else "no blind reviewer confirmed it"
    )
    candidates = tuple(replace(candidate, p=None) for candidate in seen.decision.candidates)
    return replace(seen.decision, candidates=candidates, confidence=Confidence(label, basis), abstains=False)


def _informedness(believed: Mapping[str, Reliability]) -> Mapping[str, float]:
    return {seat: reliability.informedness for seat, reliability in believed.items()}


def _purpose(seen: Seen, why: str) -> Purpose:
    return Purpose(query_id=seen.question.query_id, conversation_id=seen.question.conversation_id, why=why)
