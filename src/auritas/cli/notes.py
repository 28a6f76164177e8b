"""`auritas notes` and `auritas recovery`: what models wrote down so that they can go on where you stopped."""

import asyncio
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from auritas.kernel.clock import timestamp
from auritas.kernel.text import counted

if TYPE_CHECKING:
    from auritas.app.compose import Auritas
    from auritas.app.notes import NoteView, PendingView
    from auritas.app.recovery import RecoveryView

notes = typer.Typer(no_args_is_help=True, help="See, make and stop the hand-off notes by which conversations resume.")
recovery = typer.Typer(no_args_is_help=True, help="See and make what each model knows of you in a new conversation.")

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
SeatName = Annotated[str, typer.Argument(help="A model, by its name in the council.")]


class When(StrEnum):
    """When notes are written by themselves."""

    AUTO = "auto"
    QUARTER_HOURLY = "15min"
    HOURLY = "hourly"
    MANUAL = "manual"


def register(app: typer.Typer) -> None:
    """Add the commands to the tree."""
    app.add_typer(notes, name="notes")
    app.add_typer(recovery, name="recovery")


@notes.command("list", epilog="Example: auritas notes list --json")
def list_(
    conversation: Annotated[str | None, typer.Argument(help="Id of a conversation; all of them without one.")] = None,
    *,
    as_json: AsJson = False,
) -> None:
    """List notes, newest first, and those that wait to be written."""
    from auritas.cli.screen import print_json
    from auritas.cli.session import opened

    with opened() as auritas:
        written, waiting = auritas.notes.list(conversation), auritas.notes.pending()
    if as_json:
        print_json({"notes": [_note(view) for view in written], "pending": [_pending(each) for each in waiting]})
        return
    _show_list(written, waiting)


@notes.command("show", epilog="Example: auritas notes show 01a2b3c4")
def show_note(
    note: Annotated[str | None, typer.Argument(help="Id of a note; the newest without one.")] = None,
    *,
    as_json: AsJson = False,
) -> None:
    """Show one note as its model is given it."""
    from auritas.cli.session import opened

    with opened() as auritas:
        view = auritas.notes.show(note)
    _show(view, as_json=as_json)


@notes.command(epilog="Example: auritas notes make --seat qwen2.5-coder-1.5b")
def make(
    conversation: Annotated[str | None, typer.Argument(help="Id of a conversation; the newest without one.")] = None,
    *,
    seat: Annotated[str | None, typer.Option("--seat", help="Who writes; else the local model that answered most.")] = (
        None
    ),
    as_json: AsJson = False,
) -> None:
    """Have a note written now. A model elsewhere is sent what was said since its last note."""
    from auritas.cli.session import opened

    with opened() as auritas:
        made = asyncio.run(_closing(auritas, auritas.notes.make(conversation, seat)))
        view = auritas.notes.show(made.id)
    _show(view, as_json=as_json)


@notes.command(epilog="Example: auritas notes on hourly")
def on(when: Annotated[When, typer.Argument(help="When notes are written by themselves.")] = When.AUTO) -> None:
    """Let notes be written; `manual` only by hand. They are used when a conversation is resumed."""
    _set(when.value)


@notes.command(epilog="Example: auritas notes off")
def off() -> None:
    """Write no notes and use none; those that stand stay."""
    _set("off")


@recovery.command(epilog="Example: auritas recovery show qwen2.5-coder-1.5b")
def show(
    seat: Annotated[str | None, typer.Argument(help="A model, by its name in the council; all without one.")] = None,
    *,
    as_json: AsJson = False,
) -> None:
    """Show what a model is told of you in a new conversation, or how all of them stand."""
    from auritas.cli.screen import print_json
    from auritas.cli.session import opened

    with opened() as auritas:
        views = auritas.recovery.list() if seat is None else (auritas.recovery.show(seat),)
    if as_json:
        print_json({"recovery": [_recovery(view) for view in views]})
        return
    _show_recovery(views, whole=seat is not None)


@recovery.command("make", epilog="Example: auritas recovery make qwen2.5-coder-1.5b")
def make_recovery(seat: SeatName, *, as_json: AsJson = False) -> None:
    """Have a model write now what it is told of you in a new conversation."""
    from auritas.cli.screen import print_json
    from auritas.cli.session import opened

    with opened() as auritas:
        asyncio.run(_closing(auritas, auritas.recovery.make(seat)))
        view = auritas.recovery.show(seat)
    if as_json:
        print_json(_recovery(view))
    else:
        _show_recovery((view,), whole=True)


async def _closing(auritas: "Auritas", work: Any) -> Any:
    try:
        return await work
    finally:
        await auritas.aclose()


def _set(value: str) -> None:
    from auritas.app.compose import change_setting
    from auritas.app.settings import explain
    from auritas.cli.screen import out, plain
    from auritas.cli.session import ask_passphrase

    now = change_setting("notes", value, ask_passphrase)
    out.print(plain(f"notes = {now}"))
    out.print(plain(explain("notes"), "dim"))


def _show_list(written: "tuple[NoteView, ...]", waiting: "tuple[PendingView, ...]") -> None:
    from rich.padding import Padding

    from auritas.cli.screen import brief, out, plain

    if not written and not waiting:
        out.print(plain("There is no note yet. Make one with: auritas notes make"))
    for view in written:
        out.print(plain(_line(view), "dim"))
        out.print(Padding(brief(view.title, 76), (0, 0, 0, 2)))
    for each in waiting:
        why = "" if each.may_write else ", not by itself: see notes and notes_elsewhere in auritas config explain"
        order = each.order
        out.print(plain(f"waiting, due {order.since:%Y-%m-%d %H:%M} UTC  {order.seat}  {order.trigger}{why}", "dim"))
        out.print(Padding(brief(each.title, 76), (0, 0, 0, 2)))


def _show(view: "NoteView", *, as_json: bool) -> None:
    from auritas.cli.screen import out, plain, print_json

    if as_json:
        print_json(_note(view))
        return
    out.print(plain(view.title, "bold"))
    out.print(plain(_line(view), "dim"))
    out.print(plain(view.note.text))


def _line(view: "NoteView") -> str:
    note = view.note
    state = "covers everything" if view.valid else "newer messages came after it"
    size = counted(note.tokens, "token")
    return f"{note.created_at:%Y-%m-%d %H:%M} UTC  {note.id}  {note.seat}  {note.trigger}  {size}, {state}"


def _show_recovery(views: "tuple[RecoveryView, ...]", *, whole: bool) -> None:
    from auritas.cli.screen import out, plain

    if not views:
        out.print(plain("Nobody sits in the council yet. Try: auritas models get standard"))
    for view in views:
        if view.prompt is None:
            out.print(plain(f"{view.seat}: nothing written yet. Try: auritas recovery make {view.seat}"))
            continue
        state = "stale: not used until it is written anew" if view.stale else "in use"
        out.print(plain(f"{view.seat}: written {view.prompt.generated_at:%Y-%m-%d %H:%M} UTC, {state}", "dim"))
        if whole:
            out.print(plain(view.prompt.text))


def _note(view: "NoteView") -> dict[str, Any]:
    note = view.note
    return {
        "id": note.id,
        "conversation_id": note.conversation_id,
        "title": view.title,
        "seat": note.seat,
        "trigger": note.trigger,
        "thread_number": note.thread_number,
        "covers_seq": note.covers_seq,
        "valid": view.valid,
        "tokens": note.tokens,
        "created_at": timestamp(note.created_at),
        "text": note.text,
    }


def _pending(view: "PendingView") -> dict[str, Any]:
    order = view.order
    return {
        "conversation_id": order.conversation_id,
        "title": view.title,
        "seat": order.seat,
        "trigger": order.trigger,
        "since": timestamp(order.since),
        "may_write": view.may_write,
    }


def _recovery(view: "RecoveryView") -> dict[str, Any]:
    prompt = view.prompt
    return {
        "seat": view.seat,
        "local": view.local,
        "stale": view.stale,
        "generated_at": timestamp(prompt.generated_at) if prompt else None,
        "text": prompt.text if prompt else None,
    }
