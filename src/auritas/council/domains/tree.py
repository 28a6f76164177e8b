"""The tree of domains, and where in it a tag belongs."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Protocol

from auritas.council.domains.errors import UnknownDomainError
from auritas.council.domains.naming import edit_similarity, is_typo, normalise
from auritas.kernel.errors import InvalidError

GENERAL = "general"
MEANING_SIMILARITY = 0.60


class Meaning(Protocol):
    """What is known of a tag beyond its spelling. Tags come in normal form."""

    def known(self, string: str) -> str | None:
        """Return the node within which a field of that very name lies, or None."""

    def nearest(self, string: str) -> tuple[str, float] | None:
        """Return the node nearest in meaning and the centred cosine, or None where that cannot be computed."""


@dataclass(frozen=True, slots=True)
class DomainNode:
    """One field. aliases: other normalised names of it; depth: 0 for a root."""

    id: str
    parent: str | None
    depth: int
    aliases: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The id as words."""
        return normalise(self.id)

    @property
    def names(self) -> tuple[str, ...]:
        """Every name under which a tag finds the node."""
        return (self.name, *self.aliases)


class ResolvedBy(StrEnum):
    """How a tag found its place."""

    NAME = "name"
    TYPO = "typo"
    MEANING = "meaning"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Resolution:
    """Where a tag belongs. node: where it counts now. string: its normal form.

    candidate: it is no name of the node, and may become one below it. similarity: to the name or the meaning, in
    [0, 1]; 0 when nothing was near.
    """

    string: str
    node: str
    by: ResolvedBy
    candidate: bool
    similarity: float


class DomainTree:
    """Nodes by id. Immutable; `changes` makes other trees of it.

    former: nodes that were taken back, each with where what was filed under it belongs since.

    Raises InvalidError for a parent that is not there, a wrong depth, a circle, or a name that two nodes have.
    """

    def __init__(self, nodes: Iterable[DomainNode], former: Mapping[str, str] | None = None) -> None:
        self.nodes: Mapping[str, DomainNode] = {node.id: node for node in nodes}
        self.former: Mapping[str, str] = former or {}
        for node in self.nodes.values():
            self._check(node)
        self._names: Mapping[str, str] = self._named()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DomainTree) and dict(self.nodes) == dict(other.nodes)

    def __hash__(self) -> int:
        return hash(frozenset(self.nodes.values()))

    def __contains__(self, node: object) -> bool:
        return node in self.nodes

    @cached_property
    def roots(self) -> tuple[str, ...]:
        """The roots in order of their names."""
        return tuple(sorted(node.id for node in self.nodes.values() if node.parent is None))

    def node(self, name: str) -> DomainNode:
        """Return the node with that id or name. Raises UnknownDomainError."""
        found = name if name in self.nodes else self._names.get(normalise(name))
        if found is None:
            raise UnknownDomainError(name, sorted({*self.nodes, *self._names}))
        return self.nodes[found]

    def owner(self, name: str) -> str | None:
        """Return the node that has a name, or None."""
        return self._names.get(normalise(name))

    def path(self, node: str) -> tuple[str, ...]:
        """Return the nodes from `node` up to its root, both included. Raises UnknownDomainError."""
        step = self.node(node)
        found = [step.id]
        while step.parent is not None:
            step = self.nodes[step.parent]
            found.append(step.id)
        return tuple(found)

    def ancestors(self, node: str) -> tuple[str, ...]:
        """Return the nodes above `node`, nearest first."""
        return self.path(node)[1:]

    def children(self, node: str) -> tuple[str, ...]:
        """Return the nodes right below `node`, by name."""
        return tuple(sorted(each.id for each in self.nodes.values() if each.parent == node))

    def subtree(self, node: str) -> frozenset[str]:
        """Return `node` and everything below it."""
        return frozenset(each for each in self.nodes if node in self.path(each))

    def today(self, node: str) -> str:
        """Return where a node that was stored once is found now.

        Renamed and merged ones keep their old names, and one whose promotion was taken back counts where it lay. What
        is known no longer counts as general.
        """
        seen: set[str] = set()
        while node not in seen:
            seen.add(node)
            found = node if node in self.nodes else self._names.get(normalise(node))
            if found is not None:
                return found
            node = self.former.get(node, GENERAL)
        return GENERAL

    def current(self, shares: Mapping[str, float]) -> dict[str, float]:
        """Return shares that were stored once over the nodes of today."""
        found: dict[str, float] = {}
        for name, share in shares.items():
            node = self.today(name)
            found[node] = found.get(node, 0.0) + share
        return found

    def spread(self, shares: Mapping[str, float]) -> dict[str, float]:
        """Return p(j|q) for all nodes on the paths to the roots: a node has its own share and those below it."""
        parts: dict[str, list[float]] = {}
        for name, share in shares.items():
            for node in self.path(name):
                parts.setdefault(node, []).append(share)
        return {node: math.fsum(values) for node, values in parts.items()}

    def resolve(self, tag: str, meaning: Meaning | None = None) -> Resolution:
        """Return where a tag belongs: by its name, as a typo of one name, by meaning, else under general.

        Similar spelling never makes a parent: it would put contract law under writing.
        """
        string = normalise(tag)
        if not string:
            return Resolution("", GENERAL, ResolvedBy.NOTHING, candidate=False, similarity=0.0)
        if string in self._names:
            return Resolution(string, self._names[string], ResolvedBy.NAME, candidate=False, similarity=1.0)
        within = meaning.known(string) if meaning else None
        if within is not None:  # a word of its own is nobody's slip
            return Resolution(string, within, ResolvedBy.MEANING, candidate=True, similarity=1.0)
        meant = self._mistyped(string)
        if meant is not None:
            return Resolution(string, meant[0], ResolvedBy.TYPO, candidate=False, similarity=meant[1])
        near = meaning.nearest(string) if meaning else None
        if near is not None and near[1] >= MEANING_SIMILARITY:
            return Resolution(string, near[0], ResolvedBy.MEANING, candidate=True, similarity=min(near[1], 1.0))
        similarity = max(0.0, near[1]) if near else 0.0
        return Resolution(string, GENERAL, ResolvedBy.NOTHING, candidate=True, similarity=similarity)

    def _mistyped(self, string: str) -> tuple[str, float] | None:
        """Return the node whose name is nearest among those it is a typo of; two nodes equally near are none."""
        near = [(edit_similarity(string, name), node) for name, node in self._names.items() if is_typo(string, name)]
        if not near:
            return None
        best = max(similarity for similarity, _ in near)
        nodes = {node for similarity, node in near if similarity == best}
        return (nodes.pop(), best) if len(nodes) == 1 else None

    def _check(self, node: DomainNode) -> None:
        above = self.nodes.get(node.parent) if node.parent is not None else None
        if node.parent is not None and above is None:
            raise InvalidError(f"{node.id} lies under {node.parent}, which is not there.")
        if node.depth != (above.depth + 1 if above else 0):  # which rules out circles, too
            raise InvalidError(f"{node.id} has depth {node.depth}, which its parent does not bear out.")

    def _named(self) -> dict[str, str]:
        names: dict[str, str] = {}
        for node in self.nodes.values():
            for name in node.names:
                if names.setdefault(name, node.id) != node.id:
                    raise InvalidError(f"{name!r} names both {names[name]} and {node.id}.")
        return names
