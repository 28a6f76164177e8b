"""One question through the council: ask members, form candidates, choose."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import Protocol

from auritas.council.candidates import Sameness, candidates
from auritas.council.choice.model import Situation
from auritas.council.choosing import reports_in, situation_of
from auritas.council.compliance.emphasis import emphasised
from auritas.council.ledger.rules import CouncilRule
from auritas.council.model import Member, PromptContext, Question
from auritas.council.policy import Choosing, unheard
from auritas.council.prompts import prose_prompt, with_images
from auritas.council.replies import parse
from auritas.council.streams import ReplyStream
from auritas.council.waves import enough, waves
from auritas.gateway.embedded_prompt import MEMBER_SCHEMA, member_prompt
from auritas.gateway.model import Purpose
from auritas.gateway.quoting import Material
from auritas.kernel.answers import Answer, Decision, Failure, QuestionShape
from auritas.kernel.diagnostics import Diagnostics
from auritas.kernel.errors import AuritasError
from auritas.kernel.events import AnswerDelta, AnswerDone, Decided, Event, MemberReading, MemberRetried
from auritas.kernel.hooks import Hooks
from auritas.kernel.ids import Ids
from auritas.kernel.model import BUILTIN, Finished, FinishReason, Params, Part, Prefill, Prompt, Text
from auritas.kernel.tasks import Hurry, Spawner, merge

ATTEMPTS = 2
"""A silent member is asked once more, then counts as silent."""
NOT_AWAITED = "not_awaited"
"""Code of the failure of a member for whom the user did not want to wait."""


class Asker(Protocol):
    """Whoever puts a prompt to a model by name: the gateway."""

    def answer(self, name: str, prompt: Prompt, params: Params, purpose: Purpose) -> AsyncGenerator[Part, None]:
        """Stream the reply of the model called `name`."""


@dataclass(frozen=True, slots=True)
class Brief:
    """What the council goes by for one question, besides the question.

    choosing: the rule and what it has learned, frozen before anybody answers. domains: says what the question is about,
    as shares of the nodes on the paths to the roots; it runs beside the members and never sees an answer. same: what
    makes answers one candidate. streaks: rules that a seat kept breaking, by seat and rule. reports: turns
    what a seat says of how sure it is into log-odds, with the curves in force. tagged: p(j|q) by the tags of answers.
    """

    choosing: Choosing
    domains: Callable[[], Awaitable[Mapping[str, float]]]
    same: Callable[[Sequence[Answer]], Awaitable[Sameness]]
    streaks: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    reports: CouncilRule = field(default_factory=lambda: CouncilRule(1.0))
    tagged: Callable[[Sequence[Answer]], Mapping[str, float]] = lambda _: {}


@dataclass(frozen=True, slots=True)
class Council:
    """Asks the members of a question and chooses. It keeps nothing: recording is the use case's."""

    asker: Asker
    spawner: Spawner
    ids: Ids
    hooks: Hooks
    diagnostics: Diagnostics
    params: Params

    async def ask(
        self,
        question: Question,
        members: Sequence[Member],
        context: PromptContext,
        brief: Brief,
        *,
        before: Sequence[Answer] = (),
        hurry: Hurry | None = None,
    ) -> AsyncGenerator[Event, None]:
        """Yield the members' progress and answers, then the decision.

        A member that fails or stays silent is named in its answer and never fails the question. before: answers that
        are there already; who gave them is not asked again. hurry: ends the waiting; who has not answered by then
        abstains, with the failure NOT_AWAITED.
        """
        answers: list[Answer] = list(before)
        heard = {answer.seat.name for answer in before}
        learned = brief.choosing.learned
        one = question.shape is QuestionShape.OPEN
        domains = self.spawner.spawn("domains", _awaited(brief.domains()))
        try:
            chosen = _Chosen(brief.choosing.decide((), Situation((), ())), Situation((), ()))
            for wave in waves(question.level, members, learned, question.shape):
                streams = [self._member(m, question, context, brief) for m in wave if m.seat.name not in heard]
                async with aclosing(merge(self.spawner, streams, hurry)) as events:
                    async for event in events:
                        if isinstance(event, AnswerDone):
                            answers.append(event.answer)
                        yield event
                for left in self._left(wave, answers):
                    answers.append(left)
                    yield AnswerDone(left)
                chosen = await _choose(question, members, answers, brief, await domains)
                called = hurry is not None and hurry.called
                if called or enough(question.level, chosen.decision, chosen.situation, learned, one=one):
                    break
            yield Decided(chosen.decision)
        finally:
            domains.cancel()

    def _left(self, wave: Sequence[Member], answers: Sequence[Answer]) -> Iterator[Answer]:
        """Yield what stands for those of a wave who were not waited for; it says nothing about them."""
        heard = {answer.seat.name for answer in answers}
        for seat in (member.seat for member in wave if member.seat.name not in heard):
            failure = Failure(NOT_AWAITED, f"{seat.name} was not waited for.")
            yield Answer(run_id=self.ids.new(), seat=seat, abstained=True, failure=failure)

    async def _member(
        self, member: Member, question: Question, context: PromptContext, brief: Brief
    ) -> AsyncGenerator[Event, None]:
        answer = Answer(run_id=self.ids.new(), seat=member.seat)
        for attempt in range(1, ATTEMPTS + 1):
            trying = self._attempt(member, question, context, replace(answer, attempts=attempt), brief)
            async with aclosing(trying) as events:
                async for event in events:
                    if isinstance(event, AnswerDone):
                        answer = event.answer
                    else:
                        yield event
            if attempt == ATTEMPTS or not _silent(answer):
                break
            yield MemberRetried(member.seat.name, "gave no answer that can be read")
        if _silent(answer):
            silence = Failure("silent", f"{member.seat.name} gave no answer that can be read.")
            answer = replace(answer, failure=silence)
        yield AnswerDone(answer)

    async def _attempt(
        self, member: Member, question: Question, context: PromptContext, answer: Answer, brief: Brief
    ) -> AsyncGenerator[Event, None]:
        prompt, params = self._prompt(member, question, context, brief.streaks.get(member.seat.name, {}))
        purpose = Purpose(query_id=question.query_id, conversation_id=question.conversation_id, why="answer a question")
        shown, raw = ReplyStream(), []
        try:
            async with aclosing(self.asker.answer(member.card.name, prompt, params, purpose)) as parts:
                async for part in parts:
                    match part:
                        case Prefill():
                            yield MemberReading(member.seat.name, part.done, part.total)
                        case Text():
                            raw.append(part.text)
                            if piece := self._filtered(member, shown.feed(part.text)):
                                yield AnswerDelta(member.seat.name, piece)
                        case Finished():
                            answer = _finished(answer, "".join(raw), part)
            if rest := self._filtered(member, shown.close()):
                yield AnswerDelta(member.seat.name, rest)
        except AuritasError as error:
            answer = replace(answer, failure=Failure(error.code, str(error)))
        except Exception as error:  # noqa: BLE001  whatever an adapter or plugin raises, the others still answer
            self.diagnostics.trouble(f"member {member.card.provider}", error)
            answer = replace(answer, failure=Failure("internal", f"{type(error).__name__} inside {member.seat.name}"))
        yield AnswerDone(answer)

    def _filtered(self, member: Member, text: str) -> str:
        return self.hooks.filter_chunk(member.seat.name, text) if text else ""

    def _prompt(
        self, member: Member, question: Question, context: PromptContext, streaks: Mapping[str, int]
    ) -> tuple[Prompt, Params]:
        # A part of the program computes from the bare question.
        material = Material() if member.card.provider == BUILTIN else context.material_of(member.seat.name)
        if member.card.grammar:
            prompt = emphasised(member_prompt(question.text, context.history, material), streaks)
            return self.hooks.prepare_prompt(prompt), replace(self.params, schema=MEMBER_SCHEMA)
        prompt = emphasised(prose_prompt(question.text, context.history, material), streaks)
        if member.card.sees and context.images:
            prompt = with_images(prompt, context.images)
        return self.hooks.prepare_prompt(prompt), self.params


@dataclass(frozen=True, slots=True)
class _Chosen:
    decision: Decision
    situation: Situation


async def _choose(
    question: Question, members: Sequence[Member], answers: Sequence[Answer], brief: Brief, domains: Mapping[str, float]
) -> _Chosen:
    """Return the decision on what was said so far; who may not vote counts only where nobody else answered."""
    mute = {member.seat.name for member in members if not member.votes}
    voting = [answer for answer in answers if answer.seat.name not in mute]
    heard = voting if any(answer.votes for answer in voting) else list(answers)
    groups = candidates(heard, await brief.same(heard))
    reports = reports_in(heard, brief.reports)
    situation = situation_of(question.text, groups, heard, domains, reports=reports, tagged=brief.tagged(heard))
    decision = brief.choosing.decide(groups, situation)
    if groups and heard is not voting:
        decision = unheard(decision, sorted(situation.answered))
    return _Chosen(decision, situation)


async def _awaited(work: Awaitable[Mapping[str, float]]) -> Mapping[str, float]:
    return await work


def _silent(answer: Answer) -> bool:
    return not (answer.text or answer.abstained or answer.failure)


def _finished(answer: Answer, raw: str, end: Finished) -> Answer:
    usage = answer.usage.plus(end.usage)  # a silent attempt has been paid for, too
    if end.reason is FinishReason.ABSTAINED:
        return replace(answer, abstained=True, usage=usage, provenance=end.provenance)
    reply = parse(raw)
    return replace(
        answer,
        text=reply.answer,
        explanation=reply.explanation,
        stated_confidence=reply.confidence,
        domains=reply.domains,
        raw=raw,
        usage=usage,
        provenance=end.provenance,
    )
