"""Grades: what each act makes right or wrong, what grades add up to, and when to ask for one."""

from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auritas.council.acts import (
    Act,
    ActRecord,
    Answered,
    Checked,
    Key,
    Merge,
    NoneRight,
    Pick,
    Reviewed,
    Verdict,
    from_document,
    joined,
    keyed,
    representatives,
    to_document,
)
from auritas.council.candidates import candidates
from auritas.council.grading import (
    RunGrade,
    ask_for_grade,
    audited,
    grade_source,
    grades_of,
    in_force,
    outcome,
)
from auritas.council.model import GradeSource
from auritas.kernel.answers import (
    Answer,
    Candidate,
    Confidence,
    ConfidenceLabel,
    Decision,
    Failure,
    GradeRequest,
    QuestionShape,
    ReviewVerdict,
    Seat,
)
from auritas.kernel.errors import InvalidError

START = datetime(2026, 1, 1, tzinfo=UTC)


def asked(said: dict[str, str], shape: QuestionShape = QuestionShape.CLOSED, shown: str = "") -> Answered:
    """Return a question answered by seats; "" abstains, "!" fails. The first seat is shown unless named."""
    answers = tuple(
        Answer(
            f"run-{seat}",
            Seat(seat, seat),
            "" if text in {"", "!"} else text,
            abstained=not text,
            failure=Failure("late", "Too late.") if text == "!" else None,
        )
        for seat, text in said.items()
    )
    shown = shown or next(iter(said))
    groups = candidates(answers)
    decision = Decision(
        tuple(Candidate(g.id, g.text, g.supporters, 1.0) for g in groups),
        next((g.id for g in groups if shown in g.supporters), None),
        shown,
        Confidence(ConfidenceLabel.MEDIUM, "test"),
        "test",
        "",
    )
    return Answered("q", "Why?", shape, answers, decision)


def of(question: Answered, seat: str) -> str:
    return next(c.id for c in question.decision.candidates if seat in c.supporters)


def marks(act: Act, question: Answered) -> dict[str, bool | None]:
    return {grade.run_id.removeprefix("run-"): grade.correct for grade in grades_of(act, question)}


CAPITALS = {"ada": "Canberra", "bob": "canberra.", "eve": "Sydney", "dan": "Perth", "calc": "", "max": "!"}


def test_a_verdict_that_the_shown_answer_is_right_grades_everyone():
    """On a closed question its supporters are right and all others wrong; abstentions and failures get no grade."""
    assert marks(Verdict("run-ada", right=True), asked(CAPITALS)) == {
        "ada": True, "bob": True, "eve": False, "dan": False,
    }  # fmt: skip


def test_a_verdict_that_the_shown_answer_is_wrong_says_nothing_about_the_others():
    """Only those who said the same are wrong."""
    assert marks(Verdict("run-ada", right=False), asked(CAPITALS)) == {"ada": False, "bob": False}


def test_on_an_open_question_only_the_judged_answer_is_graded():
    """One good text makes no other one wrong."""
    question = asked(CAPITALS, QuestionShape.OPEN)
    assert marks(Verdict("run-ada", right=True), question) == {"ada": True}
    assert marks(Verdict("run-ada", right=False), question) == {"ada": False}
    assert marks(Pick(of(question, "eve")), question) == {"eve": True}
    assert marks(NoneRight(), question) == dict.fromkeys(("ada", "bob", "eve", "dan"), False)


def test_a_pick_grades_all():
    """The picked candidate is right and every other answer wrong."""
    question = asked(CAPITALS)
    assert marks(Pick(of(question, "eve")), question) == {"ada": False, "bob": False, "eve": True, "dan": False}


def test_none_right_grades_all_wrong():
    """When no answer is right every one is wrong."""
    assert set(marks(NoneRight(), asked(CAPITALS)).values()) == {False}


@pytest.mark.parametrize(
    ("text", "right"),
    [("fifty-three", {"ada", "bob"}), ("53", {"ada", "bob"}), ("54", {"eve"}), ("55", set())],
)
def test_a_key_is_compared_by_what_it_says(text, right):
    """The key 53 fits "53" and "The answer is 53."; one that fits nobody makes all wrong."""
    question = asked({"ada": "53", "bob": "The answer is 53.", "eve": "54"})
    assert {seat for seat, mark in marks(keyed(text, question), question).items() if mark} == right
    assert len(marks(keyed(text, question), question)) == 3


def test_a_key_fits_a_candidate_by_its_finest_statement():
    """The answer "B" is right by the key "Paris" because another supporter said "B) Paris"."""
    question = asked({"ada": "B", "bob": "B) Paris", "eve": "C) Rome"})
    assert marks(keyed("Paris", question), question) == {"ada": True, "bob": True, "eve": False}


def test_a_merge_makes_two_candidates_count_as_one():
    """Whoever says the same as the right one is right, too, and the merge itself grades nobody."""
    question = asked({"ada": "Canberra", "eve": "Canberra, Australia", "dan": "Perth"})
    merge = Merge(of(question, "ada"), of(question, "eve"))
    merged = replace(question, merges=(merge,))
    assert grades_of(merge, merged) == ()
    assert marks(Pick(of(question, "eve")), merged) == {"ada": True, "eve": True, "dan": False}
    assert marks(keyed("Canberra", merged), merged) == {"ada": True, "eve": True, "dan": False}
    assert {c.supporters for c in merged.joined.candidates} == {("ada", "eve"), ("dan",)}


@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.sampled_from("abcdef"))), st.randoms(use_true_random=False))
def test_the_order_of_merges_never_matters(pairs, shuffle):
    """Merges join the same candidates in any order, and each group has one name, that of a member."""
    merges = [Merge(*pair) for pair in pairs]
    ids = representatives(merges)
    shuffle.shuffle(merges)
    assert representatives(merges) == ids
    assert all(ids[merge.first] == ids[merge.second] for merge in merges)
    assert all(ids[name] == name for name in ids.values())


def test_the_chances_of_merged_candidates_add_up():
    """Two rivals that turn out to say the same are as likely right as both together; the chosen one's words stay."""
    pair = (Candidate("a", "one", ("x",), 2.0, 0.5), Candidate("b", "1.", ("y",), 1.0, 0.3))
    decision = Decision(pair, "b", "y", Confidence(ConfidenceLabel.MEDIUM, ""), "", "")
    (one,) = joined(decision, [Merge("b", "a")]).candidates
    assert (one.id, one.text, one.supporters, one.p) == ("a", "1.", ("x", "y"), 0.8)
    assert joined(decision, [Merge("b", "a")]).chosen == "a"
    assert joined(decision, []) == decision


@pytest.mark.parametrize(
    ("verdict", "expected"),
    [("correct", True), ("incorrect", False), ("partially_correct", None), ("unreviewed", "no grade")],
)
def test_a_review_grades_those_who_say_the_same_as_the_answer_that_was_read(verdict, expected):
    """A reviewer's word counts for the answer it read and its equals, with its reliability, and for no other."""
    review = Reviewed("run-ada", ReviewVerdict(verdict), "eve", 0.8)
    grades = grades_of(review, asked(CAPITALS))
    assert {g.run_id for g in grades} == (set() if expected == "no grade" else {"run-ada", "run-bob"})
    assert all((g.correct, g.source, g.reliability, g.given_by) == (expected, "reviewer", 0.8, "eve") for g in grades)


def test_a_checker_grades_like_a_verdict_and_signs_its_name():
    """A program that can tell is sure, and what it says is told apart from the user's word."""
    grades = grades_of(Checked("run-eve", right=True, checker="units"), asked(CAPITALS))
    assert {g.run_id: g.correct for g in grades}["run-eve"] is True
    assert {(g.source, g.reliability, g.given_by) for g in grades} == {(GradeSource.CHECKER, 1.0, "units")}


def test_being_picked_or_agreed_with_is_no_grade():
    """There is no source, and no act, by which the council's own choice or agreement could become a grade."""
    assert {source.value for source in GradeSource} == {"user", "key", "correction", "checker", "reviewer"}
    sources = {GradeSource.USER, GradeSource.KEY, GradeSource.CORRECTION, GradeSource.CHECKER, GradeSource.REVIEWER}
    question = asked(CAPITALS)
    every: list[Act] = [
        Verdict("run-ada", right=True),
        keyed("Canberra", question),
        keyed("Canberra", question, source=GradeSource.CORRECTION),
        Pick(of(question, "ada")),
        NoneRight(),
        Merge("a", "b"),
        Checked("run-ada", right=True, checker="c"),
        Reviewed("run-ada", ReviewVerdict.CORRECT, "eve", 0.8),
    ]
    assert {type(act) for act in every} == set(get_args(Act))
    assert {grade.source for act in every for grade in grades_of(act, question)} == sources
    assert not {field.name for act in get_args(Act) for field in fields(act)} & {"winner", "votes", "agreed"}
    with pytest.raises(InvalidError):
        Key("53", (), GradeSource.USER)


@pytest.mark.parametrize(
    "act",
    [
        Verdict("r", right=False),
        Key("53", ("a", "b"), GradeSource.CORRECTION),
        Pick("a"),
        NoneRight(),
        Merge("a", "b"),
        Checked("r", right=True, checker="units"),
        Reviewed("r", ReviewVerdict.CORRECT, "eve", 0.75),
    ],
)
def test_an_act_is_read_back_as_it_was_written(act):
    """Each act survives its document."""
    assert from_document(act.kind.value, to_document(act)) == act


def test_a_document_of_another_shape_is_refused():
    """What no act wrote is not read as one."""
    for kind, document in (
        ("pick", {}),
        ("pick", {"candidate": "a", "more": 1}),
        ("guess", {}),
        ("key", {"text": "x"}),
    ):
        with pytest.raises(InvalidError):
            from_document(kind, document)


# --- which acts hold -----------------------------------------------------------------------------------------------


def records(*acts: Act) -> list[ActRecord]:
    return [ActRecord(f"act-{n}", "q", act, START + timedelta(seconds=n)) for n, act in enumerate(acts)]


def holding(question: Answered, *acts: Act) -> list[int]:
    return [int(r.id.removeprefix("act-")) for r in in_force(records(*acts), question)]


def test_the_newest_of_two_contradictory_acts_holds():
    """Who said right and later wrong has taken the whole of it back, also what followed for the others."""
    question = asked(CAPITALS)
    right, wrong = Verdict("run-ada", right=True), Verdict("run-ada", right=False)
    assert holding(question, right, wrong) == [1]
    assert holding(question, wrong, right) == [1]
    assert holding(question, Pick(of(question, "ada")), Pick(of(question, "eve"))) == [1]
    assert holding(question, NoneRight(), Pick(of(question, "eve"))) == [1]
    assert holding(question, keyed("Perth", question), Pick(of(question, "eve"))) == [1]


def test_acts_that_agree_hold_together():
    """The shown one is wrong, and that one is right: both stand."""
    question = asked(CAPITALS)
    assert holding(question, Verdict("run-ada", right=False), Pick(of(question, "eve"))) == [0, 1]


def test_what_was_contradicted_by_something_undone_holds_again():
    """An undone act contradicts nobody."""
    question = asked(CAPITALS)
    first, second = records(Pick(of(question, "ada")), Pick(of(question, "eve")))
    undone = replace(second, undone_at=START + timedelta(hours=1))
    assert in_force([first, undone], question) == (first,)


def test_a_reviewer_never_takes_back_the_word_of_the_user():
    """Speakers contradict only themselves."""
    question = asked(CAPITALS)
    review = Reviewed("run-ada", ReviewVerdict.INCORRECT, "eve", 0.8)
    assert holding(question, Verdict("run-ada", right=True), review) == [0, 1]


def test_a_later_pick_on_an_open_question_replaces_the_former():
    """One prefers one text at a time."""
    question = asked(CAPITALS, QuestionShape.OPEN)
    assert holding(question, Pick(of(question, "ada")), Pick(of(question, "eve"))) == [1]


_ACTS = st.sampled_from(
    [Verdict("run-ada", right=True), Verdict("run-ada", right=False), NoneRight()]
    + [Pick(of(asked(CAPITALS), seat)) for seat in ("ada", "eve", "dan")]
    + [Reviewed("run-ada", verdict, "eve", 0.8) for verdict in (ReviewVerdict.CORRECT, ReviewVerdict.INCORRECT)],
)


@given(st.lists(_ACTS, max_size=6), st.randoms(use_true_random=False))
def test_no_two_acts_of_one_speaker_that_hold_contradict_each_other(acts, shuffle):
    """Whatever was said, what holds is consistent, holds the newest act, and is the same in any order of reading."""
    question = asked(CAPITALS)
    said = records(*acts)
    held = in_force(said, question)
    shuffle.shuffle(said)
    assert in_force(said, question) == held
    if acts:
        assert held[-1].id == f"act-{len(acts) - 1}"
    by_user: dict[str, bool | None] = {}
    for record in held:
        for grade in grades_of(record.act, question):
            if grade.source is GradeSource.USER:
                assert by_user.setdefault(grade.run_id, grade.correct) == grade.correct


# --- what grades add up to -----------------------------------------------------------------------------------------

_AT = st.integers(0, 9).map(lambda n: f"2026-01-0{n}")
_GRADES = st.builds(
    RunGrade,
    run_id=st.just("r"),
    seat=st.just("ada"),
    candidate=st.none(),
    correct=st.sampled_from([True, False, None]),
    source=st.sampled_from(list(GradeSource)),
    reliability=st.sampled_from([0.0, 0.3, 0.5, 0.8, 0.99, 1.0]),
    given_by=st.sampled_from(["", "eve", "dan"]),
    at=_AT,
    undone=st.booleans(),
)


def grade(correct: bool | None, reliability: float, by: str = "", at: str = "1", source: str = "") -> RunGrade:
    source = source or ("reviewer" if by else "user")
    return RunGrade("r", "ada", None, correct, GradeSource(source), reliability, by, at)


def test_a_sure_grade_decides_and_nothing_known_is_even():
    """The user's word is certain; without any grade nothing is known."""
    assert outcome([]) == 0.5
    assert outcome([grade(True, 1.0)]) == 1.0
    assert outcome([grade(False, 1.0)]) == 0.0
    assert outcome([grade(None, 1.0)]) == 0.5
    assert outcome([grade(True, 1.0), grade(False, 0.99, "eve")]) == 1.0


def test_reviewers_add_up_by_their_reliability():
    """One reviewer of .8 gives .8, two that agree 16/17, two that disagree a half (Bayes' rule from even odds)."""
    assert outcome([grade(True, 0.8, "eve")]) == pytest.approx(0.8)
    assert outcome([grade(True, 0.8, "eve"), grade(True, 0.8, "dan")]) == pytest.approx(16 / 17)
    assert outcome([grade(True, 0.8, "eve"), grade(False, 0.8, "dan")]) == pytest.approx(0.5)
    assert outcome([grade(True, 0.2, "eve")]) == pytest.approx(0.2)


def test_of_what_one_grader_says_the_newest_counts():
    """Right and later wrong is wrong; a reviewer that repeats itself counts once."""
    assert outcome([grade(True, 1.0, at="1"), grade(False, 1.0, at="2")]) == 0.0
    assert outcome([grade(False, 1.0, at="2", source="key"), grade(True, 1.0, at="3")]) == 1.0
    assert outcome([grade(True, 0.8, "eve", at="1"), grade(True, 0.8, "eve", at="2")]) == pytest.approx(0.8)


def test_sure_graders_that_contradict_each_other_leave_it_to_the_others():
    """A checker against the user: nobody is certain any more."""
    sure = [grade(True, 1.0), grade(False, 1.0, "units", source="checker")]
    assert outcome(sure) == 0.5
    assert outcome([*sure, grade(True, 0.8, "eve")]) == pytest.approx(0.8)


@given(st.lists(_GRADES, max_size=8), st.randoms(use_true_random=False))
def test_the_order_of_grades_never_matters(grades, shuffle):
    """Grades read in any order come to the same."""
    shuffled = list(grades)
    shuffle.shuffle(shuffled)
    assert outcome(shuffled) == outcome(grades)
    assert 0 <= outcome(grades) <= 1
    assert grade_source(shuffled) == grade_source(grades)


@given(st.lists(_GRADES, max_size=8))
def test_undone_grades_do_not_count(grades):
    """Leaving undone grades out changes nothing, and with all undone nothing is known."""
    assert outcome(grades) == outcome([g for g in grades if not g.undone])
    assert outcome([g._replace(undone=True) for g in grades]) == 0.5


@given(st.lists(_GRADES, max_size=8))
def test_the_opposite_grades_give_the_opposite_outcome(grades):
    """Right and wrong are treated alike."""
    moments = [g._replace(at=f"{n:03}") for n, g in enumerate(grades)]
    opposite = [g._replace(correct=None if g.correct is None else not g.correct) for g in moments]
    assert outcome(opposite) == pytest.approx(1 - outcome(moments))


# --- when to ask ---------------------------------------------------------------------------------------------------


def decided(*texts: str, p: float | None = None) -> Decision:
    found = tuple(Candidate(f"c{n}", text, (f"s{n}",), 1.0, p) for n, text in enumerate(texts))
    return Decision(found, found[0].id if found else None, None, Confidence(ConfidenceLabel.MEDIUM, ""), "", "")


NOT_AUDITED = next(f"q{n}" for n in range(100) if not audited(f"q{n}"))
AUDITED = next(f"q{n}" for n in range(1000) if audited(f"q{n}"))


@pytest.mark.parametrize(
    ("decision", "expected"),
    [
        (decided("a", "b"), GradeRequest.DISAGREEMENT),
        (decided("a", "b", p=0.7), GradeRequest.DISAGREEMENT),
        (decided("a", "b", p=0.97), None),
        (decided("a", "b", p=0.02), None),
        (decided("a"), None),
        (decided(), None),
    ],
)
def test_a_grade_is_asked_for_where_members_disagree_and_it_is_not_clear(decision, expected):
    """Two candidates and a chance that is not extreme: then a grade teaches most."""
    assert ask_for_grade(decision, NOT_AUDITED) is expected


def test_any_answered_question_may_be_audited():
    """The random sample asks about agreement, too, but never where nobody answered or only the calculator did."""
    assert ask_for_grade(decided("a"), AUDITED) is GradeRequest.AUDIT
    assert ask_for_grade(decided("a", "b", p=0.99), AUDITED) is GradeRequest.AUDIT
    assert ask_for_grade(decided(), AUDITED) is None
    computed = replace(decided("a"), candidates=(Candidate("c0", "391", ("calculator",), 1.0),))
    assert ask_for_grade(computed, AUDITED) is None


def test_one_question_in_ten_is_audited():
    """The hash of the id draws ten in a hundred, within four standard deviations of 20,000 draws."""
    drawn = sum(audited(f"01a200fe-{n}") for n in range(20_000))
    assert abs(drawn - 2000) < 4 * (20_000 * 0.1 * 0.9) ** 0.5
