"""Every page as a person sees it: three widths, light and dark, without a fault that axe calls serious (W9).

The pictures lie in build/e2e/pictures, those last accepted beside them in `before`: a page that looks different fails,
and shows what changed, until it is looked at and accepted with PICTURES=accept. PICTURES=docs renews docs/images.
"""

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from matplotlib.image import imread, imsave
from playwright.sync_api import Browser, Page, expect
from tests.e2e.web.conftest import Served, Visit, serving, visiting
from tests.e2e.web.provider import Messages, Script, says, wait_for

ROOT = Path(__file__).resolve().parents[3]
TAKEN = ROOT / "build" / "e2e" / "pictures"
IMAGES = ROOT / "docs" / "images"
WISH = os.environ.get("PICTURES", "")
SIZES = {"wide": (1280, 800), "tablet": (820, 1180), "phone": (390, 844)}
THEMES = ("light", "dark")
DIFFERENT = 0.02
"""Share of the pixels of a page that may differ: times of day, ids, the blinking of a caret."""
NOTICED = 0.1
"""Difference of a channel, of 1, below which two pixels look the same."""
NARROWEST = {"width": 320, "height": 640}
"""The width that a page of today's size has when it is enlarged to 400 %: WCAG 2.2, criterion 1.4.10."""
VARIES = r"\d (ms|s|min)\b|\btr_[a-z0-9]{12}|[0-9a-f]{16}|[\d,.]+ (GB|MB|kB)\b"
"""Texts that no two runs share: durations, ids, digests, sizes of stores. Besides them only the log is masked."""
MARK = """(varies) => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const pattern = new RegExp(varies);
  for (const each of document.querySelectorAll('[data-varies]')) each.removeAttribute('data-varies');
  while (texts.nextNode()) {
    const { data, parentElement } = texts.currentNode;
    if (pattern.test(data)) parentElement.setAttribute('data-varies', '');
  }
}"""
WIDER = """() => ['html', '.shell-main', '.drawer-body'].map((name) => {
  const box = document.querySelector(name);
  return box ? [name, box.scrollWidth - box.clientWidth] : [name, 0];
})"""
IN_DOCS = {"conversation", "why", "memory", "record"}


def answers(capital: str, river: str, because: str) -> Script:
    """Return a member with an opinion on two questions."""

    def text(messages: Messages) -> str:
        asked = messages[-1]["content"]
        return says(river, "By length and by water.") if "river" in asked else says(capital, because)

    return Script(text)


SCRIPTS = {
    "ada": answers("Canberra", "The Murray", "Canberra was **chosen in 1908** as a compromise between two cities."),
    "bob": answers("Canberra", "The Murray", "Parliament House stands there, and the High Court."),
    "cleo": answers("Sydney", "The Darling", "It is by far the largest city."),
    "dora": answers("Canberra", "The Murray", "It was built for the purpose from 1913 on."),
}
CAPITAL = "What is the capital of Australia?"
RIVER = "Which river of Australia is the longest?"


@pytest.fixture(scope="module")
def served(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with a little history: two questions, one graded, three things remembered."""
    assert dist.is_dir()
    with serving(tmp_path_factory.mktemp("home") / "auritas", SCRIPTS) as server:
        yield server


@pytest.fixture(scope="module")
def places(served: Served, browser: Browser) -> dict[str, str]:
    """Write the history and return the address of each page."""
    with visiting(served, browser) as visit:
        for claim in ("Always use metric units.", "Our choir has 53 members.", "Answer in British English."):
            visit.api("POST", "/api/v1/memory", {"claim": claim})
        river, capital = _asked(visit, RIVER), _asked(visit, CAPITAL)
        visit.api("POST", "/api/v1/grades", {"grade": {"kind": "verdict", "question": river[1], "right": True}})
    conversation = f"/c/{capital[0]}"
    return {
        "ask": "/",
        "conversation": conversation,
        "why": f"{conversation}?why={capital[1]}",
        "disagreement": f"/disagreement/{capital[1]}",
        "memory": "/memory",
        "record": "/hood/record",
        "calibration": "/hood/calibration",
        "usage": "/hood/usage",
        "audit": "/hood/audit",
        "models": "/settings/models",
        "answers": "/settings/answers",
        "welcome": "/welcome",
    }


def _asked(visit: Visit, text: str) -> tuple[str, str]:
    run = visit.api("POST", "/api/v1/runs", {"text": text, "level": "maximum"})
    wait_for(lambda: visit.api("GET", f"/api/v1/runs/{run['id']}")["state"] != "running")
    done = visit.api("GET", f"/api/v1/runs/{run['id']}")
    return done["conversation_id"], done["query_id"]


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.timeout(240)
def test_every_page_is_whole_at_this_width_and_in_this_light(
    served: Served, places: dict[str, str], browser: Browser, size: str, theme: str
):
    """No page overflows, axe finds nothing serious, and every page looks as it did in the run before (W9)."""
    width, height = SIZES[size]
    viewport = {"width": width, "height": height}
    wrong = []
    with visiting(served, browser, viewport=viewport, color_scheme=theme, reduced_motion="reduce") as visit:
        for name, address in places.items():
            visit.go(address)
            _still(visit.page)
            wrong += _overflow(visit.page, name)
            wrong += [f"{name}: {fault}" for fault in visit.serious()]
            wrong += _looks(visit.page, f"{name}-{size}-{theme}")
        wrong += visit.errors
    assert wrong == []


def test_no_page_is_wider_than_the_narrowest_window(served: Served, places: dict[str, str], browser: Browser):
    """At 320 px, which is 1280 px enlarged to 400 %, every page is read without scrolling sideways (W9)."""
    wrong = []
    with visiting(served, browser, viewport=NARROWEST, reduced_motion="reduce") as visit:
        for name, address in places.items():
            visit.go(address)
            _still(visit.page)
            wrong += _overflow(visit.page, name)
        wrong += visit.errors
    assert wrong == []


def test_text_of_twice_the_size_is_read_on_a_phone(served: Served, places: dict[str, str], browser: Browser):
    """With text at 200 % no page of a phone is read by scrolling sideways: WCAG 2.2, criterion 1.4.4 (W9)."""
    wrong = []
    width, height = SIZES["phone"]
    with visiting(served, browser, viewport={"width": width, "height": height}, reduced_motion="reduce") as visit:
        visit.context.add_init_script(
            "addEventListener('DOMContentLoaded', () => { document.documentElement.style.fontSize = '200%'; })"
        )
        for name, address in places.items():
            visit.go(address)
            _still(visit.page)
            wrong += _overflow(visit.page, name)
        wrong += visit.errors
    assert wrong == []


def _overflow(page: Page, name: str) -> list[str]:
    """Return which scrollers of a page are wider inside than they are: the page, its content, the open drawer."""
    return [f"{name}: {box} is {wide} px too wide" for box, wide in page.evaluate(WIDER) if wide > 0]


def _still(page: Page) -> None:
    """Wait until nothing is being fetched or drawn."""
    expect(page.locator("h1").first).to_be_attached()  # a drawer may stand before it, and then it has no role
    expect(page.locator(".skeleton")).to_have_count(0, timeout=30_000)
    page.evaluate("() => document.fonts.ready.then(() => 0)")
    page.wait_for_timeout(300)


def _looks(page: Page, name: str) -> list[str]:
    """Take a picture, and return how it differs from the one before, if it does."""
    now, before = TAKEN / f"{name}.png", TAKEN / "before" / f"{name}.png"
    before.parent.mkdir(parents=True, exist_ok=True)
    page.evaluate(MARK, VARIES)
    grows = page.locator(".table-frame" if name.startswith("audit") else ".none")  # each visit adds entries to the log
    mask = [page.locator("time"), page.locator("[data-varies]"), grows]
    page.screenshot(path=now, animations="disabled", mask=mask)
    if WISH == "docs" and re.match(rf"({'|'.join(IN_DOCS)})-wide", name):
        page.screenshot(path=IMAGES / f"{name.replace('-wide', '')}.png", animations="disabled")
    if WISH == "accept" or not before.exists():
        # Only this makes a picture the measure: a page that fails once must not pass the next time by itself.
        shutil.copyfile(now, before)
        return []
    share = _difference(now, before, TAKEN / f"{name}-changed.png")
    return [f"{name}: {share:.1%} of its pixels changed; look at {TAKEN / name}*.png"] if share > DIFFERENT else []


def _difference(now: Path, before: Path, shown: Path) -> float:
    new, old = imread(now)[..., :3], imread(before)[..., :3]
    if new.shape != old.shape:
        return 1.0
    changed = np.abs(new - old).max(axis=-1) > NOTICED
    if changed.mean() > DIFFERENT:
        imsave(shown, changed, cmap="gray")
    return float(changed.mean())
