"""When the council may overrule its best member, and when it may stop asking."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.simulation.choice_pools import Pool

from auritas.council.choice.cascade import FEWEST_GRADES, GRID, LOSS_ALLOWED, Progress, allowed, progress, stages
from auritas.council.choice.fit import design
from auritas.council.choice.guard import expected_gain
from auritas.council.choice.learning import Setting, learn
from auritas.council.choice.model import Case
from auritas.council.choice.paired import Fits, fallback_scores, guard, hits
from auritas.council.choice.penalties import Penalties
from auritas.council.choice.prior import prior_weights
from auritas.council.choice.snapshot import NEVER

EQUALS = dict.fromkeys(("a", "b", "c", "d"), 0.6)
DOMINANT = {"a": 0.93, "b": 0.55, "c": 0.5, "d": 0.5}


def of(rates: dict[str, float], grades: int = 0, seed: int = 1):
    cases = Pool(rates).cases(grades, seed)
    prior = prior_weights(rates)
    return guard(design(cases) if cases else None, rates, Fits(prior, Penalties()))


def test_among_equals_the_council_decides_before_any_grade():
    """Where nobody stands out, agreement is what there is."""
    assert of(EQUALS).council
    assert of(EQUALS).questions == 0


def test_one_that_stands_out_is_not_overruled_before_grades():
    """A council that has learned nothing yet loses against a dominant member."""
    assert not of(DOMINANT).council
    assert of(DOMINANT).gain < 0


def test_a_member_alone_has_nobody_to_overrule_it():
    """With one seat, or none, nothing is gained."""
    assert expected_gain({"a": 0.9}, 100) == expected_gain({}, 0) == 0.0
    assert not guard(None, {"a": 0.9}, Fits(prior_weights({"a": 0.9}), Penalties())).council


@given(st.floats(0.5, 0.95), st.floats(0, 0.04), st.floats(0.001, 0.04), st.integers(0, 5000))
def test_the_wider_the_gap_the_less_is_expected_of_a_council(second, near, more, grades):
    """What is expected falls with the lead of the best member."""
    close, wide = {"a": second + near, "b": second}, {"a": second + near + more, "b": second}
    assert expected_gain(wide, grades) <= expected_gain(close, grades)


@given(st.lists(st.floats(0.05, 0.95), min_size=2, max_size=5), st.integers(0, 3000), st.integers(1, 3000))
def test_the_more_is_learned_the_more_is_expected(rates, grades, more):
    """Grades never lower what a council is expected to gain."""
    pool = {str(place): rate for place, rate in enumerate(rates)}
    assert expected_gain(pool, grades + more) >= expected_gain(pool, grades)


@given(st.permutations(sorted(DOMINANT)))
def test_the_order_of_members_never_matters_to_the_guard(order):
    """The gap is between the best two, whoever they are (C6)."""
    assert expected_gain({seat: DOMINANT[seat] for seat in order}, 50) == expected_gain(DOMINANT, 50)


def test_what_was_measured_moves_what_is_believed():
    """With grades the gain lies between what such pools do and what this one did, and the error is a standard error."""
    found = of(EQUALS, 600)
    assert found.questions > 500
    assert min(found.expected, found.measured) <= found.gain <= max(found.expected, found.measured)
    assert 0 < found.error < 0.05
    assert found.council


def test_a_useful_council_is_let_in_by_its_grades():
    """Members who were thought unequal and are equal and independent convince the guard."""
    cases = Pool(EQUALS, together=0.0).cases(1500, 4)
    thought = {"a": 0.8, "b": 0.6, "c": 0.6, "d": 0.6}
    found = guard(design(cases), thought, Fits(prior_weights(thought), Penalties()))
    assert found.expected < found.gain
    assert found.council


def test_hits_are_counted_as_a_person_would():
    """On sure keys the guard's hits are those of the chosen option; ties share theirs."""
    cases = [case for case in Pool(EQUALS).cases(200, 2) if case.teaches]
    matrices = design(cases)
    votes = matrices.supports.sum(axis=1)
    expected = []
    for case in cases:
        sizes = [len(option.supporters) for option in case.situation.options]
        leading = [place for place, size in enumerate(sizes) if size == max(sizes)]
        expected.append((case.right in leading) / len(leading))
    assert hits(matrices, votes) == pytest.approx(expected)


def test_the_scale_of_unsure_grades_does_not_move_the_guard():
    """Likelihoods are known up to a factor: a case that was written down ten times smaller counts the same."""
    cases = [
        Case(
            case.situation, tuple(0.2 + 0.6 * (place == case.right) for place in range(len(case.situation.options) + 1))
        )
        for case in Pool(EQUALS).cases(200, 6)
    ]
    small = [replace(case, likelihood=tuple(each / 10 for each in case.likelihood or ())) for case in cases[:100]]
    fits = Fits(prior_weights(EQUALS), Penalties())
    once, again = guard(design(cases), EQUALS, fits), guard(design([*small, *cases[100:]]), EQUALS, fits)
    assert again.gain == pytest.approx(once.gain)


@given(st.permutations(range(5)))
def test_with_fallback_the_first_who_answered_speaks(order):
    """The option of the best member that answered scores highest."""
    supports = np.zeros((2, 5))
    supports[0, order[1]], supports[1, order[2:]] = 1, 1
    scores = fallback_scores(supports, order)
    assert scores[0] > scores[1]


def found(confidence: list[list[float]], hit: list[list[float]]) -> Progress:
    return Progress(np.array(confidence), np.array(hit), tuple(range(1, len(hit) + 1)))


def test_a_cascade_stops_at_the_first_stage_that_is_sure_enough():
    """And at the last in any case; asked is how many members spoke by then."""
    seen = found([[0.9, 0.5, 0.1], [0.2, 0.8, 0.1], [0.3, 0.3, 0.3]], [[1, 0, 0], [0, 1, 0], [0, 0, 1]])
    hit, asked = seen.stopped(0.8)
    assert hit.tolist() == [1, 1, 1]
    assert asked.tolist() == [1, 2, 3]


@given(st.integers(0, 2**32 - 1))
def test_the_higher_the_threshold_the_more_are_asked(seed):
    """Asked is monotone in the threshold, whatever is believed."""
    chance = np.random.default_rng(seed)
    seen = Progress(chance.random((4, 30)), chance.integers(2, size=(4, 30)).astype(float), (1, 2, 3, 4))
    counts = [seen.stopped(threshold)[1].sum() for threshold in GRID]
    assert counts == sorted(counts)


def test_thresholds_are_tried_from_low_to_high():
    """The grid rises and stays below certainty."""
    assert list(GRID) == sorted(set(GRID))
    assert 0.5 == GRID[0] < GRID[-1] < 1


def test_a_stage_that_is_as_good_as_all_may_stop_at_once():
    """Where the first member is right whenever the council is, the lowest threshold is enough."""
    same = [[1.0] * 150 + [0.0] * 50] * 2
    assert allowed(found([[0.99] * 200] * 2, same)) == GRID[0]


def test_a_stage_that_is_surely_worse_never_stops():
    """Where the first member is sure and wrong, everybody is asked."""
    seen = found([[0.999] * 200, [0.5] * 200], [[0.0] * 100 + [1.0] * 100, [1.0] * 200])
    assert allowed(seen) == NEVER


@given(st.integers(0, 2**32 - 1))
def test_the_threshold_keeps_the_bound_where_it_was_measured(seed):
    """The one-sided 90 % bound of the paired loss is within what is allowed, on the cases that it rests on."""
    chance = np.random.default_rng(seed)
    p = np.sort(chance.random((3, 400)), axis=0)
    seen = Progress(p, (chance.random((3, 400)) < p).astype(float), (1, 2, 3))
    threshold = allowed(seen)
    loss = seen.hit[-1] - seen.stopped(threshold)[0]
    assert loss.mean() + 1.2816 * loss.std(ddof=1) / np.sqrt(400) <= LOSS_ALLOWED


def test_before_a_hundred_grades_nothing_is_known_about_when_to_stop():
    """No stages from 99 complete cases; with 100, one for each first members but all."""
    order, rates = tuple(EQUALS), EQUALS
    cases = Pool(EQUALS).cases(FEWEST_GRADES, 8)
    assert stages(cases[1:], order, rates, Penalties()) == ()
    assert stages(cases, order[:1], rates, Penalties()) == ()
    assert [stage.seats for stage in stages(cases, order, rates, Penalties())] == [order[:1], order[:2], order[:3]]


def test_stages_are_learned_from_questions_on_which_all_were_asked():
    """A question on which a cascade stopped early says nothing about what the others would have said."""
    pool = Pool(EQUALS)
    cases = pool.cases(150, 9)
    early = [replace(case, situation=replace(case.situation, asked=("a",))) for case in cases[:60]]
    assert stages([*early, *cases[60:]], tuple(EQUALS), EQUALS, Penalties()) == ()


def test_a_member_who_never_answers_breaks_nothing():
    """A first stage in which everybody is silent has nothing to learn from, and never stops a question."""
    pool = Pool({"a": 0.8, "b": 0.7, "c": 0.6}, silence={"a": 1.0})
    seen = progress(pool.cases(200, 3), ("a", "b", "c"), pool.rates, Penalties())
    assert seen.confidence[0].tolist() == [0.0] * 200
    assert seen.hit[0].tolist() == [0.0] * 200
    assert learn(pool.cases(200, 3), Setting(pool.seats)).seats[-1] == "a"


def test_no_more_than_eight_are_asked_and_the_best_first():
    """Of thirty members learning keeps eight, in the order of their record."""
    rates = {f"m{place:02}": 0.4 + 0.012 * place for place in range(30)}
    learned = learn(Pool(rates).cases(400, 2), Setting(tuple(rates), cascade=False))
    assert len(learned.seats) == 8
    assert [learned.record.rate(s) for s in learned.seats] == sorted(map(learned.record.rate, rates), reverse=True)[:8]
    assert set(learned.weights.seats) == set(learned.seats)


def test_starting_from_what_was_learned_before_changes_nothing_but_the_time():
    """A warm refit ends where a cold one does."""
    pool = Pool(EQUALS)
    cases = pool.cases(500, 5)
    before = learn(cases[:450], Setting(pool.seats))
    cold, warm = learn(cases, Setting(pool.seats)), learn(cases, Setting(pool.seats), before)
    assert warm.seats == cold.seats
    assert warm.weights.seats == pytest.approx(dict(cold.weights.seats), abs=0.01)


def test_without_anything_there_is_a_snapshot():
    """On the first day, with no grade, no score and no question, members are asked and equal."""
    learned = learn([], Setting(("a", "b")))
    assert (learned.grades, set(learned.seats), learned.stages) == (0, {"a", "b"}, ())
    assert learned.record.rate("a") == learned.record.rate("b") == 0.5
