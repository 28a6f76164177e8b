"""What is left out of one conversation, pairs that are kept, and acts that are taken back by name."""

import pytest
from tests.integration.memory.remembering import Remembered, draft

from auritas.kernel.errors import NotFoundError
from auritas.kernel.memory import Scope
from auritas.memory.adapters.steering_sql import kept_pairs, left_out
from auritas.memory.errors import ChangedSinceError, NothingToUndoError, WrongStateError
from auritas.memory.steering import Steering
from auritas.store import Unit

TALK, CHAT = "talk", "chat"


@pytest.fixture
def told(tmp_path):
    found = Remembered(tmp_path)
    yield found
    found.close()


def steering(told: Remembered) -> Steering[Unit]:
    return Steering(told.corrections, told.clock, told.ids)


def leave(told: Remembered, one: str, talk: str = TALK, *, out: bool = True):
    return told.do(lambda unit: steering(told).leave_out(unit, one, talk, out=out))


def both(told: Remembered, one: str, other: str):
    return told.do(lambda unit: steering(told).keep_both(unit, one, other))


def undo(told: Remembered, act_id: str | None = None):
    return told.do(lambda unit: told.rules.undo(unit, act_id))


def out_of(told: Remembered, talk: str = TALK) -> list[str]:
    with told.store.read() as unit:
        return list(left_out(unit, talk))


def pairs(told: Remembered):
    with told.store.read() as unit:
        return set(kept_pairs(unit))


def test_what_is_left_out_of_one_conversation_is_logged_and_taken_back(told):
    """Leaving out touches no word, says so in the history and the log, and its undo brings it back (M5)."""
    one = told.keep("Use metric units", pinned=True).correction
    entries = told.entries()
    act = leave(told, one.id).act_id
    assert (out_of(told), out_of(told, CHAT)) == ([one.id], [])
    assert told.get(one.id) == one
    assert told.entries() == entries + 1
    assert not leave(told, one.id).act_id
    assert undo(told, act).event == "left_out"
    assert out_of(told) == []
    assert told.events(one.id) == ["created", "left_out", "brought_back"]
    assert told.intact


def test_bringing_back_is_an_act_of_its_own(told):
    """What was brought back is left out again by an undo, and a second undo goes further back (M5)."""
    one = told.keep("Use metric units").correction
    leave(told, one.id)
    leave(told, one.id, out=False)
    assert out_of(told) == []
    undo(told)
    assert out_of(told) == [one.id]
    undo(told)
    assert out_of(told) == []
    assert undo(told).event == "created"


def test_nothing_is_left_out_of_what_is_not_there(told):
    """A conversation that is gone, or a correction that is unknown or waits, is no row of what is left out."""
    one = told.keep("Use metric units").correction
    assert not leave(told, one.id, "nowhere").act_id
    with pytest.raises(NotFoundError):
        leave(told, "nothing")
    with pytest.raises(WrongStateError):
        leave(told, told.propose("Use SI units").correction.id)


def test_erasing_either_side_forgets_that_it_was_left_out(told):
    """With the correction or the conversation goes the row that joins them (F13)."""
    one, two = told.keep("Use metric units").correction, told.keep("Never use tabs").correction
    for each in (one, two):
        leave(told, each.id)
    both(told, one.id, two.id)
    told.erase(one.id)
    assert (out_of(told), pairs(told)) == ([two.id], set())
    told.delete_talk(TALK)
    assert out_of(told) == []
    assert told.get(two.id).claim == "Never use tabs"
    assert told.intact


def test_a_pair_is_kept_until_the_words_of_one_change(told):
    """Both of a pair hold whichever is named first; an edit of either offers it again, and so does an undo (M4)."""
    one, two = told.keep("The choir sings on Monday").correction, told.keep("Rehearsal is on Mondays").correction
    act = both(told, two.id, one.id).act_id
    assert pairs(told) == {tuple(sorted((one.id, two.id)))}
    assert not both(told, one.id, two.id).act_id
    told.pin(one.id)
    assert pairs(told)
    edited = told.edit(two.id, "Rehearsal is on Tuesdays")
    assert pairs(told) == set()
    both(told, one.id, two.id)
    undo(told, edited.act_id)
    assert pairs(told) == set()
    again = both(told, one.id, two.id)
    undo(told, again.act_id)
    assert pairs(told) == set()
    assert undo(told, act).event == "kept_both"
    with pytest.raises(WrongStateError):
        both(told, one.id, one.id)


def test_undo_takes_back_the_act_that_is_named(told):
    """Of several changes in a row the named one is taken back, and the others stay (M4)."""
    first, second = told.keep("Use metric units"), told.keep("Never use tabs")
    assert undo(told, first.act_id).correction.claim == "Use metric units"
    assert told.claims == ["Never use tabs"]
    with pytest.raises(NothingToUndoError):
        undo(told, first.act_id)
    with pytest.raises(NothingToUndoError):
        undo(told, "never was")
    assert undo(told).correction.id == second.correction.id


def test_a_move_is_taken_back_once_and_not_after_what_it_moved_is_erased(told):
    """What a move let out stays as it is when the move is undone a second time, or its correction was erased (M4)."""
    for erased in (False, True):
        told.keep("The limit is 100")
        moved = told.keep("The limit is 120").correction
        act = told.move(moved.id, Scope.CONVERSATION, conversation_id=TALK).act_id
        assert "The limit is 100" in told.claims
        if erased:
            told.erase(moved.id)
        else:
            undo(told, act)
        before = told.claims
        with pytest.raises(NothingToUndoError):
            undo(told, act)
        assert told.claims == before
        told.keep("The limit is 90")


def test_an_act_under_a_later_one_is_not_taken_back(told):
    """What was changed once more is not lost by an undo of the first change; in their order both go back (M4)."""
    one = told.keep("Use metric units")
    first = told.edit(one.correction.id, "Use SI units")
    second = told.edit(one.correction.id, "Use imperial units")
    for act in (one.act_id, first.act_id):
        with pytest.raises(ChangedSinceError):
            undo(told, act)
    assert told.claims == ["Use imperial units"]
    leave(told, one.correction.id)
    undo(told, second.act_id)
    undo(told, first.act_id)
    assert told.claims == ["Use metric units"]
    assert out_of(told) == [one.correction.id]


def test_what_would_come_is_told_and_nothing_is_stored(told):
    """A preview names what would be replaced, or that it is known, and leaves no row, entry or line (M4)."""
    old = told.keep("Use metric units").correction
    before = (told.entries(), len(told.all()))
    with told.store.read() as unit:
        replaced = told.rules.foreseen(unit, draft("Use imperial units"))
        known = told.rules.foreseen(unit, draft("Use metric units"))
        beside = told.rules.foreseen(unit, draft("Use imperial units", scope=Scope.CONVERSATION, conversation_id=TALK))
    assert ([each.id for each in replaced.replaced], replaced.already) == ([old.id], False)
    assert (known.already, known.replaced) == (True, ())
    assert beside.replaced == ()
    assert (told.entries(), len(told.all())) == before
