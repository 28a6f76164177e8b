"""Routes that get ready when they are first asked for."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from httpx2 import ASGITransport, AsyncClient
from pydantic import BaseModel

from auritas.app.household import Household
from auritas.app.settings import load
from auritas.server.app import routes
from auritas.server.guard.doors import Doors
from auritas.server.router import LateRoute, Router


class Asked(BaseModel):
    count: int


def ready(route: Any) -> bool:
    """Whether the shapes of a route were made; looked at in a way that does not make them."""
    return "app" in vars(route)


def choir() -> Router:
    router = Router(prefix="/choir", tags=["choir"])

    @router.post("/{name}", status_code=201)
    def sing(name: str, asked: Asked) -> dict[str, int]:
        """Sing."""
        return {name: asked.count}

    return router


def application(router: Router) -> FastAPI:
    app = FastAPI()
    app.router.routes.extend(router.routes)
    return app


def test_the_start_makes_no_route_of_the_program(tmp_path):
    """The guard reads what every address demands without making the shapes of any route."""
    app = routes(Household(load(home=tmp_path)))
    assert all(isinstance(route, LateRoute) for route in app.routes)
    before = [ready(route) for route in app.routes]
    assert len(Doors(app).every) == len(before) > 100
    assert [ready(route) for route in app.routes] == before


@pytest.mark.anyio
async def test_a_route_is_made_by_its_first_request_alone():
    """Another address or method leaves it as it is; the first request that is its own gets a whole answer."""
    router = choir()
    (route,) = router.routes
    async with AsyncClient(transport=ASGITransport(application(router)), base_url="http://localhost") as client:
        assert (await client.post("/orchestra/alto", json={"count": 2})).status_code == 404
        assert not ready(route)
        answer = await client.post("/choir/alto", json={"count": 2})
        assert (answer.status_code, answer.json()) == (201, {"alto": 2})
        assert ready(route)
        assert (await client.post("/choir/alto", json={"count": "many"})).status_code == 422
        assert (await client.get("/choir/alto")).status_code == 405


def test_a_late_route_is_described_as_any_other():
    """The OpenAPI document knows its shapes, and names it by its function."""
    document = get_openapi(title="Choir", version="1", routes=application(choir()).routes)
    operation = document["paths"]["/choir/{name}"]["post"]
    assert (operation["operationId"], operation["description"], operation["tags"]) == ("sing", "Sing.", ["choir"])
    assert operation["requestBody"]["content"]["application/json"]["schema"] == {"$ref": "#/components/schemas/Asked"}


def test_threads_that_need_a_route_at_once_get_the_same():
    """Whoever asks while another makes it waits, and nothing is made twice."""
    route: Any = choir().routes[0]
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda _: route.dependant, range(32)))
    assert all(each is made[0] for each in made)


def test_what_no_route_has_is_still_an_error():
    """A name that is wrong is told as such, before and after the shapes are made."""
    route: Any = choir().routes[0]
    for _ in range(2):
        with pytest.raises(AttributeError, match="tenor"):
            _ = route.tenor
