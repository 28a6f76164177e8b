"""Examples of answers about questions."""

from typing import Any

_QUESTION = "01JAV3Q0-0000-7000-8000-000000000001"
_RUN = "01JAV3Q0-0000-7000-8000-000000000002"
_AT = "2026-11-20T10:00:00Z"
LINE: dict[str, Any] = {
    "query_id": _QUESTION,
    "text": "What is the capital of Australia?",
    "status": "finished",
    "level": "high",
    "at": _AT,
    "trace_id": "tr_abc123def456",
}
LINES: dict[str, Any] = {"items": [LINE], "next": None}
_ANSWER: dict[str, Any] = {
    "run_id": _RUN,
    "seat": "ada",
    "model": "ada",
    "digest": "sha256:7f",
    "engine": "llama.cpp",
    "text": "Canberra",
    "explanation": "It has been the capital since 1913.",
    "stated_confidence": 0.9,
    "abstained": False,
    "failure": None,
    "attempts": 1,
    "first_token_ms": 210.0,
    "total_ms": 1900.0,
    "tokens_in": 240,
    "tokens_out": 31,
    "cost_micros": 0,
    "candidate": "c0ffee",
    "shown": True,
    "p": 1.0,
    "right": True,
}
_CANDIDATE: dict[str, Any] = {
    "id": "c0ffee",
    "text": "Canberra",
    "supporters": ["ada"],
    "score": 1.4,
    "p": 0.82,
    "chosen": True,
}
GRADE_LINE: dict[str, Any] = {
    "id": "01JAV3Q0-0000-7000-8000-000000000003",
    "query_id": _QUESTION,
    "question": "What is the capital of Australia?",
    "kind": "verdict",
    "words": "the answer of ada is right",
    "state": "holds",
    "at": _AT,
    "undone_at": None,
}
SHOWN: dict[str, Any] = {
    "query_id": _QUESTION,
    "conversation_id": "01JAV3Q0-0000-7000-8000-000000000004",
    "question_message_id": "01JAV3Q0-0000-7000-8000-000000000005",
    "message_id": "01JAV3Q0-0000-7000-8000-000000000006",
    "trace_id": "tr_abc123def456",
    "text": "What is the capital of Australia?",
    "status": "finished",
    "level": "high",
    "shape": "closed",
    "at": _AT,
    "cost_micros": 0,
    "degraded": [],
    "domains": {"history": 0.7, "science": 0.3},
    "answers": [_ANSWER],
    "decision": {
        "candidates": [_CANDIDATE],
        "chosen": "c0ffee",
        "shown_seat": "ada",
        "confidence": "Medium",
        "p": None,
        "calibrated": False,
        "policy": "guarded",
        "reason": "One member answered. Confidence Medium: prior: a score of 0.82, no probability.",
        "effective_votes": None,
        "without": [{"seat": "ada", "candidate": None, "turns": True}],
    },
    "reviews": [],
    "memory": None,
    "receipt": {"seq": 12, "level": "signed"},
    "asks_grade": None,
    "said": [GRADE_LINE],
}
REASONS: dict[str, Any] = {
    "query_id": _QUESTION,
    "trace_id": "tr_abc123def456",
    "sections": [
        {"title": "Why now", "lines": ["You asked: What is the capital of Australia? (level high)"]},
        {"title": "What I saw", "lines": ["ada: said Canberra in 1900 ms"]},
        {"title": "What I considered", "lines": ["Canberra: score 1.4 (ada 1.4, score 0.82)"]},
        {"title": "What I chose and why", "lines": ["Chosen: Canberra.", "One member answered."]},
        {"title": "What you can do", "lines": ["Say whether it is right."]},
    ],
}
MARK: dict[str, Any] = {"run_id": _RUN, "seat": "ada", "text": "Canberra", "p": 1.0, "right": True}
COMPARED: dict[str, Any] = {
    "query_id": _QUESTION,
    "question": "What is the capital of Australia?",
    "comparison": {
        "candidates": [
            {
                "number": 1,
                "id": "c0ffee",
                "text": "Canberra",
                "spans": [{"kind": "differs", "text": "Canberra"}],
                "voices": [
                    {
                        "seat": "ada",
                        "run_id": _RUN,
                        "text": "Canberra",
                        "explanation": "It has been the capital since 1913.",
                        "stated_confidence": 0.9,
                        "shown": True,
                    }
                ],
                "p": 0.82,
                "chosen": True,
            }
        ],
        "unheard": [{"seat": "bo", "why": "abstained"}],
        "effective_votes": None,
        "calibrated": False,
    },
    "marks": [MARK],
}
EXPECTED: list[dict[str, Any]] = [
    {
        "level": "high",
        "expected": {"calls": 4.0, "cost_micros": 0, "seconds": 3.8},
        "members": ["ada", "bo", "cleo"],
    }
]
