"""What was learned about members: records, independence, rules kept, calibration, earnings, and public scores."""

from typing import Annotated

from fastapi import Body, Query
from pydantic import BaseModel, ConfigDict, Field

from auritas.app.access import Scope
from auritas.app.shapes.council import (
    Balance,
    Calibration,
    DomainRate,
    Independence,
    LedgerLines,
    PublicScore,
    Ranked,
    Tally,
)
from auritas.server.caller import Desk, Mine, needs
from auritas.server.examples import shows
from auritas.server.paging import DEFAULT_LIMIT, After, Limit, Name
from auritas.server.router import Router
from auritas.server.routes import record_examples as examples

router = Router(prefix="/api/v1/record", tags=["record"])
_READS = needs(Scope.STATUS)
_CHANGED = "record"
Seat = Annotated[str | None, Query(max_length=200, description="Only of this member.")]


class ScoreGiven(BaseModel):
    """How often a model was right in a public examination. source: where the figure is from."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"score": 0.73, "source": "MMLU, model card"}]})
    score: float = Field(gt=0, lt=1)
    source: str = Field(min_length=1, max_length=500)


class ScoreForgotten(BaseModel):
    """What counts now that your own score is gone: the one that ships with Auritas, or nothing."""

    counts: PublicScore | None


@router.get("", dependencies=[_READS], responses=shows(examples.RANKED))
def show_record(mine: Mine) -> Ranked:
    """Return how every member stands, which rule decides, and what that rests on."""
    return mine.record.ranked()


@router.get("/domains", dependencies=[_READS], responses=shows(examples.BY_DOMAIN))
def list_domain_rates(mine: Mine) -> tuple[DomainRate, ...]:
    """Return how often each member is right in each domain, with 95 % intervals."""
    return mine.record.by_domain()


@router.get("/independence", dependencies=[_READS], responses=shows(examples.INDEPENDENCE))
def show_independence(mine: Mine) -> Independence:
    """Return how many independent members the council is worth, and how far errors of pairs go together."""
    return mine.record.independence()


@router.get("/compliance", dependencies=[_READS], responses=shows(examples.COMPLIANCE))
def list_compliance(mine: Mine) -> tuple[Tally, ...]:
    """Return how each member keeps each rule, and how often in a row it has broken it."""
    return mine.record.rules_kept()


@router.get("/calibration", dependencies=[_READS], responses=shows(examples.CALIBRATION))
def show_calibration(mine: Mine) -> Calibration:
    """Return the bins of reliability diagrams, of the council and of each member, and how many grades are missing."""
    return mine.calibrations()


@router.get("/ledger", dependencies=[_READS], responses=shows(examples.LEDGER))
def list_ledger(mine: Mine, limit: Limit = DEFAULT_LIMIT, after: After = None, seat: Seat = None) -> LedgerLines:
    """List what members earned, newest first: credit for honest reports, awards for being shown."""
    return mine.record.earned(limit, after, seat)


@router.get("/balances", dependencies=[_READS], responses=shows(examples.BALANCES))
def list_balances(mine: Mine) -> tuple[Balance, ...]:
    """Return what each member has earned so far, in right answers."""
    return mine.record.balances()


@router.get("/scores", dependencies=[_READS], responses=shows([examples.SCORE]))
def list_scores(mine: Mine) -> tuple[PublicScore, ...]:
    """List public scores: what is believed of models before any grade. Your own win."""
    return mine.scores.list()


@router.put("/scores/{model:path}", dependencies=[needs(Scope.CONFIG_WRITE)], responses=shows(examples.SCORE))
def put_score(mine: Mine, desk: Desk, model: Name, given: Annotated[ScoreGiven, Body()]) -> PublicScore:
    """Give your own public score of a model."""
    put = mine.scores.put(model, given.score, given.source)
    desk.changed(_CHANGED)
    return put


@router.delete("/scores/{model:path}", dependencies=[needs(Scope.CONFIG_WRITE)], responses=shows(examples.FORGOTTEN))
def forget_score(mine: Mine, desk: Desk, model: Name) -> ScoreForgotten:
    """Forget your own public score of a model."""
    counts = mine.scores.forget(model)
    desk.changed(_CHANGED)
    return ScoreForgotten(counts=counts)
