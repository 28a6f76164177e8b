"""A message of the user's: listened to, remembered where it corrects something, and answered."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace

from auritas.app.ask import Ask, Asked, checked_question
from auritas.app.recollection import Shelves
from auritas.app.remembering import resembling
from auritas.app.settling import Settling
from auritas.council.acts import Act, Answered, Verdict, keyed
from auritas.council.adapters.answered_sql import answered
from auritas.council.adapters.grades_sql import SqlGrades
from auritas.council.adapters.records import CouncilRecords
from auritas.council.adapters.turns_sql import LastTurn
from auritas.council.meaning import worded
from auritas.council.model import GradeSource, Member
from auritas.council.wording import undressed
from auritas.gateway.model import Purpose
from auritas.gateway.service import Gateway
from auritas.kernel.answers import AccuracyLevel, QuestionShape
from auritas.kernel.diagnostics import Diagnostics
from auritas.kernel.errors import AuritasError
from auritas.kernel.events import Acknowledged, Event, Notice, Proposed, Remembered
from auritas.kernel.ids import Ids
from auritas.kernel.memory import Correction, CorrectionState, CorrectionType, Scope
from auritas.kernel.model import BUILTIN, Params, Role, Text
from auritas.kernel.ports import Store
from auritas.kernel.text import one_line
from auritas.memory.adapters.corrections_sql import SqlCorrections
from auritas.memory.detection.model import Band, Before, Detected, Nothing, Why
from auritas.memory.detection.service import Detector
from auritas.memory.detection.validation import Mode, needed, prompt, verdict
from auritas.memory.model import Draft, Kept
from auritas.memory.service import Remembering
from auritas.store import Unit

TROUBLE = "listening for corrections"
SHORT_VALUE_WORDS = 6
"""Of a right answer in words. What is longer need not match an answer that says the same."""
_UNKEPT = (
    "This looks like a secret, so it is not remembered. It stays in the conversation; delete that to be rid of it."
)
_REJECTED = "The members find it implausible, so it is not remembered. To keep it all the same: auritas memory add"


@dataclass(frozen=True, slots=True)
class _Heard:
    """What a message asks to be remembered, and in which conversation. last: the turn before it, if any."""

    said: str
    found: Detected
    conversation_id: str | None
    project_id: str | None
    last: LastTurn | None

    @property
    def corrects(self) -> bool:
        """Whether it gives another answer to the question before."""
        return self.last is not None and self.found.canonical_query == self.last.question != ""


@dataclass(frozen=True, slots=True)
class Talking:
    """The use case behind every message: detection, storing, grading, and asking again with what was learned."""

    store: Store[Unit]
    ask: Ask
    detector: Detector
    remembering: Remembering[Unit]
    corrections: SqlCorrections
    shelves: Shelves
    records: CouncilRecords
    grades: SqlGrades
    settling: Settling
    gateway: Gateway
    members: Callable[[], Sequence[Member]]
    field_of: Callable[[str], str | None]
    validation: Mode
    ids: Ids
    diagnostics: Diagnostics

    async def __call__(
        self, text: str, *, level: AccuracyLevel, conversation_id: str | None = None
    ) -> AsyncGenerator[Event, None]:
        """Yield what happens to a message, ending with AskFinished, or with Acknowledged where nothing was asked.

        Raises what `Ask` raises.
        """
        said = checked_question(text)
        project_id = self.ask.memory.project_of(conversation_id)
        heard = await self._listen(said, conversation_id, project_id)
        if isinstance(heard, _Heard) and await self._rejected(heard):
            yield Notice("not_remembered", _REJECTED)
            heard = Nothing(Why.UNLIKELY)
        if isinstance(heard, Nothing) and heard.reason is Why.SECRET:
            yield Notice("secret", _UNKEPT)
        events = self._remember(heard, level) if isinstance(heard, _Heard) else self._ask(said, level, conversation_id)
        async with aclosing(events) as following:
            async for event in following:
                yield event

    async def _listen(self, said: str, conversation_id: str | None, project_id: str | None) -> _Heard | Nothing:
        last = None
        if conversation_id is not None:
            with self.store.read() as unit:
                last = self.records.turns.last_turn(unit, conversation_id)
        before = Before(last.question, last.answer) if last else None
        try:
            found = await asyncio.to_thread(self.detector.detect, said, before, project_active=project_id is not None)
        except Exception as error:  # noqa: BLE001  no question fails because memory does
            self.diagnostics.trouble(TROUBLE, error)
            return Nothing(Why.NO_TRIGGER)
        if isinstance(found, Nothing) or found.band is Band.DROPPED:
            return found if isinstance(found, Nothing) else Nothing(Why.UNLIKELY, found.trigger, found.strength)
        return _Heard(said, found, conversation_id, project_id, last)

    async def _rejected(self, heard: _Heard) -> bool:
        """Ask members whether it is plausible, where the settings say so."""
        if not needed(heard.found, self.validation):
            return False
        names = [m.card.name for m in self.members() if m.card.provider != BUILTIN and m.card.local and m.votes]
        asking = prompt(heard.found, Before(heard.last.question, heard.last.answer) if heard.last else None)
        replies = []
        for name in names[:1] if self.validation is Mode.PLAUSIBLE else names:
            params = Params(max_tokens=_VERDICT_TOKENS, schema=asking.schema)
            try:
                purpose = Purpose("check a correction", conversation_id=heard.conversation_id)
                parts = [p async for p in self.gateway.answer(name, asking.prompt, params, purpose)]
                replies.append("".join(part.text for part in parts if isinstance(part, Text)))
            except AuritasError as error:
                self.diagnostics.trouble(TROUBLE, error)
        return not verdict(replies, self.validation)

    async def _remember(self, heard: _Heard, level: AccuracyLevel) -> AsyncGenerator[Event, None]:
        """Store what was heard, then ask what it asks, ask the question before again, or just say so."""
        again = _asked_again(heard)
        # What only may be meant so is asked as it stands; the card beside the answer settles it.
        is_question = bool(heard.found.asks) or heard.found.band is Band.CARD
        conversation_id, event, kept = self._store(heard, speaks=not is_question, again=again)
        if isinstance(event, Remembered):
            event = replace(event, resembles=await asyncio.to_thread(self._resembling, kept))
        yield event
        if is_question:
            asked = Asked(said=heard.said)
            text = heard.found.asks or heard.said
            events = self.ask(text, level=level, conversation_id=heard.conversation_id, asked=asked)
        elif again and heard.last:
            asked = Asked(again_in=heard.last.message_id)
            events = self.ask(again, level=level, conversation_id=conversation_id, asked=asked)
        else:
            yield Acknowledged(conversation_id, _reply(kept))
            return
        async with aclosing(events) as following:
            async for each in following:
                yield each

    def _store(self, heard: _Heard, *, speaks: bool, again: str) -> tuple[str, Remembered | Proposed, Kept]:
        """Write message, correction, grade and reply in one unit of work. speaks: the message stands by itself."""
        conversation_id = heard.conversation_id or self.ids.new()
        proposed = heard.found.band is Band.CARD
        with self.store.unit() as unit:
            message_id = None
            if speaks:
                if heard.conversation_id is None:
                    self.records.turns.begin(unit, conversation_id, heard.said, heard.project_id)
                message_id = self.records.turns.say(unit, conversation_id, Role.USER, heard.said)
            said_in = conversation_id if speaks else heard.conversation_id
            draft = _draft(heard, said_in, message_id, self.field_of)
            state = CorrectionState.PROPOSED if proposed else CorrectionState.ACTIVE
            kept = self.remembering.keep(unit, draft, state)
            graded = "" if proposed else self._grade(unit, heard, kept)
            if speaks and not again:
                self.records.turns.say(unit, conversation_id, Role.ASSISTANT, _reply(kept))
        if proposed:
            return conversation_id, Proposed(kept.correction), kept
        return conversation_id, Remembered(kept.correction, kept.replaced, (), graded, again), kept

    def _grade(self, unit: Unit, heard: _Heard, kept: Kept) -> str:
        """Mark the answer that was corrected, and return in words what that says; nothing where it was none."""
        if heard.last is None or kept.already or not heard.corrects:
            return ""
        asked = answered(unit, heard.last.query_id)
        if asked is None or asked.shown is None or asked.shape is QuestionShape.OPEN:
            return ""
        act = _act(heard.found, asked)
        record = self.grades.write_act(unit, asked.query_id, act)
        self.settling.settle(unit, asked.query_id)
        self.corrections.link_grade(unit, kept.correction.id, record.id)
        return f"The answer of {asked.shown.seat.name} counts as wrong."

    def _resembling(self, kept: Kept) -> tuple[Correction, ...]:
        if kept.already or kept.correction.state is not CorrectionState.ACTIVE:
            return ()
        return resembling(self.shelves, kept.correction, exclude=kept.replaced)

    async def _ask(self, said: str, level: AccuracyLevel, conversation_id: str | None) -> AsyncGenerator[Event, None]:
        async with aclosing(self.ask(said, level=level, conversation_id=conversation_id)) as following:
            async for event in following:
                yield event


_VERDICT_TOKENS = 24


def _asked_again(heard: _Heard) -> str:
    """Return the question before, where it should be answered anew with what was said.

    A correction of its answer calls for that, and so does a rule on how to answer; a fact of its own does not.
    """
    if heard.last is None or heard.found.asks or heard.found.band is Band.CARD:
        return ""
    rule = heard.found.type not in {CorrectionType.FACT, CorrectionType.MODEL_PREFERENCE}
    return heard.last.question if heard.corrects or rule else ""


def _draft(
    heard: _Heard, conversation_id: str | None, message_id: str | None, field_of: Callable[[str], str | None]
) -> Draft:
    """Return what is to be stored; what has no place of its own holds everywhere."""
    found = heard.found
    scope, domain = found.scope, field_of(found.domain_hint) if found.domain_hint else None
    if (scope is Scope.PROJECT and heard.project_id is None) or (scope is Scope.DOMAIN and domain is None):
        scope = Scope.GLOBAL
    if scope is Scope.CONVERSATION and conversation_id is None:
        scope = Scope.GLOBAL
    return Draft(
        claim=found.claim,
        type=found.type,
        scope=scope,
        provenance=found.provenance,
        instruction=found.instruction if found.instruction != found.claim else "",
        subject=found.subject,
        condition=found.condition,
        rejected=found.rejected,
        reason=found.trigger,
        canonical_query=found.canonical_query,
        domain=domain if scope is Scope.DOMAIN else None,
        project_id=heard.project_id if scope is Scope.PROJECT else None,
        conversation_id=conversation_id if scope is Scope.CONVERSATION else None,
        confidence=found.confidence,
        decay_class=found.decay_class,
        query_id=heard.last.query_id if heard.last and heard.corrects else None,
        message_id=message_id,
    )


def _act(found: Detected, asked: Answered) -> Act:
    """Return what a correction says about the answers: which is right where its words tell, else that one is wrong."""
    value = undressed(found.claim)
    key = keyed(value, asked, worded(asked.answers, asked.text), source=GradeSource.CORRECTION)
    shown = asked.shown
    if key.candidates or len(value.split()) <= SHORT_VALUE_WORDS or shown is None:
        return key
    return Verdict(shown.run_id, right=False)


def _reply(kept: Kept) -> str:
    """Return what is written into the conversation about something stored."""
    words = one_line(kept.correction.text, 300)
    if kept.already:
        return f"That is remembered already: {words}"
    if not kept.replaced:
        return f"Remembered: {words}"
    return f"Remembered: {words} This replaces: {'; '.join(one_line(each.text, 200) for each in kept.replaced)}"
