"""Examples of answers about models."""

from typing import Any

ADDED: dict[str, Any] = {
    "name": "cloud",
    "kind": "openai",
    "provider": "api.example.com",
    "base_url": "https://api.example.com/v1",
    "model_id": "large-1",
    "window": 128_000,
    "input_micros_per_mtok": 500_000,
    "output_micros_per_mtok": 1_500_000,
    "priced": True,
    "local": False,
    "has_key": True,
    "enabled": True,
    "added_at": "2026-11-20T10:00:00.000000Z",
}
NEW: dict[str, Any] = {
    "model_id": "large-1",
    "base_url": "https://api.example.com/v1",
    "name": "cloud",
    "key": "sk-your-key",
    "window": 128_000,
    "input_price": 0.5,
    "output_price": 1.5,
}
PRESET: dict[str, Any] = {
    "name": "example",
    "title": "Example",
    "base_url": "https://api.example.com/v1",
    "needs_key": True,
    "models": ["large-1"],
    "as_of": "2025-10",
}
TESTED: dict[str, Any] = {
    "name": "cloud",
    "ok": True,
    "latency_ms": 412.0,
    "first_token_ms": 190.0,
    "reply": "ready",
    "error": "",
    "message": "",
    "remedy": "",
}
MODELS: dict[str, Any] = {
    "embedded": [
        {
            "name": "ada",
            "title": "Ada 1.7B",
            "kind": "answers",
            "licence": "Apache-2.0",
            "digest": "7f3a",
            "bytes": 1_100_000_000,
            "tiers": ["standard"],
            "installed": True,
            "own": False,
            "roles": ["answer"],
            "self_test": {
                "exam": "1.0",
                "answers_right": 15,
                "answers": 20,
                "votes_right": 13,
                "votes": 16,
                "by_domain": {"history": [4, 5]},
                "seconds": 61.0,
                "basis": "Self-test 1.0: 15 of 20 questions and 13 of 16 ballots right.",
            },
        }
    ],
    "added": [ADDED],
    "seats": [
        {"seat": "ada", "model": "ada", "provider": "embedded", "local": True, "window": 4096, "votes": True},
    ],
    "tiers": [{"name": "standard", "missing_bytes": 0}],
}
