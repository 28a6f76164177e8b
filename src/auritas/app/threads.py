"""A conversation as a page shows it: a stretch of messages, with what is known of each question and answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from auritas.app.conversations import NoMessageError
from auritas.council.adapters.behind_sql import Behind, behind
from auritas.kernel.errors import UsageError
from auritas.kernel.memory import CorrectionState
from auritas.kernel.text import one_line
from auritas.memory.adapters.attachments_sql import AttachmentRecords
from auritas.memory.adapters.conversations_sql import ConversationRecords
from auritas.memory.adapters.corrections_sql import SqlCorrections
from auritas.memory.adapters.used_sql import entered_counts
from auritas.memory.conversations.model import Conversation, Said
from auritas.memory.documents.model import FileKind
from auritas.store import SqlStore, Unit

__all__ = ["AttachedFile", "Behind", "Branch", "Noted", "Stretch", "Thread", "ThreadMessage", "Threads"]

REMEDY = "Read the conversation from its end, without a place."


@dataclass(frozen=True, slots=True)
class Noted:
    """A correction that came of a message: said in it, or given about the answer that it is.

    canonical_query: the question that it answers; empty where it stands for itself.
    """

    id: str
    state: CorrectionState
    claim: str
    canonical_query: str = ""


@dataclass(frozen=True, slots=True)
class AttachedFile:
    """A file that came with a message. size: in bytes; pages: of a PDF."""

    id: str
    name: str
    kind: FileKind
    size: int
    pages: int = 0


@dataclass(frozen=True, slots=True)
class ThreadMessage:
    """One message. number: its place in the conversation, from 1.

    question: what it asks or answers; None for what was read in, and for questions copied into a branch. models: who
    answered, by seat. disagreement: whether the members disagreed. memory: how many corrections entered the prompts.
    corrections: those that were said in it, or that correct it without a word in the conversation. edited_from: the
    message of which it is another wording. confidence: the word that stood beside the answer, also where its question
    is not known any more. attachments: files that came with it.
    """

    id: str
    number: int
    role: str
    text: str
    created_at: datetime
    question: Behind | None = None
    models: tuple[str, ...] = ()
    confidence: str | None = None
    disagreement: bool = False
    memory: int = 0
    corrections: tuple[Noted, ...] = ()
    notices: tuple[str, ...] = ()
    edited_from: str | None = None
    attachments: tuple[AttachedFile, ...] = ()


@dataclass(frozen=True, slots=True)
class Branch:
    """A conversation that began in another one, at the message with that number."""

    number: int
    conversation: Conversation


@dataclass(frozen=True, slots=True)
class Thread:
    """A stretch of a conversation, in the order in which it was said.

    before, after: messages whose ids lead to the stretches beside it; None where the conversation begins or ends.
    origin: the conversation in which it began as a branch, None where it is none or that one is gone.
    """

    conversation: Conversation
    messages: tuple[ThreadMessage, ...]
    before: str | None = None
    after: str | None = None
    branches: tuple[Branch, ...] = ()
    origin: str | None = None


@dataclass(frozen=True, slots=True)
class Stretch:
    """Which messages: the last `count`, or those before, after or around a message, by its id.

    Raises UsageError for more than one place.
    """

    count: int
    before: str | None = None
    after: str | None = None
    around: str | None = None

    def __post_init__(self) -> None:
        if sum(each is not None for each in (self.before, self.after, self.around)) > 1:
            raise UsageError("A stretch has one place.", remedy="Give one of before, after and around.")


@dataclass(frozen=True, slots=True)
class Threads:
    """Reads conversations a stretch at a time."""

    store: SqlStore
    records: ConversationRecords
    corrections: SqlCorrections
    files: AttachmentRecords

    def read(self, conversation: Conversation, stretch: Stretch) -> Thread:
        """Return a stretch of a conversation. Raises NoMessageError."""
        with self.store.read() as unit:
            first, last = self._bounds(unit, conversation, stretch)
            said = self.records.messages(unit, conversation.id, first, last - first + 1) if first <= last else ()
            messages = self._told(unit, said, self._originals(unit, conversation, said))
            branches = self.records.branches(unit, conversation.id)
            origin = self.records.origin(unit, conversation)
        return Thread(
            conversation,
            messages,
            said[0].id if said and said[0].number > 1 else None,
            said[-1].id if said and said[-1].number < conversation.messages else None,
            tuple(Branch(number, each) for number, each in branches),
            origin,
        )

    def known(self, within: Conversation, message_id: str) -> Said:
        """Return a message of a conversation by its whole id. Raises NoMessageError."""
        with self.store.read() as unit:
            return self._known(unit, within, message_id)

    def _bounds(self, unit: Unit, within: Conversation, stretch: Stretch) -> tuple[int, int]:
        """Return the numbers of the first and the last message of a stretch."""
        count = stretch.count
        if stretch.before is not None:
            last = self._known(unit, within, stretch.before).number - 1
            return max(1, last - count + 1), last
        if stretch.after is not None:
            first = self._known(unit, within, stretch.after).number + 1
            return first, first + count - 1
        if stretch.around is not None:
            first = max(1, self._known(unit, within, stretch.around).number - count // 2)
            return first, first + count - 1
        return max(1, within.messages - count + 1), within.messages

    def _known(self, unit: Unit, within: Conversation, message_id: str) -> Said:
        found = self.records.message_of(unit, within.id, message_id)
        if found is None:
            raise NoMessageError(f"There is no message {one_line(message_id, 60)!r} in it.", remedy=REMEDY)
        return found

    def _originals(self, unit: Unit, conversation: Conversation, said: Sequence[Said]) -> Mapping[str, str]:
        """Return the answers of which those in a branch are copies, as far as they are still there."""
        answers = [each for each in said if each.role != "user"]
        return self.records.originals(unit, conversation, answers) if answers else {}

    def _told(self, unit: Unit, said: Sequence[Said], copies: Mapping[str, str]) -> tuple[ThreadMessage, ...]:
        ids = [each.id for each in said]
        known = behind(unit, [*ids, *copies.values()])
        copied = {each: replace(known[origin], copied=True) for each, origin in copies.items() if origin in known}
        questions = copied | {each: known[each] for each in ids if each in known}
        query_ids = sorted({each.query_id for each in questions.values()})
        entered = entered_counts(unit, query_ids)
        noted = self._noted(unit, said, questions, query_ids)
        files = self._files(unit, ids)
        told = (_message(each, questions.get(each.id), entered, noted.get(each.id, ())) for each in said)
        return tuple(replace(each, attachments=files.get(each.id, ())) for each in told)

    def _files(self, unit: Unit, ids: Sequence[str]) -> Mapping[str, tuple[AttachedFile, ...]]:
        found: dict[str, tuple[AttachedFile, ...]] = {}
        for each in self.files.of_messages(unit, ids):
            one = AttachedFile(each.id, each.name, each.kind, each.size, each.pages)
            found[each.message_id or ""] = (*found.get(each.message_id or "", ()), one)
        return found

    def _noted(
        self, unit: Unit, said: Sequence[Said], questions: Mapping[str, Behind], query_ids: Sequence[str]
    ) -> Mapping[str, tuple[Noted, ...]]:
        """Return the corrections of each message: what was said in it, or corrects it without a word there."""
        answers = {
            questions[each.id].query_id: each.id for each in said if each.role != "user" and each.id in questions
        }
        found: dict[str, list[Noted]] = {}
        for correction, message_id in self.corrections.of_messages(unit, [each.id for each in said], query_ids):
            place = message_id or answers.get(correction.query_id or "")
            if place is not None:
                one = Noted(correction.id, correction.state, correction.claim, correction.canonical_query)
                found.setdefault(place, []).append(one)
        return {place: tuple(notes) for place, notes in found.items()}


def _message(
    said: Said, question: Behind | None, entered: Mapping[str, int], noted: tuple[Noted, ...]
) -> ThreadMessage:
    return ThreadMessage(
        id=said.id,
        number=said.number,
        role=said.role,
        text=said.text,
        created_at=said.at,
        question=question,
        models=said.models,
        confidence=said.confidence,
        disagreement=said.callout == "disagreement",
        memory=entered.get(question.query_id, 0) if question else 0,
        corrections=noted,
        notices=said.notices,
        edited_from=said.edited_from,
    )
