"""Recorded answers: a cassette records any run and plays it back exactly; a table serves answers for evaluation."""

import hashlib
import json
from collections import defaultdict
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import asdict
from pathlib import Path
from typing import Any

from auritas.gateway.errors import CassetteMismatch, FailureKind, ProviderFailed
from auritas.gateway.model import Purpose, Purposeful
from auritas.kernel.errors import AuritasError, UnavailableError, UsageError
from auritas.kernel.model import (
    Finished,
    FinishReason,
    ModelCard,
    Params,
    Part,
    Prefill,
    Price,
    Prompt,
    Provenance,
    Text,
    ToolCall,
    Usage,
)
from auritas.kernel.ports import ModelPort

PLAINTEXT = "This file is not encrypted: it holds every prompt and every answer in plain text."
_FORMAT = "auritas-cassette"
_VERSION = 1
_FILE_MODE = 0o600
_RECENT = frozenset({"tools", "tool_choice", "more"})


class Cassette:
    """A file of JSON lines: a header, the cards of the models, and one line per call in the order in which they ended.

    The same calls write the same bytes, so a recording of a replay is equal to the recording.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.warning = PLAINTEXT
        self._carded: set[str] = set()
        try:
            self.path.touch(_FILE_MODE, exist_ok=False)
        except FileExistsError:
            raise UsageError(f"{path} exists already.", remedy="Give another name for the recording.") from None
        self._write({"format": _FORMAT, "version": _VERSION, "warning": PLAINTEXT})

    def record(
        self, card: ModelCard, prompt: Prompt, params: Params, parts: Sequence[Part], error: AuritasError | None
    ) -> None:
        """Append one call."""
        if card.name not in self._carded:
            self._carded.add(card.name)
            self._write({"card": asdict(card)})
        self._write(
            {
                "model": card.name,
                "prompt": [[m.role.value, m.content] for m in prompt.messages],
                "params": _params(params),
                "parts": [_encoded(part) for part in parts],
                "error": None if error is None else _error(error),
            }
        )

    def _write(self, line: Mapping[str, Any]) -> None:
        with self.path.open("a", encoding="utf-8", errors="surrogatepass", newline="\n") as file:
            file.write(json.dumps(line, ensure_ascii=False, sort_keys=True, separators=(",", ":")) + "\n")


class RecordingModel:
    """Passes a model's answers on and writes each finished call to a cassette. A call that is closed early is not."""

    def __init__(self, model: ModelPort, cassette: Cassette) -> None:
        self._model = model
        self._cassette = cassette

    @property
    def card(self) -> ModelCard:
        return self._model.card

    def bound(self, purpose: Purpose) -> ModelPort:
        """Bind the recorded model, if it is one that sends something."""
        inner = self._model.bound(purpose) if isinstance(self._model, Purposeful) else self._model
        return RecordingModel(inner, self._cassette)

    async def answer(self, prompt: Prompt, params: Params) -> AsyncGenerator[Part, None]:
        parts: list[Part] = []
        failure: AuritasError | None = None
        try:
            async with aclosing(self._model.answer(prompt, params)) as stream:
                async for part in stream:
                    parts.append(part)
                    yield part
        except AuritasError as error:
            failure = error
        self._cassette.record(self.card, prompt, params, parts, failure)
        if failure is not None:
            raise failure


class ReplayModel:
    """Plays back the calls of one model. Equal questions get their recorded answers in the recorded order."""

    def __init__(self, card: ModelCard, calls: Iterable[Mapping[str, Any]]) -> None:
        self.card = card
        self._waiting: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
        for call in calls:
            self._waiting[_digest(call["prompt"], call["params"])].append(call)

    async def answer(self, prompt: Prompt, params: Params) -> AsyncGenerator[Part, None]:
        waiting = self._waiting[_digest([[m.role.value, m.content] for m in prompt.messages], _params(params))]
        if not waiting:
            raise CassetteMismatch(
                f"The cassette holds no further answer of {self.card.name} to this question.",
                remedy="Replay with the questions and settings of the recording, or record again.",
            )
        call = waiting.pop(0)
        for part in call["parts"]:
            yield _decoded(part)
        if call["error"] is not None:
            raise RecordedFailure(call["error"]) if "kind" in call["error"] else RecordedError(call["error"])


class RecordedError(UnavailableError):
    """An error from a cassette, with the code that it had."""

    def __init__(self, line: Mapping[str, Any]) -> None:
        super().__init__(str(line["message"]), remedy=str(line["remedy"]))
        self.code = str(line["code"])  # type: ignore[misc]  # the class's code is a default; here it was recorded


class RecordedFailure(ProviderFailed):
    """A failure from a cassette that may pass: the gateway retries it as it did when it was recorded."""

    def __init__(self, line: Mapping[str, Any]) -> None:
        kind = FailureKind(line["kind"])
        super().__init__(str(line["message"]), kind=kind, retry_after=line["retry_after"], remedy=str(line["remedy"]))
        self.code = str(line["code"])  # type: ignore[misc]  # as above


def load(path: Path) -> dict[str, ReplayModel]:
    """Return the models on a cassette, by name. Raises UsageError when the file is none."""
    try:
        with path.open(encoding="utf-8", errors="surrogatepass") as file:
            header, *lines = [json.loads(line) for line in file]
        _require_known(header)
        cards = [_card(line["card"]) for line in lines if "card" in line]
        return {c.name: ReplayModel(c, [line for line in lines if line.get("model") == c.name]) for c in cards}
    except OSError as error:
        raise UsageError(f"{path} cannot be read.", remedy="Check the path.") from error
    except (ValueError, KeyError, TypeError) as error:
        raise UsageError(f"{path} is not a cassette of this version.", remedy="Record it again.") from error


class TableModel:
    """Serves one model's column of a table of recorded answers: {id, question, answers: {model: text or null}}.

    A question is found by its text or by its id. A null is silence: an empty reply. A missing answer was never asked
    for and raises CassetteMismatch.
    """

    def __init__(self, name: str, rows: Iterable[Mapping[str, Any]], *, price: Price | None = None) -> None:
        self.card = ModelCard(name, "replay", local=True, digest=f"table:{name}", price=price or Price())
        self._answers: dict[str, str | None] = {}
        for row in rows:
            if name in row["answers"]:
                for key in (row.get("question"), row["id"]):
                    if key is not None:
                        self._answers[str(key)] = row["answers"][name]

    async def answer(self, prompt: Prompt, params: Params) -> AsyncGenerator[Part, None]:
        del params
        if prompt.question not in self._answers:
            raise CassetteMismatch(
                f"The table holds no answer of {self.card.name} to this question.",
                remedy="Ask a question of the table, or leave this model out.",
            )
        text = self._answers[prompt.question] or ""
        if text:
            yield Text(text)
        words_in, words_out = len(prompt.question.split()), len(text.split())
        usage = Usage(words_in, words_out, self.card.price.cost(words_in, words_out), first_token_ms=0.0)
        yield Finished(FinishReason.STOP, usage, Provenance(engine="replay", model_digest=self.card.digest))


def _params(params: Params) -> Mapping[str, Any]:
    # The deadline changes with every attempt and shapes no answer that finished. What was not asked for is left out, so
    # that older recordings still fit.
    told = {name: value for name, value in asdict(params).items() if name != "deadline_s"}
    return {name: value for name, value in told.items() if value or name not in _RECENT}


def _require_known(header: Mapping[str, Any]) -> None:
    if header["format"] != _FORMAT or header["version"] != _VERSION:
        raise ValueError(header)


def _error(error: AuritasError) -> Mapping[str, Any]:
    line: dict[str, Any] = {"code": error.code, "message": error.message, "remedy": error.remedy}
    if isinstance(error, ProviderFailed):
        line |= {"kind": error.kind.value, "retry_after": error.retry_after}
    return line


def _digest(prompt: Any, params: Any) -> str:
    return hashlib.sha256(json.dumps([prompt, params], sort_keys=True).encode()).hexdigest()


def _encoded(part: Part) -> Mapping[str, Any]:
    return {"part": type(part).__name__.lower(), **asdict(part)}


def _decoded(line: Mapping[str, Any]) -> Part:
    fields = {name: value for name, value in line.items() if name != "part"}
    match line["part"]:
        case "text":
            return Text(**fields)
        case "prefill":
            return Prefill(**fields)
        case "toolcall":
            return ToolCall(**fields)
        case _:
            usage, provenance = Usage(**fields.pop("usage")), Provenance(**fields.pop("provenance"))
            return Finished(FinishReason(fields.pop("reason")), usage, provenance, **fields)


def _card(line: Mapping[str, Any]) -> ModelCard:
    return ModelCard(**{**line, "price": Price(**line["price"])})
