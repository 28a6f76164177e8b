"""`GET /v1/models`: the levels of the council, each model alone, and the embedder."""

from typing import Literal

from pydantic import BaseModel

from auritas.app.access import Scope
from auritas.app.compose import Auritas
from auritas.server.caller import Mine, needs
from auritas.server.examples import shows
from auritas.server.openai.council import LEVELS, unknown
from auritas.server.openai.examples import PROBLEMS
from auritas.server.openai.problems import OpenAIRoute
from auritas.server.router import Router

router = Router(
    prefix="/v1", tags=["openai"], dependencies=[needs(Scope.QUERY)], route_class=OpenAIRoute, responses=PROBLEMS
)
_COUNCIL = {"id": "auritas/balanced", "object": "model", "created": 0, "owned_by": "auritas"}


class ModelView(BaseModel):
    """A model by the name under which it is asked. created: always 0, since nobody knows it."""

    id: str
    object: Literal["model"] = "model"
    created: int = 0
    owned_by: str


class ModelList(BaseModel):
    """What can be asked."""

    object: Literal["list"] = "list"
    data: list[ModelView]


@router.get("/models", responses=shows({"object": "list", "data": [_COUNCIL]}))
async def list_openai_models(mine: Mine) -> ModelList:
    """List what can be named as `model`: the council's four levels first."""
    return ModelList(data=await _models(mine))


@router.get("/models/{model:path}", responses=shows(_COUNCIL))
async def show_openai_model(mine: Mine, model: str) -> ModelView:
    """Return one model by its name."""
    known = await _models(mine)
    found = next((each for each in known if each.id == model), None)
    if found is None:
        raise unknown(model, [each.id for each in known if each.id not in LEVELS])
    return found


async def _models(mine: Auritas) -> list[ModelView]:
    council = [ModelView(id=name, owned_by="auritas") for name in LEVELS]
    single = [ModelView(id=card.name, owned_by=card.provider) for card in await mine.single.cards()]
    embedder = mine.embedding.name()
    return council + single + ([ModelView(id=embedder, owned_by="embedded")] if embedder else [])
