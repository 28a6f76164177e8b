"""Projects in the store, and which of them is active."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Select, and_, delete, func, insert, select, update
from sqlalchemy.dialects.sqlite import insert as upsert

from auritas.kernel.clock import Clock, from_timestamp, timestamp
from auritas.kernel.ids import Ids
from auritas.kernel.log import Kind, Log, LogEvent
from auritas.memory.conversations.model import Project
from auritas.store import Unit
from auritas.store import schema as t

ACTIVE_PROJECT = "active_project"
"""Key of local_settings under which the id of the active project is kept."""

_LIVING = ("proposed", "active")
_SET, _PROJECT = t.local_settings.c, t.projects.c
_ACTIVE = (
    select(_PROJECT.project_id)
    .join(t.local_settings, and_(_SET.key == ACTIVE_PROJECT, _SET.value == _PROJECT.project_id))
    .where(_PROJECT.archived.is_(False))
)


def active_project(unit: Unit) -> str | None:
    """Return the id of the project that new conversations join, or None; one that was archived or deleted is none."""
    return unit.connection.execute(_ACTIVE).scalar()


def project_exists(unit: Unit, project_id: str) -> bool:
    """Return whether there is a project of this id."""
    query = select(t.projects.c.project_id).where(t.projects.c.project_id == project_id)
    return unit.connection.execute(query).first() is not None


@dataclass(frozen=True, slots=True)
class ProjectRecords:
    """Reads and writes inside the unit of work it is given; each change is written with its audit entry."""

    log: Log[Unit]
    clock: Clock
    ids: Ids

    def every(self, unit: Unit, *, archived: bool = False) -> tuple[Project, ...]:
        """Return all projects by name. archived: those that were archived instead."""
        active, p = active_project(unit), t.projects.c
        query = _selected().where(p.archived == archived).order_by(func.lower(p.name), p.project_id)
        return tuple(_project(row, active) for row in unit.connection.execute(query))

    def find(self, unit: Unit, name: str, limit: int) -> tuple[Project, ...]:
        """Return the projects that `name` may mean: by name, else by the beginning of an id, else by part of a name."""
        active, p = active_project(unit), t.projects.c
        meanings = (
            func.lower(p.name) == func.lower(name),
            p.project_id.startswith(name, autoescape=True),
            p.name.contains(name, autoescape=True),
        )
        for meant in meanings if name else ():
            query = _selected().where(meant).order_by(func.lower(p.name), p.project_id).limit(limit)
            if found := tuple(_project(row, active) for row in unit.connection.execute(query)):
                return found
        return ()

    def get(self, unit: Unit, project_id: str) -> Project | None:
        """Return one project by its whole id."""
        row = unit.connection.execute(_selected().where(t.projects.c.project_id == project_id)).first()
        return None if row is None else _project(row, active_project(unit))

    def named(self, unit: Unit, name: str) -> str | None:
        """Return the id of the project of exactly that name, in whatever case; a living one before an archived one."""
        p = t.projects.c
        query = select(p.project_id).where(func.lower(p.name) == func.lower(name))
        return unit.connection.execute(query.order_by(p.archived, p.project_id).limit(1)).scalar()

    def create(self, unit: Unit, name: str) -> str:
        """Write a new project and return its id."""
        project_id = self.ids.new()
        row = {"project_id": project_id, "name": name, "created_at": timestamp(self.clock.now())}
        unit.connection.execute(insert(t.projects).values(row))
        self._note(unit, "created", project_id, name)
        return project_id

    def rename(self, unit: Unit, project_id: str, name: str) -> None:
        """Give a project another name."""
        self._set(unit, project_id, name=name)
        self._note(unit, "renamed", project_id, name)

    def instruct(self, unit: Unit, project_id: str, instructions: str) -> None:
        """Keep what the person wants in a project's conversations; the entry commits to the words."""
        self._set(unit, project_id, system_prompt=instructions or None)
        self._note(unit, "instructed", project_id, instructions)

    def archive(self, unit: Unit, project_id: str, *, archived: bool) -> None:
        """Hide a project, which is left if it was active, or show it again."""
        self._set(unit, project_id, archived=archived)
        if archived and self._active(unit) == project_id:
            self._forget_active(unit)
        self._note(unit, "archived" if archived else "unarchived", project_id)

    def use(self, unit: Unit, project_id: str | None) -> None:
        """Make a project the active one; None: none is."""
        if project_id is None:
            self._forget_active(unit)
            self._note(unit, "left", None)
            return
        row = {"key": ACTIVE_PROJECT, "value": project_id, "updated_at": timestamp(self.clock.now())}
        statement = upsert(t.local_settings).values(row)
        unit.connection.execute(statement.on_conflict_do_update(index_elements=["key"], set_=row))
        self._note(unit, "used", project_id)

    def delete(self, unit: Unit, project_id: str) -> None:
        """Remove a project; its conversations stay and are in none. Its corrections are the caller's to erase."""
        if self._active(unit) == project_id:
            self._forget_active(unit)
        unit.connection.execute(delete(t.projects).where(t.projects.c.project_id == project_id))
        self._note(unit, "deleted", project_id)

    def conversations(self, unit: Unit, project_id: str) -> tuple[str, ...]:
        """Return the ids of all conversations of a project, archived ones included."""
        c = t.conversations.c
        return tuple(unit.connection.execute(select(c.conversation_id).where(c.project_id == project_id)).scalars())

    def _active(self, unit: Unit) -> str | None:
        s = t.local_settings.c
        return unit.connection.execute(select(s.value).where(s.key == ACTIVE_PROJECT)).scalar()

    def _forget_active(self, unit: Unit) -> None:
        unit.connection.execute(delete(t.local_settings).where(t.local_settings.c.key == ACTIVE_PROJECT))

    def _set(self, unit: Unit, project_id: str, **values: Any) -> None:
        unit.connection.execute(update(t.projects).where(t.projects.c.project_id == project_id).values(**values))

    def _note(self, unit: Unit, event: str, project_id: str | None, body: str = "") -> None:
        refs = {"event": event} | ({"project_id": project_id} if project_id else {})
        self.log.append(unit, [LogEvent(Kind.PROJECT, "user", refs, body)])


def _selected() -> Select[Any]:
    p, c, k = t.projects.c, t.conversations, t.corrections
    held = select(func.count()).select_from(c).where(c.c.project_id == p.project_id)
    remembered = select(func.count()).select_from(k)
    remembered = remembered.where(k.c.project_id == p.project_id, k.c.scope == "project", k.c.state.in_(_LIVING))
    counts = held.scalar_subquery().label("held"), remembered.scalar_subquery().label("remembered")
    return select(t.projects, *counts)


def _project(row: Any, active: str | None) -> Project:
    return Project(
        id=row.project_id,
        name=row.name,
        created_at=from_timestamp(row.created_at),
        archived=bool(row.archived),
        conversations=row.held,
        corrections=row.remembered,
        active=row.project_id == active,
        instructions=row.system_prompt or "",
    )
