"""A completion by one model: passed through, with budget, breaker and egress ledger, and nothing stored."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, field

from starlette.responses import Response, StreamingResponse

from auritas.app.compose import Auritas
from auritas.kernel.errors import AuritasError, NotFoundError
from auritas.kernel.model import Finished, FinishReason, ModelCard, Part, Prefill, Prompt, Text, ToolCall
from auritas.server.openai.council import unknown
from auritas.server.openai.problems import UnsupportedError, problem
from auritas.server.openai.replies import HEARTBEAT, Head, Reason, broken
from auritas.server.openai.requests import ChatRequest, params_of
from auritas.server.streams import HEADERS

_DIGEST = 12
_REASONS: dict[FinishReason, Reason] = {
    FinishReason.LENGTH: "length",
    FinishReason.DEADLINE: "length",
    FinishReason.FILTERED: "content_filter",
}


@dataclass
class Heard:
    """A reply while it arrives."""

    card: ModelCard
    ignored: tuple[str, ...]
    text: list[str] = field(default_factory=list)
    calls: list[ToolCall] = field(default_factory=list)
    end: Finished | None = None

    def take(self, part: Part) -> None:
        """Note a part."""
        match part:
            case Text():
                self.text.append(part.text)
            case ToolCall():
                self.calls.append(part)
            case Finished():
                self.end = part

    @property
    def finished(self) -> Finished:
        """How it ended; the gateway ends every reply that does not raise."""
        assert self.end is not None  # noqa: S101  see `ModelPort.answer`
        return self.end

    @property
    def reason(self) -> Reason:
        """Why it ended, in OpenAI's words."""
        return "tool_calls" if self.calls else _REASONS.get(self.finished.reason, "stop")

    @property
    def fingerprint(self) -> str:
        """Engine and weights, as far as they are known: the same ones give the same reply to the same seed."""
        made_by = self.finished.provenance
        return f"{made_by.engine or self.card.provider}-{(made_by.model_digest or self.card.digest)[:_DIGEST]}"

    @property
    def about(self) -> dict[str, object]:
        """What Auritas adds."""
        about: dict[str, object] = {"cost_micros": self.finished.usage.cost_micros}
        return about | ({"ignored": self.ignored} if self.ignored else {})


async def complete(mine: Auritas, wanted: ChatRequest, head: Head) -> Response:
    """Answer with the completion of the model that is named. Raises what `SingleModels` raises."""
    card = await _card(mine, wanted.model)
    params, prompt = params_of(wanted, card), Prompt(wanted.conversation())
    if any(message.images for message in prompt.messages) and not card.sees:
        raise UnsupportedError(
            f"{card.name} does not see pictures.",
            param="messages",
            remedy="Name a model that was added as one that sees.",
        )
    parts = mine.single.answer(card.name, prompt, params)
    heard = Heard(card, wanted.ignored(card.tools))
    if wanted.stream:
        # What cannot be asked at all is told by a status: so the first part is awaited before anything is sent.
        first = await anext(parts)
        return StreamingResponse(_stream(parts, first, heard, head), media_type="text/event-stream", headers=HEADERS)
    async with aclosing(parts) as following:
        async for part in following:
            heard.take(part)
    body = head.whole(
        "".join(heard.text),
        heard.finished.usage,
        heard.reason,
        fingerprint=heard.fingerprint,
        calls=heard.calls,
        about=heard.about,
    )
    return Response(body, media_type="application/json")


async def _card(mine: Auritas, name: str) -> ModelCard:
    try:
        return await mine.single.card(name)
    except NotFoundError:
        raise unknown(name, [card.name for card in await mine.single.cards()]) from None


async def _stream(
    parts: AsyncGenerator[Part, None], first: Part, heard: Heard, head: Head
) -> AsyncGenerator[bytes, None]:
    async with aclosing(parts):
        yield head.begin()
        part: Part | None = first
        try:
            while part is not None:
                yield _chunk(heard, part, head)
                part = await anext(parts, None)
        except AuritasError as error:
            yield broken(problem(error))
            return
    yield head.end(heard.finished.usage, heard.reason, fingerprint=heard.fingerprint, about=heard.about)


def _chunk(heard: Heard, part: Part, head: Head) -> bytes:
    heard.take(part)
    match part:
        case Text():
            return head.text(part.text)
        case ToolCall():
            return head.call(len(heard.calls) - 1, part)
        case Prefill():
            return HEARTBEAT
        case _:
            return b""
