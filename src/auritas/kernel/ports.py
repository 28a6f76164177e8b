"""The seams to everything outside: one Protocol for each, so that no test needs a patch."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import AbstractContextManager
from typing import Protocol, TypeVar

from auritas.kernel.model import ModelCard, Params, Part, Prompt

T = TypeVar("T")
U_co = TypeVar("U_co", covariant=True)


class ModelPort(Protocol):
    """One model that answers prompts."""

    @property
    def card(self) -> ModelCard:
        """Who answers."""

    def answer(self, prompt: Prompt, params: Params) -> AsyncGenerator[Part, None]:
        """Stream the reply; the last part is Finished.

        Closing the generator, cancelling its task or passing the deadline stops the work behind it for good. Raises
        UnavailableError when the model cannot answer, RefusedError when a limit forbids asking.
        """


class EmbeddingPort(Protocol):
    """Turns texts into vectors of unit length."""

    @property
    def id(self) -> str:
        """Name of model and recipe; stored with every vector, because vectors of two embedders do not compare."""

    @property
    def dimensions(self) -> int:
        """Length of each vector."""

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """Return one vector per text, in order."""


class Store(Protocol[U_co]):
    """Where everything is kept. Writes go through one unit of work that lands whole or not at all."""

    def unit(self) -> AbstractContextManager[U_co]:
        """Open the only writing transaction; commit on leaving, roll back on an error."""

    def read(self) -> AbstractContextManager[U_co]:
        """Open a consistent snapshot for reading; nothing can be written through it."""


class VectorIndex(Protocol):
    """Finds stored vectors near a given one."""

    def put(self, key: str, vector: Sequence[float]) -> None:
        """Store or replace the vector of `key`."""

    def nearest(self, vector: Sequence[float], count: int) -> Sequence[tuple[str, float]]:
        """Return up to `count` keys with their cosine similarity, best first, ties by key."""

    def erase(self, key: str) -> None:
        """Remove `key`, if it is there."""


class Workflow(Protocol):
    """Long work in keyed steps: a step that has finished once is never run again, whatever dies in between."""

    async def step(self, workflow: str, key: str, work: Callable[[], Awaitable[str]]) -> str:
        """Return the stored result of (workflow, key), or run `work`, store its result and return it."""


class Chain(Protocol):
    """A public ledger to which a digest can be posted."""

    async def post(self, digest: bytes) -> str:
        """Post 32 bytes and return the transaction's id."""

    async def posted(self, transaction: str) -> bytes | None:
        """Return the digest that `transaction` carries, or None while it is not final."""
