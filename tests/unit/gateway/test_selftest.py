"""The self-test: grading, roles, and a whole run against a scripted model."""

import json
from collections.abc import AsyncGenerator, Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auritas.gateway.embedded_prompt import (
    MEMBER_SCHEMA,
    NEW_CHARACTERS,
    ballot_prompt,
    member_prompt,
)
from auritas.gateway.examination import ExamProgress, examine
from auritas.gateway.quoting import Material
from auritas.gateway.selftest import (
    Answered,
    ModelRole,
    SelfTest,
    Vote,
    Voted,
    built_in_exam,
    from_json,
    is_right,
    roles,
    to_json,
)
from auritas.kernel.clock import ManualClock
from auritas.kernel.errors import InvalidError
from auritas.kernel.model import Finished, FinishReason, Message, ModelCard, Params, Part, Prompt, Role, Text, Usage

FORMS = range(6)
EXAM = built_in_exam()


@pytest.mark.parametrize(
    ("answer", "accept", "right"),
    [
        ("Canberra", ["canberra"], True),
        ("The capital is CANBERRA.", ["canberra"], True),
        ("Canberran", ["canberra"], False),
        ("7 + 8 = 15", ["15"], True),
        ("151", ["15"], False),
        ("1,000 metres", ["1000"], True),
        ("0.5", ["5"], False),
        ("forty-two", ["forty-two"], True),
        ("Yes, a whale is a mammal.", ["yes"], True),
        ("No. Some say yes.", ["yes"], False),
        ("CO2 (carbon dioxide)", ["co2"], True),
        ("", ["x"], False),
    ],
)
def test_an_answer_is_right_when_an_accepted_word_stands_in_it_whole(answer: str, accept: Sequence[str], right: bool):
    """Case and punctuation do not matter, parts of longer words and numbers do not count, yes and no come first."""
    assert is_right(answer, accept) is right


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_the_exam_is_complete_and_balanced(form: int):
    """Each form has 24 questions and six ballots of each vote, so that a constant vote gets a third."""
    exam = built_in_exam(form)
    assert len(exam.questions) == 24
    assert [sum(b.expected is vote for b in exam.ballots) for vote in Vote] == [6, 6, 6]
    assert len({q.ask for q in exam.questions}) == 24
    assert all(is_right(words, q.accept) for q in exam.questions for words in q.accept)


def test_no_form_repeats_an_example_of_the_prompts():
    """What a prompt shows as an example is asked in no exam: it would test memory."""
    shown = " ".join(m.content for m in (*member_prompt("").messages, *ballot_prompt("", "").messages))
    for form in FORMS:
        exam = built_in_exam(form)
        assert not [q.ask for q in exam.questions if q.ask in shown]
        assert not [b.claim for b in exam.ballots if b.claim in shown]


def votes(judge: Callable[[Vote], Vote | None]) -> list[Voted]:
    return [Voted(b.key, b.expected, judge(b.expected)) for b in EXAM.ballots]


@pytest.mark.parametrize("constant", [*Vote, None])
def test_a_model_whose_votes_never_vary_may_not_vote(constant: Vote | None):
    """Whatever it always says, its votes carry no information."""
    assert roles([], votes(lambda _: constant)) == (ModelRole.FORM_ONLY,)


def test_roles_follow_from_what_a_model_gets_right():
    """Judging YES and NO, seeing NULL, and answering are granted apart."""
    never_null = votes(lambda right: Vote.NO if right is Vote.NULL else right)
    right = [Answered(q.key, q.domain, right=True) for q in EXAM.questions]
    assert roles([], never_null) == (ModelRole.JUDGE_YES_NO,)
    assert roles([], votes(lambda vote: vote)) == (ModelRole.JUDGE_YES_NO, ModelRole.JUDGE_NULL)
    assert roles(right, []) == (ModelRole.ANSWER,)
    assert roles(right[:14] + [Answered("q", "d", right=False)] * 10, []) == (ModelRole.FORM_ONLY,)


@given(st.lists(st.sampled_from([*Vote, None]), min_size=18, max_size=18))
def test_a_result_survives_the_store(cast: list[Vote | None]):
    """What is stored is read back equal, and counts agree with its parts."""
    voted = tuple(Voted(b.key, b.expected, vote) for b, vote in zip(EXAM.ballots, cast, strict=True))
    answered = tuple(Answered(q.key, q.domain, right=len(q.key) == 2) for q in EXAM.questions)
    result = SelfTest("m", "d", EXAM.id, answered, voted, 1.5)
    assert from_json(to_json(result)) == result
    assert sum(right for right, _ in result.by_domain.values()) == result.answers_right
    assert sum(asked for _, asked in result.by_domain.values()) == 24


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"model": 1}'])
def test_a_stored_result_that_cannot_be_read_says_so(text: str):
    """Damage is an error with a sentence, never a wrong record."""
    with pytest.raises(InvalidError, match="cannot be read"):
        from_json(text)


class Student:
    """Answers from a table in small pieces and counts what was cut short."""

    card = ModelCard("student", "embedded", local=True, digest="d")

    def __init__(self, knows: Callable[[str], str]) -> None:
        self._knows = knows
        self.stopped = 0

    async def answer(self, prompt: Prompt, params: Params) -> AsyncGenerator[Part, None]:
        reply = self._knows(prompt.question)
        try:
            for start in range(0, len(reply), 3):
                yield Text(reply[start : start + 3])
        except GeneratorExit:
            self.stopped += 1
            raise
        yield Finished(FinishReason.STOP, Usage())


def perfect(asked: str) -> str:
    for question in EXAM.questions:
        if question.ask == asked:
            return json.dumps({"answer": question.accept[0], "explanation": "A long story.", "domains": ["x"]})
    return json.dumps({"vote": next(b.expected for b in EXAM.ballots if b.claim in asked)})


@pytest.mark.anyio
async def test_a_perfect_student_gets_everything_right():
    """A whole run asks each item once, reports its progress, and stops each reply once the answer is there."""
    student, seen = Student(perfect), list[ExamProgress]()
    result = await examine(student, EXAM, ManualClock(), seen.append)
    assert (result.answers_right, result.votes_right) == (24, 18)
    assert result.roles == (ModelRole.ANSWER, ModelRole.JUDGE_YES_NO, ModelRole.JUDGE_NULL)
    assert student.stopped >= 24
    assert [step.done for step in seen] == list(range(43))


@pytest.mark.anyio
@pytest.mark.parametrize("noise", ["", "no JSON", '{"answer": 5, "vote": 5}', '{"answer":"","vote":"MAYBE"}'])
async def test_a_student_who_holds_no_form_gets_nothing(noise: str):
    """Replies that are no JSON, or have no such vote, count as wrong and stop nothing."""
    result = await examine(Student(lambda _: noise), EXAM, ManualClock())
    assert (result.answers_right, result.votes_right) == (0, 0)
    assert result.roles == (ModelRole.FORM_ONLY,)


def test_the_stable_part_of_a_prompt_comes_first():
    """Two prompts share everything before the history, so that the engine reads it once."""
    one, two = (member_prompt(text).messages for text in ("What is X?", "Who is Y?"))
    assert one[:-1] == two[:-1]
    assert one[0].role is Role.SYSTEM
    examples = [json.loads(m.content) for m in one if m.role is Role.ASSISTANT]
    properties = MEMBER_SCHEMA["properties"]
    assert isinstance(properties, dict)
    assert [list(example) for example in examples] == [list(properties)] * 3


@given(st.lists(st.tuples(st.sampled_from([Role.USER, Role.ASSISTANT]), st.text(max_size=900)), max_size=9))
def test_a_long_history_keeps_its_newest_turns(turns: list[tuple[Role, str]]):
    """What follows the examples fits the budget, is the end of the history, and starts with the user."""
    history = tuple(Message(role, text) for role, text in turns)
    start = len(member_prompt("").messages) - 1
    kept = member_prompt("And now?", history).messages[start:-1]
    assert sum(len(m.content) for m in kept) <= NEW_CHARACTERS
    assert kept == history[len(history) - len(kept) :]
    assert not kept or kept[0].role is Role.USER


def test_notes_stand_right_before_the_question():
    """What memory knows is given with the question, behind the cached part."""
    asked = member_prompt("Which unit?", material=Material(remembered=("Always use metric units.",))).question
    assert asked.endswith("Which unit?")
    assert "Always use metric units." in asked
