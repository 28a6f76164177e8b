"""One reply while it is being written: the engine's chunks in, our parts out. Everything here is plain data."""

from collections.abc import Mapping, Sequence
from typing import Any

from auritas.gateway.adapters.engine_grammar import grammar, grammar_digest
from auritas.gateway.adapters.engine_margin import Choice, free_margin, schema_margin
from auritas.gateway.embedded_prompt import stable_beginning
from auritas.kernel.errors import RefusedError, UnavailableError
from auritas.kernel.model import Finished, FinishReason, Params, Part, Prefill, Prompt, Provenance, Text, Usage

_RIVALS = 10
"""Likeliest tokens asked for at each place: enough to see all values of a small enumeration."""


class PromptTooLongError(RefusedError):
    """The prompt does not fit into the model's window."""

    code = "prompt_too_long"

    def __init__(self, tokens: int, window: int) -> None:
        super().__init__(
            f"The prompt has {tokens} tokens and the model's window holds {window}.",
            remedy="Ask something shorter, or start a new conversation.",
        )


class EngineError(UnavailableError):
    """The engine gave up on a request."""

    code = "engine_failed"

    def __init__(self, said: str) -> None:
        super().__init__(f"The engine reported: {said}", remedy="Ask again; auritas doctor checks the models.")


def beginning(prompt: Prompt) -> dict[str, Any] | None:
    """Return the body that has the stable beginning of a prompt read and nothing written, or None if it has none."""
    stable = stable_beginning(prompt)
    return request(stable, Params(max_tokens=1)) if stable else None


def request(prompt: Prompt, params: Params) -> dict[str, Any]:
    """Return the body that asks the engine for a streamed reply."""
    body: dict[str, Any] = {
        "messages": [{"role": message.role.value, "content": message.content} for message in prompt.messages],
        "stream": True,
        "return_progress": True,  # without it nothing is heard, and nothing can be stopped, before the first token
        "cache_prompt": True,
        "max_tokens": params.max_tokens,
        "temperature": params.temperature,
    }
    if params.seed is not None:
        body["seed"] = params.seed
    if params.stop:
        body["stop"] = list(params.stop)
    if params.schema is not None:
        body["grammar"] = grammar(params.schema)
    if params.logprobs:
        body |= {"logprobs": True, "top_logprobs": _RIVALS}
    return body


class Reply:
    """Translates the chunks of one reply and keeps count. Written by one thread, read by another at the end."""

    def __init__(self, params: Params, model_digest: str) -> None:
        self.engine = ""
        self._params = params
        self._model_digest = model_digest
        self._choices: list[Choice] = []
        self._finish: str | None = None
        self._tokens_in = 0
        self._tokens_out = 0

    def take(self, chunk: Mapping[str, Any]) -> tuple[Part, ...]:
        """Return the parts that a chunk carries. Raises PromptTooLongError or EngineError if it carries an error."""
        if "error" in chunk:
            raise _error(chunk["error"])
        if timings := chunk.get("timings"):
            self._tokens_in = int(timings["cache_n"] + timings["prompt_n"])
            self._tokens_out = int(timings["predicted_n"])
        if progress := chunk.get("prompt_progress"):
            self._tokens_in = int(progress["total"])
            return (Prefill(int(progress["processed"]), int(progress["total"])),)
        return tuple(Text(text) for choice in chunk.get("choices", ()) if (text := self._read(choice)))

    def finished(self, first_token_ms: float | None, total_ms: float, reason: FinishReason | None = None) -> Finished:
        """Return the last part. reason: why we stopped it; without one the engine's own reason counts."""
        own = FinishReason.LENGTH if self._finish == "length" else FinishReason.STOP
        return Finished(
            reason or own,
            Usage(self._tokens_in, self._tokens_out, 0, first_token_ms, total_ms),
            self._provenance(),
            self._margin() if self._params.logprobs else None,
        )

    def _read(self, choice: Mapping[str, Any]) -> str:
        self._finish = choice.get("finish_reason") or self._finish
        logprobs = (choice.get("logprobs") or {}).get("content") or ()
        self._choices += [_choice(entry) for entry in logprobs]
        text = (choice.get("delta") or {}).get("content") or ""
        self._tokens_out += bool(text)
        return str(text)

    def _provenance(self) -> Provenance:
        schema = self._params.schema
        digest = grammar_digest(grammar(schema)) if schema is not None else ""
        return Provenance(self.engine, self._model_digest, self._params.seed, self._params.temperature, digest)

    def _margin(self) -> float | None:
        if self._params.schema is None:
            return free_margin(self._choices)
        return schema_margin(self._choices, self._params.schema)


def _choice(entry: Mapping[str, Any]) -> Choice:
    rivals: Sequence[Mapping[str, Any]] = entry.get("top_logprobs") or ()
    pairs = tuple((str(rival["token"]), float(rival["logprob"])) for rival in rivals)
    return Choice(str(entry["token"]), float(entry["logprob"]), pairs)


def _error(error: Any) -> PromptTooLongError | EngineError:
    if not isinstance(error, Mapping):
        return EngineError(str(error))
    if "context_size" in str(error.get("type", "")):
        return PromptTooLongError(int(error.get("n_prompt_tokens", 0)), int(error.get("n_ctx", 0)))
    return EngineError(str(error.get("message", error)))
