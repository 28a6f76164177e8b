"""Settings as a form shows them: value, default, where it comes from, what it means and what it takes."""

import re
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from auritas.app.changing import AT_NEXT_START, Scalar
from auritas.app.settings import HOME_KEY, Settings, allowed, default, explain, origin, read_file
from auritas.kernel.answers import AccuracyLevel

_USERINFO = re.compile(r"//[^/@]*@")


class FieldKind(StrEnum):
    """Which field of a form takes a setting."""

    CHOICE = "choice"
    SWITCH = "switch"
    WHOLE = "whole"
    NUMBER = "number"
    TEXT = "text"
    PATH = "path"


@dataclass(frozen=True, slots=True)
class SettingLine:
    """One setting.

    value: in force; of what acts at the next start, as it is written. takes: in words. minimum, maximum: inclusive,
    None where there is none. acts_now: whether a change counts at once. changeable: false where the environment sets
    it, or where it says which store this is.
    """

    key: str
    value: Scalar
    default: Scalar
    origin: str
    explanation: str
    kind: FieldKind
    choices: tuple[str, ...]
    minimum: float | None
    maximum: float | None
    takes: str
    acts_now: bool
    changeable: bool


def every(settings: Settings) -> tuple[SettingLine, ...]:
    """Return all settings in the order of their declaration."""
    return tuple(line(settings, key) for key in Settings.model_fields)


def line(settings: Settings, key: str) -> SettingLine:
    """Return one setting. Raises NotFoundError when there is none of this name."""
    meaning = explain(key)
    field, home = Settings.model_fields[key], settings.home
    where = origin(key, home)
    bounds = {type(bound).__name__.lower(): bound for bound in field.metadata}
    low = next((getattr(bounds[name], name) for name in ("ge", "gt") if name in bounds), None)
    return SettingLine(
        key=key,
        value=_value(settings, key, where),
        default=default(key) if key == HOME_KEY else _plain(field.default),
        origin=where,
        explanation=meaning,
        kind=_kind(field.annotation),
        choices=_choices(field.annotation),
        minimum=low,
        maximum=getattr(bounds["le"], "le", None) if "le" in bounds else None,
        takes=allowed(key),
        acts_now=key not in AT_NEXT_START,
        changeable=key != HOME_KEY and where != "environment",
    )


def _value(settings: Settings, key: str, where: str) -> Scalar:
    written = read_file(settings.home).get(key) if key in AT_NEXT_START and where != "environment" else None
    value = _plain(getattr(settings, key)) if written is None else _plain(written)
    # The address of a proxy may hold a password, which nobody needs to see again.
    return _USERINFO.sub("//…@", value) if isinstance(value, str) and key == "proxy" else value


def _plain(value: Any) -> Scalar:
    return value if value is None or isinstance(value, bool | int | float) else str(value)


def _choices(kind: Any) -> tuple[str, ...]:
    if kind is AccuracyLevel:
        return tuple(level.value for level in AccuracyLevel)
    return get_args(kind) if get_origin(kind) is Literal else ()


def _kind(kind: Any) -> FieldKind:
    if _choices(kind):
        return FieldKind.CHOICE
    if kind is Path or Path in get_args(kind):
        return FieldKind.PATH
    known = {bool: FieldKind.SWITCH, int: FieldKind.WHOLE, float: FieldKind.NUMBER}
    return known.get(kind, FieldKind.TEXT)
