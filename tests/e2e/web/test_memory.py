"""The Memory page in a real Chromium: what is remembered is told, found, changed, taken back and erased by hand."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from tests.e2e.web.conftest import SCRIPTS, Served, Visit, serving, visiting

MODELS = Path(__file__).resolve().parents[3] / ".models"
SENTENCE = "Always use metric units."
MANY = 500


def _tell(visit: Visit, claim: str, **more: object) -> str:
    """Store something through the interface and return its id."""
    kept = visit.api("POST", "/api/v1/memory", {"claim": claim} | more)
    return str(kept["correction"]["id"])


@pytest.fixture
def clean(visit: Visit) -> Visit:
    """A page let in, before a memory that holds nothing."""
    for state in ("active", "superseded"):
        while items := visit.api("GET", f"/api/v1/memory?state={state}&limit=200")["items"]:
            for entry in items:
                visit.api("DELETE", f"/api/v1/memory/{entry['correction']['id']}")
    return visit


def test_what_is_told_is_previewed_listed_changed_and_erased(clean: Visit) -> None:
    """One sentence goes the whole way, and erasing it says what goes, what stays, and asks for a word (W9)."""
    page = clean.page
    clean.go("/memory")
    expect(page.get_by_text("wrong, it is 53.")).to_be_visible()
    page.get_by_role("button", name="Remember something").first.click()
    page.get_by_label("What should hold?").fill(SENTENCE)
    expect(page.locator(".memory-preview")).to_contain_text("Instruction")
    expect(page.locator(".memory-preview")).to_contain_text("everywhere")
    page.get_by_role("button", name="Remember", exact=True).click()
    page.get_by_role("link", name=SENTENCE).click()
    panel = page.get_by_role("region", name="One remembered thing")
    expect(panel).to_be_focused()

    panel.get_by_role("button", name="Edit").click()
    page.get_by_label("What holds").fill("Always use imperial units.")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(panel.get_by_role("heading", level=2)).to_have_text("Always use imperial units.")
    expect(panel.get_by_text(f"It said: “{SENTENCE}”")).to_be_visible()
    page.get_by_role("button", name="Undo", exact=True).last.click()
    expect(panel.get_by_role("heading", level=2)).to_have_text(SENTENCE)
    panel.get_by_role("button", name="Pin").click()
    expect(panel.get_by_role("button", name="Unpin")).to_be_visible()
    assert clean.serious() == []

    panel.get_by_role("button", name="Erase").click()
    dialog = page.get_by_role("alertdialog")
    expect(dialog.get_by_text("The audit log keeps that something was erased")).to_be_visible()
    expect(dialog.get_by_role("button", name="Erase for good")).to_be_disabled()
    assert clean.serious() == []
    dialog.get_by_role("textbox").fill("erase")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Nothing is remembered yet.")).to_be_visible()
    expect(page).to_have_url(f"{clean.served.url}/memory")


def test_a_preview_is_the_server_s_own_reading(clean: Visit) -> None:
    """While one types it says the type, the condition, what it would replace and what is refused (W9)."""
    page = clean.page
    _tell(clean, "Use metric units")
    clean.go("/memory")
    page.get_by_role("button", name="Remember something").first.click()
    box, preview = page.get_by_label("What should hold?"), page.locator(".memory-preview")
    box.fill("Use imperial units")
    expect(preview).to_contain_text("Takes the place of")
    expect(preview).to_contain_text("Use metric units")
    box.fill("Use imperial units, except for screens")
    expect(preview).to_contain_text("everywhere, except for screens")
    expect(preview).not_to_contain_text("Takes the place of")
    box.fill("We decided to sing the Requiem")
    expect(preview).to_contain_text("Decision")
    box.fill("Use metric units")
    expect(page.get_by_role("status").filter(has_text="Remembered already.")).to_be_visible()
    box.fill("My password is hunter2!x9")
    expect(page.get_by_text("secrets are never remembered")).to_be_visible()
    assert clean.serious() == []
    assert clean.api("GET", "/api/v1/memory")["total"] == 1


def test_each_undo_takes_back_its_own_change(clean: Visit) -> None:
    """After two changes in a row the way back that stands beside the first takes back the first (W9)."""
    page = clean.page
    clean.go("/memory")
    for claim in ("The organ is tuned in March", "The hall has 90 seats"):
        page.get_by_role("button", name="Remember something").first.click()
        page.get_by_label("What should hold?").fill(claim)
        page.get_by_role("button", name="Remember", exact=True).click()
        expect(page.get_by_role("link", name=claim)).to_be_visible()
    page.get_by_role("button", name="Undo", exact=True).first.click()
    expect(page.get_by_role("link", name="The organ is tuned in March")).to_be_hidden()
    expect(page.get_by_role("link", name="The hall has 90 seats")).to_be_visible()


def test_what_replaces_another_is_told_with_a_way_back(clean: Visit) -> None:
    """The old words stop to hold, stay in the history, and hold again after an undo (W9)."""
    page = clean.page
    old = _tell(clean, "The rehearsal room has 40 chairs")
    clean.go(f"/memory/{old}")
    page.get_by_role("button", name="Replace", exact=True).click()
    page.get_by_label("What holds now").fill("The rehearsal room has 60 chairs")
    page.get_by_role("dialog").get_by_role("button", name="Replace").click()
    heading = page.get_by_role("region", name="One remembered thing").get_by_role("heading", level=2)
    expect(heading).to_have_text("The rehearsal room has 60 chairs")
    expect(page.get_by_role("heading", name="What it replaced")).to_be_visible()
    page.get_by_role("button", name="Undo", exact=True).last.click()
    expect(page.get_by_text("Nothing is remembered under this address.")).to_be_visible()
    entry = clean.api("GET", f"/api/v1/memory/{old}")["entry"]
    assert entry["correction"]["state"] == "active"


def test_memory_goes_out_as_a_file_and_comes_in_again(clean: Visit, tmp_path: Path) -> None:
    """An export read in again brings back what was erased, and what is known already is not told twice (W9)."""
    page = clean.page
    first = _tell(clean, "The choir sings in Latin")
    _tell(clean, "I prefer short answers")
    clean.go("/memory")
    page.get_by_role("button", name="Import, export, undo").click()
    with page.expect_download() as download:
        page.get_by_role("menuitem", name="Export as JSON").click()
    path = tmp_path / "memory.json"
    download.value.save_as(path)
    assert len(json.loads(path.read_text(encoding="utf-8"))["corrections"]) == 2
    clean.api("DELETE", f"/api/v1/memory/{first}")
    page.locator("input[type=file]").set_input_files(path)
    dialog = page.get_by_role("dialog", name="What was imported")
    expect(dialog).to_contain_text("1 thing added")
    expect(dialog).to_contain_text("1 known already")
    page.keyboard.press("Escape")
    expect(page.get_by_role("link", name="The choir sings in Latin")).to_be_visible()


def test_only_rows_in_sight_are_drawn_and_filters_say_how_many(clean: Visit) -> None:
    """Hundreds of things are a short page, filtered as one types, and the last row is reached (W6)."""
    page = clean.page
    claims = [{"type": "factual_correction", "scope": "global", "claim": f"Locker {n} is green"} for n in range(MANY)]
    body = json.dumps({"format": "auritas-memory", "version": 1, "corrections": claims})
    headers = {"origin": clean.served.url, "content-type": "application/json"}
    answer = clean.context.request.post(f"{clean.served.url}/api/v1/memory/import", data=body, headers=headers)
    assert answer.json()["added"] == MANY, answer.text()[:500]
    clean.go("/memory")
    rows = page.get_by_role("list", name="What is remembered").get_by_role("listitem")
    expect(rows.first).to_be_visible()
    assert rows.count() < 60
    expect(page.locator(".memory-count")).to_have_text(f"{MANY} things")
    page.get_by_role("searchbox").fill("Locker 123 ")
    expect(page.locator(".memory-count")).to_have_text("1 thing")
    page.get_by_role("searchbox").fill("no such locker")
    expect(page.get_by_text("Nothing fits these filters.")).to_be_visible()
    page.get_by_role("button", name="Clear filters").last.click()
    expect(page.locator(".memory-count")).to_have_text(f"{MANY} things")
    for _ in range(60):
        page.locator(".shell-main").evaluate("box => box.scrollTo(0, box.scrollHeight)")
        page.wait_for_timeout(100)
        if page.locator(f"li[aria-posinset='{MANY}']").count():
            break
    expect(page.locator(f"li[aria-posinset='{MANY}']")).to_be_visible()


def test_on_a_phone_one_thing_takes_the_place_of_the_list(served: Served, browser: Browser) -> None:
    """On a phone a row opens as a page of its own, and the way back leads to the list (W9)."""
    with visiting(served, browser, viewport={"width": 390, "height": 844}) as visit:
        page = visit.page
        _tell(visit, "The organ is tuned in March")
        visit.go("/memory")
        page.get_by_role("link", name="The organ is tuned in March").click()
        expect(page.get_by_role("list", name="What is remembered")).to_be_hidden()
        expect(page.get_by_role("heading", level=2, name="The organ is tuned in March")).to_be_visible()
        assert visit.serious() == []
        page.get_by_role("link", name="All that is remembered").click()
        expect(page.get_by_role("list", name="What is remembered")).to_be_visible()
        assert visit.errors == []


def test_members_write_notes_and_recovery_prompts_on_demand(clean: Visit) -> None:
    """The tab of notes has an address, says that there are none, and names why one could not be written (W9)."""
    page = clean.page
    clean.go("/memory#notes")
    expect(page.get_by_text("No note has been written yet.")).to_be_visible()
    expect(page.get_by_role("button", name="Write now: recovery prompt of ada")).to_be_visible()
    assert clean.serious() == []
    page.get_by_role("button", name="Write a note now").click()
    expect(page.get_by_role("alert").first).to_be_visible()


@pytest.mark.skipif(not (MODELS / "minilm-l6-v2").is_dir(), reason="needs the embedder: make test fetches it")
def test_a_pair_is_settled_by_the_reader(dist: Path, browser: Browser, tmp_path: Path) -> None:
    """Two that say nearly the same both hold until the reader keeps one; the other can be had back (W9)."""
    models = tmp_path / "models"
    models.mkdir()
    (models / "minilm-l6-v2").symlink_to(MODELS / "minilm-l6-v2")
    settings = {"AURITAS_MODEL_DIR": str(models)}
    with serving(tmp_path / "auritas", SCRIPTS, settings=settings) as served, visiting(served, browser) as visit:
        page = visit.page
        _tell(visit, "Our choir rehearses on Tuesdays")
        _tell(visit, "The choir practises each Tuesday evening")
        visit.go("/memory")
        pair = page.get_by_role("listitem", name="Pair to settle: The choir practises each Tuesday evening")
        expect(pair).to_be_visible()
        pair.get_by_role("button", name="Keep the older").click()
        expect(pair).to_be_hidden()
        assert visit.api("GET", "/api/v1/memory")["total"] == 1
        page.get_by_role("button", name="Undo", exact=True).last.click()
        expect(pair).to_be_visible()
        pair.get_by_role("button", name="Keep both").click()
        expect(pair).to_be_hidden()
        page.evaluate("localStorage.clear()")
        page.reload()
        expect(page.get_by_role("link", name="Our choir rehearses on Tuesdays")).to_be_visible()
        expect(pair).to_be_hidden()
        assert visit.api("GET", "/api/v1/memory/alike") == []
