"""Changes of the tree: each makes another tree, and two trees tell what must be written to go there and back."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from auritas.council.domains.errors import BadNameError, DomainChangeError, FixedRootError, NameInUseError
from auritas.council.domains.naming import node_id, normalise
from auritas.council.domains.tree import GENERAL, DomainNode, DomainTree


class ChangeKind(StrEnum):
    """What was done to the tree, or to the candidates below it."""

    PROMOTE = "promote"
    MERGE = "merge"
    DEMOTE = "demote"
    RENAME = "rename"
    ALIAS = "alias"
    PRUNE = "prune"


@dataclass(frozen=True, slots=True)
class Difference:
    """What differs between two trees: the nodes as they were and as they are; swapped, it leads back."""

    before: tuple[DomainNode, ...]
    after: tuple[DomainNode, ...]

    @property
    def back(self) -> "Difference":
        """The way back."""
        return Difference(self.after, self.before)


def difference(old: DomainTree, new: DomainTree) -> Difference:
    """Return the nodes that `new` lacks or has otherwise, and those that it has instead."""
    changed = sorted(i for i in {*old.nodes, *new.nodes} if old.nodes.get(i) != new.nodes.get(i))
    return Difference(
        tuple(old.nodes[i] for i in changed if i in old.nodes), tuple(new.nodes[i] for i in changed if i in new.nodes)
    )


def lost(change: Difference) -> dict[str, str]:
    """Return, for each node that goes when a change is taken back, where what was filed under it belongs then.

    That is the node it was renamed from, or the one it was promoted under.
    """
    there = {node.id for node in change.before}
    new = [node for node in change.after if node.id not in there]
    renamed = [node.id for node in change.before if node.id not in {each.id for each in change.after}]
    return {node.id: renamed[0] if renamed else node.parent or GENERAL for node in new}


def applied(tree: DomainTree, change: Difference) -> DomainTree:
    """Return the tree after a change. Raises DomainChangeError when it is not the tree that the change starts from."""
    ends = {node.id for node in change.after}
    gone = {node.id for node in change.before}
    if any(tree.nodes.get(node.id) != node for node in change.before) or any(i in tree for i in ends - gone):
        raise DomainChangeError(
            "The tree has changed since; this step does not fit any more.", remedy="Take back the newer changes first."
        )
    kept = (node for node in tree.nodes.values() if node.id not in gone)
    return DomainTree([*kept, *change.after], tree.former)


def promote(tree: DomainTree, string: str, parent: str) -> DomainTree:
    """Return the tree with a new node for a candidate. Raises BadNameError, NameInUseError or UnknownDomainError."""
    name = _free(tree, string)
    above = tree.node(parent)
    new = node_id(name, _taken(tree))
    aliases = (name,) if normalise(new) != name else ()
    return _with(tree, [DomainNode(new, above.id, above.depth + 1, aliases)])


def merge(tree: DomainTree, source: str, target: str) -> DomainTree:
    """Return the tree in which `target` has taken over the names and the children of `source`.

    Raises FixedRootError for a root, DomainChangeError for a node merged into itself or into something below it.
    """
    kept = tree.node(target)
    if tree.node(source) == kept:
        raise DomainChangeError(f"{source} and {target} are the same domain.", remedy="Name two: auritas domains")
    gone = _movable(tree, source)
    if kept.id in tree.subtree(gone.id):
        raise DomainChangeError(f"{kept.id} lies below {gone.id}.", remedy="To dissolve it: auritas domains demote")
    return _dissolved(tree, gone, kept)


def demote(tree: DomainTree, node: str) -> DomainTree:
    """Return the tree in which a node is dissolved in its parent, which takes over its names and its children."""
    gone = _movable(tree, node)
    return _dissolved(tree, gone, tree.nodes[gone.parent or GENERAL])


def rename(tree: DomainTree, node: str, name: str) -> DomainTree:
    """Return the tree in which a node has another id; its old name stays, so that what was stored finds it."""
    old = _movable(tree, node)
    wanted = normalise(name)
    if tree.owner(wanted) == old.id:  # one of its own names becomes the first
        if node_id(wanted) == old.id:
            raise DomainChangeError(f"{old.id} has that name already.", remedy="Choose another name.")
    else:
        wanted = _free(tree, name, old)
    new_id = node_id(wanted, _taken(tree, besides=old.id))
    aliases = tuple(sorted({*old.names, wanted} - {normalise(new_id)}))
    new = replace(old, id=new_id, aliases=aliases)
    children = [replace(tree.nodes[child], parent=new_id) for child in tree.children(old.id)]
    return _with(tree, [new, *children], without={old.id})


def add_alias(tree: DomainTree, node: str, word: str) -> DomainTree:
    """Return the tree in which a node, or a root, has one more name."""
    owner = tree.node(node)
    return _with(tree, [_with_names(owner, [_free(tree, word, owner)])])


def _movable(tree: DomainTree, node: str) -> DomainNode:
    found = tree.node(node)
    if found.parent is None:
        raise FixedRootError(found.id)
    return found


def _free(tree: DomainTree, name: str, wants: DomainNode | None = None) -> str:
    """Return the name as the tree spells it. wants: who is to have it. Raises BadNameError and NameInUseError."""
    string = normalise(name)
    if not string:
        raise BadNameError(name)
    owner = tree.owner(string)
    if owner is not None:
        raise NameInUseError(string, owner, _joining(tree, wants, tree.nodes[owner]) if wants else "")
    return string


def _joining(tree: DomainTree, one: DomainNode, other: DomainNode) -> str:
    """Return the command that makes two one, if one can: a root stays, and nothing goes into what lies below it."""
    for gone, kept in ((one, other), (other, one)):
        if gone.parent is not None and kept.id not in tree.subtree(gone.id):
            return f"auritas domains merge {gone.id} {kept.id}"
    return ""


def _taken(tree: DomainTree, besides: str = "") -> set[str]:
    """Return the ids that no other node may get: those of nodes, and those whose words are a name already (f sharp)."""
    others = [node for node in tree.nodes.values() if node.id != besides]
    return {each.replace(" ", "_") for node in others for each in (node.id, *node.names)}


def _dissolved(tree: DomainTree, gone: DomainNode, into: DomainNode) -> DomainTree:
    moved = _lifted(tree, gone.id, into)
    return _with(tree, [_with_names(into, gone.names), *moved], without={gone.id})


def _lifted(tree: DomainTree, node: str, parent: DomainNode) -> list[DomainNode]:
    """Return everything below `node` as it lies below `parent` instead."""
    found: list[DomainNode] = []
    for child in tree.children(node):
        moved = replace(tree.nodes[child], parent=parent.id, depth=parent.depth + 1)
        found += [moved, *_lifted(tree, child, moved)]
    return found


def _with_names(node: DomainNode, names: Iterable[str]) -> DomainNode:
    return replace(node, aliases=tuple(sorted({*node.aliases, *names} - {node.name})))


def _with(tree: DomainTree, nodes: Iterable[DomainNode], without: Iterable[str] = ()) -> DomainTree:
    changed = {node.id: node for node in nodes}
    kept = {i: node for i, node in tree.nodes.items() if i not in set(without)}
    return DomainTree((kept | changed).values(), tree.former)
