"""The tree of commands, and what a person reads when one of them fails."""

import errno
import os
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from auritas.cli import (
    ask,
    audit,
    chat,
    compare,
    config,
    conversations,
    desktop,
    doctor,
    domains,
    egress,
    evaluate,
    grade,
    imports,
    keeping,
    mcp,
    memory,
    models,
    notes,
    projects,
    questions,
    reviewers,
    search,
    serve,
    tokens,
)
from auritas.kernel.errors import EXIT_BUG, EXIT_INTERRUPTED, AuritasError, UnavailableError, UsageError

_OUTSIDE = frozenset(
    {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM, errno.EIO, errno.EMFILE, errno.EPIPE}
)
"""What the machine refuses and no mistake of ours: a full or protected disk, a reader that has left."""

app = typer.Typer(
    name="auritas",
    help="A private council of models on your own machine.",
    no_args_is_help=True,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    epilog='Start here: [bold]auritas ask "What is the capital of Australia?"[/bold]',
)


@app.callback()
def options(
    version: Annotated[bool, typer.Option("--version", "-V", help="Print the version and leave.")] = False,  # noqa: FBT002  a typer flag
) -> None:
    """Options that stand before every command."""
    if version:  # reached only with other words on the line; alone it is answered earlier
        from auritas import __version__

        typer.echo(f"auritas {__version__}")
        raise typer.Exit


serve.register(app)
desktop.register(app)
ask.register(app)
chat.register(app)
compare.register(app)
questions.register(app)
search.register(app)
grade.register(app)
app.add_typer(memory.app, name="memory")
app.add_typer(conversations.app, name="conversations")
app.add_typer(projects.app, name="projects")
imports.register(app)
mcp.register(app)
models.register(app)
reviewers.register(app)
app.add_typer(tokens.app, name="tokens")
app.add_typer(audit.app, name="audit")
app.add_typer(domains.app, name="domains")
app.add_typer(evaluate.app, name="eval")
notes.register(app)
egress.register(app)
keeping.register(app)
doctor.register(app)
config.register(app)


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code; errors become a sentence and what to do next."""
    try:
        result = app(args=list(arguments), standalone_mode=False)
        sys.stdout.flush()
    except Exception as error:
        if _debugging() and not isinstance(error, AuritasError | typer.TyperException | typer.Abort):
            raise
        return _failed(error, as_json="--json" in arguments)
    except KeyboardInterrupt:
        return _interrupted()
    if result == EXIT_INTERRUPTED:
        return _interrupted()
    return result if isinstance(result, int) else 0


def _failed(error: Exception, *, as_json: bool) -> int:
    match error:
        case AuritasError():
            _say(error, as_json=as_json)
            return error.exit_code
        case typer.Abort():
            return _interrupted()
        case typer.TyperException():
            return _misused(error, as_json=as_json)
        case OSError(errno=number) if number in _OUTSIDE:
            return _obstructed(error, as_json=as_json)
        case _:
            _say_bug(error)
            return EXIT_BUG


def _misused(error: typer.TyperException, *, as_json: bool) -> int:
    context = getattr(error, "ctx", None)
    if type(error).__name__ == "NoArgsIsHelpError":
        return UsageError.exit_code  # the help was printed already
    command = context.command_path if context else "auritas"
    said = error.format_message().replace("Value error, ", "")  # the phrase of a library, not ours
    _say(UsageError(said, remedy=f"Try: {command} --help"), as_json=as_json)
    return error.exit_code


def _obstructed(error: OSError, *, as_json: bool) -> int:
    from auritas.cli.screen import drop_output

    drop_output()  # if it was the output that could not be written, what is left of it would fail once more
    if error.errno == errno.EPIPE:
        return UnavailableError.exit_code
    where = error.filename or "A file or the output"
    remedy = (
        "Free some space, or check the rights of the place, and run the command again; nothing that stands is lost."
    )
    _say(UnavailableError(f"{where} cannot be used: {error.strerror}.", remedy=remedy), as_json=as_json)
    return UnavailableError.exit_code


def _interrupted() -> int:
    typer.echo("Stopped. Nothing that was confirmed is lost.", err=True)
    return EXIT_INTERRUPTED


def _debugging() -> bool:
    said = os.environ.get("AURITAS_DEBUG", "").lower()
    if said:
        return said in {"1", "true", "yes", "on", "t", "y"}
    from auritas.app.settings import load

    try:
        return load().debug
    except AuritasError:
        return False


def _say(error: AuritasError, *, as_json: bool) -> None:
    if as_json:
        import json

        said = {"error": {"code": error.code, "message": error.message, "remedy": error.remedy}}
        typer.echo(json.dumps(said, ensure_ascii=False), err=True)
        return
    from auritas.cli.screen import complain

    complain(error.message, error.remedy)


def _say_bug(error: Exception) -> None:
    from auritas.cli.screen import complain

    complain(
        f"Something unexpected happened inside Auritas ({type(error).__name__}). Your data is as it was.",
        "Run the command again with AURITAS_DEBUG=1 to see where, and auritas doctor to check everything.",
    )
