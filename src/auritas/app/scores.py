"""Public scores of models: those that ship with Auritas, and the user's own, which win."""

from dataclasses import dataclass

from auritas.council.adapters.scores_sql import ScoreRecords, own_scores
from auritas.council.scores import PublicScore, PublicScores, public_scores
from auritas.kernel.errors import NotFoundError, nearest
from auritas.kernel.ports import Store
from auritas.store import Unit

__all__ = ["NoScoreError", "PublicScore", "Scores", "known_scores"]


def known_scores(unit: Unit) -> PublicScores:
    """Return how often models were right in a public examination, by name in any spelling."""
    return public_scores().plus(own_scores(unit))


class NoScoreError(NotFoundError):
    """The user has written no score of this model."""

    code = "no_score"


@dataclass(frozen=True, slots=True)
class Scores:
    """The use cases behind `auritas models score`."""

    store: Store[Unit]
    records: ScoreRecords

    def list(self) -> tuple[PublicScore, ...]:
        """Return every score that counts, by name."""
        with self.store.read() as unit:
            return known_scores(unit).rows

    def get(self, model: str) -> PublicScore:
        """Return the score of a model. Raises NoScoreError."""
        with self.store.read() as unit:
            known = known_scores(unit)
        row = known.row(model)
        if row is None:
            hint = nearest(model, tuple(known)) or "Give one: auritas models score NAME .73 --source TEXT"
            raise NoScoreError(f"There is no public score of {model!r}.", remedy=hint)
        return row

    def put(self, model: str, score: float, source: str) -> PublicScore:
        """Write the user's own score of a model. Raises InvalidError unless it lies between 0 and 1."""
        row = PublicScore(model.strip(), score, source.strip(), own=True)
        with self.store.unit() as unit:
            self.records.put(unit, row)
        return row

    def forget(self, model: str) -> PublicScore | None:
        """Remove the user's own score, and return the one that counts now. Raises NoScoreError."""
        with self.store.unit() as unit:
            if not self.records.forget(unit, model):
                raise NoScoreError(f"You have given no score of {model!r}.", remedy="See them: auritas models score")
            return known_scores(unit).row(model)
