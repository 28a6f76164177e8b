"""Settings: one typed object, read from config.toml, then the environment, then what a command was given."""

import json
import os
import tomllib
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal, get_args, get_origin
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import Field, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from auritas.app.folders import default_home
from auritas.kernel.answers import AccuracyLevel
from auritas.kernel.errors import InvalidError, NotFoundError, UnavailableError, nearest

PREFIX = "AURITAS_"
CONFIG_FILE = "config.toml"
HOME_KEY = "home"


class Settings(BaseSettings):
    """Everything that can be set. Each field is a key of config.toml and, in capitals, an AURITAS_ variable."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, env_ignore_empty=True, extra="forbid", frozen=True)

    home: Path = Field(description="Folder of the encrypted store, its key, the models and the backups.")
    model_dir: Path | None = Field(None, description="Folder of embedded model files, if not models/ in the home.")
    models: Literal["standard", "small", "none"] = Field(
        "standard", description="Embedded models to fetch at the first run: standard (1.8 GB), small (0.2 GB) or none."
    )
    level: AccuracyLevel = Field(
        AccuracyLevel.BALANCED, description="Accuracy level of `auritas ask`: fast, balanced, high or maximum."
    )
    chat_level: AccuracyLevel = Field(
        AccuracyLevel.HIGH, description="Accuracy level of `auritas chat`: fast, balanced, high or maximum."
    )
    policy: Literal["guarded", "council", "vote", "track_record", "best_single"] = Field(
        "guarded", description="Rule that chooses: guarded (default), council, vote, track_record or best_single."
    )
    reviewer: str = Field("", description="Seat that reviews answers; empty: the best one that did not write them.")
    unsure_below: float = Field(
        0.0, ge=0, le=1, description="P below which the council says that it does not know; 0: never."
    )
    when_unsure: Literal["say", "escalate"] = Field(
        "say", description="What follows below it: say so, or escalate to the next level first."
    )
    injection: Literal["budget", "threshold"] = Field(
        "budget", description="What of memory enters a prompt: budget (all in scope that fit) or threshold (by score)."
    )
    memory_tokens: int = Field(1_800, ge=0, description="Tokens that what is remembered may take in a prompt.")
    memory_threshold: float = Field(
        0.30, ge=0.20, le=0.80, description="Score from which a correction enters, if what enters is chosen by score."
    )
    recall: Literal["auto", "off"] = Field(
        "auto", description="Passages of earlier conversations in prompts: auto (when a question looks back) or off."
    )
    detection_threshold: float = Field(
        0.45, ge=0, le=1, description="How sure it must be that a message is meant to be remembered; 1: only prefixes."
    )
    validation: Literal["off", "plausible", "strict"] = Field(
        "off", description="Who checks a correction first: off (nobody), plausible (one member) or strict (all)."
    )
    deadline_s: float = Field(120.0, gt=0, le=3600, description="Seconds that one member may take for one answer.")
    max_tokens: int = Field(400, ge=16, le=8192, description="New tokens that one answer may have.")
    threads_per_model: int = Field(1, ge=1, le=64, description="Threads that one embedded model computes with.")
    model_memory_mb: int = Field(6000, ge=256, description="Memory that all loaded embedded models may take, in MB.")
    question_tokens: int = Field(0, ge=0, description="Tokens that one question may use over all members; 0: any.")
    question_micros: int = Field(
        0, ge=0, description="Millionths of a currency unit that one question may cost; 0: any."
    )
    day_tokens: int = Field(0, ge=0, description="Tokens that one day may use; 0: any.")
    day_micros: int = Field(0, ge=0, description="Millionths of a currency unit that one day may cost; 0: any.")
    zone: str = Field("", description="Your time zone as an IANA name, for days and dates; empty: the machine's.")
    notes: Literal["auto", "15min", "hourly", "manual", "off"] = Field(
        "auto",
        description="When models write hand-off notes: auto (at limits, after gaps, and every 6 hours for "
        "conversations at rest), 15min, hourly, manual or off. One note takes the largest local model minutes of "
        "one core; it stays in the store, and leaves the machine only if models elsewhere may write notes.",
    )
    notes_elsewhere: bool = Field(
        default=False,
        description="Let models elsewhere write notes and recovery prompts by themselves, too: that sends them what "
        "was said once more, costs tokens, and is listed by `auritas egress`.",
    )
    note_messages: int = Field(30, ge=2, le=1000, description="Messages since the last note that trigger a new one.")
    note_window_share: float = Field(
        0.7, ge=0.1, le=0.95, description="Share of a model's window that triggers a note when it is full."
    )
    recovery: Literal["auto", "manual", "off"] = Field(
        "auto",
        description="When models write the prompt by which they know you in a new conversation: auto (every 15 "
        "minutes at most, only models that were used), manual or off.",
    )
    proxy: str = Field("", description="Proxy for models that you added; empty: none.")
    debug: bool = Field(default=False, description="Show the stack trace of an unexpected error.")
    passphrase_file: Path | None = Field(
        None, description="File whose first line is the passphrase, for machines alone."
    )

    @field_validator("model_dir", "passphrase_file")
    @classmethod
    def _whole_path(cls, path: Path | None) -> Path | None:
        # An empty text is what a script leaves behind for "not set", and never the current folder.
        if path is None or path == Path():
            return None
        try:
            return path.expanduser().absolute()
        except RuntimeError:
            raise ValueError(f"nobody's home folder is known as {path.parts[0]}") from None

    @field_validator("zone")
    @classmethod
    def _known_zone(cls, zone: str) -> str:
        if zone:
            try:
                ZoneInfo(zone)
            except (ZoneInfoNotFoundError, ValueError):
                raise ValueError(f"{zone!r} is not an IANA zone such as Europe/Berlin") from None
        return zone

    @property
    def database(self) -> Path:
        """The encrypted store."""
        return self.home / "auritas.db"

    @property
    def model_folder(self) -> Path:
        """Where embedded model files lie."""
        return self.model_dir or self.home / "models"


def load(**flags: object) -> Settings:
    """Return the settings in force; flags that are None do not count.

    Raises InvalidError on an unknown key or a wrong value, naming the key and the nearest valid ones.
    """
    home = Path(str(flags.pop(HOME_KEY, None) or default_home())).expanduser()
    from_file = read_file(home)
    known = [name for name in Settings.model_fields if name != HOME_KEY]
    for key in from_file:
        if key not in known:
            raise _unknown(key, known, str(home / CONFIG_FILE))
    for variable in os.environ:
        if variable.startswith(PREFIX) and variable.removeprefix(PREFIX).lower() not in Settings.model_fields:
            raise _unknown(variable, [PREFIX + name.upper() for name in Settings.model_fields], "the environment")
    from_environment = {name for name in known if os.environ.get(PREFIX + name.upper())}
    given: dict[str, Any] = {k: v for k, v in from_file.items() if k not in from_environment}
    given |= {k: v for k, v in flags.items() if v is not None}
    try:
        return Settings(home=home.absolute(), **given)
    except ValidationError as error:
        first = error.errors()[0]
        key = str(first["loc"][0]) if first["loc"] else "?"
        own = first.get("ctx", {}).get("error")
        why = str(own) if own else f"it takes {allowed(key)}"
        raise InvalidError(
            f"The setting {key!r} cannot be {first.get('input')!r}: {why}.",
            remedy=f"What it takes stands beside it under Settings; in a terminal: auritas config explain {key}",
        ) from None


def read_file(home: Path) -> dict[str, Any]:
    """Return what config.toml in `home` sets. Raises InvalidError when it is not TOML."""
    path = home / CONFIG_FILE
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InvalidError(f"{path} is not valid TOML: {error}.", remedy="Mend or remove the file.") from None
    except OSError as error:
        raise UnavailableError(
            f"{path} cannot be read ({error.strerror}).", remedy="Set AURITAS_HOME to a folder that is yours alone."
        ) from None


def write_key(home: Path, key: str, text: str) -> Settings:
    """Set `key` in config.toml to `text` and return the settings then in force; an empty text removes the key.

    Raises NotFoundError on an unknown key and InvalidError on a wrong value, leaving the file as it was.
    """
    known = [name for name in Settings.model_fields if name != HOME_KEY]
    if key not in known:
        raise NotFoundError(
            f"There is no setting {key!r}.", remedy=nearest(key, known) or "See all: auritas config show"
        )
    values = read_file(home)
    values.pop(key, None)
    if text:
        checked = getattr(load(home=home, **{key: text}), key)
        values[key] = checked if isinstance(checked, bool | int | float) else str(checked)
    lines = [f"{name} = {json.dumps(value, ensure_ascii=False)}\n" for name, value in sorted(values.items())]
    write_file(home, "".join(lines))
    return load(home=home)


def write_file(home: Path, text: str | None) -> None:
    """Replace config.toml by `text` in one step, or remove it. Raises UnavailableError, leaving it as it was."""
    partial = home / (CONFIG_FILE + ".new")
    try:
        if text is None:
            (home / CONFIG_FILE).unlink(missing_ok=True)
            return
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        partial.touch(mode=0o600)  # the address of a proxy may hold a password
        partial.write_text(text, encoding="utf-8")
        partial.replace(home / CONFIG_FILE)
    except OSError as error:
        with suppress(OSError):
            partial.unlink(missing_ok=True)
        raise UnavailableError(
            f"{home / CONFIG_FILE} cannot be written ({error.strerror}).",
            remedy="Free some space, or check the rights of the folder; nothing was changed.",
        ) from None


def explain(key: str) -> str:
    """Return what the setting `key` means. Raises NotFoundError when there is none of this name."""
    field = Settings.model_fields.get(key)
    if field is None:
        hint = nearest(key, list(Settings.model_fields))
        raise NotFoundError(f"There is no setting {key!r}.", remedy=f"{hint} See all: auritas config show".strip())
    return field.description or ""


def allowed(key: str) -> str:
    """Return in words which values a known setting takes."""
    field = Settings.model_fields[key]
    choices = get_args(field.annotation) if get_origin(field.annotation) is Literal else ()
    if field.annotation is AccuracyLevel:
        choices = tuple(level.value for level in AccuracyLevel)
    if choices:
        return f"{', '.join(choices[:-1])} or {choices[-1]}"
    if field.annotation is bool:
        return "true or false"
    if field.annotation in {int, float}:
        bounds = {
            type(bound).__name__.lower(): getattr(bound, type(bound).__name__.lower()) for bound in field.metadata
        }
        words = {"ge": "at least", "gt": "above", "le": "at most"}
        named = " and ".join(f"{words[kind]} {bound}" for kind, bound in bounds.items())
        return f"{'a whole number' if field.annotation is int else 'a number'} {named}".strip()
    return "text" if field.annotation is str else "a path"


def default(key: str) -> str | None:
    """Return the default of a known setting as text; None where it is empty."""
    value = default_home() if key == HOME_KEY else Settings.model_fields[key].default
    return None if value in {None, ""} else str(value)


def _unknown(key: str, known: list[str], place: str) -> InvalidError:
    return InvalidError(
        f"{key!r} in {place} is no setting.", remedy=nearest(key, known) or "See all: auritas config show"
    )


def origin(key: str, home: Path) -> str:
    """Return where the value of `key` comes from: the environment, config.toml or the default."""
    if os.environ.get(PREFIX + key.upper()):
        return "environment"
    return CONFIG_FILE if key in read_file(home) else "default"
