"""The audit log over REST: entries, roots, proofs, verifying (spec 06, section 2)."""

import pytest
from sqlalchemy import text
from tests.integration.app.hall import CLOSED, voice

from auritas.app.access import Scope

pytestmark = pytest.mark.anyio


@pytest.fixture
async def asked(served):
    served.hall.seat(voice("ada", "yes"), 18)
    served.hall.seat(voice("bo", "yes"), 15)
    return await served.hall.ask(CLOSED)


async def test_entries_are_listed_newest_first_and_filtered(served, asked):
    """Each entry is on exactly one page, and a kind or a trace narrows the list (spec 06, 2)."""
    seqs, before = [], None
    while True:
        page = await served.get("/api/v1/audit/entries", limit=2, **({} if before is None else {"before": before}))
        seqs += [each["seq"] for each in page["items"]]
        if (before := page["next"]) is None:
            break
    assert seqs == list(range(served.hall.auritas.audit.size()))[::-1]
    only = await served.get("/api/v1/audit/entries", kind="query")
    assert {each["kind"] for each in only["items"]} == {"query"}
    of_trace = await served.get("/api/v1/audit/entries", trace=asked.trace_id)
    assert asked.receipt.seq in {each["seq"] for each in of_trace["items"]}


async def test_no_entry_holds_a_word_of_the_question(served, asked):
    """The log holds ids, numbers and commitments, never content (promise 5)."""
    page = await served.get("/api/v1/audit/entries", limit=200)
    assert CLOSED not in str(page)


async def test_an_entry_is_proved_by_a_proof_that_anybody_can_check(served, asked):
    """A proof says what it proves and is checked with the key alone (spec 06, 2)."""
    seq = asked.receipt.seq
    proof = await served.post(f"/api/v1/audit/entries/{seq}/proof")
    assert (proof["filename"], proof["proves"]["index"]) == (f"entry-{seq}.tlog-proof", seq)
    checked = await served.post("/api/v1/audit/check", {"proof": proof["text"], "key": proof["key"]})
    assert checked == proof["proves"]
    detail = await served.get(f"/api/v1/audit/entries/{seq}")
    assert detail["entry"]["level"] == "signed"
    assert detail["checkpoint"]["size"] > seq
    root = await served.get("/api/v1/audit/root")
    assert root["key"] == proof["key"]


async def test_a_proof_that_proves_nothing_is_refused(served, asked):
    """Damaged proofs, foreign keys and what is no text are refused in words (W3)."""
    proof = await served.post(f"/api/v1/audit/entries/{asked.receipt.seq}/proof")
    bad = [
        ({"proof": proof["text"].replace("index ", "index 1"), "key": proof["key"]}, "proof_refused"),
        ({"proof": "\0 no proof", "key": proof["key"]}, "proof_refused"),
        ({"proof": proof["text"], "key": "no key"}, "invalid"),
        ({"proof": proof["text"], "key": proof["key"], "witness_keys": ["no key"]}, "invalid"),
    ]
    for body, code in bad:
        assert await served.refused("POST", "/api/v1/audit/check", body, 422) == code


async def test_the_log_is_signed_on_demand_once(served, asked):
    """A checkpoint covers everything so far, and signing again signs nothing new (spec 06, 2)."""
    first = await served.post("/api/v1/audit/checkpoints", status=201)
    again = await served.post("/api/v1/audit/checkpoints", status=201)
    assert first == again
    listed = await served.get("/api/v1/audit/checkpoints", limit=1)
    assert (listed["items"], listed["next"]) == ([first], None)
    await served.hall.ask("Is it still so?")
    newer = await served.post("/api/v1/audit/checkpoints", status=201)
    page = await served.get("/api/v1/audit/checkpoints", limit=1)
    assert page["items"] == [newer]
    assert (await served.get("/api/v1/audit/checkpoints", before=page["next"]))["items"] == [first]


async def test_verifying_is_a_run_that_ends_with_what_was_verified(served, asked):
    """Verify tells its steps and what it found (spec 06, 2)."""
    run = await served.post("/api/v1/audit/verify", {"heads": []}, 201)
    frames = await served.ended(run["id"])
    assert frames[-1].event.state == "done"
    assert "entries verified" in frames[-2].event.note
    root = await served.get("/api/v1/audit/root")
    head = f"{root['head']['size']}:{root['head']['root']}"
    kept = await served.post("/api/v1/audit/verify", {"heads": [head]}, 201)
    assert (await served.ended(kept["id"]))[-1].event.state == "done"


async def test_a_log_that_was_changed_fails_to_verify_and_says_where(served, asked):
    """Damage is found, and its first entry is named (promise 5)."""
    with served.hall.auritas.store.unit() as unit:
        unit.connection.execute(text("UPDATE audit_log SET actor = 'somebody' WHERE seq = 1"))
    run = await served.post("/api/v1/audit/verify", {}, 201)
    problem = (await served.ended(run["id"]))[-1].event.problem
    assert problem.code == "log_broken"
    assert "Entry 1 " in problem.message


async def test_what_is_not_in_the_log_is_a_404(served, asked):
    """An entry that is not there is not found, and numbers beyond reason are refused (W3)."""
    assert await served.refused("GET", "/api/v1/audit/entries/99999") == "unknown_entry"
    assert await served.refused("POST", "/api/v1/audit/entries/99999/proof") == "unknown_entry"
    assert await served.refused("GET", f"/api/v1/audit/entries/{10**30}", status=422) == "invalid"
    assert await served.refused("GET", "/api/v1/audit/entries", status=422, kind="rumour") == "invalid"
    assert await served.refused("POST", "/api/v1/audit/verify", {"heads": ["/etc/passwd"]}, 422) == "invalid"


async def test_signing_and_proving_need_more_than_looking(served, asked):
    """Looking at the log needs status; what writes needs batch (spec 06, 1)."""
    served.as_(Scope.STATUS)
    assert await served.get("/api/v1/audit/root")
    assert await served.refused("POST", "/api/v1/audit/checkpoints", status=403) == "forbidden"
    served.as_(Scope.QUERY)
    assert await served.refused("GET", "/api/v1/audit/entries", status=403) == "forbidden"
