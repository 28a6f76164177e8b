"""A chat completion as it is sent: whole, or in chunks."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from auritas.kernel.model import ToolCall, Usage

HEARTBEAT = b": \n\n"
DONE = b"data: [DONE]\n\n"

Reason = Literal["stop", "length", "tool_calls", "content_filter"]


@dataclass(frozen=True, slots=True)
class UsageView:
    """Tokens read and written."""

    prompt_tokens: int
    completion_tokens: int
    total_tokens: int


@dataclass(frozen=True, slots=True)
class FunctionView:
    """A function that the model asks for. arguments: JSON, as the model wrote it."""

    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class CallView:
    """A tool that the model asks for."""

    id: str
    function: FunctionView
    type: Literal["function"] = "function"


@dataclass(frozen=True, slots=True)
class MessageView:
    """The reply."""

    role: Literal["assistant"]
    content: str | None
    tool_calls: tuple[CallView, ...] | None = None
    refusal: str | None = None


@dataclass(frozen=True, slots=True)
class ChoiceView:
    """The reply and why it ended."""

    index: int
    message: MessageView
    finish_reason: Reason
    logprobs: None = None


@dataclass(frozen=True, slots=True)
class About:
    """What Auritas adds to a reply, which clients of OpenAI ignore.

    confidence: High, Medium or Uncertain, from what `basis` says. p: a probability, only where grades have calibrated
    it. agreement: how many of the members that answered say the same. why_url: the stored reasons. ignored: fields of
    the request that changed nothing. cost_micros: millionths of the currency unit.
    """

    query_id: str | None = None
    conversation_id: str | None = None
    confidence: str | None = None
    basis: str | None = None
    p: float | None = None
    agreement: str | None = None
    effective_votes: float | None = None
    why_url: str | None = None
    remembered: tuple[str, ...] = ()
    proposed: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    cost_micros: int = 0


@dataclass(frozen=True, slots=True)
class Completion:
    """A chat completion."""

    id: str
    object: Literal["chat.completion"]
    created: int
    model: str
    choices: tuple[ChoiceView, ...]
    usage: UsageView
    system_fingerprint: str
    auritas: About | None = None


@dataclass(frozen=True, slots=True)
class Head:
    """What every part of one completion repeats."""

    id: str
    created: int
    model: str
    usage: bool = False
    """Whether the stream ends with what the reply took."""

    def whole(
        self,
        text: str,
        usage: Usage,
        reason: Reason,
        *,
        fingerprint: str,
        calls: Sequence[ToolCall] = (),
        about: Mapping[str, Any] | None = None,
    ) -> bytes:
        """Return the whole completion."""
        message: dict[str, Any] = {"role": "assistant", "content": None if calls and not text else text}
        if calls:
            message["tool_calls"] = [_call(each) for each in calls]
        choice = {"index": 0, "message": message, "finish_reason": reason, "logprobs": None}
        body = {**self._head("chat.completion", fingerprint), "choices": [choice], "usage": tokens(usage)}
        return _json(body | ({"auritas": about} if about else {}))

    def chunk(
        self,
        delta: Mapping[str, Any],
        *,
        reason: Reason | None = None,
        fingerprint: str = "",
        about: Mapping[str, Any] | None = None,
    ) -> bytes:
        """Return a piece of the completion as a server-sent event."""
        body = self._head("chat.completion.chunk", fingerprint)
        body["choices"] = [{"index": 0, "delta": delta, "finish_reason": reason, "logprobs": None}]
        if self.usage:
            body["usage"] = None
        return _event(body | ({"auritas": about} if about else {}))

    def begin(self) -> bytes:
        """Return the chunk that says who speaks."""
        return self.chunk({"role": "assistant", "content": ""})

    def text(self, text: str) -> bytes:
        """Return a chunk of text."""
        return self.chunk({"content": text})

    def call(self, at: int, call: ToolCall) -> bytes:
        """Return the chunk of one call, whole."""
        return self.chunk({"tool_calls": [{"index": at, **_call(call)}]})

    def end(self, usage: Usage, reason: Reason, *, fingerprint: str, about: Mapping[str, Any] | None = None) -> bytes:
        """Return the last chunk, the usage where it was asked for, and the mark of the end."""
        last = self.chunk({}, reason=reason, fingerprint=fingerprint, about=about)
        if not self.usage:
            return last + DONE
        body = {**self._head("chat.completion.chunk", fingerprint), "choices": [], "usage": tokens(usage)}
        return last + _event(body) + DONE

    def _head(self, kind: str, fingerprint: str) -> dict[str, Any]:
        head = {"id": self.id, "object": kind, "created": self.created, "model": self.model}
        return head | ({"system_fingerprint": fingerprint} if fingerprint else {})


def broken(body: Mapping[str, Any]) -> bytes:
    """Return what ends a stream whose reply failed in the middle."""
    return _event(body) + DONE


def tokens(usage: Usage) -> dict[str, int]:
    """Return what a reply took."""
    return {
        "prompt_tokens": usage.tokens_in,
        "completion_tokens": usage.tokens_out,
        "total_tokens": usage.tokens_in + usage.tokens_out,
    }


def _call(call: ToolCall) -> dict[str, Any]:
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}


def _event(body: Mapping[str, Any]) -> bytes:
    return b"data: " + _json(body) + b"\n\n"


def _json(body: Mapping[str, Any]) -> bytes:
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode(errors="replace")
