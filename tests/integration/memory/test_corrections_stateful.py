"""Any order of acts leaves no contradiction, a trail that verifies, and an undo that restores what was before."""

import tempfile
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from sqlalchemy import insert
from tests.integration.memory.remembering import FIELDS, PROJECTS, TALKS, Remembered, where

from auritas.kernel.clock import timestamp
from auritas.kernel.memory import Correction, CorrectionState, CorrectionType, Provenance, Scope
from auritas.memory.errors import NothingToUndoError
from auritas.memory.model import Kept
from auritas.store import schema as t

SLOW = [HealthCheck.too_slow]
SHORT = settings(max_examples=12, stateful_step_count=25, deadline=None, suppress_health_check=SLOW)
LONG = settings(max_examples=120, stateful_step_count=50, deadline=None, suppress_health_check=SLOW)
ACTIVE, PROPOSED, ERASED = CorrectionState.ACTIVE, CorrectionState.PROPOSED, CorrectionState.ERASED
CLAIMS = (
    "The limit is 50",
    "The limit is 100",
    "Use tabs",
    "Use spaces",
    "Never use tabs",
    "I like tea",
    "I like coffee",
    "My grandmother sings whatever comes to her mind while she bakes bread for all of her neighbours in the village",
)
KINDS = (CorrectionType.FACT, CorrectionType.INSTRUCTION, CorrectionType.PREFERENCE)
PLACES = (
    {"scope": Scope.GLOBAL},
    *({"scope": Scope.PROJECT, "project_id": each} for each in PROJECTS),
    *({"scope": Scope.CONVERSATION, "conversation_id": each} for each in TALKS),
    *({"scope": Scope.DOMAIN, "domain": each} for each in FIELDS),
)
claims, kinds, places = st.sampled_from(CLAIMS), st.sampled_from(KINDS), st.sampled_from(PLACES)
conditions = st.sampled_from(["", "", "except in Makefiles"])
picks = st.integers(0, 99)
Seen = frozenset[tuple[object, ...]]


@dataclass
class Act:
    """What the person did that can be undone: what held before, and which corrections it touched."""

    before: Seen
    touched: set[str]


class MemoryMachine(RuleBasedStateMachine):
    """What is remembered against a model: what held before each act, and what the person ever said yes to."""

    @initialize()
    def start(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.box = Remembered(Path(self.folder.name) / "box")
        self.acts: list[Act] = []
        self.agreed: set[str] = set()

    def teardown(self) -> None:
        if hasattr(self, "box"):
            assert self.box.intact, "the audit log verifies"
            self.box.close()
            self.folder.cleanup()

    # --- acts ------------------------------------------------------------------------------------------------------

    @rule(claim=claims, kind=kinds, place=places, condition=conditions, pinned=st.booleans())
    def keep(self, claim, kind, place, condition, pinned) -> None:
        before = self.held()
        kept = self.box.keep(claim, type=kind, condition=condition, pinned=pinned, **place)
        self.agreed.add(kept.correction.id)
        self.remember(before, kept)

    @rule(claim=claims, kind=kinds, place=places, author=st.sampled_from(list(Provenance)[1:]))
    def propose(self, claim, kind, place, author) -> None:
        before = self.held()
        self.remember(before, self.box.propose(claim, type=kind, provenance=author, **place))

    @precondition(lambda self: self.box.all(PROPOSED))
    @rule(pick=picks)
    def confirm(self, pick) -> None:
        before, proposed = self.held(), self.pick(pick, PROPOSED)
        self.agreed.add(proposed.id)
        self.remember(before, self.box.confirm(proposed.id))

    @precondition(lambda self: self.box.all(PROPOSED))
    @rule(pick=picks)
    def dismiss(self, pick) -> None:
        self.box.dismiss(self.pick(pick, PROPOSED).id)
        self.forget_erased()

    @precondition(lambda self: self.box.active)
    @rule(pick=picks, claim=claims)
    def edit(self, pick, claim) -> None:
        before = self.held()
        self.remember(before, self.box.edit(self.pick(pick).id, claim))

    @precondition(lambda self: self.box.active)
    @rule(pick=picks, place=places)
    def move(self, pick, place) -> None:
        before = self.held()
        self.remember(before, self.box.move(self.pick(pick).id, **place))

    @precondition(lambda self: self.box.active)
    @rule(pick=picks, pinned=st.booleans())
    def pin(self, pick, pinned) -> None:
        before, chosen = self.held(), self.pick(pick)
        self.box.pin(chosen.id, pinned=pinned)
        if chosen.pinned is not pinned:
            self.acts.append(Act(before, {chosen.id}))

    @precondition(lambda self: len(self.box.active) > 1)
    @rule(pick=picks, other=picks)
    def supersede(self, pick, other) -> None:
        before, newer, older = self.held(), self.pick(pick), self.pick(other)
        if newer.id != older.id:
            self.remember(before, self.box.supersede(newer.id, older.id))

    @rule(pick=picks)
    @precondition(lambda self: self.alive())
    def erase(self, pick) -> None:
        alive = self.alive()
        self.box.erase(alive[pick % len(alive)].id)
        self.forget_erased()

    @rule(project=st.sampled_from(PROJECTS))
    def delete_project(self, project) -> None:
        """A project goes with what holds only there, and another of the same id is made."""
        self.box.delete_project(project)
        now = timestamp(self.box.clock.now())
        row = {"project_id": project, "name": project, "created_at": now, "updated_at": now}
        known = {name: value for name, value in row.items() if name in t.projects.c}
        self.box.do(lambda unit: unit.connection.execute(insert(t.projects).values(known)))
        self.forget_erased()

    @rule()
    def undo(self) -> None:
        erased = {each.id for each in self.box.all(ERASED)}
        while self.acts and self.acts[-1].touched <= erased:
            self.acts.pop()
        if not self.acts:
            with pytest.raises(NothingToUndoError):
                self.box.undo()
            return
        self.box.undo()
        act = self.acts.pop()
        self.forget_erased()
        gone = {each.id for each in self.box.all(ERASED)}
        assert self.held() == frozenset(each for each in act.before if each[0] not in gone)

    # --- what must hold --------------------------------------------------------------------------------------------

    @invariant()
    def nothing_contradicts(self) -> None:
        if hasattr(self, "box"):
            slots = [where(each) for each in self.box.active if each.slot is not None]
            assert len(slots) == len(set(slots))
            words = [(each.claim, each.canonical_query, *where(each)[:2], each.condition) for each in self.box.active]
            assert len(words) == len(set(words))

    @invariant()
    def only_the_person_makes_anything_hold(self) -> None:
        if hasattr(self, "box"):
            assert {each.id for each in self.box.active} <= self.agreed

    @invariant()
    def successors_are_others(self) -> None:
        if hasattr(self, "box"):
            rows = {each.id: each for each in self.box.all()}
            assert all(each.superseded_by != each.id for each in rows.values())
            assert all(each.superseded_by in {None, *rows} for each in rows.values())
            assert all(not each.superseded_by for each in rows.values() if each.state in {ACTIVE, PROPOSED})

    @invariant()
    def the_erased_say_nothing(self) -> None:
        if hasattr(self, "box"):
            for each in self.box.all(ERASED):
                assert (each.claim, each.instruction, each.subject, each.condition, each.slot) == ("", "", "", "", None)

    # --- the model -------------------------------------------------------------------------------------------------

    def held(self) -> Seen:
        return frozenset((each.id, each.claim, each.pinned, *where(each)) for each in self.box.active)

    def pick(self, number: int, state: CorrectionState = ACTIVE) -> Correction:
        found = sorted(self.box.all(state), key=lambda each: each.id)
        return found[number % len(found)]

    def alive(self) -> list[Correction]:
        return sorted((each for each in self.box.all() if each.state is not ERASED), key=lambda each: each.id)

    def remember(self, before: Seen, kept: Kept) -> None:
        if kept.act_id:
            self.acts.append(Act(before, {kept.correction.id, *(each.id for each in kept.replaced)}))

    def forget_erased(self) -> None:
        """Nothing brings back what was erased: no state before an act holds it any more."""
        gone = {each.id for each in self.box.all(ERASED)}
        for act in self.acts:
            act.before = frozenset(each for each in act.before if each[0] not in gone)


def test_any_order_of_acts_holds_together():
    """Add, confirm, edit, move, pin, replace, erase, undo in any order: 0 contradictions, and undo restores (M4)."""
    run_state_machine_as_test(MemoryMachine, settings=SHORT)


@pytest.mark.slow
def test_any_long_order_of_acts_holds_together():
    """The same over hundreds of long histories (M4)."""
    run_state_machine_as_test(MemoryMachine, settings=LONG)
