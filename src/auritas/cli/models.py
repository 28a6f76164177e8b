"""`auritas models`: fetch, add, list, test and remove; what they have been right about is in `model_record`."""

import asyncio
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from auritas.cli import model_record
from auritas.kernel.errors import NotFoundError, UnavailableError, UsageError

if TYPE_CHECKING:
    from auritas.app.compose import Auritas

models = typer.Typer(no_args_is_help=True, help="Fetch, add, list, test and remove models.")

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


def register(app: typer.Typer) -> None:
    """Add the commands to the tree."""
    model_record.register(models)
    app.add_typer(models, name="models")


@models.command("list", epilog="Example: auritas models list --json")
def list_(*, as_json: AsJson = False) -> None:
    """List embedded models and those that you added, with what each may do."""
    from auritas.cli.screen import print_json
    from auritas.cli.session import opened

    with opened() as auritas:
        embedded, remote = auritas.embedded.list(), auritas.remote.list()
    if as_json:
        print_json({"embedded": [_embedded(m) for m in embedded], "added": [_added(m) for m in remote]})
        return
    _show(embedded, remote)


@models.command(epilog="Example: auritas models get standard   or: auritas models get small --from ~/Downloads")
def get(
    what: Annotated[str | None, typer.Argument(help="small, standard, a model's name, or a .gguf file.")] = None,
    *,
    source: Annotated[Path | None, typer.Option("--from", help="A file or folder to look in first.")] = None,
    if_missing: Annotated[bool, typer.Option("--if-missing", help="Do nothing when it is here already.")] = False,
    as_json: AsJson = False,
) -> None:
    """Fetch embedded models by their hash, and test what each may do."""
    from auritas.cli.screen import print_json
    from auritas.cli.session import opened

    if if_missing and not as_json and _is_seen_to():
        return
    with opened() as auritas:
        wanted = what or auritas.settings.models
        if if_missing:
            ensure(auritas, wanted)
        elif wanted != "none":
            fetch(auritas, wanted, source)
        if as_json:
            print_json({"embedded": [_embedded(m) for m in auritas.embedded.list()]})


def _is_seen_to() -> bool:
    """Whether a server sees to a store for which a passphrase would be asked here; its page tells what is missing."""
    from auritas.app.keeping import awaits_passphrase
    from auritas.app.presence import running
    from auritas.app.settings import load

    settings = load()
    return awaits_passphrase(settings) and running(settings.home) is not None


def ensure(auritas: "Auritas", wanted: str) -> None:
    """Fetch and test whatever of a tier is missing or untested; say nothing when all is there."""
    if wanted != "none" and auritas.embedded.missing(wanted):
        fetch(auritas, wanted)
    elif any(model.self_test is None for model in auritas.embedded.installed()):
        examine(auritas)


def fetch(auritas: "Auritas", wanted: str, source: Path | None = None) -> None:
    """Fetch a tier or a model with a progress bar, then let each model pass its self-test."""
    download(auritas, wanted, source)
    examine(auritas)


def download(auritas: "Auritas", wanted: str, source: Path | None = None) -> None:
    """Fetch a tier or a model with a progress bar; nothing is tested yet."""
    from auritas.cli.screen import bytes_bar, err, plain, size

    needed = auritas.embedded.missing(wanted) if not wanted.endswith(".gguf") else 0
    if needed:
        err.print(plain(f"Fetching embedded models ({size(needed)}); each file is checked against its SHA-256."))
    with bytes_bar("Models") as update:
        total = max(needed, 1)
        done: dict[str, int] = {}

        def progress(step: Any) -> None:
            done[step.file] = step.done
            update(f"{step.file} from {step.source}", sum(done.values()), max(total, sum(done.values())))

        asyncio.run(_closing(auritas, auritas.embedded.get(wanted, progress, source=source)))
    with err.status("Learning to tell fields of knowledge apart …"):
        auritas.domains.warm()


def examine(auritas: "Auritas", name: str | None = None, *, again: bool = False) -> None:
    """Run the self-test of models that have none yet, showing how far it is."""
    from auritas.cli.screen import count_bar, err, plain

    with count_bar("Self-test") as update:
        done: dict[str, tuple[int, int]] = {}

        def progress(step: Any) -> None:
            done[step.model] = (step.done, step.total)
            update(", ".join(sorted(done)), sum(d for d, _ in done.values()), sum(t for _, t in done.values()))

        results = asyncio.run(_closing(auritas, auritas.embedded.self_test(name, progress, again=again)))
    for result in results:
        err.print(plain(f"{result.model}: {_may(result.roles)}. {result.basis}"))


_MAY = {
    "answer": "may answer",
    "judge_yes_no": "may judge yes and no",
    "judge_null": "may judge that the evidence does not say",
    "form_only": "is heard, but has no vote",
}


def _may(roles: Sequence[str]) -> str:
    """Return in words what a self-test allows."""
    return ", ".join(_MAY.get(role, role) for role in roles)


async def _closing(auritas: "Auritas", work: Any) -> Any:
    try:
        return await work
    finally:
        await auritas.aclose()


@models.command(epilog="Example: auritas models add claude-sonnet-4-5 --preset anthropic --key -")
def add(
    model_id: Annotated[str, typer.Argument(help="The provider's name of the model.")],
    *,
    preset: Annotated[str | None, typer.Option(help="A well-known provider; see auritas models presets.")] = None,
    url: Annotated[str | None, typer.Option(help="Base URL of any OpenAI-compatible server.")] = None,
    kind: Annotated[str, typer.Option(help="openai, anthropic or any_llm.")] = "openai",
    provider: Annotated[str | None, typer.Option(help="Provider's name, for any_llm.")] = None,
    name: Annotated[str | None, typer.Option(help="What to call it here.")] = None,
    key: Annotated[str | None, typer.Option(help="The provider's key; - asks, or reads standard input.")] = None,
    window: Annotated[int | None, typer.Option(help="Context in tokens.")] = None,
    price_in: Annotated[float | None, typer.Option(help="Price of a million tokens read.")] = None,
    price_out: Annotated[float | None, typer.Option(help="Price of a million tokens written.")] = None,
    keyring: Annotated[bool, typer.Option("--keyring", help="Keep the key in the system's keyring.")] = False,
    open_ok: Annotated[bool, typer.Option("--open-ok", help="Let the key travel unencrypted.")] = False,
    sees: Annotated[bool, typer.Option("--sees", help="The model takes pictures.")] = False,
    as_json: AsJson = False,
) -> None:
    """Add a model at an address. From then on it takes part, and each request to it is in auritas egress."""
    from auritas.app.models import Addition, kind_named, price_of
    from auritas.cli.screen import out, plain, print_json
    from auritas.cli.session import opened

    wanted = Addition(
        model_id=model_id,
        preset=preset,
        base_url=url,
        kind=kind_named(kind),
        provider=provider,
        name=name,
        key=_key(key),
        window=window,
        price=price_of(price_in, price_out),
        in_keyring=keyring,
        open_ok=open_ok,
        sees=sees,
    )
    with opened() as auritas:
        entry = auritas.remote.add(wanted)
    if as_json:
        print_json(_added(entry))
        return
    where = "on this machine" if entry.endpoint.local else "it receives your questions from now on"
    out.print(plain(f"Added {entry.endpoint.name} at {entry.endpoint.base_url or entry.endpoint.provider}; {where}."))
    out.print(plain(f"Try it: auritas models test {entry.endpoint.name}", "dim"))


def _key(given: str | None) -> str | None:
    if given != "-":
        return given
    if not sys.stdin.isatty():
        return sys.stdin.readline().strip()
    from auritas.cli.session import ask_passphrase

    return ask_passphrase("Key of the provider")


@models.command(epilog="Example: auritas models presets")
def presets(*, as_json: AsJson = False) -> None:
    """List well-known providers with a few of their models, prices and windows."""
    from auritas.app.models import known_presets
    from auritas.cli.screen import out, plain, print_json

    rows = known_presets()
    if as_json:
        print_json([asdict(row) for row in rows])
        return
    from rich.table import Table

    table = Table("preset", "base URL", "models", box=None, header_style="bold")
    for row in rows:
        table.add_row(plain(row.name), plain(row.base_url), plain(", ".join(row.models) or "whatever it serves"))
    out.print(table)


@models.command("test", epilog="Example: auritas models test smollm2-135m")
def try_(
    name: Annotated[
        str | None, typer.Argument(help="A model's name; else every embedded one without a self-test.")
    ] = None,
    *,
    as_json: AsJson = False,
) -> int:
    """Ask a model something tiny (or give an embedded one its self-test) and say how it went."""
    from auritas.cli.screen import out, plain, print_json, seconds
    from auritas.cli.session import opened

    with opened() as auritas:
        if name is None:
            examine(auritas)
            if as_json:
                print_json({"embedded": [_embedded(m) for m in auritas.embedded.list()]})
            return 0
        known = {m.name: m for m in auritas.embedded.list()}
        if name in known:
            if not known[name].installed:
                raise NotFoundError(f"{name} is not fetched yet.", remedy=f"Try: auritas models get {name}")
            examine(auritas, name, again=True)
            if as_json:
                print_json(next(_embedded(m) for m in auritas.embedded.list() if m.name == name))
            return 0
        result = asyncio.run(_closing(auritas, auritas.remote.test(name)))
    if as_json:
        print_json(asdict(result))
    elif result.ok:
        out.print(plain(f"✓ {name} answered {result.reply!r} in {seconds(result.latency_ms)}."))
    else:
        out.print(plain(f"✗ {name}: {result.message}", "bold red"))
        out.print(plain(f"  {result.remedy}", "dim"))
    return 0 if result.ok else UnavailableError.exit_code


@models.command(epilog="Example: auritas models remove smollm2-135m")
def remove(name: Annotated[str, typer.Argument(help="A model's name.")], *, as_json: AsJson = False) -> None:
    """Forget a model; an embedded one's files and an added one's key go with it."""
    from auritas.cli.screen import out, plain, print_json, size
    from auritas.cli.session import opened

    freed = 0
    with opened() as auritas:
        if name in {m.endpoint.name for m in auritas.remote.list()}:
            auritas.remote.remove(name)
        else:
            gone = asyncio.run(auritas.embedded.remove(name))
            name, freed = gone.name, gone.bytes
    if as_json:
        print_json({"removed": name, "bytes": freed})
        return
    out.print(plain(f"Removed {name}" + (f" and freed {size(freed)}." if freed else ".")))


@models.command(epilog="Example: auritas models disable sonnet")
def disable(
    name: Annotated[str, typer.Argument(help="The name of a model that you added.")], *, as_json: AsJson = False
) -> None:
    """Keep a model that you added, but do not ask it."""
    _switch(name, on=False, as_json=as_json)


@models.command(epilog="Example: auritas models enable sonnet")
def enable(
    name: Annotated[str, typer.Argument(help="The name of a model that you added.")], *, as_json: AsJson = False
) -> None:
    """Ask a disabled model again."""
    _switch(name, on=True, as_json=as_json)


def _switch(name: str, *, on: bool, as_json: bool) -> None:
    from auritas.cli.screen import out, plain, print_json
    from auritas.cli.session import opened

    with opened() as auritas:
        if name in {m.name for m in auritas.embedded.list()}:
            raise UsageError(f"{name} is embedded.", remedy=f"Remove it with: auritas models remove {name}")
        auritas.remote.enable(name, on=on)
    if as_json:
        print_json({"name": name, "enabled": on})
        return
    out.print(plain(f"{name} is {'asked' if on else 'not asked'} from now on."))


def _embedded(model: Any) -> dict[str, Any]:
    return {
        "name": model.name,
        "title": model.title,
        "licence": model.licence,
        "bytes": model.bytes,
        "sha256": model.digest,
        "installed": model.installed,
        "tiers": list(model.tiers),
        "roles": list(model.roles),
        "self_test": model.self_test.basis if model.self_test else None,
    }


def _added(entry: Any) -> dict[str, Any]:
    endpoint = entry.endpoint
    return {
        "name": endpoint.name,
        "kind": endpoint.kind.value,
        "provider": endpoint.provider,
        "base_url": endpoint.base_url,
        "model_id": endpoint.model_id,
        "window": endpoint.window,
        "local": endpoint.local,
        "enabled": entry.enabled,
        "priced": entry.priced,
    }


def _show(embedded: Sequence[Any], remote: Sequence[Any]) -> None:
    from rich.table import Table

    from auritas.cli.screen import out, plain, size

    table = Table(box=None, header_style="bold")
    table.add_column("model", overflow="fold", min_width=18)  # a name is what one has to type
    for title in ("where", "size", "what it may", "self-test"):
        table.add_column(title)
    for model in embedded:
        where = ("yours" if model.own else "embedded") if model.installed else "not fetched"
        roles = _may(model.roles) or ("search by meaning" if model.kind == "embeds" else "-")
        tested = f"{model.self_test.answers_right}/{len(model.self_test.answered)}" if model.self_test else "-"
        table.add_row(plain(model.name), where, size(model.bytes), plain(roles), tested)
    for entry in remote:
        address = plain(entry.endpoint.base_url or entry.endpoint.provider)
        table.add_row(plain(entry.endpoint.name), address, "-", "may answer" if entry.enabled else "disabled", "-")
    table.add_row("calculator", "built in", "-", "answers sums, units and dates", "-")
    out.print(table)
    if not any(m.installed for m in embedded):
        out.print(plain("Fetch the embedded ones with: auritas models get standard", "dim"))
