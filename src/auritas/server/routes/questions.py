"""Questions of the past: which there are, everything about one, and its reasons. And what a new one would take."""

from typing import Annotated

from fastapi import Query
from pydantic import Field

from auritas.app.access import Scope
from auritas.app.ask import QUESTION_CHARACTERS
from auritas.app.shapes.council import ComparisonShown, LevelExpectation, QuestionLines, QuestionShown, Reasons
from auritas.app.shapes.council import compared_of as compared
from auritas.kernel.answers import AccuracyLevel
from auritas.server.caller import Mine, needs
from auritas.server.examples import shows
from auritas.server.paging import DEFAULT_LIMIT, Before, Limit, Name
from auritas.server.router import Router
from auritas.server.routes import question_examples as examples

router = Router(prefix="/api/v1", tags=["questions"], dependencies=[needs(Scope.QUERY)])
Text = Annotated[
    str,
    Query(max_length=QUESTION_CHARACTERS, description="The question; what is left out counts as a short one."),
]
Seat = Annotated[str, Field(max_length=200)]
Level = Annotated[AccuracyLevel | None, Query(description="Only this level.")]
Wanted = Annotated[list[Seat] | None, Query(max_length=64, description="Only these members are asked; none: all.")]


@router.get("/questions", responses=shows(examples.LINES))
def list_questions(mine: Mine, limit: Limit = DEFAULT_LIMIT, before: Before = None) -> QuestionLines:
    """List the questions that were asked, newest first, however they ended."""
    return mine.question_pages.newest(limit, before)


@router.get("/questions/{question}", responses=shows(examples.SHOWN))
def show_question(mine: Mine, question: Name) -> QuestionShown:
    """Return one question with its answers, candidates, decision, reviews, memory used, and proof.

    `question` is its id or that of its trace, or the beginning of one. What was erased since stays erased.
    """
    return mine.question_pages.show(question)


@router.get("/questions/{question}/why", responses=shows(examples.REASONS))
def why_question(mine: Mine, question: Name) -> Reasons:
    """Return the stored reasons in five sections: why now, what was seen, considered, chosen, and what you can do."""
    found = mine.questions.why(question)
    return Reasons(mine.question_pages.named(question), found.trace_id, mine.why(found.trace_id))


@router.get("/questions/{question}/comparison", responses=shows(examples.COMPARED))
def compare_question(mine: Mine, question: Name) -> ComparisonShown:
    """Return the candidates of a question side by side, with the words in which they differ."""
    return compared(mine.grading.compare(question))


@router.get("/expectation", responses=shows(examples.EXPECTED))
def expect_question(
    mine: Mine, text: Text = "", level: Level = None, member: Wanted = None
) -> tuple[LevelExpectation, ...]:
    """Return the calls, money and seconds a question is likely to take at each level, and who is asked at most.

    Nobody is asked by this. Money is in millionths of the currency unit.
    """
    return tuple(each for each in mine.simulator.expectation(text, member or ()) if level in {None, each.level})
