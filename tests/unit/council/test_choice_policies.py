"""The policies: one interface, no order, and what each says of a question."""

from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.council.choice_kit import SEATS, cases, situations, weights

from auritas.council.candidates import candidates
from auritas.council.choice.guard import Guard
from auritas.council.choice.learning import Setting, learn
from auritas.council.choice.model import Option, Situation, known, restricted
from auritas.council.choice.policies import DEFAULT_POLICY, POLICIES, shown
from auritas.council.choice.prior import prior_weights
from auritas.council.choice.ranking import best, tie
from auritas.council.choice.record import Count, TrackRecord
from auritas.council.choice.rule import Weights, shape_of, shares
from auritas.council.choice.snapshot import CALIBRATED_AT, Snapshot, Stage
from auritas.council.choosing import situation_of
from auritas.kernel.answers import Answer, Failure, Seat

RATES = {"ada": 0.9, "bob": 0.6, "cid": 0.6, "dee": 0.5, "eve": 0.3}
WORDS = ["Paris", "Lyon", "B", "(b)", "yes", "No", "42", "42.0", "1,000 m", "1 km", "", "Canberra"]


def snapshot(council: bool = True, of_seats: Weights | None = None, **kept) -> Snapshot:
    rates = kept.pop("rates", RATES)
    return Snapshot(
        grades=0,
        seats=tuple(rates),
        record=TrackRecord(prior=rates, **kept),
        weights=of_seats or prior_weights(rates),
        guard=Guard(council, 0.0, 0.0),
    )


def question(**said: str) -> Situation:
    """Who says what; an empty answer is silence."""
    keys = sorted(set(said.values()) - {""})
    options = tuple(Option(key, tuple(sorted(s for s in said if said[s] == key))) for key in keys)
    return Situation(options, tuple(sorted(said)))


def chosen(policy: str, situation: Situation, learned: Snapshot) -> str | None:
    place = POLICIES[policy].rank(situation, learned).chosen
    return None if place is None else situation.options[place].key


def moved(situation: Situation, order: list[int], seats: dict[str, float]) -> Situation:
    """The same question with its options, their supporters and the asked in other orders."""
    options = [situation.options[place] for place in order]
    return replace(
        situation,
        options=tuple(replace(o, supporters=tuple(sorted(o.supporters, key=seats.__getitem__))) for o in options),
        asked=tuple(sorted(situation.asked, key=seats.__getitem__)),
        domains=dict(reversed(list(situation.domains.items()))),
    )


@given(situations(), weights, st.booleans(), st.sampled_from(sorted(POLICIES)), st.data())
def test_the_order_of_options_supporters_and_seats_never_matters(situation, of_seats, council, name, data):
    """Permuted in every way, a question has the same choice, the same words shown, and the same scores (C6)."""
    order = data.draw(st.permutations(range(len(situation.options))))
    places = dict(zip(SEATS, data.draw(st.permutations(range(len(SEATS)))), strict=True))
    again, learned = moved(situation, order, places), snapshot(council, of_seats)
    before, after = POLICIES[name].rank(situation, learned), POLICIES[name].rank(again, learned)
    assert after.scores == pytest.approx([before.scores[place] for place in order])
    if before.p is not None and after.p is not None:
        assert after.p == pytest.approx([before.p[place] for place in order])
    if before.chosen is None or after.chosen is None:
        assert before.chosen is after.chosen is None
        return
    assert again.options[after.chosen].key == situation.options[before.chosen].key
    assert shown(again, after.chosen, learned) == shown(situation, before.chosen, learned)


@given(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=5), st.permutations(SEATS), st.sampled_from(sorted(POLICIES))
)
def test_the_order_of_answers_never_matters(said, order, name):
    """From the answers through candidates and situation to the choice: who is listed first has no advantage (C6)."""
    answers = {seat: Answer(seat, Seat(seat, seat), text=words) for seat, words in zip(SEATS, said, strict=False)}
    listed = [answers[seat] for seat in SEATS if seat in answers]
    shuffled = [answers[seat] for seat in order if seat in answers]
    learned, found = snapshot(), []
    for given_answers in (listed, shuffled):
        situation = situation_of("Which?", candidates(given_answers), given_answers, {"code": 1.0})
        found.append((situation, POLICIES[name].rank(situation, learned)))
    assert found[0] == found[1]


@given(st.lists(cases(), min_size=1, max_size=8), st.permutations(SEATS), st.data())
def test_the_order_of_members_never_matters_to_learning(given_cases, order, data):
    """Whoever is listed first is neither asked first nor weighed more for it (C6)."""
    places = {seat: float(place) for place, seat in enumerate(order)}
    turned = [
        replace(case, situation=moved(case.situation, list(range(len(case.situation.options))), places))
        for case in given_cases
    ]
    one, other = learn(given_cases, Setting(SEATS)), learn(turned, Setting(tuple(order)))
    assert one.seats == other.seats
    assert one.guard.council is other.guard.council
    for seat in SEATS:
        assert one.record.rate(seat) == pytest.approx(other.record.rate(seat))
        assert one.weights.seats[seat] == pytest.approx(other.weights.seats[seat], abs=1e-6)


def test_the_policies_are_the_five_of_the_contract():
    """Each is there under its name, and the guard is what holds by default."""
    assert set(POLICIES) == {"best_single", "track_record", "vote", "council", "guarded"}
    assert DEFAULT_POLICY == "guarded"


def test_the_best_member_speaks_and_the_next_best_when_it_is_silent():
    """best_single is best single with fallback."""
    assert chosen("best_single", question(ada="x", bob="y", cid="y"), snapshot()) == "x"
    assert chosen("best_single", question(ada="", bob="y", dee="x", eve="x"), snapshot()) == "y"


def test_a_vote_counts_heads():
    """Three that are worse outvote the best; a draw goes to whoever has the better record."""
    assert chosen("vote", question(ada="x", cid="y", dee="y", eve="y"), snapshot()) == "y"
    assert chosen("vote", question(ada="x", eve="y"), snapshot()) == "x"


def test_the_track_record_rule_follows_the_domain():
    """It says what the member with the highest welfare on this question's domains says, not the best overall."""
    learned = snapshot(counts={"eve": {"law": Count(40, 40)}, "ada": {"law": Count(0, 40)}})
    situation = replace(question(ada="x", eve="y"), domains={"law": 1.0})
    assert chosen("track_record", situation, learned) == "y"
    assert chosen("track_record", replace(situation, domains={}), learned) == "x"


def test_nobody_to_choose_from_is_no_choice():
    """When all are silent no policy makes something up."""
    for policy in POLICIES.values():
        ranking = policy.rank(question(ada="", bob=""), snapshot())
        assert (ranking.chosen, ranking.scores) == (None, ())


@given(situations(), weights)
def test_chances_leave_room_for_none_of_these(situation, of_seats):
    """P of the options is a distribution that lacks exactly what "none of these" has."""
    ranking = POLICIES["council"].rank(situation, snapshot(of_seats=of_seats))
    assert ranking.p is not None
    none = shares(of_seats.scores(situation))[-1]
    assert sum(ranking.p) + none == pytest.approx(1)
    assert all(0 <= p <= 1 for p in ranking.p)


@given(situations(), weights)
def test_the_council_chooses_what_is_likeliest_to_be_right(situation, of_seats):
    """The chosen option has the highest chance of all."""
    ranking = POLICIES["council"].rank(situation, snapshot(of_seats=of_seats))
    assert ranking.p is not None
    if ranking.chosen is not None:
        assert ranking.p[ranking.chosen] == pytest.approx(max(ranking.p))


def test_without_the_councils_permission_the_best_member_is_what_counts():
    """The guard changes who is followed; the chance stays that of the candidate, so it stays honest."""
    situation = question(ada="x", bob="y", cid="y", dee="y", eve="y")
    equal = Weights(dict.fromkeys(SEATS, 1.0))
    free, held = snapshot(True, equal), snapshot(False, equal)
    assert chosen("guarded", situation, free) == chosen("council", situation, free) == "y"
    assert chosen("guarded", situation, held) == chosen("best_single", situation, held) == "x"
    assert POLICIES["guarded"].rank(situation, held).p == POLICIES["council"].rank(situation, held).p


def test_a_stage_decides_by_what_was_learned_of_just_its_members():
    """The weights of a stage hold when exactly its seats were asked, whatever their order; else those for all."""
    stage = Stage(("ada", "bob"), Weights({"ada": 0.0, "bob": 5.0}))
    learned = replace(snapshot(), stages=(Stage(("ada",), Weights({})), stage))
    assert learned.weights_for(Situation((), ("bob", "ada"))) is stage.weights
    for others in (("ada", "cid"), ("ada", "bob", "cid"), ("bob",), ()):
        assert learned.weights_for(Situation((), others)) is learned.weights
    assert chosen("council", question(bob="y", ada="x"), learned) == "y"
    assert chosen("council", question(bob="y", ada="x", cid=""), learned) == "x"


def test_of_those_who_say_the_same_the_best_on_these_domains_is_shown():
    """Whose words a person reads follows from the domains of the question, not from the overall record."""
    learned = snapshot(counts={"eve": {"law": Count(60, 60)}, "ada": {"law": Count(0, 60)}})
    situation = replace(question(ada="x", eve="x"), domains={"law": 1.0})
    assert shown(situation, 0, learned) == "eve"
    assert shown(replace(situation, domains={}), 0, learned) == "ada"


def test_what_is_equal_is_decided_by_a_hash():
    """Scores that differ by rounding alone are equal, then the record of the best supporter counts, then a hash."""
    situation = question(bob="y", cid="x")
    assert situation.options[best((1.0, 1.0 + 1e-12), situation, {"bob": 0.7, "cid": 0.6}) or 0].key == "y"
    even = best((1.0, 1.0), situation, {"bob": 0.6, "cid": 0.6})
    assert situation.options[even or 0].key == min("xy", key=tie)


def test_the_more_support_the_likelier():
    """With weights above 0, one more supporter never lowers a candidate."""
    alone = POLICIES["council"].rank(question(ada="x", bob="y", cid=""), snapshot())
    joined = POLICIES["council"].rank(question(ada="x", bob="y", cid="x"), snapshot())
    assert joined.p is not None
    assert alone.p is not None
    assert joined.p[0] > alone.p[0]


def test_silence_raises_none_of_these_once_that_was_learned():
    """Where the silence of some goes with everybody else being wrong, it lowers every chance."""
    heard, silent = question(ada="x", bob="x", cid="y"), question(ada="x", bob="x", cid="")
    learned = learn([known(heard, 0), known(silent, None)] * 100, Setting(heard.asked, cascade=False))
    assert learned.weights.none["silent"] > 0
    none = [shares(learned.weights.scores(each))[-1] for each in (heard, silent)]
    assert none[1] > 0.5 > none[0]


@given(situations())
def test_the_shape_of_a_question_is_in_shares(situation):
    """How many candidates there are, and the shares of the largest and of the silent, lie where shares lie."""
    one, options, top, squared, silent = shape_of(situation)
    assert (one, options) == (1.0, len(situation.options))
    assert 0 <= top <= 1
    assert squared == top * top
    assert -1e-12 <= silent <= 1


def test_a_chance_is_a_score_until_there_are_a_hundred_grades():
    """Ninety-nine grades are too few to call it a probability."""
    assert not replace(snapshot(), grades=CALIBRATED_AT - 1).calibrated
    assert replace(snapshot(), grades=CALIBRATED_AT).calibrated


@given(cases(), st.sets(st.sampled_from(SEATS)), st.sets(st.sampled_from(SEATS)))
def test_asking_fewer_twice_is_asking_those_in_both(case, some, others):
    """Restricting to some and then to others is restricting to those in both, in either order."""
    once = restricted(case, frozenset(some & others))
    assert restricted(restricted(case, frozenset(some)), frozenset(others)) == once
    assert restricted(restricted(case, frozenset(others)), frozenset(some)) == once


@given(cases(), st.sets(st.sampled_from(SEATS)))
def test_what_is_known_of_the_question_stays_when_fewer_are_asked(case, some):
    """Only who was asked and what they said changes; every other field of the situation is as before."""
    before, after = case.situation, restricted(case, frozenset(some)).situation
    for each in fields(Situation):
        if each.name not in {"options", "asked"}:
            assert getattr(after, each.name) == getattr(before, each.name)
    same = {(option.key, option.form, option.oddness) for option in before.options}
    assert {(option.key, option.form, option.oddness) for option in after.options} <= same


@given(situations(), weights, st.sampled_from(SEATS), st.floats(0.1, 3))
def test_a_higher_report_never_makes_ones_own_candidate_lose(situation, of_seats, seat, more):
    """The rule is monotone in each member's own report (proposition M of the mechanism)."""
    own = next((place for place, option in enumerate(situation.options) if seat in option.supporters), None)
    if own is None or POLICIES["council"].rank(situation, snapshot(of_seats=of_seats)).chosen != own:
        return
    surer = replace(situation, reports={**situation.reports, seat: situation.reports.get(seat, 0.0) + more})
    assert POLICIES["council"].rank(surer, snapshot(of_seats=of_seats)).chosen == own


def test_what_nobody_asked_would_have_said_is_none_of_these():
    """An option that loses its supporters takes its likelihood to "none of these"; a failure is not an abstention."""
    case = known(question(ada="x", bob="y"), 0)
    assert restricted(case, frozenset({"bob"})).likelihood == (0.0, 1.0)
    assert restricted(case, frozenset({"ada"})).likelihood == (1.0, 0.0)
    answers = [
        Answer("1", Seat("ada", "m"), text="Paris"),
        Answer("2", Seat("bob", "m"), failure=Failure("timeout", "Too slow.")),
        Answer("3", Seat("cid", "m"), abstained=True),
    ]
    assert situation_of("Where?", candidates(answers), answers, {}).asked == ("ada", "bob")
