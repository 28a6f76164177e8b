"""Routers whose routes get ready when they are first asked for: making all of them takes a fifth of the start."""

from collections.abc import Callable
from threading import RLock
from typing import Any

from fastapi import APIRouter
from fastapi.routing import APIRoute
from starlette.routing import compile_path


class LateRoute(APIRoute):
    """A route that knows its address and its rules at once, and the shapes of what it takes and gives when needed."""

    def __init__(self, path: str, endpoint: Callable[..., Any], **wishes: Any) -> None:
        """wishes: as of APIRoute. What is wrong with them is told by the OpenAPI document, which needs all routes."""
        self._wishes: dict[str, Any] | None = wishes
        self._making = RLock()
        self.path, self.endpoint = path, endpoint
        self.path_regex, self.path_format, self.param_convertors = compile_path(path)
        self.name = wishes["name"] or endpoint.__name__
        self.methods = {method.upper() for method in wishes["methods"] or ("GET",)}
        self.dependencies = list(wishes["dependencies"] or ())
        self.responses = wishes["responses"] or {}
        self.max_body_size = wishes["max_body_size"]

    def __getattr__(self, name: str) -> Any:
        """Make what is missing yet, which is everything that `__init__` does not name."""
        if name.startswith("__"):
            raise AttributeError(name)
        with self._making:
            wishes, self._wishes = self._wishes, None
            if wishes is not None:
                super().__init__(self.path, self.endpoint, **wishes)
        return object.__getattribute__(self, name)


class Router(APIRouter):
    """A router of late routes, each named in the OpenAPI document by its function."""

    def __init__(self, *, route_class: type[LateRoute] = LateRoute, **wishes: Any) -> None:
        """wishes: as of APIRouter."""
        super().__init__(route_class=route_class, generate_unique_id_function=lambda route: route.name, **wishes)

    def take(self, other: APIRouter) -> None:
        """Add the routes of `other` as they stand; `include_router` would make each of them anew."""
        self.routes.extend(other.routes)
