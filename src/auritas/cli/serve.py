"""`auritas serve`, `auritas open` and `auritas start`: the page, and the process behind it."""

import os
import sys
from pathlib import Path
from shutil import which
from typing import TYPE_CHECKING, Annotated

import typer

from auritas.kernel.errors import UnavailableError

if TYPE_CHECKING:
    from auritas.app.presence import Presence
    from auritas.server.serve import Serving

Port = Annotated[int | None, typer.Option(min=1, max=65535, help="Port; left out: 7117, or the next one that is free.")]
NoOpen = Annotated[bool, typer.Option("--no-open", help="Do not open a browser.")]


def register(app: typer.Typer) -> None:
    """Add the commands to the tree."""
    app.command(epilog="Example: auritas serve --no-open")(serve)
    app.command("open", epilog="Example: auritas open")(open_)
    app.command(epilog="Example: auritas start")(start)


def serve(
    *,
    port: Port = None,
    no_open: NoOpen = False,
    unix: Annotated[Path | None, typer.Option(help="Listen on this Unix socket instead of a port.")] = None,
    host: Annotated[
        str, typer.Option(help="Address to listen on; another than this machine's needs TLS.")
    ] = "127.0.0.1",
    tls_cert: Annotated[Path | None, typer.Option("--tls-cert", help="Certificate in PEM.")] = None,
    tls_key: Annotated[Path | None, typer.Option("--tls-key", help="Its key in PEM.")] = None,
    expose: Annotated[
        bool, typer.Option("--expose", help="Let others reach the server; every one needs a token.")
    ] = False,
) -> int:
    """Serve the page and the interfaces until Ctrl-C, and open a browser at it."""
    from auritas.cli import loading

    loading.begin()
    from auritas.app.settings import load
    from auritas.server import listening
    from auritas.server import serve as server

    binding = listening.Binding(host, port, unix and unix.absolute(), tls_cert, tls_key, expose)

    def begun(serving: server.Serving) -> None:
        _announce(serving, opens=not no_open and unix is None)
        loading.done()

    return server.run(load(), binding, begun, _destroyed)


def open_() -> None:
    """Open the page of the server that runs, with an address that lets this browser in once."""
    import asyncio

    from auritas.app.attaching import one_time_address
    from auritas.app.settings import load
    from auritas.cli.screen import out, plain

    address = asyncio.run(one_time_address(load().home))
    out.print(plain(address))
    _browse(address)


def start(*, port: Port = None, no_open: NoOpen = False) -> int:
    """Open the page of the server that runs; else fetch the embedded models if they are missing, and serve the page."""
    from auritas.app.keeping import awaits_passphrase
    from auritas.app.presence import is_served, running
    from auritas.app.settings import load

    settings = load()
    presence = running(settings.home)
    if presence is not None:
        return _go_to(presence, settings.home, opens=not no_open)
    # Who serves without being found begins or ends just now: `serve` says so. A guarded store is opened on the page,
    # which then says which models are missing.
    if not is_served(settings.home) and not awaits_passphrase(settings):
        _fetch_models()
    return serve(port=port, no_open=no_open)


def _go_to(presence: "Presence", home: Path, *, opens: bool) -> int:
    import asyncio

    from auritas.app.attaching import one_time_address
    from auritas.cli.screen import out, plain

    out.print(plain(f"Auritas runs already at {presence.place} (process {presence.pid})."))
    if presence.unix is None:
        address = asyncio.run(one_time_address(home))
        out.print(plain(f"Open it within two minutes, once: {address}"))
        if opens:
            _browse(address)
    return 0


def _fetch_models() -> None:
    from auritas.cli.models import download
    from auritas.cli.screen import complain
    from auritas.cli.session import opened

    with opened() as auritas:
        wanted = auritas.settings.models
        try:
            if wanted != "none" and auritas.embedded.missing(wanted):
                download(auritas, wanted)
        except UnavailableError as error:
            # The page works without them and says what is missing; nobody should have to find that out by a refusal.
            complain(f"{error.message} Going on without them.", error.remedy)


def _destroyed() -> None:
    from auritas.cli.screen import out, plain

    out.print(plain("Everything is destroyed, as you wished. For a new store: auritas start"))


def _announce(serving: "Serving", *, opens: bool) -> None:
    from auritas.cli.screen import err, out, plain

    for notice in serving.notices:
        err.print(plain(f"! {notice} Do it now: auritas config passphrase", "yellow"))
    presence = serving.presence
    address = serving.one_time or presence.url
    if presence.unix:
        out.print(plain(f"Auritas listens on {presence.unix}. Ctrl-C stops it."))
        return
    out.print(plain(f"Auritas runs at {presence.url}. Ctrl-C stops it."))
    if serving.one_time:
        out.print(plain(f"Open it within two minutes, once: {address}"))
        out.print(plain("Later, or in another browser: auritas open", "dim"))
    else:
        out.print(plain("The store is locked: the page asks for its passphrase."))
    here = Path(sys.argv[0])
    if here.name == "auritas" and not which("auritas"):
        out.print(plain(f"The command is {here}; by its name alone after: source {here.parent / 'activate'}", "dim"))
    if opens:
        _browse(address)


def _browse(address: str) -> None:
    """Open a browser where there is a screen to show it on."""
    if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return
    import webbrowser

    webbrowser.open(address)
