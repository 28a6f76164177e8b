"""What was learned as JSON, what a question offers, and how far members err together."""

import json
import math
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.simulation.choice_pools import Pool
from tests.unit.council.choice_kit import SEATS, situations, weights

from auritas.council.candidates import candidates
from auritas.council.choice.correlation import FEWEST_GRADES, error_correlations
from auritas.council.choice.document import from_document, to_document
from auritas.council.choice.guard import Guard
from auritas.council.choice.learning import Setting, learn
from auritas.council.choice.model import Situation, known
from auritas.council.choice.offered import QUANTITY, aspects, oddness, offered
from auritas.council.choice.policies import POLICIES
from auritas.council.choice.record import Count, TrackRecord
from auritas.council.choice.snapshot import Snapshot, Stage
from auritas.council.choice.votes import effective_votes
from auritas.council.choosing import situation_of
from auritas.kernel.answers import Answer, Seat
from auritas.kernel.errors import InvalidError

POOL = Pool({"ada": 0.8, "bob": 0.7, "cid": 0.6})
LEARNED = learn(POOL.cases(150, 1), Setting(POOL.seats, parents={"law": "top"}))


@given(weights, weights, situations())
def test_what_was_learned_survives_being_written_down(one, other, situation):
    """Through JSON and back a snapshot is equal, and decides as before."""
    snapshot = Snapshot(
        grades=7,
        seats=SEATS,
        record=TrackRecord({"ada": {"": Count(1, 2), "code": Count(0.5, 0.5)}}, {"code": "top"}, {"ada": 0.7}),
        weights=one,
        guard=Guard(council=True, gain=0.1, expected=0.05, measured=0.2, error=0.01, questions=7),
        stages=(Stage(("ada",), other, 0.9),),
        correlations={"ada": {"bob": 0.5}, "bob": {"ada": 0.5}},
    )
    again = from_document(json.loads(json.dumps(to_document(snapshot))))
    assert again == snapshot
    for policy in POLICIES.values():
        assert policy.rank(situation, again) == policy.rank(situation, snapshot)


def test_a_snapshot_that_was_really_learned_is_plain_json():
    """Nothing of numpy stays in it."""
    assert from_document(json.loads(json.dumps(to_document(LEARNED), allow_nan=False))) == LEARNED


def spoiled(*path: Any, value: object) -> Any:
    document = json.loads(json.dumps(to_document(LEARNED)))
    place = document
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return document


@pytest.mark.parametrize(
    "document",
    [
        {},
        [],
        {"grades": 1},
        spoiled("grades", value="many"),
        spoiled("seats", value="ada"),
        spoiled("seats", value=[1, 2]),
        spoiled("weights", value=None),
        spoiled("weights", "seats", value=[1.0]),
        spoiled("weights", "seats", "ada", value="heavy"),
        spoiled("weights", "seats", "ada", value=math.nan),
        spoiled("weights", "oddness", value=None),
        spoiled("weights", "nodes", value={"ada": 3}),
        spoiled("guard", value={"council": True}),
        spoiled("guard", "gain", value="some"),
        spoiled("record", "counts", "ada", value={"": {"right": 1}}),
        spoiled("record", "parents", value={"law": 3}),
        spoiled("record", "prior", value={"ada": True}),
        spoiled("stages", 0, "threshold", value=None),
        spoiled("stages", value=[{}]),
        spoiled("correlations", value={"ada": 1}),
    ],
)
def test_what_is_no_snapshot_is_refused_with_a_remedy(document):
    """Junk is an error when it is read, never in the middle of a question."""
    with pytest.raises(InvalidError) as caught:
        from_document(document)
    assert caught.value.remedy


def test_listed_answers_are_read_by_letter():
    """Lines that begin with letters in order, in any of the usual dresses, or a stem and bars."""
    expected = {"A": "12 m", "B": "7 m", "C": "none"}
    assert offered("How far?\nA) 12 m\nB) 7 m\nC) none") == expected
    assert offered("How far?\r\n(a) 12 m \r\n (b) 7 m\r\n(c) none\r\n") == expected
    assert offered("How far? || 12 m | 7 m | none") == expected


@pytest.mark.parametrize(
    "question",
    [
        "How far? (A) 12 m (B) 7 m (C) none",
        "How far? (a) 12 m, (b) 7 m, or (c) none?",
        "How far? A) 12 m; B) 7 m; C) none. Answer with the letter only.",
        "How far? A: 12 m B: 7 m C: none",
        "How far? A. 12 m B. 7 m C. none\nExplain.",
        "How far?\nA) 12 m  B) 7 m\nC) none",
        "Wie weit? (A) 12 m (B) 7 m oder (C) none? Wähle eine.",
    ],
)
def test_answers_listed_within_a_line_are_read_by_letter(question):
    """What stands between two answers, and what is to be done with them, is no part of them."""
    assert offered(question) == {"A": "12 m", "B": "7 m", "C": "none"}


def test_two_lines_in_brackets_are_a_list():
    """Nothing else looks like them."""
    assert offered("True?\nA) yes\nB) no") == {"A": "yes", "B": "no"}


@pytest.mark.parametrize(
    "question",
    [
        "",
        "How far?",
        "A: How are you?\nB: Fine.",
        "B) one\nC) two\nD) three",
        "Fix my code: a || b",
        "A) x\nC) y\nB) z",
        "Explain (a) what it is and (b) why it matters.",
        "Which of the sides (a), (b) and (c) is the longest?",
        "Compare (A) and (C) with (B).",
        "What is f(a) + f(b) + f(c)?",
        "Who wrote it, A. Smith or B. Jones?",
    ],
)
def test_what_is_no_list_of_answers_offers_nothing(question):
    """Too few, not in order, or nothing behind the letters."""
    assert offered(question) == {}


@pytest.mark.parametrize("blank", ["\n", " ", "A) ", "\t\n", "(A)", "A: ", "A. ", "? ", "or ", "A) x B) y C) . "])
def test_a_pasted_wall_of_blanks_is_read_in_no_time(blank):
    """Reading is linear in the length of the question: a quadratic one would not end within the test's limit."""
    assert offered(f"{blank * 400_000}x") == {}


@given(st.text(max_size=200))
def test_any_question_can_be_read(text):
    """No text makes reading fail, and what is said of it lies where it should."""
    listed = offered(text)
    assert 0 <= aspects(listed).get(QUANTITY, 0.0) <= 1
    assert all(-1 <= odd <= 1 for odd in oddness(listed).values())


@given(st.lists(st.floats(-1e300, 1e300), min_size=3, max_size=10))
def test_oddness_adds_up_to_nothing(numbers):
    """It says how each stands to the others, so over all of them it is 0; equal numbers are equally odd."""
    odd = oddness({chr(65 + place): repr(number) for place, number in enumerate(numbers)})
    assert sum(odd.values()) == pytest.approx(0, abs=1e-9)
    for one, other in zip(odd.values(), list(odd.values())[1:], strict=False):
        assert (one == pytest.approx(other)) or len(set(numbers)) > 1


def test_the_number_far_from_all_others_stands_out():
    """Of 10, 11, 12 and 9000 it is the last."""
    odd = oddness({"A": "10 m", "B": "11 m", "C": "12 m", "D": "9,000 m"})
    assert max(odd, key=odd.__getitem__) == "D"
    assert odd["D"] > 0 > odd["B"]


@given(st.lists(st.sampled_from(["10", "20", "-3", "x", "1e400", "4,000"]), min_size=3, max_size=6), st.randoms())
def test_the_letter_of_a_number_does_not_matter_to_its_oddness(texts, chance):
    """Moved to another letter a number is as odd as before (C6)."""
    order = list(range(len(texts)))
    chance.shuffle(order)
    before = oddness({chr(65 + place): text for place, text in enumerate(texts)})
    after = oddness({chr(65 + place): texts[old] for place, old in enumerate(order)})
    for place, old in enumerate(order):
        assert after[chr(65 + place)] == pytest.approx(before[chr(65 + old)])


def test_a_situation_has_what_was_offered_in_its_options():
    """A letter is a form and has the oddness of its number; yes and no are forms; other words are not."""

    def options(question: str, *texts: str) -> Situation:
        answers = [Answer(str(n), Seat(str(n), "m"), text=text) for n, text in enumerate(texts)]
        return situation_of(question, candidates(answers), answers, {})

    listed = options("How far?\nA) 10 m\nB) 11 m\nC) 9000 m", "C", "A", "A) 10 m")
    assert {option.form: option.oddness > 0 for option in listed.options} == {"A": False, "C": True}
    assert listed.aspects == {QUANTITY: 1.0}
    words = options("Is it so?", "Yes, it is.", "Canberra")
    assert {option.form for option in words.options} == {"yes", ""}


def test_correlations_wait_for_fifty_grades():
    """Below that they are noise, and the effective votes are not known."""
    cases = POOL.cases(FEWEST_GRADES, 2)
    assert error_correlations(cases[1:], POOL.seats) == {}
    assert effective_votes(POOL.seats, {}) is None
    assert set(error_correlations(cases, POOL.seats)) == set(POOL.seats)


def test_correlations_of_errors_are_symmetric_and_perfect_for_a_clone():
    """Who repeats another errs exactly with it, and adds no vote."""
    pool = POOL.with_clone("echo", "ada")
    found = error_correlations(pool.cases(600, 3), pool.seats)
    assert found["ada"]["echo"] == pytest.approx(1)
    assert found["bob"]["cid"] == pytest.approx(found["cid"]["bob"])
    votes = effective_votes(("ada", "echo"), found)
    assert votes == pytest.approx(1)


def test_members_who_err_on_their_own_are_worth_their_number():
    """Independent errors leave three members nearly three votes; shared ones leave fewer."""
    own = replace(POOL, together=0.0)
    alone = effective_votes(POOL.seats, error_correlations(own.cases(3000, 4), POOL.seats))
    shared = effective_votes(POOL.seats, error_correlations(replace(POOL, together=0.8).cases(3000, 4), POOL.seats))
    assert alone == pytest.approx(3, abs=0.2)
    assert shared is not None
    assert 1 < shared < 2


@given(st.dictionaries(st.tuples(st.sampled_from(SEATS), st.sampled_from(SEATS)), st.floats(-1, 1)))
def test_effective_votes_lie_between_one_and_the_number_of_members(pairs):
    """Whatever the correlations, also negative ones."""
    table = {a: {b: pairs.get((min(a, b), max(a, b)), 0.0) for b in SEATS if a != b} for a in SEATS}
    votes = effective_votes(SEATS, table)
    assert votes is not None
    assert 1 - 1e-9 <= votes <= len(SEATS)


def test_a_member_without_correlations_leaves_the_votes_unknown():
    """A newcomer makes the number unknown rather than wrong."""
    table = {"ada": {"bob": 0.5}, "bob": {"ada": 0.5}}
    assert effective_votes(("ada", "bob"), table) == pytest.approx(2 / 1.5)
    assert effective_votes(("ada", "bob", "new"), table) is None
    assert effective_votes((), table) is None


def test_a_clone_says_what_it_repeats():
    """The pools that these tests stand on: a clone changes nothing in what the others say."""
    for one, other in zip(POOL.cases(30, 5), POOL.with_clone("echo", "bob").cases(30, 5), strict=True):
        assert known(one.situation, one.right if one.right != len(one.situation.options) else None) == one
        for option in other.situation.options:
            assert ("echo" in option.supporters) == ("bob" in option.supporters)
