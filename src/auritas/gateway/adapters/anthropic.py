"""The messages protocol of Anthropic."""

import json
import re
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from auritas.gateway.adapters.dialects import Dialect, Reading, in_words, number
from auritas.gateway.model import Endpoint
from auritas.gateway.policy.complaints import Complaint
from auritas.kernel.model import FinishReason, Message, Params, Prompt, Role

API_VERSION = "2023-06-01"

_FINISH = {
    "end_turn": FinishReason.STOP,
    "stop_sequence": FinishReason.STOP,
    "tool_use": FinishReason.STOP,
    "pause_turn": FinishReason.STOP,
    "max_tokens": FinishReason.LENGTH,
    "model_context_window_exceeded": FinishReason.LENGTH,
    "refusal": FinishReason.FILTERED,
}
_STATUS = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "api_error": 500,
    "timeout_error": 504,
    "overloaded_error": 529,
}
_SERVER_ERROR = 500
_TOOL = "reply"
_INPUT_COUNTS = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


@dataclass(frozen=True, slots=True)
class Messages:
    """The protocol. A form is asked for as the input of a tool that the model must use; in_words when it cannot.

    without: optional fields left out because the model was found to refuse them.
    """

    endpoint: Endpoint
    in_words: bool = False
    without: frozenset[str] = frozenset()

    @property
    def path(self) -> str:
        return "/v1/messages"

    def headers(self, key: str | None) -> Mapping[str, str]:
        fixed = {"content-type": "application/json", "anthropic-version": API_VERSION}
        return fixed if key is None else {**fixed, "x-api-key": key}

    def body(self, prompt: Prompt, params: Params) -> Mapping[str, Any]:
        system = [m.content for m in prompt.messages if m.role is Role.SYSTEM]
        if params.schema is not None and not self._uses_tool(params):
            system.append(in_words(params.schema))
        body: dict[str, Any] = {
            "model": self.endpoint.model_id,
            "max_tokens": params.max_tokens,
            "messages": [
                {"role": m.role.value, "content": _content(m)}
                for m in prompt.messages
                if m.role is not Role.SYSTEM and m.content
            ],
            "stream": True,
            "temperature": params.temperature,
        }
        if system:
            body["system"] = "\n\n".join(system)
        if params.stop:
            body["stop_sequences"] = list(params.stop)
        if self._uses_tool(params):
            tool = {"name": _TOOL, "description": "Give the reply in this form.", "input_schema": params.schema}
            body |= {"tools": [tool], "tool_choice": {"type": "tool", "name": _TOOL}}
        return {name: value for name, value in body.items() if name not in self.without}

    def _uses_tool(self, params: Params) -> bool:
        return params.schema is not None and not self.in_words and params.schema.get("type") == "object"

    def reading(self) -> Reading:
        return MessagesReading(self.endpoint)

    def simpler(self, said: Complaint, params: Params) -> Dialect | None:
        if self._uses_tool(params) and re.search(r"tool|schema", said.words):
            return replace(self, in_words=True)
        for name in ("temperature", "stop_sequences"):
            if name not in self.without and name in said.words:
                return replace(self, without=self.without | {name})
        return None


@dataclass
class MessagesReading(Reading):
    """Reads the events of a message, or a whole message."""

    def frame(self, frame: Mapping[str, Any]) -> str:
        match frame.get("type"):
            case "error":
                self.report(_status(frame.get("error")), frame)
            case "message_start":
                message = frame.get("message")
                return self._message(message) if isinstance(message, dict) else ""
            case "message":
                self.done = True
                return self._message(frame)
            case "content_block_delta":
                return _delta(frame.get("delta"))
            case "message_delta":
                self._end(frame.get("delta"))
                self._count(frame.get("usage"))
            case "message_stop":
                self.done = True
        return ""

    def _message(self, message: Mapping[str, Any]) -> str:
        self.served = str(message.get("model") or "")
        self._count(message.get("usage"))
        self._end(message)
        content = message.get("content")
        return "".join(_block(block) for block in content) if isinstance(content, list) else ""

    def _end(self, delta: Any) -> None:
        reason = delta.get("stop_reason") if isinstance(delta, dict) else None
        if reason:
            self.finish = _FINISH.get(str(reason), FinishReason.STOP)

    def _count(self, usage: Any) -> None:
        if not isinstance(usage, dict):
            return
        counts = [count for name in _INPUT_COUNTS if (count := number(usage.get(name))) is not None]
        if counts:
            self.tokens_in = sum(counts)
        tokens_out = number(usage.get("output_tokens"))
        self.tokens_out = self.tokens_out if tokens_out is None else tokens_out


def _delta(delta: Any) -> str:
    if not isinstance(delta, dict):
        return ""
    match delta.get("type"):
        case "text_delta":
            return str(delta.get("text") or "")
        case "input_json_delta":
            return str(delta.get("partial_json") or "")
    return ""


def _block(block: Any) -> str:
    match block:
        case {"type": "text", "text": str(text)}:
            return text
        case {"type": "tool_use", "input": value}:
            return json.dumps(value)
    return ""


def _status(error: Any) -> int:
    return _STATUS.get(str(error.get("type")), _SERVER_ERROR) if isinstance(error, dict) else _SERVER_ERROR


def _content(message: Message) -> str | list[dict[str, Any]]:
    """Return what was said, with the pictures before the words, as this provider wants them."""
    if not message.images:
        return message.content
    pictures = [
        {
            "type": "image",
            "source": {
                "type": "base64",
                "media_type": image.media_type,
                "data": b64encode(image.content).decode(),
            },
        }
        for image in message.images
    ]
    return [*pictures, {"type": "text", "text": message.content}]
