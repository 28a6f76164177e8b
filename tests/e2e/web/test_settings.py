"""A person sets up models, keys, tokens and the page itself, and locks and unlocks the store: in a real browser."""

import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.e2e.web.conftest import SCRIPTS, Served, Visit, free_port, serving, visiting
from tests.e2e.web.provider import Script, wait_for

SECTIONS = ("models", "answers", "memory", "notes", "privacy", "access", "appearance", "about", "panic")
PASSPHRASE = "four short plain words"
WAIT_MS = 30_000


def opened(visit: Visit, section: str) -> Page:
    """Open a part of the settings and wait until it is there."""
    visit.go(f"/settings/{section}")
    expect(visit.page.get_by_role("heading", name="Settings", level=1)).to_be_visible()
    expect(visit.page.locator(".settings .skeleton")).to_have_count(0, timeout=WAIT_MS)
    return visit.page


@pytest.mark.parametrize("section", SECTIONS)
def test_each_part_has_an_address_and_no_fault(visit: Visit, section: str):
    """Every part of the settings opens by its address and has nothing that axe calls serious (W9)."""
    page = opened(visit, section)
    expect(page.locator("[aria-current=page].tab")).to_have_count(1)
    assert visit.serious() == []


def test_a_setting_is_changed_undone_and_refused_in_words(visit: Visit):
    """A choice counts at once and is taken back, a number out of bounds says what it takes, Enter saves (W9)."""
    page = opened(visit, "answers")
    level = page.get_by_label("Level of a question", exact=True)
    level.select_option("Fast")
    expect(page.get_by_text("Level of a question: Fast.").first).to_be_visible()
    assert visit.api("GET", "/api/v1/settings/level")["value"] == "fast"
    page.get_by_role("button", name="Undo").click()
    expect(level).to_have_value("balanced")
    tokens = page.get_by_label("Longest answer, in tokens", exact=True)
    tokens.fill("3")
    tokens.press("Enter")
    expect(page.get_by_role("alert").filter(has_text="at least 16")).to_be_visible()
    tokens.fill("512")
    tokens.press("Enter")
    expect(page.get_by_text("Longest answer, in tokens: 512.").first).to_be_visible()
    page.get_by_role("button", name="Longest answer, in tokens: back to the default").click()
    expect(tokens).to_have_value("400")
    assert visit.api("GET", "/api/v1/settings/max_tokens")["origin"] == "default"


def test_a_model_is_added_tested_switched_and_removed(visit: Visit):
    """What is added says where it is, a test says how it went, and its key is never shown (W9)."""
    page = opened(visit, "models")
    visit.served.provider.scripts["dora"] = Script("ready")
    page.get_by_role("button", name="Add a model").click()
    dialog = page.get_by_role("dialog", name="Add a model")
    expect(dialog.get_by_text("This model receives your questions from now on,")).to_be_visible()
    dialog.get_by_role("button", name="Add it").click()
    expect(dialog.get_by_text("This provider wants a key.")).to_be_visible()
    dialog.get_by_label("Provider").select_option("Another address")
    dialog.get_by_label("Address").fill(visit.served.provider.url)
    dialog.get_by_label("Name of the model at the provider").fill("dora")
    dialog.get_by_label("Key").fill("sk-never-shown-again")
    expect(dialog.get_by_text("your questions do not leave it")).to_be_visible()
    assert visit.serious() == []
    dialog.get_by_role("button", name="Add it").click()
    row = page.locator(".model").filter(has_text="dora")
    expect(row).to_contain_text("key kept")
    expect(page.locator("body")).not_to_contain_text("sk-never-shown-again")
    row.get_by_role("button", name="Test dora").click()
    expect(row.get_by_text(re.compile("It answered in .*ready"))).to_be_visible(timeout=WAIT_MS)
    visit.served.provider.scripts["dora"] = Script(status=500)
    row.get_by_role("button", name="Test dora").click()
    expect(row.locator(".model-test-failed")).to_be_visible(timeout=WAIT_MS)
    row.get_by_role("switch", name="Ask dora").click()
    expect(row).to_contain_text("It is not asked.")
    row.get_by_role("button", name="Remove dora").click()
    asked = page.get_by_role("alertdialog")
    expect(asked).to_contain_text("Its key is deleted, too")
    asked.get_by_role("button", name="Remove").click()
    expect(row).to_have_count(0)


def test_a_token_is_shown_once_and_revoked(visit: Visit):
    """A token is made with scopes, its secret is in sight once, and after it was revoked it is not listed (W9)."""
    page = opened(visit, "access")
    page.get_by_role("button", name="Make a token").click()
    dialog = page.get_by_role("dialog", name="Make a token")
    dialog.get_by_label("What is it for?").fill("Editor")
    dialog.get_by_label("See settings and models").check()
    dialog.get_by_role("button", name="Make it").click()
    shown = page.get_by_role("dialog", name="Copy the token now")
    secret = shown.locator("code").inner_text()
    assert secret.startswith("aur_")
    shown.get_by_role("button", name="I have it").click()
    expect(page.locator("body")).not_to_contain_text(secret)
    expect(page.get_by_role("row").filter(has_text="Editor")).to_contain_text("config:read")
    page.get_by_role("button", name="Revoke Editor").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Revoke").click()
    expect(page.get_by_role("row").filter(has_text="Editor")).to_have_count(0)
    expect(page.get_by_text("this one", exact=True)).to_be_visible()


def test_the_theme_and_the_size_of_text_stay(visit: Visit):
    """What was chosen is so at once and after a reload (W9)."""
    page = opened(visit, "appearance")
    page.get_by_role("radio", name="Dark").click()
    page.get_by_role("radio", name="Larger").click()
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.get_by_role("radio", name="Larger")).to_be_checked()
    assert page.evaluate("() => getComputedStyle(document.documentElement).fontSize") == "20px"


def test_a_backup_is_written_and_listed(visit: Visit):
    """A backup is made on the page and stands in the list with its size and what opens it (W9)."""
    page = opened(visit, "privacy")
    page.get_by_role("button", name="Back up now").click()
    expect(page.get_by_role("row").filter(has_text=".backup")).not_to_have_count(0, timeout=WAIT_MS)


def test_a_backup_with_a_passphrase_of_its_own_asks_for_it_twice(visit: Visit):
    """A slip of the finger makes no backup that nobody opens: the two must be the same (W9)."""
    page = opened(visit, "privacy")
    page.get_by_label("Give it a passphrase of its own").check()
    page.get_by_label("Passphrase of this backup", exact=False).first.fill(PASSPHRASE)
    page.get_by_label("Passphrase of this backup again").fill("another one altogether")
    page.get_by_role("button", name="Back up now").click()
    expect(page.get_by_text("The two are not the same.")).to_be_visible()
    page.get_by_label("Passphrase of this backup again").fill(PASSPHRASE)
    page.get_by_role("button", name="Back up now").click()
    expect(page.get_by_label("Passphrase of this backup again")).to_have_count(0, timeout=WAIT_MS)


def test_a_passphrase_locks_and_opens_the_store(dist: Path, tmp_path: Path, browser: Browser):
    """Set on the page, it is asked for after a restart; a wrong one is told, the right one leads on (W9)."""
    port = free_port()
    with serving(tmp_path / "auritas", SCRIPTS, port=port) as first, visiting(first, browser) as visit:
        page = opened(visit, "privacy")
        page.get_by_role("button", name="Set a passphrase").click()
        page.get_by_label("New passphrase", exact=True).fill(PASSPHRASE)
        page.get_by_label("New passphrase again").fill("another one altogether")
        page.get_by_role("button", name="Set a passphrase").click()
        expect(page.get_by_text("The two are not the same.")).to_be_visible()
        page.get_by_label("New passphrase again").fill(PASSPHRASE)
        page.get_by_role("button", name="Set a passphrase").click()
        expect(page.get_by_text("opens with your passphrase only")).to_be_visible(timeout=WAIT_MS)
        with relocked(first, port):
            unlock(page, f"{first.url}/settings/memory")
        assert visit.errors == []


@contextmanager
def relocked(first: Served, port: int) -> Iterator[None]:
    """Serve the same home again, locked, after `first` has ended."""
    first.process.terminate()
    first.process.wait(20)
    command = [sys.executable, "-m", "auritas", "serve", "--no-open", "--port", str(port)]
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(command, env=first.environment, stdin=quiet, stdout=quiet, stderr=quiet)
    try:
        wait_for(lambda: answers(port), 60)
        yield
    finally:
        process.terminate()
        process.wait(20)


def answers(port: int) -> bool:
    """Whether somebody listens."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def unlock(page: Page, wanted: str) -> None:
    """Go somewhere, meet the lock, get it wrong, get it right, and be where one wanted to be."""
    page.goto(wanted)
    box = page.get_by_label("Passphrase", exact=True)
    expect(box).to_be_focused(timeout=WAIT_MS)
    box.fill("not this one")
    box.press("Enter")
    expect(page.get_by_role("alert").first).to_be_visible(timeout=WAIT_MS)
    too_often = page.locator(".field-error").filter(has_text="Too many tries")
    for _ in range(20):  # five a minute are free, and while they are checked others come back
        if too_often.is_visible():
            break
        box.fill("nor this one")
        box.press("Enter")
        expect(page.get_by_role("button", name="Unlock")).not_to_have_attribute("aria-busy", "true", timeout=WAIT_MS)
    expect(too_often).to_be_visible()
    expect(too_often).to_be_hidden(timeout=WAIT_MS)
    box.fill(PASSPHRASE)
    box.press("Enter")
    expect(page).to_have_url(wanted, timeout=WAIT_MS)
    expect(page.get_by_label("Which corrections enter")).to_be_visible(timeout=WAIT_MS)


def test_panic_wants_its_word_and_says_what_is_gone(dist: Path, tmp_path: Path, browser: Browser):
    """Without the word nothing can be pressed; with it the store is gone, and the page says so, alone.

    The server ends by itself, and the page stays as it is (W9).
    """
    home = tmp_path / "auritas"
    with serving(home, {"ada": SCRIPTS["ada"]}) as served, visiting(served, browser) as visit:
        page = opened(visit, "panic")
        destroy = page.get_by_role("button", name="Destroy everything")
        expect(destroy).to_be_disabled()
        page.get_by_label("Type DESTROY to go on").fill("DESTROY")
        destroy.click()
        expect(page.get_by_text("Everything is destroyed.")).to_be_visible(timeout=WAIT_MS)
        expect(page.get_by_role("link")).to_have_count(1)  # to the content
        assert served.process.wait(30) == 0
        page.wait_for_timeout(3_000)  # longer than a page waits before it speaks of a lost connection
        expect(page.get_by_text("Everything is destroyed.")).to_be_visible()
        expect(page.locator(".banner")).to_have_count(0)
        assert not home.exists() or [path.name for path in home.rglob("*") if path.is_file()] == []


def test_after_panic_no_other_page_shows_what_it_had(dist: Path, tmp_path: Path, browser: Browser):
    """Another tab says at once what happened and keeps no draft; another browser shows nothing it had, either (W9)."""
    secret = "What is the capital of Australia?"
    with (
        serving(tmp_path / "auritas", {"ada": SCRIPTS["ada"]}) as served,
        visiting(served, browser) as visit,
        visiting(served, browser) as elsewhere,
    ):
        run = visit.api("POST", "/api/v1/runs", {"text": secret})
        wait_for(lambda: visit.api("GET", f"/api/v1/runs/{run['id']}")["state"] != "running")
        address = f"/c/{visit.api('GET', '/api/v1/conversations')['items'][0]['id']}"
        tab = visit.context.new_page()
        for page in (tab, elsewhere.page):
            page.goto(f"{served.url}{address}")
            expect(page.locator(".question-words")).to_have_text(secret)
            page.get_by_role("textbox", name="Your question").fill("And between us")
        opened(visit, "panic").get_by_label("Type DESTROY to go on").fill("DESTROY")
        visit.page.get_by_role("button", name="Destroy everything").click()
        expect(visit.page.get_by_text("The key and")).to_be_visible(timeout=WAIT_MS)
        expect(tab.get_by_role("heading", name="Everything is destroyed.")).to_be_visible()
        assert "And between us" not in tab.evaluate("() => JSON.stringify(sessionStorage)")
        for page in (tab, elsewhere.page):
            expect(page).to_have_url(re.compile("/(unlock)?$"), timeout=WAIT_MS)
            expect(page.get_by_text(secret)).to_have_count(0)
            assert secret not in page.title()
        expect(visit.page.get_by_text("The key and")).to_be_visible()
        assert visit.errors == elsewhere.errors == []
