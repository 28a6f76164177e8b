"""Models: those that run here and those at an address; add, test, switch, fetch, remove."""

import asyncio
from typing import Annotated

from fastapi import Body, Response
from pydantic import BaseModel, ConfigDict, Field, SecretStr

from auritas.app.access import LOCAL, Caller, Scope
from auritas.app.model_page import AddedLine, ModelGone, ModelsShown, added_of
from auritas.app.models import Addition, KnownProvider, TestResult, kind_named, known_presets, price_of
from auritas.kernel.errors import RefusedError
from auritas.server import wire
from auritas.server.caller import Desk, ForbiddenError, Me, Mine, needs
from auritas.server.examples import shows
from auritas.server.paging import Name
from auritas.server.router import Router
from auritas.server.routes import model_examples as examples
from auritas.server.starting import begin

router = Router(prefix="/api/v1/models", tags=["models"])
_READS, _WRITES = needs(Scope.CONFIG_READ), needs(Scope.CONFIG_WRITE)
_CHANGED = "models"
PricePerMillion = Annotated[float, Field(ge=0, le=1_000_000)]


class SharedError(RefusedError):
    """Something of the whole installation was to be changed by somebody who only uses it."""

    code = "shared"

    def __init__(self) -> None:
        super().__init__(
            "Embedded models and the system's keyring belong to all who use this installation.",
            remedy="Ask the person who installed Auritas here; models of your own at an address are yours.",
        )


class NewModel(BaseModel):
    """A model at an address. `preset` or `base_url` says where it is; what is left out comes from the preset.

    key: the provider's; it travels here once, is kept encrypted, and is never shown again. in_keyring: keep it in the
    operating system's keyring instead. open_ok: let the key travel onwards without encryption. input_price,
    output_price: currency units per million tokens.
    """

    model_config = ConfigDict(json_schema_extra={"examples": [examples.NEW]})
    model_id: str = Field(min_length=1, max_length=200)
    preset: str | None = Field(None, max_length=100)
    base_url: str | None = Field(None, max_length=1_000)
    name: str | None = Field(None, max_length=100)
    key: SecretStr | None = Field(default=None, max_length=1_000)
    kind: str = Field("openai", max_length=50, description="Protocol: openai, anthropic or any_llm.")
    provider: str | None = Field(None, max_length=100)
    window: int | None = Field(None, ge=256, le=10_000_000)
    input_price: PricePerMillion | None = None
    output_price: PricePerMillion | None = None
    in_keyring: bool = False
    open_ok: bool = False
    sees: bool = Field(default=False, description="Whether it takes pictures.")


class ModelChange(BaseModel):
    """Whether the model may be asked."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"enabled": False}]})
    enabled: bool


class ModelsWanted(BaseModel):
    """What to fetch: `small`, `standard`, or the name of one embedded model."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"wanted": "standard"}]})
    wanted: str = Field(max_length=200)


class SelfTestWanted(BaseModel):
    """Which embedded model to test; left out: all. again: also those that were tested with their present weights."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"name": None, "again": False}]})
    name: str | None = Field(None, max_length=200)
    again: bool = False


@router.get("", dependencies=[_READS], responses=shows(examples.MODELS))
def list_models(mine: Mine) -> ModelsShown:
    """List embedded models, models that were added, who sits in the council now, and what can be fetched."""
    return mine.model_pages.every()


@router.get("/presets", dependencies=[_READS], responses=shows([examples.PRESET]))
def list_presets() -> tuple[KnownProvider, ...]:
    """List well-known providers, with the month in which their prices were looked up."""
    return known_presets()


@router.post("", status_code=201, dependencies=[_WRITES], responses=shows(examples.ADDED, 201))
def add_model(mine: Mine, me: Me, desk: Desk, wanted: Annotated[NewModel, Body()]) -> AddedLine:
    """Add a model at an address. Nothing is sent to it by this; test it, or ask a question."""
    if wanted.in_keyring:
        _require_own(me)
    if _sends_kept_key(wanted) and not me.may(Scope.ADMIN):
        raise ForbiddenError(Scope.ADMIN)
    added = added_of(mine.remote.add(_addition(wanted)))
    desk.changed(_CHANGED)
    return added


@router.post("/fetch", status_code=201, dependencies=[_WRITES], response_model=wire.RunView)
async def fetch_models(mine: Mine, me: Me, desk: Desk, wanted: Annotated[ModelsWanted, Body()]) -> Response:
    """Begin to download embedded models; follow the run. Every request is in the egress ledger before it is sent."""
    _require_own(me)
    await asyncio.to_thread(mine.model_pages.require, wanted.wanted)
    return begin(
        mine,
        desk,
        "fetch",
        f"Fetch {wanted.wanted}",
        lambda steps: mine.model_pages.fetch(wanted.wanted, steps),
        changes=_CHANGED,
    )


@router.post("/self-tests", status_code=201, dependencies=[_WRITES], response_model=wire.RunView)
async def self_test_models(mine: Mine, desk: Desk, wanted: Annotated[SelfTestWanted, Body()]) -> Response:
    """Begin to test embedded models with questions whose answers are known; follow the run."""
    await asyncio.to_thread(mine.model_pages.require_testable, wanted.name)
    return begin(
        mine,
        desk,
        "self-test",
        f"Test {wanted.name or 'all embedded models'}",
        lambda steps: mine.model_pages.examine(wanted.name, steps, again=wanted.again),
        changes=_CHANGED,
    )


@router.post("/{name}/test", dependencies=[_WRITES], responses=shows(examples.TESTED))
async def test_model(mine: Mine, name: Name) -> TestResult:
    """Make one tiny call to a model at an address and say how it went."""
    return await mine.remote.test(name)


@router.patch("/{name}", dependencies=[_WRITES], responses=shows(examples.ADDED))
def switch_model(mine: Mine, desk: Desk, name: Name, change: Annotated[ModelChange, Body()]) -> AddedLine:
    """Switch a model at an address on or off."""
    switched = added_of(mine.remote.enable(name, on=change.enabled))
    desk.changed(_CHANGED)
    return switched


@router.delete("/{name}", dependencies=[_WRITES], responses=shows({"name": "cloud", "bytes": 0}))
async def remove_model(mine: Mine, me: Me, desk: Desk, name: Name) -> ModelGone:
    """Remove a model: its files, or its entry, and its key when no other model uses that."""
    if me.owner != LOCAL and name not in {each.endpoint.name for each in mine.remote.list()}:
        _require_own(me)
    gone = await mine.model_pages.remove(name)
    desk.changed(_CHANGED)
    return gone


def _sends_kept_key(wanted: NewModel) -> bool:
    """Whether a key that is kept for a provider would travel to an address of the caller's choice."""
    addressed = wanted.key is None and wanted.base_url is not None
    return addressed and any(each.name == wanted.preset and each.needs_key for each in known_presets())


def _require_own(me: Caller) -> None:
    """Raise SharedError unless the person who installed the program calls: models and keyring are one for all."""
    if me.owner != LOCAL:
        raise SharedError


def _addition(wanted: NewModel) -> Addition:
    return Addition(
        model_id=wanted.model_id,
        preset=wanted.preset,
        base_url=wanted.base_url,
        name=wanted.name,
        key=wanted.key.get_secret_value() if wanted.key else None,
        kind=kind_named(wanted.kind),
        provider=wanted.provider,
        window=wanted.window,
        price=price_of(wanted.input_price, wanted.output_price),
        in_keyring=wanted.in_keyring,
        open_ok=wanted.open_ok,
        sees=wanted.sees,
    )
