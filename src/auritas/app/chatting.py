"""Questions of programs that keep a conversation themselves and send all of it each time, as chat apps do."""

import hashlib
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from auritas.app.ask import checked_question
from auritas.app.talking import Talking
from auritas.app.wishes import NO_WISHES, Wishes
from auritas.council.adapters.records import CouncilRecords
from auritas.kernel.answers import AccuracyLevel, AskResult
from auritas.kernel.canonical import Scalar, canonical
from auritas.kernel.errors import UsageError
from auritas.kernel.events import Acknowledged, AskFinished, AskStarted, Event, Notice, Proposed, Remembered
from auritas.kernel.ids import Ids
from auritas.kernel.log import Kind, Log, LogEvent
from auritas.kernel.memory import Correction
from auritas.kernel.model import Image, Message, Role, Usage
from auritas.kernel.ports import Store
from auritas.kernel.text import one_line
from auritas.memory.adapters.carried_sql import Carried
from auritas.memory.adapters.projects_sql import active_project
from auritas.store import Unit

if TYPE_CHECKING:
    from auritas.app.program_parts import ProgramParts

_SAID_OF_MEMORY = frozenset({"not_allowed", "not_remembered", "secret", "forget", "no_claim", "left"})
"""Notices that answer what the person said, so they belong into the reply."""


@dataclass(frozen=True, slots=True)
class Chat:
    """A conversation as a program sends it. earlier: turns of user and assistant, oldest first.

    images: of the question. Those of earlier turns were shown when these were asked.
    """

    question: str
    earlier: tuple[Message, ...] = ()
    instructions: str = ""
    images: tuple[Image, ...] = ()


def chat_of(messages: Sequence[Message]) -> Chat:
    """Read the messages of a program. Raises UsageError unless the last one is the user's and can be asked.

    What the user says in a row before any answer is one message.
    """
    told = "\n\n".join(each.content for each in messages if each.role is Role.SYSTEM and each.content.strip())
    spoken = (each for each in messages if each.role in {Role.USER, Role.ASSISTANT})
    turns = [each for each in spoken if each.content.strip() or each.images]
    if not turns or turns[-1].role is not Role.USER:
        raise UsageError("The last message is not the user's.", remedy="Send the question as the last message.")
    while len(turns) > 1 and turns[-2].role is Role.USER:
        both = turns[-2:]
        text = "\n\n".join(each.content for each in both if each.content.strip())
        turns[-2:] = [Message(Role.USER, text, (*both[0].images, *both[1].images))]
    *earlier, last = turns
    clean = tuple(Message(m.role, m.content.replace("\0", "").strip()) for m in earlier if m.content.strip())
    return Chat(checked_question(last.content), clean, told.replace("\0", "").strip(), last.images)


def key_of(turns: Sequence[Message]) -> str:
    """Return a key that two conversations share when the same was said in both, whatever blanks a program changed."""
    said = [[each.role.value, " ".join(each.content.split())] for each in turns]
    return f"api:{hashlib.sha256(canonical({'turns': said})).hexdigest()}"


@dataclass
class Replied:
    """What a program gets, gathered from the events of a question.

    remembered, proposed: corrections that were stored, and that wait for a yes. notices: what a person should know.
    """

    query_id: str | None = None
    conversation_id: str | None = None
    result: AskResult | None = None
    acknowledged: str = ""
    remembered: list[Correction] = field(default_factory=list)
    proposed: list[Correction] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)

    def take(self, event: Event) -> None:
        """Note an event."""
        match event:
            case AskStarted():
                self.query_id, self.conversation_id = event.query_id, event.conversation_id
            case Acknowledged():
                self.conversation_id, self.acknowledged = event.conversation_id, event.text
            case Remembered():
                self.remembered.append(event.correction)
            case Proposed():
                self.proposed.append(event.correction)
            case Notice():
                self.notices.append(event)
            case AskFinished():
                self.result = event.result

    @property
    def text(self) -> str:
        """The reply: what was heard as a correction, and the answer."""
        heard = [notice.text for notice in self.notices if notice.code in _SAID_OF_MEMORY]
        if self.acknowledged:
            return "\n\n".join([*heard, self.acknowledged])
        heard += [f"Remembered: {one_line(each.text, 300)}" for each in self.remembered]
        return "\n\n".join([*heard, self.result.reply or self.result.decision.reason] if self.result else heard)

    @property
    def usage(self) -> Usage:
        """What all members, reviews and comparisons took together."""
        if self.result is None:
            return Usage()
        parts = (
            *(each.usage for each in self.result.answers),
            *(each.usage for each in self.result.reviews),
            self.result.compared,
        )
        total = Usage()
        for part in parts:
            total = total.plus(part)
        return total


@dataclass(frozen=True, slots=True)
class Chatting:
    """Puts the last message to the council, in the conversation that the earlier ones belong to.

    Only the last message is listened to for corrections: the earlier ones were heard when they were the last. A history
    that is not known is read in as a conversation of its own, so that the members know it.
    """

    store: Store[Unit]
    talking: Talking
    records: CouncilRecords
    carried: Carried
    log: Log[Unit]
    ids: Ids

    async def __call__(
        self, chat: Chat, *, level: AccuracyLevel, wishes: Wishes = NO_WISHES
    ) -> AsyncGenerator[Event, None]:
        """Yield what happens; see `app.talking.Talking`, and what it raises."""
        conversation_id = self._entered(chat)
        replied = Replied()
        try:
            events = self.talking(chat.question, level=level, conversation_id=conversation_id, wishes=wishes)
            async with aclosing(events) as following:
                async for event in following:
                    replied.take(event)
                    if isinstance(event, AskFinished | Acknowledged):
                        self._stands(chat, replied)
                    yield event
        finally:
            if conversation_id is not None and replied.conversation_id is None:
                with self.store.unit() as unit:
                    self.carried.drop_empty(unit, conversation_id)

    def _entered(self, chat: Chat) -> str | None:
        """Return the conversation of the earlier turns, written now if it is not known; None for a new one."""
        if not chat.earlier and not chat.instructions:
            return None
        key = key_of(chat.earlier)
        with self.store.unit() as unit:
            known = self.carried.found(unit, key) if chat.earlier else None
            conversation_id = known or self._read_in(unit, chat, key)
            self.carried.instruct(unit, conversation_id, chat.instructions)
        return conversation_id

    def _read_in(self, unit: Unit, chat: Chat, key: str) -> str:
        conversation_id = self.ids.new()
        first = next((each.content for each in chat.earlier if each.role is Role.USER), chat.question)
        self.records.turns.begin(unit, conversation_id, first, active_project(unit))
        if not chat.earlier:
            return conversation_id
        for each in chat.earlier:
            self.records.turns.write(unit, conversation_id, each.role, each.content)
        self.carried.keep(unit, conversation_id, key)
        refs: dict[str, Scalar] = {
            "conversation_id": conversation_id,
            "source": "api",
            "new": True,
            "messages": len(chat.earlier),
        }
        self.log.append(unit, [LogEvent(Kind.IMPORT, "user", refs)])
        return conversation_id

    def _stands(self, chat: Chat, replied: Replied) -> None:
        """Keep by which history the conversation is found next time."""
        if replied.conversation_id is None:
            return
        turns = (*chat.earlier, Message(Role.USER, chat.question), Message(Role.ASSISTANT, replied.text))
        with self.store.unit() as unit:
            self.carried.keep(unit, replied.conversation_id, key_of(turns))


def chatting_over(parts: "ProgramParts") -> Chatting:
    """Put the use case together over an open store."""
    return Chatting(parts.store, parts.talking, parts.records, Carried(), parts.log, parts.ids)
