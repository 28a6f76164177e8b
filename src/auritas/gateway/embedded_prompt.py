"""How small models are asked: under a schema, with three examples, the stable part first for the engine's cache."""

import json
from collections.abc import Mapping, Sequence
from typing import Final

from auritas.kernel.canonical import Json
from auritas.kernel.model import Message, Prompt, Role

ANSWER_CHARACTERS: Final = 160
"""About 25 words; a string that ran into max_tokens would not be JSON."""
EXPLANATION_CHARACTERS: Final = 200
NEW_CHARACTERS: Final = 1400
"""What may follow the cached prefix: about 400 tokens, ten seconds of reading for the largest embedded model."""

MEMBER_SCHEMA: Final[Mapping[str, Json]] = {
    "type": "object",
    "properties": {
        "answer": {"type": "string", "minLength": 1, "maxLength": ANSWER_CHARACTERS},
        "explanation": {"type": "string", "maxLength": EXPLANATION_CHARACTERS},
        "domains": {
            "type": "array",
            "items": {"type": "string", "minLength": 1, "maxLength": 24},
            "minItems": 1,
            "maxItems": 2,
        },
    },
    "required": ["answer", "explanation", "domains"],
    "additionalProperties": False,
}

BALLOT_SCHEMA: Final[Mapping[str, Json]] = {
    "type": "object",
    "properties": {"vote": {"enum": ["YES", "NO", "NULL"]}},
    "required": ["vote"],
    "additionalProperties": False,
}

_MEMBER = (
    "You answer questions. Reply with JSON: answer is short and correct, explanation is one sentence, "
    "domains are one or two fields of knowledge."
)
_MEMBER_SHOTS = (
    ("What is the capital of Spain?", "Madrid", "Madrid is the seat of Spain's government.", ["geography"]),
    ("What is 12 * 3?", "36", "12 * 3 = 36.", ["mathematics"]),
    ("Is the Earth flat?", "No", "The Earth is nearly a sphere.", ["science"]),
)

_BALLOT = (
    "You judge claims by the evidence alone. Vote YES if the evidence says the claim is true, NO if the evidence says "
    "it is false, NULL if the evidence does not say. Reply with JSON."
)
_BALLOT_SHOTS = (
    ("The meeting was in May.", "The meeting was held on 14 May.", "YES"),
    ("The house is red.", "The house was painted blue last year.", "NO"),
    ("Her brother is a teacher.", "She lives in Rome with her brother.", "NULL"),
)


def member_prompt(question: str, history: Sequence[Message] = (), notes: Sequence[str] = ()) -> Prompt:
    """Return the prompt for a member of the embedded tier, to be answered under MEMBER_SCHEMA.

    history: earlier turns, oldest first; the newest are kept as far as NEW_CHARACTERS allow. notes: sentences from
    memory that the member should know; they stand right before the question.
    """
    known = "".join(f"{note}\n" for note in notes)
    asked = f"Known:\n{known}\n{question}" if known else question
    return Prompt((*_MEMBER_PREFIX, *_recent(history, NEW_CHARACTERS - len(asked)), Message(Role.USER, asked)))


def ballot_prompt(claim: str, evidence: str) -> Prompt:
    """Return the prompt for one vote, to be answered under BALLOT_SCHEMA. A vote alone beats a vote with a reason."""
    return Prompt((*_BALLOT_PREFIX, Message(Role.USER, _ballot(claim, evidence))))


def stable_beginning(prompt: Prompt) -> Prompt | None:
    """Return the part of a prompt that is the same for every question, or None for a prompt that is not ours.

    It is a constant of this program and holds no word of a user's.
    """
    for prefix in (_MEMBER_PREFIX, _BALLOT_PREFIX):
        if prompt.messages[: len(prefix)] == prefix and len(prompt.messages) > len(prefix):
            return Prompt(prefix)
    return None


def _recent(history: Sequence[Message], room: int) -> tuple[Message, ...]:
    """Return the newest turns that fit, starting with one of the user's, as chat templates want it."""
    kept: list[Message] = []
    for message in reversed(history):
        room -= len(message.content)
        if room < 0:
            break
        kept.insert(0, message)
    while kept and kept[0].role is not Role.USER:
        kept.pop(0)
    return tuple(kept)


def _ballot(claim: str, evidence: str) -> str:
    return f"Evidence: {evidence}\nClaim: {claim}"


def _prefix(system: str, shots: Sequence[tuple[str, Mapping[str, Json]]]) -> tuple[Message, ...]:
    turns = [
        turn
        for asked, reply in shots
        for turn in (
            Message(Role.USER, asked),
            Message(Role.ASSISTANT, json.dumps(reply, ensure_ascii=False, separators=(",", ":"))),
        )
    ]
    return (Message(Role.SYSTEM, system), *turns)


_MEMBER_PREFIX: Final = _prefix(
    _MEMBER, [(q, {"answer": a, "explanation": e, "domains": d}) for q, a, e, d in _MEMBER_SHOTS]
)
_BALLOT_PREFIX: Final = _prefix(_BALLOT, [(_ballot(c, e), {"vote": v}) for c, e, v in _BALLOT_SHOTS])
