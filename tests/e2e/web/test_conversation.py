"""What a person has begun, read or written in a conversation survives whatever happens to it meanwhile."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Request, Route, expect
from tests.e2e.web.conftest import SCRIPTS, Served, Visit, serving, visiting
from tests.e2e.web.provider import Messages, Script, says, wait_for

ANSWER_S = 30_000
LONG = 150
"""Messages of the conversation that was read in: three stretches of it."""
SLOW = Script(says("Canberra", "It is so, and it was so before. " * 12), rate=40)

WATCH = """
window.painted = {unanswered: 0, doubled: [], cards: 0};
const look = () => {
  const said = [...document.querySelectorAll('.question-words')].map((each) => each.textContent);
  const twice = said.filter((each, at) => said.indexOf(each) !== at);
  if (twice.length > 0) window.painted.doubled.push(...twice);
  if (document.querySelector('.failed') !== null) window.painted.unanswered += 1;
  window.painted.cards = Math.max(window.painted.cards, document.querySelectorAll('.memory-card').length);
};
new MutationObserver(look).observe(document, {childList: true, subtree: true, characterData: true});
"""
"""Notes every state of the page in which a message stands twice, or a question is called unanswered."""


@pytest.fixture(scope="module")
def served(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with members that take a second to answer."""
    assert dist.is_dir()
    with serving(tmp_path_factory.mktemp("home") / "auritas", SCRIPTS | {"ada": SLOW}) as server:
        yield server


def ask(page: Page, text: str) -> None:
    """Write a question and send it."""
    box = page.get_by_role("textbox", name="Your question")
    box.fill(text)
    box.press("Enter")


def answered(page: Page) -> None:
    """Wait until the last answer is final and stands in its conversation."""
    expect(page.get_by_role("button", name="Stop")).to_have_count(0, timeout=ANSWER_S)
    expect(page.locator(".answer .facts").last).to_be_visible(timeout=ANSWER_S)
    expect(page.locator('[data-message^="run "]')).to_have_count(0, timeout=ANSWER_S)


def begun(visit: Visit, text: str, level: str = "balanced") -> str:
    """Ask by the interface, wait for the answer, and return the address of its conversation."""
    run = visit.api("POST", "/api/v1/runs", {"text": text, "level": level})
    wait_for(lambda: visit.api("GET", f"/api/v1/runs/{run['id']}")["state"] != "running")
    done = visit.api("GET", f"/api/v1/runs/{run['id']}")
    return f"/c/{done['conversation_id']}"


def long_one(visit: Visit, title: str) -> str:
    """Read in a long conversation and return its address."""
    at = "2026-01-05T10:00:00.000000Z"
    number = sum(title.encode())
    messages = [
        {
            "id": f"019b0000-0000-7000-9000-{number * 1_000 + n:012x}",
            "role": "assistant" if n % 2 else "user",
            "at": at,
            "text": f"{title} number {n + 1}.",
        }
        for n in range(LONG)
    ]
    id_ = f"019b0000-0000-7000-8000-{number:012x}"
    one = {"id": id_, "title": title, "source": "auritas", "created_at": at, "updated_at": at, "messages": messages}
    document = {"format": "auritas-conversations", "version": 1, "exported_at": at, "conversations": [one]}
    visit.api("POST", "/api/v1/imports?name=long.json", json.dumps(document))

    def found() -> str | None:
        items = visit.api("GET", "/api/v1/conversations")["items"]
        return next((each["id"] for each in items if each["title"] == title), None)

    wait_for(found)
    return f"/c/{found()}"


def to_the_top(page: Page, first: str) -> None:
    """Scroll a conversation up until its first message is there, which loads the stretches before."""
    message = page.get_by_text(first, exact=True)
    for _ in range(200):
        page.locator(".list-scroller").evaluate("(list) => list.scrollTo(0, 0)")
        page.wait_for_timeout(50)
        if message.is_visible():
            break
    expect(message).to_be_visible()


def reads(visit: Visit) -> list[str]:
    """Return a list that grows by the query of each read of messages from now on."""
    found: list[str] = []

    def note(request: Request) -> None:
        if request.method == "GET" and re.search(r"/conversations/[^/]+/messages", request.url):
            found.append(request.url.partition("?")[2])

    visit.page.on("request", note)
    return found


def test_words_about_an_answer_outlive_its_row(visit: Visit):
    """What is typed under "That's wrong" is there when another answer becomes final meanwhile, and can be sent (W9)."""
    page = visit.page
    visit.go(begun(visit, "How many rooms has our school?"))
    answered(page)
    ask(page, "How many windows has our school?")
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    page.get_by_role("button", name=re.compile("That.s wrong")).first.click()
    page.get_by_label("It is …").fill("41")
    page.locator('[data-message^="run "]').wait_for(state="attached")
    expect(page.locator('[data-message^="run "]')).to_have_count(0, timeout=ANSWER_S)
    expect(page.get_by_label("It is …")).to_have_value("41")
    expect(page.get_by_label("It is …")).to_be_focused()
    page.get_by_role("button", name="Say so").click()
    expect(page.locator(".question-words").last).to_contain_text("41")
    answered(page)


def test_what_was_begun_is_there_after_a_rewording_was_given_up(visit: Visit, tmp_path: Path):
    """Words, files, members and level that were chosen before stay while a question is reworded and left alone (W9)."""
    note = tmp_path / "plan.md"
    note.write_text("Rehearsal is on Tuesday.")
    page = visit.page
    visit.go(begun(visit, "What is the capital of Australia?"))
    answered(page)
    page.get_by_role("textbox", name="Your question").fill("And of Austria?")
    page.set_input_files("input[type=file]", str(note))
    expect(page.locator(".file-chip")).to_contain_text("24 B")
    page.get_by_role("radio", name="Maximum").click()
    page.get_by_role("button", name="Edit and ask again").first.click()
    expect(page.get_by_role("textbox", name="Your question")).to_have_value("What is the capital of Australia?")
    expect(page.locator(".file-chip:visible")).to_have_count(0)
    assert visit.serious() == []
    page.get_by_role("button", name="Keep it as it was").click()
    expect(page.get_by_role("textbox", name="Your question")).to_have_value("And of Austria?")
    expect(page.get_by_role("textbox", name="Your question")).to_be_focused()
    expect(page.locator(".file-chip:visible")).to_have_count(1)
    expect(page.get_by_role("radio", name="Maximum")).to_be_checked()
    page.get_by_role("radio", name="Balanced").click()
    page.get_by_role("button", name="Remove plan.md").click()


def test_only_the_newest_messages_are_read_anew(visit: Visit):
    """After a question in a long conversation only its end is read again; what was read before stays in place (W6)."""
    page = visit.page
    visit.go(long_one(visit, "Bees"))
    expect(page.get_by_text(f"Bees number {LONG}.")).to_be_visible()
    to_the_top(page, "Bees number 1.")
    found = reads(visit)
    ask(page, "What do bees do in winter?")
    answered(page)
    assert found
    assert {each for each in found if "before" in each or "after" in each or "around" in each} == set()
    assert len(found) <= 4
    found.clear()
    to_the_top(page, "Bees number 1.")
    assert found == []


def test_earlier_messages_that_failed_to_load_are_asked_for_in_place(visit: Visit):
    """A failed load says so where it happened, asks once, once more for each press, and then goes on by itself (W6)."""
    page = visit.page
    address = long_one(visit, "Wasps")
    tries: list[str] = []

    def refuse(route: Route) -> None:
        tries.append(route.request.url)
        body = '{"error": {"code": "broken", "message": "It could not be read.", "remedy": ""}}'
        route.fulfill(status=503, body=body, content_type="application/json")

    earlier = re.compile(r"/messages\?.*before=")
    page.route(earlier, refuse)
    visit.go(address)
    expect(page.get_by_text(f"Wasps number {LONG}.")).to_be_visible()
    page.locator(".list-scroller").evaluate("(list) => list.scrollTo(0, 0)")
    failed = page.locator(".list-above")
    expect(failed).to_contain_text("Earlier messages could not be loaded.")
    for _ in range(6):
        page.locator(".list-scroller").evaluate("(list) => list.scrollTo(0, 600)")
        page.wait_for_timeout(60)
        page.locator(".list-scroller").evaluate("(list) => list.scrollTo(0, 0)")
        page.wait_for_timeout(60)
    assert len(tries) == 1
    assert visit.serious() == []
    failed.get_by_role("button", name="Try again").click()
    wait_for(lambda: len(tries) == 2)
    expect(failed).to_contain_text("could not be loaded")
    page.unroute(earlier)
    failed.get_by_role("button", name="Try again").click()
    expect(failed).to_be_hidden()
    to_the_top(page, "Wasps number 1.")
    assert len(tries) == 2


def test_nothing_is_painted_that_does_not_hold(visit: Visit):
    """From the first word to the answer no message stands twice, and no question is called unanswered (W9)."""
    page = visit.page
    page.add_init_script(WATCH)
    visit.go(begun(visit, "How many singers are in our choir?"))
    answered(page)
    for text in ("Our choir has 53 singers.", "How many chairs has the hall?", "No, that's wrong, it is 60."):
        ask(page, text)
        expect(page.locator(".question-words").last).to_have_text(text, timeout=ANSWER_S)
        expect(page.get_by_role("button", name="Stop")).to_have_count(0, timeout=ANSWER_S)
        expect(page.locator('[data-message^="run "]')).to_have_count(0, timeout=ANSWER_S)
    page.wait_for_timeout(500)
    painted = page.evaluate("() => window.painted")
    assert painted["cards"] > 0
    assert (painted["unanswered"], painted["doubled"]) == (0, [])
    ask(page, "How high is the hall?")
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    page.reload()
    answered(page)
    painted = page.evaluate("() => window.painted")
    assert (painted["unanswered"], painted["doubled"]) == (0, [])


def test_a_conversation_and_its_reasons_are_printed_in_black_on_white(served: Served, browser: Browser):
    """On paper stand all messages in black on white, no frame and no control; the open reasons by themselves (W9)."""
    with visiting(served, browser, color_scheme="dark") as visit:
        page = visit.page
        visit.go(long_one(visit, "Ants"))
        expect(page.get_by_text(f"Ants number {LONG}.")).to_be_visible()
        ask(page, "What do ants eat?")
        answered(page)
        assert page.locator(".list-item").count() < 40
        page.emulate_media(media="print", color_scheme="dark")
        loaded = int(page.locator(".list-item").first.get_attribute("aria-setsize") or 0)
        assert loaded > 60
        expect(page.locator(".list-item")).to_have_count(loaded)
        expect(page.get_by_text("What was said before is not in this print")).to_be_visible()
        assert _inks(page, ".question-words") == {("rgb(0, 0, 0)", "rgb(255, 255, 255)")}
        saying = ".md-link, .memory-chip, .fact-more"
        controls = f".shell-side, .bottom-bar, .conversation-composer, .list-scroller button:not({saying})"
        assert page.locator(controls).filter(visible=True).count() == 0
        heights = page.evaluate("() => [...document.querySelectorAll('.list-item')].map((each) => each.offsetTop)")
        assert heights == sorted(heights)
        assert len(set(heights)) == len(heights)
        page.emulate_media(media="screen")
        expect(page.get_by_role("textbox", name="Your question")).to_be_visible()
        page.get_by_role("button", name="Why?").last.click()
        expect(page.get_by_role("heading", name="What you can do")).to_be_visible()
        page.emulate_media(media="print")
        expect(page.locator("#root")).to_be_hidden()
        expect(page.get_by_role("heading", name="What I considered")).to_be_visible()
        assert _inks(page, ".why-question") == {("rgb(0, 0, 0)", "rgb(255, 255, 255)")}
        assert page.locator(".drawer button").filter(visible=True).count() == 0
        assert page.evaluate("() => document.querySelector('.drawer-body').scrollHeight <= document.body.scrollHeight")
        assert visit.errors == []


BROAD = """Here it is:

| river | length | a column with a long explanation |
|-------|-------:|----------------------------------|
| Murray | 2508 km | words and more words and more words |

```python
def longest(rivers: dict[str, int]) -> str:  # a line of code that is wider than any column of four
    return max(rivers, key=rivers.get)
```
"""
"""What is broader than a column: it scrolls within it."""


def test_tables_and_code_stay_within_the_column_of_their_member(dist: Path, browser: Browser, tmp_path: Path):
    """Side by side no answer lies upon the next one; on paper the columns follow one another in full width (W9)."""
    assert dist.is_dir()
    members = {name: Script(says("The Murray", BROAD)) for name in ("ada", "bob", "cleo", "dora")}
    with serving(tmp_path / "auritas", members) as server, visiting(server, browser) as visit:
        page = visit.page
        visit.go(begun(visit, "Which river is the longest?", "maximum"))
        page.get_by_role("button", name="Show all answers").click()
        expect(page.locator(".member-column")).to_have_count(4)
        sticks_out = page.evaluate(
            "() => [...document.querySelectorAll('.member-column')].map((column) =>"
            " Math.max(...[...column.querySelectorAll('p, .md-table, .md-code')].map((each) =>"
            " each.getBoundingClientRect().right)) - column.getBoundingClientRect().right)"
        )
        assert max(sticks_out) <= 1
        page.emulate_media(media="print")
        assert page.evaluate("() => getComputedStyle(document.querySelector('.member-columns')).display") == "block"
        assert visit.errors == []


def _inks(page: Page, selector: str) -> set[tuple[str, str]]:
    """Return the colour of what is selected and of the ground under it."""
    found: list[list[str]] = page.evaluate(
        "(selector) => [...document.querySelectorAll(selector)].map((each) => {"
        " const clear = 'rgba(0, 0, 0, 0)'; let under = each;"
        " while (under.parentElement && getComputedStyle(under).backgroundColor === clear) under = under.parentElement;"
        " const ground = getComputedStyle(under).backgroundColor;"
        " return [getComputedStyle(each).color, ground === clear ? 'rgb(255, 255, 255)' : ground]; })",
        selector,
    )
    return {(ink, ground) for ink, ground in found}


def test_a_stored_failure_says_what_happened_and_what_helps(visit: Visit):
    """After a reload a member that failed has a sentence and a remedy instead of a code (W9)."""
    scripts = visit.served.provider.scripts
    before = dict(scripts)

    def silent(messages: Messages) -> str:
        return "" if "river" in messages[-1]["content"] else says("Canberra")

    scripts["bob"] = Script(silent)
    scripts["cleo"] = Script(status=401)
    page = visit.page
    address = begun(visit, "Which river is the longest?", "maximum")
    scripts.update(before)
    visit.go(address)
    page.get_by_role("button", name="Show all answers").click()
    column = page.get_by_role("region", name="cleo")
    expect(column).to_contain_text("Its provider did not let us in")
    expect(column).to_contain_text("Test the model under Settings, Models.")
    expect(page.get_by_text("It ended with")).to_have_count(0)
