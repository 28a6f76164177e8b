"""The chat completions protocol of OpenAI, which most servers speak: Ollama, llama.cpp, vLLM, OpenRouter and others."""

import re
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Any

from auritas.gateway.adapters.dialects import Dialect, Reading, in_words, number
from auritas.gateway.model import Endpoint
from auritas.gateway.policy.complaints import Complaint
from auritas.kernel.canonical import Json
from auritas.kernel.model import MICROS_PER_UNIT, FinishReason, Image, Message, Params, Prompt, Tool, ToolCall

_FINISH = {
    "stop": FinishReason.STOP,
    "eos": FinishReason.STOP,
    "tool_calls": FinishReason.STOP,
    "function_call": FinishReason.STOP,
    "length": FinishReason.LENGTH,
    "max_tokens": FinishReason.LENGTH,
    "content_filter": FinishReason.FILTERED,
}
_BROKEN_ENDS = ("error", "insufficient_system_resource")
_SERVER_ERROR = 502
_OPTIONAL = ("stream_options", "top_logprobs", "logprobs", "seed", "temperature", "stop")
_RUNNERS_UP = 2
ANY_OBJECT: Mapping[str, Json] = {"type": "object"}
"""The schema of a reply that may be any JSON object: servers have a mode of its own for it."""
_CHOICES = ("auto", "none", "required")


class Form(IntEnum):
    """How a form is asked for, from the strictest to plain words."""

    SCHEMA = 0
    OBJECT = 1
    WORDS = 2


@dataclass(frozen=True, slots=True)
class ChatCompletions:
    """The protocol with what a server was found not to understand.

    newer_limit: the limit is called max_completion_tokens. settled: the name of the limit was changed once already.
    without: optional fields left out.
    """

    endpoint: Endpoint
    newer_limit: bool = False
    settled: bool = False
    form: Form = Form.SCHEMA
    without: frozenset[str] = frozenset()

    @property
    def path(self) -> str:
        return "/chat/completions"

    def headers(self, key: str | None) -> Mapping[str, str]:
        accept = {"content-type": "application/json", "accept": "text/event-stream, application/json"}
        return accept if key is None else {**accept, "authorization": f"Bearer {key}"}

    def body(self, prompt: Prompt, params: Params) -> Mapping[str, Any]:
        messages = [_message(m) for m in prompt.messages]
        if params.schema is not None and self.form is not Form.SCHEMA:
            messages.insert(0, {"role": "system", "content": in_words(params.schema)})
        limit = "max_completion_tokens" if self.newer_limit else "max_tokens"
        body: dict[str, Any] = {
            "model": self.endpoint.model_id,
            "messages": messages,
            limit: params.max_tokens,
            "stream": True,
            "stream_options": {"include_usage": True},
            "temperature": params.temperature,
            **_asked_for(params),
            **self._form(params),
            **_tools(params),
            **params.more,
        }
        if "stream" in self.without:
            body["stream"] = False
        return {name: value for name, value in body.items() if name == "stream" or name not in self.without}

    def _form(self, params: Params) -> Mapping[str, Any]:
        if params.schema is None or self.form is Form.WORDS:
            return {}
        if self.form is Form.OBJECT or params.schema == ANY_OBJECT:
            return {"response_format": {"type": "json_object"}}
        schema = {"name": "reply", "schema": params.schema, "strict": True}
        return {"response_format": {"type": "json_schema", "json_schema": schema}}

    def reading(self) -> Reading:
        return ChatReading(self.endpoint)

    def simpler(self, said: Complaint, params: Params) -> Dialect | None:
        words = said.words
        if not self.settled and re.search(r"\bmax_(completion_)?tokens\b", words):
            return replace(self, newer_limit=not self.newer_limit, settled=True)
        if params.schema is not None and self.form < Form.WORDS and re.search(r"response_format|schema|json", words):
            return replace(self, form=Form(self.form + 1))
        sent = {name for name in self.body(Prompt(()), params) if name in _OPTIONAL} - self.without
        for name in _OPTIONAL:
            if name in sent and re.search(rf"\b{name}\b", words):
                return replace(self, without=self.without | {name})
        if "stream" not in self.without and re.search(r"\bstream(ing)?\b", words):
            return replace(self, without=self.without | {"stream", "stream_options"})
        return None


@dataclass
class ChatReading(Reading):
    """Reads chunks, and whole completions as if they were one chunk."""

    def feed(self, data: str) -> str:
        if data.strip() == "[DONE]":
            self.finish = self.finish or FinishReason.STOP
            self.done = True
            return ""
        return super().feed(data)

    def frame(self, frame: Mapping[str, Any]) -> str:
        if frame.get("error"):
            self.report(_status(frame["error"]), frame)
        self.served = str(frame.get("model") or self.served)
        self._count(frame.get("usage"))
        choices = frame.get("choices")
        if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
            return ""
        return self._choice(choices[0])

    def _choice(self, choice: Mapping[str, Any]) -> str:
        spoken = choice.get("delta") or choice.get("message") or {}
        text = _text(spoken.get("content")) if isinstance(spoken, dict) else ""
        if isinstance(spoken, dict):
            self._called(spoken.get("tool_calls"))
        self.margin = _narrowest(self.margin, choice.get("logprobs"))
        if isinstance(spoken, dict) and isinstance(spoken.get("refusal"), str) and spoken["refusal"]:
            self.finish = FinishReason.FILTERED
            return text + str(spoken["refusal"])
        end = choice.get("finish_reason")
        if end in _BROKEN_ENDS:
            self.report(_SERVER_ERROR, {"error": f"The reply ended with {end}."})
        if end and self.finish is None:
            self.finish = _FINISH.get(str(end), FinishReason.STOP)
        return text

    def _called(self, calls: Any) -> None:
        """Take pieces of calls; the arguments of one come in many."""
        for place, each in enumerate(calls if isinstance(calls, list) else ()):
            wanted = each.get("function") if isinstance(each, dict) else None
            if not isinstance(wanted, dict):
                continue
            index = number(each.get("index"))
            at = place if index is None else index
            before = self.calls.get(at) or ToolCall("", "", "")
            self.calls[at] = ToolCall(
                before.id or str(each.get("id") or f"call_{at}"),
                before.name or str(wanted.get("name") or ""),
                before.arguments + str(wanted.get("arguments") or ""),
            )

    def _count(self, usage: Any) -> None:
        if not isinstance(usage, dict):
            return
        self.tokens_in = number(usage.get("prompt_tokens"))
        self.tokens_out = number(usage.get("completion_tokens"))
        cost = usage.get("cost")
        if isinstance(cost, int | float) and cost >= 0:
            self.cost_micros = int(-(-cost * MICROS_PER_UNIT // 1))


def _asked_for(params: Params) -> Mapping[str, Any]:
    fields: dict[str, Any] = {}
    if params.seed is not None:
        fields["seed"] = params.seed
    if params.stop:
        fields["stop"] = list(params.stop)
    if params.logprobs:
        fields |= {"logprobs": True, "top_logprobs": _RUNNERS_UP}
    return fields


def _message(message: Message) -> dict[str, Any]:
    said: dict[str, Any] = {"role": message.role.value, "content": _content(message)}
    if message.calls:
        said["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in message.calls
        ]
    return said | ({"tool_call_id": message.call_id} if message.call_id else {})


def _content(message: Message) -> str | list[dict[str, Any]]:
    if not message.images:
        return message.content
    pictures = [{"type": "image_url", "image_url": {"url": data_url(image)}} for image in message.images]
    return [{"type": "text", "text": message.content}, *pictures]


def data_url(image: Image) -> str:
    """Return a picture as a data URL (RFC 2397)."""
    return f"data:{image.media_type};base64,{b64encode(image.content).decode()}"


def _tools(params: Params) -> Mapping[str, Any]:
    if not params.tools:
        return {}
    tools = [{"type": "function", "function": _function(tool)} for tool in params.tools]
    if not params.tool_choice:
        return {"tools": tools}
    named = {"type": "function", "function": {"name": params.tool_choice}}
    return {"tools": tools, "tool_choice": params.tool_choice if params.tool_choice in _CHOICES else named}


def _function(tool: Tool) -> Mapping[str, Any]:
    said = {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
    return said if tool.strict is None else said | {"strict": tool.strict}


def _text(content: Any) -> str:
    # Some servers send a list of typed parts; the parts that are thoughts are not the reply.
    if isinstance(content, list):
        return "".join(str(p.get("text") or "") for p in content if isinstance(p, dict) and p.get("type") == "text")
    return content if isinstance(content, str) else ""


def _narrowest(margin: float | None, logprobs: Any) -> float | None:
    tokens = logprobs.get("content") if isinstance(logprobs, dict) else None
    for token in tokens if isinstance(tokens, list) else ():
        tops = token.get("top_logprobs") if isinstance(token, dict) else None
        scores = sorted((t["logprob"] for t in tops or () if isinstance(t, dict) and "logprob" in t), reverse=True)
        if len(scores) >= _RUNNERS_UP:
            gap = float(scores[0] - scores[1])
            margin = gap if margin is None else min(margin, gap)
    return margin


def _status(error: Any) -> int:
    code = error.get("code") or error.get("status") if isinstance(error, dict) else None
    return code if isinstance(code, int) and code in range(400, 600) else _SERVER_ERROR
