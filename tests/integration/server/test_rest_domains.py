"""The tree of domains over REST (spec 06, section 2)."""

import pytest
from tests.integration.app.hall import CLOSED, voice

from auritas.app.access import Scope
from auritas.council.domains.changes import ChangeKind, difference, promote

pytestmark = pytest.mark.anyio


@pytest.fixture
def grown(served):
    """A tree in which a node has grown below history."""
    domains = served.hall.auritas.domains
    with served.hall.auritas.store.unit() as unit:
        old = domains.records.tree(unit)
        new = promote(old, "naval history", "history")
        domains.records.change(unit, ChangeKind.PROMOTE, "naval_history", difference(old, new), by="system")
    return served


async def test_the_tree_shows_candidates_and_what_each_still_lacks(served):
    """The gate of a candidate says in sentences what is missing (spec 06, 2)."""
    served.hall.seat(voice("ada", "yes", domains="history, bell ringing"), 18)
    await served.hall.ask(CLOSED)
    found = await served.get("/api/v1/domains")
    assert "history" in {node["id"] for node in found["nodes"]}
    (gate,) = [each for each in found["candidates"] if each["string"] == "bell ringing"]
    assert (gate["questions"], gate["models"]) == (1, ["ada"])
    assert "named in 1 of 5 questions needed" in gate["missing"]
    below = await served.get(f"/api/v1/domains/{gate['below']}")
    assert gate in below["candidates"]
    assert await served.refused("GET", "/api/v1/domains/bell%20ringing") == "domain_candidate"


async def test_a_node_is_renamed_named_again_merged_and_taken_back(grown):
    """Every change of the tree can be taken back, newest first (spec 06, 2)."""
    path = "/api/v1/domains"
    assert (await grown.post(f"{path}/naval_history/aliases", {"name": "sea power"}))["kind"] == "alias"
    assert (await grown.get(f"{path}/sea%20power"))["node"]["id"] == "naval_history"
    assert (await grown.post(f"{path}/naval_history/rename", {"name": "maritime history"}))["kind"] == "rename"
    assert (await grown.get(f"{path}/maritime_history"))["node"]["parent"] == "history"
    assert (await grown.post(f"{path}/maritime_history/merge", {"into": "history"}))["kind"] == "merge"
    changes = (await grown.get(path))["changes"]
    assert [each["kind"] for each in changes] == ["merge", "rename", "alias", "promote"]
    for _ in changes:
        await grown.post(f"{path}/undo")
    assert await grown.refused("POST", f"{path}/undo") == "nothing_to_undo"
    assert await grown.refused("GET", f"{path}/naval_history") == "unknown_domain"


async def test_a_node_is_dissolved_in_its_parent(grown):
    """Demoting leaves the name with the parent (spec 06, 2)."""
    await grown.post("/api/v1/domains/naval_history/demote")
    assert (await grown.get("/api/v1/domains/naval%20history"))["node"]["id"] == "history"


async def test_refreshing_runs_the_job(grown):
    """The tree grows when asked to, and says what it did (spec 06, 2)."""
    assert await grown.post("/api/v1/domains/refresh") == {"promoted": [], "pruned": [], "compared": 0, "busy": False}


async def test_changes_that_leave_no_tree_are_refused(grown):
    """Roots stay, names are unique, and what is no name is refused (W3)."""
    path = "/api/v1/domains"
    assert await grown.refused("POST", f"{path}/history/demote", status=409) == "fixed_root"
    assert await grown.refused("POST", f"{path}/naval_history/merge", {"into": "naval_history"}, 409)
    assert await grown.refused("POST", f"{path}/naval_history/merge", {"into": "zz"}) == "unknown_domain"
    assert await grown.refused("POST", f"{path}/naval_history/rename", {"name": "\0"}, 422) == "bad_domain_name"
    assert await grown.refused("POST", f"{path}/naval_history/aliases", {"name": "law"}, 409) == "domain_name_in_use"
    grown.as_(Scope.STATUS)
    assert await grown.refused("POST", f"{path}/undo", status=403) == "forbidden"
