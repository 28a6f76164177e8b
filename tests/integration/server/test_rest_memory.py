"""What is remembered, over HTTP."""

from dataclasses import dataclass, field

import pytest
from tests.integration.app.hall import Hall, voice
from tests.integration.server.desk import served

from auritas.app.access import Scope
from auritas.kernel.answers import AccuracyLevel
from auritas.kernel.memory import CorrectionState, CorrectionType, Provenance
from auritas.kernel.memory import Scope as Where
from auritas.memory.model import Draft

pytestmark = pytest.mark.anyio
HERE = "/api/v1/memory"
QUESTION = "How many members does our choir have?"


@dataclass
class WordVectors:
    """Embeds a text as the words of a small vocabulary that it holds."""

    id: str = "words"
    dimensions: int = 8
    words: tuple[str, ...] = field(default=("choir", "members", "metric", "units", "rust", "tests", "53", "54"))

    def embed(self, texts):
        rows = [[float(word in text.lower()) for word in self.words] for text in texts]
        lengths = [sum(value * value for value in row) ** 0.5 or 1.0 for row in rows]
        return [[value / length for value in row] for row, length in zip(rows, lengths, strict=True)]


@pytest.fixture
async def web(hall: Hall):
    for name in ("ada", "bob"):
        hall.seat(voice(name, "50"))
    async with served(hall) as found:
        yield found


async def told(web, claim: str = "Use metric units", **more) -> str:
    web.hall.clock.advance(1)
    return str((await web.post(HERE, {"claim": claim} | more, 201))["correction"]["id"])


def proposed(web, query_id: str | None = None) -> str:
    """Store a proposal as the reviewer of an answer makes it, and return its id."""
    auritas = web.hall.auritas
    draft = Draft(
        "Our choir has 53 members",
        CorrectionType.FACT,
        Where.GLOBAL,
        Provenance.USER_IMPLICIT,
        canonical_query=QUESTION,
        query_id=query_id,
    )
    with auritas.store.unit() as unit:
        return str(auritas.remembering.keep(unit, draft, CorrectionState.PROPOSED).correction.id)


async def test_what_is_told_is_kept_shown_and_listed(web):
    """A correction is shown with its history, where it came from and how often it was used (W9)."""
    kept = await web.post(HERE, {"claim": "Use metric units", "pinned": True}, 201)
    one = kept["correction"]
    assert (one["state"], one["provenance"], one["pinned"]) == ("active", "user_explicit", True)
    detail = await web.get(f"{HERE}/{one['id']}")
    assert (detail["entry"]["times"], detail["origin"], detail["replaces"]) == (0, None, [])
    assert [line["change"] for line in detail["history"]] == ["created"]
    page = await web.get(HERE)
    assert (page["total"], page["items"][0]["correction"]["claim"]) == (1, "Use metric units")
    assert (await web.post(HERE, {"claim": "Use metric units"}, 201))["already"]


async def test_the_list_is_narrowed_and_goes_on(web):
    """Filters narrow the list, and its pages hold each correction once, newest first (W9)."""
    made = [await told(web, f"Rule {n} about tests", type="persistent_instruction") for n in range(3)]
    fact = await told(web, "Our choir has 53 members", type="factual_correction", pinned=True)
    page = await web.get(HERE, limit=3)
    rest = await web.get(HERE, limit=3, before=page["next"])
    ids = [each["correction"]["id"] for each in page["items"] + rest["items"]]
    assert ids == [fact, *made[::-1]]
    for narrowed in ({"type": "factual_correction"}, {"text": "CHOIR"}, {"pinned": True}):
        assert [each["correction"]["id"] for each in (await web.get(HERE, **narrowed))["items"]] == [fact]
    for nothing in ({"state": "superseded"}, {"scope": "project"}, {"state": "erased"}, {"domain": "law"}):
        assert (await web.get(HERE, **nothing))["items"] == []
    assert await web.refused("GET", HERE, before="gone") == "not_found"
    assert await web.refused("GET", HERE, None, 422, state="lost") == "invalid"


async def test_a_newer_fact_replaces_an_older_one_and_undo_brings_it_back(web):
    """What contradicts is superseded and said so, and the last change can be taken back (W9)."""
    first = await told(web, "Our choir has 53 members")
    kept = await web.post(HERE, {"claim": "Our choir has 54 members"}, 201)
    assert [each["id"] for each in kept["replaced"]] == [first]
    undone = await web.post(f"{HERE}/undo")
    assert [each["id"] for each in undone["restored"]] == [first]
    await web.post(f"{HERE}/undo")
    assert await web.refused("POST", f"{HERE}/undo") == "nothing_to_undo"


async def test_words_pin_and_place_are_changed(web):
    """A correction is reworded, pinned, and held to a project or one conversation (W9)."""
    one = f"{HERE}/{await told(web)}"
    assert (await web.send("PUT", f"{one}/words", {"claim": "Use SI units"}))["correction"]["claim"] == "Use SI units"
    assert (await web.send("PUT", f"{one}/pin", {"pinned": True}))["pinned"]
    project = web.hall.auritas.projects.create("Choir", use=False)
    moved = await web.send("PUT", f"{one}/place", {"scope": "project", "project_id": project.id})
    assert (moved["correction"]["scope"], moved["correction"]["project_id"]) == ("project", project.id)
    held = await web.hall.ask(QUESTION, AccuracyLevel.FAST)
    here = await web.send("PUT", f"{one}/place", {"scope": "conversation", "conversation_id": held.conversation_id})
    assert here["correction"]["conversation_id"] == held.conversation_id
    changes = [line["change"] for line in (await web.get(one))["history"]]
    assert changes == ["created", "edited", "pinned", "edited", "edited"]


async def test_what_cannot_be_told_is_refused(web):
    """Secrets, empty words, and places that are not there change nothing (W9)."""
    assert await web.refused("POST", HERE, {"claim": "My password is hunter2!x9"}, 409) == "secret"
    assert await web.refused("POST", HERE, {"claim": "  "}, 422) == "invalid"
    assert await web.refused("POST", HERE, {"claim": "x", "type": "model_preference"}, 422) == "invalid"
    assert await web.refused("POST", HERE, {"claim": "x", "scope": "project"}) == "not_found"
    assert await web.refused("POST", HERE, {"claim": "x", "scope": "project", "project_id": "no"}) == "no_project"
    assert await web.refused("POST", HERE, {"claim": "x", "scope": "domain", "domain": "no"}) == "unknown_domain"
    assert await web.refused("POST", HERE, {"claim": "x", "scope": "domain"}, 422) == "invalid"
    away = {"claim": "x", "scope": "conversation", "conversation_id": "no"}
    assert await web.refused("POST", HERE, away) == "no_conversation"
    one = await told(web)
    assert await web.refused("PUT", f"{HERE}/{one}/words", {"claim": "My password is hunter2!x9"}, 409) == "secret"
    assert await web.refused("PUT", f"{HERE}/{one}/place", {"scope": "domain"}, 422) == "invalid"
    assert (await web.get(HERE))["total"] == 1


async def test_every_address_with_an_id_wants_a_whole_one(web):
    """What is not there, or named by a beginning only, is a 404 under every verb (W2)."""
    one = (await told(web))[:-1]
    for name in ("", "/uses", "/resembling", "/repeated"):
        assert await web.refused("GET", f"{HERE}/{one}{name}") == "not_found"
    bodies = {"words": {"claim": "x"}, "pin": {"pinned": True}, "place": {"scope": "global"}}
    for name, body in bodies.items():
        assert await web.refused("PUT", f"{HERE}/{one}/{name}", body) == "not_found"
    for name, body in {"replace": {"older": "x"}, "confirm": {}, "dismiss": None}.items():
        assert await web.refused("POST", f"{HERE}/{one}/{name}", body) == "not_found"
    assert await web.refused("DELETE", f"{HERE}/{one}", everywhere=True) == "not_found"
    assert (await web.get(HERE))["total"] == 1


async def test_why_shows_the_eight_factors_and_uses_name_the_questions(web):
    """For a question each correction has its eight factors, and each correction its questions (W9)."""
    one = await told(web, "Answer in metric units", pinned=True)
    asked = [await web.hall.ask(QUESTION, AccuracyLevel.FAST) for _ in range(2)]
    why = await web.get(f"{HERE}/why", question=asked[0].query_id, correction=one)
    weighed = why["reasons"][0]["weighed"]
    assert (len(weighed["factors"]), weighed["factors"]["pinned"], weighed["injected"]) == (8, 1.0, True)
    page = await web.get(f"{HERE}/{one}/uses", limit=1)
    rest = await web.get(f"{HERE}/{one}/uses", limit=1, before=page["next"])
    found = [each["query_id"] for each in page["items"] + rest["items"]]
    assert found == [asked[1].query_id, asked[0].query_id]
    assert (page["items"][0]["question"], rest["next"]) == (QUESTION, None)
    thread = await web.get(f"/api/v1/conversations/{asked[0].conversation_id}/messages")
    assert [m["memory"] for m in thread["messages"]] == [1, 1]
    assert await web.refused("GET", f"{HERE}/why", question="nothing") == "no_run"
    assert await web.refused("GET", f"{HERE}/why", question=asked[0].query_id, correction="other") == "no_run"


async def test_a_yes_holds_and_asks_the_question_again(web):
    """A confirmed proposal grades the answer and asks its question again as a run (W9)."""
    asked = await web.hall.ask(QUESTION, AccuracyLevel.FAST)
    one = proposed(web, asked.query_id)
    assert [each["correction"]["id"] for each in (await web.get(HERE, state="proposed"))["items"]] == [one]
    came = await web.post(f"{HERE}/{one}/confirm", {"again": True, "level": "fast"})
    assert came["confirmed"]["kept"]["correction"]["state"] == "active"
    assert came["confirmed"]["graded"]
    frames = await web.ended(came["run_id"])
    assert frames[-1].event.state == "done"
    messages = (await web.get(f"/api/v1/conversations/{asked.conversation_id}/messages"))["messages"]
    assert [m["role"] for m in messages] == ["user", "assistant", "assistant"]
    assert await web.refused("POST", f"{HERE}/{one}/confirm", {}, 409)


async def test_a_no_takes_the_words_away(web):
    """A dismissed proposal is gone, and nothing was asked (W9)."""
    one = proposed(web)
    assert (await web.post(f"{HERE}/{one}/dismiss"))["id"] == one
    assert await web.refused("GET", f"{HERE}/{one}") == "not_found"
    plain = await web.post(f"{HERE}/{proposed(web)}/confirm", {"again": True})
    assert (plain["run_id"], plain["not_asked"]) == (None, "")


async def test_what_is_alike_is_proposed_and_can_be_replaced(web):
    """Pairs that say nearly the same are shown, and one takes the place of the other (W9)."""
    assert await web.refused("GET", f"{HERE}/alike", None, 503) == "no_embedder"
    web.hall.auritas.embedder = WordVectors()
    older = await told(web, "Write the tests in Rust", type="persistent_instruction")
    newer = await told(web, "Prefer Rust for tests, always", type="persistent_instruction")
    await told(web, "Use metric units", type="persistent_instruction")
    pairs = await web.get(f"{HERE}/alike")
    assert [(pair["newer"]["id"], pair["older"]["id"]) for pair in pairs] == [(newer, older)]
    assert [each["id"] for each in await web.get(f"{HERE}/{newer}/resembling")] == [older]
    kept = await web.post(f"{HERE}/{newer}/replace", {"older": older})
    assert [each["id"] for each in kept["replaced"]] == [older]
    assert [each["id"] for each in (await web.get(f"{HERE}/{newer}"))["replaces"]] == [older]
    assert await web.get(f"{HERE}/alike") == []
    assert await web.refused("POST", f"{HERE}/{newer}/replace", {"older": newer}, 409)


async def test_an_erased_correction_leaves_what_was_said_to_be_left(web):
    """Erasing says how many messages repeat it; everywhere, they go, too, and the log verifies (F13, W9)."""
    held = await web.hall.ask(QUESTION, AccuracyLevel.FAST)
    web.hall.clock.advance(1)
    said = "Remember: our rehearsal room is called Zanzibar"
    talk = web.hall.auritas.ask(said, level=AccuracyLevel.FAST, conversation_id=held.conversation_id)
    _ = [event async for event in talk]
    one = (await web.get(HERE, text="zanzibar"))["items"][0]["correction"]["id"]
    assert (await web.get(f"{HERE}/{one}"))["origin"]["conversation_id"] == held.conversation_id
    repeated = await web.get(f"{HERE}/{one}/repeated")
    assert repeated["messages"] == len(repeated["message_ids"]) > 0
    gone = await web.send("DELETE", f"{HERE}/{one}", everywhere=True)
    assert (gone["id"], gone["elsewhere"]) == (one, 0)
    messages = (await web.get(f"/api/v1/conversations/{held.conversation_id}/messages"))["messages"]
    assert not any("Zanzibar" in m["text"] for m in messages)
    assert await web.refused("GET", f"{HERE}/{one}") == "not_found"
    assert web.hall.intact


async def test_reading_memory_is_no_leave_to_change_it(web):
    """The two scopes of corrections are apart (W1)."""
    one = await told(web)
    web.as_(Scope.CORRECTIONS_READ)
    assert await web.get(f"{HERE}/{one}")
    assert await web.refused("DELETE", f"{HERE}/{one}", None, 403) == "forbidden"
    web.as_(Scope.CORRECTIONS_WRITE)
    assert await web.refused("GET", HERE, None, 403) == "forbidden"
