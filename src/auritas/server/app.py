"""The application: routes, errors, and the guard before them."""

from collections.abc import Collection

from fastapi import FastAPI
from starlette.types import ASGIApp

from auritas import __version__
from auritas.app.duties import Duties
from auritas.app.household import Household
from auritas.kernel.clock import Clock, SystemClock
from auritas.server import errors, openai
from auritas.server.guard.gate import guarded
from auritas.server.guard.hosts import LOOPBACK
from auritas.server.guard.rates import Rates
from auritas.server.mcp import http as mcp
from auritas.server.metrics import Meter, Naming, Requests
from auritas.server.routes import (
    attachments,
    audit,
    conversations,
    doctor,
    domains,
    egress,
    grades,
    handover,
    health,
    imports,
    keeping,
    memory,
    metrics,
    models,
    notes,
    openapi,
    page,
    previews,
    projects,
    questions,
    record,
    reviewers,
    routing,
    runs,
    search,
    settings,
    steering,
    telling,
    tokens,
    unlock,
    usage,
)
from auritas.server.routes import duties as duty_routes

_ABOUT = """A private council of models on your own machine.

Every request carries a token (`Authorization: Bearer …`, made by `auritas tokens create`) or the cookie of a browser
that was handed one. What is not yours is not there: both are the same 404. Errors have a code, a sentence and a remedy.
"""


def routes(household: Household, duties: Duties | None = None) -> FastAPI:
    """Return the application without its guard."""
    app = FastAPI(
        title="Auritas",
        version=__version__,
        description=_ABOUT,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        generate_unique_id_function=lambda route: route.name,
    )
    app.state.household = household
    app.state.duties = household.duties = duties
    app.state.requests = Requests()
    app.add_middleware(Naming)
    errors.install(app)
    for each in (
        projects,
        conversations,
        attachments,
        memory,
        steering,
        telling,
        imports,
        search,
        notes,
        runs,
        health,
        metrics,
        previews,
        unlock,
        openai,
        mcp,
        openapi,
        tokens,
        handover,
        audit,
        doctor,
        domains,
        duty_routes,
        egress,
        grades,
        questions,
        record,
        routing,
        usage,
        reviewers,
        models,
        settings,
        keeping,
    ):
        app.router.routes.extend(each.router.routes)
    app.router.routes.extend(page.router.routes)  # last: it takes every path that nobody else wants
    return app


def create_app(
    household: Household,
    duties: Duties | None = None,
    *,
    names: Collection[str] = LOOPBACK,
    rates: Rates | None = None,
    clock: Clock | None = None,
) -> ASGIApp:
    """Return the whole application behind its guard.

    duties: what this process does by itself, for its health. names: those that the server goes by; see `guarded`.
    """
    return behind_guard(routes(household, duties), names=names, rates=rates, clock=clock)


def behind_guard(
    app: FastAPI, *, names: Collection[str] = LOOPBACK, rates: Rates | None = None, clock: Clock | None = None
) -> ASGIApp:
    """Return what `routes` returned behind its guard, with every request counted; the arguments are `create_app`'s."""
    clock = clock or SystemClock()
    inner = guarded(app, app.state.household, names=names, rates=rates, clock=clock)
    return Meter(inner, app.state.requests, clock)
