"""A person asks, watches the members, reads what was chosen, and sets it right: in a real browser."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.e2e.web.conftest import SCRIPTS, Served, Visit, serving, visiting
from tests.e2e.web.provider import Script, says

QUESTION = "What is the capital of Australia?"
ANSWER_S = 30_000
HEAR = """() => {
  window.heard = [];
  const region = document.querySelector('[role="status"].visually-hidden');
  const hear = () => window.heard.push(region.textContent);
  new MutationObserver(hear).observe(region, {childList: true, characterData: true, subtree: true});
}"""
"""Writes down what a screen reader is told."""


def ask(page: Page, text: str = QUESTION) -> None:
    """Write a question and send it with Enter."""
    box = page.get_by_role("textbox", name="Your question")
    box.fill(text)
    box.press("Enter")


def answered(page: Page) -> None:
    """Wait until the last answer is final and stands in its conversation: nothing moves any more."""
    expect(page.get_by_role("button", name="Stop")).to_have_count(0, timeout=ANSWER_S)
    expect(page.locator(".answer .facts").last).to_be_visible(timeout=ANSWER_S)
    expect(page.locator('[data-message^="run "]')).to_have_count(0, timeout=ANSWER_S)


def test_an_empty_page_says_who_is_there_and_offers_a_question(visit: Visit):
    """Without a word said the page names the council, says that nothing leaves the machine, and has no fault (W9)."""
    page = visit.page
    visit.go("/")
    expect(page.get_by_text("5 members on this machine. Nothing leaves it.")).to_be_visible()
    expect(page.get_by_role("textbox", name="Your question")).to_be_focused()
    expect(page.get_by_text(re.compile("about .* calls?"))).to_be_visible()
    page.get_by_role("button", name="Why does bread rise").click()
    expect(page.get_by_role("textbox", name="Your question")).to_have_value(re.compile("bread"))
    assert visit.serious() == []


def test_a_question_is_answered_and_read_with_all_that_it_rests_on(visit: Visit):
    """The chosen words, who agrees, the basis, what it took and every member's own answer are there (W9)."""
    page = visit.page
    visit.go("/")
    ask(page)
    expect(page.locator(".member-column").first).to_be_visible(timeout=ANSWER_S)
    answered(page)
    expect(page).to_have_url(re.compile("/c/"))
    article = page.get_by_role("article", name="Chosen answer")
    expect(article.locator(".answer-words")).to_contain_text("Canberra")
    expect(article.locator(".facts")).to_contain_text(re.compile(r"\d of \d agree"))
    expect(article.locator(".facts")).to_contain_text("$0")
    expect(article.locator(".facts")).not_to_contain_text("%")
    article.get_by_role("button", name="Show all answers").click()
    expect(page.locator(".member-column").first).to_contain_text("chosen")
    assert visit.serious() == []


def test_a_run_survives_a_reload_and_a_second_tab_sees_it(visit: Visit):
    """While members write, a reload and another tab show the same run, and both end with its answer (W9)."""
    visit.served.provider.scripts["ada"] = Script(says("Canberra", "It is so. " * 150), rate=60)
    page = visit.page
    visit.go("/")
    ask(page)
    page.wait_for_url(re.compile("/c/"))
    page.reload()
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    other = visit.context.new_page()
    other.goto(page.url)
    expect(other.get_by_role("button", name="Stop")).to_be_visible()
    answered(page)
    answered(other)
    visit.served.provider.scripts["ada"] = SCRIPTS["ada"]


def test_escape_stops_a_question_and_it_can_be_asked_again(visit: Visit):
    """A stopped question says so, and its Retry brings an answer (W9)."""
    scripts = visit.served.provider.scripts
    before = dict(scripts)
    scripts.update({name: Script("I think", rate=20, hangs=True) for name in before})
    page = visit.page
    visit.go("/")
    ask(page, "How high is Mount Everest?")
    page.wait_for_url(re.compile("/c/"))
    expect(page.locator(".member-column").first).to_contain_text("I think", timeout=ANSWER_S)
    page.keyboard.press("Escape")
    failed = page.locator(".failed")
    expect(failed).to_be_visible()
    scripts.update(before)
    failed.get_by_role("button", name="Ask again").click()
    answered(page)


def test_a_question_that_can_never_succeed_is_not_offered_again(visit: Visit):
    """What is too long is said before it is sent; a refusal of the question itself has no Ask again (W9)."""
    page = visit.page
    visit.go("/")
    box = page.get_by_role("textbox", name="Your question")
    box.fill("x" * 32_003)
    expect(page.get_by_text("3 characters too long")).to_be_visible()
    expect(page.get_by_role("button", name="Ask", exact=True)).to_be_disabled()
    box.fill("")
    page.route("**/api/v1/runs", lambda route: route.continue_(post_data=json.dumps({"text": " "})))
    ask(page, "Anything?")
    failed = page.locator(".failed")
    expect(failed).to_contain_text("empty", timeout=ANSWER_S)
    expect(failed.get_by_role("button")).to_have_count(0)


def test_answer_now_ends_the_waiting_with_what_was_said(visit: Visit):
    """While one member hangs, Answer now brings the others' answer by one key, and who was not heard says so (W9)."""
    scripts = visit.served.provider.scripts
    before = dict(scripts)
    scripts["eve"] = Script("I think", rate=20, hangs=True)
    page = visit.page
    page.set_viewport_size({"width": 390, "height": 844})
    visit.go("/")
    page.get_by_role("combobox", name="Accuracy level").select_option("High")
    ask(page, "Which city is the capital of Australia today?")
    now = page.get_by_role("button", name="Answer now")
    expect(now).to_be_visible(timeout=ANSWER_S)
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.wait_for_timeout(700)
    page.evaluate(HEAR)
    now.focus()
    page.keyboard.press("Enter")
    answered(page)
    heard = page.evaluate("window.heard.join(' ')")
    assert re.search("Nobody else is waited for.*The council has answered", heard), heard
    expect(now).to_have_count(0)
    article = page.get_by_role("article", name="Chosen answer")
    expect(article.locator(".answer-words")).to_contain_text("Canberra")
    page.set_viewport_size({"width": 1280, "height": 800})
    article.get_by_role("button", name="Show all answers").click()
    expect(page.get_by_role("region", name="eve")).to_contain_text("not waited for")
    scripts.update(before)


def test_a_member_that_fails_names_its_reason_beside_the_others(visit: Visit):
    """One member away leaves the others' answer, and says why it gave none (W9)."""
    scripts = visit.served.provider.scripts
    before = dict(scripts)
    scripts["bob"] = Script(status=401)
    page = visit.page
    visit.go("/")
    page.get_by_role("radio", name="Maximum").click()
    ask(page, "Where does the parliament of Australia sit?")
    answered(page)
    page.get_by_role("button", name="Show all answers").click()
    column = page.get_by_role("region", name="bob")
    expect(column).to_contain_text("failed")
    expect(column.locator(".member-failure")).not_to_be_empty()
    scripts.update(before)
    page.get_by_role("radio", name="Balanced").click()


def test_what_is_said_to_be_right_is_remembered_and_enters_the_next_answer(visit: Visit):
    """What is said to be right is shown as remembered, and the chip in the next answer opens its eight bars (W9)."""
    page = visit.page
    visit.go("/")
    ask(page, "How many members does our choir have?")
    answered(page)
    page.get_by_role("button", name=re.compile("That.s wrong")).click()
    page.get_by_label("It is …").fill("53")
    page.get_by_role("button", name="Say so").click()
    card = page.locator(".memory-card").last
    expect(card).to_contain_text("53", timeout=ANSWER_S)
    answered(page)
    chip = page.locator(".memory-chip").last
    expect(chip).to_be_visible(timeout=ANSWER_S)
    chip.click()
    expect(page.get_by_role("meter")).to_have_count(8)
    assert visit.serious() == []


def test_a_reworded_question_is_asked_in_a_branch(visit: Visit):
    """Edit and ask again begins a branch that leads back; the conversation it came from stays (W9)."""
    page = visit.page
    visit.go("/")
    ask(page)
    answered(page)
    first = page.url
    page.get_by_role("button", name="Edit and ask again").first.click()
    box = page.get_by_role("textbox", name="Your question")
    expect(box).to_have_value(QUESTION)
    box.fill("What is the capital of New South Wales?")
    page.get_by_role("button", name="Ask this instead").click()
    expect(page).not_to_have_url(first)
    answered(page)
    expect(page.get_by_text("New South Wales").first).to_be_visible()
    page.get_by_role("link", name="Back to where it began").click()
    expect(page).to_have_url(re.compile(re.escape(first)))
    expect(page.locator(".question-words").first).to_have_text(QUESTION)


def test_another_answer_is_picked_and_taken_back(visit: Visit):
    """A pick is noted with its words, shown beside the answer, and undone from the toast (W9)."""
    page = visit.page
    visit.go("/")
    page.get_by_role("radio", name="High").click()
    ask(page, "Which city is the capital of Australia?")
    answered(page)
    page.get_by_role("button", name="Pick another").click()
    page.get_by_role("dialog").get_by_role("button", name="Sydney").click()
    expect(page.get_by_text("You said:")).to_be_visible()
    page.get_by_role("button", name="Undo").first.click()
    expect(page.get_by_text("You said:")).to_have_count(0)
    page.get_by_role("radio", name="Balanced").click()


def test_what_a_question_will_take_follows_who_is_asked(visit: Visit):
    """Whoever ticks one member is told what one takes, in a temporary conversation, too (spec 06, 2)."""
    page = visit.page
    visit.go("/")
    page.get_by_role("radio", name="High").click()
    expect(page.get_by_text(re.compile(r"about 5 calls"))).to_be_visible()
    page.get_by_role("button", name="5 members").click()
    page.get_by_role("checkbox", name=re.compile("ada")).check()
    page.keyboard.press("Escape")
    expect(page.get_by_text(re.compile(r"about 1 call\b"))).to_be_visible()
    page.get_by_role("switch", name="Temporary").click()
    expect(page.get_by_text(re.compile(r"about 1 call\b"))).to_be_visible()


def test_a_temporary_conversation_is_gone_when_it_is_left(visit: Visit):
    """It says that it is temporary, is not listed, and is not there after one has left it (W9)."""
    page = visit.page
    visit.go("/")
    page.get_by_role("switch", name="Temporary").click()
    ask(page, "Is this remembered?")
    answered(page)
    expect(page.get_by_text("Temporary: nothing of it is remembered.")).to_be_visible()
    left = page.url
    page.get_by_role("link", name=re.compile("^Ask . a new conversation")).first.click()
    expect(page.get_by_text("The temporary conversation was deleted.").first).to_be_visible()
    page.goto(left)
    expect(page.get_by_text("This conversation is not there.")).to_be_visible()


def test_a_draft_stays_in_its_tab(visit: Visit):
    """What is written and not sent is there after a reload, and in no storage that outlives the tab (W9)."""
    page = visit.page
    visit.go("/")
    page.get_by_role("textbox", name="Your question").fill("Half a thou")
    page.reload()
    expect(page.get_by_role("textbox", name="Your question")).to_have_value("Half a thou")
    assert "Half a thou" not in str(page.evaluate("() => JSON.stringify(localStorage)"))


def test_a_file_is_attached_shown_and_taken_back(visit: Visit, tmp_path: Path):
    """A text file is sent with its progress and can be removed; what cannot be read says why (W9)."""
    note, strange = tmp_path / "note.md", tmp_path / "strange.bin"
    note.write_text("Rehearsal is on Tuesday.")
    strange.write_bytes(b"\x00\x01\x02" * 100)
    page = visit.page
    visit.go("/")
    page.set_input_files("input[type=file]", [str(note), str(strange)])
    expect(page.locator(".file-chip").first).to_contain_text("24 B")
    expect(page.locator(".file-chip-refused")).to_contain_text("is no text")
    page.get_by_role("button", name="Remove strange.bin").click()
    page.get_by_role("button", name="Remove note.md").click()
    expect(page.locator(".file-chip")).to_have_count(0)


@pytest.fixture
def phone(served: Served, browser: Browser) -> Iterator[Visit]:
    with visiting(served, browser, viewport={"width": 390, "height": 844}, has_touch=True) as visit:
        yield visit
        assert visit.errors == []


def test_on_a_phone_members_are_tabs(phone: Visit):
    """Narrow windows show one member at a time, nothing is wider than the screen, and axe finds nothing (W9)."""
    page = phone.page
    phone.go("/")
    ask(page)
    answered(page)
    page.get_by_role("button", name="Show all answers").click()
    tabs = page.get_by_role("tab")
    expect(tabs.nth(1)).to_be_visible()
    tabs.nth(1).click()
    expect(tabs.nth(1)).to_have_attribute("aria-selected", "true")
    assert page.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth")
    assert phone.serious() == []


def test_without_any_member_a_question_says_what_to_do(dist: Path, browser: Browser, tmp_path: Path):
    """Where nobody can answer, the sentence, its remedy and another try are there, and no word is lost (W9)."""
    with serving(tmp_path / "home", {"ada": Script(status=503)}) as served, visiting(served, browser) as visit:
        visit.go("/")
        ask(visit.page, "Who wrote Faust?")
        expect(visit.page.get_by_text("Who wrote Faust?").first).to_be_visible()
        expect(visit.page.get_by_role("button", name="Ask again").first).to_be_visible(timeout=ANSWER_S)
        assert visit.errors == []
