"""`auritas desktop`: the page in a window of its own, with an icon in the tray."""

from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Add the commands to the tree."""
    app.command(epilog="Example: auritas desktop")(desktop)
    app.command("desktop-server", hidden=True, epilog="Example: auritas desktop-server --json")(desktop_server)


def desktop() -> int:
    """Show the page in a window with an icon in the tray; needs the extra `desktop`.

    A server that runs already is used and goes on afterwards; else one is started, which ends with Quit.
    """
    from auritas.cli import loading

    loading.begin()
    from auritas.app.folders import default_home  # the settings are read by the server, which begins the sooner
    from auritas.server.desktop.window import Stage, run

    return run(default_home().expanduser().absolute(), lambda stage: loading.done() if stage is Stage.WINDOW else None)


def desktop_server(
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Say errors as JSON.")] = False,  # noqa: ARG001  read in root
) -> int:
    """Serve the page until standard input ends; started by the window."""
    from auritas.cli import loading

    loading.begin()
    from auritas.server.desktop.process import end_with_input

    end_with_input()
    from auritas.app.household import GoneError
    from auritas.app.settings import load
    from auritas.server import serve
    from auritas.server.desktop.process import announce
    from auritas.server.listening import Binding

    def begun(serving: serve.Serving) -> None:
        announce(serving)
        loading.done()

    def destroyed() -> None:
        raise GoneError  # the window says so, with a way to begin anew

    return serve.run(load(), Binding(), begun, destroyed)
