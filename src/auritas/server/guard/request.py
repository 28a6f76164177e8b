"""What the lines of defence read of a request."""

from typing import Final

from starlette.types import Scope

_EVENTS: Final = "text/event-stream"


class Request:
    """Method, address and headers of one request; every value of a repeated header counts."""

    def __init__(self, scope: Scope) -> None:
        self.method: str = scope["method"]
        self.path: str = scope["path"]
        self.scheme: str = scope.get("scheme", "http")
        self.client: tuple[str, int] | None = scope.get("client")
        server = scope.get("server")
        self.port: int | None = server[1] if server else None
        self._headers: dict[bytes, list[str]] = {}
        for name, value in scope["headers"]:
            self._headers.setdefault(name.lower(), []).append(value.decode("latin-1"))

    def all(self, name: bytes) -> list[str]:
        """Return all values of a header."""
        return self._headers.get(name, [])

    def first(self, name: bytes) -> str:
        """Return the first value of a header, or nothing."""
        return self.all(name)[0] if self.all(name) else ""

    @property
    def wants_stream(self) -> bool:
        """Whether events are asked for, as EventSource does."""
        return any(_EVENTS in value for value in self.all(b"accept"))
