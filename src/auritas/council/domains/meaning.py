"""What tags mean: fields known by name, and, with an embedder, the nearest name of a node."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from auritas.council.domains.tree import DomainTree
from auritas.kernel.ports import EmbeddingPort

Vectors: TypeAlias = NDArray[np.float32]

SAME_FIELD = 0.80
"""Centred cosine from which a tag says the same as a name of a node: gardening and vegetable gardening .81, poetry and
poem writing .77. Below it, and from .60 on, it is a field of its own within the node."""


@dataclass(frozen=True, slots=True)
class KnownFields:
    """Implements Meaning without an embedder. near: fields by name, each with the node within which it lies."""

    near: Mapping[str, str]

    def known(self, string: str) -> str | None:
        return self.near.get(string)

    def nearest(self, string: str) -> tuple[str, float] | None:
        del string
        return None


class EmbeddedMeaning:
    """Implements Meaning by the vectors of all names of nodes and of the known fields within them.

    Centred: the mean of these vectors, which is what all names of fields have in common, is taken off first.
    vectors: of `words(tree, near)`, in that order.
    """

    def __init__(self, tree: DomainTree, near: Mapping[str, str], vectors: Vectors, embedder: EmbeddingPort) -> None:
        listed = words(tree, near)
        self._near = near
        self._embedder = embedder
        self._nodes = [node for _, node in listed]
        self._grown = np.array([tree.nodes[node].parent is not None for node in self._nodes])
        self._mean = vectors.mean(0)
        self._vectors = centred(vectors, self._mean)

    def known(self, string: str) -> str | None:
        return self._near.get(string)

    def nearest(self, string: str) -> tuple[str, float] | None:
        cosines = self._cosines(string)
        best = int(cosines.argmax())
        return self._nodes[best], float(cosines[best])

    def same_as(self, string: str) -> str | None:
        """Return the node below the roots that says the same as `string`, or None."""
        cosines = np.where(self._grown, self._cosines(string), -1.0)
        best = int(cosines.argmax())
        return self._nodes[best] if cosines[best] >= SAME_FIELD else None

    def _cosines(self, string: str) -> Vectors:
        vector = np.asarray(self._embedder.embed([string]), dtype=np.float32)
        cosines: Vectors = self._vectors @ centred(vector, self._mean)[0]
        return cosines


def words(tree: DomainTree, near: Mapping[str, str]) -> Sequence[tuple[str, str]]:
    """Return every name of a node and every known field, each with its node, in a fixed order."""
    named = {name: node.id for node in tree.nodes.values() for name in node.names}
    return sorted({**near, **named}.items())


def centred(vectors: Vectors, mean: Vectors) -> Vectors:
    """Return vectors less their mean, at unit length; one that is the mean stays zero."""
    rest = vectors - mean
    lengths = np.linalg.norm(rest, axis=1, keepdims=True)
    unit: Vectors = np.divide(rest, lengths, out=np.zeros_like(rest), where=lengths > 0)
    return unit
