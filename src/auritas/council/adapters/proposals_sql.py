"""Corrections that a reviewer proposes. They wait for the user: nothing is believed because a model said so."""

from dataclasses import dataclass

from sqlalchemy import insert

from auritas.council.model import Question
from auritas.kernel.answers import Review
from auritas.kernel.clock import Clock, timestamp
from auritas.kernel.ids import Ids
from auritas.kernel.log import Kind, Log, LogEvent
from auritas.kernel.text import one_line
from auritas.store import Unit
from auritas.store import schema as t

_SUBJECT_CHARACTERS = 200
_PROPOSED = "proposed"


@dataclass(frozen=True, slots=True)
class SqlProposals:
    """Writes rows of table corrections in state `proposed`, which no prompt ever gets."""

    log: Log[Unit]
    clock: Clock
    ids: Ids

    def propose(self, unit: Unit, question: Question, review: Review, rejected: str) -> str | None:
        """Write what a reviewer would have answered instead, and return its id; None where it proposes nothing new."""
        if not review.objects or not review.correction or review.correction.strip() == rejected.strip():
            return None
        correction_id, now = self.ids.new(), timestamp(self.clock.now())
        row = {
            "id": correction_id,
            "created_at": now,
            "subject": one_line(question.text, _SUBJECT_CHARACTERS),
            "claim": review.correction,
            "rejected": rejected,
            "confidence": 0.5,
            "effective_confidence": 0.5,
            "source": "arbiter",
            "decay_class": "B",
            "type": "factual_correction",
            "scope": "conversation",
            "state": _PROPOSED,
            "conversation_id": question.conversation_id,
            "canonical_query": question.text,
            "reason": "; ".join(review.issues) or None,
            "provenance": "reviewer",
        }
        unit.connection.execute(insert(t.corrections).values(row))
        event = {"correction_id": correction_id, "event": "created", "run_id": review.run_id, "at": now}
        unit.connection.execute(insert(t.correction_events).values(event))
        refs = {"correction_id": correction_id, "query_id": question.query_id, "state": _PROPOSED}
        self.log.append(unit, [LogEvent(Kind.CORRECTION_CREATED, review.reviewer, refs, review.correction)])
        return correction_id
