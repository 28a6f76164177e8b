"""Asks a model everything in an exam and grades what comes back."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass

from auritas.gateway.embedded_prompt import BALLOT_SCHEMA, MEMBER_SCHEMA, ballot_prompt, member_prompt
from auritas.gateway.selftest import Answered, Ballot, Exam, Question, SelfTest, Vote, Voted, is_right
from auritas.kernel.clock import Clock
from auritas.kernel.model import Params, Prompt, Text
from auritas.kernel.ports import ModelPort

_ANSWER_TOKENS = 80
_VOTE_TOKENS = 16
_DEADLINE_S = 60.0
_ANSWER = re.compile(r'"answer"\s*:\s*("(?:[^"\\]|\\.)*")')
_VOTE = re.compile(r'"vote"\s*:\s*("(?:[^"\\]|\\.)*")')


@dataclass(frozen=True, slots=True)
class ExamProgress:
    """How far the exam of a model has come, in items."""

    model: str
    done: int
    total: int


async def examine(
    model: ModelPort, exam: Exam, clock: Clock, progress: Callable[[ExamProgress], None] = lambda _: None
) -> SelfTest:
    """Return the model's result. Cancelling it stops the model; what was asked until then is lost.

    Raises UnavailableError when the model cannot answer at all.
    """
    started = clock.monotonic()
    answered: list[Answered] = []
    voted: list[Voted] = []
    total = len(exam.questions) + len(exam.ballots)
    for question in exam.questions:
        progress(ExamProgress(model.card.name, len(answered), total))
        answered.append(await _answered(model, question))
    for ballot in exam.ballots:
        progress(ExamProgress(model.card.name, len(answered) + len(voted), total))
        voted.append(await _voted(model, ballot))
    progress(ExamProgress(model.card.name, total, total))
    seconds = clock.monotonic() - started
    return SelfTest(model.card.name, model.card.digest, exam.id, tuple(answered), tuple(voted), seconds)


async def _answered(model: ModelPort, question: Question) -> Answered:
    params = Params(max_tokens=_ANSWER_TOKENS, schema=MEMBER_SCHEMA, deadline_s=_DEADLINE_S)
    answer = await _until(model, member_prompt(question.ask), params, _ANSWER)
    return Answered(question.key, question.domain, is_right(answer, question.accept))


async def _voted(model: ModelPort, ballot: Ballot) -> Voted:
    params = Params(max_tokens=_VOTE_TOKENS, schema=BALLOT_SCHEMA, deadline_s=_DEADLINE_S)
    said = await _until(model, ballot_prompt(ballot.claim, ballot.evidence), params, _VOTE)
    return Voted(ballot.key, ballot.expected, Vote(said) if said in set(Vote) else None)


async def _until(model: ModelPort, prompt: Prompt, params: Params, wanted: re.Pattern[str]) -> str:
    """Return the first string that `wanted` finds, stopping the model there: the rest is not graded."""
    text = ""
    parts = model.answer(prompt, params)
    try:
        async for part in parts:
            text += part.text if isinstance(part, Text) else ""
            if found := wanted.search(text):
                return str(json.loads(found[1]))
    finally:
        await parts.aclose()
    return ""
