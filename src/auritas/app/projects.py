"""The use cases behind `auritas projects`: what scopes conversations and memory, and which one is active."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from shlex import quote
from typing import TYPE_CHECKING

from auritas.app.naming import AMBIGUOUS_SHOWN, AmbiguousError
from auritas.app.partings import Partings
from auritas.app.sweeping import backups_of, swept
from auritas.kernel.errors import NotFoundError, UsageError
from auritas.kernel.text import one_line
from auritas.memory.adapters.conversations_sql import ConversationRecords
from auritas.memory.adapters.forgetting_sql import Forgetting
from auritas.memory.adapters.projects_sql import ProjectRecords, active_project
from auritas.memory.conversations.model import Deleted, Forgotten, Loss, Project
from auritas.memory.conversations.policy import PROJECT_CHARACTERS, checked_instructions, title_of
from auritas.store import SqlStore, Unit

if TYPE_CHECKING:
    from auritas.app.spine import Spine

__all__ = ["NoProjectError", "Project", "Projects", "active_project", "project_named"]

LIST_COMMAND = "See them in the list of projects, or by auritas projects list"


class NoProjectError(NotFoundError):
    """There is no such project."""

    code = "no_project"


class ProjectExistsError(UsageError):
    """A project of that name is there."""

    code = "project_exists"


def project_named(unit: Unit, records: ProjectRecords, name: str) -> Project:
    """Return the project of that name, or whose id begins with it, or in whose name it stands.

    Raises NoProjectError, and AmbiguousError with the choices.
    """
    found = records.find(unit, name.strip(), AMBIGUOUS_SHOWN + 1)
    if not found:
        raise NoProjectError(f"There is no project {one_line(name, 60)!r}.", remedy=LIST_COMMAND)
    if len(found) > 1:
        choices = ", ".join(f"{one_line(each.name, 40)} ({each.id})" for each in found[:AMBIGUOUS_SHOWN])
        raise AmbiguousError(f"{one_line(name, 60)!r} may mean several projects: {choices}.", remedy="Give more of it.")
    return found[0]


@dataclass(frozen=True, slots=True)
class Projects:
    """Everything a person can do with projects. backups: see `app.conversations.Conversations`."""

    store: SqlStore
    records: ProjectRecords
    conversations: ConversationRecords
    forgetting: Forgetting
    backups: Callable[[], int]
    partings: Partings

    def every(self, *, archived: bool = False) -> tuple[Project, ...]:
        """Return all projects by name. archived: those that were archived instead."""
        with self.store.read() as unit:
            return self.records.every(unit, archived=archived)

    def active(self) -> Project | None:
        """Return the project that new conversations join, if there is one."""
        with self.store.read() as unit:
            project_id = active_project(unit)
            return self.records.get(unit, project_id) if project_id else None

    def known(self, project_id: str) -> Project:
        """Return one project by its whole id. Raises NoProjectError."""
        with self.store.read() as unit:
            return self._again(unit, project_id)

    def create(self, name: str, *, use: bool = True) -> Project:
        """Make a project, and the active one unless told otherwise. Raises ProjectExistsError and InvalidError."""
        wanted = title_of(name, PROJECT_CHARACTERS, what="name")
        with self.store.unit() as unit:
            self._require_free(unit, wanted)
            project_id = self.records.create(unit, wanted)
            if use:
                self.records.use(unit, project_id)
            return self._again(unit, project_id)

    def use(self, name: str) -> Project:
        """Make a project the active one, and a living one. Raises NoProjectError and AmbiguousError."""
        with self.store.unit() as unit:
            found = project_named(unit, self.records, name)
            if found.archived:
                self.records.archive(unit, found.id, archived=False)
            self.records.use(unit, found.id)
            return self._again(unit, found.id)

    def leave(self) -> Project | None:
        """Let no project be active; return the one that was."""
        with self.store.unit() as unit:
            project_id = active_project(unit)
            if project_id is None:
                return None
            self.records.use(unit, None)
            return self._again(unit, project_id)

    def rename(self, name: str, wanted: str) -> tuple[Project, Project]:
        """Give a project another name; return it as it was and as it is. Raises ProjectExistsError."""
        fresh = title_of(wanted, PROJECT_CHARACTERS, what="name")
        with self.store.unit() as unit:
            found = project_named(unit, self.records, name)
            self._require_free(unit, fresh, but=found.id)
            self.records.rename(unit, found.id, fresh)
            return found, self._again(unit, found.id)

    def instruct(self, name: str, instructions: str) -> tuple[Project, Project]:
        """Say what is wanted in a project's conversations, an empty text nothing; return it before and after.

        Raises InvalidError for too much.
        """
        wanted = checked_instructions(instructions)
        with self.store.unit() as unit:
            found = project_named(unit, self.records, name)
            self.records.instruct(unit, found.id, wanted)
            return found, self._again(unit, found.id)

    def archive(self, name: str, *, archived: bool = True) -> tuple[Project, Project]:
        """Hide a project, which is left if it was active, or show it again; return it as it was and as it is."""
        with self.store.unit() as unit:
            found = project_named(unit, self.records, name)
            self.records.archive(unit, found.id, archived=archived)
            return found, self._again(unit, found.id)

    def loss(self, name: str, *, with_conversations: bool = False) -> Loss:
        """Return what deleting a project would take."""
        with self.store.read() as unit:
            found = project_named(unit, self.records, name)
            return self._loss(unit, found, with_conversations=with_conversations)

    def delete(self, name: str, *, with_conversations: bool = False, with_memory: bool = False) -> Deleted:
        """Delete a project with what was remembered in it only; its conversations stay and are in none.

        with_conversations: they go, too, as `Conversations.delete` deletes them.
        """
        with self.store.unit() as unit:
            found = project_named(unit, self.records, name)
            loss = self._loss(unit, found, with_conversations=with_conversations)
            ids = self.records.conversations(unit, found.id) if with_conversations else ()
            first = self.forgetting.project(unit, found.id)
            second = self.forgetting.conversations(unit, ids, with_memory=with_memory) if ids else Forgotten()
            self.records.delete(unit, found.id)
        self.partings.conversations(ids, words=bool(first.corrections + second.corrections))
        return Deleted(
            replace(loss, corrections=first.corrections + second.corrections),
            first.entries + second.entries,
            self.backups(),
            lingers=not swept(self.store),
        )

    def _loss(self, unit: Unit, project: Project, *, with_conversations: bool) -> Loss:
        ids = self.records.conversations(unit, project.id) if with_conversations else ()
        found = [self.conversations.get(unit, each) for each in ids]
        loss = self.forgetting.loss(unit, ids, project.id)
        return replace(loss, project=project, conversations=tuple(each for each in found if each))

    def _require_free(self, unit: Unit, name: str, but: str | None = None) -> None:
        there = self.records.named(unit, name)
        if there is not None and there != but:
            raise ProjectExistsError(
                f"There is a project {one_line(name, 60)!r} already.",
                remedy=f"Choose another name, or use that one: auritas projects use {quote(name)}",
            )

    def _again(self, unit: Unit, project_id: str) -> Project:
        found = self.records.get(unit, project_id)
        if found is None:
            raise NoProjectError(f"There is no project {project_id!r}.", remedy=LIST_COMMAND)
        return found


def projects_over(parts: "Spine") -> Projects:
    """Put the use cases together over an open store."""
    return Projects(
        store=parts.store,
        records=ProjectRecords(parts.log, parts.clock, parts.ids),
        conversations=ConversationRecords(parts.log, parts.clock, parts.ids),
        forgetting=Forgetting(parts.log, parts.clock),
        backups=lambda: backups_of(parts.store),
        partings=parts.partings,
    )
