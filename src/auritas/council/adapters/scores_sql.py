"""The user's own public scores in the store."""

from dataclasses import dataclass

from sqlalchemy import delete, insert, select

from auritas.council.scores import PublicScore, normalised
from auritas.kernel.canonical import canonical
from auritas.kernel.clock import Clock, timestamp
from auritas.kernel.log import Kind, Log, LogEvent
from auritas.store import Unit
from auritas.store import schema as t

_FIELD = "public_score"
_OWN = select(t.public_scores).order_by(t.public_scores.c.model)


def own_scores(unit: Unit) -> tuple[PublicScore, ...]:
    """Return the rows that the user wrote, by name."""
    rows = unit.connection.execute(_OWN)
    return tuple(PublicScore(row.model, row.score, row.source, own=True) for row in rows)


@dataclass(frozen=True, slots=True)
class ScoreRecords:
    """Writes rows of table public_scores, each with its audit entry."""

    log: Log[Unit]
    clock: Clock

    def put(self, unit: Unit, row: PublicScore) -> None:
        """Write a row in place of whatever the user said of the model before."""
        self._remove(unit, row.model)
        values = {"model": row.model, "score": row.score, "source": row.source}
        unit.connection.execute(insert(t.public_scores).values(values | {"updated_at": timestamp(self.clock.now())}))
        self._note(unit, "set", {"model": row.model, "score": f"{row.score:g}", "source": row.source})

    def forget(self, unit: Unit, model: str) -> bool:
        """Remove the user's row of a model, and return whether there was one."""
        gone = self._remove(unit, model)
        if gone:
            self._note(unit, "forgotten", {"model": model})
        return gone

    def _remove(self, unit: Unit, model: str) -> bool:
        scores = t.public_scores.c.model
        same = [row.model for row in own_scores(unit) if normalised(row.model) == normalised(model)]
        return bool(unit.connection.execute(delete(t.public_scores).where(scores.in_(same))).rowcount)

    def _note(self, unit: Unit, action: str, words: dict[str, str]) -> None:
        refs = {"field": _FIELD, "action": action}
        self.log.append(unit, [LogEvent(Kind.SETTINGS_CHANGE, "user", refs, canonical(words).decode())])
