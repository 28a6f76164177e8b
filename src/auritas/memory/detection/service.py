"""Listens to what the user types and says whether something in it is to be remembered."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from auritas.kernel.ports import EmbeddingPort
from auritas.memory.detection.classifier import by_meaning, by_rules, trained
from auritas.memory.detection.features import Vectors, texts
from auritas.memory.detection.model import Before, Detected, Nothing, Why
from auritas.memory.detection.patterns import patterns
from auritas.memory.detection.quoting import disguised, own_words
from auritas.memory.detection.reading import answers, read
from auritas.memory.detection.secrets import asks_for_secret, holds_secret
from auritas.memory.detection.spelling import as_meant
from auritas.memory.detection.trigger import LONGEST_CLAIM, Heard, Listening, listen
from auritas.memory.detection.utility import band, utility
from auritas.memory.detection.wording import normalised

LONGEST_MESSAGE = 20_000
"""Characters; nobody types more, and the rules need not read more."""
HARD = frozenset({"another_request", "agreement", "others", "code"})
"""Excuses that stop everything but a prefix; the others are left for the classifier to weigh."""
MOST_LEFT = 3
"""Further sentences that are weighed, so that a long message costs no more than a few."""
CAUTION = 0.10
"""Added to the threshold while there is no embedder: rules alone are wrong more often."""


class Detector:
    """Detects corrections in the user's own typed words; text from anywhere else has no way in.

    embedding: returns the embedder, or None while there is none; it is not called again once there is one. threshold:
    P from which a sentence counts.
    """

    def __init__(self, embedding: Callable[[], EmbeddingPort | None], threshold: float = 0.45) -> None:
        self._embedding = embedding
        self._embedder: EmbeddingPort | None = None
        self._threshold = threshold

    def detect(self, said: str, before: Before | None, *, project_active: bool = False) -> Detected | Nothing:
        """Return what is to be remembered of a message, or why nothing is.

        said: the message as the user typed it. before: the turn before it in the conversation, if any.
        """
        found = considered(said, before)
        if isinstance(found, Nothing):
            return found
        heard = found.heard
        strength, needed = self._strength(heard, before)
        if strength < needed:
            return Nothing(Why.UNLIKELY, heard.trigger, strength)
        detected = _detected(heard, before, strength, asks=found.asks, project_active=project_active)
        return replace(detected, left=self._left(found.others, before))

    def _left(self, others: Sequence[Heard], before: Before | None) -> str:
        """Return what else was typed that sets something right, or would have been heard on its own."""
        kept = []
        for heard in others[:MOST_LEFT]:
            if _refused(heard.said, heard, before):
                continue
            strength, needed = self._strength(heard, before)
            if heard.outright or heard.explicit or heard.rejected or strength >= needed:
                kept.append(heard.said)
        return " ".join(kept)

    def _strength(self, heard: Heard, before: Before | None) -> tuple[float, float]:
        """Return P that a sentence is meant, and what it must reach."""
        if heard.prefixed:
            return 1.0, 0.0
        weights = trained()
        placed = self._placed(texts(heard, before), weights.embedder)
        if placed is None:
            return by_rules(weights.rules, heard, before), min(1.0, self._threshold + CAUTION)
        return by_meaning(weights.meaning, heard, before, placed), self._threshold

    def _placed(self, said: Sequence[str], trained_on: str) -> Vectors | None:
        """Return the vectors of texts, or None without the embedder that the weights are of, or where it fails."""
        try:
            self._embedder = self._embedder or self._embedding()
            if self._embedder is None or self._embedder.id != trained_on:
                return None
            vectors = [*self._embedder.embed(said), None, None]
        except Exception:  # noqa: BLE001  an embedder is foreign code; the rules hear most corrections without it
            return None
        return Vectors(vectors[0] or (), vectors[1], vectors[2])


class Considered(NamedTuple):
    """What the rules leave for the classifier, the question that the same message also asks, and other candidates."""

    heard: Heard
    asks: str
    others: tuple[Heard, ...]


def considered(said: str, before: Before | None) -> Considered | Nothing:
    """Return what stage 1 makes of a message: the sentence that may be meant, or why there is none."""
    if unfit := _unfit(said):
        return Nothing(unfit)
    own = own_words(said)
    listening = listen(own.pieces, before)
    heard = listening.best
    if listening.forgets:
        return Nothing(Why.FORGET, "forget")
    if heard is None:
        return Nothing(_silent(listening, quoted=own.quoted))
    if refused := _refused(said, heard, before):
        return Nothing(refused, heard.trigger)
    return Considered(heard, listening.asks, listening.others)


def _unfit(said: str) -> Why | None:
    if len(said) > LONGEST_MESSAGE:
        return Why.TOO_LONG
    if not normalised(said):
        return Why.EMPTY
    if holds_secret(normalised(said)):
        return Why.SECRET
    return Why.DISGUISED if disguised(said) else None


def _silent(listening: Listening, *, quoted: bool) -> Why:
    if quoted:
        return Why.PASTED
    return Why.NO_CLAIM if listening.denied else Why.NO_TRIGGER


def _refused(said: str, heard: Heard, before: Before | None) -> Why | None:
    """Return what speaks against a sentence whatever the classifier thinks of it."""
    readings = {normalised(said), as_meant(normalised(said))}
    if any(form.search(reading) for form in patterns().obedience for reading in readings):
        return Why.OBEDIENCE
    if before is not None and asks_for_secret(before.question) and answers(heard):
        return Why.SECRET
    if len(heard.claim) > LONGEST_CLAIM:
        return Why.TOO_LONG
    hard = heard.excuses & (HARD - {"others"} if "negation" in heard.leads else HARD)
    return Why.EXCUSED if heard.stopped or (hard and not heard.prefixed) else None


def _detected(heard: Heard, before: Before | None, strength: float, *, asks: str, project_active: bool) -> Detected:
    meaning = read(heard, before, project_active=project_active)
    worth = utility(
        meaning.type,
        meaning.scope,
        heard.sentence,
        strength=strength,
        explicit=heard.explicit or (heard.outright and before is not None),
        project_active=project_active,
    )
    return Detected(
        type=meaning.type,
        scope=meaning.scope,
        claim=meaning.claim,
        instruction=meaning.instruction,
        rejected=meaning.rejected,
        subject=meaning.subject,
        condition=meaning.condition,
        canonical_query=meaning.canonical_query,
        domain_hint=meaning.domain_hint,
        explicit=heard.explicit,
        trigger=heard.trigger,
        strength=strength,
        utility=worth,
        band=band(worth.score),
        decay_class=meaning.decay_class,
        provenance=meaning.provenance,
        confidence=strength,
        asks=asks,
    )
