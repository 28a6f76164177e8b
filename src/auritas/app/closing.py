"""The one unit of work that ends a question: answer, runs, reviews, checks, grades, trace and audit entries."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import reduce
from typing import TYPE_CHECKING

from auritas.app.learning import computed_seats
from auritas.app.second_look import Seen
from auritas.app.settling import Settling
from auritas.council.adapters.behind_sql import took
from auritas.council.adapters.compliance_sql import Judged, SqlCompliance
from auritas.council.adapters.grades_sql import SqlGrades
from auritas.council.adapters.proposals_sql import SqlProposals
from auritas.council.adapters.records import CouncilRecords, Noted
from auritas.council.adapters.reviews_sql import ReviewRecords
from auritas.council.choice.offered import aspects, offered
from auritas.council.choosing import reports_in
from auritas.council.compliance.model import Checked, Round, tier_of
from auritas.council.compliance.pipeline import checks_with, run_checks
from auritas.council.grading import ask_for_grade
from auritas.council.notices import notices_for
from auritas.council.reasons import trace_of
from auritas.kernel.answers import AskResult, GradeRequest, QuestionShape
from auritas.kernel.clock import Clock
from auritas.kernel.ids import Ids
from auritas.kernel.log import Receipt
from auritas.kernel.model import BUILTIN, Usage
from auritas.kernel.ports import Store
from auritas.memory.adapters.corrections_sql import SqlCorrections
from auritas.memory.adapters.used_sql import keep_context
from auritas.memory.notes.model import Portion
from auritas.memory.notes.tokens import estimated
from auritas.store import Unit

if TYPE_CHECKING:
    from auritas.app.domains import Domains
    from auritas.app.notes import Notes

_MESSAGES = 2
"""A question and its answer."""


@dataclass(frozen=True, slots=True)
class Closing:
    """Writes a question that has been answered."""

    store: Store[Unit]
    records: CouncilRecords
    reviews: ReviewRecords
    compliance: SqlCompliance
    grades: SqlGrades
    proposals: SqlProposals
    settling: Settling
    domains: "Domains"
    corrections: SqlCorrections
    notes: "Notes"
    degraded: Callable[[], tuple[str, ...]]
    clock: Clock
    ids: Ids

    def streaks(self, unit: Unit) -> Mapping[str, Mapping[str, int]]:
        """Return the rules that members kept breaking."""
        return self.compliance.streaks(unit)

    def close(self, seen: Seen, shape_rule: str) -> AskResult:
        """Commit everything about a question and return its result."""
        trace = trace_of(seen, shape_rule, trace_id=self.ids.trace(), ts=self.clock.now())
        result = self._result(seen, trace.trace_id)
        with self.store.unit() as unit:
            noted = Noted(
                aspects(offered(seen.question.text)), reports_in(seen.answers, seen.rule), seen.learned.weights.reports
            )
            receipt = self.records.close_question(unit, seen.question, result, trace, noted)
            self._remembered(unit, seen)
            self._checks(unit, seen)
            self._domains(unit, seen)
            self._reviews(unit, seen)
            seconds = took(unit, result.query_id)
        return replace(result, receipt=receipt, seconds=seconds)

    def _result(self, seen: Seen, trace_id: str) -> AskResult:
        question, decision = seen.question, seen.decision
        notices = (*seen.recalled.notices, *notices_for(question.domains, question.text), *seen.notices)
        return AskResult(
            query_id=question.query_id,
            conversation_id=question.conversation_id,
            trace_id=trace_id,
            question=question.text,
            answers=tuple(seen.answers),
            decision=decision,
            receipt=Receipt(seq=-1),
            degraded=self._degraded(seen),
            reviews=tuple(seen.reviews),
            domains=seen.domains,
            shape=question.shape,
            notices=notices if decision.winner else (),
            memory=seen.recalled.uses,
            passages=seen.recalled.passages,
            resumed=seen.recalled.line,
            compared=reduce(Usage.plus, (comparison.usage for _, comparison, _ in seen.comparisons), Usage()),
            asks_grade=self._asks(seen),
        )

    def _degraded(self, seen: Seen) -> tuple[str, ...]:
        """Return who of this council is left alone; what was removed from it concerns nobody any more."""
        names = {member.card.name for member in seen.members}
        return tuple(name for name in self.degraded() if name in names)

    @staticmethod
    def _asks(seen: Seen) -> GradeRequest | None:
        """Return why the person is asked for a grade; of texts that differ none need be the right one."""
        if seen.question.shape is QuestionShape.OPEN:
            return None
        return ask_for_grade(seen.decision, seen.question.query_id, computed=computed_seats(seen.members))

    def _remembered(self, unit: Unit, seen: Seen) -> None:
        """Write what of memory each model had, and count what each has seen towards its next note."""
        cards = {member.seat.name: member.card for member in seen.members if member.card.provider != BUILTIN}
        runs = {answer.seat.name: answer.run_id for answer in seen.answers if answer.seat.name in cards}
        query_id, recalled = seen.question.query_id, seen.recalled
        self.corrections.applied(unit, query_id, tuple(runs.values()), recalled.uses)
        keep_context(unit, runs, recalled.passages, recalled.notes)
        if recalled.temporary:
            return
        portions = {
            answer.seat.name: Portion(
                # What is new: examples and history are in every prompt, and must not count each time.
                tokens=estimated(f"{seen.question.text} {answer.text} {answer.explanation}"),
                messages=_MESSAGES,
                window=cards[answer.seat.name].window,
            )
            for answer in seen.answers
            if answer.seat.name in runs
        }
        self.notes.count(unit, seen.question.conversation_id, portions)

    def _domains(self, unit: Unit, seen: Seen) -> None:
        """Write which fields were named, and how the question reads; a field may stay when its question is gone."""
        if seen.recalled.temporary:
            return
        self.domains.note_mentions(unit, seen.answers)
        if seen.reading is not None:
            self.domains.keep_vector(unit, seen.question.query_id, seen.reading)

    def _checks(self, unit: Unit, seen: Seen) -> None:
        asked_for = [(use.correction.id, use.correction.text) for use in seen.recalled.entered]
        checks = checks_with(asked_for)
        known = "\n".join((seen.earlier, *seen.recalled.context.remembered))
        tiers = {member.seat.name: tier_of(member.card) for member in seen.members}
        domain = max(seen.question.domains, key=lambda node: (seen.question.domains[node], node), default="")
        judged = []
        for answer in seen.answers:
            tier = tiers.get(answer.seat.name)
            if tier is None or not answer.raw or answer.abstained:
                continue
            results = run_checks(Checked(answer.raw, seen.question.text, tier, earlier=known), checks)
            judged.append(Judged(answer.seat.name, answer.run_id, results, answer.attempts - 1))
        for review in seen.reviews:
            tier = tiers.get(review.reviewer)
            if tier is None or not review.raw:
                continue
            told = "\n".join((seen.earlier, *(answer.text for answer in seen.answers)))
            said = Checked(review.raw, seen.question.text, tier, Round.PEER_REVIEW, told)
            judged.append(Judged(review.reviewer, None, run_checks(said)))
        self.compliance.record(unit, judged, domain=domain)

    def _reviews(self, unit: Unit, seen: Seen) -> None:
        query_id, said = seen.question.query_id, {answer.run_id: answer.text for answer in seen.answers}
        self.reviews.reviewed(unit, query_id, seen.reviews)
        for kind, comparison, used in seen.comparisons:
            self.reviews.compared(unit, query_id, kind, comparison, used=used)
        for act in seen.acts:
            self.grades.write_act(unit, query_id, act)
        if seen.acts:
            self.settling.settle(unit, query_id)
        for review in () if seen.recalled.temporary else seen.reviews:
            self.proposals.propose(unit, seen.question, review, said.get(review.run_id, ""))
