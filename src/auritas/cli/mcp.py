"""`auritas mcp`: the tools of this program for the models of other programs, over a pipe."""

import typer


def register(app: typer.Typer) -> None:
    """Add the command to the tree."""
    app.command(
        epilog='Example, in the settings of a client: {"command": "auritas", "args": ["mcp"]} runs auritas mcp.'
    )(mcp)


def mcp() -> None:
    """Serve ask, remember, recall and verify by the Model Context Protocol on standard input and output.

    Meant to be started by the program that uses it. It works beside a server that runs; that one offers the same at
    /mcp for programs that speak HTTP.
    """
    import asyncio

    from auritas.cli.session import opened
    from auritas.server.mcp import pipe

    with opened() as auritas:
        asyncio.run(pipe.serve(auritas))
