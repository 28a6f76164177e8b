"""The ten fixed roots as they ship: their names, the fields known to lie within them, and questions for each."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from auritas.council.domains.tree import DomainNode, DomainTree

ROOTS = (
    "code",
    "mathematics",
    "science",
    "legal",
    "medical",
    "finance",
    "writing",
    "analysis",
    "history",
    "general",
)


@dataclass(frozen=True, slots=True)
class Roots:
    """The tree before anything has grown. near: known fields within a root; exemplars: questions of each root."""

    tree: DomainTree
    near: Mapping[str, str]
    exemplars: Mapping[str, tuple[str, ...]]


@cache
def built_in_roots() -> Roots:
    """Return what ships with Auritas."""
    data = tomllib.loads(files("auritas.council").joinpath("data/domains.toml").read_text(encoding="utf-8"))
    return Roots(
        tree=DomainTree(DomainNode(root, None, 0, tuple(sorted(data[root]["aliases"]))) for root in ROOTS),
        near={field: root for root in ROOTS for field in data[root]["near"]},
        exemplars={root: tuple(data[root]["exemplars"]) for root in ROOTS},
    )
