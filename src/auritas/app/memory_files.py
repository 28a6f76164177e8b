"""What is remembered as a file: written out to be read or moved, and read in again."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from auritas.app.exports import require_target, write_private
from auritas.app.memory_fields import Fields
from auritas.kernel.clock import timestamp
from auritas.kernel.errors import InvalidError, UnavailableError, UsageError, unreadable
from auritas.kernel.log import Kind, Log, LogEvent
from auritas.kernel.memory import Correction, CorrectionState, CorrectionType, DecayClass, Provenance, Scope
from auritas.kernel.ports import Store
from auritas.kernel.text import one_line
from auritas.memory.adapters.conversations_sql import ConversationRecords
from auritas.memory.adapters.corrections_sql import SqlCorrections
from auritas.memory.adapters.projects_sql import ProjectRecords
from auritas.memory.adapters.steering_sql import left_out_of
from auritas.memory.conversations.policy import PROJECT_CHARACTERS, title_of
from auritas.memory.detection.secrets import holds_secret
from auritas.memory.model import Draft, Kept
from auritas.memory.service import Remembering
from auritas.memory.steering import Steering
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
_WORDS = ("instruction", "subject", "condition", "rejected", "reason", "canonical_query")


@dataclass(frozen=True, slots=True)
class Imported:
    """What came of reading a file in. replaced: what the file's entries took the place of.

    problems: a line for each entry that was left out.
    """

    added: int
    known: int
    replaced: tuple[Correction, ...]
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MemoryFiles:
    """Writes out what holds, and reads it in again. Reading in is the user's own act, so what is read in holds."""

    store: Store[Unit]
    remembering: Remembering[Unit]
    corrections: SqlCorrections
    projects: ProjectRecords
    conversations: ConversationRecords
    log: Log[Unit]
    steering: Steering[Unit]

    def document(self) -> dict[str, Any]:
        """Return everything that holds as one JSON document."""
        with self.store.read() as unit:
            found = [self._entry(unit, each) for each in self._kept(unit)]
        return {"format": FORMAT, "version": VERSION, "corrections": found}

    def markdown(self) -> str:
        """Return everything that holds as a page for a person."""
        with self.store.read() as unit:
            return "".join(_page(self._kept(unit)))

    def export(self, *, structured: bool) -> tuple[str, int]:
        """Return everything that holds as JSON or Markdown, and how many corrections; the log says that it went out."""
        text = json.dumps(self.document(), ensure_ascii=False, indent=2) + "\n" if structured else self.markdown()
        with self.store.unit() as unit:
            count = len(self._kept(unit))
            refs = {"what": "memory", "format": "json" if structured else "markdown", "corrections": count}
            self.log.append(unit, [LogEvent(Kind.EXPORT, "user", refs)])
        return text, count

    def export_to(self, target: Path, *, structured: bool, force: bool = False) -> int:
        """Write it to a file that only the user can read, whole or not at all; return how many corrections.

        Raises FileExistsAlreadyError when the file exists, unless `force`.
        """
        require_target(target, force=force)
        text, count = self.export(structured=structured)
        write_private(target, [text])
        return count

    def read_in(self, path: Path) -> Imported:
        """Store what a file holds; see `take_in`. Raises UnavailableError, too, when it cannot be read."""
        return self.take_in(_content(path), str(path))

    def take_in(self, content: bytes, called: str = "The file") -> Imported:
        """Store what a document holds. What is there already stays, and so does what is newer than the document's.

        Damaged entries are left out and named. Raises InvalidError when the document is none of ours.
        """
        added = known = 0
        replaced: list[Correction] = []
        problems = []
        for number, entry in enumerate(_entries(content, called), 1):
            try:
                with self.store.unit() as unit:
                    kept = self._keep(unit, entry)
            except InvalidError as error:
                problems.append(f"entry {number}: {error.message}")
                continue
            known += kept.already
            added += not kept.already
            replaced += kept.replaced
        return Imported(added, known, tuple(replaced), tuple(problems))

    def _keep(self, unit: Unit, entry: Any) -> Kept:
        draft = self._draft(unit, entry)
        kept = self.remembering.keep(unit, draft)
        newer = next((each for each in kept.replaced if each.created_at >= kept.correction.created_at), None)
        if newer is not None:
            # Raised inside the unit of work, so that nothing of it stays.
            raise InvalidError(f"what holds here is newer: {one_line(newer.claim, 80)}")
        for conversation_id in () if kept.already else Fields(entry).texts("left_out_of"):
            self.steering.leave_out(unit, kept.correction.id, conversation_id)
        return kept

    def _kept(self, unit: Unit) -> Sequence[Correction]:
        return self.corrections.listed(unit, (CorrectionState.ACTIVE,), limit=1_000_000)

    def _entry(self, unit: Unit, correction: Correction) -> dict[str, Any]:
        values = {name: getattr(correction, name) for name in _FIELDS}
        project = (
            self.projects.get(unit, correction.project_id)
            if correction.scope is Scope.PROJECT and (correction.project_id)
            else None
        )
        return values | {
            "project": project.name if project else None,
            "conversation_id": correction.conversation_id if correction.scope is Scope.CONVERSATION else None,
            "left_out_of": list(left_out_of(unit, correction.id)),
            "created_at": timestamp(correction.created_at),
            "provenance": correction.provenance,
        }

    def _draft(self, unit: Unit, entry: Any) -> Draft:
        fields = Fields(entry)
        scope = fields.one_of(Scope, "scope")
        kind = fields.one_of(CorrectionType, "type")
        if kind is CorrectionType.MODEL_PREFERENCE:
            raise InvalidError("what models are good at is learned, not read in")
        words = {name: fields.text(name) for name in _WORDS}
        places = (fields.text("domain"), fields.text("project"))
        if any(holds_secret(each) for each in (*words.values(), fields.text("claim"), *places)):
            raise InvalidError("it looks like a secret, and secrets are never remembered")
        return Draft(
            claim=fields.text("claim", needed=True),
            type=kind,
            scope=scope,
            provenance=Provenance.IMPORT,
            domain=fields.text("domain", needed=scope is Scope.DOMAIN) or None,
            project_id=self._project(unit, fields) if scope is Scope.PROJECT else None,
            conversation_id=self._conversation(unit, fields) if scope is Scope.CONVERSATION else None,
            confidence=fields.share("confidence", 1.0),
            decay_class=fields.one_of(DecayClass, "decay_class", DecayClass.A),
            pinned=fields.flag("pinned"),
            created_at=fields.moment("created_at"),
            **words,
        )

    def _project(self, unit: Unit, fields: Fields) -> str:
        """Return the project of that name, which is made where there is none."""
        name = title_of(fields.text("project", needed=True), PROJECT_CHARACTERS, what="project")
        return self.projects.named(unit, name) or self.projects.create(unit, name)

    def _conversation(self, unit: Unit, fields: Fields) -> str:
        """Return the conversation, if it is here: a conversation that was read in from elsewhere keeps its id."""
        found = self.conversations.get(unit, fields.text("conversation_id", needed=True))
        if found is None:
            raise InvalidError("it holds in one conversation only, which is not here")
        return found.id


def _content(path: Path) -> bytes:
    try:
        if path.stat().st_size > MOST_BYTES:
            raise UsageError(
                f"{path} is larger than any memory.", remedy="Conversations are read in by: auritas import"
            )
        return path.read_bytes()
    except OSError as error:
        raise UnavailableError(
            f"{path} {unreadable(error)}.", remedy="Name a file that memory was written to."
        ) from None


def _entries(content: bytes, called: str) -> Sequence[Any]:
    try:
        document = json.loads(content.decode())
    except (ValueError, RecursionError):
        document = None
    if not isinstance(document, dict) or document.get("format") != FORMAT or document.get("version") != VERSION:
        raise InvalidError(
            f"{called} is no memory of Auritas.", remedy="Write one with: auritas memory export --json memory.json"
        )
    entries = document.get("corrections")
    if not isinstance(entries, list):
        raise InvalidError(f"{called} holds no list of corrections.", remedy="Write it out anew.")
    return entries


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
