"""The rules of data/patterns.toml, compiled once."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from auritas.kernel.memory import CorrectionType

Pattern = re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Lead:
    """Words at the beginning or end of a sentence that say what it is. explicit: they ask to remember outright."""

    name: str
    explicit: bool
    pattern: Pattern


@dataclass(frozen=True, slots=True)
class Rule:
    """A form of what is left. standing: it may be the first message; explicit: as good as a prefix."""

    name: str
    type: CorrectionType
    standing: bool
    explicit: bool
    patterns: tuple[Pattern, ...]


@dataclass(frozen=True, slots=True)
class Excuse:
    """What only sounds like a correction. stops_all: even one with a prefix."""

    name: str
    stops_all: bool
    patterns: tuple[Pattern, ...]

    def fits(self, text: str) -> bool:
        """Return whether a text is excused."""
        return any(pattern.search(text) for pattern in self.patterns)


@dataclass(frozen=True, slots=True)
class Patterns:
    """Everything that the file says."""

    leads: tuple[Lead, ...]
    tails: tuple[Lead, ...]
    rules: tuple[Rule, ...]
    excuses: tuple[Excuse, ...]
    obedience: tuple[Pattern, ...]
    forget: tuple[Pattern, ...]
    hedges: tuple[Pattern, ...]
    conditions: tuple[Pattern, ...]
    fields: tuple[tuple[str, Pattern], ...]
    scopes: Mapping[str, tuple[Pattern, ...]]


@cache
def patterns() -> Patterns:
    """Return the rules that ship with Auritas."""
    text = resources.files("auritas.memory.detection").joinpath("data", "patterns.toml").read_text(encoding="utf-8")
    data = tomllib.loads(text)
    words = data["words"]
    return Patterns(
        leads=tuple(_end(entry, r"^(?:{})[\s,.;:!\u2014\u2013-]*") for entry in data["lead"]),
        tails=tuple(_end(entry, r"(?:{})[\s.!?]*$") for entry in data["tail"]),
        rules=tuple(_rule(entry) for entry in data["core"]),
        excuses=tuple(
            Excuse(entry["name"], entry.get("all", False), _compiled(entry["patterns"])) for entry in data["excuse"]
        ),
        obedience=_compiled(words["obedience"]),
        forget=_compiled(words["forget"]),
        hedges=_compiled(words["hedges"]),
        conditions=_compiled(words["condition"]),
        fields=tuple((name, _compiled([form])[0]) for name, form in words["fields"]),
        scopes={name: _compiled(forms) for name, forms in data["scope"].items()},
    )


def _end(entry: Mapping[str, Any], form: str) -> Lead:
    alternatives = "|".join(f"(?:{each})" for each in entry["patterns"])
    return Lead(entry["name"], entry.get("explicit", False), _compiled([form.replace("{}", alternatives)])[0])


def _rule(entry: Mapping[str, Any]) -> Rule:
    return Rule(
        entry["name"],
        CorrectionType(entry["type"]),
        entry.get("standing", False),
        entry.get("explicit", False),
        _compiled(entry["patterns"]),
    )


def _compiled(forms: Sequence[str]) -> tuple[Pattern, ...]:
    return tuple(re.compile(form, re.IGNORECASE) for form in forms)
