"""Vectors of texts, for programs that ask for them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from auritas.app.missing_embedder import NoEmbedderError
from auritas.kernel.ports import EmbeddingPort

BYTES_PER_TOKEN = 4
"""Of English text, roughly: the count is an estimate, since embedding counts none."""


@dataclass(frozen=True, slots=True)
class Embedded:
    """Vectors of unit length in the order of the texts. tokens: estimated."""

    model: str
    vectors: Sequence[Sequence[float]]
    tokens: int


@dataclass(frozen=True, slots=True)
class Embedding:
    """The installed sentence embedder. load: returns it, or None while there is none."""

    load: Callable[[], EmbeddingPort | None]

    def port(self) -> EmbeddingPort:
        """Return the embedder. Raises NoEmbedderError."""
        found = self.load()
        if found is None:
            raise NoEmbedderError
        return found

    def name(self) -> str | None:
        """Return its name without the digest of its weights, or None while none is installed."""
        found = self.load()
        return None if found is None else name_of(found)

    def __call__(self, texts: Sequence[str]) -> Embedded:
        """Return the vectors of texts. Raises NoEmbedderError."""
        port = self.port()
        tokens = sum(-(-len(text.encode(errors="replace")) // BYTES_PER_TOKEN) for text in texts)
        return Embedded(name_of(port), port.embed(texts), tokens)


def name_of(port: EmbeddingPort) -> str:
    """Return what a person calls an embedder: ids also hold what tells its vectors from those of other weights."""
    return port.id.split(":", 1)[0].split("@", 1)[0]
