"""Models, settings and keeping over REST (spec 06, section 2)."""

import asyncio

import pytest
from sqlalchemy import select
from tests.integration.app.hall import CLOSED, voice

from auritas.app.access import OF_A_GUEST, Scope
from auritas.app.embedded import EmbeddedModels
from auritas.store import schema as t

pytestmark = pytest.mark.anyio
KEY = "sk-canary-0123456789"
NOWHERE = "http://127.0.0.1:9/v1"


@pytest.fixture
def offline(served):
    """An installation whose embedded models can be fetched from nowhere."""
    auritas = served.hall.auritas
    auritas.embedded = EmbeddedModels(
        auritas.settings.model_folder,
        store=auritas.store,
        log=auritas.log,
        ledger=auritas.egress_ledger,
        host=auritas.host,
        clock=auritas.clock,
        sources=(),
    )
    return served


# --- models ------------------------------------------------------------------------------------------------------


async def test_a_model_is_added_switched_and_removed_and_its_key_never_comes_back(served):
    """A key travels once, and no answer ever holds it (spec 06, 2; promise 4)."""
    body = {"model_id": "large", "base_url": NOWHERE, "name": "cloud", "key": KEY, "input_price": 0.5}
    added = await served.post("/api/v1/models", body, 201)
    assert (added["name"], added["has_key"], added["enabled"]) == ("cloud", True, True)
    assert added["input_micros_per_mtok"] == 500_000
    assert not (await served.send("PATCH", "/api/v1/models/cloud", {"enabled": False}))["enabled"]
    listed = await served.get("/api/v1/models")
    assert [each["name"] for each in listed["added"]] == ["cloud"]
    assert KEY not in str((added, listed, await served.get("/api/v1/audit/entries")))
    assert await served.send("DELETE", "/api/v1/models/cloud") == {"name": "cloud", "bytes": 0}
    assert (await served.get("/api/v1/models"))["added"] == []


async def test_a_model_that_cannot_be_reached_fails_its_test_in_words(served):
    """A test says what went wrong and what to do, and is no error of ours (promise 3)."""
    await served.post("/api/v1/models", {"model_id": "large", "base_url": NOWHERE}, 201)
    found = await served.post("/api/v1/models/large/test")
    assert not found["ok"]
    assert found["message"]
    egress = await served.get("/api/v1/egress")
    assert [(line["model"], line["loopback"]) for line in egress["items"]] == [("large", True)]


async def test_models_that_cannot_be_added_are_refused(served):
    """Addresses, names, keys and protocols that will not do are errors of the request (W3)."""
    bad = [
        {"model_id": "large"},
        {"model_id": "large", "base_url": "no address"},
        {"model_id": "large", "base_url": "http://host:notaport/v1"},
        {"model_id": "large", "base_url": "https://[::1/v1"},
        {"model_id": "large", "base_url": NOWHERE, "key": "with \0 in it"},
        {"model_id": "large", "base_url": NOWHERE, "kind": "telegraph"},
        {"model_id": "calculator", "base_url": NOWHERE},
        {"model_id": "\ud800", "base_url": NOWHERE},
    ]
    for each in bad:
        await served.refused("POST", "/api/v1/models", each, 422)
    assert await served.refused("POST", "/api/v1/models", {"model_id": "x", "preset": "nobody"}) == "not_found"
    for method, path, body in [
        ("POST", "/api/v1/models/zz/test", None),
        ("PATCH", "/api/v1/models/zz", {"enabled": True}),
        ("DELETE", "/api/v1/models/zz", None),
    ]:
        await served.refused(method, path, body, 404)


async def test_embedded_models_are_listed_with_what_is_missing(offline):
    """Every model of the manifest is there, with its licence, size and state (spec 06, 2)."""
    offline.hall.seat(voice("ada"), 18)
    found = await offline.get("/api/v1/models")
    assert found["embedded"]
    assert not any(each["installed"] for each in found["embedded"])
    assert {tier["name"]: tier["missing_bytes"] > 0 for tier in found["tiers"]} == {"small": True, "standard": True}
    assert [seat["seat"] for seat in found["seats"]] == ["ada"]
    assert await offline.get("/api/v1/models/presets")


async def test_fetching_and_testing_embedded_models_are_runs(offline):
    """A download is a run that ends with a problem where nothing can deliver, and unknown names start none (W3)."""
    run = await offline.post("/api/v1/models/fetch", {"wanted": "small"}, 201)
    assert (await offline.ended(run["id"]))[-1].event.problem.code == "weights_unavailable"
    assert await offline.refused("POST", "/api/v1/models/fetch", {"wanted": "../../etc/passwd.gguf"}) == "unknown_model"
    assert await offline.refused("POST", "/api/v1/models/self-tests", {}) == "not_found"


# --- settings ----------------------------------------------------------------------------------------------------


async def test_every_setting_says_what_it_means_and_takes(served):
    """A form can be built from the answer alone (spec 06, 2)."""
    found = {line["key"]: line for line in await served.get("/api/v1/settings")}
    assert found["level"]["choices"] == ["fast", "balanced", "high", "maximum"]
    assert (found["unsure_below"]["minimum"], found["unsure_below"]["maximum"]) == (0, 1)
    assert found["debug"]["kind"] == "switch"
    assert not found["home"]["changeable"]
    assert all(line["explanation"] and line["takes"] for line in found.values())


async def test_a_change_counts_at_once_for_what_begins_from_now_on(served):
    """The running program acts by a changed setting, members keep their seats, and the log says so (spec 06, 2)."""
    served.hall.seat(voice("ada", "yes"), 18)
    served.hall.seat(voice("bo", "no"), 15)
    assert not (await served.hall.ask(CLOSED)).decision.abstains
    changed = await served.send("PUT", "/api/v1/settings/unsure_below", {"value": 0.99})
    assert (changed["value"], changed["origin"], changed["acts_now"]) == (0.99, "config.toml", True)
    assert (await served.hall.ask(CLOSED)).decision.abstains
    entries = await served.get("/api/v1/audit/entries", kind="settings_change")
    assert entries["items"][0]["refs"] == {"field": "unsure_below"}
    assert (await served.send("PUT", "/api/v1/settings/unsure_below", {"value": None}))["origin"] == "default"
    assert not (await served.hall.ask(CLOSED)).decision.abstains


async def test_a_policy_is_changed_in_one_place_for_all(served):
    """Record, simulator and questions follow the same policy (spec 06, 2)."""
    served.hall.seat(voice("ada", "yes"), 18)
    assert (await served.get("/api/v1/record"))["policy"] == "guarded"
    await served.send("PUT", "/api/v1/settings/policy", {"value": "vote"})
    assert (await served.get("/api/v1/record"))["policy"] == "vote"
    assert (await served.post("/api/v1/routing", {"text": CLOSED}))["policy"] == "vote"


async def test_what_acts_at_the_next_start_says_so(served):
    """Loaded models do not move while questions run, and the page is told (promise 3)."""
    changed = await served.send("PUT", "/api/v1/settings/threads_per_model", {"value": 2})
    assert (changed["value"], changed["acts_now"]) == (2, False)
    assert served.hall.auritas.settings.threads_per_model == 1


async def test_values_that_a_setting_does_not_take_change_nothing(served):
    """A wrong value is refused in words and the file stays as it was (W3)."""
    path = served.hall.folder / "config.toml"
    bad = [
        ("level", "reckless"),
        ("level", "high\u007f"),
        ("zone", "\0"),
        ("zone", "A" * 900),
        ("zone", "Europe"),
        ("zone", "../../etc/passwd"),
        ("reviewer", "\ud800"),
        ("memory_tokens", 2**60),
        ("memory_tokens", "9" * 400),
        ("unsure_below", 2),
        ("unsure_below", "nan"),
        ("debug", "perhaps"),
    ]
    for key, value in bad:
        await served.refused("PUT", f"/api/v1/settings/{key}", {"value": value}, 422)
    assert not path.exists()
    assert await served.refused("PUT", "/api/v1/settings/reviewer", {"value": "zz"}) == "no_such_reviewer"
    assert await served.refused("PUT", "/api/v1/settings/colour", {"value": "red"}) == "not_found"
    assert await served.refused("GET", "/api/v1/settings/colour") == "not_found"


async def test_what_the_environment_sets_is_not_changed_here(served, monkeypatch):
    """A change that would not count is refused (promise 3)."""
    monkeypatch.setenv("AURITAS_LEVEL", "fast")
    assert not (await served.get("/api/v1/settings/level"))["changeable"]
    assert await served.refused("PUT", "/api/v1/settings/level", {"value": "high"}, 409) == "set_by_environment"


async def test_the_password_of_a_proxy_is_not_shown_again(served):
    """No secret comes back (promise 4)."""
    await served.send("PUT", "/api/v1/settings/proxy", {"value": "http://me:hunter2@127.0.0.1:9"})
    assert "hunter2" not in str(await served.get("/api/v1/settings"))
    assert served.hall.auritas.settings.proxy == "http://me:hunter2@127.0.0.1:9"


# --- keeping -----------------------------------------------------------------------------------------------------


async def test_a_backup_is_a_run_and_is_listed(served):
    """A backup is written, verified, and stands in the list without a path (spec 06, 2)."""
    run = await served.post("/api/v1/keeping/backups", {}, 201)
    frames = await served.ended(run["id"])
    assert frames[-1].event.state == "done"
    (backup,) = await served.get("/api/v1/keeping/backups")
    assert backup["made_at"]
    assert "/" not in backup["name"]
    (served.hall.folder / "backups" / "torn.backup").write_bytes(b"nothing")
    torn = next(b for b in await served.get("/api/v1/keeping/backups") if b["name"] == "torn.backup")
    assert torn["made_at"] is None
    weak = await served.post("/api/v1/keeping/backups", {"passphrase": "x"}, 201)
    assert (await served.ended(weak["id"]))[-1].event.problem.code == "weak_passphrase"


async def test_a_passphrase_is_set_and_changed_only_by_who_knows_it(served):
    """The present passphrase is wanted before it is changed, and a wrong one changes nothing (spec 06, 2)."""
    assert not (await served.get("/api/v1/keeping"))["guarded"]
    path, first, second = "/api/v1/keeping/passphrase", "correct horse battery one", "correct horse battery two"
    assert (await served.send("PUT", path, {"new": first}))["guarded"]
    assert await served.refused("PUT", path, {"new": second}, 409) == "old_passphrase_needed"
    assert await served.refused("PUT", path, {"new": second, "old": "wrong"}, 403) == "wrong_passphrase"
    assert (await served.send("PUT", path, {"new": second, "old": first}))["method"] == "passphrase"
    assert await served.refused("PUT", path, {"new": "x", "old": second}, 422) == "weak_passphrase"


async def test_panic_wants_its_word_and_leaves_nothing(served):
    """After the typed word, key and store are gone, and every later request says so (spec 06, 2)."""
    home = served.hall.folder
    assert await served.refused("POST", "/api/v1/keeping/panic", {"word": "please"}, 422) == "invalid"
    assert (home / "auritas.db").exists()
    gone = await served.post("/api/v1/keeping/panic", {"word": "DESTROY"})
    assert gone["destroyed"]
    assert gone["removed"] >= 2
    assert not (home / "auritas.db").exists()
    assert not (home / "key.json").exists()
    assert await served.refused("GET", "/api/v1/questions", status=503) == "gone"


async def test_only_the_person_who_installed_it_changes_the_key_or_wipes(served):
    """Another person's token, whatever its scopes, destroys nobody else's store (W2)."""
    access = served.hall.auritas.access
    await asyncio.to_thread(access.admit, "dora")
    served.as_(Scope.ADMIN, owner="dora")
    new = {"new": "correct horse battery one"}
    assert await served.refused("PUT", "/api/v1/keeping/passphrase", new, 409) == "not_yours_to_do"
    assert await served.refused("POST", "/api/v1/keeping/panic", {"word": "DESTROY"}, 409) == "not_yours_to_do"


@pytest.mark.parametrize(
    ("scope", "method", "path", "body"),
    [
        (Scope.CONFIG_READ, "POST", "/api/v1/models", {"model_id": "x"}),
        (Scope.CONFIG_READ, "PUT", "/api/v1/settings/level", {"value": "high"}),
        (Scope.CONFIG_WRITE, "GET", "/api/v1/settings", None),
        (Scope.CONFIG_WRITE, "POST", "/api/v1/keeping/backups", {}),
        (Scope.CONFIG_WRITE, "POST", "/api/v1/keeping/panic", {"word": "DESTROY"}),
    ],
)
async def test_each_route_demands_its_scope(served, scope, method, path, body):
    """A token does only what its scopes say, and a refused wipe wipes nothing (spec 06, 1)."""
    served.as_(scope)
    assert await served.refused(method, path, body, 403) == "forbidden"
    assert served.hall.rows(select(t.queries).subquery()) == []


async def test_a_guest_changes_nothing_that_all_share(served):
    """Embedded models and the keyring are one for all: a guest fetches and removes none, keeps no key there (W2)."""
    served.household.admit("anna")
    await asyncio.to_thread(served.household.of, "anna")
    served.as_(*OF_A_GUEST, owner="anna")
    model = {"model_id": "m", "base_url": "http://127.0.0.1:9/v1", "name": "mine"}
    key = {"key": "sk-1", "in_keyring": True}
    assert await served.refused("POST", "/api/v1/models/fetch", {"wanted": "small"}, 409) == "shared"
    assert await served.refused("DELETE", "/api/v1/models/qwen3-0.6b", status=409) == "shared"
    assert await served.refused("POST", "/api/v1/models", model | key, 409) == "shared"
    await served.post("/api/v1/models", model, 201)
    assert (await served.send("DELETE", "/api/v1/models/mine"))["name"] == "mine"


async def test_no_token_sends_a_kept_key_to_an_address_of_its_choice(served):
    """Short of admin a preset that wants a key keeps its own address, unless a key comes along (W1)."""
    preset = {"model_id": "m", "preset": "anthropic"}
    await served.post("/api/v1/models", preset | {"key": KEY}, 201)
    served.as_(Scope.CONFIG_WRITE)
    elsewhere = preset | {"name": "elsewhere", "base_url": NOWHERE}
    assert await served.refused("POST", "/api/v1/models", elsewhere, 403) == "forbidden"
    await served.post("/api/v1/models", elsewhere | {"name": "own", "key": KEY, "open_ok": True}, 201)
    await served.post("/api/v1/models", preset | {"name": "second"}, 201)
