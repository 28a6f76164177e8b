"""Corrections on a real encrypted store: each act does what it says, leaves its trail, and can be taken back."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import select
from tests.integration.memory.remembering import Remembered, draft

from auritas.kernel.errors import InvalidError, NotFoundError
from auritas.kernel.memory import CorrectionState, CorrectionType, DecayClass, Provenance, Scope
from auritas.memory.errors import NothingToUndoError, WrongStateError
from auritas.memory.history import Change
from auritas.store import schema as t

ACTIVE, PROPOSED, SUPERSEDED = CorrectionState.ACTIVE, CorrectionState.PROPOSED, CorrectionState.SUPERSEDED
ERASED = CorrectionState.ERASED
FACT = CorrectionType.FACT
IN_FALCON = {"scope": Scope.PROJECT, "project_id": "falcon"}
IN_TALK = {"scope": Scope.CONVERSATION, "conversation_id": "talk"}


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Remembered]:
    found = Remembered(tmp_path / "box")
    yield found
    found.close()


# --- one act each -----------------------------------------------------------------------------------------------------


def test_what_is_kept_holds_and_is_written_down(box):
    """Something said outright is active at once, with one line of history and one audit entry of the user's (M4)."""
    before = box.entries()
    kept = box.keep("Use metric units", reason="I live in Europe", condition="except for screens").correction
    assert box.get(kept.id) == kept
    assert (kept.state, kept.provenance, kept.condition) == (ACTIVE, Provenance.USER_EXPLICIT, "except screen")
    assert box.events(kept.id) == ["created"]
    assert box.entries() == before + 1
    assert box.intact


def test_nothing_is_kept_twice(box):
    """The same words in the same place are one correction, however they are spaced (M4)."""
    first = box.keep("Use metric units")
    again = box.keep("  Use  metric\nunits ")
    assert (again.already, again.correction, again.act_id) == (True, first.correction, "")
    assert box.keep("Use metric units", **IN_FALCON).already is False
    assert box.propose("Use metric units").already is True
    assert box.claims == ["Use metric units"] * 2


def test_an_exception_in_the_same_words_is_kept(box):
    """Words that hold only in some case are not known because they hold always: both are there (M9)."""
    box.keep("Use tabs")
    beside = box.keep("Use tabs", condition="except in Makefiles")
    assert beside.already is False
    assert beside.replaced == ()
    assert len(box.active) == 2


def test_one_slot_holds_one(box):
    """Chains A to B to C: only C holds, each is linked to the next, and nothing is lost (M4)."""
    a, b, c = (box.keep(f"The limit is {number}", type=FACT) for number in (50, 100, 150))
    assert [each.replaced for each in (a, b, c)] == [(), (a.correction,), (b.correction,)]
    assert box.claims == ["The limit is 150"]
    assert box.get(a.correction.id).superseded_by == b.correction.id
    assert box.get(b.correction.id).superseded_by == c.correction.id
    assert box.get(a.correction.id).scope is Scope.GLOBAL
    assert box.intact


def test_undo_goes_down_the_chain(box):
    """Undoing C brings B back, undoing B brings A back, undoing A leaves nothing, and then there is nothing (M4)."""
    for number in (50, 100, 150):
        box.keep(f"The limit is {number}", type=FACT)
    undone = box.undo()
    assert (undone.event, undone.correction.claim) == (Change.CREATED, "The limit is 150")
    assert [each.claim for each in undone.restored] == box.claims == ["The limit is 100"]
    box.undo()
    assert box.claims == ["The limit is 50"]
    box.undo()
    assert box.claims == []
    with pytest.raises(NothingToUndoError):
        box.undo()
    assert box.intact


def test_the_middle_of_a_chain_is_erased(box):
    """Erasing B of A, B, C changes nothing of what holds, and undo goes from C past B to A (M4)."""
    a, b, c = (box.keep(f"The limit is {number}", type=FACT).correction for number in (50, 100, 150))
    box.erase(b.id)
    assert box.claims == ["The limit is 150"]
    assert (box.get(b.id).claim, box.get(b.id).state) == ("", ERASED)
    assert box.get(a.id).superseded_by == b.id
    undone = box.undo()
    assert (undone.correction.id, undone.restored) == (c.id, ())
    assert box.claims == []
    assert [each.id for each in box.undo().restored] == [a.id]
    assert box.claims == ["The limit is 50"]


def test_what_an_erased_one_replaced_comes_back_by_undo(box):
    """After A gave way to B and B was erased, undo brings A back instead of failing on what is gone (M4)."""
    a = box.keep("The limit is 50", type=FACT).correction
    b = box.keep("The limit is 100", type=FACT).correction
    box.erase(b.id)
    assert box.claims == []
    undone = box.undo()
    assert (undone.event, [each.id for each in undone.restored]) == (Change.SUPERSEDED, [a.id])
    assert box.claims == ["The limit is 50"]


def test_an_act_of_which_all_is_erased_is_over(box):
    """When both A and the B that replaced it are erased, undo passes them and takes back what came before (M4)."""
    first = box.keep("Answer in German").correction
    a = box.keep("The limit is 50", type=FACT).correction
    b = box.keep("The limit is 100", type=FACT).correction
    box.erase(b.id)
    box.erase(a.id)
    assert box.undo().correction.id == first.id
    with pytest.raises(NothingToUndoError):
        box.undo()


def test_an_edit_changes_words_and_slot(box):
    """New words have their own slot, replace who holds it, and undo brings words and rival back (M4)."""
    rival = box.keep("The limit is 50", type=FACT).correction
    other = box.keep("The budget is 5000 euros", type=FACT, instruction="Budget: 5000").correction
    edited = box.edit(other.id, "The limit is 75")
    assert edited.replaced == (rival,)
    assert (edited.correction.slot, edited.correction.instruction) == (rival.slot, "")
    assert box.claims == ["The limit is 75"]
    assert box.undo().restored == (other, rival)
    assert box.active == sorted([rival, other], key=lambda each: each.id)


def test_an_edit_into_known_words_leaves_one(box):
    """Editing one correction into the words of another leaves one of them, also without a slot (M4)."""
    words = (
        "Our mascot dances whenever somebody sings about the sea, says grandmother to whoever asks her kindly and twice"
    )
    known = box.keep(words).correction
    assert known.slot is None
    other = box.keep("Answer in German").correction
    assert box.edit(other.id, words).replaced == (known,)
    assert box.claims == [words]
    box.undo()
    assert len(box.active) == 2


def test_the_same_words_are_no_edit(box):
    """An edit that changes nothing is no act (M4)."""
    kept = box.keep("Use metric units")
    assert box.edit(kept.correction.id, " Use metric  units").already is True
    assert box.events(kept.correction.id) == ["created"]


def test_moving_needs_a_place(box):
    """Who says "only in the project" says in which; without one a correction would hold nowhere (M9)."""
    kept = box.keep("Use tabs").correction
    for scope in (Scope.PROJECT, Scope.CONVERSATION, Scope.DOMAIN):
        with pytest.raises(InvalidError):
            box.move(kept.id, scope)
        with pytest.raises(InvalidError):
            draft("Use tabs", scope=scope)
    assert box.get(kept.id) == kept


def test_moving_meets_who_is_there(box):
    """A rule that moves into a place whose slot is held replaces its holder; undo parts them again (M4, M9)."""
    there = box.keep("Use tabs", **IN_FALCON).correction
    everywhere = box.keep("Use spaces").correction
    moved = box.move(everywhere.id, Scope.PROJECT, project_id="falcon")
    assert moved.replaced == (there,)
    assert box.claims == ["Use spaces"]
    box.undo()
    assert box.active == sorted([there, everywhere], key=lambda each: each.id)


def test_only_here_lets_out_what_it_replaced(box):
    """What was replaced everywhere by what holds only here holds again elsewhere; one undo takes both back (M9, M4)."""
    first = box.keep("Our limit is 70", type=FACT).correction
    wide = box.keep("Our limit is 80", type=FACT).correction
    narrow = box.keep("Our limit is 90", type=FACT).correction
    moved = box.move(narrow.id, Scope.CONVERSATION, conversation_id="talk")
    assert moved.restored == (wide,)
    assert box.claims == ["Our limit is 80", "Our limit is 90"]
    assert box.get(first.id).state is CorrectionState.SUPERSEDED
    undone = box.undo()
    assert (undone.event, undone.correction.id) == (Change.EDITED, narrow.id)
    assert box.active == [narrow]
    assert box.get(wide.id).superseded_by == narrow.id
    box.undo()
    assert box.active == [wide]
    assert box.intact


def test_only_here_lets_out_nothing_that_it_would_not_hide(box):
    """What was replaced by hand and is of another slot stays replaced: beside it both would be told (M4, M9)."""
    other = box.keep("I like tea").correction
    narrow = box.keep("Use tabs").correction
    box.supersede(narrow.id, other.id)
    assert box.move(narrow.id, Scope.CONVERSATION, conversation_id="talk").restored == ()
    assert box.claims == ["Use tabs"]


def test_only_here_meets_what_was_said_since(box):
    """Where the slot is held again by now, nothing else is let into it (M4, M9)."""
    box.keep("Our limit is 70", type=FACT)
    narrow = box.keep("Our limit is 80", type=FACT).correction
    box.move(narrow.id, Scope.CONVERSATION, conversation_id="talk")
    box.keep("Our limit is 95", type=FACT)
    assert box.move(narrow.id, Scope.CONVERSATION, conversation_id="chat").restored == ()
    assert box.claims == ["Our limit is 80", "Our limit is 95"]


def test_an_exception_of_one_place_leaves_the_fact_it_contradicts(box):
    """Who corrects an answer for one conversation hides the fact that it came from there, and nowhere else (M9)."""
    asked = "How many members has our choir?"
    wide = box.keep("it is 53", type=FACT, canonical_query=asked).correction
    said = draft("there are 54", type=FACT, canonical_query="How big is it?", **IN_TALK)
    kept = box.do(lambda unit: box.rules.keep(unit, said, instead_of=[wide]))
    assert kept.replaced == ()
    assert kept.correction.slot == wide.slot
    assert box.claims == ["it is 53", "there are 54"]


def test_nothing_is_said_of_a_place_that_is_gone(box):
    """What is to hold in a deleted conversation or project is refused: no delete would ever find its words (F13)."""
    kept = box.keep("Use metric units").correction
    box.delete_talk("talk")
    box.delete_project("falcon")
    for place in (IN_TALK, IN_FALCON):
        with pytest.raises(NotFoundError, match="no more"):
            box.keep("The limit is 100", **place)
        with pytest.raises(NotFoundError, match="no more"):
            box.move(kept.id, **place)
    assert box.active == [kept]


def test_scopes_stand_side_by_side(box):
    """One slot in the conversation, the project, the field and everywhere: four hold, none replaces another (M9)."""
    places = [{}, IN_FALCON, IN_TALK, {"scope": Scope.DOMAIN, "domain": "law"}]
    kept = [box.keep(f"Use {width} spaces", **to) for width, to in zip(("two", "four", "3", "8"), places, strict=True)]
    assert [each.replaced for each in kept] == [()] * 4
    assert len({each.correction.slot for each in kept}) == 1
    assert len(box.active) == 4


def test_pinning_is_an_act(box):
    """Pinning and unpinning are undone like everything else, also beside others that have no slot (M8)."""
    kept = box.keep("My grandmother sings whatever comes to her mind while she bakes bread for all of her neighbours")
    box.keep("My grandfather listens to whatever she sings while he sits beside the stove and reads all of his papers")
    assert kept.correction.slot is None
    box.pin(kept.correction.id)
    assert box.pin(kept.correction.id).pinned is True, "twice is once"
    assert box.undo().event == Change.PINNED
    assert box.get(kept.correction.id).pinned is False
    box.pin(kept.correction.id)
    box.pin(kept.correction.id, pinned=False)
    assert box.undo().event == Change.UNPINNED
    assert box.get(kept.correction.id).pinned is True


def test_use_is_not_undone(box):
    """An undo brings back words and places, and leaves when a correction was last used (M1)."""
    kept = box.keep("Use metric units", decay_class=DecayClass.C).correction
    box.pin(kept.id)
    used = box.clock.now()
    with box.store.unit() as unit:
        mine = t.corrections.update().where(t.corrections.c.id == kept.id)
        unit.connection.execute(mine.values(last_used_at="2026-01-01T00:00:09.000000Z"))
    box.undo()
    assert box.get(kept.id).last_used_at is not None
    assert used is not None


# --- proposals --------------------------------------------------------------------------------------------------------


def test_a_proposal_holds_once_confirmed(box):
    """What a reviewer proposed is not active until the user says so, and confirming can be taken back (M2)."""
    proposed = box.propose("The limit is 100", type=FACT, **IN_TALK).correction
    assert box.active == []
    confirmed = box.confirm(proposed.id).correction
    assert (confirmed.state, confirmed.scope, confirmed.provenance) == (ACTIVE, Scope.GLOBAL, Provenance.REVIEWER)
    box.undo()
    assert box.get(proposed.id) == proposed
    assert box.active == []


def test_a_proposal_confirmed_into_a_held_slot_replaces_its_holder(box):
    """Confirming into an occupied slot retires the holder and says so; undo proposes again and restores it (M4)."""
    held = box.keep("The limit is 50", type=FACT).correction
    proposed = box.propose("The limit is 100", type=FACT, **IN_TALK).correction
    assert box.claims == ["The limit is 50"]
    confirmed = box.confirm(proposed.id)
    assert confirmed.replaced == (held,)
    assert box.claims == ["The limit is 100"]
    assert box.undo().restored == (held,)
    assert box.get(proposed.id).state is PROPOSED


def test_saying_what_was_proposed_makes_it_hold_as_said(box):
    """Who says outright what was proposed has it where and as sure as they say, not as it was proposed (M2)."""
    proposed = box.propose("The limit is 100", type=FACT, confidence=0.6, decay_class=DecayClass.C, **IN_TALK)
    said = box.keep("The limit is 100", type=FACT, pinned=True, **IN_TALK).correction
    assert said.id == proposed.correction.id
    assert (said.scope, said.conversation_id, said.pinned) == (Scope.CONVERSATION, "talk", True)
    assert (said.provenance, said.confidence, said.decay_class) == (Provenance.USER_EXPLICIT, 1.0, DecayClass.A)
    assert box.active == [said]
    box.undo()
    assert box.get(said.id) == proposed.correction


def test_what_a_person_said_of_one_conversation_holds_there_only(box):
    """A card for the person's own words, said "in this conversation", is confirmed for this conversation (M2, M9)."""
    said = {"type": FACT, "provenance": Provenance.USER_IMPLICIT, **IN_TALK}
    proposed = box.propose("The limit is 100", **said).correction
    confirmed = box.confirm(proposed.id).correction
    assert (confirmed.scope, confirmed.conversation_id) == (Scope.CONVERSATION, "talk")


def test_two_proposals_of_one_fact_hold_once(box):
    """The same words proposed in two conversations and confirmed twice hold once (M4)."""
    first = box.propose("Pi is 3.14159", type=FACT, **IN_TALK).correction
    second = box.propose("Pi is 3.14159", type=FACT, scope=Scope.CONVERSATION, conversation_id="chat").correction
    box.confirm(first.id)
    assert [each.id for each in box.confirm(second.id).replaced] == [first.id]
    assert box.claims == ["Pi is 3.14159"]


def test_a_dismissed_proposal_is_gone(box):
    """Dismissing removes the words; only proposals can be dismissed or confirmed (M2)."""
    proposed = box.propose("The limit is 100", type=FACT).correction
    box.dismiss(proposed.id)
    assert (box.get(proposed.id).state, box.get(proposed.id).claim) == (ERASED, "")
    with pytest.raises(NotFoundError):
        box.confirm(proposed.id)
    kept = box.keep("Use tabs").correction
    for refused in (box.confirm, box.dismiss):
        with pytest.raises(WrongStateError):
            refused(kept.id)


# --- replacing by hand ------------------------------------------------------------------------------------------------


def test_one_takes_the_place_of_another_by_hand(box):
    """What the person says replaces the other does, takes over its slot, and undo parts the two again (M4)."""
    older = box.keep("The deadline is May 5", type=FACT).correction
    newer = box.keep("We got two more weeks", type=FACT).correction
    done = box.supersede(newer.id, older.id)
    assert (done.correction.slot, done.replaced) == (older.slot, (older,))
    assert box.keep("The deadline is June 20", type=FACT).replaced == (done.correction,)
    box.undo()
    box.undo()
    assert box.active == sorted([older, newer], key=lambda each: each.id)
    with pytest.raises(WrongStateError):
        box.supersede(newer.id, newer.id)


def test_replacing_by_hand_into_a_held_condition_leaves_one(box):
    """An heir that comes into a slot whose condition is held replaces that holder too, and fails nobody (M4)."""
    base = box.keep("The limit is 50", type=FACT).correction
    special = box.keep("The limit is 70", type=FACT, condition="at weekends").correction
    newer = box.keep("Nobody waits then", type=FACT, condition="at weekends").correction
    done = box.supersede(newer.id, base.id)
    assert {each.id for each in done.replaced} == {base.id, special.id}
    assert [each.id for each in box.active] == [newer.id]
    box.undo()
    assert len(box.active) == 3


# --- what was deleted since -------------------------------------------------------------------------------------------


def test_undo_survives_a_deleted_project(box):
    """What moved out of a project that was deleted since is brought back without an error (M4)."""
    kept = box.keep("Use tabs", **IN_FALCON).correction
    box.move(kept.id, Scope.GLOBAL)
    box.delete_project("falcon")
    box.undo()
    back = box.get(kept.id)
    assert (back.scope, back.project_id) == (Scope.PROJECT, "falcon")
    with box.store.read() as unit:
        assert unit.connection.execute(select(t.corrections.c.project_id)).scalar() is None
    box.pin(kept.id)
    assert box.intact


def test_undo_survives_a_deleted_conversation(box):
    """What holds everywhere outlives the conversation in which it was said, and so do its undos (M4)."""
    kept = box.keep("Use tabs", conversation_id="talk").correction
    box.pin(kept.id)
    box.delete_talk("talk")
    box.undo()
    assert box.get(kept.id).conversation_id is None
    assert box.claims == ["Use tabs"]


# --- the trail --------------------------------------------------------------------------------------------------------


def test_every_act_is_in_history_and_log(box):
    """Each change is one line of history and one audit entry, and what is erased keeps its lines without words (M4)."""
    kept = box.keep("Use tabs").correction
    box.pin(kept.id)
    box.edit(kept.id, "Use spaces")
    box.move(kept.id, Scope.PROJECT, project_id="falcon")
    box.undo()
    box.erase(kept.id)
    assert box.events(kept.id) == ["created", "pinned", "edited", "edited", "restored", "erased"]
    with box.store.read() as unit:
        assert all(line.before is None for line in box.corrections.history(unit, kept.id))
        bodies = unit.connection.execute(select(t.audit_log.c.body)).scalars().all()
    assert not any(body and ("tabs" in body or "spaces" in body) for body in bodies)
    assert box.intact


def test_refused_acts_leave_nothing(box):
    """An act that is refused writes neither rows nor entries (M4)."""
    kept = box.keep("The limit is 50", type=FACT).correction
    box.keep("The limit is 100", type=FACT)
    before = box.entries()
    with pytest.raises(WrongStateError):
        box.pin(kept.id)
    with pytest.raises(WrongStateError):
        box.edit(kept.id, "x")
    with pytest.raises(WrongStateError):
        box.supersede(kept.id, box.active[0].id)
    with pytest.raises(NotFoundError):
        box.erase("nothing")
    with pytest.raises(InvalidError):
        box.edit(box.active[0].id, "   ")
    with pytest.raises(InvalidError):
        box.keep("x" * 2_001)
    with pytest.raises(InvalidError):
        box.keep("x", instruction="y" * 2_001)
    assert box.entries() == before


def test_every_change_is_told_and_use_is_none(box):
    """Whatever changes what holds tells shelves that they are old; being applied only renews (M4, M1)."""
    kept = box.keep("Use tabs").correction
    seen = _newest(box)
    assert not _changed(box, seen)
    acts = (
        lambda: box.pin(kept.id),
        box.undo,
        lambda: box.move(kept.id, Scope.PROJECT, project_id="falcon"),
        lambda: box.delete_project("falcon"),
    )
    for act in acts:
        act()
        assert _changed(box, seen)
        seen = _newest(box)
        assert not _changed(box, seen)


def _newest(box: Remembered) -> int:
    with box.store.read() as unit:
        return box.corrections.newest(unit)


def _changed(box: Remembered, since: int) -> bool:
    with box.store.read() as unit:
        return box.corrections.changed(unit, since)
