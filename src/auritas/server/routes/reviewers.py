"""Reviewers: how far each can be believed, and checking them."""

import asyncio
from typing import Any

from fastapi import Response
from pydantic import BaseModel, ConfigDict, Field

from auritas.app.access import Scope
from auritas.app.reviewing import CHECKS, ReviewerLine
from auritas.server import wire
from auritas.server.caller import Desk, Mine, needs
from auritas.server.examples import shows
from auritas.server.router import Router
from auritas.server.starting import begin

router = Router(prefix="/api/v1/reviewers", tags=["reviewers"])
_EXAMPLE: dict[str, Any] = {
    "seat": "ada",
    "family": "qwen",
    "local": True,
    "checks": 24,
    "measured": True,
    "grades": True,
    "sensitivity": 0.86,
    "sensitivity_interval": [0.69, 0.97],
    "specificity": 0.77,
    "specificity_interval": [0.58, 0.91],
    "informedness": 0.63,
    "plain": 0.96,
    "position_bias": None,
    "length_bias": 0.08,
    "judge_right": 0,
    "judge_graded": 0,
    "judge_interval": [0.0, 1.0],
    "judge_decides": False,
}


class CheckWanted(BaseModel):
    """Whom to check: one reviewer, or all; with so many known answers each."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"reviewer": None, "count": 20}]})
    reviewer: str | None = Field(None, max_length=200)
    count: int = Field(CHECKS, ge=1, le=200)


@router.get("", dependencies=[needs(Scope.STATUS)], responses=shows([_EXAMPLE]))
def list_reviewers(mine: Mine) -> tuple[ReviewerLine, ...]:
    """List who may review, the best informed first, with sensitivity and specificity and their 95 % intervals."""
    return mine.reviewers.lines()


@router.post("/checks", status_code=201, dependencies=[needs(Scope.BATCH)], response_model=wire.RunView)
async def check_reviewers(mine: Mine, desk: Desk, wanted: CheckWanted) -> Response:
    """Begin to ask reviewers about answers whose truth is known; follow the run. It takes models' time."""
    if wanted.reviewer is not None:
        await asyncio.to_thread(mine.reviewers.require, wanted.reviewer)
    return begin(
        mine,
        desk,
        "check",
        f"Check {wanted.reviewer or 'all reviewers'}",
        lambda steps: mine.reviewers.checking(wanted.reviewer, wanted.count, steps),
        changes="reviewers",
    )
