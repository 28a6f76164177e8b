"""Questions of the past, their reasons, grades and comparisons over REST (spec 06, section 1)."""

from typing import Any

import pytest
from tests.integration.app.hall import CLOSED, voice

from auritas.app.access import Scope

pytestmark = pytest.mark.anyio
SECTIONS = ["Why now", "What I saw", "What I considered", "What I chose and why", "What you can do"]


@pytest.fixture
async def asked(served):
    """A question that three members disagree about."""
    served.hall.seat(voice("ada", "yes"), 18)
    served.hall.seat(voice("bo", "yes"), 15)
    served.hall.seat(voice("cleo", "no"), 12)
    return await served.hall.ask(CLOSED)


async def test_questions_are_listed_newest_first_page_by_page(served, asked):
    """Each question is on exactly one page, and the cursor is an id (W2)."""
    again = await served.hall.ask("Is it still so?")
    first = await served.get("/api/v1/questions", limit=1)
    assert [line["query_id"] for line in first["items"]] == [again.query_id]
    rest = await served.get("/api/v1/questions", limit=1, before=first["next"])
    assert [line["query_id"] for line in rest["items"]] == [asked.query_id]
    assert rest["next"] is None


async def test_a_question_shows_everything_that_was_kept_of_it(served, asked):
    """Answers with what they took, candidates, absence, reviews, domains and proof are in one answer (spec 06, 2)."""
    shown = await served.get(f"/api/v1/questions/{asked.query_id}")
    assert shown["text"] == CLOSED
    assert shown["trace_id"] == asked.trace_id
    assert {answer["seat"] for answer in shown["answers"]} == {"ada", "bo", "cleo"}
    assert next(a for a in shown["answers"] if a["shown"])["seat"] == asked.decision.shown_seat
    assert shown["decision"]["chosen"] == asked.decision.chosen
    assert {c["id"]: c["p"] for c in shown["decision"]["candidates"]} == {
        c.id: pytest.approx(c.p) for c in asked.decision.candidates
    }
    assert {w["seat"]: w["candidate"] for w in shown["decision"]["without"]} == asked.decision.without
    assert not shown["decision"]["calibrated"]
    assert "Confidence" in shown["decision"]["reason"]
    assert [r["verdict"] for r in shown["reviews"]] == [r.verdict for r in asked.reviews]
    assert shown["receipt"]["seq"] == asked.receipt.seq
    assert shown["domains"] == asked.domains
    assert (await served.get(f"/api/v1/questions/{asked.trace_id}"))["query_id"] == asked.query_id


async def test_reasons_come_in_five_sections_in_order(served, asked):
    """The Why drawer has its five sections, always in this order (spec 06, 2)."""
    why = await served.get(f"/api/v1/questions/{asked.query_id}/why")
    assert why["trace_id"] == asked.trace_id
    assert [section["title"] for section in why["sections"]] == SECTIONS


async def test_a_comparison_shows_who_said_what_and_which_words_differ(served, asked):
    """Candidates stand side by side, the chosen one first (spec 06, 2)."""
    found = await served.get(f"/api/v1/questions/{asked.query_id}/comparison")
    first, second = found["comparison"]["candidates"]
    assert (first["number"], first["chosen"], second["chosen"]) == (1, True, False)
    assert {"differs"} == {span["kind"] for span in first["spans"]}


async def test_what_a_question_would_take_is_said_at_every_level_and_nobody_is_asked(served, asked):
    """Calls, money, seconds and members stand there beforehand (spec 06, 2)."""
    served.hall.forget()
    found = await served.get("/api/v1/expectation", text="Is it so?")
    assert [each["level"] for each in found] == ["fast", "balanced", "high", "maximum"]
    assert found[2]["members"] == ["ada", "bo", "cleo"]
    (high,) = await served.get("/api/v1/expectation", level="high")
    assert high["expected"]["calls"] >= 3
    assert not served.hall.answering()


async def test_what_a_question_would_take_counts_only_the_members_that_are_to_be_asked(served, asked):
    """Whoever ticks two members is told what two take; a name that sits nowhere changes nothing (spec 06, 2)."""
    (two,) = await served.get("/api/v1/expectation", level="high", member=["ada", "bo"])
    (all_three,) = await served.get("/api/v1/expectation", level="high", member=["nobody"])
    assert two["members"] == ["ada", "bo"]
    assert all_three["members"] == ["ada", "bo", "cleo"]
    assert two["expected"]["calls"] < all_three["expected"]["calls"]


@pytest.mark.parametrize("path", ["", "/why", "/comparison"])
async def test_what_is_not_there_is_a_404_that_helps(served, asked, path):
    """A question that is not there and one that is not yours are the same 404 (W2)."""
    assert await served.refused("GET", f"/api/v1/questions/nothing{path}") == "no_question"


async def test_texts_that_are_no_question_are_refused(served, asked):
    """Neither NUL nor a page that is none leads to a server error (W3)."""
    assert await served.refused("GET", "/api/v1/expectation", status=422, text="\0\0") == "usage"
    assert await served.refused("GET", "/api/v1/questions", status=422, limit=0) == "invalid"


# --- grades ------------------------------------------------------------------------------------------------------


def grade(kind: str, **more: Any) -> dict[str, Any]:
    return {"grade": {"kind": kind, **more}}


async def test_a_verdict_marks_answers_and_can_be_taken_back(served, asked):
    """Saying who was right shows at once in the marks, and undoing restores what was before (spec 06, 2)."""
    before = await served.get(f"/api/v1/questions/{asked.query_id}/comparison")
    done = await served.post("/api/v1/grades", grade("verdict", right=True, question=asked.query_id))
    assert {mark["seat"]: mark["right"] for mark in done["marks"]} == {"ada": True, "bo": True, "cleo": False}
    assert (await served.post("/api/v1/grades", grade("verdict", right=True)))["already"]
    listed = await served.get("/api/v1/grades")
    assert [(line["kind"], line["state"]) for line in listed["items"]] == [("verdict", "holds")]
    undone = await served.send("DELETE", f"/api/v1/grades/{done['id']}")
    assert undone["undone_at"]
    assert undone["marks"] == before["marks"]
    shown = await served.get(f"/api/v1/questions/{asked.query_id}")
    assert [line["state"] for line in shown["said"]] == ["undone"]


@pytest.mark.parametrize(
    ("said", "right"),
    [
        (grade("key", text="no"), {"ada": False, "bo": False, "cleo": True}),
        (grade("pick", candidate="cleo"), {"ada": False, "bo": False, "cleo": True}),
        (grade("none_right"), {"ada": False, "bo": False, "cleo": False}),
    ],
)
async def test_a_key_a_pick_and_none_right_grade_every_answer(served, asked, said, right):
    """Each way of saying who was right grades all who said the same (spec 06, 2)."""
    done = await served.post("/api/v1/grades", said)
    assert {mark["seat"]: mark["right"] for mark in done["marks"]} == right


async def test_two_candidates_can_be_made_one(served, asked):
    """Merged candidates count as one from then on (spec 06, 2)."""
    await served.post("/api/v1/grades", grade("merge", first="1", second="2"))
    shown = await served.get(f"/api/v1/questions/{asked.query_id}")
    (one,) = shown["decision"]["candidates"]
    assert one["supporters"] == ["ada", "bo", "cleo"]
    assert one["chosen"]


async def test_grades_that_cannot_be_given_are_refused_in_words(served, asked):
    """Unknown candidates, questions, acts and kinds are errors of the request (W3)."""
    assert await served.refused("POST", "/api/v1/grades", grade("pick", candidate="dora")) == "unknown_candidate"
    assert await served.refused("POST", "/api/v1/grades", grade("none_right", question="zz")) == "no_question"
    assert await served.refused("POST", "/api/v1/grades", grade("key", text=" "), status=422) == "usage"
    assert await served.refused("POST", "/api/v1/grades", grade("praise"), status=422) == "invalid"
    assert await served.refused("DELETE", "/api/v1/grades/zz") == "not_found"
    assert await served.refused("DELETE", "/api/v1/grades/last") == "not_found"
    assert await served.refused("GET", "/api/v1/grades", status=422, after="zz") == "invalid"


async def test_grading_needs_the_scope_query(served, asked):
    """A token that may only look at the status reads no question and gives no grade (spec 06, 1)."""
    served.as_(Scope.STATUS)
    assert await served.refused("GET", "/api/v1/questions", status=403) == "forbidden"
    assert await served.refused("POST", "/api/v1/grades", grade("none_right"), status=403) == "forbidden"
