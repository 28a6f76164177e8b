"""`auritas egress`: everything that was sent, to whom and why."""

import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Annotated, Any

import typer

from auritas.kernel.clock import timestamp
from auritas.kernel.errors import UsageError
from auritas.kernel.text import counted

if TYPE_CHECKING:
    from auritas.app.egress import EgressPage, HostTotal

_AGO = re.compile(r"(\d{1,4})([hd])")


def register(app: typer.Typer) -> None:
    """Add the command to the tree."""
    app.command(epilog="Example: auritas egress --since 7d --model sonnet")(egress)


def egress(
    *,
    since: Annotated[
        str | None, typer.Option("--since", help="A date or time (2026-01-31), or how long ago: 12h, 7d.")
    ] = None,
    model: Annotated[str | None, typer.Option("--model", "-m", help="Only what was sent for this model.")] = None,
    limit: Annotated[int, typer.Option("--limit", "-n", help="Requests to list, newest first.")] = 50,
    cursor: Annotated[str | None, typer.Option("--after", help="Go on where the last page ended.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """List every request that was sent: when, to whom, why, how many bytes, for which conversation."""
    from auritas.cli.screen import print_json
    from auritas.cli.session import opened

    with opened() as auritas:
        moment = None if since is None else _moment(since, auritas.clock.now())
        page = auritas.egress.page(size=limit, cursor=cursor, since=moment, model=model)
        totals = auritas.egress.totals(since=moment, model=model)
    if as_json:
        print_json(_document(page, totals))
    else:
        _show(page, totals, filtered=since is not None or model is not None)


def _moment(text: str, now: datetime) -> datetime:
    ago = _AGO.fullmatch(text.strip())
    if ago:
        return now - timedelta(**{"hours" if ago[2] == "h" else "days": int(ago[1])})
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        raise UsageError(f"{text!r} is no time.", remedy="Try: --since 2026-01-31, or --since 7d") from None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _document(page: "EgressPage", totals: "tuple[HostTotal, ...]") -> dict[str, Any]:
    return {
        "requests": [
            {
                "id": r.id,
                "at": timestamp(r.at),
                "method": r.method,
                "host": r.host,
                "url": r.url,
                "model": r.model,
                "why": r.why,
                "query_id": r.query_id,
                "conversation_id": r.conversation_id,
                "bytes": r.bytes_out,
                "commitment": r.commitment.hex(),
                "loopback": r.loopback,
                "status": r.status,
                "audit_seq": r.audit_seq,
            }
            for r in page.records
        ],
        "totals": [
            {"day": t.day, "host": t.host, "loopback": t.loopback, "requests": t.requests, "bytes": t.bytes_out}
            for t in totals
        ],
        "left_the_machine": any(not t.loopback for t in totals),
        "next": page.next,
    }


def _show(page: "EgressPage", totals: "tuple[HostTotal, ...]", *, filtered: bool) -> None:
    from rich.table import Table
    from rich.text import Text

    from auritas.cli.screen import brief, out, plain, size

    if not any(not total.loopback for total in totals):
        asked = " in what you asked for" if filtered else ""
        out.print(Text(f"Nothing has left this machine{asked}.", style="bold green"))
    if not totals:
        return
    table = Table("when (UTC)", "host", "model", "why", "bytes", "status", "log", box=None, header_style="bold")
    for r in page.records:
        host = plain(r.host) + Text(" (this machine)" if r.loopback else "", style="dim")
        entry = "" if r.audit_seq is None else str(r.audit_seq)
        when = f"{r.at:%Y-%m-%d %H:%M:%S}"
        table.add_row(when, host, brief(r.model, 24), brief(r.why, 32), size(r.bytes_out), r.status or "?", entry)
    out.print(table)
    out.print()
    for t in totals:
        where = f"{t.host} (this machine)" if t.loopback else t.host
        out.print(plain(f"{t.day}  {where}: {counted(t.requests, 'request')}, {size(t.bytes_out)}", "dim"))
    if page.next:
        out.print(plain(f"More: auritas egress --after '{page.next}'", "dim"))
