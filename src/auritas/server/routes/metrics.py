"""Figures of the server for Prometheus."""

from collections import Counter
from collections.abc import Iterator, Sequence

from fastapi import Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import PlainTextResponse

from auritas.app.access import LOCAL, Caller, Scope
from auritas.app.compose import Auritas
from auritas.app.duties import Duties
from auritas.app.household import Household
from auritas.server.caller import House, Me, needs
from auritas.server.metrics import CONTENT_TYPE, Gauge, text
from auritas.server.router import Router
from auritas.server.routes.health import duties_behind

router = Router(prefix="/metrics", tags=["health"], dependencies=[needs(Scope.STATUS)])
_EXAMPLE = "# HELP auritas_streams Event streams that are open.\n# TYPE auritas_streams gauge\nauritas_streams 2\n"
_MICROS = 1_000_000
_TEXT = {"description": "Text format 0.0.4.", "content": {"text/plain": {"example": _EXAMPLE}}}


@router.get("", responses={200: _TEXT}, response_class=PlainTextResponse)
async def show_metrics(request: Request, house: House, me: Me) -> PlainTextResponse:
    """Return requests, streams, runs, workers, use of models and sizes in the text format of Prometheus.

    Who installed the program gets the use and sizes of all stores, anybody else those of their own.
    """
    # What runs belongs to the event loop; the stores may block, so they are read in a thread.
    gauges = [
        *_running(house),
        *_workers(duties_behind(request)),
        *await run_in_threadpool(_stored, _stores_of(house, me)),
    ]
    return PlainTextResponse(text(request.app.state.requests, gauges), headers={"content-type": CONTENT_TYPE})


def _stores_of(house: Household, me: Caller) -> list[Auritas]:
    return [one for owner, one in house.open_stores() if me.owner in {LOCAL, owner}]


def _stored(stores: Sequence[Auritas]) -> list[Gauge]:
    return [*_sizes(stores), *_use(stores)]


def _one(name: str, says: str, value: float) -> Gauge:
    return Gauge(name, says, [({}, value)])


def _running(house: Household) -> Iterator[Gauge]:
    desks = house.desks
    yield _one("auritas_streams", "Event streams that are open.", sum(desk.readers for desk in desks))
    yield _one("auritas_runs", "Runs that go on.", sum(run.running for desk in desks for run in desk.runs()))


def _workers(duties: Duties | None) -> Iterator[Gauge]:
    beats = () if duties is None else duties.heartbeats()
    ages = [({"worker": beat.name}, beat.age_s) for beat in beats]
    failures = [({"worker": beat.name}, float(beat.failures)) for beat in beats]
    yield Gauge("auritas_worker_heartbeat_age_seconds", "Seconds since a worker's last sign of life.", ages)
    yield Gauge("auritas_worker_failures", "Failures of a worker in a row.", failures)


def _sizes(stores: Sequence[Auritas]) -> Iterator[Gauge]:
    waiting = entries = size = 0
    for one in stores:
        with one.store.read() as unit:
            entries += one.log.size(unit)
        waiting += one.indexing.health().waiting
        files = (one.store.home.database, one.store.home.database.with_name(f"{one.store.home.database.name}-wal"))
        size += sum(file.stat().st_size for file in files if file.exists())
    yield _one("auritas_index_queue", "Conversations that wait to be indexed.", waiting)
    yield _one("auritas_log_entries", "Entries of the audit logs.", entries)
    yield _one("auritas_store_bytes", "Bytes of the stores on disk.", size)


def _use(stores: Sequence[Auritas]) -> Iterator[Gauge]:
    """Yield what models have used today (UTC), over stores."""
    tokens: Counter[tuple[str, str]] = Counter()
    cost: Counter[str] = Counter()
    for one in stores:
        for row in one.usage.today_by_member():
            tokens[row.model, "in"] += row.tokens_in
            tokens[row.model, "out"] += row.tokens_out
            cost[row.model] += row.cost_micros
    said = [({"model": model, "direction": way}, float(count)) for (model, way), count in sorted(tokens.items())]
    paid = [({"model": model}, count / _MICROS) for model, count in sorted(cost.items())]
    yield Gauge("auritas_model_tokens_today", "Tokens that a model has read and written today.", said)
    yield Gauge("auritas_model_cost_today", "What a model has cost today, in the currency of its price.", paid)
