"""What a newcomer stumbles over: names in memory, notices above controls, Stop where Ask was, two bars."""

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.e2e.web.conftest import Served, Visit, visiting
from tests.e2e.web.provider import Script, says

QUESTION = "How many members does our choir have?"
ANSWER_S = 30_000
WIDTHS = [(1280, 800), (390, 844)]
COVERED = """() => {
  const toasts = [...document.querySelectorAll('.toast')].map(each => each.getBoundingClientRect());
  const controls = [...document.querySelectorAll('main button, main a, main select, main textarea, nav a, nav button')];
  return controls.filter(each => {
    if (!each.checkVisibility({visibilityProperty: true}) || each.closest('.toasts')) return false;
    const box = each.getBoundingClientRect();
    return box.width > 0 && toasts.some(
      t => t.left < box.right && box.left < t.right && t.top < box.bottom && box.top < t.bottom
    );
  }).map(each => each.getAttribute('aria-label') || each.textContent);
}"""
BARS = """() => [...document.querySelectorAll('*')].filter(each => {
  const flow = getComputedStyle(each).overflowY;
  return (flow === 'auto' || flow === 'scroll') && each.scrollHeight > each.clientHeight + 1 && each.clientWidth > 0
    && each.closest('nav') === null;
}).map(each => each.className)"""


def _ask(page: Page, text: str) -> None:
    box = page.get_by_role("textbox", name="Your question")
    box.fill(text)
    box.press("Enter")


def _answered(page: Page) -> None:
    expect(page.get_by_role("button", name="Stop")).to_have_count(0, timeout=ANSWER_S)
    expect(page.locator(".answer .facts").last).to_be_visible(timeout=ANSWER_S)
    expect(page.locator('[data-message^="run "]')).to_have_count(0, timeout=ANSWER_S)


def _told(visit: Visit) -> str:
    body = {"claim": "it is 53", "type": "factual_correction", "query": QUESTION}
    kept: dict[str, Any] = visit.api("POST", "/api/v1/memory", body)
    return str(kept["correction"]["id"])


def test_a_correction_is_named_with_the_question_that_it_answers(visit: Visit) -> None:
    """Words like "it is 53" stand nowhere alone: list, detail and search say what was asked (W9)."""
    page = visit.page
    kept = _told(visit)
    visit.go("/memory")
    expect(page.locator(f"#row-{kept}")).to_contain_text(f"asked: {QUESTION}")
    visit.go(f"/memory/{kept}")
    panel = page.get_by_role("region", name="One remembered thing")
    expect(panel.get_by_text(f"asked: {QUESTION}")).to_be_visible()
    expect(panel.get_by_role("heading", level=2)).to_have_text("it is 53")
    page.keyboard.press("Control+k")
    expect(page.get_by_role("dialog").get_by_role("combobox")).to_be_focused()
    page.keyboard.type("it is 53")
    expect(page.get_by_role("option").filter(has_text="it is 53").first).to_contain_text(f"asked: {QUESTION}")
    visit.api("DELETE", f"/api/v1/memory/{kept}")


@pytest.mark.parametrize(("width", "height"), WIDTHS)
def test_a_notice_covers_no_control(served: Served, browser: Browser, width: int, height: int) -> None:
    """After a copy the composer, its level and what is beside the title can still be reached (W9)."""
    with visiting(served, browser, viewport={"width": width, "height": height}) as visit:
        visit.context.grant_permissions(["clipboard-read", "clipboard-write"])
        visit.go("/")
        _ask(visit.page, "What is the capital of Australia?")
        _answered(visit.page)
        copy = visit.page.get_by_role("button", name="Copy", exact=True).last
        copy.click()
        expect(visit.page.locator(".toast").first).to_be_visible()
        assert visit.page.evaluate(COVERED) == []


def test_a_second_click_where_ask_was_does_not_stop(visit: Visit) -> None:
    """Ask becomes Stop under the pointer: rapid clicks ask once, and stop nothing (W9)."""
    scripts = visit.served.provider.scripts
    before = dict(scripts)
    scripts.update({name: Script(says("Canberra", "It is so. " * 60), rate=60) for name in before})
    page = visit.page
    visit.go("/")
    page.get_by_role("textbox", name="Your question").fill("What is the capital of Australia, again?")
    page.get_by_role("button", name="Ask", exact=True).click(click_count=4, delay=40)
    _answered(page)
    expect(page.locator(".failed")).to_have_count(0)
    expect(page.locator(".question-words")).to_have_count(1)
    scripts.update(before)


def test_no_page_has_two_bars_side_by_side(visit: Visit) -> None:
    """One thing scrolls: on the first page, in the settings, and with a remembered thing beside the list (W9)."""
    kept = _told(visit)
    for path in ("/welcome", "/settings/privacy", f"/memory/{kept}"):
        visit.go(path)
        expect(visit.page.get_by_role("heading").first).to_be_attached()
        visit.page.wait_for_timeout(500)
        assert len(visit.page.evaluate(BARS)) <= 1, path
        assert visit.page.evaluate("document.documentElement.scrollHeight <= innerHeight"), path
    visit.api("DELETE", f"/api/v1/memory/{kept}")


def test_the_basis_is_short_and_its_whole_sentence_one_press_away(visit: Visit) -> None:
    """The line under an answer says that there are no grades in a few words; the full sentence opens from it (W9)."""
    page = visit.page
    visit.go("/")
    _ask(page, "What is the capital of Australia?")
    _answered(page)
    basis = page.locator(".fact-basis").last
    expect(basis).to_have_text(re.compile(r"^score 0\.\d\d, no grades yet"))
    basis.get_by_role("button").click()
    expect(page.get_by_role("dialog", name="What this rests on")).to_contain_text("no probability")
    assert visit.serious() == []


def test_a_new_conversation_is_found_by_its_keys_and_by_other_words(visit: Visit) -> None:
    """Whoever looks for "new chat" finds it, and Ctrl+Shift+O begins one from everywhere (W9)."""
    page = visit.page
    visit.go("/memory")
    expect(page.get_by_role("link", name=re.compile("^Ask . a new conversation")).first).to_be_visible()
    page.keyboard.press("Control+Shift+O")
    expect(page).to_have_url(f"{visit.served.url}/")
    page.keyboard.press("Control+k")
    expect(page.get_by_role("combobox", name="Search everything")).to_be_focused()
    page.keyboard.type("new chat")
    page.get_by_role("option", name="New question").click()
    expect(page).to_have_url(f"{visit.served.url}/")


def test_a_program_is_given_its_address(visit: Visit) -> None:
    """Settings says under which address a client of OpenAI asks, with an example (W9)."""
    page = visit.page
    visit.go("/settings/access")
    expect(page.get_by_text(f"{visit.served.url}/v1", exact=True)).to_be_visible()
    page.get_by_text("An example in Python").click()
    expect(page.get_by_text(f'base_url="{visit.served.url}/v1"')).to_be_visible()
    assert visit.serious() == []


def test_only_one_tooltip_is_open_and_none_above_the_box(visit: Visit) -> None:
    """Going through the composer by keys leaves no tooltip behind, and none covers what is written (W9)."""
    page = visit.page
    visit.go("/")
    box = page.get_by_role("textbox", name="Your question")
    box.focus()
    for _ in range(4):
        page.keyboard.press("Tab")
        page.wait_for_timeout(250)
        tips = page.locator(".tooltip").all()
        assert len(tips) <= 1
        for tip in tips:
            inside, field = tip.bounding_box(), box.bounding_box()
            assert inside is not None
            assert field is not None
            assert inside["y"] >= field["y"] + field["height"]


PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c63f8cfc0f01f00050001ff89"
    "993d1d0000000049454e44ae426082"
)


def test_an_attached_picture_is_seen_before_it_is_sent(visit: Visit) -> None:
    """A picture stands as a picture in the composer, under its name (W9)."""
    page = visit.page
    visit.go("/")
    page.locator("input[type=file]").set_input_files({"name": "gate.png", "mimeType": "image/png", "buffer": PIXEL})
    picture = page.get_by_role("img", name="gate.png")
    expect(picture).to_be_visible()
    expect(picture).to_have_js_property("naturalWidth", 1)
