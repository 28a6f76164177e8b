"""`auritas eval preferences`: preferences of others through the relevance and the policy of the product."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from auritas.app.missing_embedder import NoEmbedderError
from auritas.kernel.clock import Clock
from auritas.kernel.memory import Correction, CorrectionState, CorrectionType, DecayClass, Provenance, Scope
from auritas.kernel.ports import EmbeddingPort
from auritas.memory.injection import inject
from auritas.memory.model import Gates, Policy, Where
from auritas.memory.relevance import background
from auritas.memory.shelf import Shelf
from auritas.search.evaluation.preferences import (
    Drawn,
    Preference,
    PreferenceReport,
    place_of_first,
    read_preferences,
    stores,
    to_document,
)

__all__ = ["PreferenceReport", "evaluate_preferences", "to_document"]

Heard = Callable[[str], None]
Floats = NDArray[np.float64]
Places = NDArray[np.intp]

_RANKED = Gates(policy=Policy.THRESHOLD, budget=100_000)
"""The policy that chooses by score and relevance; the budget is none, so that it does not choose as well."""


def evaluate_preferences(
    folder: Path,
    embedder: EmbeddingPort | None,
    clock: Clock,
    size: int,
    *,
    seed: int = 0,
    heard: Heard = lambda _: None,
) -> PreferenceReport:
    """Draw a store of `size` for each preference and ask its question.

    Raises NoEmbedderError, NotFoundError and InvalidError.
    """
    if embedder is None:
        raise NoEmbedderError
    found = read_preferences(folder)
    drawn = stores(len(found), size, seed)
    heard("embedding")
    vectors = np.array(embedder.embed([each.text for each in found]), dtype=np.float32)
    asked = np.array(embedder.embed([each.question for each in found]), dtype=np.float32)
    heard("ranking")
    now = clock.now()
    kept = [_correction(place, each, now) for place, each in enumerate(found)]
    shelf = Shelf(kept, {c.id: vectors[[place]] for place, c in enumerate(kept)}, background(embedder))
    topics = np.array([each.topic for each in found])
    results = [_drawn(shelf, topics, store, (asked[store[0]], vectors[store]), now) for store in drawn]
    return PreferenceReport(tuple(results), size, len(found), embedder.id)


def _drawn(
    whole: Shelf,
    topics: NDArray[np.str_],
    store: Places,
    vectors: tuple[NDArray[np.float32], NDArray[np.float32]],
    now: datetime,
) -> Drawn:
    """Return how one store ranks and what of it would enter; its first is the wanted one."""
    question, held = vectors
    relevance = whole.relevance(question.tolist())
    cosines = np.asarray(held @ question, dtype=np.float64)
    part = Shelf(whole.corrections[place] for place in store)
    uses = inject(part, relevance[np.sort(store)], Where(), _RANKED, now)
    entering = {use.correction.id for use in uses if use.injected}
    enters = np.array([whole.corrections[place].id in entering for place in store])
    other = topics[store] != topics[store[0]]
    return Drawn(
        rank=place_of_first(relevance[store]),
        plain=place_of_first(cosines),
        injected=bool(enters[0]),
        others=int(other.sum()),
        wrongly=int((enters & other).sum()),
        plain_wrongly=int(((cosines >= _RANKED.score) & other).sum()),
    )


def _correction(place: int, preference: Preference, now: datetime) -> Correction:
    return Correction(
        id=f"{place:06}",
        type=CorrectionType.PREFERENCE,
        scope=Scope.GLOBAL,
        state=CorrectionState.ACTIVE,
        provenance=Provenance.USER_EXPLICIT,
        claim=preference.text,
        created_at=now,
        decay_class=DecayClass.A,
    )
