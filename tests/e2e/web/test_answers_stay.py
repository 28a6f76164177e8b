"""An answer reads the same live, after a reload, and when others have followed it; so do conversations."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.e2e.web.conftest import Served, Visit, serving, visiting
from tests.e2e.web.provider import Script, says, wait_for

ANSWER_S = 30_000
COUNCIL = {
    "ada": Script(says("Canberra", "It was chosen in 1908."), rate=60),
    "bob": Script(says("Canberra.", "It was built as the capital."), rate=60),
    "eve": Script(says("Sydney", "It is the largest city."), rate=60),
}

COUNTS = """
window.zero = 0;
const look = () => {
  const words = document.querySelector('.members-button')?.textContent ?? '';
  if (words.includes('0 members')) window.zero += 1;
};
new MutationObserver(look).observe(document, {childList: true, subtree: true});
"""
"""Notes every state of the page in which nobody is said to be asked."""


@pytest.fixture(scope="module")
def served(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with three members, of whom one disagrees."""
    assert dist.is_dir()
    with serving(tmp_path_factory.mktemp("home") / "auritas", COUNCIL) as server:
        yield server


def ask(page: Page, text: str) -> None:
    """Write a question and send it."""
    box = page.get_by_role("textbox", name="Your question")
    box.fill(text)
    box.press("Enter")


def answered(page: Page, text: str) -> None:
    """Wait until the answer to a question is final and stands in its conversation."""
    expect(page.locator(".question-words").last).to_have_text(text, timeout=ANSWER_S)
    settled(page)


def settled(page: Page) -> None:
    """Wait until nothing runs."""
    expect(page.get_by_role("button", name="Stop")).to_have_count(0, timeout=ANSWER_S)
    expect(page.locator('[data-message^="run "]')).to_have_count(0, timeout=ANSWER_S)
    expect(page.locator(".answer .facts").last).to_be_visible(timeout=ANSWER_S)


def read(page: Page, at: int) -> dict[str, Any]:
    """Return what one answer says of itself, and what can be done with it, once that is there."""
    answer = page.locator(".answer").nth(at)
    expect(answer.get_by_role("button", name="Prove")).to_be_visible(timeout=ANSWER_S)
    return {
        "facts": answer.locator(".fact").all_inner_texts(),
        "callouts": answer.locator(".callout").all_inner_texts(),
        "chips": answer.locator(".memory-chip").all_inner_texts(),
        "acts": answer.locator(".actions").get_by_role("button").all_inner_texts(),
        "words": answer.locator(".answer-words").inner_text(),
    }


def begun(visit: Visit, text: str, **more: Any) -> str:
    """Ask by the interface, wait for the answer, and return the address of its conversation."""
    run = visit.api("POST", "/api/v1/runs", {"text": text, "level": "high"} | more)
    wait_for(lambda: visit.api("GET", f"/api/v1/runs/{run['id']}")["state"] != "running")
    return f"/c/{visit.api('GET', '/api/v1/runs/' + run['id'])['conversation_id']}"


def test_an_answer_reads_the_same_live_reloaded_last_and_older(visit: Visit):
    """Its line, what it warns of, what entered and what can be done stay, whatever is asked after it (W9)."""
    page = visit.page
    visit.go("/")
    page.get_by_role("radio", name="High").click()
    ask(page, "What is the capital of Australia?")
    expect(page.locator(".answer .facts")).to_be_visible(timeout=ANSWER_S)
    live = page.locator(".answer").locator(".fact").all_inner_texts()
    answered(page, "What is the capital of Australia?")
    last = read(page, 0)
    assert last["facts"] == live
    assert any("2 of 3 agree" in each for each in last["facts"])
    assert any("The members disagree." in each for each in last["callouts"])
    assert "Pick another" in last["acts"]
    ask(page, "And where do people surf there?")
    answered(page, "And where do people surf there?")
    assert read(page, 0) == last
    page.reload()
    expect(page.locator(".answer")).to_have_count(2)
    assert read(page, 0) == last
    page.locator(".answer").first.get_by_role("button", name="Pick another").click()
    page.get_by_role("dialog").get_by_role("button", name="Sydney").click()
    expect(page.locator(".answer").first).to_contain_text("You said:")
    said = read(page, 0)
    page.reload()
    expect(page.locator(".answer").first).to_contain_text("You said:")
    assert read(page, 0) == said
    assert not any(re.search(r"\.\.", each) for each in said["callouts"])


def test_a_correction_stands_once_where_it_was_said(visit: Visit):
    """What was remembered is told under the words that said it, before and after a reload, and under no other (W9)."""
    page = visit.page
    visit.go(begun(visit, "How many members does our choir have?"))
    settled(page)
    ask(page, "No, it is 53.")
    expect(page.locator(".memory-card")).to_have_count(1, timeout=ANSWER_S)
    answered(page, "No, it is 53.")
    expect(page.locator(".memory-card")).to_have_count(1)
    expect(page.locator(".memory-card")).not_to_contain_text("..")
    expect(page.locator(".asked-again")).to_have_text("Asked again: How many members does our choir have?")
    page.reload()
    settled(page)
    expect(page.locator(".memory-card")).to_have_count(1)
    expect(page.locator(".turn", has=page.locator(".memory-card")).locator(".question-words")).to_have_text(
        "No, it is 53."
    )
    expect(page.locator(".answer").last.locator(".memory-chip")).to_contain_text("53")


def test_the_level_of_a_conversation_is_that_of_its_last_question_until_another_is_chosen(visit: Visit):
    """A conversation goes on at its last level; one chosen by hand holds there, also after a reload (W9)."""
    page = visit.page
    one, two = begun(visit, "Is seven prime?", level="fast"), begun(visit, "Is nine prime?", level="balanced")
    visit.go(one)
    expect(page.get_by_role("radio", name="Fast")).to_be_checked()
    visit.api("PUT", "/api/v1/settings/chat_level", {"value": "maximum"})
    page.get_by_role("radio", name="High").click()
    page.reload()
    expect(page.get_by_role("radio", name="High")).to_be_checked()
    visit.go(two)
    expect(page.get_by_role("radio", name="Balanced")).to_be_checked()
    visit.go("/")
    expect(page.get_by_role("radio", name="Balanced")).to_be_checked()
    visit.api("PUT", "/api/v1/settings/chat_level", {"value": "high"})


def test_what_is_said_of_an_answer_asks_again_at_its_level(visit: Visit):
    """The level of the new page goes along into the conversation, and That's wrong asks again at it (W9)."""
    page = visit.page
    visit.go("/")
    page.get_by_role("radio", name="Fast").click()
    box = page.get_by_role("textbox", name="Your question")
    box.fill("How many rungs has our ladder?")
    box.press("Enter")
    page.wait_for_url(re.compile("/c/"))
    settled(page)
    page.evaluate("sessionStorage.clear()")
    page.reload()
    settled(page)
    expect(page.get_by_role("radio", name="Fast")).to_be_checked()
    page.get_by_role("button", name=re.compile("That.s wrong")).click()
    page.get_by_label("It is …").fill("14")
    with page.expect_request("**/api/v1/runs") as sent:
        page.get_by_role("button", name="Say so").click()
    body = sent.value.post_data_json
    assert body is not None
    assert body["level"] == "fast"


def test_a_reworded_question_is_called_after_its_words_and_marked_as_a_branch(visit: Visit):
    """The list names a branch by what it asks, its mark first; copied answers keep how sure they were and why (W9)."""
    page = visit.page
    visit.go(begun(visit, "Write a haiku about a rusty bicycle in the rain."))
    settled(page)
    original = read(page, 0)
    ask(page, "And one about the sea.")
    answered(page, "And one about the sea.")
    page.get_by_role("button", name="Edit and ask again").last.click()
    page.get_by_role("textbox", name="Your question").fill("Write a limerick about tin.")
    page.get_by_role("button", name="Ask this instead").click()
    answered(page, "Write a limerick about tin.")
    row = page.get_by_role("link", name="Branch: Write a limerick about tin.")
    expect(row).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_have_text("Write a limerick about tin.")
    expect(page.locator(".answer")).to_have_count(2)
    copied = read(page, 0)
    assert {**copied, "acts": []} == {**original, "acts": []}
    assert "Why?" in copied["acts"]
    expect(page.locator(".answer").first.get_by_role("button", name="Ask again", exact=True)).to_have_count(0)
    page.locator(".answer").first.get_by_role("button", name="Why?").click()
    expect(page.get_by_role("dialog")).to_contain_text("rusty bicycle")


def test_asking_again_gives_another_version_of_the_answer(visit: Visit):
    """The newest is shown with who gave it; the earlier is one key away and is told to whoever listens (W9)."""
    page = visit.page
    visit.go(begun(visit, "What is the capital of that country?"))
    settled(page)
    first = read(page, 0)
    page.get_by_role("button", name="Ask again", exact=True).click()
    page.get_by_role("menuitem", name="Ask eve only").click()
    versions = page.get_by_role("group", name="Versions of this answer")
    expect(versions).to_contain_text("2 / 2", timeout=ANSWER_S)
    settled(page)
    expect(page.locator(".answer")).to_have_count(1)
    expect(page.locator(".answer")).to_contain_text("eve alone was asked")
    expect(page.locator(".answer-words")).to_contain_text("Sydney")
    assert visit.serious() == []
    earlier = versions.get_by_role("button", name="Earlier version")
    earlier.focus()
    page.keyboard.press("Enter")
    expect(versions).to_contain_text("1 / 2")
    expect(earlier).to_be_focused()
    expect(page.locator("[aria-live]").filter(has_text="Version 1 of 2.")).to_have_count(1)
    assert read(page, 0) == first
    page.keyboard.press("Enter")
    expect(versions).to_contain_text("1 / 2")
    page.reload()
    expect(versions).to_contain_text("2 / 2")


def test_a_temporary_conversation_that_was_left_is_not_shown_again(visit: Visit):
    """The browser's Back finds no word of it, in this tab or in another that had it open (W9)."""
    page = visit.page
    visit.go("/")
    page.get_by_role("switch", name="Temporary").click()
    ask(page, "Where is the treasure?")
    expect(page).to_have_url(re.compile("/c/"), timeout=ANSWER_S)
    answered(page, "Where is the treasure?")
    other = visit.context.new_page()
    other.goto(page.url)
    expect(other.locator(".question-words")).to_have_text("Where is the treasure?")
    page.get_by_role("link", name="Memory").first.click()
    expect(page.get_by_text("Where is the treasure?")).to_have_count(0)
    expect(other.get_by_text("It was deleted.")).to_be_visible()
    page.go_back()
    expect(page.get_by_text("It was deleted.")).to_be_visible()
    expect(page.get_by_text("Where is the treasure?")).to_have_count(0)
    other.close()


def test_a_mark_stays_with_its_member(dist: Path, browser: Browser, tmp_path: Path):
    """A member keeps hue and shape when another joins, and none is drawn or counted before all are known (W9)."""
    assert dist.is_dir()
    with serving(tmp_path / "auritas", COUNCIL) as server, visiting(server, browser) as visit:
        page = visit.page
        page.add_init_script(COUNTS)
        visit.go("/")
        before = _marks(page, ["ada", "bob", "eve"])
        server.provider.scripts["aaron"] = COUNCIL["ada"]
        body = {"name": "aaron", "model_id": "aaron", "base_url": server.provider.url}
        visit.api("POST", "/api/v1/models", body)
        page.reload()
        after = _marks(page, ["aaron", "ada", "bob", "eve"])
        assert {seat: after[seat] for seat in before} == before
        assert len(set(after.values())) == len(after)
        assert page.evaluate("() => window.zero") == 0


def _marks(page: Page, seats: list[str]) -> dict[str, str]:
    """Return the mark of each member by its name."""
    page.locator(".members-button .member-mark").first.wait_for()
    page.locator(".members-button").click()
    choices = page.locator(".member-choice")
    expect(choices.filter(has_text=seats[-1])).to_be_visible()
    found = {}
    for seat in seats:
        mark = choices.filter(has_text=seat).locator(".member-mark").first
        found[seat] = f"{mark.get_attribute('class')} {mark.locator('path').get_attribute('d')}"
    page.keyboard.press("Escape")
    return found
