"""The use case behind `auritas ask`: nothing is final before its reasons and its audit entries are committed."""

import unicodedata
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass, replace

from auritas.app.roster import BUILTIN
from auritas.council.adapters.records import FAILED, INTERRUPTED, CouncilRecords
from auritas.council.model import Member, PromptContext, Question, Topic
from auritas.council.reasons import ended_early, trace_of
from auritas.council.service import Council
from auritas.kernel.answers import AccuracyLevel, Answer, AskResult, Decision
from auritas.kernel.clock import Clock
from auritas.kernel.errors import AuritasError, RefusedError, UnavailableError, UsageError
from auritas.kernel.events import AnswerDone, AskFinished, AskStarted, Decided, Event, Notice
from auritas.kernel.hooks import Hooks
from auritas.kernel.ids import Ids
from auritas.kernel.log import Receipt
from auritas.kernel.ports import Store
from auritas.store import Unit

QUESTION_CHARACTERS = 32_000
HISTORY_CHARACTERS = 4_000
"""What of a conversation goes to each member: small models have small windows, and prefill is their slow part."""


class LevelUnavailableError(RefusedError):
    """The accuracy level needs a part that is not here."""

    code = "level_unavailable"


class NoModelError(UnavailableError):
    """Nobody can be asked."""

    code = "no_model"


@dataclass(frozen=True, slots=True)
class Ask:
    """Puts questions to the council and records everything about them."""

    store: Store[Unit]
    records: CouncilRecords
    council: Council
    members: Callable[[], Sequence[Member]]
    topic_of: Callable[[str], Topic]
    degraded: Callable[[], tuple[str, ...]]
    hooks: Hooks
    clock: Clock
    ids: Ids

    async def __call__(
        self, text: str, *, level: AccuracyLevel, conversation_id: str | None = None
    ) -> AsyncGenerator[Event, None]:
        """Yield what happens, ending with AskFinished once everything is committed.

        Raises UsageError for a question that cannot be asked, NotFoundError for an unknown conversation and
        NoModelError when no model is installed. Cancelling keeps what had been answered and marks the question.
        """
        members = self._seated(level)
        question = self._question(text, level, conversation_id)
        context = self._context(conversation_id)
        seats = tuple(member.seat for member in members)
        with self.store.unit() as unit:
            self.records.open_question(unit, question, seats, is_new=conversation_id is None)
        answers: list[Answer] = []
        decision: Decision | None = None
        try:
            yield AskStarted(question.query_id, question.conversation_id, level, seats)
            async with aclosing(self.council.ask(question, members, context)) as events:
                async for event in events:
                    if isinstance(event, AnswerDone):
                        answers.append(event.answer)
                    if isinstance(event, Decided):
                        decision = event.decision
                    yield event
            result = self._finish(question, members, answers, decision)
        except BaseException as error:
            # When the store itself has failed, this fails too: the first error is the one to tell.
            with suppress(AuritasError), self.store.unit() as unit:
                status = FAILED if isinstance(error, Exception) else INTERRUPTED
                trace = ended_early(question, answers, status, trace_id=self.ids.trace(), ts=self.clock.now())
                self.records.cut_short(unit, question, answers, status, trace)
            raise
        if result.degraded:
            yield Notice("degraded", f"Out of action for a while: {', '.join(result.degraded)}.")
        self.hooks.answered(result)
        yield AskFinished(result)

    def _seated(self, level: AccuracyLevel) -> Sequence[Member]:
        if level is AccuracyLevel.MAXIMUM:
            raise LevelUnavailableError(
                "The level maximum needs reviewers, and this version has none.", remedy="Use --level high."
            )
        members = self.members()
        if all(member.card.provider == BUILTIN for member in members):
            raise NoModelError(
                "No model is installed, only the calculator.",
                remedy="Fetch the embedded ones with: auritas models get standard",
            )
        return members

    def _question(self, text: str, level: AccuracyLevel, conversation_id: str | None) -> Question:
        if any(unicodedata.category(c) == "Cs" for c in text):
            raise UsageError("The question is not text in UTF-8.", remedy="Convert it first, for example with iconv.")
        text = text.replace("\0", "").strip()
        if not text:
            raise UsageError("The question is empty.", remedy='Try: auritas ask "What is the capital of Australia?"')
        if len(text) > QUESTION_CHARACTERS:
            raise UsageError(
                f"The question has {len(text)} characters; at most {QUESTION_CHARACTERS} fit.",
                remedy="Ask about a part of it.",
            )
        return Question(self.ids.new(), conversation_id or self.ids.new(), text, level, self.topic_of(text))

    def _context(self, conversation_id: str | None) -> PromptContext:
        if conversation_id is None:
            return PromptContext()
        with self.store.read() as unit:
            return PromptContext(self.records.history(unit, conversation_id, HISTORY_CHARACTERS))

    def _finish(
        self, question: Question, members: Sequence[Member], answers: Sequence[Answer], decision: Decision | None
    ) -> AskResult:
        if decision is None:
            raise UnavailableError("The council ended without a decision.", remedy="Try: auritas doctor")
        trace = trace_of(question, members, answers, decision, trace_id=self.ids.trace(), ts=self.clock.now())
        result = AskResult(
            query_id=question.query_id,
            conversation_id=question.conversation_id,
            trace_id=trace.trace_id,
            question=question.text,
            answers=tuple(answers),
            decision=decision,
            receipt=Receipt(seq=-1),
            degraded=self.degraded(),
        )
        with self.store.unit() as unit:
            receipt = self.records.close_question(unit, question, answers, result, trace)
        return replace(result, receipt=receipt)
