"""How small models are asked: under a schema, with three examples, the stable part first for the engine's cache."""

import json
from collections.abc import Mapping, Sequence
from typing import Final

from auritas.gateway.quoting import Material, with_material
from auritas.kernel.canonical import Json
from auritas.kernel.model import Message, Prompt, Role

ANSWER_CHARACTERS: Final = 160
"""About 25 words; a string that ran into max_tokens would not be JSON."""
EXPLANATION_CHARACTERS: Final = 200
NEW_CHARACTERS: Final = 1400
"""What may follow the cached prefix: about 400 tokens, ten seconds of reading for the largest embedded model."""

_NOTHING: Final = Material()

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

REVIEW_SCHEMA: Final[Mapping[str, Json]] = {
    "type": "object",
    "properties": {
        "correction": {"type": "string", "minLength": 1, "maxLength": ANSWER_CHARACTERS},
        "verdict": {"enum": ["correct", "incorrect", "partially_correct"]},
        "issues": {"type": "array", "items": {"type": "string", "minLength": 1, "maxLength": 100}, "maxItems": 1},
    },
    "required": ["correction", "verdict", "issues"],
    "additionalProperties": False,
}
"""The right answer comes first: asked for the verdict first, small models call nearly everything correct."""

COMPARISON_SCHEMA: Final[Mapping[str, Json]] = {
    "type": "object",
    "properties": {"better": {"enum": ["first", "second", "neither"]}},
    "required": ["better"],
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

_REVIEW = (
    "You check answers to questions. Reply with JSON: correction is the right answer, verdict says whether the answer "
    "given is the same, issues names what is wrong with it."
)
_REVIEW_SHOTS: Final[tuple[tuple[str, str, str, str, list[str]], ...]] = (
    ("What is the capital of Spain?", "Barcelona", "Madrid", "incorrect", ["The capital is Madrid."]),
    ("What is 12 * 3?", "36", "36", "correct", []),
    ("Is the Earth flat?", "No", "No", "correct", []),
    ("Who wrote The Odyssey?", "Virgil", "Homer", "incorrect", ["Virgil wrote the Aeneid."]),
    (
        "Which colours are in the flag of France?",
        "Blue and red",
        "Blue, white and red",
        "partially_correct",
        ["White is missing."],
    ),
)

_COMPARISON = (
    "You compare two answers to a question. Reply with JSON: better says which is right, first or second; neither if "
    "they are equally good or both wrong."
)
_COMPARISON_SHOTS = (
    ("What is the capital of Spain?", "Madrid", "Barcelona", "first"),
    ("What is 12 * 3?", "38", "36", "second"),
    ("Is the Earth flat?", "No", "No, it is nearly a sphere.", "neither"),
    ("Who wrote The Odyssey?", "Virgil", "Homer", "second"),
    ("How many days has a week?", "7", "5", "first"),
)


def member_prompt(question: str, history: Sequence[Message] = (), material: Material = _NOTHING) -> Prompt:
    """Return the prompt for a member of the embedded tier, to be answered under MEMBER_SCHEMA.

    history: earlier turns, oldest first; the newest are kept as far as NEW_CHARACTERS allow. material: what memory has
    to say; it is never cut, because what the user told us counts more than what was said in passing.
    """
    asked = with_material(question, "\n".join(filter(None, (material.above, material.beside))))
    return Prompt((*_MEMBER_PREFIX, *_recent(history, NEW_CHARACTERS - len(asked)), Message(Role.USER, asked)))


def ballot_prompt(claim: str, evidence: str) -> Prompt:
    """Return the prompt for one vote, to be answered under BALLOT_SCHEMA. A vote alone beats a vote with a reason."""
    return Prompt((*_BALLOT_PREFIX, Message(Role.USER, _ballot(claim, evidence))))


def review_prompt(question: str, answer: str) -> Prompt:
    """Return the prompt for a blind review, to be answered under REVIEW_SCHEMA."""
    return Prompt((*_REVIEW_PREFIX, Message(Role.USER, _quoted(question, Answer=answer))))


def comparison_prompt(question: str, first: str, second: str) -> Prompt:
    """Return the prompt for a blind comparison of two answers, to be answered under COMPARISON_SCHEMA."""
    return Prompt((*_COMPARISON_PREFIX, Message(Role.USER, _quoted(question, First=first, Second=second))))


def stable_beginning(prompt: Prompt) -> Prompt | None:
    """Return the part of a prompt that is the same for every question, or None for a prompt that is not ours.

    It is a constant of this program and holds no word of a user's.
    """
    for prefix in (_MEMBER_PREFIX, _BALLOT_PREFIX, _REVIEW_PREFIX, _COMPARISON_PREFIX):
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


def _quoted(question: str, **answers: str) -> str:
    """Return lines of JSON strings: nothing in them can end the quotation or begin a line of its own."""
    material = {"Question": question, **answers}
    return "\n".join(f"{name}: {json.dumps(text, ensure_ascii=False)}" for name, text in material.items())


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
_REVIEW_PREFIX: Final = _prefix(
    _REVIEW,
    [(_quoted(q, Answer=a), {"correction": c, "verdict": v, "issues": issues}) for q, a, c, v, issues in _REVIEW_SHOTS],
)
_COMPARISON_PREFIX: Final = _prefix(
    _COMPARISON, [(_quoted(q, First=a, Second=b), {"better": better}) for q, a, b, better in _COMPARISON_SHOTS]
)
