"""Settings: what is set, what it means, and how to change it."""

from typing import Annotated

from fastapi import Body
from pydantic import BaseModel, ConfigDict, Field

from auritas.app.access import Scope
from auritas.app.changing import change
from auritas.app.setting_page import SettingLine, every, line
from auritas.server.caller import Desk, Mine, needs
from auritas.server.examples import shows
from auritas.server.paging import Name
from auritas.server.router import Router

router = Router(prefix="/api/v1/settings", tags=["settings"])
_CHANGED = "settings"
_EXAMPLE = {
    "key": "level",
    "value": "balanced",
    "default": "balanced",
    "origin": "default",
    "explanation": "Accuracy level of `auritas ask`: fast, balanced, high or maximum.",
    "kind": "choice",
    "choices": ["fast", "balanced", "high", "maximum"],
    "minimum": None,
    "maximum": None,
    "takes": "fast, balanced, high or maximum",
    "acts_now": True,
    "changeable": True,
}
Whole = Annotated[int, Field(ge=-(2**53), le=2**53)]
Number = Annotated[float, Field(ge=-(2.0**53), le=2.0**53)]
Words = Annotated[str, Field(max_length=1_000)]


class SettingChange(BaseModel):
    """The new value; null, or an empty text, goes back to the default."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"value": "high"}]})
    value: bool | Whole | Number | Words | None


@router.get("", dependencies=[needs(Scope.CONFIG_READ)], responses=shows([_EXAMPLE]))
def list_settings(mine: Mine) -> tuple[SettingLine, ...]:
    """List every setting with its value, default, origin, meaning, and what it takes."""
    return every(mine.settings)


@router.get("/{key}", dependencies=[needs(Scope.CONFIG_READ)], responses=shows(_EXAMPLE))
def show_setting(mine: Mine, key: Name) -> SettingLine:
    """Return one setting."""
    return line(mine.settings, key)


@router.put("/{key}", dependencies=[needs(Scope.CONFIG_WRITE)], responses=shows(_EXAMPLE | {"value": "high"}))
def change_setting(mine: Mine, desk: Desk, key: Name, wanted: Annotated[SettingChange, Body()]) -> SettingLine:
    """Change one setting. It counts at once for what begins from now on, unless `acts_now` is false."""
    change(mine, key, wanted.value)
    desk.changed(_CHANGED)
    return line(mine.settings, key)
