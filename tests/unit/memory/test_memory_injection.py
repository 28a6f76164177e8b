"""Which corrections enter a prompt."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.memory.remembered import NOW, fact, gates, relevances, rule, stores, wheres

from auritas.kernel.errors import InvalidError
from auritas.kernel.memory import Correction, CorrectionState, CorrectionType, MemoryUse, Scope, UseReason
from auritas.memory.factors import factors_of, score_of, tokens_of
from auritas.memory.injection import ADMITTED, LEFT_OUT_SHOWN, entering, inject
from auritas.memory.model import BREADTH, Gates, Policy, Where
from auritas.memory.precedence import in_scope
from auritas.memory.shelf import Shelf

EVERYWHERE = Where()
THRESHOLD = Gates(Policy.THRESHOLD)
BUDGET = Gates()


def uses(kept: Sequence[Correction], *relevance: float, where: Where = EVERYWHERE, by: Gates = BUDGET):
    return inject(Shelf(kept), relevances(*relevance), where, by, NOW)


def reasons(found: Sequence[MemoryUse]) -> dict[str, UseReason]:
    return {use.correction.id: use.reason for use in found}


def entered(found: Sequence[MemoryUse]) -> list[str]:
    return [use.correction.id for use in found if use.injected]


def naive(kept: Sequence[Correction], relevance: Sequence[float], where: Where, by: Gates) -> dict[str, UseReason]:
    """The definition, one correction at a time."""
    here = [(each, found) for each, found in zip(kept, relevance, strict=True) if in_scope(each, where)]
    weighed = {each.id: (each, found, score_of(factors_of(each, found, NOW))) for each, found in here}
    said: dict[str, UseReason] = {}
    for each, found, score in weighed.values():
        rivals = [
            other
            for other, _, _ in weighed.values()
            if other.id != each.id
            and other.slot is not None
            and (other.slot, other.condition) == (each.slot, each.condition)
        ]
        if any(_before(other) < _before(each) for other in rivals):
            said[each.id] = UseReason.HIDDEN
        elif each.pinned:
            said[each.id] = UseReason.PINNED
        elif by.policy is Policy.BUDGET and not each.is_fact:
            said[each.id] = UseReason.RULE_IN_SCOPE
        elif found < by.relevance:
            said[each.id] = UseReason.NOT_RELEVANT
        elif by.policy is Policy.BUDGET:
            said[each.id] = UseReason.RELEVANT
        else:
            said[each.id] = UseReason.SCORE if score >= by.score else UseReason.LOW_SCORE
    room = by.budget
    for name in sorted(said, key=lambda name: (said[name] is not UseReason.PINNED, -weighed[name][2], name)):
        cost = tokens_of(weighed[name][0].text)
        if said[name] in ADMITTED:
            if said[name] is UseReason.PINNED or cost <= room:
                room -= cost
            else:
                said[name] = UseReason.OVER_BUDGET
    return said


def _before(each: Correction) -> tuple[int, float, str]:
    return BREADTH[each.scope], -each.created_at.timestamp(), each.id


@given(stores(), wheres, gates, st.data())
def test_all_at_once_is_one_at_a_time(kept, where, by, data):
    """Weighing ten thousand together gives each the factors, score, reason and place it would have alone (M8, M9)."""
    shelf = Shelf(kept)
    relevance = data.draw(st.lists(st.floats(0, 1), min_size=len(shelf), max_size=len(shelf)))
    found = inject(shelf, relevances(*relevance), where, by, NOW)
    wanted = naive(shelf.corrections, relevance, where, by)
    near = dict(zip((each.id for each in shelf.corrections), relevance, strict=True))
    if not any(_is_close(each, near, by) for each in shelf.corrections):
        assert reasons(found) == wanted
    for use in found:
        alone = factors_of(use.correction, near[use.correction.id], NOW)
        assert use.factors.by_name() == pytest.approx(alone.by_name())
        assert use.score == pytest.approx(score_of(alone))
        assert use.tokens == tokens_of(use.correction.text)
        assert use.injected == (use.reason in ADMITTED)


def _is_close(each: Correction, near: dict[str, float], by: Gates) -> bool:
    """Whether a score stands on the threshold, or two on each other, but for the last bit."""
    return abs(score_of(factors_of(each, near[each.id], NOW)) - by.score) < 1e-9


@given(stores(), wheres, gates, st.randoms())
def test_the_order_of_the_store_does_not_matter(kept, where, by, chance):
    """Whoever is read first has no advantage: the same enter, in the same order (M9)."""
    mixed = list(kept)
    chance.shuffle(mixed)
    even = np.full(len(Shelf(kept)), 0.5)
    assert inject(Shelf(kept), even, where, by, NOW) == inject(Shelf(mixed), even, where, by, NOW)


@given(stores(), wheres, gates)
def test_what_does_not_hold_never_enters(kept, where, by):
    """Proposed, superseded and erased ones are not even weighed, pinned or not (M8)."""
    shelf = Shelf(kept)
    found = inject(shelf, np.ones(len(shelf)), where, by, NOW)
    assert all(use.correction.state is CorrectionState.ACTIVE for use in found)
    assert all(in_scope(use.correction, where) for use in found)


@given(stores(), wheres, gates)
def test_no_prompt_holds_a_contradiction(kept, where, by):
    """Of one slot and condition at most one correction enters, whatever is stored (M4, M9)."""
    shelf = Shelf(kept)
    found = [use.correction for use in inject(shelf, np.ones(len(shelf)), where, by, NOW) if use.injected]
    slots = [(each.slot, each.condition) for each in found if each.slot is not None]
    assert len(slots) == len(set(slots))


@given(stores(), wheres, gates)
def test_the_budget_is_kept_by_all_but_the_pinned(kept, where, by):
    """What is not pinned enters only while there is room (M8)."""
    shelf = Shelf(kept)
    found = inject(shelf, np.ones(len(shelf)), where, by, NOW)
    spent = sum(use.tokens for use in found if use.injected)
    pinned = sum(use.tokens for use in found if use.reason is UseReason.PINNED)
    assert spent <= max(by.budget, pinned)


def test_an_empty_shelf_gives_nothing():
    """Without corrections, and without any in scope, nothing is weighed (M8)."""
    assert uses([]) == ()
    assert uses([rule("a", scope=Scope.PROJECT, project_id="one")], 1.0) == ()


def test_all_rules_enter_until_the_budget_is_spent():
    """Under the default policy rules need no relevance, and above the budget the score decides (M8)."""
    kept = [rule(f"{number:03}", "x" * 400) for number in range(20)]
    near = [number / 20 for number in range(20)]
    found = uses(kept, *near)
    assert len(entered(found)) == 18, "18 rules of 100 tokens fit into 1,800"
    assert set(reasons(found).values()) == {UseReason.RULE_IN_SCOPE, UseReason.OVER_BUDGET}
    left_out = [use.correction.id for use in found if not use.injected]
    assert sorted(left_out) == ["000", "001"], "the least relevant"


def test_a_short_one_fills_what_is_left():
    """Where a long correction does not fit, a shorter one of less weight still enters (M8)."""
    kept = [rule("a", "x" * 400), rule("b", "x" * 396, instruction="y" * 1_000), rule("c", "x" * 40)]
    assert entered(uses(kept, 1.0, 0.9, 0.1, by=Gates(budget=120))) == ["a", "c"]


def test_one_token_is_room_for_one_word():
    """A budget of one token lets in what takes one token, and the pinned; a budget of none only the pinned (M8)."""
    kept = [rule("a", "Yes."), rule("b", "No, never."), rule("c", "Pinned and long", pinned=True)]
    assert entered(uses(kept[:2], 0, 0, by=Gates(budget=1))) == ["a"]
    assert entered(uses(kept, 0, 0, 0, by=Gates(budget=0))) == ["c"]
    assert entered(uses(kept, 0, 0, 0, by=Gates(budget=1))) == ["c"], "the pinned one took the room"


def test_huge_texts_do_not_push_out_the_rest():
    """A text that takes the whole budget and more stays outside, and the others enter (M8)."""
    kept = [rule("a", instruction="x" * 100_000), rule("b"), fact("c")]
    found = uses(kept, 1.0, 0, 1.0)
    assert sorted(entered(found)) == ["b", "c"]
    assert reasons(found)["a"] is UseReason.OVER_BUDGET


@pytest.mark.parametrize("by", [BUDGET, THRESHOLD])
def test_a_fact_needs_relevance(by):
    """What the database is does not concern a pizza in Rome: a fact below .35 stays outside (M7)."""
    kept = [fact("a", "Our database is Postgres"), fact("b", "Our database is Postgres", pinned=True)]
    assert entered(uses(kept, 0.349, 0.0, by=by)) == ["b"]
    assert entered(uses(kept, 0.35, 0.0, by=by)) == ["b", "a"]
    assert reasons(uses(kept, 0.1, 0.0, by=by))["a"] is UseReason.NOT_RELEVANT


def test_the_first_gate_alone_filters_nothing():
    """An explicit rule with no relevance at all scores about .54, so only the second gate keeps it outside (M7)."""
    kinds = (CorrectionType.INSTRUCTION, CorrectionType.DECISION)
    for kind in kinds:
        found = uses([rule("a", type=kind)], 0.0, by=THRESHOLD)
        assert 0.53 <= found[0].score <= 0.56
        assert reasons(found) == {"a": UseReason.NOT_RELEVANT}
    assert entered(uses([rule("a")], 0.35, by=THRESHOLD)) == ["a"]


def test_the_threshold_is_the_persons():
    """The threshold lies between .20 and .80; what scores less stays outside, and the pinned do not (M8)."""
    kept = [rule("a"), rule("b", pinned=True)]
    strict = Gates(Policy.THRESHOLD, score=0.80)
    assert reasons(uses(kept, 0.5, 0.0, by=strict)) == {"a": UseReason.LOW_SCORE, "b": UseReason.PINNED}
    assert entered(uses(kept, 1.0, 0.0, by=strict)) == ["b", "a"]
    for wrong in (0.19, 0.81):
        with pytest.raises(InvalidError):
            Gates(Policy.THRESHOLD, score=wrong)
    with pytest.raises(InvalidError):
        Gates(budget=-1)


@pytest.mark.parametrize("by", [BUDGET, THRESHOLD, Gates(Policy.THRESHOLD, budget=0, score=0.8)])
def test_pinned_always_superseded_never(by):
    """The pinned enter under any policy and budget; what was superseded does not, pinned or not (M8)."""
    kept = [rule("a", pinned=True), rule("b", pinned=True, state=CorrectionState.SUPERSEDED)]
    assert entered(uses(kept, 0.0, by=by)) == ["a"]


def test_a_narrower_rule_hides_a_wider_one_there_only():
    """A project's rule hides the global one of its slot in that project, and nowhere else (M9)."""
    wide = rule("a", "Use tabs", slot="answers|indentation")
    narrow = rule("b", "Use spaces", slot="answers|indentation", scope=Scope.PROJECT, project_id="one")
    here = uses([wide, narrow], 0, 0, where=Where(project_id="one"))
    assert reasons(here) == {"b": UseReason.RULE_IN_SCOPE, "a": UseReason.HIDDEN}
    assert entered(uses([wide, narrow], 0, 0, where=Where(project_id="two"))) == ["a"]
    assert entered(uses([wide, narrow], 0, 0)) == ["a"]


def test_the_narrowest_holds():
    """Conversation before project before field before everywhere: of four in one slot one enters (M9)."""
    slot = "answers|length"
    kept = [
        rule("a", slot=slot),
        rule("b", slot=slot, scope=Scope.DOMAIN, domain="law"),
        rule("c", slot=slot, scope=Scope.PROJECT, project_id="one"),
        rule("d", slot=slot, scope=Scope.CONVERSATION, conversation_id="talk"),
    ]
    law = frozenset({"law"})
    places = [Where(), Where(domains=law), Where(None, "one", law), Where("talk", "one", law)]
    assert [entered(uses(kept, 0, 0, 0, 0, where=where)) for where in places] == [["a"], ["b"], ["c"], ["d"]]


def test_of_two_fields_the_newer_rule_holds():
    """A question about two fields with a rule each in one slot has the newer of them (M9)."""
    older = rule("a", slot="s|x", scope=Scope.DOMAIN, domain="law", created_at=NOW - timedelta(days=9))
    newer = rule("b", slot="s|x", scope=Scope.DOMAIN, domain="health", created_at=NOW)
    assert entered(uses([older, newer], 0, 0, where=Where(domains=frozenset({"law", "health"})))) == ["b"]


def test_an_exception_stands_beside_its_rule():
    """What holds except in some case does not hide what holds always, nor the other way round (M9)."""
    base = rule("a", "Use tabs", slot="answers|indentation")
    other = rule("b", "Use spaces in YAML", slot="answers|indentation", condition="yaml")
    narrow = replace(other, id="c", scope=Scope.PROJECT, project_id="one")
    assert sorted(entered(uses([base, other, narrow], 0, 0, 0, where=Where(project_id="one")))) == ["a", "c"]


def test_those_without_a_slot_hide_nobody():
    """No slot is no shared slot: any number of them stand side by side (M5)."""
    kept = [rule("a"), rule("b", scope=Scope.PROJECT, project_id="one"), rule("c")]
    assert len(entered(uses(kept, 0, 0, 0, where=Where(project_id="one")))) == 3


def test_few_of_those_left_out_are_kept():
    """Of what does not enter only the nearest are written down with the run, nearest first (M8)."""
    kept = [fact(f"{number:03}") for number in range(50)]
    found = uses(kept, *[number / 1000 for number in range(50)])
    assert [use.correction.id for use in found] == [f"{49 - number:03}" for number in range(LEFT_OUT_SHOWN)]


def test_the_weightiest_stands_nearest_to_the_question():
    """In the prompt rules come first and facts last, each by rising weight (M8)."""
    kept = [fact("a"), rule("b"), rule("c", pinned=True), rule("d", state=CorrectionState.PROPOSED)]
    order = [use.correction.id for use in entering(uses(kept, 1.0, 0.2, 0.9))]
    assert order == ["b", "c", "a"]


def test_a_shelf_finds_by_the_nearer_of_two_vectors():
    """A correction is found by its words or by the question that it answers, whichever is nearer (M6)."""
    east, north = [1.0, 0.0], [0.0, 1.0]
    vectors = {"a": np.array([east, north], dtype=np.float32), "b": np.array([east], dtype=np.float32)}
    shelf = Shelf([rule("a"), rule("b"), rule("c")], vectors)
    assert shelf.relevance(north).tolist() == [1.0, 0.0, 0.0]
    assert shelf.cosines(np.array([north], dtype=np.float32)).tolist() == [1.0, 0.0, 0.0]


def test_vectors_of_another_width_say_nothing():
    """A vector of another embedder, or none, makes nothing relevant and fails nothing (M6)."""
    shelf = Shelf([rule("a")], {"a": np.ones((1, 2), dtype=np.float32)})
    assert shelf.relevance(None).tolist() == shelf.relevance([1.0, 0.0, 0.0]).tolist() == [0.0]
    assert Shelf([rule("a")]).relevance([1.0, 0.0]).tolist() == [0.0]


def test_what_is_left_out_here_enters_nowhere_here_and_says_so():
    """Pinned or not, it stays out of this conversation with its reason, and hides no wider one (M5)."""
    wide = rule("w", slot="units|value")
    narrow = rule("n", slot="units|value", scope=Scope.PROJECT, project_id="falcon", pinned=True)
    here = Where("talk", "falcon")
    assert reasons(uses([wide, narrow], 0, 0, where=here)) == {"n": UseReason.PINNED, "w": UseReason.HIDDEN}
    without = replace(here, left_out=frozenset({"n", "gone"}))
    found = uses([wide, narrow], 0, 0, where=without)
    assert reasons(found) == {"w": UseReason.RULE_IN_SCOPE, "n": UseReason.LEFT_OUT}
    assert entered(found) == ["w"]


def test_however_many_are_weighed_what_was_left_out_is_told():
    """What a person left out is among what was weighed, even when others came nearer (M5)."""
    kept = [fact(f"f{n:03}") for n in range(3 * LEFT_OUT_SHOWN)]
    found = uses(kept, *([0.1] * (len(kept) - 1)), 0.0, where=Where("talk", left_out=frozenset({kept[-1].id})))
    assert reasons(found)[kept[-1].id] is UseReason.LEFT_OUT
    assert len(found) == LEFT_OUT_SHOWN
