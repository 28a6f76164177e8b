"""The routing simulator: how a question would go, without asking anybody."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from auritas.app.access import Scope
from auritas.app.ask import QUESTION_CHARACTERS
from auritas.app.shapes.council import Route, Routed, Supposed
from auritas.kernel.answers import AccuracyLevel, QuestionShape
from auritas.server.caller import Mine, needs
from auritas.server.examples import shows
from auritas.server.router import Router

router = Router(prefix="/api/v1/routing", tags=["routing"], dependencies=[needs(Scope.QUERY)])
Share = Annotated[float, Field(ge=0, le=1)]
DomainName = Annotated[str, Field(max_length=200)]
_EXAMPLE = {
    "level": "balanced",
    "shape": "closed",
    "domains": {"history": 1.0},
    "waves": [
        {
            "members": [
                {"seat": "ada", "model": "ada", "local": True, "votes": True, "rate": 0.74, "weight": 1.1},
                {"seat": "bo", "model": "bo", "local": True, "votes": True, "rate": 0.7, "weight": 0.9},
            ],
            "asked": True,
        }
    ],
    "expected": {"calls": 3.0, "cost_micros": 0, "seconds": 3.8},
    "policy": "guarded",
    "decision": None,
    "missing": [],
    "threshold": None,
}


class SupposedAnswer(BaseModel):
    """What one member is supposed to say, and how sure it is supposed to call itself."""

    seat: str = Field(max_length=200)
    text: str = Field(max_length=4_000)
    stated_confidence: float | None = Field(None, ge=0, le=1)


class RouteWanted(BaseModel):
    """A question that nobody asks: its text, or its domains with their shares. answers: what members would say."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"text": "In which year did the Berlin wall fall?", "level": "balanced", "answers": []}]
        }
    )
    text: str = Field("", max_length=QUESTION_CHARACTERS)
    domains: dict[DomainName, Share] | None = Field(None, max_length=50)
    level: AccuracyLevel = AccuracyLevel.BALANCED
    shape: QuestionShape | None = None
    answers: list[SupposedAnswer] = Field([], max_length=50)


@router.post("", responses=shows(_EXAMPLE))
def simulate_routing(mine: Mine, wanted: RouteWanted) -> Routed:
    """Return who would be asked in which order, what it would take, and what supposed answers would come to.

    Nobody is asked and nothing is written. Answers are compared by their words, as long as words tell.
    """
    said = tuple(Supposed(each.seat, each.text, each.stated_confidence) for each in wanted.answers)
    return mine.simulator.route(Route(wanted.text, wanted.domains, wanted.level, wanted.shape, said))
