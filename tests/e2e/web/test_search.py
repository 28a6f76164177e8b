"""Search over everything in a real Chromium: opened by keys, answered as one types, followed to the message."""

import re
import time
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect
from tests.e2e.web.conftest import Served, Visit, visiting

QUESTION = "Which harbour town hosts the <b>whittling</b> festival?"


def _ask(visit: Visit, text: str) -> dict[str, Any]:
    run = visit.api("POST", "/api/v1/runs", {"text": text})
    for _ in range(300):
        found: dict[str, Any] = visit.api("GET", f"/api/v1/runs/{run['id']}")
        if found["state"] != "running":
            return found
        time.sleep(0.1)
    raise AssertionError("The question was not answered.")


@pytest.fixture
def asked(visit: Visit) -> Visit:
    """A page let in, where one question has been asked and indexed, and one thing is remembered."""
    if not visit.api("GET", "/api/v1/search?q=whittling")["conversations"]:
        _ask(visit, QUESTION)
        visit.api("POST", "/api/v1/memory", {"claim": "The whittling guild meets on Mondays"})
        for _ in range(100):
            if visit.api("GET", "/api/v1/search?q=whittling")["conversations"]:
                break
            time.sleep(0.1)
    visit.go("/memory")
    expect(visit.page.get_by_role("heading", level=1)).to_be_visible()
    return visit


def _open(page: Page) -> None:
    page.keyboard.press("Control+k")
    expect(page.get_by_role("combobox", name="Search everything")).to_be_focused()


def test_the_palette_opens_without_waiting_for_the_server(asked: Visit) -> None:
    """Commands are there while the server is silent, and Enter does the first that fits (W9)."""
    page = asked.page
    held: list[Route] = []
    page.route("**/api/v1/search**", lambda route: held.append(route))  # noqa: PLW0108  Playwright marks the handler, which a built-in method does not allow
    _open(page)
    expect(page.get_by_role("option", name="New question")).to_be_visible()
    page.keyboard.type("dark")
    expect(page.get_by_role("option", name="Dark theme")).to_have_attribute("aria-selected", "true")
    page.get_by_role("option", name="Dark theme").click()
    expect(page.get_by_role("dialog")).to_be_hidden()
    assert page.locator("html").get_attribute("data-theme") == "dark"
    for route in held:
        route.abort()


def test_a_palette_not_yet_fetched_when_the_server_goes_opens_when_it_is_back(served: Served, browser: Browser) -> None:
    """Opened while the server is away, the search waits for it and then opens, whole, and nothing is thrown (W9)."""
    away = re.compile(r"/assets/search-|/health/live$")
    with visiting(served, browser, service_workers="block") as visit:
        page = visit.page
        asked: list[str] = []

        def gone(route: Route) -> None:
            asked.append(route.request.url)
            route.abort()

        page.route(away, gone)
        page.reload()
        while len(asked) < 2:  # the test's own limit of time ends it
            page.wait_for_timeout(100)
        page.keyboard.press("Control+k")
        expect(page.get_by_role("navigation").first).to_be_visible()
        expect(page.get_by_role("dialog")).to_have_count(0)
        page.unroute(away)
        expect(page.get_by_role("combobox", name="Search everything")).to_be_focused(timeout=30_000)
        assert visit.errors == []


def test_what_was_said_is_found_marked_and_followed(asked: Visit) -> None:
    """Marks are elements around text, nothing said becomes markup, and Enter leads to the message (W7, W9)."""
    page = asked.page
    _open(page)
    page.keyboard.type("whittling")
    option = page.get_by_role("group", name="Conversations").get_by_role("option").first
    expect(option.locator("mark").first).to_have_text("whittling")
    expect(option).to_contain_text("<b>")
    assert page.locator(".palette b").count() == 0
    expect(page.get_by_role("group", name="Memory").get_by_role("option")).to_contain_text("guild")
    assert asked.serious() == []
    while not page.locator(".palette-line[aria-selected=true]", has_text="harbour").count():
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/c/[0-9a-f-]+(\?message=)?"))
    expect(page.get_by_role("dialog")).to_be_hidden()
    _open(page)
    expect(page.get_by_role("group", name="Recent searches").get_by_role("option")).to_have_text("whittling")


def test_another_spelling_is_told(asked: Visit) -> None:
    """What was searched instead is said in words, and nothing found says so with a way on (W9)."""
    page = asked.page
    _open(page)
    page.keyboard.type("whitling")
    expect(page.get_by_text("Searched for “whittling”")).to_be_visible()
    page.get_by_role("combobox").fill("qqzzxxvv")
    expect(page.get_by_text("Nothing was found for “qqzzxxvv”.").first).to_be_visible()


def test_filters_are_offered_and_their_mistakes_explained(asked: Visit) -> None:
    """A filter is begun by a button and filled by Enter; a day that is none is named with an example (W9)."""
    page = asked.page
    _open(page)
    page.get_by_role("button", name="before:").click()
    expect(page.get_by_role("combobox")).to_have_value("before:")
    expect(page.get_by_role("group", name="Narrow down").get_by_role("option").first).to_contain_text("today")
    page.keyboard.press("Enter")
    expect(page.get_by_role("combobox")).to_have_value(re.compile(r"^before:\d{4}-\d\d-\d\d $"))
    page.get_by_role("combobox").fill("choir before:soon ")
    expect(page.get_by_role("alert")).to_contain_text("is not a day")


def test_only_the_last_letters_are_answered(asked: Visit) -> None:
    """Whatever arrives late, what is shown belongs to what stands in the box (W9)."""
    page = asked.page
    slow: list[Route] = []
    page.route(lambda address: "/api/v1/search?q=whit&" in address, lambda route: slow.append(route))  # noqa: PLW0108  Playwright marks the handler, which a built-in method does not allow
    _open(page)
    page.keyboard.type("whit")
    page.wait_for_timeout(200)
    page.keyboard.type("tling")
    expect(page.get_by_role("group", name="Conversations").get_by_role("option").first).to_contain_text("whittling")
    assert slow
    slow[0].abort()  # the page has let it go: whatever comes of it changes nothing
    expect(page.get_by_role("group", name="Conversations").get_by_role("option").first).to_contain_text("whittling")


def test_a_temporary_chat_begins_from_anywhere(asked: Visit) -> None:
    """The command leads to the page where a conversation begins, with its switch on (W9)."""
    page = asked.page
    _open(page)
    page.keyboard.type("temp")
    expect(page.get_by_role("option", name="Temporary chat")).to_be_visible()
    page.get_by_role("option", name="Temporary chat").click()
    expect(page.get_by_role("switch", name="Temporary")).to_have_attribute("aria-checked", "true")
