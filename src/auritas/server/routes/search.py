"""Search over everything that was ever said: as you type, by meaning, and the index behind it."""

from typing import Annotated

from fastapi import Query, Response
from pydantic import BaseModel, TypeAdapter

from auritas.app.access import Scope
from auritas.app.progress import told
from auritas.app.shapes.search import LONGEST_QUERY, Found, Health, Meant
from auritas.server import wire
from auritas.server.caller import Desk, Mine, needs
from auritas.server.ids import EXAMPLE_ID, ID_CHARACTERS
from auritas.server.paging import DEFAULT_LIMIT
from auritas.server.router import Router
from auritas.server.specimens import search as specimens
from auritas.server.specimens import showing

router = Router(prefix="/api/v1/search", tags=["search"], dependencies=[needs(Scope.QUERY)])
_FOUND = TypeAdapter(Found)
Text = Annotated[
    str,
    Query(
        max_length=LONGEST_QUERY,
        description='Words, "a phrase", -word to leave out, and project: model: domain: before: after:',
        examples=["choir before:2026-12-01"],
    ),
]
Count = Annotated[int, Query(ge=1, le=DEFAULT_LIMIT, description="Conversations and messages at most.")]
SHOWN = 10


class FoundPlace(BaseModel):
    """Where to jump to. message_id: null where only the title holds the words."""

    message_id: str | None


@router.get("", response_model=Found, responses=showing(specimens.FOUND))
def search_words(mine: Mine, q: Text = "", *, entered: bool = False, limit: Count = SHOWN) -> Response:
    """Return the conversations and messages that hold the words, as they are typed; without words, the newest.

    Snippets are pieces of plain text, of which those that hit are marked. entered: the person has finished typing, so
    that other spellings are looked for, too, and everything is in order of relevance.
    """
    # Written as it is: checking each answer against its own type would cost as much as finding it.
    return Response(_FOUND.dump_json(mine.search.words(q, entered=entered, limit=limit)), media_type="application/json")


@router.get("/place", responses=showing(FoundPlace(message_id=EXAMPLE_ID)))
def find_place(
    mine: Mine,
    q: Text,
    conversation_id: Annotated[str, Query(max_length=ID_CHARACTERS, examples=[EXAMPLE_ID])],
) -> FoundPlace:
    """Return the message of a conversation at which to begin to read, for a hit that names none."""
    return FoundPlace(message_id=mine.search.place(q, mine.conversations.known(conversation_id).id))


@router.get("/meaning", responses=showing((specimens.MEANT,)))
def search_meaning(
    mine: Mine, q: Annotated[str, Query(min_length=1, max_length=LONGEST_QUERY)], limit: Count = SHOWN
) -> tuple[Meant, ...]:
    """Return the passages that mean most nearly what the words mean, best first; none where none is near."""
    return mine.search.meant(q, limit)


@router.get("/index", responses=showing(specimens.HEALTH))
def show_index(mine: Mine) -> Health:
    """Return how the index stands: what it holds, what waits, and whether anything needs a person."""
    return mine.indexing.health()


@router.post("/index", status_code=201, response_model=wire.RunView)
async def rebuild_index(mine: Mine, desk: Desk) -> Response:
    """Build the index anew, as a run that tells how far it is; what is indexed serves meanwhile."""
    run = desk.start("index", "", lambda: told("index", mine.indexing.rebuilding, mine.spawner))
    return Response(wire.run_json(run), 201, media_type="application/json")
