"""The use cases behind `auritas memory`: what is remembered is seen, changed, explained, taken back and erased."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from auritas.app.memory_views import Confirmed, Detail, Entry, Erased, Foreseen, Reason, Telling, WhyUsed
from auritas.app.naming import AMBIGUOUS_SHOWN, AmbiguousError
from auritas.app.partings import Partings
from auritas.app.recollection import Shelves
from auritas.app.resembling import resembling, unsettled
from auritas.app.setting_right import SettingRight
from auritas.app.sweeping import backups_of, swept
from auritas.council.adapters.grades_sql import SqlGrades
from auritas.council.reasons import MEMORY
from auritas.kernel.errors import NotFoundError, RefusedError, UsageError
from auritas.kernel.memory import (
    Correction,
    CorrectionState,
    CorrectionType,
    DecayClass,
    Provenance,
    Scope,
)
from auritas.kernel.text import one_line
from auritas.kernel.trace import Signal, Trace
from auritas.memory.adapters.corrections_sql import SqlCorrections
from auritas.memory.adapters.forgetting_sql import Forgetting
from auritas.memory.adapters.projects_sql import active_project
from auritas.memory.adapters.repeats_sql import Repeated, forget, repeats
from auritas.memory.adapters.steering_sql import kept_pairs
from auritas.memory.adapters.used_sql import PASSAGE, passage_of, runs_named, used
from auritas.memory.conversations.policy import short_id
from auritas.memory.detection.model import Detected, Nothing, Why
from auritas.memory.history import Change
from auritas.memory.model import CLAIM_CHARACTERS, Draft, Kept, Undone
from auritas.memory.service import Remembering
from auritas.store import SqlStore, Unit

__all__ = [
    "Confirmed",
    "Detail",
    "Entry",
    "Erased",
    "Foreseen",
    "Kept",
    "Memory",
    "Reason",
    "SecretError",
    "Telling",
    "Undone",
    "WhyUsed",
]

LIST_COMMAND = "See them on the page Memory, or by auritas memory list"
USE_PROJECT = "Choose one: auritas projects use NAME"
SHOWN = (CorrectionState.ACTIVE, CorrectionState.PROPOSED)
_EVERY = 1_000_000
"""More than anybody tells."""
_GRADING = frozenset({Change.CREATED, Change.CONFIRMED})
"""Changes that grade the answer which is corrected."""
_ID_SHOWN_AT_LEAST = 13
_NOT_ERASED = tuple(state for state in CorrectionState if state is not CorrectionState.ERASED)


class NothingUsedError(NotFoundError):
    """Nothing was asked yet, or under that name."""

    code = "no_run"


class SecretError(RefusedError):
    """Secrets are never remembered: what is remembered goes into prompts."""

    code = "secret"

    def __init__(self) -> None:
        super().__init__(
            "This looks like a secret, and secrets are never remembered.",
            remedy="Keep it in a password manager; here it would go into prompts.",
        )


@dataclass(frozen=True, slots=True)
class Memory:
    """What is remembered. Corrections are named by their id or the beginning of it; None: the newest one.

    read: says what kind of thing words are. forget_derived: removes what models wrote from it. partings: hears
    what is gone.
    """

    store: SqlStore
    remembering: Remembering[Unit]
    corrections: SqlCorrections
    shelves: Shelves
    grades: SqlGrades
    setting_right: SettingRight
    read: Callable[[str], Detected | Nothing]
    forgetting: Forgetting
    forget_derived: Callable[[Unit], None]
    partings: Partings

    # --- seeing -----------------------------------------------------------------------------------------------------

    def list(self, states: Sequence[CorrectionState] = SHOWN) -> tuple[Entry, ...]:
        """Return what is remembered, newest first."""
        with self.store.read() as unit:
            times = self.corrections.times_applied(unit)
            short = _short_ids(each.id for each in self.corrections.listed(unit, _NOT_ERASED, limit=_EVERY))
            found = self.corrections.listed(unit, states, limit=_EVERY)
            return tuple(Entry(each, times.get(each.id, 0), short[each.id]) for each in found)

    def show(self, name: str | None = None) -> Detail:
        """Return everything about one correction."""
        with self.store.read() as unit:
            correction = self._any_named(unit, name)
            times = self.corrections.times_applied(unit).get(correction.id, 0)
            superseded = self.corrections.listed(unit, (CorrectionState.SUPERSEDED,), limit=_EVERY)
            replaces = tuple(each for each in superseded if each.superseded_by == correction.id)
            return Detail(
                Entry(correction, times, correction.id), self.corrections.history(unit, correction.id), replaces
            )

    def why(self, name: str | None = None) -> WhyUsed:
        """Return what entered the prompts of a question; `name`: of a run, a question or a trace. None: the last.

        Raises NothingUsedError and AmbiguousError.
        """
        with self.store.read() as unit:
            run_id, query_id = self._run_named(unit, name)
            found = used(unit, query_id, run_id)
            if found is None:
                raise NothingUsedError(f"There is no run {name!r}.", remedy="See the questions: auritas questions")
            reasons = tuple(
                Reason(each, _kept(self.corrections.get(unit, each.correction_id))) for each in found.weighed
            )
            passages = {each.ref_id: each.score or 0.0 for each in found.entered if each.kind == PASSAGE}
            recalled = tuple(filter(None, (passage_of(unit, ref, score) for ref, score in passages.items())))
            notes = tuple(each for each in found.entered if each.kind != PASSAGE)
            return WhyUsed(found.query_id, found.run_id, found.seat, found.question, reasons, recalled, notes)

    def why_of(self, name: str, correction_id: str | None = None) -> WhyUsed:
        """Return what `why` does, of one correction alone where it is named. Raises NotFoundError, too."""
        found = self.why(name)
        if correction_id is None:
            return found
        reasons = tuple(each for each in found.reasons if each.weighed.correction_id == correction_id)
        if not reasons:
            raise NothingUsedError("It was not weighed for this question.", remedy="Leave it out to see what was.")
        return replace(found, reasons=reasons)

    def with_words(self, trace: Trace) -> Trace:
        """Return a trace whose signals of memory say what was remembered, where it has not been erased."""
        ids = {signal.text.split(" ", 1)[0] for signal in trace.signals if signal.kind == MEMORY}
        if not ids:
            return trace
        with self.store.read() as unit:
            words = {each: _kept(self.corrections.get(unit, each)) for each in ids}
        return replace(trace, signals=tuple(_worded(signal, words) for signal in trace.signals))

    # --- changing ---------------------------------------------------------------------------------------------------

    def add(self, claim: str, to: Telling) -> Kept:
        """Store something that the user says outright. Raises SecretError for what looks like a secret."""
        heard = self._heard_all(claim, to)
        with self.store.unit() as unit:
            kept = self.remembering.keep(unit, self._draft(unit, claim, to, heard))
        return self._with_resembling(kept)

    def _heard_all(self, claim: str, to: Telling) -> Detected | None:
        """Return how the words read, if they do. Raises SecretError, and UsageError for too long a question."""
        heard = self._heard(claim)
        for words in filter(None, (to.query, to.condition)):
            self._heard(words)
        if len(to.query) > CLAIM_CHARACTERS:
            raise UsageError(f"The question has more than {CLAIM_CHARACTERS:,} characters.", remedy="Say it shorter.")
        return heard if isinstance(heard, Detected) else None

    def _heard(self, words: str) -> Detected | Nothing:
        """Return how words read. Raises SecretError."""
        heard = self.read(words)
        if isinstance(heard, Nothing) and heard.reason is Why.SECRET:
            raise SecretError
        return heard

    def _draft(self, unit: Unit, claim: str, to: Telling, heard: Detected | None) -> Draft:
        """Return what is to be stored: as the user says, and where they say nothing, as their words read."""
        kind = to.type or (heard.type if heard else CorrectionType.INSTRUCTION)
        scope = to.scope
        project_id = _project_of(unit, scope, to.project_id)
        return Draft(
            claim=claim,
            type=kind,
            scope=scope,
            provenance=Provenance.USER_EXPLICIT,
            canonical_query=to.query,
            condition=to.condition or (heard.condition if heard else ""),
            domain=to.domain,
            project_id=project_id,
            conversation_id=to.conversation_id,
            decay_class=DecayClass.A,
            pinned=to.pinned,
        )

    def foresee(self, claim: str, to: Telling) -> Foreseen:
        """Return what would come of `add`, and keep nothing. Raises what it raises."""
        heard = self._heard_all(claim, to)
        with self.store.read() as unit:
            draft = self._draft(unit, claim, to, heard)
            kept = self.remembering.foreseen(unit, draft)
        found = self._with_resembling(kept)
        return Foreseen(draft.type, draft.scope, draft.condition, kept.already, found.replaced, found.resembles)

    def confirm(self, name: str | None) -> Confirmed:
        """Make a proposal hold, and grade the answer that it corrects."""
        with self.store.unit() as unit:
            proposed = self._waiting(unit, name)
            kept = self.remembering.confirm(unit, proposed.id)
            graded = self.setting_right.grade(unit, kept.correction, kept.correction.query_id)
        asks = kept.correction.canonical_query if kept.correction.query_id else ""
        return Confirmed(self._with_resembling(kept), graded, asks)

    def dismiss(self, name: str | None) -> Correction:
        """Drop a proposal."""
        with self.store.unit() as unit:
            dismissed = self.remembering.dismiss(unit, self._waiting(unit, name).id)
        self.partings.words()
        return dismissed

    def edit(self, name: str | None, claim: str) -> Kept:
        """Change the words of a correction. Raises SecretError for what looks like a secret."""
        self._heard(claim)
        with self.store.unit() as unit:
            kept = self.remembering.edit(unit, self._any_named(unit, name).id, claim)
        return self._with_resembling(kept)

    def pin(self, name: str | None, *, pinned: bool) -> Correction:
        """Let a correction enter every prompt where it holds, or no longer."""
        with self.store.unit() as unit:
            return self.remembering.pin(unit, self._any_named(unit, name).id, pinned=pinned)

    def move(
        self,
        name: str | None,
        scope: Scope,
        *,
        domain: str | None = None,
        conversation_id: str | None = None,
        project_id: str | None = None,
    ) -> Kept:
        """Let a correction hold only here, only in a project (else the active one) or a field, or everywhere."""
        if scope is Scope.CONVERSATION and conversation_id is None:
            raise UsageError("There is no conversation yet in which it could hold.", remedy="Ask something first.")
        with self.store.unit() as unit:
            return self.remembering.move(
                unit,
                self._any_named(unit, name).id,
                scope,
                domain=domain,
                project_id=_project_of(unit, scope, project_id),
                conversation_id=conversation_id,
            )

    def replace(self, newer: str | None, older: str) -> Kept:
        """Let one correction take the place of another."""
        with self.store.unit() as unit:
            return self.remembering.supersede(unit, self._any_named(unit, newer).id, self._any_named(unit, older).id)

    def undo(self, act_id: str | None = None) -> Undone:
        """Take back one change, by the act that made it, or the last one; and the grade that came with it."""
        with self.store.unit() as unit:
            lines = self.corrections.last_act(unit) if act_id is None else self.corrections.act(unit, act_id)
            # What is taken back loses its words, and with them the note of its grade.
            graded = {
                line.correction_id: self.setting_right.grade_of(unit, line.correction_id)
                for line in lines
                if line.change in _GRADING
            }
            undone = self.remembering.undo(unit, act_id)
            self.setting_right.take_back(unit, undone.correction.query_id, graded.get(undone.correction.id))
            self.forget_derived(unit)
        return undone

    def changed_last(self) -> bool:
        """Return whether the last thing that can be taken back is a change of memory, rather than a grade."""
        with self.store.read() as unit:
            lines, grade = self.corrections.last_act(unit), self.grades.last_user_act(unit)
            if not lines or grade is None:
                return bool(lines)
            own = {self.setting_right.grade_of(unit, line.correction_id) for line in lines if line.change in _GRADING}
            return grade.id in own or lines[-1].at >= grade.at

    def repeated(self, name: str | None) -> Repeated:
        """Return where else the words of a correction stand: messages that say them, and the questions they are of."""
        with self.store.read() as unit:
            correction = self._any_named(unit, name)
            return repeats(unit, correction, self.corrections.source(unit, correction.id))

    def erase(self, name: str | None, *, everywhere: bool = False) -> Erased:
        """Remove a correction with every word of it, for good.

        everywhere: also the questions and messages that repeat it. Without it they stay, and are counted.
        """
        with self.store.unit() as unit:
            correction = self._any_named(unit, name)
            found = repeats(unit, correction, self.corrections.source(unit, correction.id))
            self.remembering.erase(unit, correction.id)
            self.forget_derived(unit)
            if everywhere:
                forget(unit, self.forgetting, found)
        self.partings.words()
        left = 0 if everywhere else found.messages
        return Erased(correction, left, backups_of(self.store), lingers=not swept(self.store))

    # --- helpers ----------------------------------------------------------------------------------------------------

    def _with_resembling(self, kept: Kept) -> Kept:
        if kept.already:
            return kept
        found = resembling(self.shelves, kept.correction, exclude=kept.replaced)
        with self.store.read() as unit:
            settled = kept_pairs(unit)
        return replace(kept, resembles=unsettled(kept.correction, found, settled))

    def _any_named(self, unit: Unit, name: str | None) -> Correction:
        """Return a correction in any state by its id, or the newest that holds or waits."""
        return self._named(unit, name, SHOWN if name is None else _NOT_ERASED)

    def _waiting(self, unit: Unit, name: str | None) -> Correction:
        """Return a correction by its id, or the newest proposal."""
        if name is not None:
            return self._named(unit, name, _NOT_ERASED)
        found = self.corrections.listed(unit, (CorrectionState.PROPOSED,), limit=1)
        if not found:
            raise NotFoundError("Nothing waits for your yes.", remedy=LIST_COMMAND)
        return found[0]

    def _named(self, unit: Unit, name: str | None, states: Iterable[CorrectionState] = SHOWN) -> Correction:
        if name is not None and not name.strip():
            raise UsageError("The id is empty.", remedy=LIST_COMMAND)
        found = self.corrections.listed(unit, tuple(states), begins=name or "", limit=AMBIGUOUS_SHOWN + 1)
        if not found:
            if name is None:
                raise NotFoundError("Nothing is remembered yet.", remedy='Try: auritas memory add "Use metric units"')
            raise NotFoundError(f"Nothing is remembered under {one_line(name, 60)!r}.", remedy=LIST_COMMAND)
        if name and len(found) > 1 and found[0].id != name:
            ids = ", ".join(f"{each.id} ({one_line(each.claim, 40)})" for each in found[:AMBIGUOUS_SHOWN])
            raise AmbiguousError(f"{name!r} is the beginning of several: {ids}.", remedy="Give more of it.")
        return found[0]

    @staticmethod
    def _run_named(unit: Unit, name: str | None) -> tuple[str | None, str]:
        if name is not None and not name.strip():
            raise UsageError("The id is empty.", remedy="See the questions: auritas questions")
        found = runs_named(unit, name or "", AMBIGUOUS_SHOWN)
        if not found:
            raise NothingUsedError(
                f"There is no run or question {name!r}." if name else "Nothing was asked yet.",
                remedy="See the questions: auritas questions",
            )
        questions = {query_id for _, query_id in found}
        if name and len(questions) > 1:
            ids = ", ".join(sorted(questions))
            raise AmbiguousError(f"{name!r} is the beginning of several questions: {ids}.", remedy="Give more of it.")
        run_id, query_id = found[0]
        return (run_id if name and run_id.startswith(name) else None), query_id


def _project_of(unit: Unit, scope: Scope, project_id: str | None) -> str | None:
    """Return the project in which something is to hold: the one that was named, else the active one."""
    if scope is not Scope.PROJECT:
        return None
    found = project_id or active_project(unit)
    if found is None:
        raise NotFoundError("No project is active.", remedy=USE_PROJECT)
    return found


def _short_ids(ids: Iterable[str]) -> Mapping[str, str]:
    """Return for each id a beginning that no other shares."""
    ordered = ["", *sorted(ids), ""]
    pairs = zip(pairwise(ordered), ordered[2:], strict=False)
    found = {own: short_id(own, [each for each in (before, after) if each]) for (before, own), after in pairs}
    return {own: own[: max(_ID_SHOWN_AT_LEAST, len(short))] for own, short in found.items()}


def _kept(correction: Correction | None) -> Correction | None:
    return None if correction is None or correction.state is CorrectionState.ERASED else correction


def _worded(signal: Signal, words: Mapping[str, Correction | None]) -> Signal:
    if signal.kind != MEMORY:
        return signal
    correction_id, _, why = signal.text.partition(" ")
    found = words.get(correction_id)
    return replace(signal, text=f"{one_line(found.text, 160) if found else 'erased since'} {why}")
