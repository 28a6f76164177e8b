"""`auritas backup`, `restore` and `panic`."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from auritas.kernel.errors import NotFoundError, RefusedError, UnavailableError, UsageError

if TYPE_CHECKING:
    from auritas.store.backup import Progress

CANCEL_WINDOW_S = 3
FILE_REMEDY = "Put it on the first line of a file and give it by --passphrase-file FILE."

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


class NotConfirmedError(RefusedError):
    """Nobody said yes."""

    code = "not_confirmed"


def register(app: typer.Typer) -> None:
    """Add the commands to the tree."""
    app.command(epilog="Example: auritas backup ~/auritas.backup --passphrase")(backup)
    app.command(epilog="Example: auritas restore ~/auritas.backup")(restore)
    app.command(epilog="Example: auritas panic --yes")(panic)


def backup(
    file: Annotated[Path, typer.Argument(help="Where to write the backup.")],
    *,
    passphrase: Annotated[bool, typer.Option("--passphrase", help="Guard it by a passphrase of its own.")] = False,
    passphrase_file: Annotated[Path | None, typer.Option(help="Read that passphrase from a file.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing file.")] = False,
    as_json: AsJson = False,
) -> None:
    """Write everything to one encrypted, verified file, while you go on working."""
    from auritas.app.keeping import passphrase_in
    from auritas.cli.screen import out, plain, print_json, size
    from auritas.cli.session import new_passphrase, opened

    if file.is_dir():
        raise UsageError(f"{file} is a folder.", remedy=f"Name a file in it: auritas backup {file / 'auritas.backup'}")
    if not file.absolute().parent.is_dir():
        raise NotFoundError(f"There is no folder {file.absolute().parent}.", remedy="Make it first.")
    if file.exists() and not force:
        raise NotConfirmedError(f"{file} exists already.", remedy="Choose another name, or add --force.")
    secret = passphrase_in(passphrase_file) if passphrase_file else new_passphrase(FILE_REMEDY) if passphrase else None
    with opened() as auritas, _bar("Backup") as progress:
        made = auritas.keeping.back_up(file, secret, progress)
    if as_json:
        print_json({"file": str(made.path), "bytes": made.size, "at": made.created_at, "opens_with": made.opens_with})
        return
    out.print(plain(f"Wrote and verified {made.path} ({size(made.size)}). {made.opens_with}"))


def restore(
    file: Annotated[Path, typer.Argument(help="A file that auritas backup wrote.")],
    *,
    passphrase_file: Annotated[Path | None, typer.Option(help="Read the backup's passphrase from a file.")] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask before replacing the store.")] = False,
    as_json: AsJson = False,
) -> None:
    """Check a whole backup, log included, and put it in the place of the store, which is kept beside it."""
    from auritas.app.compose import restore_from
    from auritas.app.keeping import has_store, passphrase_in
    from auritas.app.settings import load
    from auritas.cli.screen import confirm, out, plain, print_json
    from auritas.cli.session import ask_passphrase

    settings = load()
    if not file.is_file():
        raise NotFoundError(f"There is no file {file}.", remedy="Check the name; see backups/ in the data folder.")
    if has_store(settings) and not confirm(f"Replace the store in {settings.home}?", assumed=yes):
        raise NotConfirmedError("Nothing was changed.", remedy="Add --yes to replace the store without being asked.")
    given = passphrase_in(passphrase_file) if passphrase_file else None
    with _bar("Restore") as progress:
        done = restore_from(settings, file, given, lambda prompt: ask_passphrase(prompt, FILE_REMEDY), progress)
    if as_json:
        aside = str(done.aside) if done.aside else None
        said = {"restored": str(file), "made_at": done.created_at, "schema": done.schema, "aside": aside}
        print_json(said | {"ended": done.ended})
        return
    kept = f" The store that was here is kept as {done.aside}." if done.aside else ""
    out.print(plain(f"Restored what was saved at {done.created_at}.{kept}"))
    if done.ended:
        out.print(plain("Programs and browsers must be let in again: make tokens anew, and run auritas open."))
    if done.unlocked.method == "passphrase":
        out.print(plain("The store is guarded by the passphrase that opened it here."))
    if done.unlocked.warning:
        out.print(plain(f"! {done.unlocked.warning}", "yellow"))


def panic(
    *,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask; the cancel window stays.")] = False,
    as_json: AsJson = False,
) -> None:
    """Destroy the key and every file of the store. There is no way back and no record."""
    from auritas.app.compose import wipe_now
    from auritas.app.keeping import has_store
    from auritas.app.settings import load
    from auritas.cli.screen import confirm, err, out, plain, print_json

    settings = load()
    if not has_store(settings):
        if as_json:
            print_json({"destroyed": False, "removed": 0, "left": []})
        else:
            out.print(plain(f"There is nothing to destroy in {settings.home}."))
        return
    if not confirm(f"Destroy the key and everything in {settings.home}, for ever?", assumed=yes):
        remedy = "" if sys.stdin.isatty() else "Add --yes when nobody is there to ask."
        raise NotConfirmedError("Nothing was destroyed.", remedy=remedy)
    err.print(plain(f"Destroying everything in {CANCEL_WINDOW_S} seconds. Ctrl-C stops it.", "bold red"))
    wiped = wipe_now(settings, CANCEL_WINDOW_S)
    if as_json:
        left = [str(path) for path in wiped.left]
        print_json({"destroyed": not wiped.keyring_left, "removed": wiped.removed, "left": left})
    elif not wiped.keyring_left:
        out.print(plain(f"Gone: the key and {wiped.removed} files."))
    for path in wiped.left:
        err.print(plain(f"Could not remove {path}; without the key it is noise.", "yellow"))
    if wiped.keyring_left:
        raise UnavailableError(
            f"{wiped.removed} files are gone, but the system's keyring did not give up the key.",
            remedy="Unlock the keyring and remove the entry of Auritas there; until then a copied store can be opened.",
        )
    if wiped.still is not None:
        raise UnavailableError(
            f"{wiped.still.message} It did not end, and may hold in memory what is gone from the disk.",
            remedy="End it, in its terminal by Ctrl-C or by its process number.",
        )


@contextmanager
def _bar(title: str) -> Iterator["Progress"]:
    from auritas.cli.screen import steps_bar

    with steps_bar(title) as update:
        yield update
