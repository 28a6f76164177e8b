"""A message of the user's: listened to, remembered where it corrects something, and answered."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from auritas.app.ask import Ask, Asked, checked_question
from auritas.app.recollection import Shelves
from auritas.app.resembling import resembling
from auritas.app.setting_right import SettingRight
from auritas.app.sources import facts_behind
from auritas.app.wishes import NO_WISHES, Wishes
from auritas.council.adapters.records import CouncilRecords
from auritas.council.adapters.turns_sql import LastTurn
from auritas.council.model import Member
from auritas.gateway.model import Purpose
from auritas.gateway.service import Gateway
from auritas.kernel.answers import AccuracyLevel
from auritas.kernel.diagnostics import Diagnostics
from auritas.kernel.errors import AuritasError, NotFoundError
from auritas.kernel.events import Acknowledged, AskStarted, Event, Notice, Proposed, Remembered
from auritas.kernel.ids import Ids
from auritas.kernel.memory import Correction, CorrectionState, CorrectionType, Scope
from auritas.kernel.model import BUILTIN, Params, Role, Text
from auritas.kernel.ports import Store
from auritas.kernel.text import one_line
from auritas.memory.adapters.corrections_sql import SqlCorrections
from auritas.memory.detection.model import Band, Before, Detected, Nothing, Why
from auritas.memory.detection.validation import Mode, needed, prompt, verdict
from auritas.memory.model import Draft, Gates, Kept
from auritas.memory.service import Remembering
from auritas.store import Unit

if TYPE_CHECKING:
    from auritas.memory.detection.service import Detector

TROUBLE = "listening for corrections"
_UNKEPT = (
    "This looks like a secret, so it is not remembered. It stays in the conversation; delete that to be rid of it."
)
_SAY_WHAT_IS_RIGHT = 'To have it remembered, say what is right, for example: "No, it is 53".'
FORGET_SHOWN = 3
"""Of what may be meant by a wish to forget."""
_NOT_ALLOWED = "Heard, but this token may not change memory (scope corrections:write)."
_REJECTED = (
    "The members find it implausible, so it is not remembered. "
    "To keep it all the same, add it on the page Memory, or by auritas memory add"
)


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
        query = self.found.canonical_query
        return self.last is not None and query != "" and " ".join(self.last.question.split()).startswith(query)

    @property
    def query_id(self) -> str | None:
        """The question whose answer it corrects."""
        return self.last.query_id if self.last and self.corrects else None

    @property
    def is_question(self) -> bool:
        """Whether the message is asked; what only may be meant as a correction is, with a card beside the answer."""
        return bool(self.found.asks) or self.found.band is Band.CARD

    @property
    def again(self) -> str:
        """The question before, where it should be answered anew with what was said.

        A correction of its answer calls for that, and so does a rule on how to answer; a fact of its own does not.
        """
        rule = self.found.type not in {CorrectionType.FACT, CorrectionType.MODEL_PREFERENCE}
        return self.last.question if self.last and not self.is_question and (self.corrects or rule) else ""


@dataclass(frozen=True, slots=True)
class Talking:
    """The use case behind every message: detection, storing, grading, and asking again with what was learned."""

    store: Store[Unit]
    ask: Ask
    detector: "Detector"
    remembering: Remembering[Unit]
    corrections: SqlCorrections
    shelves: Shelves
    records: CouncilRecords
    setting_right: SettingRight
    asked_anew: Callable[[str], str | None]
    gateway: Gateway
    members: Callable[[], Sequence[Member]]
    field_of: Callable[[str], str | None]
    validation: Mode
    ids: Ids
    diagnostics: Diagnostics

    async def __call__(
        self,
        text: str,
        *,
        level: AccuracyLevel,
        conversation_id: str | None = None,
        wishes: Wishes = NO_WISHES,
    ) -> AsyncGenerator[Event, None]:
        """Yield what happens to a message, ending with AskFinished, or with Acknowledged where nothing was asked.

        Raises what `Ask` raises.
        """
        said = checked_question(text)
        place = self.ask.memory.place_of(conversation_id, wishes)
        if place.temporary:
            heard: _Heard | Nothing = Nothing(Why.NO_TRIGGER)
        else:
            heard = await self._listen(said, conversation_id, place.project_id)
        if isinstance(heard, _Heard) and (refused := await self._refused(heard, wishes)):
            yield refused
            heard = Nothing(Why.UNLIKELY)
        if isinstance(heard, Nothing) and heard.reason is Why.SECRET:
            yield Notice("secret", _UNKEPT)
        if isinstance(heard, Nothing) and heard.reason is Why.FORGET:
            yield Notice("forget", await asyncio.to_thread(self._how_to_forget, said))
        if isinstance(heard, Nothing) and heard.reason is Why.NO_CLAIM:
            yield Notice("no_claim", _SAY_WHAT_IS_RIGHT)
        if isinstance(heard, _Heard) and heard.found.left:
            yield Notice("left", f"Heard, but not remembered; say it by itself: {one_line(heard.found.left, 160)}")
        if isinstance(heard, _Heard):
            events = self._remember(heard, level, wishes)
        else:
            events = self._ask(said, level, conversation_id, wishes)
        async with aclosing(events) as following:
            async for event in following:
                yield event

    def _how_to_forget(self, said: str) -> str:
        """Return what may be meant by "forget that …", and how it is erased: nothing goes because of a guess."""
        shelf = self.shelves.current()
        found = shelf.relevance(self.shelves.vector(said), said)
        near = sorted(zip(found.tolist(), shelf.corrections, strict=True), key=lambda pair: (-pair[0], pair[1].id))
        meant = [each for far, each in near if far >= Gates().relevance][:FORGET_SHOWN]
        if not meant:
            return "Nothing like that is remembered. See what is on the page Memory, or by auritas memory list"
        erasing = "; ".join(f"auritas memory erase {each.id} ({one_line(each.claim, 60)})" for each in meant)
        return f"Nothing was erased yet. Erase it on the page Memory, or by {erasing}"

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

    async def _refused(self, heard: _Heard, wishes: Wishes) -> Notice | None:
        """Return why what was heard is not remembered; the message is then answered like any other."""
        if not wishes.remember:
            return Notice("not_allowed", _NOT_ALLOWED)
        return Notice("not_remembered", _REJECTED) if await self._rejected(heard) else None

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

    async def again(
        self, correction_id: str, *, level: AccuracyLevel, wishes: Wishes = NO_WISHES
    ) -> AsyncGenerator[Event, None]:
        """Ask the question that a correction answers again, in its conversation; yields nothing where there is none."""
        with self.store.read() as unit:
            correction = self.corrections.get(unit, correction_id)
            turn = self.records.turns.turn_of(unit, correction.query_id) if correction and correction.query_id else None
        if turn is None:
            return
        asked = Asked(again_in=turn.message_id, wishes=wishes)
        async with aclosing(
            self.ask(turn.question, level=level, conversation_id=turn.conversation_id, asked=asked)
        ) as following:
            async for event in following:
                yield event

    def asked(self, query_id: str) -> LastTurn:
        """Return a question, answered or not. Raises NotFoundError."""
        with self.store.read() as unit:
            turn = self.records.turns.asked(unit, query_id)
        if turn is None:
            raise NotFoundError(f"There is no question {query_id!r}.", remedy="It may have been deleted; ask it anew.")
        return turn

    async def retry(
        self, turn: LastTurn, *, level: AccuracyLevel, wishes: Wishes = NO_WISHES
    ) -> AsyncGenerator[Event, None]:
        """Ask a question once more where it was asked, whatever became of it; its earlier answers stay.

        Raises what `Ask` raises.
        """
        asked = Asked(again_in=turn.message_id, wishes=Wishes(members=wishes.members, hurry=wishes.hurry))
        events = self.ask(turn.question, level=level, conversation_id=turn.conversation_id, asked=asked)
        async with aclosing(events) as following:
            async for event in following:
                yield event

    async def _remember(self, heard: _Heard, level: AccuracyLevel, wishes: Wishes) -> AsyncGenerator[Event, None]:
        """Store what was heard, then ask what it asks, ask the question before again, or just say so."""
        stored = self._store(heard)
        event, kept = stored.event, stored.kept
        if isinstance(event, Remembered):
            event = replace(event, resembles=await asyncio.to_thread(self._resembling, kept))
        yield event
        if heard.is_question:
            asked = Asked(said=heard.said, anew=self._anew(heard.conversation_id), wishes=wishes)
            events = self.ask(
                heard.found.asks or heard.said, level=level, conversation_id=stored.conversation_id, asked=asked
            )
        elif heard.again and heard.last:
            asked = Asked(again_in=heard.last.message_id, wishes=Wishes(members=wishes.members, hurry=wishes.hurry))
            events = self.ask(heard.again, level=level, conversation_id=stored.conversation_id, asked=asked)
        else:
            yield Acknowledged(stored.conversation_id or "", _reply(kept))
            return
        async with aclosing(events) as following:
            async for each in following:
                if isinstance(each, AskStarted) and heard.is_question and not kept.already:
                    self._say_where(kept.correction.id, each.query_id)
                yield each

    def _store(self, heard: _Heard) -> "_Stored":
        """Write message, correction, grade and reply in one unit of work; a question is written when it is asked."""
        conversation_id = heard.conversation_id
        proposed = heard.found.band is Band.CARD
        with self.store.unit() as unit:
            if conversation_id is not None:
                self.records.turns.project(unit, conversation_id)  # it may have been deleted while members judged
            if conversation_id is None and (not heard.is_question or heard.found.scope is Scope.CONVERSATION):
                conversation_id = self.ids.new()
                self.records.turns.begin(unit, conversation_id, heard.said, heard.project_id)
            message_id = None
            if conversation_id is not None and not heard.is_question:
                message_id = self.records.turns.say(unit, conversation_id, Role.USER, heard.said)
            draft = _draft(heard, conversation_id, message_id, self.field_of)
            state = CorrectionState.PROPOSED if proposed else CorrectionState.ACTIVE
            kept = self.remembering.keep(unit, draft, state, self._contradicted(unit, heard))
            graded = ""
            if not proposed:
                # What is repeated was wrong once more; its grade belongs to no newer correction.
                graded = self.setting_right.grade(unit, kept.correction, heard.query_id, linked=not kept.already)
            if conversation_id is not None and not heard.is_question and not heard.again:
                self.records.turns.say(unit, conversation_id, Role.ASSISTANT, _reply(kept))
        if proposed and kept.correction.state is CorrectionState.PROPOSED:
            return _Stored(conversation_id, Proposed(kept.correction), kept)
        event = Remembered(kept.correction, kept.replaced, (), graded, heard.again, kept.already, kept.act_id)
        return _Stored(conversation_id, event, kept)

    def _say_where(self, correction_id: str, query_id: str) -> None:
        """Keep in which message something was said, now that the message is written."""
        with self.store.unit() as unit:
            self.corrections.said_in(unit, correction_id, query_id)

    def _anew(self, conversation_id: str | None) -> str | None:
        return None if conversation_id is None else self.asked_anew(conversation_id)

    def _contradicted(self, unit: Unit, heard: _Heard) -> tuple[Correction, ...]:
        """Return the facts from which the answer came that is corrected."""
        if heard.last is None or not heard.corrects or heard.found.type is not CorrectionType.FACT:
            return ()
        return facts_behind(unit, self.corrections, heard.last.query_id, heard.last.answer)

    def _resembling(self, kept: Kept) -> tuple[Correction, ...]:
        if kept.already or kept.correction.state is not CorrectionState.ACTIVE:
            return ()
        return resembling(self.shelves, kept.correction, exclude=kept.replaced)

    async def _ask(
        self, said: str, level: AccuracyLevel, conversation_id: str | None, wishes: Wishes
    ) -> AsyncGenerator[Event, None]:
        asked = Asked(anew=self._anew(conversation_id), wishes=wishes)
        async with aclosing(self.ask(said, level=level, conversation_id=conversation_id, asked=asked)) as following:
            async for event in following:
                yield event


_VERDICT_TOKENS = 24


@dataclass(frozen=True, slots=True)
class _Stored:
    """What came of storing. conversation_id: None while there is none; the question that follows begins it."""

    conversation_id: str | None
    event: Remembered | Proposed
    kept: Kept


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
        query_id=heard.query_id,
        message_id=message_id,
    )


def _reply(kept: Kept) -> str:
    """Return what is written into the conversation about something stored."""
    words = one_line(kept.correction.text, 300)
    if kept.already:
        return f"That is remembered already: {words}"
    if not kept.replaced:
        return f"Remembered: {words}"
    return f"Remembered: {words} This replaces: {'; '.join(one_line(each.text, 200) for each in kept.replaced)}"
