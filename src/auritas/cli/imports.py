"""`auritas import`: conversations that were held elsewhere."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from auritas.kernel.text import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from auritas.app.imports import LeftOut, Tally

_FILES_SHOWN = 5


def register(root: typer.Typer) -> None:
    """Add the command to the tree."""
    root.command("import", epilog="Example: auritas import ~/Downloads/chatgpt-export.zip")(bring)


def bring(
    file: Annotated[Path, typer.Argument(help="conversations.json, or the .zip that holds it.")],
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Import conversations from ChatGPT, Claude or auritas; run it again with a newer export to add what is new."""
    from auritas.app.imports import Tally
    from auritas.cli.screen import bytes_bar, count_bar, err, plain, print_json
    from auritas.cli.session import opened

    tally = Tally()
    try:
        with opened() as auritas:
            with bytes_bar("Import") as update:
                for step in auritas.imports.run(file.expanduser()):
                    tally = step.tally
                    update(counted(tally.conversations + tally.continued, "conversation"), step.done, step.total)
            # What was read in is looked for next; left to the searches it would take many of them.
            with count_bar("Index") as update:
                auritas.indexing.catch_up_words(progress=lambda far: update("conversations", far.done, far.total))
    except KeyboardInterrupt:
        err.print(plain(f"Stopped. {_landed(tally)} What is there stays; the same command goes on."))
        raise
    if as_json:
        print_json(_document(tally))
    else:
        _show(tally)


def _landed(tally: "Tally") -> str:
    parts = [f"{counted(tally.conversations, 'new conversation')} and {counted(tally.messages, 'new message')}"]
    parts += [f"{counted(tally.continued, 'conversation')} continued"] if tally.continued else []
    return f"Imported {', '.join(parts)}."


def _show(tally: "Tally") -> None:
    from auritas.cli.screen import err, out, plain

    out.print(plain(_landed(tally)))
    if tally.known:
        out.print(plain(f"{counted(tally.known, 'conversation')} had nothing new."))
    if tally.empty:
        out.print(plain(f"{counted(tally.empty, 'conversation')} held no words and was left out."))
    for line in _left_out(tally.left_out):
        out.print(plain(line, "dim"))
    if tally.ignored_files:
        more = f" and {len(tally.ignored_files) - _FILES_SHOWN} more" if len(tally.ignored_files) > _FILES_SHOWN else ""
        out.print(plain(f"Not read: {', '.join(tally.ignored_files[:_FILES_SHOWN])}{more}.", "dim"))
    for damaged in tally.damaged:
        err.print(plain(f"Entry {damaged.index + 1} was left out: {damaged.reason}.", "yellow"))
    if tally.failed > len(tally.damaged):
        err.print(plain(f"… and {tally.failed - len(tally.damaged)} more.", "yellow"))
    if tally.cut_off:
        rest = "What came before is imported; get a whole file and run the same command again."
        err.print(plain(f"The file could not be read to its end: {tally.cut_off}. {rest}", "yellow"))
    if tally.conversations or tally.continued:
        out.print(plain("See them: auritas conversations list", "dim"))


def _left_out(left: "LeftOut") -> "Iterator[str]":
    if left.other_branches:
        yield f"Left out: {counted(left.other_branches, 'message')} of versions that were edited away."
    if left.inner:
        yield f"Left out: {counted(left.inner, 'message')} of tools and of the system."
    if left.empty:
        yield f"Left out: {counted(left.empty, 'message')} without words."


def _document(tally: "Tally") -> dict[str, object]:
    left = tally.left_out
    return {
        "conversations": tally.conversations,
        "messages": tally.messages,
        "continued": tally.continued,
        "known": tally.known,
        "empty": tally.empty,
        "left_out": {"other_branches": left.other_branches, "inner": left.inner, "empty": left.empty},
        "failed": tally.failed,
        "damaged": [{"index": each.index, "reason": each.reason} for each in tally.damaged],
        "cut_off": tally.cut_off or None,
        "ignored_files": list(tally.ignored_files),
    }
