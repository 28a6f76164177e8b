"""The whole story in one browser: ask, disagree, correct, restart, ask in other words, search, why, prove, erase.

It is recorded: build/e2e/story.zip holds every step with its picture, to be opened with `playwright show-trace`.
"""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.e2e.conftest import MODEL_DIR
from tests.e2e.web.conftest import Served, Visit, join, started, visiting
from tests.e2e.web.provider import Messages, Script, providing, says

ROOT = Path(__file__).resolve().parents[3]
RECORD = ROOT / "build" / "e2e" / "story.zip"
QUESTION = "How many members does our choir have?"
OTHER_WORDS = "How big is our choir?"
CANARY = "53"
ANSWER_S = 60_000


def sings(guess: str) -> Script:
    """Return a member that guesses, until it is told."""

    def text(messages: Messages) -> str:
        told = "\n".join(str(message["content"]) for message in messages)
        return says(CANARY if CANARY in told else guess, "As far as I know.")

    return Script(text)


SCRIPTS = {"ada": sings("10"), "bob": sings("10"), "eve": sings("31")}


def ask(page: Page, text: str) -> None:
    """Write a message, send it, and wait until its answer is final."""
    before = page.locator(".answer .facts").count()
    box = page.get_by_role("textbox", name="Your question")
    box.fill(text)
    box.press("Enter")
    settled(page, before + 1)


def settled(page: Page, answers: int) -> None:
    """Wait until so many answers are final and stand in their conversation."""
    expect(page.locator(".answer .facts")).to_have_count(answers, timeout=ANSWER_S)
    expect(page.get_by_role("button", name="Stop")).to_have_count(0, timeout=ANSWER_S)
    expect(page.locator('[data-message^="run "]')).to_have_count(0, timeout=ANSWER_S)


def disagree(page: Page) -> None:
    """See who says what, side by side, and go back."""
    page.get_by_role("link", name="Compare the answers").click()
    expect(page).to_have_url(re.compile("/disagreement/"))
    expect(page.get_by_role("main")).to_contain_text("31")
    page.go_back()


def correct(page: Page) -> None:
    """Say what is right; it is remembered, the wrong answers are graded, and the question is answered anew."""
    page.get_by_role("button", name=re.compile("That.s wrong")).click()
    page.get_by_label("It is …").fill(CANARY)
    page.get_by_role("button", name="Say so").click()
    expect(page.locator(".memory-card").last).to_contain_text(CANARY, timeout=ANSWER_S)
    settled(page, 2)
    expect(page.locator(".answer-words").last).to_contain_text(CANARY)


def search(page: Page) -> None:
    """Find what was said as one types, and follow it."""
    page.keyboard.press("Control+k")
    expect(page.get_by_role("combobox", name="Search everything")).to_be_focused()
    page.keyboard.type("choir")
    found = page.get_by_role("group", name="Conversations").get_by_role("option").first
    expect(found).to_contain_text("choir", timeout=ANSWER_S)
    found.click()
    expect(page).to_have_url(re.compile("/c/"))


def why_and_prove(page: Page) -> None:
    """Open the reasons of the last answer: the memory that entered stands there, and the proof holds."""
    page.get_by_role("button", name="Why?").last.click()
    why = page.get_by_role("dialog", name="Why?")
    expect(why.get_by_role("heading", level=3)).to_have_count(5)
    expect(why.get_by_role("region", name="What I saw")).to_contain_text(CANARY)
    with page.expect_download():
        why.get_by_role("button", name="Prove").click()
    why.get_by_role("button", name="Verify").click()
    expect(why.locator(".proof-verified")).to_be_visible(timeout=ANSWER_S)
    page.keyboard.press("Escape")
    expect(why).to_be_hidden()


def erase(visit: Visit) -> None:
    """Erase what was remembered; it is gone from the list, and the log still verifies."""
    page = visit.page
    visit.go("/memory")
    page.get_by_role("list", name="What is remembered").get_by_role("link", name=re.compile(CANARY)).first.click()
    page.get_by_role("region", name="One remembered thing").get_by_role("button", name="Erase").click()
    dialog = page.get_by_role("alertdialog")
    dialog.get_by_role("textbox").fill("erase")
    dialog.get_by_role("button", name="Erase for good").click()
    expect(page.get_by_text("Nothing is remembered yet.")).to_be_visible()


def first_day(served: Served, browser: Browser) -> None:
    """Ask, disagree, correct, answered anew."""
    with visiting(served, browser) as visit:
        visit.go("/")
        ask(visit.page, QUESTION)
        disagree(visit.page)
        correct(visit.page)
        assert visit.errors == []


def next_day(served: Served, browser: Browser) -> None:
    """Other words in another conversation, search, why, prove, erase; recorded."""
    with visiting(served, browser) as visit:
        visit.context.tracing.start(screenshots=True, snapshots=True)
        try:
            visit.go("/")
            ask(visit.page, OTHER_WORDS)
            expect(visit.page.locator(".answer-words").last).to_contain_text(CANARY)
            expect(visit.page.locator(".memory-chip").last).to_contain_text(CANARY)
            why_and_prove(visit.page)
            search(visit.page)
            erase(visit)
            assert visit.serious() == []
            assert visit.errors == []
        finally:
            RECORD.parent.mkdir(parents=True, exist_ok=True)
            visit.context.tracing.stop(path=RECORD)


@pytest.mark.models("small")
@pytest.mark.timeout(400)
def test_the_whole_story_holds_in_a_browser(dist: Path, browser: Browser, tmp_path: Path):
    """Corrected once in the page, it stays so after a restart and in other words, is explained, proved and erased."""
    assert dist.is_dir()
    home, models = tmp_path / "auritas", tmp_path / "models"
    models.mkdir()
    for file in Path(MODEL_DIR).glob("*minilm*"):  # meaning is found by the real embedder; the members keep to a script
        (models / file.name).symlink_to(file)
    settings = {"AURITAS_MODEL_DIR": str(models)}
    with providing(SCRIPTS) as provider:
        join(home, provider)
        with started(home, provider, settings=settings) as served:
            first_day(served, browser)
        with started(home, provider, settings=settings) as served:
            next_day(served, browser)
            assert json.loads(served.run("audit", "verify", "--json"))["ok"]
