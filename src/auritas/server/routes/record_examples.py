"""Examples of answers about what was learned."""

from typing import Any

_RATE: dict[str, Any] = {"graded": 40.0, "right": 31.0, "mean": 0.74, "low": 0.63, "high": 0.84}
RANKED: dict[str, Any] = {
    "policy": "guarded",
    "why": "The council's rule decides: from what is known before grades, it is right 2.1 points more "
    "often than its best member.",
    "guard": {"council": True, "gain": 0.021, "expected": 0.021, "measured": 0.0, "error": 0.0, "questions": 0},
    "graded": 40,
    "calibrated": False,
    "seats": [
        {
            "seat": "ada",
            "sits": True,
            "runs": {
                "asked": 52,
                "silent": 1,
                "abstained": 0,
                "silence": 0.02,
                "first_token_ms": 210.0,
                "total_ms": 1900.0,
                "cost_micros": 0,
            },
            "rate": _RATE,
            "weight": 1.1,
        }
    ],
}
BY_DOMAIN: list[dict[str, Any]] = [{"seat": "ada", "domain": "history", "parent": None, "rate": _RATE}]
INDEPENDENCE: dict[str, Any] = {
    "members": 3,
    "effective_votes": 1.8,
    "pairs": [{"first": "ada", "second": "bo", "correlation": 0.31}],
}
COMPLIANCE: list[dict[str, Any]] = [
    {"seat": "ada", "rule": "language", "level": "soft", "judged": 52, "passed": 50, "streak": 0}
]
_BIN: dict[str, Any] = {
    "p": 0.62,
    "from_p": 0.51,
    "to_p": 0.7,
    "right": 0.6,
    "count": 20,
    "low": 0.39,
    "high": 0.78,
}
_DIAGRAM: dict[str, Any] = {"count": 20, "bins": [_BIN], "error": 0.02, "brier": 0.21}
_EMPTY: dict[str, Any] = {"count": 0, "bins": [], "error": None, "brier": None}
CALIBRATION: dict[str, Any] = {
    "graded": 40,
    "needed": 60,
    "calibrated": False,
    "probabilities": _EMPTY,
    "scores": _DIAGRAM,
    "members": [
        {
            "seat": "ada",
            "diagram": _DIAGRAM,
            "curve": [0.1, 0.18, 0.26, 0.34, 0.42, 0.5, 0.56, 0.62, 0.68, 0.74, 0.8],
            "grades": 20,
        }
    ],
}
LEDGER: dict[str, Any] = {
    "items": [
        {
            "seat": "ada",
            "query_id": "01JAV3Q0-0000-7000-8000-000000000001",
            "part": "brier",
            "amount": 0.19,
            "basis": "report 0.90; right by user",
            "at": "2026-11-20T10:00:00Z",
        }
    ],
    "next": None,
}
BALANCES: list[dict[str, Any]] = [{"seat": "ada", "credit": 4.2, "award": 1.5, "questions": 40}]
SCORE: dict[str, Any] = {"model": "ada", "score": 0.73, "source": "MMLU, model card", "also": [], "own": True}
FORGOTTEN: dict[str, Any] = {"counts": None}
