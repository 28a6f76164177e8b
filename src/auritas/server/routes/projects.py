"""Projects: what scopes conversations and memory."""

from pydantic import BaseModel, ConfigDict, Field

from auritas.app.access import Scope
from auritas.app.shapes.conversations import Deleted, Loss, Project
from auritas.server.caller import Desk, Mine, needs
from auritas.server.ids import Id
from auritas.server.router import Router
from auritas.server.specimens import conversations as specimens
from auritas.server.specimens import showing

router = Router(prefix="/api/v1/projects", tags=["projects"], dependencies=[needs(Scope.QUERY)])
_CHANGED = "projects"


class NewProject(BaseModel):
    """A project to be made. use: whether new conversations belong to it from now on."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"name": "Choir", "use": True}]})
    name: str = Field(max_length=200)
    use: bool = True


class ProjectChange(BaseModel):
    """What is to be different; what is left out stays. active: true uses it from now on, false leaves it."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"name": "Choir 2027"}]})
    name: str | None = Field(None, max_length=200)
    archived: bool | None = None
    active: bool | None = None
    instructions: str | None = Field(None, max_length=20_000)


@router.get("", responses=showing((specimens.PROJECT,)))
def list_projects(mine: Mine, *, archived: bool = False) -> tuple[Project, ...]:
    """List projects, archived ones on demand."""
    return mine.projects.every(archived=archived)


@router.post("", status_code=201, responses=showing(specimens.PROJECT, 201))
def create_project(mine: Mine, desk: Desk, wanted: NewProject) -> Project:
    """Make a project."""
    made = mine.projects.create(wanted.name, use=wanted.use)
    desk.changed(_CHANGED)
    return made


@router.get("/{project_id}", responses=showing(specimens.PROJECT))
def show_project(mine: Mine, project_id: Id) -> Project:
    """Return one project."""
    return mine.projects.known(project_id)


@router.patch("/{project_id}", responses=showing(specimens.PROJECT))
def change_project(mine: Mine, desk: Desk, project_id: Id, change: ProjectChange) -> Project:
    """Rename a project, archive it, use it or leave it. An archived project that is used is shown again."""
    found = mine.projects.known(project_id)
    if change.name is not None:
        found = mine.projects.rename(found.id, change.name)[1]
    if change.instructions is not None:
        found = mine.projects.instruct(found.id, change.instructions)[1]
    if change.archived is not None:
        found = mine.projects.archive(found.id, archived=change.archived)[1]
    if change.active:
        found = mine.projects.use(found.id)
    elif change.active is False and found.active:
        found = mine.projects.leave() or found
    desk.changed(_CHANGED)
    return found


@router.get("/{project_id}/loss", responses=showing(specimens.PROJECT_LOSS))
def loss_of_project(mine: Mine, project_id: Id, *, with_conversations: bool = False) -> Loss:
    """Return what deleting a project would take away, before anybody does it."""
    return mine.projects.loss(mine.projects.known(project_id).id, with_conversations=with_conversations)


@router.delete("/{project_id}", responses=showing(specimens.PROJECT_DELETED))
def delete_project(
    mine: Mine, desk: Desk, project_id: Id, *, with_conversations: bool = False, with_memory: bool = False
) -> Deleted:
    """Delete a project for good, with what was remembered in it only; its conversations stay unless they are to go."""
    found = mine.projects.known(project_id)
    gone = mine.projects.delete(found.id, with_conversations=with_conversations, with_memory=with_memory)
    for what in (_CHANGED, "conversations", "memory"):
        desk.changed(what)
    return gone
