"""Questions of the past, written straight into the store."""

import json
from collections.abc import Mapping
from typing import Any

from sqlalchemy import insert

from auritas.council.candidates import candidates
from auritas.kernel.answers import Answer, Seat
from auritas.store import Unit
from auritas.store import schema as t

QUESTION = "What is the capital of Australia?"


def write_question(
    unit: Unit, ids: Any, now: str, said: Mapping[str, str], *, decided: bool = True, shown: str = "ada", **more: Any
) -> str:
    """Write a finished question with its answers, as it lies in the store; return its id. more: other columns."""
    query_id, conversation_id, message_id = str(ids.new()), ids.new(), ids.new()
    answers = [Answer(ids.new(), Seat(seat, seat), text, abstained=not text) for seat, text in said.items()]
    groups = candidates(answers)
    found = {seat: group.id for group in groups for seat in group.supporters}
    document = {
        "candidates": [{"id": g.id, "text": g.text, "supporters": g.supporters} for g in groups],
        "silent": [],
        "abstained": [a.seat.name for a in answers if a.abstained],
    }
    at = {"created_at": now}
    connection = unit.connection
    connection.execute(insert(t.conversations).values(conversation_id=conversation_id, updated_at=now, **at))
    words = {"conversation_id": conversation_id, "role": "user", "content": QUESTION}
    connection.execute(insert(t.messages).values(message_id=message_id, **words, **at))
    row: dict[str, Any] = {
        "level": "high",
        "status": "finished",
        "domains": json.dumps({"science": 0.3, "history": 0.7}),
    }
    row |= {"decision": json.dumps(document) if decided else None} | more
    connection.execute(
        insert(t.queries).values(
            query_id=query_id, conversation_id=conversation_id, question_message_id=message_id, **row, **at
        )
    )
    connection.execute(
        insert(t.model_runs),
        [
            {
                "run_id": a.run_id,
                "query_id": query_id,
                "conversation_id": conversation_id,
                "specialist": a.seat.name,
                "text": a.text,
                "abstained": a.abstained,
                "vcg_winner": a.seat.name == shown,
                "candidate": found.get(a.seat.name) if decided else None,
                **at,
            }
            for a in answers
        ],
    )
    return query_id
