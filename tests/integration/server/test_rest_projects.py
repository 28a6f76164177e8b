"""Projects over HTTP."""

import pytest

pytestmark = pytest.mark.anyio
HERE = "/api/v1/projects"


async def test_a_project_is_made_used_renamed_and_archived(served):
    """A change of a project leaves alone what it does not name (W9)."""
    made = await served.post(HERE, {"name": "Choir", "use": True}, 201)
    one = f"{HERE}/{made['id']}"
    assert made["active"]
    renamed = await served.send("PATCH", one, {"name": "Choir 2027", "active": False})
    assert (renamed["name"], renamed["active"]) == ("Choir 2027", False)
    assert (await served.send("PATCH", one, {"active": True}))["active"]
    archived = await served.send("PATCH", one, {"archived": True})
    assert (archived["archived"], archived["active"]) == (True, False)
    assert await served.get(HERE) == []
    assert [each["name"] for each in await served.get(HERE, archived=True)] == ["Choir 2027"]
    assert (await served.get(one))["name"] == "Choir 2027"


async def test_leaving_one_project_leaves_no_other(served):
    """To stop using a project that is not used changes nothing (W9)."""
    one = await served.post(HERE, {"name": "One", "use": False}, 201)
    two = await served.post(HERE, {"name": "Two"}, 201)
    await served.send("PATCH", f"{HERE}/{one['id']}", {"active": False})
    assert (await served.get(f"{HERE}/{two['id']}"))["active"]


async def test_a_project_is_deleted_after_its_loss_was_shown(served):
    """Its conversations stay unless they are to go, too (W9)."""
    made = await served.post(HERE, {"name": "Choir"}, 201)
    told = {"claim": "The choir has 53 members", "scope": "project", "project_id": made["id"]}
    await served.post("/api/v1/memory", told, 201)
    assert (await served.get(f"{HERE}/{made['id']}/loss", with_conversations=True))["corrections"] == 1
    gone = await served.send("DELETE", f"{HERE}/{made['id']}", with_conversations=True)
    assert gone["loss"]["project"]["name"] == "Choir"
    assert await served.refused("GET", f"{HERE}/{made['id']}/loss") == "no_project"
    assert (await served.get("/api/v1/memory"))["items"] == []


async def test_what_a_project_cannot_be_is_refused(served):
    """Names are unique and visible, and ids are named in full (W2)."""
    made = await served.post(HERE, {"name": "Choir"}, 201)
    assert await served.refused("POST", HERE, {"name": "choir"}, 422) == "project_exists"
    assert await served.refused("POST", HERE, {"name": "\u202e"}, 422) == "invalid"
    assert await served.refused("POST", HERE, {}, 422) == "invalid"
    for method in ("GET", "PATCH", "DELETE"):
        body = {"name": "Other"} if method == "PATCH" else None
        for name in ("Choir", made["id"][:-1]):
            assert await served.refused(method, f"{HERE}/{name}", body) == "no_project"
