"""What is remembered as a file: written out to be read or moved, and read in again."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from auritas.kernel.clock import from_timestamp, timestamp
from auritas.kernel.errors import InvalidError, UnavailableError, UsageError, unreadable
from auritas.kernel.log import Kind, Log, LogEvent
from auritas.kernel.memory import Correction, CorrectionState, CorrectionType, DecayClass, Provenance, Scope
from auritas.kernel.ports import Store
from auritas.memory.adapters.corrections_sql import SqlCorrections
from auritas.memory.model import Draft
from auritas.memory.service import Remembering
from auritas.store import Unit

FORMAT = "auritas-memory"
VERSION = 1
MOST_BYTES = 64_000_000
_TITLES = {
    CorrectionType.INSTRUCTION: "Instructions",
    CorrectionType.PREFERENCE: "Preferences",
    CorrectionType.DOMAIN_RULE: "Rules for a field",
    CorrectionType.DECISION: "Decisions",
    CorrectionType.FAILURE_PATTERN: "Mistakes to avoid",
    CorrectionType.FACT: "Facts",
}
_FIELDS = (
    "type", "scope", "claim", "instruction", "subject", "condition", "rejected", "reason", "canonical_query", "domain",
    "confidence", "decay_class", "pinned",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Imported:
    """What came of reading a file in. problems: a line for each entry that was left out."""

    added: int
    known: int
    replaced: int
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MemoryFiles:
    """Writes out what holds, and reads it in again. Reading in is the user's own act, so what is read in holds."""

    store: Store[Unit]
    remembering: Remembering[Unit]
    corrections: SqlCorrections
    log: Log[Unit]

    def document(self) -> dict[str, Any]:
        """Return everything that holds as one JSON document."""
        kept = self._kept()
        return {"format": FORMAT, "version": VERSION, "corrections": [_entry(each) for each in kept]}

    def markdown(self) -> str:
        """Return everything that holds as a page for a person."""
        return "".join(_page(self._kept()))

    def noted(self, form: str, count: int) -> None:
        """Write into the log that memory was written out."""
        with self.store.unit() as unit:
            self.log.append(
                unit, [LogEvent(Kind.EXPORT, "user", {"what": "memory", "format": form, "corrections": count})]
            )

    def read_in(self, path: Path) -> Imported:
        """Store what a file holds; what is there already stays. Damaged entries are left out and named.

        Raises InvalidError when the file is none of ours, and UnavailableError when it cannot be read.
        """
        entries = _entries(path)
        added = known = replaced = 0
        problems = []
        for number, entry in enumerate(entries, 1):
            try:
                draft = _draft(entry)
                with self.store.unit() as unit:
                    kept = self.remembering.keep(unit, draft)
            except (InvalidError, KeyError, TypeError, ValueError) as error:
                problems.append(f"Entry {number}: {error}")
                continue
            known += kept.already
            added += not kept.already
            replaced += len(kept.replaced)
        return Imported(added, known, replaced, tuple(problems))

    def _kept(self) -> Sequence[Correction]:
        with self.store.read() as unit:
            return self.corrections.listed(unit, (CorrectionState.ACTIVE,), limit=1_000_000)


def _entry(correction: Correction) -> dict[str, Any]:
    values = {name: getattr(correction, name) for name in _FIELDS}
    return values | {"created_at": timestamp(correction.created_at), "provenance": correction.provenance}


def _entries(path: Path) -> Sequence[Any]:
    try:
        if path.stat().st_size > MOST_BYTES:
            raise UsageError(
                f"{path} is larger than any memory.", remedy="Conversations are read in by: auritas import"
            )
        document = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UnavailableError(
            f"{path} {unreadable(error)}.", remedy="Name a file that memory was written to."
        ) from None
    except ValueError:
        document = None
    if not isinstance(document, dict) or document.get("format") != FORMAT or document.get("version") != VERSION:
        raise InvalidError(
            f"{path} is no memory of Auritas.", remedy="Write one with: auritas memory export --json memory.json"
        )
    entries = document.get("corrections")
    if not isinstance(entries, list):
        raise InvalidError(f"{path} holds no list of corrections.", remedy="Write it out anew.")
    return entries


def _draft(entry: Any) -> Draft:
    if not isinstance(entry, dict):
        raise InvalidError("it is no object")
    scope = Scope(entry["scope"])
    if scope in {Scope.PROJECT, Scope.CONVERSATION}:
        raise InvalidError(f"it holds in one {scope} only, which is not here")
    words = {name: str(entry.get(name) or "") for name in ("instruction", "subject", "condition", "rejected", "reason")}
    return Draft(
        claim=str(entry["claim"]),
        type=CorrectionType(entry["type"]),
        scope=scope,
        provenance=Provenance.IMPORT,
        canonical_query=str(entry.get("canonical_query") or ""),
        domain=entry.get("domain"),
        confidence=min(1.0, max(0.0, float(entry.get("confidence", 1.0)))),
        decay_class=DecayClass(entry.get("decay_class", "A")),
        pinned=bool(entry.get("pinned", False)),
        created_at=from_timestamp(entry["created_at"]) if entry.get("created_at") else None,
        **words,
    )


def _page(kept: Sequence[Correction]) -> Iterator[str]:
    yield "# What is remembered\n"
    if not kept:
        yield "\nNothing yet.\n"
    for kind, title in _TITLES.items():
        mine = [each for each in kept if each.type is kind]
        if mine:
            yield f"\n## {title}\n\n"
        for each in mine:
            yield f"- {_line(each)}\n"


def _line(correction: Correction) -> str:
    about = f" (asked: {correction.canonical_query})" if correction.canonical_query else ""
    where = "" if correction.scope is Scope.GLOBAL else f" [{correction.scope}]"
    return (
        f"{correction.claim}{about}{where}{' (pinned)' if correction.pinned else ''}, {correction.created_at:%Y-%m-%d}"
    )
