"""One question through the council: ask members, form candidates, choose."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Protocol

from auritas.council.candidates import candidates
from auritas.council.model import Member, PromptContext, Question
from auritas.council.policy import ChoicePolicy
from auritas.council.prompts import prose_prompt
from auritas.council.replies import parse
from auritas.council.streams import ReplyStream
from auritas.council.waves import settled, waves
from auritas.gateway.embedded_prompt import MEMBER_SCHEMA, member_prompt
from auritas.gateway.model import Purpose
from auritas.kernel.answers import Answer, Failure
from auritas.kernel.diagnostics import Diagnostics
from auritas.kernel.errors import AuritasError
from auritas.kernel.events import AnswerDelta, AnswerDone, Decided, Event, MemberReading, MemberRetried
from auritas.kernel.hooks import Hooks
from auritas.kernel.ids import Ids
from auritas.kernel.model import Finished, FinishReason, Params, Part, Prefill, Prompt, Text, Usage
from auritas.kernel.tasks import Spawner, merge

ATTEMPTS = 2
"""A silent member is asked once more, then counts as silent."""


class Asker(Protocol):
    """Whoever puts a prompt to a model by name: the gateway."""

    def answer(self, name: str, prompt: Prompt, params: Params, purpose: Purpose) -> AsyncGenerator[Part, None]:
        """Stream the reply of the model called `name`."""


@dataclass(frozen=True, slots=True)
class Council:
    """Asks the members of a question and chooses. It keeps nothing: recording is the use case's."""

    asker: Asker
    policy: ChoicePolicy
    spawner: Spawner
    ids: Ids
    hooks: Hooks
    diagnostics: Diagnostics
    params: Params

    async def ask(
        self, question: Question, members: Sequence[Member], context: PromptContext
    ) -> AsyncGenerator[Event, None]:
        """Yield the members' progress and answers, then the decision.

        A member that fails or stays silent is named in its answer and never fails the question.
        """
        answers: list[Answer] = []
        decision = self.policy.choose((), members, question.topic)
        for wave in waves(question.level, members, question.topic):
            streams = [self._member(member, question, context) for member in wave]
            async with aclosing(merge(self.spawner, streams)) as events:
                async for event in events:
                    if isinstance(event, AnswerDone):
                        answers.append(event.answer)
                    yield event
            decision = self.policy.choose(candidates(answers), members, question.topic)
            if settled(decision):
                break
        yield Decided(decision)

    async def _member(self, member: Member, question: Question, context: PromptContext) -> AsyncGenerator[Event, None]:
        answer = Answer(run_id=self.ids.new(), seat=member.seat)
        for attempt in range(1, ATTEMPTS + 1):
            trying = self._attempt(member, question, context, replace(answer, attempts=attempt))
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
        self, member: Member, question: Question, context: PromptContext, answer: Answer
    ) -> AsyncGenerator[Event, None]:
        prompt, params = self._prompt(member, question, context)
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

    def _prompt(self, member: Member, question: Question, context: PromptContext) -> tuple[Prompt, Params]:
        if member.card.grammar:
            prompt = member_prompt(question.text, context.history)
            return self.hooks.prepare_prompt(prompt), replace(self.params, schema=MEMBER_SCHEMA)
        return self.hooks.prepare_prompt(prose_prompt(question.text, context.history)), self.params


def _silent(answer: Answer) -> bool:
    return not (answer.text or answer.abstained or answer.failure)


def _finished(answer: Answer, raw: str, end: Finished) -> Answer:
    usage = _added(answer.usage, end.usage)
    if end.reason is FinishReason.ABSTAINED:
        return replace(answer, abstained=True, usage=usage, provenance=end.provenance)
    reply = parse(raw)
    return replace(
        answer,
        text=reply.answer,
        explanation=reply.explanation,
        stated_confidence=reply.confidence,
        domains=reply.domains,
        usage=usage,
        provenance=end.provenance,
    )


def _added(before: Usage, now: Usage) -> Usage:
    """Return what all attempts took together: a silent one has been paid for, too."""
    return Usage(
        tokens_in=before.tokens_in + now.tokens_in,
        tokens_out=before.tokens_out + now.tokens_out,
        cost_micros=before.cost_micros + now.cost_micros,
        first_token_ms=now.first_token_ms,
        total_ms=before.total_ms + now.total_ms,
    )
