"""Grades: a person says who was right, and may take it back."""

from typing import Annotated, Literal

from fastapi import Body
from pydantic import BaseModel, ConfigDict, Field

from auritas.app.access import Scope
from auritas.app.compose import Auritas
from auritas.app.shapes.council import Graded, GradeDone, GradeLines, done_of, lines_of
from auritas.server.caller import Desk, Mine, needs
from auritas.server.examples import shows
from auritas.server.paging import DEFAULT_LIMIT, After, Limit, Name
from auritas.server.router import Router
from auritas.server.routes.question_examples import GRADE_LINE, MARK

router = Router(prefix="/api/v1/grades", tags=["grades"], dependencies=[needs(Scope.QUERY)])
_CHANGED = "grades"
LAST = "last"
_DONE = {
    "id": GRADE_LINE["id"],
    "query_id": GRADE_LINE["query_id"],
    "question": GRADE_LINE["question"],
    "kind": "verdict",
    "words": GRADE_LINE["words"],
    "already": False,
    "undone_at": None,
    "marks": [MARK],
}


class _Grade(BaseModel):
    question: str | None = Field(
        None, max_length=200, description="Id of the question or its trace, or its beginning; left out: the last one."
    )


class VerdictGiven(_Grade):
    """The shown answer is right, or wrong."""

    kind: Literal["verdict"]
    right: bool


class KeyGiven(_Grade):
    """The right answer in words."""

    kind: Literal["key"]
    text: str = Field(max_length=4_000)


class CandidatePicked(_Grade):
    """A candidate is the right one: named by its id, its number in the comparison, or a seat that supports it."""

    kind: Literal["pick"]
    candidate: str = Field(max_length=200)


class NoneRightGiven(_Grade):
    """No answer is right."""

    kind: Literal["none_right"]


class CandidatesMerged(_Grade):
    """Two candidates say the same; they are named as in a pick."""

    kind: Literal["merge"]
    first: str = Field(max_length=200)
    second: str = Field(max_length=200)


Said = VerdictGiven | KeyGiven | CandidatePicked | NoneRightGiven | CandidatesMerged


class GradeGiven(BaseModel):
    """What a person says about a question."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"grade": {"kind": "verdict", "right": True}}]})
    grade: Annotated[Said, Field(discriminator="kind")]


@router.get("", responses=shows({"items": [GRADE_LINE], "next": None}))
def list_grades(mine: Mine, limit: Limit = DEFAULT_LIMIT, after: After = None) -> GradeLines:
    """List what you said about answers, newest first, what was taken back included."""
    return lines_of(mine.grading.history(limit, after))


@router.post("", responses=shows(_DONE))
def give_grade(mine: Mine, desk: Desk, said: Annotated[GradeGiven, Body()]) -> GradeDone:
    """Say who was right. Weights, the ledger and the track record follow; saying it again changes nothing."""
    done = done_of(_given(mine, said.grade))
    desk.changed(_CHANGED)
    return done


@router.delete("/{grade}", responses=shows(_DONE | {"undone_at": "2026-11-20T10:01:00Z"}))
def undo_grade(mine: Mine, desk: Desk, grade: Name) -> GradeDone:
    """Take back what you said, named by the beginning of its id, or `last`; what it contradicted holds again."""
    done = done_of(mine.grading.undo(None if grade == LAST else grade))
    desk.changed(_CHANGED)
    return done


def _given(mine: Auritas, said: Said) -> Graded:
    match said:
        case VerdictGiven():
            return mine.grading.verdict(said.question, right=said.right)
        case KeyGiven():
            return mine.grading.key(said.question, said.text)
        case CandidatePicked():
            return mine.grading.pick(said.question, said.candidate)
        case NoneRightGiven():
            return mine.grading.none_right(said.question)
        case CandidatesMerged():
            return mine.grading.merge(said.question, said.first, said.second)
