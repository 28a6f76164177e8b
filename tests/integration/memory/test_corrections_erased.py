"""What is erased is on no page, and what entered a prompt is known afterwards."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import select
from tests.integration.app.hall import Hall, voice
from tests.integration.memory.remembering import draft
from tests.integration.store.test_canaries import CANARY, decrypted

from auritas.app.sweeping import swept
from auritas.kernel.memory import CorrectionState, CorrectionType, Provenance, UseReason
from auritas.memory.adapters.used_sql import runs_named, used
from auritas.store import schema as t

pytestmark = pytest.mark.anyio
FACT = CorrectionType.FACT


@pytest.fixture
def hall(tmp_path: Path, clock, ids, rng) -> Iterator[Hall]:
    found = Hall(tmp_path / "hall", clock, ids, rng)
    yield found
    found.close()


def everything(hall: Hall) -> bytes:
    """Return every page of the decrypted store, and every other file of the folder."""
    files = [path for path in hall.folder.rglob("*") if path.is_file()]
    return (decrypted(hall.auritas.opened) + b"\n".join(path.read_bytes() for path in files)).lower()


def keep(hall: Hall, claim: str, state: CorrectionState = CorrectionState.ACTIVE, **more):
    hall.clock.advance(1)
    with hall.auritas.store.unit() as unit:
        return hall.auritas.remembering.keep(unit, draft(claim, **more), state)


@pytest.mark.parametrize("how", ["active", "superseded", "edited", "undone", "dismissed"])
def test_an_erased_word_is_on_no_page(hall, how):
    """Whatever became of a correction first: after its erase no page and no log holds its word (F13, M4)."""
    own = hall.auritas
    words = {"instruction": f"Say {CANARY}", "reason": CANARY, "rejected": f"not {CANARY}", "subject": CANARY}
    state = CorrectionState.PROPOSED if how == "dismissed" else CorrectionState.ACTIVE
    words |= {"canonical_query": f"What of the {CANARY} limit?", "condition": f"except at {CANARY}"}
    if how == "superseded":
        words["condition"] = ""
    kept = keep(hall, f"The {CANARY} limit is 50", state, type=FACT, **words).correction
    with own.store.unit() as unit:
        vector = np.frombuffer((CANARY * 16)[:64].encode(), dtype=np.float32).reshape(1, -1)
        own.corrections.keep_vectors(unit, "hash", {kept.id: vector}, own.corrections.newest(unit))
    own.store.empty_wal()
    assert everything(hall).count(CANARY.encode()) > 5
    with own.store.unit() as unit:
        if how == "superseded":
            own.remembering.keep(unit, draft("It is 60", type=FACT, canonical_query=words["canonical_query"]))
        if how == "edited":
            own.remembering.edit(unit, kept.id, f"The {CANARY} limit is 70")
            own.remembering.pin(unit, kept.id, pinned=True)
    with own.store.unit() as unit:
        if how == "undone":
            own.remembering.undo(unit)
        elif how == "dismissed":
            own.remembering.dismiss(unit, kept.id)
        else:
            own.remembering.erase(unit, kept.id)
    if how == "superseded":  # what took its place answers a question that says the word as well
        (heir,) = [row.id for row in hall.rows(t.corrections) if row.state == CorrectionState.ACTIVE]
        with own.store.unit() as unit:
            own.remembering.erase(unit, heir)
    assert swept(own.store)
    assert everything(hall).count(CANARY.encode()) == 0
    assert hall.intact


async def test_what_entered_a_prompt_is_known_and_outlives_it(hall):
    """Each run says how every correction was weighed; after an erase it says so still, without the words (M6, M8)."""
    hall.seat(voice("ada"))
    rule = keep(hall, f"Always mention the {CANARY}").correction
    fact = keep(hall, "The limit is 100", type=FACT).correction
    result = await hall.ask("Is it so?")
    with hall.auritas.store.read() as unit:
        found = used(unit, result.query_id)
        assert found is not None
        weighed = {each.correction_id: each for each in found.weighed}
        assert runs_named(unit, result.query_id[:30], 5)[0][1] == result.query_id
        assert used(unit, "nothing") is None
    assert weighed[rule.id].injected is True
    assert weighed[rule.id].reason is UseReason.RULE_IN_SCOPE
    assert 0.53 <= weighed[rule.id].score <= 0.56
    assert (weighed[fact.id].injected, weighed[fact.id].reason) == (False, UseReason.NOT_RELEVANT)
    (run,) = hall.rows(t.model_runs, t.model_runs.c.run_id == found.run_id)
    assert rule.id in run.corrections_applied
    assert fact.id not in run.corrections_applied
    events = select(t.correction_events.c.event).where(t.correction_events.c.run_id == found.run_id)
    with hall.auritas.store.unit() as unit:
        assert unit.connection.execute(events).scalars().all() == ["applied"]
        last_used = hall.auritas.corrections.get(unit, rule.id)
        assert last_used is not None
        assert last_used.last_used_at is not None
        hall.auritas.remembering.erase(unit, rule.id)
    with hall.auritas.store.read() as unit:
        after = used(unit, result.query_id)
        assert after is not None
        assert {each.correction_id for each in after.weighed} == {rule.id, fact.id}
        assert hall.auritas.corrections.times_applied(unit) == {rule.id: 1}
    assert hall.intact


async def test_undo_takes_back_what_replaced_and_keeps_its_trail(hall):
    """Being applied is no act: undo passes it, and takes back what the person did last (M4)."""
    hall.seat(voice("ada"))
    keep(hall, "Use tabs")
    newer = keep(hall, "Use spaces", provenance=Provenance.USER_IMPLICIT).correction
    await hall.ask("Is it so?")
    hall.clock.advance(1)
    with hall.auritas.store.unit() as unit:
        assert hall.auritas.remembering.undo(unit).correction.id == newer.id
    assert [entry.correction.claim for entry in hall.auritas.memory.list()] == ["Use tabs"]
