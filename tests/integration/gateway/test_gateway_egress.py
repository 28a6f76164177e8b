"""The egress ledger in the encrypted file."""

import json
from datetime import timedelta

import pytest
from sqlalchemy import select
from tests.integration.gateway.conftest import Desk
from tests.unit.gateway.doubles import KEY, WHY, ask, heard, openai
from tests.unit.gateway.provider import Cut, Hang, Provider, Reply, piece

from auritas.gateway.adapters.egress_sql import commitment
from auritas.gateway.errors import ProviderFailed
from auritas.gateway.model import Outbound
from auritas.kernel.clock import SystemClock
from auritas.kernel.errors import InvalidError
from auritas.kernel.model import Params
from auritas.kernel.tasks import TaskSpawner
from auritas.store.schema import audit_log, egress

pytestmark = pytest.mark.anyio

CANARY = "kookaburra-canary"


def outbound(host: str = "api.example.com", *, loopback: bool = False, model: str = "m", size: int = 10) -> Outbound:
    return Outbound("POST", host, f"https://{host}/v1/chat", size, CANARY.encode(), loopback, model, WHY)


async def test_a_record_and_its_audit_entry_land_together(desk: Desk):
    """Each record names the entry that commits to it; neither holds the content, only a salted commitment (F17)."""
    await desk.ledger.record(outbound())
    (record,) = desk.view.page().records
    with desk.store.read() as unit:
        entry = unit.connection.execute(select(audit_log).where(audit_log.c.seq == record.audit_seq)).one()
        row = unit.connection.execute(select(egress)).one()
    refs, body = json.loads(entry.refs), json.loads(entry.body)
    assert (entry.event_type, refs["egress_id"], refs["bytes_out"]) == ("egress", record.id, 10)
    assert (body["url_host"], body["purpose"]) == ("api.example.com", WHY.why)
    assert refs["commitment"] == row.commitment.hex() == commitment(row.salt, CANARY.encode()).hex()
    assert CANARY not in entry.refs + entry.body + repr(row)
    assert (record.query_id, record.conversation_id, record.status) == ("q-1", "c-1", None)


async def test_the_record_is_committed_before_the_server_hears_anything(desk: Desk):
    """A reader that looks while the request is under way finds it already (F17)."""
    async with Provider(Reply([piece("Can"), Hang()])) as provider:
        stream = openai(provider.url, desk.http).bound(WHY).answer(ask(), Params())
        await anext(stream)
        (record,) = desk.view.page().records
        assert record.status is None
        await stream.aclose()
    await desk.http.settled()
    assert desk.view.page().records[0].status == "200"


async def test_each_retry_is_a_record(desk: Desk):
    """What is sent twice is listed twice."""
    async with Provider(Reply([Cut()])) as provider:
        model = openai(provider.url, desk.http).bound(WHY)
        for _ in range(2):
            with pytest.raises(ProviderFailed):
                await heard(model.answer(ask(), Params()))
    assert len(desk.view.page().records) == 2


async def test_many_at_once_are_all_recorded(desk: Desk):
    """Concurrent sends share commits and lose nothing."""
    spawner = TaskSpawner()
    tasks = [spawner.spawn("send", desk.ledger.record(outbound(size=i))) for i in range(50)]
    for task in tasks:
        await task
    assert sorted(r.bytes_out for r in desk.view.page(size=100).records) == list(range(50))


async def test_pages_hold_each_record_once(desk: Desk):
    """A cursor walks through all records, newest first, without loss or repetition (F1)."""
    sent = [await desk.ledger.record(outbound(size=i)) for i in range(7)]
    found, cursor = [], None
    while True:
        page = desk.view.page(size=2, cursor=cursor)
        found += [record.id for record in page.records]
        cursor = page.next
        if cursor is None:
            break
    assert found == sent[::-1]


async def test_filters_and_totals(desk: Desk):
    """Totals are by day and host, and tell this machine from the others."""
    await desk.ledger.record(outbound(model="a"))
    await desk.ledger.record(outbound(model="b"))
    await desk.ledger.record(outbound("127.0.0.1:9", loopback=True))
    day = SystemClock().now().date().isoformat()
    totals = [(t.day, t.host, t.loopback, t.requests, t.bytes_out) for t in desk.view.totals()]
    assert totals == [(day, "127.0.0.1:9", True, 1, 10), (day, "api.example.com", False, 2, 20)]
    assert [r.model for r in desk.view.page(model="b").records] == ["b"]
    assert not desk.view.page(since=SystemClock().now() + timedelta(hours=1)).records
    assert not desk.view.totals(since=SystemClock().now() + timedelta(hours=1))


async def test_nothing_sent_is_an_empty_page(desk: Desk):
    """A fresh store has sent nothing."""
    assert desk.view.page().records == ()
    assert desk.view.totals() == ()


@pytest.mark.parametrize(("size", "cursor"), [(0, None), (5_000, None), (5, "yesterday"), (5, "2026-01-01|x")])
async def test_a_wrong_page_is_refused(desk: Desk, size: int, cursor: str | None):
    """Sizes and cursors are checked."""
    with pytest.raises(InvalidError):
        desk.view.page(size=size, cursor=cursor)


async def test_keys_and_queries_are_not_in_the_ledger(desk: Desk):
    """Neither a key in a header nor one in a query reaches a row, an entry or a log file (F2)."""
    async with Provider() as provider:
        with desk.store.unit() as unit:
            ref = desk.keys.put(unit, "x", KEY)
        for where in (provider.url, f"{provider.url}?key={KEY}"):
            model = openai(where, desk.http, keys=desk.keys, key_ref=ref)
            await heard(model.bound(WHY).answer(ask(), Params()))
        assert all(seen.headers["authorization"] == f"Bearer {KEY}" for seen in provider.seen)
    with desk.store.read() as unit:
        rows = [*unit.connection.execute(select(egress)).all(), *unit.connection.execute(select(audit_log)).all()]
    assert len(rows) == 4
    assert KEY not in repr(rows)
