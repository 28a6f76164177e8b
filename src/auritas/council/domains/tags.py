"""Shares of domains: from the tags that members give, and without what is too small to count."""

import math
from collections.abc import Mapping, Sequence

from auritas.council.domains.tree import GENERAL, DomainTree, Meaning

SMALLEST_SHARE = 0.05
"""A domain with less is noise: it is dropped, and the others take its place."""


def trimmed(shares: Mapping[str, float]) -> dict[str, float]:
    """Return shares that add up to 1, without those below .05; general when nothing is left."""
    total = math.fsum(shares.values())
    kept = {node: share / total for node, share in shares.items() if total > 0 and share / total >= SMALLEST_SHARE}
    rest = math.fsum(kept.values())
    return {node: share / rest for node, share in sorted(kept.items())} if kept else {GENERAL: 1.0}


def tag_shares(tree: DomainTree, said: Sequence[Sequence[str]], meaning: Meaning | None = None) -> dict[str, float]:
    """Return p(j|q) from the DOMAINS tags of each member: an equal part for each member and each of its tags.

    Members without a tag say nothing; when nobody says anything it is general. Nothing is dropped here: see `trimmed`.
    """
    speaking = [tags for tags in said if any(tag.strip() for tag in tags)]
    parts: dict[str, list[float]] = {}
    for tags in speaking:
        named = [tag for tag in tags if tag.strip()]
        for tag in named:
            node = tree.resolve(tag, meaning).node
            parts.setdefault(node, []).append(1 / (len(named) * len(speaking)))
    return {node: math.fsum(values) for node, values in sorted(parts.items())} or {GENERAL: 1.0}
