"""`auritas audit`: verify the log, look at it, prove its entries to others, and have it witnessed."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from auritas.kernel.errors import VerificationError
from auritas.kernel.log import Kind

if TYPE_CHECKING:
    from auritas.app.audit import Checkpoint, Entry, Roots, VerifyReport

app = typer.Typer(no_args_is_help=True, help="Verify the audit log, prove its entries, and keep its roots elsewhere.")

_OTHER_COLUMNS = 70
"""Characters that the columns beside the refs of an entry take at most, about."""

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


@app.command(epilog="Example: auritas audit verify --head 1000:4e3b…64d4")
def verify(
    *,
    head: Annotated[
        list[str] | None,
        typer.Option("--head", help="A head you kept: size:root, or a checkpoint file. It must still be in the log."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check every entry, every column, the tree and all checkpoints; exit code 6 names the first bad entry."""
    from auritas.cli.screen import print_json
    from auritas.cli.session import opened

    with opened() as auritas, _bar("Verifying", auritas.audit.size()) as tick:
        report = auritas.audit.verify(head or (), tick)
    if as_json:
        print_json(_report_json(report))
    else:
        _print_report(report)
    if not report.ok:
        raise typer.Exit(VerificationError.exit_code)


@app.command(epilog="Example: auritas audit show --last 50 --kind egress   ·   auritas audit show 17")
def show(
    seq: Annotated[int | None, typer.Argument(help="One entry in full, by its number.")] = None,
    *,
    last: Annotated[int, typer.Option("--last", "-n", min=1, max=10_000, help="How many entries.")] = 20,
    kind: Annotated[Kind | None, typer.Option("--kind", help="Only entries of this kind.")] = None,
    trace: Annotated[str | None, typer.Option("--trace", help="Only entries of this trace.")] = None,
    before: Annotated[int | None, typer.Option("--before", help="Only entries before this number.")] = None,
    as_json: AsJson = False,
) -> None:
    """Show entries, the newest first, with how much stands behind each. Bodies are never shown here."""
    from auritas.cli.screen import print_json
    from auritas.cli.session import opened

    with opened() as auritas:
        if seq is not None:
            entry, checkpoint = auritas.audit.entry(seq)
            one = {**_entry_json(entry), "checkpoint": checkpoint and _checkpoint_json(checkpoint)}
            print_json(one) if as_json else _print_pairs(one)
            return
        page = auritas.audit.show(last, cursor=before, kind=kind, trace_id=trace)
    if as_json:
        print_json({"entries": [_entry_json(entry) for entry in page.entries], "next_cursor": page.next_cursor})
        return
    _print_entries(list(page.entries))
    if page.next_cursor is not None:
        _hint(f"Older entries: auritas audit show --before {page.next_cursor}")


@app.command(epilog="Example: auritas audit root --day 2026-01-31 > 2026-01-31.checkpoint")
def root(
    *,
    day: Annotated[
        datetime | None, typer.Option("--day", formats=["%Y-%m-%d"], help="Print the signed root of one day.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Print the head of the log and its latest 30 daily roots, to keep a copy of them elsewhere."""
    from auritas.cli.screen import print_json
    from auritas.cli.session import opened

    with opened() as auritas:
        if day is not None:
            checkpoint = auritas.audit.root_of(day.date())
            print_json(_checkpoint_json(checkpoint)) if as_json else typer.echo(checkpoint.note, nl=False)
            return
        roots = auritas.audit.root()
    if as_json:
        print_json(_roots_json(roots))
    else:
        _print_roots(roots)


@app.command(epilog="Example: auritas audit prove 17 > 17.tlog-proof")
def prove(seq: Annotated[int, typer.Argument(help="Number of the entry.")], *, as_json: AsJson = False) -> None:
    """Print a file that proves to anybody that an entry is in the log; a head is signed first if none covers it."""
    from auritas.cli.screen import print_json
    from auritas.cli.session import opened

    with opened() as auritas:
        proof = auritas.audit.prove(seq)
    if as_json:
        print_json({"seq": seq, "proof": proof.text, "key": proof.key, "level": proof.level})
        return
    typer.echo(proof.text, nl=False)
    _hint(f"Check it anywhere: auritas audit check {seq}.tlog-proof --key {proof.key}")


@app.command(epilog="Example: auritas audit check 17.tlog-proof --key auritas.invalid/…/audit/1+530d903a+AekyeR…")
def check(
    file: Annotated[Path, typer.Argument(help="A .tlog-proof file.")],
    *,
    key: Annotated[str, typer.Option("--key", help="Verifier key of the log, from `auritas audit root`.")],
    witness_key: Annotated[
        list[str] | None, typer.Option("--witness-key", help="Verifier key of a witness that must have signed too.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check a proof file against keys; nothing but the file is read, no store is opened."""
    from auritas.app.audit import check as check_file
    from auritas.cli.screen import plain, print_json

    proven = check_file(file, key, witness_key or ())
    found = {
        "ok": True,
        "origin": proven.origin,
        "index": proven.index,
        "size": proven.size,
        "root": proven.root.hex(),
        "signed_by": list(proven.signed_by),
        "entry": proven.entry.decode(),
    }
    if as_json:
        print_json(found)
        return
    _say(plain("ok", "bold green"), f"entry {proven.index} is among the first {proven.size:,} of {proven.origin}")
    _print_pairs({name: found[name] for name in ("root", "signed_by", "entry")})


@app.command(epilog="Example: auritas audit export log-copy")
def export(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="An empty or new folder, or an older export.")],
    *,
    as_json: AsJson = False,
) -> None:
    """Write the log as a folder of tiles that foreign tools verify; it holds ids and numbers, never a body."""
    from auritas.cli.screen import plain, print_json
    from auritas.cli.session import opened

    with opened() as auritas, _bar("Writing", auritas.audit.export_files()) as tick:
        written = auritas.audit.export(folder, tick)
    if as_json:
        done = {"folder": str(written.folder), "files": written.files}
        print_json({**done, "checkpoint": _checkpoint_json(written.checkpoint)})
        return
    _say(plain("ok", "bold green"), f"{written.checkpoint.size:,} entries in {written.files:,} files below {folder}")
    _hint("These files are not encrypted: they hold the ids and numbers of every entry.")


@app.command(epilog="Example: auritas audit witness --dir /media/stick/witness")
def witness(
    *,
    folder: Annotated[Path, typer.Option("--dir", help="The witness's own folder, best on another disk or machine.")],
    request: Annotated[
        Path | None, typer.Option("--request", help="Answer this add-checkpoint request; no store is opened.")
    ] = None,
    key: Annotated[str | None, typer.Option("--key", help="With --request: the verifier key of the log.")] = None,
    as_json: AsJson = False,
) -> None:
    """Let a witness compare the log with what it saw before and sign it too; it refuses a log that was rewritten."""
    if request is not None:
        _answer(folder, request, key, as_json=as_json)
        return
    from auritas.cli.screen import plain, print_json
    from auritas.cli.session import opened

    with opened() as auritas:
        done = auritas.audit.witness(folder)
    if as_json:
        seen = {"seen_before": done.seen_before, "witness_key": done.witness_key}
        print_json({**seen, "checkpoint": _checkpoint_json(done.checkpoint)})
        return
    before = f"continues the {done.seen_before:,} it saw before" if done.seen_before else "it sees this log first now"
    _say(plain("witnessed", "bold green"), f"{done.checkpoint.size:,} entries; {before}")
    _hint(f"Key of the witness: {done.witness_key}")


@app.command(epilog="Example: auritas audit checkpoint")
def checkpoint(*, as_json: AsJson = False) -> None:
    """Sign the log as it stands now."""
    from auritas.cli.screen import plain, print_json
    from auritas.cli.session import opened

    with opened() as auritas:
        made = auritas.audit.checkpoint()
    if as_json:
        print_json(_checkpoint_json(made))
        return
    _say(plain(str(made.level), "bold green"), f"{made.size:,} entries")
    typer.echo(made.note, nl=False)


def _answer(folder: Path, request: Path, key: str | None, *, as_json: bool) -> None:
    from auritas.app.audit import cosign
    from auritas.cli.screen import print_json

    if key is None:
        raise typer.BadParameter("--request needs --key, the verifier key of the log.")
    line = cosign(folder, request, key)
    print_json({"cosignature": line}) if as_json else typer.echo(line, nl=False)


def _report_json(report: "VerifyReport") -> dict[str, Any]:
    return {
        "ok": report.ok,
        "entries": report.entries,
        "root": report.root.hex(),
        "checkpoint": report.checkpoint and _checkpoint_json(report.checkpoint),
        "first_bad": report.first_bad,
        "reason": report.reason,
    }


def _checkpoint_json(checkpoint: "Checkpoint") -> dict[str, Any]:
    return {
        "size": checkpoint.size,
        "root": checkpoint.root.hex(),
        "level": checkpoint.level,
        "day": checkpoint.day and checkpoint.day.isoformat(),
        "reason": checkpoint.reason,
        "created_at": checkpoint.created_at.isoformat(),
        "note": checkpoint.note,
        "witness": checkpoint.witness,
    }


def _entry_json(entry: "Entry") -> dict[str, Any]:
    return {
        "seq": entry.seq,
        "ts": entry.ts.isoformat(),
        "kind": entry.kind,
        "actor": entry.actor,
        "refs": dict(entry.refs),
        "body_commit": entry.body_commit,
        "erased": entry.erased,
        "leaf_hash": entry.leaf_hash.hex(),
        "level": entry.level,
    }


def _roots_json(roots: "Roots") -> dict[str, Any]:
    return {
        "size": roots.head.size,
        "root": roots.head.root.hex(),
        "key": roots.key,
        "checkpoint": roots.checkpoint and _checkpoint_json(roots.checkpoint),
        "days": [_checkpoint_json(day) for day in roots.days],
    }


def _print_report(report: "VerifyReport") -> None:
    from auritas.cli.screen import plain

    if report.ok:
        _say(plain("ok", "bold green"), f"{report.entries:,} entries, every one verified")
    else:
        _say(plain("NOT OK", "bold red"), f"first bad entry: {report.first_bad}. {report.reason.capitalize()}.")
    _say(plain("head", "bold"), f"{report.entries}:{report.root.hex()}")
    signed = report.checkpoint
    _say(plain("checkpoint", "bold"), f"{signed.size:,} entries, {signed.level}" if signed else "nothing is signed yet")
    if report.ok and signed is None and report.entries:
        _hint("Sign the head: auritas audit checkpoint")


def _print_entries(entries: "list[Entry]") -> None:
    from rich.table import Table

    from auritas.cli.screen import brief, out

    if not entries:
        out.print("No entries.")
        return
    table = Table(box=None, header_style="bold")
    for name in ("seq", "time (UTC)", "kind", "actor", "level"):
        table.add_column(name, no_wrap=True)
    table.add_column("refs")
    room = max(out.width - _OTHER_COLUMNS, 20)
    for entry in entries:
        refs = " ".join(f"{name}={value}" for name, value in entry.refs.items())
        time = entry.ts.strftime("%Y-%m-%d %H:%M:%S")
        kind = f"{entry.kind} (erased)" if entry.erased else entry.kind
        level = str(entry.level)
        table.add_row(str(entry.seq), time, brief(kind), brief(entry.actor, 20), level, brief(refs, room, "dim"))
    out.print(table)


def _print_roots(roots: "Roots") -> None:
    from auritas.cli.screen import out, plain

    _say(plain("head", "bold"), f"{roots.head.size}:{roots.head.root.hex()}")
    signed = roots.checkpoint
    _say(plain("signed", "bold"), f"{signed.size:,} entries, {signed.level}" if signed else "nothing is signed yet")
    if roots.key:
        _say(plain("key", "bold"), roots.key)
    if not roots.days:
        _hint("No day is closed yet: a daily root is made at 00:05 over everything up to midnight.")
        return
    out.print(plain("daily roots, each with the command that keeps a copy", "bold"))
    for closed in roots.days:
        _say(plain(str(closed.day), "bold"), f"{closed.size:,} entries, root {closed.root.hex()}, {closed.level}")
        _say(plain("          "), f"auritas audit root --day {closed.day} > {closed.day}.checkpoint")


def _print_pairs(pairs: dict[str, Any]) -> None:
    import json

    from auritas.cli.screen import plain

    for name, value in pairs.items():
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        _say(plain(name, "bold"), text)


def _say(word: Any, text: str) -> None:
    """Print a word in its style and a sentence after it; long hashes are not wrapped."""
    from auritas.cli.screen import out, plain

    out.print(word, plain(text), soft_wrap=True)


def _hint(text: str) -> None:
    from auritas.cli.screen import err, plain

    err.print(plain(text, "dim"), soft_wrap=True)


@contextmanager
def _bar(title: str, total: int) -> Iterator[Callable[[int], None]]:
    """Show a progress bar on a terminal; yields a function that takes how much is done."""
    from rich.progress import Progress

    from auritas.cli.screen import err

    with Progress(console=err, transient=True, disable=not err.is_terminal) as progress:
        task = progress.add_task(title, total=total)
        yield lambda done: progress.update(task, completed=done)
