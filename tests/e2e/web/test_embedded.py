"""The page with nothing but the embedded models: no key, no account, no network."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from tests.e2e.conftest import MODEL_DIR, TIER
from tests.e2e.web.conftest import Visit, serving, visiting

pytestmark = pytest.mark.models
WAIT_MS = 120_000


@pytest.fixture
def alone(dist: Path, tmp_path: Path, browser: Browser) -> Iterator[Visit]:
    """A browser that comes for the first time to a server with embedded models alone."""
    assert dist.is_dir()
    settings = {"AURITAS_MODEL_DIR": MODEL_DIR, "AURITAS_MODELS": TIER}
    with (
        serving(tmp_path / "auritas", {}, settings=settings) as server,
        visiting(server, browser, welcomed=False) as visit,
    ):
        yield visit
        assert visit.errors == []


def test_a_newcomer_is_answered_by_the_embedded_models_alone(alone: Visit):
    """The first page's sample question is answered here, a sum is computed; nothing left the machine (W9)."""
    page = alone.page
    expect(page).to_have_url(re.compile("/welcome$"))
    page.get_by_role("button", name="What is the capital of Australia?").click()
    expect(page.locator(".answer .facts")).to_be_visible(timeout=WAIT_MS)
    page.get_by_role("link", name="Go on in this conversation").click()
    expect(page.locator(".answer .facts")).to_be_visible(timeout=WAIT_MS)
    assert alone.serious() == []
    alone.go("/")
    page.get_by_role("textbox", name="Your question").fill("What is 17*23?")
    page.get_by_role("button", name="Ask", exact=True).click()
    expect(page.locator(".answer .facts")).to_be_visible(timeout=WAIT_MS)
    expect(page.locator(".answer").first).to_contain_text("391")
    page.get_by_role("button", name="Show the member").click()
    expect(page.get_by_text("calculator").first).to_be_visible()
    assert alone.api("GET", "/api/v1/egress")["items"] == []
