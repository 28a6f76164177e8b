"""What was learned about members, the routing simulator, usage and egress over REST (spec 06, section 2)."""

import json
from typing import Any

import pytest
from tests.integration.app.hall import CLOSED, Hall, voice

from auritas.app.access import Scope

pytestmark = pytest.mark.anyio
SAID = {"ada": "Canberra", "bo": "Canberra", "cleo": "Sydney"}


@pytest.fixture
def seated(served):
    for name, right in (("ada", 18), ("bo", 15), ("cleo", 12)):
        served.hall.seat(voice(name, SAID[name]), right)
    return served


def graded(hall: Hall, count: int = 6, **more: Any) -> list[str]:
    """Write questions of the past with the key to them."""
    return [hall.past(SAID, "Canberra", **more) for _ in range(count)]


def decided(p: float, chosen: str = "Canberra") -> str:
    """Return the decision of a question whose council was so sure."""
    parts = [("right", "Canberra", ["ada", "bo"]), ("wrong", "Sydney", ["cleo"])]
    candidates = [
        {"id": i, "text": text, "supporters": who, "p": p if text == chosen else 1 - p} for i, text, who in parts
    ]
    return json.dumps({"candidates": candidates, "chosen": "right", "silent": [], "abstained": []})


async def test_the_record_ranks_members_with_intervals_and_says_which_rule_decides(seated):
    """Track records have intervals, and what the policy would choose is said with its reason (spec 06, 2)."""
    graded(seated.hall)
    found = await seated.get("/api/v1/record")
    assert found["seats"][0]["seat"] in {"ada", "bo"}
    assert found["graded"] == 6
    rates = {one["seat"]: one["rate"] for one in found["seats"]}
    assert rates["ada"]["right"] == 6
    assert all(rate["low"] < rate["mean"] < rate["high"] for rate in rates.values())
    assert found["why"]
    assert {"gain", "expected", "questions"} <= found["guard"].keys()


async def test_rates_are_listed_for_every_domain_with_grades(seated):
    """The record of a member is kept per domain (spec 06, 2)."""
    graded(seated.hall)
    rates = await seated.get("/api/v1/record/domains")
    assert {(one["seat"], one["domain"]) for one in rates} >= {("ada", "history"), ("cleo", "science")}
    assert all(one["rate"]["low"] <= one["rate"]["mean"] <= one["rate"]["high"] for one in rates)


async def test_independence_is_unknown_until_it_is_learned(seated):
    """No number is shown that nobody measured (promise 6)."""
    found = await seated.get("/api/v1/record/independence")
    assert found == {"members": 3, "effective_votes": None, "pairs": []}


async def test_calibration_is_honest_about_what_is_missing(seated):
    """Without grades there are no bins, and the number that is missing is said (promise 6)."""
    found = await seated.get("/api/v1/record/calibration")
    assert (found["graded"], found["needed"], found["calibrated"]) == (0, 100, False)
    assert found["scores"] == {"count": 0, "bins": [], "error": None, "brier": None}


async def test_calibration_sets_how_sure_against_how_often_right(seated):
    """Bins hold every graded decision once, with Wilson's interval around the share that was right (spec 06, 2)."""
    for p in (0.6, 0.9):
        graded(seated.hall, 6, decision=decided(p))
    found = await seated.get("/api/v1/record/calibration")
    scores = found["scores"]
    assert scores["count"] == sum(each["count"] for each in scores["bins"]) == 12
    assert [each["p"] for each in scores["bins"]] == [pytest.approx(0.6), pytest.approx(0.9)]
    assert all(each["right"] == 1 and each["low"] < 1 for each in scores["bins"])
    assert scores["error"] == pytest.approx(0.25)
    assert scores["brier"] == pytest.approx((0.16 + 0.01) / 2)


async def test_the_ledger_lists_each_row_once_and_adds_up(seated):
    """Credit and awards are on exactly one page each, and the totals are their sums (spec 06, 2)."""
    for _ in range(2):
        await seated.hall.ask(CLOSED)
        await seated.post("/api/v1/grades", {"grade": {"kind": "verdict", "right": True}})
    rows, after = [], None
    while True:
        page = await seated.get("/api/v1/record/ledger", limit=3, **({"after": after} if after else {}))
        rows += page["items"]
        if (after := page["next"]) is None:
            break
    assert len({(row["seat"], row["query_id"], row["part"]) for row in rows}) == len(rows) > 3
    totals = {one["seat"]: one for one in await seated.get("/api/v1/record/balances")}
    for seat, total in totals.items():
        mine = [row["amount"] for row in rows if row["seat"] == seat and row["part"] == "brier"]
        assert total["credit"] == pytest.approx(sum(mine))
    only = await seated.get("/api/v1/record/ledger", seat="ada")
    assert {row["seat"] for row in only["items"]} == {"ada"}
    assert await seated.refused("GET", "/api/v1/record/ledger", status=422, after="zz") == "invalid"


async def test_rules_that_members_keep_are_counted(seated):
    """Compliance shows how many answers were judged and the streak of failures (spec 06, 2)."""
    await seated.hall.ask(CLOSED)
    found = await seated.get("/api/v1/record/compliance")
    assert found
    assert all(0 <= one["passed"] <= one["judged"] for one in found)


async def test_public_scores_are_given_and_forgotten(seated):
    """One's own score wins, and forgetting it brings back what shipped (spec 06, 2)."""
    path = "/api/v1/record/scores/vendor/ada"
    put = await seated.send("PUT", path, {"score": 0.7, "source": "a card"})
    assert (put["model"], put["own"]) == ("vendor/ada", True)
    assert any(row["model"] == "vendor/ada" for row in await seated.get("/api/v1/record/scores"))
    assert await seated.send("DELETE", path) == {"counts": None}
    assert await seated.refused("DELETE", path) == "no_score"
    assert await seated.refused("PUT", path, {"score": 7, "source": "x"}, status=422) == "invalid"
    assert await seated.refused("PUT", "/api/v1/record/scores/%20", {"score": 0.7, "source": "x"}, 422) == "invalid"


# --- routing -----------------------------------------------------------------------------------------------------


async def test_routing_says_who_would_be_asked_and_asks_nobody(seated):
    """The simulator is pure: no model is asked and nothing is written (spec 06, 2)."""
    size = seated.hall.auritas.audit.size()
    found = await seated.post("/api/v1/routing", {"domains": {"history": 1.0}, "level": "balanced"})
    assert [[m["seat"] for m in wave["members"]] for wave in found["waves"]] == [["ada", "bo"], ["cleo"]]
    assert found["decision"] is None
    assert found["domains"] == {"history": 1.0}
    assert not seated.hall.answering()
    assert seated.hall.auritas.audit.size() == size


async def test_routing_plays_supposed_answers_through(seated):
    """What members are supposed to say leads to the choice that the council would make (spec 06, 2)."""
    said = [{"seat": "ada", "text": "1989"}, {"seat": "bo", "text": "1990"}, {"seat": "cleo", "text": "1989"}]
    body = {"text": "In which year did the Berlin wall fall?", "level": "high", "answers": said}
    found = await seated.post("/api/v1/routing", body)
    decision = found["decision"]
    chosen = next(c for c in decision["candidates"] if c["id"] == decision["chosen"])
    assert chosen["supporters"] == ["ada", "cleo"]
    assert found["missing"] == []
    part = await seated.post("/api/v1/routing", body | {"answers": said[:1]})
    assert part["missing"] == ["bo", "cleo"]


@pytest.mark.parametrize(
    ("body", "code", "status"),
    [
        ({}, "usage", 422),
        ({"text": "\0"}, "usage", 422),
        ({"domains": {"history": 0.0}}, "usage", 422),
        ({"domains": {"nowhere at all": 1.0}}, "unknown_domain", 404),
        ({"text": "Is it so?", "answers": [{"seat": "dora", "text": "yes"}]}, "usage", 422),
        ({"text": "Is it so?", "level": "reckless"}, "invalid", 422),
    ],
)
async def test_routes_that_cannot_be_played_are_refused(seated, body, code, status):
    """What cannot be simulated is said in words (W3)."""
    assert await seated.refused("POST", "/api/v1/routing", body, status) == code


# --- usage, egress, doctor, reviewers ----------------------------------------------------------------------------


async def test_usage_counts_answers_and_reviews_by_day_and_member(seated):
    """Calls, tokens and cost are summed by day, member and kind (spec 06, 2)."""
    await seated.hall.ask(CLOSED)
    found = await seated.get("/api/v1/usage", days=7)
    calls = {(row["seat"], row["kind"]): row["calls"] for row in found["rows"]}
    assert all(calls[name, "answer"] == 1 for name in SAID)
    assert sum(n for (_, kind), n in calls.items() if kind == "review") >= 1
    assert found["today"]["cost_micros"] == 0
    assert set(found["budgets"].values()) == {None}
    assert await seated.refused("GET", "/api/v1/usage", status=422, days=0) == "invalid"


async def test_nothing_left_the_machine_so_the_ledger_is_empty(seated):
    """The egress ledger is a page of what was sent, and its totals (spec 06, 2)."""
    await seated.hall.ask(CLOSED)
    assert await seated.get("/api/v1/egress") == {"items": [], "next": None}
    assert await seated.get("/api/v1/egress/totals", since="2026-01-01T00:00:00Z") == []
    assert await seated.refused("GET", "/api/v1/egress", status=422, after="zz") == "invalid"
    assert await seated.refused("GET", "/api/v1/egress", status=422, since="yesterday") == "invalid"


async def test_the_check_up_looks_at_everything(seated):
    """Each finding says what is so and what to do (promise 3)."""
    findings = await seated.get("/api/v1/doctor", check_audit=True)
    assert {"store", "log", "council"} <= {each["about"] for each in findings}
    assert not any(each["damage"] for each in findings)


async def test_reviewers_are_listed_with_intervals_and_checked_as_a_run(seated):
    """Sensitivity and specificity have intervals, and a check is a run that tells its steps (spec 06, 2)."""
    run = await seated.post("/api/v1/reviewers/checks", {"reviewer": "ada", "count": 2}, 201)
    frames = await seated.ended(run["id"])
    assert frames[-1].event.state == "done"
    assert any("ada: sensitivity" in getattr(frame.event, "note", "") for frame in frames)
    ada = next(one for one in await seated.get("/api/v1/reviewers") if one["seat"] == "ada")
    assert ada["checks"] == 2
    low, high = ada["sensitivity_interval"]
    assert low < ada["sensitivity"] < high
    assert await seated.refused("POST", "/api/v1/reviewers/checks", {"reviewer": "zz"}) == "no_such_reviewer"
    assert await seated.refused("POST", "/api/v1/reviewers/checks", {"count": 0}, 422) == "invalid"


@pytest.mark.parametrize(
    ("scope", "method", "path"),
    [
        (Scope.QUERY, "GET", "/api/v1/record"),
        (Scope.QUERY, "GET", "/api/v1/usage"),
        (Scope.QUERY, "GET", "/api/v1/egress"),
        (Scope.QUERY, "GET", "/api/v1/doctor"),
        (Scope.STATUS, "POST", "/api/v1/routing"),
        (Scope.STATUS, "POST", "/api/v1/reviewers/checks"),
        (Scope.STATUS, "PUT", "/api/v1/record/scores/ada"),
    ],
)
async def test_each_route_demands_its_scope(seated, scope, method, path):
    """A token does only what its scopes say (spec 06, 1)."""
    seated.as_(scope)
    assert await seated.refused(method, path, status=403) == "forbidden"
