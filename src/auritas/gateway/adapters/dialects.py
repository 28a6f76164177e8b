"""What a protocol for asking models over HTTP must be able to do, so that one adapter can speak all of them."""

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from auritas.gateway.errors import FailureKind, ProviderFailed
from auritas.gateway.model import Endpoint
from auritas.gateway.policy.complaints import Complaint, as_error, complaint
from auritas.kernel.model import FinishReason, Params, Prompt, ToolCall


@dataclass
class Reading(ABC):
    """What is known of a reply while it is being read. Counts are None while the provider has given none.

    served: the model that the provider says has answered. done: nothing of interest follows. calls: tools that the
    model wants to be run, by their place.
    """

    endpoint: Endpoint
    finish: FinishReason | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost_micros: int | None = None
    served: str = ""
    margin: float | None = None
    done: bool = False
    calls: dict[int, ToolCall] = field(default_factory=dict)

    def feed(self, data: str) -> str:
        """Take one frame and return the text in it. Raises an error when the frame reports one or is no JSON."""
        if not data.strip():
            return ""
        try:
            frame = json.loads(data)
        except (ValueError, RecursionError):
            raise ProviderFailed(
                f"{self.endpoint.name} sent something that cannot be read.", kind=FailureKind.GARBLED
            ) from None
        return self.frame(frame) if isinstance(frame, dict) else ""

    @abstractmethod
    def frame(self, frame: Mapping[str, Any]) -> str:
        """Take one decoded frame and return the text in it."""

    def report(self, status: int, frame: Mapping[str, Any]) -> None:
        """Raise the error that a frame inside a reply reports."""
        raise as_error(self.endpoint, complaint(status, json.dumps(frame)))


class Dialect(Protocol):
    """How one protocol puts a question and reads the reply. Frozen: a simpler dialect is another value."""

    @property
    def path(self) -> str:
        """Where requests go, below the base URL."""

    def headers(self, key: str | None) -> Mapping[str, str]:
        """Return the headers of a request."""

    def body(self, prompt: Prompt, params: Params) -> Mapping[str, Any]:
        """Return the request."""

    def reading(self) -> Reading:
        """Return the reader of one reply."""

    def simpler(self, said: Complaint, params: Params) -> "Dialect | None":
        """Return the dialect without what the provider complained about, or None when that cannot be told."""


def number(value: Any) -> int | None:
    """Return `value` as a count, or None when it is none."""
    return int(value) if isinstance(value, int | float) and not isinstance(value, bool) and value >= 0 else None


def in_words(schema: Any) -> str:
    """Return the request for a form, for models that take it in no other way."""
    return f"Reply with one JSON value that satisfies this JSON Schema, and with nothing else:\n{json.dumps(schema)}"
