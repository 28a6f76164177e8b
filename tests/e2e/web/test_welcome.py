"""A person comes for the first time: a page that says what is here, a question that runs, a tour, earlier chats."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.e2e.web.conftest import SCRIPTS, Visit, serving, visiting

WAIT_MS = 30_000


@pytest.fixture
def newcomer(dist: Path, tmp_path: Path, browser: Browser) -> Iterator[Visit]:
    """A browser in which nothing of Auritas was ever seen, on a server on which nothing was ever asked."""
    with serving(tmp_path / "auritas", SCRIPTS) as server, visiting(server, browser, welcomed=False) as visit:
        yield visit
        assert visit.errors == []


def toured(page: Page, name: str) -> None:
    """Be at a stop of the tour that has found its place, and go on by the keyboard."""
    tour = page.get_by_role("region", name="Tour")
    expect(tour.get_by_role("heading", name=name)).to_be_focused()
    expect(page.locator(".tour-ring")).to_be_visible()
    page.keyboard.press("ArrowRight")


def test_the_first_page_is_shown_once_and_says_what_is_here(newcomer: Visit):
    """Where nothing was asked, one is led to the first page; it has no fault, and is not shown a second time (W9)."""
    page = newcomer.page
    expect(page).to_have_url(re.compile("/welcome$"))
    expect(page.get_by_text("5 members on this machine. Nothing leaves it.")).to_be_visible()
    assert newcomer.serious() == []
    page.get_by_role("link", name="Ask something of your own").click()
    expect(page.get_by_role("textbox", name="Your question")).to_be_visible()
    newcomer.go("/")
    expect(page.get_by_role("textbox", name="Your question")).to_be_visible()
    page.wait_for_timeout(500)
    expect(page).not_to_have_url(re.compile("welcome"))


def test_without_a_model_the_page_says_so_and_leads_to_them(dist: Path, tmp_path: Path, browser: Browser):
    """With the calculator alone no sample is offered that must fail; page and refusal lead to the models (W9)."""
    with serving(tmp_path / "auritas", {}) as server, visiting(server, browser) as visit:
        page = visit.page
        visit.go("/")
        expect(page.get_by_text("No model is here yet.")).to_be_visible()
        expect(page.get_by_role("list", name="Questions to begin with")).to_have_count(0)
        box = page.get_by_role("textbox", name="Your question")
        box.fill("Why does bread rise?")
        box.press("Enter")
        failed = page.locator(".failed")
        expect(failed).to_contain_text("No model is installed")
        assert visit.serious() == []
        failed.get_by_role("link", name="Fetch or add models").click()
        expect(page).to_have_url(re.compile("/settings/models"))
        visit.go("/")
        expect(page.get_by_role("link", name="Fetch or add models")).to_be_visible()
        visit.go("/welcome")
        expect(page.get_by_role("heading", name="Try it here")).to_have_count(0)
        assert visit.errors == []


def test_a_sample_runs_here_and_the_tour_points_at_what_came_of_it(visit: Visit):
    """A sample question is answered on the page; the tour then finds all five places, by the keyboard alone (W9)."""
    page = visit.page
    visit.go("/welcome")
    page.get_by_role("button", name="What is the capital of Australia?").click()
    expect(page.locator(".answer .facts")).to_be_visible(timeout=WAIT_MS)
    expect(page.get_by_role("link", name="Go on in this conversation")).to_be_visible()
    assert visit.serious() == []
    page.get_by_role("button", name="Begin the tour").click()
    expect(page).to_have_url(re.compile("/c/"))
    expect(page.locator(".answer .facts")).to_be_visible(timeout=WAIT_MS)
    assert visit.serious() == []
    for stop in ("Ask", "The line under an answer", "That's wrong", "Search", "Under the hood"):
        toured(page, stop)
    expect(page.get_by_role("region", name="Tour")).to_have_count(0)


def test_the_tour_is_left_by_escape_and_found_again(visit: Visit):
    """Escape ends the tour at any stop; the settings begin it anew (W9)."""
    page = visit.page
    visit.go("/settings/about")
    page.get_by_role("button", name="Show the tour").click()
    tour = page.get_by_role("region", name="Tour")
    expect(tour.get_by_role("heading", name="Ask")).to_be_focused()
    page.get_by_role("textbox", name="Your question").fill("The page stays usable.")
    tour.get_by_role("button", name="Next").click()
    expect(tour.get_by_text("You will find it there once there is something.")).to_be_visible()
    page.keyboard.press("Escape")
    expect(tour).to_have_count(0)


def test_earlier_chats_are_read_in_and_listed(visit: Visit, tmp_path: Path):
    """A ChatGPT export is taken as a file, and its conversation can be opened; a file that is none is told (W9)."""
    page = visit.page
    visit.go("/welcome")
    page.get_by_label("Choose a file").set_input_files(export(tmp_path))
    expect(page.locator(".run-ended")).to_contain_text("Imported 1 new conversation", timeout=WAIT_MS)
    wrong = tmp_path / "notes.json"
    wrong.write_text('{"hello": "there"}')
    page.get_by_label("Choose a file").set_input_files(wrong)
    expect(page.locator(".run-failed, .import .field-error")).to_be_visible(timeout=WAIT_MS)
    page.get_by_role("link", name="Ask something of your own").click()
    expect(page.get_by_role("link", name="Bees in winter")).to_be_visible(timeout=WAIT_MS)


def export(folder: Path) -> Path:
    """Write a file as ChatGPT exports it, with one conversation."""
    said = [("user", "What do bees do in winter?"), ("assistant", "They keep warm in a cluster.")]
    mapping: dict[str, object] = {"root": {"id": "root", "message": None, "parent": None, "children": ["m0"]}}
    for at, (role, text) in enumerate(said):
        message = {
            "id": f"m{at}",
            "author": {"role": role},
            "create_time": 1_700_000_000.0 + at,
            "content": {"content_type": "text", "parts": [text]},
        }
        children = [f"m{at + 1}"] if at + 1 < len(said) else []
        parent = f"m{at - 1}" if at else "root"
        mapping[f"m{at}"] = {"id": f"m{at}", "message": message, "parent": parent, "children": children}
    chat = {
        "id": "c1",
        "conversation_id": "c1",
        "title": "Bees in winter",
        "create_time": 1_700_000_000.0,
        "update_time": 1_700_000_100.0,
        "mapping": mapping,
        "current_node": "m1",
    }
    file = folder / "conversations.json"
    file.write_text(json.dumps([chat]))
    return file
