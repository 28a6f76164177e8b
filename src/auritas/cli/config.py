"""`auritas config`: what is set, what it means, and how to change it."""

from pathlib import Path
from typing import Annotated

import typer

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]

config = typer.Typer(no_args_is_help=True, help="Show, change and explain settings.")


def register(app: typer.Typer) -> None:
    """Add the commands to the tree."""
    app.add_typer(config, name="config")


@config.command(epilog="Example: auritas config show --json")
def show(*, as_json: AsJson = False) -> None:
    """Show every setting in force and where it comes from."""
    from auritas.app.settings import load, origin
    from auritas.cli.screen import out, plain, print_json

    settings = load()
    values = settings.model_dump(mode="json")
    if as_json:
        print_json(values)
        return
    from rich.table import Table

    table = Table("setting", "value", "from", box=None, header_style="bold")
    for key, value in values.items():
        table.add_row(key, plain("" if value is None else str(value)), origin(key, settings.home))
    out.print(table)


@config.command("set", epilog='Example: auritas config set level high   (an empty value "" removes the key)')
def set_(
    key: Annotated[str, typer.Argument(help="The setting; see auritas config explain.")],
    value: Annotated[str, typer.Argument(help="Its new value.")],
    *,
    as_json: AsJson = False,
) -> None:
    """Set one key in config.toml; an empty value removes it."""
    from auritas.app.compose import change_setting
    from auritas.cli.screen import out, plain, print_json
    from auritas.cli.session import ask_passphrase

    now = change_setting(key, value, ask_passphrase)
    if as_json:
        print_json({key: now if isinstance(now, bool | int | float) or now is None else str(now)})
    else:
        out.print(plain(f"{key} is not set now." if now in {None, ""} else f"{key} is now {now}."))


@config.command(epilog="Example: auritas config passphrase")
def passphrase(
    *,
    new_file: Annotated[Path | None, typer.Option("--new-file", help="Read the new one from a file.")] = None,
    as_json: AsJson = False,
) -> None:
    """Set or change the passphrase that guards the store; a lost one cannot be recovered."""
    from auritas.app.keeping import passphrase_in
    from auritas.cli.screen import out, print_json
    from auritas.cli.session import new_passphrase, opened

    with opened() as auritas:
        new = (
            passphrase_in(new_file)
            if new_file
            else new_passphrase("Put it on the first line of a file and give it by --new-file FILE.")
        )
        auritas.change_passphrase(new)
    if as_json:
        print_json({"passphrase": "set"})
        return
    out.print("The passphrase is set. Older backups keep the one they were made with.")


@config.command(epilog="Example: auritas config explain level")
def explain(
    key: Annotated[str | None, typer.Argument(help="The setting; all of them when left out.")] = None,
    *,
    as_json: AsJson = False,
) -> None:
    """Say what a setting means; of one also what it takes, its default, its value and where that comes from."""
    from auritas.app.settings import Settings
    from auritas.app.settings import explain as meaning
    from auritas.cli.screen import out, plain, print_json

    meanings = {name: meaning(name) for name in ([key] if key else Settings.model_fields)}
    facts = _facts(key) if key else {}
    if as_json:
        print_json(meanings | facts)
        return
    for name, text in meanings.items():
        out.print(plain(f"{name}: {text}"))
    for title, value in facts.items():
        out.print(plain(f"  {title}: {'nothing' if value is None else value}"))


def _facts(key: str) -> dict[str, str | None]:
    from auritas.app.settings import allowed, default, load, origin

    settings = load()
    now = settings.model_dump(mode="json")[key]
    value = None if now in {None, ""} else str(now)
    return {"takes": allowed(key), "default": default(key), "now": value, "from": origin(key, settings.home)}
