"""The reasons of an answer and the page where answers are compared, as a person meets them in a browser."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.e2e.web.conftest import Served, Visit, serving, visiting
from tests.e2e.web.provider import Messages, Script, says, wait_for

CAPITAL = "What is the capital of Australia?"
GOLD = "What is the chemical symbol of gold?"
STUCK = "What do you say when you are stuck?"
SECTIONS = ["Why now", "What I saw", "What I considered", "What I chose and why", "What you can do"]
SIZES = [(1280, 800), (820, 1180), (390, 844)]


def speaks(capital: str, because: str) -> Script:
    """Return a member that differs from the others about capitals only, and is silent when asked what makes it so."""

    def text(messages: Messages) -> str:
        asked = messages[-1]["content"]
        return says("Au") if "gold" in asked else says(capital, because)

    return Script(text)


@pytest.fixture(scope="module")
def served(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server whose members disagree about capitals and agree about gold."""
    assert dist.is_dir()
    scripts = {
        "ada": speaks("Canberra", "It was **chosen** in 1908."),
        "bob": speaks("Canberra", "Parliament sits there."),
        "eve": speaks("Sydney", "It is the largest city."),
        "finn": Script(status=500),
    }
    with serving(tmp_path_factory.mktemp("home") / "auritas", scripts) as server:
        yield server


def asked(visit: Visit, text: str) -> dict[str, Any]:
    """Ask and wait; return the question as it was kept."""
    run = visit.api("POST", "/api/v1/runs", {"text": text, "level": "high"})
    wait_for(lambda: visit.api("GET", f"/api/v1/runs/{run['id']}")["state"] != "running")
    newest = visit.api("GET", "/api/v1/questions?limit=1")["items"][0]
    return visit.api("GET", f"/api/v1/questions/{newest['query_id']}")  # type: ignore[no-any-return]  # what it sends


def drawer(page: Page) -> Any:
    """Return the open drawer."""
    return page.get_by_role("dialog", name="Why?")


def test_five_sections_tell_why(visit: Visit) -> None:
    """Five sections in their order tell what was asked, seen, considered, chosen, and what can be done (W9)."""
    question = asked(visit, CAPITAL)
    visit.go(f"/?why={question['query_id']}")
    why = drawer(visit.page)
    expect(why.get_by_role("heading", level=3)).to_have_text(SECTIONS)
    expect(why.locator(".why-question")).to_have_text(CAPITAL)
    members = why.get_by_role("table", name="What each member took")
    expect(members.get_by_role("row")).to_have_count(len(question["answers"]) + 1)
    expect(members.get_by_role("row", name="finn")).to_contain_text("failed")
    chosen = why.get_by_role("region", name="What I chose and why")
    expect(chosen).to_contain_text("Canberra")
    expect(chosen).to_contain_text("no probability")
    expect(why.get_by_role("region", name="What I considered")).to_contain_text("Sydney")
    assert visit.serious() == []


def test_escape_closes_and_focus_returns(visit: Visit) -> None:
    """Enter opens the reasons, Escape closes them, and focus is on the button again (W9)."""
    question = asked(visit, CAPITAL)
    visit.go(f"/disagreement/{question['query_id']}")
    button = visit.page.get_by_role("button", name="Why?")
    button.press("Enter")
    expect(drawer(visit.page)).to_be_visible()
    assert f"why={question['query_id']}" in visit.page.url
    visit.page.keyboard.press("Escape")
    expect(drawer(visit.page)).to_have_count(0)
    expect(button).to_be_focused()
    assert "why=" not in visit.page.url


def test_a_proof_is_saved_and_verified(visit: Visit) -> None:
    """Verify says what was checked, and the saved proof is checked by the command line (W9)."""
    question = asked(visit, CAPITAL)
    visit.go(f"/?why={question['query_id']}")
    why = drawer(visit.page)
    expect(why.get_by_text("unsigned")).to_be_visible()
    why.get_by_role("button", name="Verify").click()
    checks = why.get_by_role("list", name="What was checked")
    expect(checks).to_contain_text("names these reasons and no others")
    expect(checks).to_contain_text(f"Entry {question['receipt']['seq']} is one of the first")
    expect(why.locator(".badge", has_text=re.compile(r"^signed$"))).to_be_visible()
    with visit.page.expect_download() as saved:
        why.get_by_role("button", name="Prove").click()
    assert Path(saved.value.path()).read_text().startswith("c2sp.org/tlog-proof@v1\n")
    expect(why.get_by_text(f"Saved {saved.value.suggested_filename}.")).to_be_visible()


def test_a_grade_is_given_and_taken_back_in_the_reasons(visit: Visit) -> None:
    """A grade that is given beside the reasons stands there with a way back (W9)."""
    question = asked(visit, CAPITAL)
    visit.go(f"/?why={question['query_id']}")
    why = drawer(visit.page)
    why.get_by_role("button", name="Right", exact=True).click()
    expect(why.get_by_text(re.compile("You said: the answer of (ada|bob) is right"))).to_be_visible()
    why.get_by_role("button", name="Take it back").click()
    expect(why.get_by_text("Taken back.")).to_be_visible()
    assert [each["state"] for each in visit.api("GET", f"/api/v1/questions/{question['query_id']}")["said"]] == [
        "undone"
    ]


def test_memory_that_entered_shows_its_eight_bars(visit: Visit) -> None:
    """What entered shows eight factors and why; it can be unpinned, and left out of this conversation alone (W9)."""
    kept = visit.api("POST", "/api/v1/memory", {"claim": "Answer in British English", "pinned": True})
    question = asked(visit, CAPITAL)
    visit.go(f"/?why={question['query_id']}")
    thing = drawer(visit.page).get_by_role("listitem").filter(has_text="Answer in British English")
    expect(thing.get_by_role("meter")).to_have_count(8)
    expect(thing).to_contain_text("Pinned: it enters wherever it holds.")
    thing.get_by_role("button", name="Unpin").click()
    expect(thing.get_by_role("button", name="Pin", exact=True)).to_be_visible()
    thing.get_by_role("button", name="Not here").click()
    expect(visit.page.get_by_text("Left out of this conversation.").first).to_be_visible()
    expect(thing.get_by_role("button", name="Bring back")).to_be_visible()
    assert visit.serious() == []
    here = f"/api/v1/conversations/{question['conversation_id']}/left-out"
    assert [each["id"] for each in visit.api("GET", here)["items"]] == [kept["correction"]["id"]]
    path = f"/api/v1/memory/{kept['correction']['id']}"
    assert visit.api("GET", path)["entry"]["correction"]["scope"] == "global"
    thing.get_by_role("button", name="Bring back").click()
    expect(thing.get_by_role("button", name="Not here")).to_be_visible()
    assert visit.api("GET", here)["items"] == []


def test_what_is_not_wanted_here_is_left_out_with_a_way_back(visit: Visit) -> None:
    """From its chip a remembered thing is left out of this conversation; the list of it brings it back (W9)."""
    kept = visit.api("POST", "/api/v1/memory", {"claim": "Spell as in Canada", "pinned": True})
    talk = asked(visit, CAPITAL)["conversation_id"]
    here = f"/api/v1/conversations/{talk}/left-out"
    page = visit.page
    visit.go(f"/c/{talk}")
    page.locator(".memory-chip", has_text="Spell as in Canada").click()
    page.get_by_role("button", name="Not here").click()
    expect(page.get_by_role("button", name="Bring back")).to_be_visible()
    assert [each["id"] for each in visit.api("GET", here)["items"]] == [kept["correction"]["id"]]
    page.get_by_role("button", name="Undo", exact=True).last.click()
    wait_for(lambda: visit.api("GET", here)["items"] == [])
    visit.api("PUT", f"{here}/{kept['correction']['id']}")
    visit.go(f"/c/{talk}")
    page.get_by_role("button", name="Actions for this conversation").click()
    page.get_by_role("menuitem", name="Left out here").click()
    dialog = page.get_by_role("dialog", name="Left out here")
    expect(dialog.get_by_role("listitem")).to_contain_text("Spell as in Canada")
    assert visit.serious() == []
    dialog.get_by_role("button", name="Bring back").click()
    expect(dialog.get_by_text("Nothing is left out.")).to_be_visible()
    assert visit.api("GET", here)["items"] == []


def test_a_stopped_and_an_erased_question_say_so(visit: Visit) -> None:
    """A question that was stopped tells what there is; one that is gone says so and keeps no word (W9)."""
    visit.served.provider.scripts["eve"] = Script("It", hangs=True)
    try:
        run = visit.api("POST", "/api/v1/runs", {"text": STUCK, "level": "high"})
        wait_for(lambda: any(STUCK in str(body) and body["model"] == "eve" for body in visit.served.provider.asked))
        visit.api("DELETE", f"/api/v1/runs/{run['id']}")
    finally:
        visit.served.provider.scripts["eve"] = speaks("Sydney", "It is the largest city.")
    newest = "/api/v1/questions?limit=1"
    wait_for(lambda: visit.api("GET", newest)["items"][0]["status"] == "interrupted")
    query = visit.api("GET", newest)["items"][0]["query_id"]
    visit.go(f"/?why={query}")
    why = drawer(visit.page)
    expect(why).to_contain_text("It was stopped before anything was chosen.")
    expect(why.get_by_role("region", name="What I chose and why")).to_contain_text("Nothing was chosen.")
    conversation = visit.api("GET", f"/api/v1/questions/{query}")["conversation_id"]
    visit.api("DELETE", f"/api/v1/conversations/{conversation}")
    visit.page.reload()
    expect(why).to_contain_text("This question is not here any more.")
    expect(why).not_to_contain_text(STUCK)
    visit.go(f"/disagreement/{query}")
    expect(visit.page.get_by_text("This question is not here any more")).to_be_visible()


def test_reasons_that_fail_to_load_can_be_asked_for_again(visit: Visit) -> None:
    """An error says what to do, and trying again shows the reasons (W9)."""
    question = asked(visit, CAPITAL)
    path = re.compile(rf"/api/v1/questions/{question['query_id']}$")
    refusal = '{"error": {"code": "broken", "message": "It could not be read.", "remedy": "Try it again."}}'
    visit.page.route(path, lambda route: route.fulfill(status=500, body=refusal, content_type="application/json"))
    visit.go(f"/?why={question['query_id']}")
    alert = drawer(visit.page).get_by_role("alert")
    expect(alert).to_contain_text("It could not be read.")
    expect(alert).to_contain_text("Try it again.")
    visit.page.unroute(path)
    alert.get_by_role("button", name="Try again").click()
    expect(drawer(visit.page).get_by_role("heading", name="What I considered")).to_be_visible()


def test_a_candidate_is_picked_and_taken_back(visit: Visit) -> None:
    """Candidates stand side by side, marked where they differ; a pick tells what followed and can be undone (W9)."""
    question = asked(visit, CAPITAL)
    visit.go(f"/disagreement/{question['query_id']}")
    page = visit.page
    sydney = page.get_by_role("article").filter(has=page.locator("mark", has_text="Sydney"))
    expect(page.locator("article mark")).to_have_text(["Canberra", "Sydney"])
    expect(sydney.get_by_text("In its own words")).to_be_visible()
    expect(sydney).to_contain_text("It is the largest city.")
    assert visit.serious() == []
    sydney.get_by_role("button", name="Pick this").click()
    followed = page.locator(".followed")
    expect(followed).to_contain_text('You said: "Sydney" is right.')
    expect(followed).to_contain_text("3 answers graded.")
    expect(followed).to_contain_text(re.compile(r"In .+ now: .*eve about \d+ of \d+"))
    expect(sydney).to_contain_text(re.compile(r"eve\s*right"))
    assert visit.serious() == []
    followed.get_by_role("button", name="Undo").click()
    expect(followed).to_have_count(0)


def test_both_are_wrong_or_something_else_is_right(visit: Visit) -> None:
    """Both can be wrong, and the right answer can be given in words (W9)."""
    question = asked(visit, CAPITAL)
    visit.go(f"/disagreement/{question['query_id']}")
    page = visit.page
    page.get_by_role("button", name="Both wrong").click()
    followed = page.locator(".followed")
    expect(followed).to_contain_text("You said: no answer is right.")
    followed.get_by_role("button", name="Undo").click()
    expect(followed).to_have_count(0)
    page.get_by_role("button", name="The right answer is …").press("Enter")
    box = page.get_by_label("The right answer", exact=True)
    expect(box).to_be_focused()
    box.fill("Canberra")
    page.get_by_role("button", name="Grade by it").click()
    expect(followed).to_contain_text('You said: the right answer is "Canberra".')
    expect(page.get_by_role("article").nth(0)).to_contain_text(re.compile(r"ada\s*right"))
    expect(page.get_by_role("article").nth(1)).to_contain_text(re.compile(r"eve\s*wrong"))


def test_two_candidates_are_merged(visit: Visit) -> None:
    """Candidates that say the same become one, and come apart again when that is taken back (W9)."""
    question = asked(visit, CAPITAL)
    visit.go(f"/disagreement/{question['query_id']}")
    page = visit.page
    page.get_by_role("button", name="They say the same").click()
    expect(page.get_by_text("All members agree")).to_be_visible()
    page.locator(".followed").get_by_role("button", name="Undo").click()
    expect(page.get_by_role("article")).to_have_count(2)


def test_where_all_agree_there_is_nothing_to_settle(visit: Visit) -> None:
    """Agreement is told as such, with no buttons that would settle nothing (W9)."""
    question = asked(visit, GOLD)
    visit.go(f"/disagreement/{question['query_id']}")
    expect(visit.page.get_by_text("All members agree")).to_be_visible()
    expect(visit.page.get_by_role("button", name="Pick this")).to_have_count(0)
    assert visit.serious() == []


def test_nothing_is_wider_than_its_window(served: Served, browser: Browser) -> None:
    """At three widths, light and dark, neither the reasons nor the comparison is cut off, and axe is content (W9)."""
    for scheme in ("light", "dark"):
        for width, height in SIZES:
            viewport = {"width": width, "height": height}
            with visiting(served, browser, viewport=viewport, color_scheme=scheme) as visit:
                question = asked(visit, CAPITAL) if (scheme, width) == ("light", 1280) else _newest(visit)
                visit.go(f"/disagreement/{question['query_id']}")
                expect(visit.page.get_by_role("article")).to_have_count(2)
                assert _overflow(visit.page) <= 0
                visit.page.get_by_role("button", name="Why?").click()
                expect(drawer(visit.page).get_by_role("heading", name="What you can do")).to_be_visible()
                assert _overflow(visit.page) <= 0
                assert visit.serious() == []
                assert visit.errors == []


def _newest(visit: Visit) -> dict[str, Any]:
    items = visit.api("GET", "/api/v1/questions?limit=20")["items"]
    return next(each for each in items if each["text"] == CAPITAL)


def _overflow(page: Page) -> int:
    """Return by how many pixels something is wider than its scroll container."""
    found: int = page.evaluate(
        "() => Math.max(...['html', '.shell-main', '.drawer-body'].map((name) => {"
        " const box = document.querySelector(name); return box ? box.scrollWidth - box.clientWidth : 0; }))"
    )
    return found
