"""The use cases behind `auritas conversations`: find, read, rename, branch, move, archive, write out, delete."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from auritas.app.exports import require_target, write_private
from auritas.app.naming import AMBIGUOUS_SHOWN, AmbiguousError
from auritas.app.partings import Partings
from auritas.app.projects import project_named
from auritas.app.sweeping import backups_of, swept
from auritas.kernel.clock import Clock
from auritas.kernel.errors import InvalidError, NotFoundError, UsageError
from auritas.kernel.log import Kind, Log, LogEvent
from auritas.kernel.text import one_line, storable
from auritas.memory.adapters.conversations_sql import ConversationRecords
from auritas.memory.adapters.forgetting_sql import Forgetting
from auritas.memory.adapters.projects_sql import ProjectRecords
from auritas.memory.conversations.documents import Told, as_json, as_markdown, head_of, message_document
from auritas.memory.conversations.model import (
    Branched,
    Conversation,
    ConversationPage,
    Deleted,
    Loss,
    Said,
    Shown,
    Source,
)
from auritas.memory.conversations.policy import (
    TITLE_WIDTH,
    NotAQuestionError,
    ago,
    branch_title,
    checked_instructions,
    copied_until,
    title_of,
)
from auritas.store import SqlStore, Unit
from auritas.store.cursor import Cursor

if TYPE_CHECKING:
    from auritas.app.spine import Spine

__all__ = [
    "Branched",
    "Conversation",
    "ConversationPage",
    "Conversations",
    "Deleted",
    "Form",
    "Loss",
    "NoConversationError",
    "NoMessageError",
    "NotAQuestionError",
    "Said",
    "Shown",
    "Source",
    "conversation_named",
    "head_of",
    "message_document",
]

LIST_COMMAND = "It may have been deleted. See them in the list of conversations, or by auritas conversations list"
SHOWN_AT_ONCE = 50


class NoConversationError(NotFoundError):
    """There is no such conversation, or none at all."""

    code = "no_conversation"


class NoMessageError(NotFoundError):
    """A conversation has no such message."""

    code = "no_message"


class Form(StrEnum):
    """How conversations are written out."""

    MARKDOWN = "markdown"
    JSON = "json"


def conversation_named(unit: Unit, records: ConversationRecords, name: str) -> Conversation:
    """Return the conversation whose id begins with `name`, or whose title it is or stands in.

    Raises NoConversationError, and AmbiguousError with the choices.
    """
    found = records.find(unit, name.strip(), AMBIGUOUS_SHOWN + 1)
    if not found:
        raise NoConversationError(f"There is no conversation {one_line(name, 60)!r}.", remedy=LIST_COMMAND)
    if len(found) > 1:
        choices = ", ".join(f"{each.short} ({one_line(each.name, 40)})" for each in found[:AMBIGUOUS_SHOWN])
        more = ", …" if len(found) > AMBIGUOUS_SHOWN else ""
        raise AmbiguousError(
            f"{one_line(name, 60)!r} may mean several conversations: {choices}{more}.", remedy="Give one of these ids."
        )
    return found[0]


@dataclass(frozen=True, slots=True)
class Conversations:
    """Everything a person can do with conversations. Each is named by an id, the beginning of one, or its title.

    backups: how many backups there are, which hold what is deleted until they are replaced. partings: hears what
    is gone.
    """

    store: SqlStore
    log: Log[Unit]
    records: ConversationRecords
    projects: ProjectRecords
    forgetting: Forgetting
    clock: Clock
    zone: tzinfo
    backups: Callable[[], int]
    partings: Partings

    # --- reading -------------------------------------------------------------------------------------------------

    def newest(
        self,
        size: int = 20,
        *,
        project: str | None = None,
        archived: bool = False,
        cursor: str | None = None,
        source: Source | None = None,
    ) -> ConversationPage:
        """Return up to `size` conversations, the latest used first. archived: those that were archived instead."""
        with self.store.read() as unit:
            project_id = project_named(unit, self.projects, project).id if project is not None else None
            after = _place(cursor) if cursor else None
            found = self.records.newest(unit, size, after, project_id=project_id, archived=archived, source=source)
        return ConversationPage(found.rows, found.next.encode() if found.next else None)

    def named(self, name: str) -> Conversation:
        """Return one conversation. Raises NoConversationError and AmbiguousError."""
        with self.store.read() as unit:
            return conversation_named(unit, self.records, name)

    def known(self, conversation_id: str) -> Conversation:
        """Return one conversation by its whole id. Raises NoConversationError."""
        with self.store.read() as unit:
            return self._again(unit, conversation_id)

    def show(self, name: str, *, at: str | None = None, count: int = SHOWN_AT_ONCE) -> Shown:
        """Return up to `count` messages of a conversation: from message `at` (a number or an id) on, else the last.

        Raises NoMessageError besides what `named` raises.
        """
        with self.store.read() as unit:
            conversation = conversation_named(unit, self.records, name)
            first = max(1, conversation.messages - count + 1)
            if at is not None:
                first = self._message(unit, conversation, at).number
            messages = self.records.messages(unit, conversation.id, first, count)
            return Shown(conversation, messages, self.records.branches(unit, conversation.id))

    def when(self, moment: datetime) -> str:
        """Return a moment as a person would say it now."""
        return ago(moment, self.clock.now(), self.zone)

    # --- changing ------------------------------------------------------------------------------------------------

    def rename(self, name: str, title: str) -> tuple[Conversation, Conversation]:
        """Give a conversation a title, which then stays; return it as it was and as it is. Raises InvalidError."""
        wanted = title_of(title)
        return self._changed(name, lambda unit, found: self.records.rename(unit, found.id, wanted))

    def move(self, name: str, project: str | None) -> tuple[Conversation, Conversation]:
        """Put a conversation into a project, or into none; return it as it was and as it is. Raises NoProjectError."""

        def move(unit: Unit, found: Conversation) -> None:
            target = project_named(unit, self.projects, project).id if project is not None else None
            self.records.move(unit, found.id, target)

        return self._changed(name, move)

    def instruct(self, name: str, instructions: str) -> tuple[Conversation, Conversation]:
        """Say what is wanted in a conversation, an empty text nothing; return it as it was and as it is.

        Raises InvalidError for too much.
        """
        wanted = checked_instructions(instructions)
        return self._changed(name, lambda unit, found: self.records.instruct(unit, found.id, wanted))

    def archive(self, name: str, *, archived: bool = True) -> tuple[Conversation, Conversation]:
        """Hide a conversation from the list, or show it again; return it as it was and as it is."""
        return self._changed(name, lambda unit, found: self.records.archive(unit, found.id, archived=archived))

    def branch(self, name: str, at: str | None = None, *, before: bool = False, asking: str | None = None) -> Branched:
        """Begin a new conversation that copies another one up to message `at`; None: its last message.

        before: end just before it, so that it can be asked in other words; then it is one of the user's own messages,
        and None the last of these. asking: the other words where they are known, after which it is called. Raises
        NoMessageError and NotAQuestionError.
        """
        with self.store.unit() as unit:
            origin = conversation_named(unit, self.records, name)
            said = self._message(unit, origin, at) if at is not None else self._last(unit, origin, question=before)
            count = copied_until(said.number, said.role, before=before)
            title = branch_title(origin.title) if asking is None else one_line(asking, TITLE_WIDTH)
            branch_id = self.records.branch(unit, origin, said, count, title)
            made = self._again(unit, branch_id)
        return Branched(made, origin, said, said.text if before else None)

    def asked_anew(self, conversation_id: str) -> str | None:
        """Return the id of the message of which the next question is another wording; see `ConversationRecords`."""
        with self.store.read() as unit:
            return self.records.asked_anew(unit, conversation_id)

    # --- writing out ---------------------------------------------------------------------------------------------

    def export(self, names: Sequence[str] | None, form: Form) -> Iterator[str]:
        """Yield conversations as one text, piece by piece; None: all of them, archived ones included.

        The export is an entry of the log before its first piece is yielded. Raises as `named` does, before anything.
        """
        with self.store.unit() as unit:
            chosen = None if names is None else self._all_named(unit, names)
            size = len(chosen) if chosen is not None else self.records.count(unit)
            refs = {"what": "conversations", "form": form.value, "conversations": size}
            self.log.append(unit, [LogEvent(Kind.EXPORT, "user", refs)])
        return self._pieces(chosen, form)

    def export_to(self, target: Path, names: Sequence[str] | None, form: Form, *, force: bool = False) -> int:
        """Write conversations to a file that only the user can read, whole or not at all; return its bytes.

        Raises FileExistsAlreadyError when the file exists, unless `force`.
        """
        require_target(target, force=force)
        return write_private(target, self.export(names, form))

    def _pieces(self, chosen: Sequence[Conversation] | None, form: Form) -> Iterator[str]:
        with ExitStack() as held:
            unit = held.enter_context(self.store.read())
            told = self._told(unit, self.records.every(unit) if chosen is None else iter(chosen))
            yield from as_json(told, self.clock.now()) if form is Form.JSON else as_markdown(told, self.zone)

    def _told(self, unit: Unit, conversations: Iterator[Conversation]) -> Iterator[Told]:
        for conversation in conversations:
            yield conversation, self.records.all_messages(unit, conversation.id)

    # --- deleting ------------------------------------------------------------------------------------------------

    def loss(self, names: Sequence[str]) -> Loss:
        """Return what deleting these conversations would take. Raises as `named` does."""
        with self.store.read() as unit:
            found = self._all_named(unit, names)
            return replace(self.forgetting.loss(unit, [each.id for each in found]), conversations=tuple(found))

    def delete(self, names: Sequence[str], *, with_memory: bool = False) -> Deleted:
        """Delete conversations for good: rows, index, and the words in the audit log, which still verifies.

        with_memory: also what was to be remembered everywhere and was said there. Raises as `named` does, and then
        nothing is deleted.
        """
        with self.store.unit() as unit:
            found = self._all_named(unit, names)
            ids = [each.id for each in found]
            loss = replace(self.forgetting.loss(unit, ids), conversations=tuple(found))
            gone = self.forgetting.conversations(unit, ids, with_memory=with_memory)
        self.partings.conversations(ids, words=bool(gone.corrections))
        return Deleted(
            replace(loss, corrections=gone.corrections), gone.entries, self.backups(), lingers=not swept(self.store)
        )

    # --- naming --------------------------------------------------------------------------------------------------

    def _changed(self, name: str, change: Callable[[Unit, Conversation], None]) -> tuple[Conversation, Conversation]:
        with self.store.unit() as unit:
            found = conversation_named(unit, self.records, name)
            change(unit, found)
            return found, self._again(unit, found.id)

    def _again(self, unit: Unit, conversation_id: str) -> Conversation:
        found = self.records.get(unit, conversation_id)
        if found is None:
            raise NoConversationError(f"There is no conversation {conversation_id!r}.", remedy=LIST_COMMAND)
        return found

    def _all_named(self, unit: Unit, names: Sequence[str]) -> list[Conversation]:
        if not names:
            raise UsageError("No conversation was named.", remedy=LIST_COMMAND)
        found = [conversation_named(unit, self.records, name) for name in names]
        return list({each.id: each for each in found}.values())

    def _message(self, unit: Unit, conversation: Conversation, at: str) -> Said:
        found = self.records.message_named(unit, conversation.id, at.strip())
        if len(found) > 1:
            raise AmbiguousError(f"{at!r} is the beginning of several ids.", remedy="Give the number of the message.")
        if not found:
            last = conversation.messages
            numbers = f"Its messages have the numbers 1 to {last}." if last else "It has no messages yet."
            raise NoMessageError(f"There is no message {one_line(at, 40)!r} in it.", remedy=numbers)
        return found[0]

    def _last(self, unit: Unit, conversation: Conversation, *, question: bool) -> Said:
        first = max(1, conversation.messages - SHOWN_AT_ONCE + 1)
        newest = reversed(self.records.messages(unit, conversation.id, first, SHOWN_AT_ONCE))
        found = next((said for said in newest if said.role == "user" or not question), None)
        if found is None:
            what = "question" if question else "message"
            raise NoMessageError(f"There is no {what} in it to branch at.", remedy="Name a message by its number.")
        return found


def _place(cursor: str) -> Cursor:
    """Return the place that a page of ours ended at. Raises InvalidError for one that the store cannot even hold."""
    found = Cursor.decode(cursor)
    if not isinstance(found.tie, str) or storable(found.at + found.tie) != found.at + found.tie:
        raise InvalidError("This is not a cursor of ours.", remedy="Start again from the first page.")
    return found


def conversations_over(parts: "Spine") -> Conversations:
    """Put the use cases together over an open store."""
    projects = ProjectRecords(parts.log, parts.clock, parts.ids)
    return Conversations(
        store=parts.store,
        log=parts.log,
        records=ConversationRecords(parts.log, parts.clock, parts.ids),
        projects=projects,
        forgetting=Forgetting(parts.log, parts.clock),
        clock=parts.clock,
        zone=parts.zone,
        backups=lambda: backups_of(parts.store),
        partings=parts.partings,
    )
