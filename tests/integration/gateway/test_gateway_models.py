"""Adding, testing, switching and removing models at an address."""

import json
from typing import Any

import pytest
from sqlalchemy import Table, select
from tests.integration.gateway.conftest import Desk
from tests.unit.gateway.doubles import KEY, WHY, ask, heard
from tests.unit.gateway.provider import Provider, Reply, chat, refusal

from auritas.app.models import Addition
from auritas.gateway.errors import ModelMissing
from auritas.gateway.model import EndpointKind, Purposeful
from auritas.gateway.presets import PRESETS, preset, preset_at
from auritas.kernel.errors import NotFoundError, UsageError
from auritas.kernel.model import Params, Price
from auritas.store.schema import audit_log, models, secrets

pytestmark = pytest.mark.anyio


def rows(desk: Desk, table: Table) -> list[Any]:
    with desk.store.read() as unit:
        return list(unit.connection.execute(select(table)).all())


async def test_no_model_elsewhere_is_there_until_it_is_added(desk: Desk):
    """A fresh store asks nobody outside."""
    assert desk.remote.list() == ()
    assert desk.remote.connected() == {}


async def test_a_preset_gives_address_price_and_window(desk: Desk):
    """One word and a model's id are enough; the key is kept encrypted and only its name is in the table."""
    entry = desk.remote.add(Addition("claude-sonnet-4-5", preset="anthropic", name="sonnet", key=f" {KEY}\n"))
    assert entry.endpoint.kind is EndpointKind.ANTHROPIC
    assert entry.endpoint.price == Price(3_000_000, 15_000_000)
    assert entry.endpoint.key_ref == "store:anthropic"
    assert (entry.enabled, entry.priced, entry.endpoint.local) == (True, True, False)
    assert desk.remote.list() == (entry,)
    assert await desk.keys.reveal("store:anthropic") == KEY
    assert KEY not in repr(rows(desk, models)) + repr(rows(desk, audit_log)) + repr(entry)


async def test_adding_is_in_the_log(desk: Desk):
    """Every change of who may be asked has an entry."""
    desk.remote.add(Addition("m", base_url="http://127.0.0.1:9/v1"))
    desk.remote.enable("m", on=False)
    desk.remote.enable("m", on=True)
    desk.remote.remove("m")
    entries = [row for row in rows(desk, audit_log) if row.event_type == "model"]
    assert [json.loads(row.refs)["action"] for row in entries] == ["added", "disabled", "enabled", "removed"]
    assert json.loads(entries[0].body)["base_url"] == "http://127.0.0.1:9/v1"


async def test_a_second_model_uses_the_key_that_is_kept(desk: Desk):
    """A key is given once per provider, and forgotten with its last model."""
    with pytest.raises(UsageError, match="wants a key"):
        desk.remote.add(Addition("gpt-5", preset="openai"))
    desk.remote.add(Addition("gpt-5", preset="openai", key=KEY))
    desk.remote.add(Addition("gpt-5-mini", preset="openai"))
    desk.remote.remove("gpt-5")
    assert await desk.keys.reveal("store:openai") == KEY
    desk.remote.remove("gpt-5-mini")
    assert await desk.keys.reveal("store:openai") is None
    assert rows(desk, secrets) == []


async def test_a_key_can_live_in_the_keyring(desk: Desk):
    """Then the encrypted file holds no copy, and removing the model removes it there."""
    entry = desk.remote.add(Addition("gpt-5", preset="openai", key=KEY, in_keyring=True))
    assert entry.endpoint.key_ref == "keyring:openai"
    assert desk.keyring.kept == {"openai": KEY}
    assert rows(desk, secrets) == []
    assert await desk.keys.reveal("keyring:openai") == KEY
    desk.remote.remove("gpt-5")
    assert desk.keyring.kept == {}


@pytest.mark.parametrize(
    ("addition", "error"),
    [
        (Addition("m"), UsageError),
        (Addition("m", preset="opneai"), NotFoundError),
        (Addition("m", base_url="ftp://x/v1"), UsageError),
        (Addition("m", base_url="https://user:pw@x/v1"), UsageError),
        (Addition("m", base_url="https://x/v1?key=1"), UsageError),
        (Addition("m", base_url="http://somewhere.example/v1", key=KEY), UsageError),
        (Addition("m", base_url="http://127.0.0.1/v1", name="two words"), UsageError),
        (Addition("m", kind=EndpointKind.ANY_LLM), UsageError),
        (Addition("m", base_url="https://x/v1", key="sk-ключ"), UsageError),
        (Addition("m", base_url="https://x/v1", key="sk-1\nx-evil: 1"), UsageError),
        (Addition("m", base_url="http://127.0.0.1/v1", name="calculator"), UsageError),
        (Addition("m", base_url="http://127.0.0.1/v1", name="smollm2-135m"), UsageError),
    ],
)
async def test_what_will_not_do_is_refused_and_leaves_nothing(desk: Desk, addition: Addition, error: type[Exception]):
    """A wrong address, name, key or preset, or a name of ours, is told with a remedy, and no row is written."""
    with pytest.raises(error) as caught:
        desk.remote.add(addition)
    assert getattr(caught.value, "remedy", "")
    assert (rows(desk, models), rows(desk, secrets), rows(desk, audit_log)) == ([], [], [])
    assert KEY not in repr(addition)


async def test_names_are_unique(desk: Desk):
    """Two models of one name would be one too many."""
    desk.remote.add(Addition("meta/llama", base_url="http://127.0.0.1/v1"))
    with pytest.raises(UsageError, match="'llama' already"):
        desk.remote.add(Addition("other/llama", base_url="http://127.0.0.1/v1"))


async def test_a_model_of_the_library_keeps_its_provider(desk: Desk):
    """any-llm's own form, provider:model, is what is stored."""
    entry = desk.remote.add(Addition("big-1", kind=EndpointKind.ANY_LLM, provider="cohere", key=KEY))
    assert desk.remote.get("big-1") == entry
    assert (entry.endpoint.provider, entry.endpoint.model_id) == ("cohere", "big-1")
    assert rows(desk, models)[0].model_id == "cohere:big-1"


async def test_a_test_is_one_tiny_call(desk: Desk):
    """It says how long the model took, and stands in the egress ledger like any other call."""
    async with Provider(chat("ready")) as provider:
        desk.remote.add(Addition("m", base_url=provider.url))
        result = await desk.remote.test("m")
        assert (result.ok, result.reply) == (True, "ready")
        assert result.first_token_ms is not None
        assert 0 < result.first_token_ms <= result.latency_ms
        assert provider.seen[0].body["max_tokens"] == 16
    assert [record.why for record in desk.view.page().records] == ["test the model"]


async def test_a_failed_test_says_what_to_do(desk: Desk):
    """The result holds the code, the sentence and the exact remedy."""
    async with Provider(refusal(401, "bad key")) as provider:
        desk.remote.add(Addition("m", base_url=provider.url, key=KEY))
        result = await desk.remote.test("m")
    assert (result.ok, result.error) == (False, "provider_refused")
    assert "store:127.0.0.1" in result.remedy


async def test_a_disabled_model_is_not_asked(desk: Desk):
    """Switched off, it is listed and not connected; an unknown name is told."""
    desk.remote.add(Addition("m", base_url="http://127.0.0.1:9/v1"))
    desk.remote.enable("m", on=False)
    assert desk.remote.connected() == {}
    assert not desk.remote.get("m").enabled
    for action in (desk.remote.get, desk.remote.remove):
        with pytest.raises(ModelMissing):
            action("n")


async def test_a_connected_model_remembers_what_its_server_understands(desk: Desk):
    """Asking who is there again does not start from the most demanding request again."""
    replies = (refusal(400, "unknown field stream_options"), chat("yes"))
    async with Provider(*replies) as provider:
        desk.remote.add(Addition("m", base_url=provider.url))
        for _ in range(2):
            model = desk.remote.connected()["m"]
            assert isinstance(model, Purposeful)
            await heard(model.bound(WHY).answer(ask(), Params()))
        assert len(provider.seen) == 3


async def test_a_key_in_the_clear_needs_to_be_wanted(desk: Desk):
    """Over plain HTTP to another machine a key is refused unless the user says so."""
    addition = Addition("m", base_url="http://box.example/v1", key=KEY, open_ok=True)
    assert desk.remote.add(addition).endpoint.key_ref == "store:box.example"


def test_presets_are_consistent():
    """Every preset has its own name and address; those that leave the machine are encrypted and want a key."""
    assert len({p.name for p in PRESETS}) == len({p.base_url for p in PRESETS}) == len(PRESETS)
    for p in PRESETS:
        assert preset(p.name) is p
        assert preset_at(p.base_url + "/") is p
        assert p.local == p.base_url.startswith("http://127.0.0.1:")
        assert p.local or (p.base_url.startswith("https://") and p.key_name)
        assert all(offer.window >= 1_000 and offer.price != Price() for offer in p.offers)


async def test_a_page_instead_of_a_model_is_told(desk: Desk):
    """A wrong base URL that answers with a web page is named as that."""
    async with Provider(Reply([b"<html>"], kind="text/html")) as provider:
        desk.remote.add(Addition("m", base_url=provider.url))
        assert (await desk.remote.test("m")).error == "not_an_endpoint"
