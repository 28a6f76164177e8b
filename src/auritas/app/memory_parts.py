"""The parts that remember, search and keep conversations."""

from functools import cached_property
from typing import TYPE_CHECKING

from auritas.app.model_parts import ModelParts

if TYPE_CHECKING:
    from auritas.app.attachments import Attachments
    from auritas.app.conversations import Conversations
    from auritas.app.imports import Imports
    from auritas.app.indexing import Indexing
    from auritas.app.memory_files import MemoryFiles
    from auritas.app.notes import Notes
    from auritas.app.projects import Projects
    from auritas.app.recall import Recall
    from auritas.app.recollection import Shelves
    from auritas.app.recovery import Recovery
    from auritas.app.search import Search
    from auritas.app.steering import SteeringDesk
    from auritas.app.temporary import Temporary
    from auritas.app.threads import Threads
    from auritas.app.uploads import Uploads
    from auritas.kernel.ports import EmbeddingPort
    from auritas.memory.adapters.corrections_sql import SqlCorrections
    from auritas.memory.detection.service import Detector
    from auritas.memory.service import Remembering
    from auritas.store import Unit


class MemoryParts(ModelParts):
    """Corrections, notes, conversations and what finds them."""

    @cached_property
    def corrections(self) -> "SqlCorrections":
        """Where corrections are kept."""
        from auritas.memory.adapters.corrections_sql import SqlCorrections

        return SqlCorrections(self.log, self.clock)

    @cached_property
    def remembering(self) -> "Remembering[Unit]":
        """The rules by which corrections are stored, superseded and taken back."""
        from auritas.memory.service import Remembering

        return Remembering(self.corrections, self.clock, self.ids)

    @cached_property
    def steering(self) -> "SteeringDesk":
        """What is left out of which conversation, and which pairs both hold."""
        from auritas.app.steering import SteeringDesk
        from auritas.memory.steering import Steering

        return SteeringDesk(self.store, self.corrections, Steering(self.corrections, self.clock, self.ids))

    @cached_property
    def shelves(self) -> "Shelves":
        """The active corrections, ready to be weighed."""
        from auritas.app.recollection import Shelves

        return Shelves(self.store, self.corrections, self.sentence_embedding, self.diagnostics)

    @cached_property
    def memory_files(self) -> "MemoryFiles":
        """What is remembered, as a file."""
        from auritas.app.memory_files import MemoryFiles
        from auritas.memory.adapters.conversations_sql import ConversationRecords
        from auritas.memory.adapters.projects_sql import ProjectRecords

        projects = ProjectRecords(self.log, self.clock, self.ids)
        conversations = ConversationRecords(self.log, self.clock, self.ids)
        steering = self.steering.rules
        return MemoryFiles(self.store, self.remembering, self.corrections, projects, conversations, self.log, steering)

    def sentence_embedding(self) -> "EmbeddingPort | None":
        """Return the embedder, loaded once, or None while it is not installed."""
        if self._embedder is None:
            self._embedder = self.embedded.embedding()
        return self._embedder

    _embedder: "EmbeddingPort | None" = None

    @cached_property
    def detector(self) -> "Detector":
        """Whoever listens for corrections."""
        from auritas.memory.detection.service import Detector

        return Detector(self.sentence_embedding, self.settings.detection_threshold)

    @cached_property
    def recall(self) -> "Recall":
        """What was said in earlier conversations."""
        from auritas.app.recall import recall_over

        return recall_over(self)

    @cached_property
    def notes(self) -> "Notes":
        """Hand-off notes, by which conversations are resumed."""
        from auritas.app.notes import notes_over

        return notes_over(self)

    @cached_property
    def recovery(self) -> "Recovery":
        """What each model knows of the user in a new conversation."""
        from auritas.app.recovery import recovery_over

        return recovery_over(self)

    @cached_property
    def conversations(self) -> "Conversations":
        """Conversations: found, read, branched, moved, written out and deleted."""
        from auritas.app.conversations import conversations_over

        return conversations_over(self)

    @cached_property
    def attachments(self) -> "Attachments":
        """Files that are attached to messages."""
        from auritas.app.attachments import attachments_over

        return attachments_over(self)

    @cached_property
    def threads(self) -> "Threads":
        """Conversations as pages read them."""
        from auritas.app.threads import Threads

        return Threads(self.store, self.conversations.records, self.corrections, self.attachments.records)

    @cached_property
    def temporary(self) -> "Temporary":
        """Conversations that leave nothing behind."""
        from auritas.app.temporary import Temporary

        return Temporary(self.conversations, self.clock)

    @cached_property
    def projects(self) -> "Projects":
        """What scopes conversations and memory."""
        from auritas.app.projects import projects_over

        return projects_over(self)

    @cached_property
    def imports(self) -> "Imports":
        """Conversations that were held elsewhere."""
        from auritas.app.imports import imports_over

        return imports_over(self)

    @cached_property
    def uploads(self) -> "Uploads":
        """Export files that a page sends."""
        from auritas.app.uploads import Uploads

        return Uploads(self.settings.home, self.imports, self.indexing, self.spawner)

    @cached_property
    def indexing(self) -> "Indexing":
        """What keeps the search index up."""
        from auritas.app.indexing import indexing_over

        return indexing_over(self)

    @cached_property
    def search(self) -> "Search":
        """What finds everything that was ever said."""
        from auritas.app.search import search_over

        return search_over(self)
