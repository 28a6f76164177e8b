"""How the program starts: quickly, and with help for everything."""

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
import typer
from typer.core import TyperGroup

from auritas import __version__
from auritas.cli.root import app

SLOW = {"typer", "rich", "sqlalchemy", "pydantic", "httpx2", "cryptography", "keyring", "numpy", "xllamacpp", "alembic"}


def imported_by(*words: str) -> set[str]:
    program = (
        "import sys, contextlib, io\n"
        f"sys.argv = ['auritas', *{list(words)!r}]\n"
        "from auritas.cli.entry import main\n"
        "with contextlib.suppress(SystemExit), contextlib.redirect_stdout(io.StringIO()):\n"
        "    main()\n"
        "print('\\n'.join(sys.modules))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return {name.partition(".")[0] for name in done.stdout.split()} | set(done.stdout.split())


def test_the_version_costs_no_import():
    """`--version` imports nothing but the version (F19)."""
    imported = imported_by("--version")
    assert not imported & SLOW
    assert not any(name.startswith("auritas.") and name != "auritas.cli" for name in imported - {"auritas.cli.entry"})


def test_help_imports_only_the_command_line():
    """`--help` needs no store, no network and no engine (F19)."""
    imported = imported_by("--help")
    assert not imported & (SLOW - {"typer", "rich"})
    assert not any(name.startswith(("auritas.store", "auritas.gateway", "auritas.app.")) for name in imported)


def test_the_version_is_printed(home):
    """The version is one line."""
    assert home.run("--version").out == f"auritas {__version__}\n"


def commands(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    if isinstance(command, TyperGroup):
        for name, inner in command.commands.items():
            yield from commands(inner, (*path, name))
    else:
        yield path, command


ALL = list(commands(typer.main.get_command(app)))


@pytest.mark.parametrize(("path", "command"), ALL, ids=[" ".join(path) for path, _ in ALL])
def test_each_command_explains_itself_with_an_example(path, command):
    """Every command has a help text and an example that begins with its own name (F20)."""
    assert command.help
    assert command.epilog, f"{path} has no example"
    assert f"auritas {' '.join(path)}" in command.epilog
