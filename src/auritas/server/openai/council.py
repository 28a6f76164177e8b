"""A completion by the council: the question runs like one from the page, and only what was chosen is sent."""

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import asdict
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.responses import Response, StreamingResponse

from auritas import __version__
from auritas.app.chatting import Chat, Replied, chat_of
from auritas.app.compose import Auritas
from auritas.app.run_errors import BusyError
from auritas.app.runs import Run, RunDesk
from auritas.app.wishes import Wishes
from auritas.kernel.answers import AccuracyLevel, AskResult
from auritas.kernel.errors import AuritasError, NotFoundError, nearest
from auritas.kernel.events import AskFinished, Event
from auritas.server.following import Following
from auritas.server.openai.pictures import require_few
from auritas.server.openai.problems import UnsupportedError, problem
from auritas.server.openai.replies import HEARTBEAT, About, Head, broken
from auritas.server.openai.requests import ChatRequest
from auritas.server.streams import HEADERS

PREFIX = "auritas/"
LEVELS = {f"{PREFIX}{level.value}": level for level in AccuracyLevel}
FINGERPRINT = f"auritas-{__version__}"
_SET_BY_THE_COUNCIL = ("temperature", "seed", "max_tokens", "max_completion_tokens", "stop")


class NoLevelError(NotFoundError):
    """The council has no such level."""

    code = "model_missing"


def unknown(model: str, single: Sequence[str]) -> NoLevelError:
    """Return the error that names what can be asked: the council's levels first, then `single`, the models alone."""
    known = [*LEVELS, *single]
    hint = nearest(model, known) or f"Known: {', '.join(known)}."
    return NoLevelError(f"There is no model named {model!r}.", remedy=f"{hint} GET /v1/models lists them.")


def level_of(model: str) -> AccuracyLevel:
    """Return the level that a model's name stands for. Raises NoLevelError."""
    if model not in LEVELS:
        hint = nearest(model, list(LEVELS)) or f"There are {', '.join(LEVELS)}."
        raise NoLevelError(f"There is no model named {model!r}.", remedy=hint)
    return LEVELS[model]


async def complete(mine: Auritas, desk: RunDesk, wanted: ChatRequest, head: Head, *, remember: bool) -> Response:
    """Answer with what the council chooses. remember: whether what the last message corrects may be stored."""
    level = level_of(wanted.model)
    _require_possible(wanted)
    chat = chat_of(wanted.conversation())
    require_few(chat.images, len(wanted.messages) - 1)
    run = await _with_pictures(
        mine, chat, lambda ids: _start(mine, desk, chat, level, Wishes(attachments=ids, remember=remember))
    )
    following, ignored = Following(desk, run, mine.clock), _ignored(wanted)
    if wanted.stream:
        stream = _stream(following, head, ignored)
        return StreamingResponse(stream, media_type="text/event-stream", headers=HEADERS)
    replied = await following.end()
    about = _about(replied, ignored)
    body = head.whole(replied.text, replied.usage, "stop", fingerprint=FINGERPRINT, about=about)
    return Response(body, media_type="application/json")


def _require_possible(wanted: ChatRequest) -> None:
    wanted.single()
    if wanted.calls_tools:
        raise UnsupportedError(
            "The council calls no tools.", param="tools", remedy="Name a single model that takes them; see /v1/models."
        )
    if wanted.response_format is not None and wanted.response_format.type != "text":
        raise UnsupportedError(
            "The council answers in words.",
            param="response_format",
            remedy="Name a single model for an answer in a form; see /v1/models.",
        )


def _ignored(wanted: ChatRequest) -> tuple[str, ...]:
    own = tuple(name for name in _SET_BY_THE_COUNCIL if getattr(wanted, name) is not None)
    return own + wanted.ignored(taken=False)


def _start(mine: Auritas, desk: RunDesk, chat: Chat, level: AccuracyLevel, wishes: Wishes) -> Run:
    async def after(last: Sequence[object]) -> None:
        finished = last[-1] if last else None
        await mine.afterwards(finished.result if isinstance(finished, AskFinished) else None)

    return desk.start("ask", chat.question, lambda: _chatting(mine, chat, level, wishes), after=after)


async def _chatting(mine: Auritas, chat: Chat, level: AccuracyLevel, wishes: Wishes) -> AsyncGenerator[Event, None]:
    """Answer a chat; pictures of which nothing came do not stay."""
    try:
        async with aclosing(mine.chatting(chat, level=level, wishes=wishes)) as events:
            async for event in events:
                yield event
    finally:
        if wishes.attachments:
            await run_in_threadpool(mine.attachments.drop_waiting, wishes.attachments)


async def _with_pictures(mine: Auritas, chat: Chat, start: Callable[[tuple[str, ...]], Run]) -> Run:
    """Attach the pictures of a question as a page does, and start it; they do not stay where it cannot begin."""
    if not chat.images:
        return start(())
    attached = await run_in_threadpool(mine.attachments.add_pictures, chat.images)
    try:
        return start(attached)
    except BusyError:
        await run_in_threadpool(mine.attachments.drop_waiting, attached)
        raise


def _about(replied: Replied, ignored: tuple[str, ...]) -> Mapping[str, Any]:
    """Return what Auritas adds to the reply."""
    about = About(
        query_id=replied.query_id,
        conversation_id=replied.conversation_id,
        why_url=f"/api/v1/questions/{replied.query_id}/why" if replied.query_id else None,
        remembered=tuple(each.id for each in replied.remembered),
        proposed=tuple(each.id for each in replied.proposed),
        notices=tuple(notice.text for notice in replied.notices),
        ignored=ignored,
        **(_decided(replied.result) if replied.result else {}),
    )
    return asdict(about)


def _decided(result: AskResult) -> dict[str, Any]:
    decision = result.decision
    answered = [answer for answer in result.answers if answer.votes]
    agree = len(decision.winner.supporters) if decision.winner else 0
    return {
        "confidence": decision.confidence.label.value,
        "basis": decision.confidence.basis,
        "p": decision.confidence.p,
        "agreement": f"{agree} of {len(answered)}",
        "effective_votes": decision.effective_votes,
        "cost_micros": result.cost_micros,
    }


async def _stream(following: Following, head: Head, ignored: tuple[str, ...]) -> AsyncGenerator[bytes, None]:
    yield head.begin()
    try:
        async with aclosing(following.beats()) as beats:
            async for _ in beats:
                yield HEARTBEAT
    except AuritasError as error:
        yield broken(problem(error))
        return
    replied = following.replied
    yield head.text(replied.text)
    yield head.end(replied.usage, "stop", fingerprint=FINGERPRINT, about=_about(replied, ignored))
