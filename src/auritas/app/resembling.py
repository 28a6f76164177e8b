"""What is alike: a correction and what it may be meant to replace, unless a person said that both hold."""

from collections.abc import Iterable
from collections.abc import Set as AbstractSet

import numpy as np

from auritas.app.recollection import Shelves, words_of
from auritas.kernel.memory import Correction
from auritas.memory.model import pair_of, place_of

NEAR = 0.55
"""Cosine from which something stored may be what a new sentence is meant to replace."""
NEAREST = 3


def resembling(shelves: Shelves, correction: Correction, exclude: Iterable[Correction] = ()) -> tuple[Correction, ...]:
    """Return up to three active corrections of the same place that a new one may be meant to replace, nearest first."""
    shelf, mine = shelves.current(), shelves.vectors(words_of(correction))
    if not mine:
        return ()
    cosines = shelf.cosines(np.asarray(mine, dtype=np.float32))
    out = {correction.id, *(each.id for each in exclude)}
    place = (correction.scope, place_of(correction.scope, correction))
    near = [
        (float(cosine), each)
        for cosine, each in zip(cosines, shelf.corrections, strict=True)
        if cosine >= NEAR and each.id not in out and (each.scope, place_of(each.scope, each)) == place
    ]
    return tuple(each for _, each in sorted(near, key=lambda pair: (-pair[0], pair[1].id))[:NEAREST])


def unsettled(
    correction: Correction, found: Iterable[Correction], settled: AbstractSet[tuple[str, str]]
) -> tuple[Correction, ...]:
    """Return what resembles a correction, without those of which the person said that both hold."""
    return tuple(each for each in found if pair_of(correction.id, each.id) not in settled)
