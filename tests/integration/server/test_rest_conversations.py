"""Conversations over HTTP."""

import json

import pytest
from tests.integration.app.hall import CLOSED, Hall, voice
from tests.integration.server.desk import Served, served

from auritas.app.access import Scope
from auritas.kernel.answers import AccuracyLevel

pytestmark = pytest.mark.anyio
HERE = "/api/v1/conversations"


@pytest.fixture
async def web(hall: Hall):
    for name, said in {"ada": "yes", "bob": "yes", "cyd": "no"}.items():
        hall.seat(voice(name, said))
    async with served(hall) as found:
        yield found


async def asked(web: Served, *questions: str) -> str:
    """Ask questions in one conversation and return its id."""
    conversation_id = None
    for text in questions or (CLOSED,):
        result = await web.hall.ask(text, AccuracyLevel.HIGH, conversation_id=conversation_id)
        conversation_id = result.conversation_id
    assert conversation_id is not None
    return conversation_id


async def test_an_answer_is_read_with_what_stands_behind_it(web):
    """Each answer comes with question, trace, confidence with its basis, seat and state (W9)."""
    one = await asked(web)
    thread = await web.get(f"{HERE}/{one}/messages")
    question, answer = thread["messages"]
    assert (question["role"], question["text"], question["number"]) == ("user", CLOSED, 1)
    behind = answer["question"]
    assert behind["query_id"] == question["question"]["query_id"]
    assert behind["trace_id"].startswith("tr_")
    assert (behind["state"], behind["agree"], behind["answered"]) == ("finished", 2, 3)
    assert behind["seat"] in {"ada", "bob"}
    assert behind["confidence"]["label"] == answer["confidence"]
    assert behind["confidence"]["basis"] not in {"", "as it was said when the question was answered"}
    assert (behind["asked_in"], behind["copied"]) == (question["id"], False)
    assert behind["seconds"] >= 0
    assert answer["disagreement"]
    assert (thread["before"], thread["after"]) == (None, None)


async def test_an_answer_says_how_long_its_question_took(web):
    """The time stands from asking to the answer, also where who took it gave none, and 0 at what was never answered."""

    def slow(_question: str) -> str:
        web.hall.clock.advance(134)
        return "[nothing that can be read"

    web.hall.seat(voice("dot", slow))
    one = await asked(web)
    _question, answer = (await web.get(f"{HERE}/{one}/messages"))["messages"]
    assert 134 <= answer["question"]["seconds"] < 1000
    again = await web.hall.ask(CLOSED)
    assert 134 <= again.seconds < 1000


async def test_pages_of_messages_join_without_a_gap(web):
    """Read backwards from its end, forwards, or around a message, a conversation has each message once (W6)."""
    one = await asked(web, *(f"Is number {n} even?" for n in range(5)))
    everything = (await web.get(f"{HERE}/{one}/messages"))["messages"]
    last = await web.get(f"{HERE}/{one}/messages", limit=4)
    before = await web.get(f"{HERE}/{one}/messages", limit=4, before=last["before"])
    first = await web.get(f"{HERE}/{one}/messages", limit=4, before=before["before"])
    ids = [m["id"] for page in (first, before, last) for m in page["messages"]]
    assert ids == [m["id"] for m in everything]
    assert first["before"] is None
    forth = await web.get(f"{HERE}/{one}/messages", limit=4, after=first["after"])
    assert [m["id"] for m in forth["messages"]] == ids[2:6]
    around = await web.get(f"{HERE}/{one}/messages", limit=3, around=ids[5])
    assert [m["number"] for m in around["messages"]] == [5, 6, 7]


async def test_a_place_that_is_not_there_is_told(web):
    """A message of another conversation is not in this one, and a stretch has one place (W2)."""
    one, two = await asked(web), await asked(web, "Is it late?")
    other = (await web.get(f"{HERE}/{two}/messages"))["messages"][0]["id"]
    assert await web.refused("GET", f"{HERE}/{one}/messages", around=other) == "no_message"
    assert await web.refused("GET", f"{HERE}/{one}/messages", status=422, around=other, before=other) == "usage"
    assert await web.refused("GET", f"{HERE}/nothing/messages") == "no_conversation"


async def test_a_correction_is_shown_once_where_it_was_said(web):
    """A proposal or a correction survives a reload of the page, beside its message and nowhere else (W9)."""
    one = await asked(web, "How many members does our choir have?")
    web.hall.clock.advance(1)
    _ = [event async for event in web.hall.auritas.ask("No, it is 53", level=AccuracyLevel.FAST, conversation_id=one)]
    messages = (await web.get(f"{HERE}/{one}/messages"))["messages"]
    said = next(m for m in messages if m["text"] == "No, it is 53")
    assert [each["state"] for each in said["corrections"]] == ["active"]
    assert [m["id"] for m in messages if m["corrections"]] == [said["id"]]
    again = messages[-1]["question"]
    assert (again["asked_in"], again["query_id"]) != (said["id"], messages[1]["question"]["query_id"])
    assert again["asked_in"] == messages[0]["id"]


async def test_the_list_goes_on_by_its_cursor(web):
    """Pages of the list hold each conversation once, the latest used first (W9)."""
    made = [await asked(web, f"Is number {n} odd?") for n in range(3)]
    page = await web.get(HERE, limit=2)
    rest = await web.get(HERE, limit=2, before=page["next"])
    assert [each["id"] for each in page["items"] + rest["items"]] == made[::-1]
    assert rest["next"] is None
    assert await web.refused("GET", HERE, status=422, before="nonsense") == "invalid"


@pytest.mark.parametrize("cursor", ["WyJhIiwgOTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5XQ", "WyJcdWQ4MDAiLCAieCJd", "W10", "%"])
async def test_a_forged_cursor_is_refused(web, cursor):
    """No cursor that somebody makes up reaches the store (W3)."""
    assert await web.refused("GET", HERE, status=422, before=cursor) == "invalid"


async def test_a_conversation_is_renamed_moved_and_archived(web):
    """One change of a conversation leaves alone what it does not name (W9)."""
    one = await asked(web)
    project = web.hall.auritas.projects.create("Choir", use=False)
    renamed = await web.send("PATCH", f"{HERE}/{one}", {"title": "The choir"})
    moved = await web.send("PATCH", f"{HERE}/{one}", {"project_id": project.id})
    assert (moved["title"], moved["project"], renamed["project"]) == ("The choir", "Choir", None)
    assert [each["id"] for each in (await web.get(HERE, project_id=project.id))["items"]] == [one]
    back = await web.send("PATCH", f"{HERE}/{one}", {"project_id": None, "archived": True})
    assert (back["project"], back["archived"], back["title"]) == (None, True, "The choir")
    assert (await web.get(HERE))["items"] == []
    assert [each["id"] for each in (await web.get(HERE, archived=True))["items"]] == [one]
    assert (await web.get(HERE, archived=True, source="claude"))["items"] == []


async def test_what_cannot_be_changed_is_refused(web):
    """A title of nothing, or a project that is not there, changes nothing (W9)."""
    one = await asked(web)
    assert await web.refused("PATCH", f"{HERE}/{one}", {"title": "\0 "}, 422) == "invalid"
    assert await web.refused("PATCH", f"{HERE}/{one}", {"project_id": "nowhere"}) == "no_project"
    assert await web.refused("GET", HERE, project_id="nowhere") == "no_project"
    assert (await web.get(f"{HERE}/{one}"))["title"] == CLOSED


async def test_an_id_is_named_in_full(web):
    """Neither the beginning of an id nor a title names a conversation here: no change meets the wrong one (W2)."""
    one = await asked(web)
    for name in (one[:-1], CLOSED, one + "0"):
        assert await web.refused("DELETE", f"{HERE}/{name.strip('?')}") == "no_conversation"
    assert (await web.get(HERE))["items"]


async def test_answers_copied_into_a_branch_keep_what_stands_behind_them(web):
    """A branch, and a branch of it, tell of each copied answer how sure it was and where its reasons are (W9)."""
    one = await asked(web, CLOSED, "Is it late?")
    origin = (await web.get(f"{HERE}/{one}/messages"))["messages"]
    branch = (await web.post(f"{HERE}/{one}/branches", {}, 201))["conversation"]["id"]
    second = (await web.post(f"{HERE}/{branch}/branches", {}, 201))["conversation"]["id"]
    for each in (branch, second):
        copies = (await web.get(f"{HERE}/{each}/messages"))["messages"]
        assert [m["question"] for m in copies if m["role"] == "user"] == [None, None]
        for copy, original in zip(copies[1::2], origin[1::2], strict=True):
            assert copy["question"] == original["question"] | {"copied": True}
            assert (copy["models"], copy["confidence"]) == (original["models"], original["confidence"])
    await web.send("DELETE", f"{HERE}/{one}")
    left = (await web.get(f"{HERE}/{branch}/messages"))["messages"]
    assert [m["question"] for m in left] == [None] * 4


async def test_a_branch_that_asks_something_else_is_called_after_that(web):
    """A reworded question opens a conversation with its own words for a title, not those of the one before (W9)."""
    one = await asked(web, "Write a haiku about rust.")
    asks = (await web.get(f"{HERE}/{one}/messages"))["messages"][0]["id"]
    made = web.hall.auritas.conversations.branch(
        one, asks, before=True, asking="Write\na limerick about tin. " + "x" * 90
    )
    assert made.conversation.title.startswith("Write a limerick about tin.")
    assert len(made.conversation.title) <= 60
    assert (made.conversation.renamed, made.conversation.branched_from) == (False, asks)


async def test_a_branch_is_made_at_a_message_or_to_ask_it_anew(web):
    """A branch copies what came before, and knows what is to be asked in other words (W9)."""
    one = await asked(web, CLOSED, "Is it late?")
    messages = (await web.get(f"{HERE}/{one}/messages"))["messages"]
    anew = await web.post(f"{HERE}/{one}/branches", {"at": messages[2]["id"], "before": True}, 201)
    assert (anew["asks_anew"], anew["conversation"]["messages"]) == ("Is it late?", 2)
    whole = await web.post(f"{HERE}/{one}/branches", {}, 201)
    assert (whole["asks_anew"], whole["conversation"]["messages"]) == (None, 4)
    assert [b["number"] for b in (await web.get(f"{HERE}/{one}/messages"))["branches"]] == [3, 4]
    refused = {"at": messages[1]["id"], "before": True}
    assert await web.refused("POST", f"{HERE}/{one}/branches", refused, 422) == "not_a_question"
    assert await web.refused("POST", f"{HERE}/{one}/branches", {"at": "4"}) == "no_message"


async def test_an_export_is_a_file_with_a_safe_name(web):
    """The name of a downloaded file is made of letters and digits only, whatever the title (W7)."""
    one = await asked(web)
    await web.send("PATCH", f"{HERE}/{one}", {"title": 'Ä "quoted"; ../../etc/passwd\r\nx: y'})
    answer = await web.client.post(f"{HERE}/{one}/export", json={"form": "markdown"})
    assert answer.text.startswith("# Ä")
    assert answer.headers["content-type"] == "text/markdown; charset=utf-8"
    said = answer.headers["content-disposition"]
    assert said.startswith('attachment; filename="quoted-etc-passwd-x-y.md"')
    assert "x" not in answer.headers


async def test_an_export_of_everything_can_be_read_and_is_in_the_log(web):
    """The JSON export holds all conversations, and the audit log says that it went out (W9)."""
    await asked(web)
    await asked(web, "Is it late?")
    answer = await web.client.post(f"{HERE}/export", json={"form": "json"})
    document = json.loads(answer.content)
    assert (document["format"], len(document["conversations"])) == ("auritas-conversations", 2)
    assert web.hall.intact
    assert await web.refused("POST", f"{HERE}/nowhere/export", {}) == "no_conversation"
    assert await web.refused("POST", f"{HERE}/export", {"form": "docx"}, 422) == "invalid"


async def test_a_conversation_is_deleted_for_good_after_its_loss_was_shown(web):
    """What deleting takes is said before, and gone after; the log still verifies (W9)."""
    one = await asked(web)
    loss = await web.get(f"{HERE}/{one}/loss")
    assert (loss["messages"], loss["questions"]) == (2, 1)
    assert (await web.get(f"{HERE}/{one}"))["messages"] == 2
    gone = await web.send("DELETE", f"{HERE}/{one}", with_memory=True)
    assert gone["loss"]["messages"] == 2
    assert await web.refused("GET", f"{HERE}/{one}") == "no_conversation"
    assert await web.refused("GET", f"{HERE}/{one}/loss") == "no_conversation"
    assert web.hall.intact


async def test_each_route_asks_for_its_scope(web):
    """Writing out needs the scope batch, and reading the scope query (W1)."""
    one = await asked(web)
    web.as_(Scope.QUERY)
    assert await web.get(f"{HERE}/{one}")
    assert await web.refused("POST", f"{HERE}/export", {}, 403) == "forbidden"
    web.as_(Scope.BATCH)
    assert await web.refused("DELETE", f"{HERE}/{one}", None, 403) == "forbidden"
    assert (await web.client.post(f"{HERE}/export", json={})).status_code == 200


async def test_what_is_remembered_goes_only_with_the_scope_for_it(web):
    """A token that may only ask deletes a conversation, and not what was to be remembered (W1)."""
    one = await asked(web)
    web.as_(Scope.QUERY)
    assert await web.refused("DELETE", f"{HERE}/{one}", status=403, with_memory=True) == "forbidden"
    await web.send("DELETE", f"{HERE}/{one}")
