"""Event streams: what has happened since, then what happens, until the reader leaves or the server stops."""

from collections.abc import AsyncGenerator

from starlette.responses import StreamingResponse

from auritas.app.readers import Reader
from auritas.app.runs import RunDesk, RunEnded
from auritas.server import wire

HEARTBEAT_S = 15.0
"""A comment is sent so often, so that a broken connection is noticed."""
_HEARTBEAT = b": \n\n"
_RETRY = b"retry: 1000\n\n"
HEADERS = {"cache-control": "no-store", "x-accel-buffering": "no"}


def after_of(header: str | None, query: int | None) -> int | None:
    """Return the last id a reader has seen; a page cannot set the header when it opens a stream anew."""
    if header is not None and header.isascii() and header.isdigit() and len(header) <= _DIGITS:
        return int(header)
    return query


_DIGITS = 18


def stream(desk: RunDesk, after: int | None, run_id: str | None = None) -> StreamingResponse:
    """Answer with the events of everything, or of one run, which then ends the stream."""
    return StreamingResponse(_events(desk, after, run_id), media_type="text/event-stream", headers=HEADERS)


async def _events(desk: RunDesk, after: int | None, run_id: str | None) -> AsyncGenerator[bytes, None]:
    reader = desk.join(run_id)
    try:
        # Looked at before the reader takes its time: what happens meanwhile waits in its queue, the end included.
        over = run_id is not None and not desk.goes_on(run_id)
        yield _RETRY + _begin(desk, after, run_id)
        if over:
            return
        while not reader.closed:
            await reader.wait(HEARTBEAT_S)
            yield _news(desk, reader, run_id)
            if reader.ended:
                return
    finally:
        desk.leave(reader)


def _begin(desk: RunDesk, after: int | None, run_id: str | None) -> bytes:
    """Return what was missed, or a snapshot where that cannot be told any more."""
    missed = None if after is None else desk.since(after, run_id)
    if missed is not None:
        return b"".join(wire.sse(frame) for frame in missed)
    return _snapshot(desk, run_id)


def _snapshot(desk: RunDesk, run_id: str | None) -> bytes:
    """Return what goes on; what has ended stands in its conversation, and would only make joining slow."""
    runs = [run for run in desk.runs() if (run.id == run_id if run_id else run.running)]
    return wire.snapshot(runs, desk.last_id)


def _news(desk: RunDesk, reader: Reader, run_id: str | None) -> bytes:
    if reader.lost:
        reader.take()
        # Its end may be among what was dropped, and nothing would come any more.
        reader.ended = run_id is not None and not desk.goes_on(run_id)
        return _snapshot(desk, run_id)
    frames = reader.take()
    if run_id is not None and any(isinstance(frame.event, RunEnded) for frame in frames):
        reader.ended = True
    return b"".join(wire.sse(frame) for frame in frames) or _HEARTBEAT
