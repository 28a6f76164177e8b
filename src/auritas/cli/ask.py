"""`auritas ask`: one question, answered side by side."""

import asyncio
import sys
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from auritas.cli.attach import Asking, asked_there
from auritas.cli.hints import hint
from auritas.cli.levels import Level
from auritas.cli.turn import Turn, show_cut_short, tell_remembered
from auritas.kernel.answers import AccuracyLevel
from auritas.kernel.errors import UnavailableError, UsageError
from auritas.kernel.events import Event, Notice, Remembered
from auritas.kernel.trace import Section

if TYPE_CHECKING:
    from auritas.app.compose import Auritas


def register(app: typer.Typer) -> None:
    """Add the command to the tree."""
    app.command(epilog='Example: auritas ask --level high "What is the capital of Australia?"')(ask)


def ask(
    question: Annotated[
        list[str] | None, typer.Argument(help="The question; - or nothing reads standard input.")
    ] = None,
    *,
    level: Level = None,
    conversation: Annotated[
        str | None, typer.Option("--in", help="Id or title of a conversation to go on with.")
    ] = None,
    why: Annotated[bool, typer.Option("--why", help="Show the whole trace in its five sections.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> int:
    """Ask the council one question and see who said what, how sure it is, and why."""
    from auritas.app.settings import load
    from auritas.cli.session import opened

    text, settings = _text(question or []), load()
    chosen = AccuracyLevel(level) if level else settings.level
    if conversation is None:  # its title is looked up in the store
        told = asyncio.run(_through_the_server(settings.home, text, chosen, why=why, as_json=as_json))
        if told is not None:
            return told.exit_code
    with opened() as auritas:
        goes_on = auritas.conversations.named(conversation).id if conversation is not None else None
        asking = Asking(auritas)
        events = asking.ask(text, level=chosen, conversation_id=goes_on)

        def show(turn: Turn) -> None:
            _show(turn, as_json=as_json)
            if why and turn.result and not as_json:
                _show_why(auritas.why(turn.result.trace_id))

        turn = asyncio.run(follow(auritas, asking, events, show, live=not as_json))
    return turn.exit_code


async def _through_the_server(home: Path, text: str, level: AccuracyLevel, *, why: bool, as_json: bool) -> Turn | None:
    """Ask the server that runs and show what it says; None where none takes the question."""
    from auritas.app.attaching import reasons_there

    events = await asked_there(home, text, level=level)
    if events is None:
        return None
    turn = Turn()
    await watch(events, turn, live=not as_json)
    _show(turn, as_json=as_json)
    if why and turn.result and not as_json:
        _show_why(await reasons_there(home, turn.result.trace_id))
    return turn


def _show(turn: Turn, *, as_json: bool) -> None:
    from auritas.cli.screen import print_json
    from auritas.cli.turn import show_turn, turn_document

    if as_json:
        print_json(turn_document(turn))
    else:
        show_turn(turn)


def _show_why(reasons: Sequence[Section]) -> None:
    from auritas.cli.report import as_sections
    from auritas.cli.screen import out

    out.print()
    out.print(as_sections(tuple(reasons)))


def _text(words: list[str]) -> str:
    text = " ".join(words)
    if text in {"", "-"}:
        if not text and sys.stdin.isatty():
            raise UsageError("There is no question.", remedy='Try: auritas ask "What is the capital of Australia?"')
        text = sys.stdin.read()
    return text


async def follow(
    auritas: "Auritas", asking: Asking, events: AsyncGenerator[Event, None], show: Callable[[Turn], None], *, live: bool
) -> Turn:
    """Show the events as they come, then what came of them, and return it. Cancelling this stops the models."""
    turn = Turn()
    try:
        await watch(events, turn, live=live)
        show(turn)
        await asking.afterwards(turn.result)
        return turn
    finally:
        await auritas.aclose()


async def watch(events: AsyncGenerator[Event, None], turn: Turn, *, live: bool, in_chat: bool = False) -> None:
    """Gather the events in `turn` and show them as they come, side by side where there is a terminal.

    What is remembered is told even when the question after it is stopped or fails.
    """
    from auritas.cli.screen import err, out

    try:
        if not (live and err.is_terminal):
            await _gather(events, turn, in_chat=in_chat)
            return
        from rich.live import Live

        from auritas.cli.board import Board

        board = Board(err.width)
        # The board is for watching: it leaves the screen when the answer takes its place.
        with Live(board, console=err, refresh_per_second=12, transient=True):

            def update(event: Event) -> None:
                board.update(event)
                if isinstance(event, Remembered) and out.is_terminal:
                    # Above the board, and by its console: another one would tear the picture.
                    tell_remembered(turn, err, in_chat=in_chat)

            await _gather(events, turn, update, in_chat=in_chat)
    except BaseException:
        if live:
            show_cut_short(turn, in_chat=in_chat)
        raise


async def _gather(
    events: AsyncGenerator[Event, None], turn: Turn, update: Callable[[Event], None] | None = None, *, in_chat: bool
) -> None:
    from auritas.cli.screen import err, plain

    async with aclosing(events) as following:  # what is left open ends with the event loop, and in no order
        async for event in following:
            turn.take(event)
            if isinstance(event, Notice):
                err.print(plain(hint(event.text, in_chat=in_chat), "yellow"))
            elif update:
                update(event)
            if turn.ended:
                return
    raise UnavailableError("The question ended without a result.", remedy="Try: auritas doctor")
