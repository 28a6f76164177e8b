"""Under the hood in a real Chromium: every part shows what the server knows, and what can be done there works."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect
from tests.e2e.web.conftest import SCRIPTS, Served, Visit, serving, visiting
from tests.e2e.web.provider import Script, wait_for

SECTIONS = (
    "record",
    "domains",
    "calibration",
    "votes",
    "reviewers",
    "compliance",
    "ledger",
    "routing",
    "usage",
    "egress",
    "audit",
)
QUESTIONS = 6


@pytest.fixture(scope="module")
def graded(dist: Path, browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server whose council has answered six questions that a person has graded."""
    scripts = {name: Script(script.text) for name, script in SCRIPTS.items()}
    with serving(tmp_path_factory.mktemp("home") / "auritas", scripts) as server:
        with visiting(server, browser) as visit:
            for number in range(QUESTIONS):
                _ask(visit, f"What is the capital of Australia, for the {number + 1}. time?")
        yield server


@pytest.fixture
def hood(graded: Served, browser: Browser) -> Iterator[Visit]:
    """A page of that server. What it throws or refuses by its policy fails the test."""
    with visiting(graded, browser) as visit:
        yield visit
        assert visit.errors == []


def _ask(visit: Visit, question: str) -> None:
    run = visit.api("POST", "/api/v1/runs", {"text": question})
    ended: dict[str, Any] = {}

    def done() -> bool:
        ended.update(visit.api("GET", f"/api/v1/runs/{run['id']}"))
        return bool(ended["state"] != "running")

    wait_for(done)
    assert ended["state"] == "done", ended
    result = next(frame["data"]["result"] for frame in ended["frames"] if frame["type"] == "ask_finished")
    visit.api("POST", "/api/v1/grades", {"grade": {"kind": "key", "question": result["query_id"], "text": "Canberra"}})


@pytest.mark.parametrize("section", SECTIONS)
def test_every_part_opens_and_can_be_used_by_everybody(hood: Visit, section: str):
    """Each part has its address and a heading, axe finds nothing serious, nothing stands out of the page (W9)."""
    hood.go(f"/hood/{section}")
    expect(hood.page.get_by_role("heading", level=2)).to_be_visible()
    expect(hood.page.locator("main .skeleton")).to_have_count(0)
    expect(hood.page.locator("[aria-current=page].tab")).to_be_in_viewport()
    assert hood.serious() == []
    assert hood.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    assert hood.page.evaluate("() => document.documentElement.scrollHeight <= innerHeight")


@pytest.mark.parametrize("section", SECTIONS)
def test_every_part_fits_a_phone(graded: Served, browser: Browser, section: str):
    """At 390 pixels nothing needs scrolling sideways and the open part is in sight among the others (W9)."""
    with visiting(graded, browser, viewport={"width": 390, "height": 844}) as visit:
        visit.go(f"/hood/{section}")
        expect(visit.page.get_by_role("heading", level=2)).to_be_visible()
        expect(visit.page.locator("main .skeleton")).to_have_count(0)
        expect(visit.page.locator("[aria-current=page].tab")).to_be_in_viewport()
        assert visit.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
        assert visit.errors == []


def test_who_wants_no_motion_sees_the_charts_too(graded: Served, browser: Browser):
    """Bars have the colours of their members, not that of the ground, where motion is reduced (W9)."""
    with visiting(graded, browser, reduced_motion="reduce") as visit:
        visit.go("/hood/usage")
        expect(visit.page.locator("main .skeleton")).to_have_count(0)
        expect(visit.page.locator(".chart-bars-plot canvas")).to_be_visible()
        colours = visit.page.evaluate(
            """() => {
              const canvas = document.querySelector('.chart-bars-plot canvas');
              const points = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
              const seen = new Set();
              for (let at = 0; at < points.length; at += 4) {
                if (points[at + 3] === 255) seen.add(points.slice(at, at + 3).join());
              }
              return seen.size;
            }"""
        )
        assert colours > len(SCRIPTS)
        assert visit.errors == []


def test_a_share_and_its_interval_are_read_whole_on_a_phone(graded: Served, browser: Browser):
    """A row that is a card shows the dot and all its words, and cuts off neither (W9)."""
    with visiting(graded, browser, viewport={"width": 390, "height": 844}) as visit:
        visit.go("/hood/compliance")
        expect(visit.page.locator(".hood-share-words").first).to_be_visible()
        ends = visit.page.evaluate(
            "() => [...document.querySelectorAll('.hood-share-words')].map((each) =>"
            " each.closest('.table-frame').getBoundingClientRect().right - each.getBoundingClientRect().right)"
        )
        assert min(ends) >= 0


def test_an_address_that_is_no_part_says_so(hood: Visit):
    """A part that does not exist is no blank page (W9)."""
    hood.go("/hood/nothing")
    expect(hood.page.get_by_text("There is no page at this address.")).to_be_visible()


def test_the_record_is_sorted_by_the_header_that_is_pressed(hood: Visit):
    """Members stand by how often they are right, with an interval; keys sort by another column (W9)."""
    hood.go("/hood/record")
    table = hood.page.get_by_role("table", name="Members")
    first = table.get_by_role("row").nth(1)
    expect(table.get_by_role("row").filter(has_text="ada")).to_contain_text(re.compile(r"\d+% \(\d+.\d+%\)"))
    header = table.get_by_role("button", name="Member")
    header.focus()
    hood.page.keyboard.press("Enter")
    expect(first).to_contain_text("ada")
    hood.page.keyboard.press("Enter")
    expect(first).to_contain_text("eve")
    expect(table.get_by_role("columnheader", name="Member")).to_have_attribute("aria-sort", "descending")


def test_the_record_is_sorted_on_a_phone_where_there_are_no_headers(hood: Visit):
    """Where rows are cards, the order is chosen from a list and turned round by a button (W9)."""
    hood.page.set_viewport_size({"width": 390, "height": 844})
    hood.go("/hood/record")
    table = hood.page.get_by_role("table", name="Members")
    first = table.get_by_role("row").nth(1)
    hood.page.get_by_label("Order of Members", exact=True).select_option("By Member")
    expect(first).to_contain_text("ada")
    hood.page.get_by_role("button", name="Turn the order round").first.click()
    expect(first).to_contain_text("eve")
    assert hood.serious() == []


def test_a_score_of_ones_own_is_given_forgotten_and_taken_back(hood: Visit):
    """A public score wins when it is yours; forgetting it can be undone (W9)."""
    hood.go("/hood/record")
    page = hood.page
    page.get_by_role("button", name="Add a score").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_text("Give a percentage above 0")).to_be_visible()
    dialog.get_by_label("Model").fill("my-model")
    dialog.get_by_label("Right answers").fill("73,5")
    dialog.get_by_label("Source").fill("my own examination")
    dialog.get_by_role("button", name="Save").click()
    row = page.get_by_role("table", name="Public scores").get_by_role("row").filter(has_text="my-model")
    expect(row).to_contain_text("yours")
    row.get_by_role("button", name="Forget").click()
    expect(row).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(row).to_contain_text("my own examination")


def test_a_domain_gets_another_name_and_the_change_is_taken_back(hood: Visit):
    """A change of the tree is listed, and one press takes it back; a root offers no more than that (W9)."""
    hood.go("/hood/domains")
    page = hood.page
    page.get_by_role("button", name="Actions for history").click()
    expect(page.get_by_role("menuitem", name="Rename")).to_be_disabled()
    page.get_by_role("menuitem", name="Add a name").click()
    page.get_by_role("dialog").get_by_label("Name").fill("times past")
    page.get_by_role("dialog").get_by_role("button", name="Add").click()
    tree = page.get_by_role("list", name="The tree")
    expect(tree).to_contain_text("times past")
    page.get_by_role("button", name="Undo the newest").click()
    expect(tree).not_to_contain_text("times past")


def test_calibration_is_a_plot_and_a_table_with_what_is_missing(hood: Visit):
    """The plot has a name, the table has its numbers, and how many grades are missing is said (W9)."""
    hood.go("/hood/calibration")
    page = hood.page
    expect(page.get_by_text("until then it is a score")).to_be_visible()
    plot = page.get_by_role("img", name="Reliability plot")
    expect(plot.locator("canvas")).to_be_visible()
    expect(page.get_by_role("table", name="The same numbers").get_by_role("row")).not_to_have_count(1)
    drawn = "(canvas) => canvas.toDataURL()"
    before = plot.locator("canvas").evaluate(drawn)
    page.emulate_media(color_scheme="dark")
    wait_for(lambda: plot.locator("canvas").evaluate(drawn) != before)


def test_usage_is_read_day_by_day_with_the_keyboard(hood: Visit):
    """The bars tell each day in words by arrow keys, and the same numbers stand in a table (W9)."""
    hood.go("/hood/usage")
    page = hood.page
    chart = page.get_by_role("slider")
    expect(chart.locator("canvas")).to_be_visible()
    # Models are also called to review, and where another test has them checked as reviewers; the calculator never is.
    expect(chart).to_have_attribute("aria-valuetext", re.compile(rf"ada \d+.*calculator {QUESTIONS}\b"))
    chart.focus()
    page.keyboard.press("ArrowLeft")
    expect(chart).to_have_attribute("aria-valuetext", re.compile("nothing"))
    page.get_by_role("radio", name="Table").click()
    expect(page.get_by_role("table", name="By day")).to_contain_text(str(QUESTIONS))


def test_a_question_is_played_through_without_asking_anybody(hood: Visit):
    """The simulator names who would be asked and what supposed answers come to; no model hears of it (W9)."""
    hood.go("/hood/routing")
    page = hood.page
    asked = len(hood.served.provider.asked)
    page.get_by_role("button", name="Play it through").click()
    expect(page.get_by_text("Write a question, or choose a domain.")).to_be_visible()
    page.get_by_label("Question").fill("Who built the first bridge over the Rhine?")
    page.get_by_text("Suppose what members would say").click()
    page.get_by_label("ada says").fill("Caesar")
    page.get_by_label("How sure ada is").fill("90")
    page.get_by_role("button", name="Play it through").click()
    expect(page.get_by_text("What would be chosen")).to_be_visible()
    expect(page.locator(".hood-candidate")).to_contain_text("Caesar")
    assert len(hood.served.provider.asked) == asked


def test_reviewers_are_checked_with_progress(hood: Visit):
    """Checking is a run that tells how it ended, and the table then counts its checks (W9)."""
    hood.go("/hood/reviewers")
    page = hood.page
    page.get_by_label("Known answers each").select_option("5")
    page.get_by_role("button", name="Check ada now").click()
    expect(page.get_by_role("status").filter(has_text="ada: sensitivity")).to_be_visible(timeout=30_000)


def test_what_stays_on_this_machine_is_not_said_to_have_left(hood: Visit):
    """Requests to programs on this machine are listed, and nothing has left it (W9)."""
    hood.go("/hood/egress")
    expect(hood.page.locator(".hood-statement")).to_contain_text("Nothing has left this machine.")
    expect(hood.page.get_by_role("table", name="By host")).to_contain_text("on this machine")


def test_the_log_is_verified_an_entry_proved_and_its_proof_checked(hood: Visit):
    """Verifying ends in a verdict; a proof is saved and checks on the same page; a changed one fails (W9)."""
    hood.go("/hood/audit")
    page = hood.page
    page.get_by_role("button", name="Verify everything").click()
    expect(page.get_by_text("The log can be trusted.")).to_be_visible(timeout=30_000)
    page.get_by_label("Kind").select_option("grade")
    entry = page.get_by_role("table", name="Entries").get_by_role("row").nth(1)
    expect(entry).to_contain_text("grade")
    entry.get_by_role("button").click()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Prove").click()
    proof = Path(saved.value.path()).read_text()
    assert re.fullmatch(r"entry-\d+\.tlog-proof", saved.value.suggested_filename)
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    page.get_by_role("tab", name="Check a proof").click()
    page.get_by_label("Proof", exact=True).fill(proof)
    page.get_by_role("button", name=re.compile("^Use this")).click()
    page.get_by_role("button", name="Check", exact=True).click()
    expect(page.get_by_text("The proof holds.")).to_be_visible()
    assert json.loads(page.locator(".hood-proven").inner_text())["kind"] == "grade"
    page.get_by_label("Proof", exact=True).fill(proof.replace("index ", "index 1", 1))
    page.get_by_role("button", name="Check", exact=True).click()
    expect(page.get_by_text("The proof does not hold.")).to_be_visible()


def test_before_the_first_question_every_part_says_what_will_be_here(served: Served, visit: Visit):
    """Nothing is not an empty page: it says how there comes to be something (W9)."""
    sentences = {
        "calibration": "No graded decision to plot yet.",
        "compliance": "No answer has been judged by a rule yet.",
        "ledger": "Nobody has earned anything yet.",
        "usage": "Nobody was asked in this time.",
        "egress": "Nothing has left this machine.",
    }
    for section, sentence in sentences.items():
        visit.go(f"/hood/{section}")
        expect(visit.page.get_by_text(sentence)).to_be_visible()


def test_a_server_that_is_gone_is_said_with_what_to_do(hood: Visit):
    """Where a part cannot be read it says so and offers to try again, which then works (W9)."""
    refused = "**/api/v1/record/compliance"
    hood.page.route(refused, lambda route: route.abort())
    hood.go("/hood/compliance")
    expect(hood.page.get_by_text("Auritas does not answer.", exact=True)).to_be_visible(timeout=30_000)
    hood.page.unroute(refused)
    hood.page.get_by_role("button", name="Try again").click()
    expect(hood.page.locator("main .table, main .state:not(.state-error)")).to_be_visible()
