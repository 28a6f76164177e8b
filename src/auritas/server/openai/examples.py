"""Examples of the protocol in the OpenAPI document, and the errors that every operation of it can answer with."""

from typing import Any

from auritas.server.openai.problems import ProblemDocument

_PROBLEM = {
    "error": {
        "message": "There is no model named 'gpt-9'. See /v1/models.",
        "type": "invalid_request_error",
        "param": None,
        "code": "model_not_found",
        "remedy": "See /v1/models.",
    }
}
_WORDS = {
    400: "What was asked for is not possible.",
    403: "The token does not allow it.",
    404: "There is no such model.",
    429: "Too much at once, or a budget is spent.",
    503: "Something needed is missing or out of reach just now.",
}
PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {
        "model": ProblemDocument,
        "description": words,
        "content": {"application/json": {"example": _PROBLEM}},
    }
    for status, words in _WORDS.items()
}
_COMPLETION = {
    "id": "chatcmpl-01JAV3Q0000000000000000001",
    "object": "chat.completion",
    "created": 1795312800,
    "model": "auritas/balanced",
    "choices": [
        {
            "index": 0,
            "message": {"role": "assistant", "content": "53"},
            "finish_reason": "stop",
            "logprobs": None,
        }
    ],
    "usage": {"prompt_tokens": 312, "completion_tokens": 74, "total_tokens": 386},
    "system_fingerprint": "auritas-0.1.0",
    "auritas": {
        "query_id": "01JAV3Q0000000000000000002",
        "conversation_id": "01JAV3Q0000000000000000003",
        "confidence": "High",
        "agreement": "3 of 3",
        "effective_votes": 1.8,
        "why_url": "/api/v1/questions/01JAV3Q0000000000000000002/why",
    },
}
_CHUNKS = (
    'data: {"id":"chatcmpl-01JAV3Q0000000000000000001","object":"chat.completion.chunk","created":1795312800,'
    '"model":"auritas/balanced","choices":[{"index":0,"delta":{"content":"53"},"finish_reason":null,"logprobs":null}]}'
    "\n\ndata: [DONE]\n\n"
)
CHAT: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The completion, or with `stream: true` its chunks as server-sent events.",
        "content": {
            "application/json": {"example": _COMPLETION},
            "text/event-stream": {"schema": {"type": "string"}, "example": _CHUNKS},
        },
    }
}
