"""Keeping and letting go: backups, the passphrase, and the wipe."""

from typing import Annotated, Literal

from fastapi import Body, Response
from pydantic import BaseModel, ConfigDict, Field, SecretStr

from auritas.app.access import Scope
from auritas.app.household import LOCAL
from auritas.app.shapes.keeping import BackupLine, KeyState
from auritas.kernel.errors import RefusedError
from auritas.server import wire
from auritas.server.caller import Desk, House, Me, Mine, needs
from auritas.server.examples import shows
from auritas.server.router import Router
from auritas.server.starting import begin

router = Router(prefix="/api/v1/keeping", tags=["keeping"])
_ADMIN = needs(Scope.ADMIN)
_CHANGED = "keeping"
PANIC_WORD = "DESTROY"
Passphrase = Annotated[SecretStr, Field(min_length=1, max_length=1_000)]
_BACKUP = {
    "name": "auritas-20261120T100000Z.backup",
    "bytes": 1_843_200,
    "made_at": "2026-11-20T10:00:00.000000Z",
    "opens_with": "Opens only together with this store's key.json. Give a passphrase for a backup that travels.",
}
_KEY = {"method": "passphrase", "guarded": True, "warning": ""}


class NotOursError(RefusedError):
    """Only the person who installed the program may do this."""

    code = "not_yours_to_do"

    def __init__(self) -> None:
        super().__init__(
            "Your store belongs to this installation, which keeps its passphrase.",
            remedy="Ask the person who installed Auritas here.",
        )


class OldPassphraseError(RefusedError):
    """The store is guarded, and its passphrase was not given."""

    code = "old_passphrase_needed"

    def __init__(self) -> None:
        super().__init__("The store has a passphrase already.", remedy="Give the present one as `old`, too.")


class BackupWanted(BaseModel):
    """A backup now. passphrase: of its own, so that it opens on any machine; null: it opens as the store does."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"passphrase": None}]})
    passphrase: Passphrase | None = None


class NewPassphrase(BaseModel):
    """The new passphrase; `old`, where the store has one."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"new": "four short plain words", "old": "the one before"}]}
    )
    new: Passphrase
    old: Passphrase | None = None


class PanicWanted(BaseModel):
    """A word that nobody types by mistake."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"word": PANIC_WORD}]})
    word: Literal["DESTROY"]


class Destroyed(BaseModel):
    """What is gone.

    left: files that resisted, which are noise without the key. keyring_left: the key still lies in the system's
    keyring, so that a copied store could be opened.
    """

    destroyed: bool
    removed: int
    left: int
    keyring_left: bool


@router.get("", dependencies=[needs(Scope.CONFIG_READ)], responses=shows(_KEY))
def show_keeping(mine: Mine) -> KeyState:
    """Return how the store's key is kept."""
    return mine.keeping.key


@router.get("/backups", dependencies=[_ADMIN], responses=shows([_BACKUP]))
def list_backups(mine: Mine) -> tuple[BackupLine, ...]:
    """List the backups in the data folder, newest first."""
    return mine.keeping.listed()


@router.post("/backups", status_code=201, dependencies=[_ADMIN], response_model=wire.RunView)
async def back_up_now(mine: Mine, desk: Desk, wanted: Annotated[BackupWanted, Body()]) -> Response:
    """Begin to write one encrypted, verified backup into the data folder; follow the run."""
    secret = wanted.passphrase.get_secret_value() if wanted.passphrase else None
    return begin(
        mine, desk, "backup", "Back up", lambda steps: mine.keeping.backing_up(secret, steps), changes=_CHANGED
    )


@router.put("/passphrase", dependencies=[_ADMIN], responses=shows(_KEY))
def change_passphrase(mine: Mine, me: Me, desk: Desk, wanted: Annotated[NewPassphrase, Body()]) -> KeyState:
    """Guard the store by a passphrase, or by another one. A lost one cannot be recovered."""
    if me.owner != LOCAL:
        raise NotOursError
    if mine.keeping.key.guarded and wanted.old is None:
        raise OldPassphraseError
    mine.change_passphrase(wanted.new.get_secret_value(), wanted.old.get_secret_value() if wanted.old else None)
    desk.changed(_CHANGED)
    return mine.keeping.key


@router.post(
    "/panic",
    dependencies=[_ADMIN],
    responses=shows({"destroyed": True, "removed": 9, "left": 0, "keyring_left": False}),
)
async def panic_wipe(house: House, me: Me, wanted: Annotated[PanicWanted, Body()]) -> Destroyed:  # noqa: ARG001  the word was checked by its type
    """Destroy the key and every store, at once and for ever. There is no way back and no record."""
    if me.owner != LOCAL:
        raise NotOursError
    gone = await house.wipe()
    return Destroyed(
        destroyed=not gone.keyring_left,
        removed=len(gone.removed),
        left=len(gone.left),
        keyring_left=gone.keyring_left,
    )
