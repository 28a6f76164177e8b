"""Search over HTTP."""

import pytest
from tests.integration.app.hall import Hall, voice
from tests.integration.server.desk import served

from auritas.app.access import Scope
from auritas.kernel.answers import AccuracyLevel

pytestmark = pytest.mark.anyio
HERE = "/api/v1/search"


@pytest.fixture
async def web(hall: Hall):
    hall.seat(voice("ada", "On Tuesdays in Zanzibar"))
    async with served(hall) as found:
        yield found


async def said(web, text: str) -> str:
    """Ask something that is then indexed, and return its conversation."""
    result = await web.hall.ask(text, AccuracyLevel.FAST)
    web.hall.auritas.indexing.catch_up()
    return str(result.conversation_id)


def words(snippet) -> list[str]:
    return [piece["text"] for piece in snippet if piece["hit"]]


async def test_words_are_found_as_they_are_typed(web):
    """The beginning of a word finds its conversation, the hit marked as a piece of text, never as markup (W7)."""
    one = await said(web, "When does the <b>choir</b> rehearse?")
    found = await web.get(HERE, q="rehear")
    hit = found["conversations"][0]
    assert (hit["conversation_id"], words(hit["title"])) == (one, ["rehear"])
    assert "".join(piece["text"] for piece in hit["title"]) == "When does the <b>choir</b> rehearse?"
    entered = await web.get(HERE, q="zanzibar", entered=True, limit=1)
    assert words(entered["messages"][0]["snippet"]) == ["Zanzibar"]


async def test_nothing_typed_shows_the_newest(web):
    """The palette opens on the conversations that were used last (W9)."""
    made = [await said(web, f"Is number {n} odd?") for n in range(2)]
    assert [each["conversation_id"] for each in (await web.get(HERE))["conversations"]] == made[::-1]


async def test_a_hit_leads_to_its_message(web):
    """For a hit that names no message, the place to begin to read is found (W9)."""
    one = await said(web, "When does the choir rehearse?")
    place = await web.get(f"{HERE}/place", q="zanzibar", conversation_id=one)
    messages = (await web.get(f"/api/v1/conversations/{one}/messages"))["messages"]
    assert place["message_id"] == messages[1]["id"]
    nowhere = await web.get(f"{HERE}/place", q="elephant", conversation_id=one)
    assert nowhere == {"message_id": None}
    assert await web.refused("GET", f"{HERE}/place", q="x", conversation_id="no") == "no_conversation"


async def test_similar_titles_are_no_answer_where_words_are_left_out(web):
    """What is left out is not suggested for its title (W9)."""
    await said(web, "When does the choir rehearse?")
    assert (await web.get(HERE, q="rehaerse choirs -rehearse", entered=True))["conversations"] == []


async def test_what_cannot_be_searched_for_is_told(web):
    """A day that is none, a filter on nothing, and too long a text are mistakes, not faults (W3)."""
    await said(web, "Is it so?")
    assert await web.refused("GET", HERE, None, 422, q="before:yesteryear", entered=True) == "bad_query"
    assert await web.refused("GET", HERE, q="project:none", entered=True) == "unknown_filter"
    assert await web.refused("GET", HERE, None, 422, q="x" * 1_001) == "invalid"
    assert await web.refused("GET", HERE, None, 422, limit=0) == "invalid"


@pytest.mark.parametrize("text", ["\0", '"', "-", "a\0b", "*", "NEAR(", "\u202e", "(((", "\ufffd\U0010ffff", "-\0"])
async def test_nothing_that_can_be_typed_is_a_fault(web, text):
    """Any text at all is answered (W3)."""
    for entered in (False, True):
        await web.get(HERE, q=text, entered=entered)


async def test_meaning_finds_passages_with_their_titles(web):
    """Without a model for embeddings it says so; with one, the nearest passages come with their titles (W9)."""
    assert await web.refused("GET", f"{HERE}/meaning", None, 503, q="rehearsals") == "no_embedder"

    class Flat:
        id, dimensions = "flat", 4

        def embed(self, texts):
            return [[1.0, 0.0, 0.0, 0.0] for _ in texts]

    web.hall.restart()
    web.hall.auritas.embedder = Flat()
    one = await said(web, "When does the choir rehearse?")
    async with served(web.hall) as again:
        found = await again.get(f"{HERE}/meaning", q="rehearsals\0")
    assert {each["title"] for each in found} == {"When does the choir rehearse?"}
    assert {each["passage"]["conversation_id"] for each in found} == {one}


async def test_the_index_is_looked_at_and_built_anew(web):
    """A rebuild is a run that tells how far it is, and ends with what is indexed (W9)."""
    await said(web, "When does the choir rehearse?")
    assert (await web.get(f"{HERE}/index"))["indexed"] == 2
    run = await web.post(f"{HERE}/index", None, 201)
    frames = await web.ended(run["id"])
    assert frames[-1].event.state == "done"
    assert frames[-2].event.note == "2 of 2 messages are indexed."


async def test_search_needs_the_scope_query(web):
    """Without the scope nothing is found (W1)."""
    web.as_(Scope.STATUS)
    for path in ("", "/place", "/meaning", "/index"):
        assert await web.refused("GET", f"{HERE}{path}", None, 403, q="x", conversation_id="x") == "forbidden"
