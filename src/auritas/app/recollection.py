"""What memory has to say to one question: corrections, passages, notes, each with the reason why it was chosen."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from typing import TYPE_CHECKING

import numpy as np

from auritas.app.attachments import waiting
from auritas.app.notes import HISTORY_CHARACTERS, resumed_line
from auritas.app.wishes import Wishes
from auritas.council.model import Member, PromptContext, Question
from auritas.gateway.embedded_prompt import NEW_CHARACTERS
from auritas.kernel.clock import Clock
from auritas.kernel.diagnostics import Diagnostics
from auritas.kernel.errors import NotFoundError
from auritas.kernel.memory import Correction, HandoffNote, MemoryUse, Passage
from auritas.kernel.model import BUILTIN, Image
from auritas.kernel.ports import EmbeddingPort, Store
from auritas.memory.adapters.attachments_sql import AttachmentRecords
from auritas.memory.adapters.corrections_sql import SqlCorrections
from auritas.memory.adapters.projects_sql import active_project, project_exists
from auritas.memory.adapters.steering_sql import left_out
from auritas.memory.documents.excerpts import Excerpt, excerpts
from auritas.memory.documents.model import MOST_AT_ONCE
from auritas.memory.injection import entering, inject
from auritas.memory.model import Gates, Where
from auritas.memory.notes.sections import shortened
from auritas.memory.relevance import background
from auritas.memory.shelf import Floats, Shelf, Vectors
from auritas.store import Unit

if TYPE_CHECKING:
    from auritas.app.notes import Notes
    from auritas.app.recovery import Recovery
    from auritas.council.adapters.records import CouncilRecords

TROUBLE = "memory of a question"
PASSAGE_CHARACTERS = 400
"""Of one recalled passage."""
SMALL_NOTE_TOKENS = 200
"""Of a note for an embedded model: what stands before the question costs it a second for forty tokens."""
DOMAIN_SHARE = 0.2
"""Of a question that must be about a field for the field's rules to hold."""
FAILURES_BORNE = 3
"""Of an embedder, before it is taken for broken; one text that it cannot read keeps none of the others from it."""

SMALL_DOCUMENT_CHARACTERS = 2_000
"""Of attached files for an embedded model, which reads about 40 tokens a second: half a minute at most."""
DOCUMENT_SHARE = 0.4
"""Of a model's window that attached files may fill."""
MOST_DOCUMENT_CHARACTERS = 60_000
_CHARACTERS_PER_TOKEN = 4
PICTURES_SHOWN = MOST_AT_ONCE
"""Of a conversation, the newest, and never fewer than one message may bring; each costs about a page of text."""

PassageFinder = Callable[[Unit, str, datetime, str | None, str | None], tuple[Passage, ...]]
"""Finds passages for a question at a moment, outside one conversation and inside one project."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a message is said. attachments: ids of the files that come with it. begins: the conversation does, too.

    pictured: it brings pictures, or brought them when it was first asked.
    """

    project_id: str | None = None
    temporary: bool = False
    attachments: tuple[str, ...] = ()
    begins: bool = False
    pictured: bool = False


@dataclass(frozen=True, slots=True)
class Recollection:
    """What memory gave for one question. notes: by seat. line: tells the person by which notes seats go on.

    notices: what a person must know of attached files, such as that not all of them could be read. temporary: nothing
    of this conversation is kept beyond it.
    """

    context: PromptContext = field(default_factory=PromptContext)
    uses: tuple[MemoryUse, ...] = ()
    passages: tuple[Passage, ...] = ()
    notes: Mapping[str, HandoffNote] = field(default_factory=dict)
    line: str = ""
    notices: tuple[str, ...] = ()
    temporary: bool = False

    @property
    def entered(self) -> tuple[MemoryUse, ...]:
        """The corrections that are in the prompts."""
        return tuple(use for use in self.uses if use.injected)


@dataclass(frozen=True, slots=True)
class _Held:
    """A shelf, by which embedder, and the last line of history it has seen. Replaced as one: threads share it."""

    shelf: Shelf
    embedder: str
    seen: int


@dataclass
class Shelves:
    """The active corrections with their vectors, read anew only when something has changed."""

    store: Store[Unit]
    corrections: SqlCorrections
    embedding: Callable[[], EmbeddingPort | None]
    diagnostics: Diagnostics
    _held: "_Held | None" = None
    _questions: tuple[str, Floats] | None = None

    def current(self) -> Shelf:
        """Return the shelf as it is now; embeds what has no vector yet."""
        embedder, held = self.embedder(), self._held
        name = embedder.id if embedder else ""
        with self.store.read() as unit:
            seen = self.corrections.newest(unit)
            if held is not None and (held.embedder, held.seen) == (name, seen):
                return held.shelf
            if held is not None and held.embedder == name and not self.corrections.changed(unit, held.seen):
                shelf = held.shelf.renewed(self.corrections.used_since(unit, held.seen))
                self._held = _Held(shelf, name, seen)
                return shelf
            kept = self.corrections.active(unit)
            vectors = dict(self.corrections.vectors(unit, name, embedder.dimensions)) if embedder else {}
        if embedder:
            vectors |= self._embed(embedder, [each for each in kept if each.id not in vectors], seen)
        shelf = Shelf(kept, vectors, self._background(embedder) if embedder and kept else None)
        self._held = _Held(shelf, name, seen)
        return shelf

    def vector(self, text: str) -> Sequence[float] | None:
        """Return the vector of a text, or None without an embedder."""
        found = self.vectors([text])
        return found[0] if found else None

    def vectors(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """Return the vectors of texts, or none without an embedder that works."""
        embedder = self.embedder()
        if embedder is None:
            return ()
        try:
            return embedder.embed(texts)
        except Exception as error:  # noqa: BLE001  an embedder is foreign code; rules in scope need none
            self.diagnostics.trouble(TROUBLE, error)
            return ()

    def embedder(self) -> EmbeddingPort | None:
        """Return the embedder, if one is installed and works."""
        try:
            return self.embedding()
        except Exception as error:  # noqa: BLE001  as above
            self.diagnostics.trouble(TROUBLE, error)
            return None

    def _background(self, embedder: EmbeddingPort) -> Floats | None:
        if self._questions is None or self._questions[0] != embedder.id:
            try:
                self._questions = (embedder.id, background(embedder))
            except Exception as error:  # noqa: BLE001  as above
                self.diagnostics.trouble(TROUBLE, error)
                return None
        return self._questions[1]

    def _embed(self, embedder: EmbeddingPort, missing: Sequence[Correction], seen: int) -> Mapping[str, Vectors]:
        """Return the vectors of corrections, and keep those of which the words are still what they were."""
        found: dict[str, Vectors] = {}
        failures = 0
        for each in missing:
            try:
                found[each.id] = np.asarray(embedder.embed(words_of(each)), dtype=np.float32)
            except Exception as error:  # noqa: BLE001  as above
                self.diagnostics.trouble(TROUBLE, error)
                failures += 1
                if failures == FAILURES_BORNE:
                    break
        if found:
            with self.store.unit() as unit:
                self.corrections.keep_vectors(unit, embedder.id, found, seen)
        return found


def words_of(correction: Correction) -> list[str]:
    """Return the texts by which a correction is found: its words, and the question that it answers."""
    return [text for text in (correction.claim, correction.canonical_query) if text]


@dataclass(frozen=True, slots=True)
class Recollecting:
    """Gathers what memory has to say, off the event loop. No question fails because memory does."""

    store: Store[Unit]
    shelves: Shelves
    records: "CouncilRecords"
    notes: "Notes"
    recovery: "Recovery"
    recall: PassageFinder
    files: AttachmentRecords
    gates: Gates
    diagnostics: Diagnostics
    clock: Clock
    zone: tzinfo

    async def __call__(
        self,
        question: Question,
        members: Sequence[Member],
        domains: Mapping[str, float],
        place: Place,
        shelf: Shelf | None = None,
    ) -> Recollection:
        """Return what memory has to say to `question`. members: those that may be asked. shelf: as it is now."""
        models = [member for member in members if member.card.provider != BUILTIN]
        return await asyncio.to_thread(self._gather, question, models, domains, place, shelf)

    def place_of(self, conversation_id: str | None, wishes: Wishes) -> Place:
        """Return where a message is said; no conversation means that one begins with it.

        Raises NotFoundError for a conversation, project or file that is not there, and UsageError for too many files.
        """
        with self.store.read() as unit:
            return self.place_in(unit, conversation_id, wishes)

    def place_in(self, unit: Unit, conversation_id: str | None, wishes: Wishes, again_in: str | None = None) -> Place:
        """Return the same as `place_of` does, as a unit of work sees it. again_in: the message that is asked again."""
        if wishes.attachments:
            waiting(unit, self.files, wishes.attachments)
        pictured = self.files.pictured(unit, wishes.attachments, again_in)
        if conversation_id is not None:
            project_id = self.records.turns.project(unit, conversation_id)
            temporary = self.records.turns.is_temporary(unit, conversation_id)
            return Place(project_id, temporary, wishes.attachments, pictured=pictured)
        project_id = None if wishes.outside or wishes.temporary else wishes.project_id or active_project(unit)
        if project_id is not None and not project_exists(unit, project_id):
            raise NotFoundError(f"There is no project {project_id!r}.", remedy="Choose another one, or none.")
        return Place(project_id, wishes.temporary, wishes.attachments, begins=True, pictured=pictured)

    def attach(self, unit: Unit, place: Place, conversation_id: str, message_id: str) -> None:
        """Give the files of a message to it, now that it is written."""
        if place.attachments:
            self.files.belong(unit, place.attachments, conversation_id, message_id)

    def resume(self, conversation_id: str) -> None:
        """Say that a conversation goes on; after a gap of a day this orders a note.

        It is written when nobody waits: a model takes minutes for it. The question is answered from the notes and
        messages that are there.
        """
        self.notes.resume(conversation_id)

    def shelf(self) -> Shelf | None:
        """Return what is remembered now, or None where memory fails."""
        try:
            return self.shelves.current()
        except Exception as error:  # noqa: BLE001  as everywhere here
            self.diagnostics.trouble(TROUBLE, error)
            return None

    def _gather(
        self,
        question: Question,
        models: Sequence[Member],
        domains: Mapping[str, float],
        place: Place,
        shelf: Shelf | None,
    ) -> Recollection:
        if place.temporary:
            return self._gathered_without_memory(question, models, place)
        project_id = place.project_id
        aside = frozenset[str]() if place.begins else self._left_out(question.conversation_id)
        try:
            about = frozenset(node for node, share in domains.items() if share >= DOMAIN_SHARE)
            uses = self.uses(question, Where(question.conversation_id, project_id, about, aside), shelf)
        except Exception as error:  # noqa: BLE001  an answer without memory is better than none, and the log says so
            self.diagnostics.trouble(TROUBLE, error)
            uses = ()
        with self.store.read() as unit:
            history = self.records.turns.history(unit, question.conversation_id, HISTORY_CHARACTERS)
            passages = self._passages(unit, question, project_id)
            notes = {} if place.begins else self._notes(unit, question.conversation_id, models)
            # What an embedded model wrote of the user would cost it half a minute of reading for each question.
            patient = [model.seat.name for model in models if not model.card.grammar]
            # It was written from everything, what is left out here included.
            known = {} if history or aside else self.recovery.texts_for(unit, patient)
            given = self._given(unit, question, models, place)
        told = tuple(use.correction.text for use in entering(uses))
        quoted = tuple(passage.text[:PASSAGE_CHARACTERS] for passage in passages)
        small = {model.seat.name for model in models if model.card.grammar}
        texts = {
            seat: shortened(note.text, SMALL_NOTE_TOKENS) if seat in small else note.text
            for seat, note in notes.items()
        }
        context = PromptContext(history, told, quoted, texts, known, given.instructions, given.documents, given.images)
        return Recollection(context, uses, passages, notes, self._line(notes), given.notices)

    def _gathered_without_memory(self, question: Question, models: Sequence[Member], place: Place) -> Recollection:
        """Return only what was said and given in this conversation itself."""
        with self.store.read() as unit:
            history = self.records.turns.history(unit, question.conversation_id, HISTORY_CHARACTERS)
            given = self._given(unit, question, models, place)
        context = PromptContext(
            history, instructions=given.instructions, documents=given.documents, images=given.images
        )
        return Recollection(context, notices=given.notices, temporary=True)

    def _given(self, unit: Unit, question: Question, models: Sequence[Member], place: Place) -> "_Given":
        """Return the user's instructions and files, as much of them as each model can read."""
        instructions = self.records.turns.instructions(unit, question.conversation_id, place.project_id)
        if place.begins and not place.attachments:
            return _Given(instructions)
        texts = self.files.documents(unit, question.conversation_id, place.attachments)
        pictures = self.files.pictures(unit, question.conversation_id, place.attachments, PICTURES_SHOWN)
        shown = {model.seat.name: excerpts(texts, question.text, _room(model)) for model in models} if texts else {}
        documents = {
            seat: tuple(f"{part.name}: {part.text}" for part in parts if part.text) for seat, parts in shown.items()
        }
        images = tuple(Image(each.media_type, each.content) for each in pictures)
        notices = (*_cut(shown), *_unseen(models, images))
        return _Given(instructions, documents, images, notices)

    def uses(self, question: Question, where: Where, shelf: Shelf | None) -> tuple[MemoryUse, ...]:
        """Return how every correction in scope is weighed for a question; see `memory.injection.inject`."""
        shelf = self.shelves.current() if shelf is None else shelf
        if not len(shelf):
            return ()
        relevance = shelf.relevance(self.shelves.vector(question.text), question.text)
        return inject(shelf, relevance, where, self.gates, self.clock.now())

    def _left_out(self, conversation_id: str) -> frozenset[str]:
        with self.store.read() as unit:
            return frozenset(left_out(unit, conversation_id))

    def _passages(self, unit: Unit, question: Question, project_id: str | None) -> tuple[Passage, ...]:
        try:
            return self.recall(unit, question.text, self.clock.now(), question.conversation_id, project_id)
        except Exception as error:  # noqa: BLE001  as above
            self.diagnostics.trouble(TROUBLE, error)
            return ()

    def _notes(self, unit: Unit, conversation_id: str, models: Sequence[Member]) -> Mapping[str, HandoffNote]:
        """Return for each seat its note of what no longer fits into its prompt word for word."""
        now = self.clock.now()
        found = {}
        for model in models:
            shown = NEW_CHARACTERS if model.card.grammar else HISTORY_CHARACTERS
            note = self.notes.note_for(unit, conversation_id, model.seat.name, now, characters=shown)
            if note is not None:
                found[model.seat.name] = note
        return found

    def _line(self, notes: Mapping[str, HandoffNote]) -> str:
        if not notes:
            return ""
        newest = max(notes.values(), key=lambda note: note.created_at)
        return f"{resumed_line(newest, self.clock.now(), self.zone)} ({', '.join(sorted(notes))})"


@dataclass(frozen=True, slots=True)
class _Given:
    """What the user gave with a message: instructions, files by seat, pictures, and what must be said of them."""

    instructions: str
    documents: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    images: tuple[Image, ...] = ()
    notices: tuple[str, ...] = ()


def _room(member: Member) -> int:
    """Return how many characters of attached files a member gets to read."""
    if member.card.grammar:
        return SMALL_DOCUMENT_CHARACTERS
    return min(int(member.card.window * DOCUMENT_SHARE) * _CHARACTERS_PER_TOKEN, MOST_DOCUMENT_CHARACTERS)


def _cut(shown: Mapping[str, tuple[Excerpt, ...]]) -> tuple[str, ...]:
    """Return what must be said where a member does not get to read everything."""
    partly = sorted(seat for seat, parts in shown.items() if not all(part.whole for part in parts))
    if not partly:
        return ()
    return (f"The files are longer than fits: {', '.join(partly)} read the parts that have most to do with it.",)


def _unseen(models: Sequence[Member], images: Sequence[Image]) -> tuple[str, ...]:
    """Return what must be said where pictures are given to members that cannot see them."""
    blind = sorted(model.seat.name for model in models if not model.card.sees)
    if not images or not blind:
        return ()
    return (f"Earlier pictures are shown to models that see; {', '.join(blind)} answer without them.",)
