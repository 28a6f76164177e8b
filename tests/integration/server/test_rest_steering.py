"""Memory steered over HTTP: left out of a conversation, pairs kept, previews, and acts taken back by name."""

import pytest
from tests.integration.app.hall import Hall, voice
from tests.integration.server.desk import served
from tests.integration.server.test_rest_memory import HERE, QUESTION, WordVectors, told

from auritas.app.access import Scope
from auritas.kernel.answers import AccuracyLevel

pytestmark = pytest.mark.anyio
NOWHERE = "01900000-0000-7000-8000-00000000beef"


@pytest.fixture
async def web(hall: Hall):
    hall.seat(voice("ada", "50"))
    async with served(hall) as found:
        yield found


async def test_not_here_is_put_listed_and_taken_back(web):
    """A correction is left out of one conversation, listed there, and brought back by verb or by act (W9)."""
    one = await told(web, "Use metric units", pinned=True)
    talk = (await web.hall.ask(QUESTION, AccuracyLevel.FAST)).conversation_id
    here = f"/api/v1/conversations/{talk}/left-out"
    act = (await web.send("PUT", f"{here}/{one}"))["act_id"]
    assert [each["id"] for each in (await web.get(here))["items"]] == [one]
    assert (await web.send("PUT", f"{here}/{one}"))["act_id"] == ""
    assert (await web.post(f"{HERE}/undo", act_id=act))["event"] == "left_out"
    assert (await web.get(here))["items"] == []
    await web.send("PUT", f"{here}/{one}")
    assert (await web.send("DELETE", f"{here}/{one}"))["act_id"]
    assert (await web.get(here))["items"] == []
    changes = [line["change"] for line in (await web.get(f"{HERE}/{one}"))["history"]]
    assert changes == ["created", "left_out", "brought_back", "left_out", "brought_back"]


async def test_what_is_not_there_is_neither_left_out_nor_paired(web):
    """Unknown conversations and corrections are a 404 under every verb, and scopes hold (W2)."""
    one = await told(web)
    talk = (await web.hall.ask(QUESTION, AccuracyLevel.FAST)).conversation_id
    assert await web.refused("GET", f"/api/v1/conversations/{NOWHERE}/left-out") == "no_conversation"
    for verb in ("PUT", "DELETE"):
        assert await web.refused(verb, f"/api/v1/conversations/{NOWHERE}/left-out/{one}") == "no_conversation"
        assert await web.refused(verb, f"/api/v1/conversations/{talk}/left-out/{NOWHERE}") == "not_found"
    for pair in (f"{one}/beside/{NOWHERE}", f"{NOWHERE}/beside/{one}"):
        assert await web.refused("PUT", f"{HERE}/{pair}") == "not_found"
    assert await web.refused("PUT", f"{HERE}/{one}/beside/{one}", None, 409) == "wrong_state"
    assert await web.refused("POST", f"{HERE}/undo", act_id=NOWHERE) == "nothing_to_undo"
    web.as_(Scope.CORRECTIONS_READ)
    assert await web.refused("PUT", f"/api/v1/conversations/{talk}/left-out/{one}", None, 403) == "forbidden"
    assert (await web.post(f"{HERE}/preview", {"claim": "Use SI units"}))["type"] == "persistent_instruction"


async def test_a_pair_that_is_kept_is_proposed_no_more(web):
    """Both hold for every browser, until one is reworded or the act is taken back (W9)."""
    web.hall.auritas.embedder = WordVectors()
    one = await told(web, "Our choir has 53 members", type="factual_correction", query="a")
    other = await told(web, "53 members sing in our choir", type="factual_correction", query="b")
    assert len(await web.get(f"{HERE}/alike")) == 1
    act = (await web.send("PUT", f"{HERE}/{other}/beside/{one}"))["act_id"]
    assert await web.get(f"{HERE}/alike") == []
    assert await web.get(f"{HERE}/{one}/resembling") == []
    await web.post(f"{HERE}/undo", act_id=act)
    assert len(await web.get(f"{HERE}/alike")) == 1
    await web.send("PUT", f"{HERE}/{one}/beside/{other}")
    await web.send("PUT", f"{HERE}/{other}/words", {"claim": "53 members are in our choir"})
    assert len(await web.get(f"{HERE}/alike")) == 1


async def test_a_preview_reads_as_adding_does_and_stores_nothing(web):
    """What a preview says of type, condition and what is replaced is what adding then does (W9)."""
    old = await told(web, "Use metric units")
    claim = {"claim": "Use imperial units", "pinned": True}
    seen = await web.post(f"{HERE}/preview", claim)
    assert ([each["id"] for each in seen["replaces"]], seen["already"]) == ([old], False)
    assert (await web.get(HERE))["total"] == 1
    kept = await web.post(HERE, claim, 201)
    assert ([each["id"] for each in kept["replaced"]], kept["correction"]["type"]) == ([old], seen["type"])
    assert (await web.post(f"{HERE}/preview", claim))["already"]
    assert await web.refused("POST", f"{HERE}/preview", {"claim": "My password is hunter2!x9"}, 409) == "secret"
    assert await web.refused("POST", f"{HERE}/preview", {"claim": " "}, 422) == "invalid"


async def test_undo_names_its_act(web):
    """Of two changes in a row the first is taken back by its act, and a change under a later one is not (W9)."""
    first = await web.post(HERE, {"claim": "Use metric units"}, 201)
    second = await web.post(HERE, {"claim": "Never use tabs"}, 201)
    await web.post(f"{HERE}/undo", act_id=first["act_id"])
    assert [each["correction"]["claim"] for each in (await web.get(HERE))["items"]] == ["Never use tabs"]
    await web.send("PUT", f"{HERE}/{second['correction']['id']}/words", {"claim": "Use tabs"})
    assert await web.refused("POST", f"{HERE}/undo", None, 409, act_id=second["act_id"]) == "changed_since"
