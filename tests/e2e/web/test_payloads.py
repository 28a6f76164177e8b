"""Hostile words through the real server into the real pages: nothing of them is executed, loaded or opened (W7)."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from bench.web_harness import WATCH, payloads
from playwright.sync_api import Browser, Dialog, Page, Request, expect
from tests.e2e.web.conftest import Served, Visit, serving, visiting
from tests.e2e.web.provider import Messages, Script, wait_for

MARKED = "zebra"
"""A word by which the hostile texts are found again."""
SAMPLE = tuple({name: text for name, text in payloads() if "\x00" not in text}.values())
"""The last payload of each class."""
ALL = "\n\n".join(SAMPLE)
FILE_NAMES = ["<img src=x onerror=pwn()>.txt", '"><svg onload=pwn()>.md']
FORBIDDEN = """() => [...document.body.querySelectorAll('*')].flatMap((each) => {
  const name = each.localName;
  const bad = ['script', 'iframe', 'object', 'embed', 'base', 'link', 'meta', 'portal'].includes(name) ? [name] : [];
  for (const { name: key, value } of each.attributes) {
    if (/^on/.test(key) || ['srcdoc', 'formaction', 'ping'].includes(key)) bad.push(`${name} ${key}=${value}`);
    const leads = ['href', 'src', 'action', 'poster', 'xlink:href'].includes(key);
    if (!leads || value.startsWith('#') || /^data:image/.test(value)) continue;
    if (new URL(value, location).origin !== location.origin) bad.push(`${name} ${key}=${value}`);
  }
  return bad;
}).filter((each) => !(each === 'script' && document.querySelector('body > script')))"""


def hostile(messages: Messages) -> str:
    """Answer with a payload as the answer, and one of each class as what explains it."""
    asked = messages[-1]["content"]
    which = sum(asked.encode()) % len(SAMPLE)
    short = " ".join(SAMPLE[which].split())[:200]
    return f"{MARKED}\n\n{ALL}\nANSWER: {MARKED} {short}\nCONFIDENCE: 80\nDOMAINS: <script>pwn()</script>"


@pytest.fixture(scope="module")
def served(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server whose members write nothing but attacks; two of them differ."""
    assert dist.is_dir()
    other = Script(lambda messages: hostile(messages).replace(f"ANSWER: {MARKED}", "ANSWER: <b onclick=pwn()>no</b>"))
    scripts = {"ada": Script(hostile, rate=200), "bob": Script(hostile), "eve": other, "finn": Script(status=500)}
    with serving(tmp_path_factory.mktemp("home") / "auritas", scripts) as server:
        yield server


@dataclass
class Watched:
    """A visit, and all that a hostile text made it do."""

    visit: Visit
    requests: list[str] = field(default_factory=list)
    other: list[str] = field(default_factory=list)

    def watch(self) -> None:
        """Listen to whatever leaves the page, opens or asks."""
        page = self.visit.page
        page.context.add_init_script(WATCH)
        page.on("request", self._note)
        page.on("dialog", self._dismiss)
        page.on("popup", lambda popup: self.other.append(f"popup {popup.url}"))
        page.on("download", lambda download: self.other.append(f"download {download.url}"))

    def _dismiss(self, dialog: Dialog) -> None:
        self.other.append(f"dialog {dialog.message}")
        dialog.dismiss()

    def _note(self, request: Request) -> None:
        if not request.url.startswith((f"{self.visit.served.url}/", "data:image/", "blob:")):
            self.requests.append(request.url)

    def findings(self, place: str) -> list[str]:
        """Return what is wrong with the page as it stands."""
        page = self.visit.page
        found = [f"{place}: {each}" for each in page.evaluate(FORBIDDEN)]
        seen: list[Any] = page.evaluate("() => [window.pwned, window.violations, Object.prototype.polluted ?? null]")
        return found if seen == [0, [], None] else [*found, f"{place}: {seen}"]


@pytest.fixture
def watched(served: Served, browser: Browser) -> Iterator[Watched]:
    with visiting(served, browser) as visit:
        one = Watched(visit)
        one.watch()
        yield one


def _filled(visit: Visit) -> tuple[str, str]:
    """Put hostile words into memory, titles, notes and names; return a conversation and its question."""
    for text in SAMPLE[:12]:
        visit.api("POST", "/api/v1/memory", {"claim": f"Our {MARKED} is {' '.join(text.split())[:300]}"})
    files = [
        visit.api("POST", f"/api/v1/attachments?name={name}", f"{MARKED} {ALL}".encode())["id"] for name in FILE_NAMES
    ]
    asked = {"text": f"What is a {MARKED}? {ALL}"[:8_000], "level": "maximum", "attachments": files}
    run = visit.api("POST", "/api/v1/runs", asked)
    wait_for(lambda: visit.api("GET", f"/api/v1/runs/{run['id']}")["state"] != "running")
    done = visit.api("GET", f"/api/v1/runs/{run['id']}")
    conversation = done["conversation_id"]
    for text in SAMPLE:
        made = visit.api("POST", f"/api/v1/conversations/{conversation}/branches", {})["conversation"]["id"]
        title = " ".join(f"{MARKED} {text}".split())[:200]
        visit.api("PATCH", f"/api/v1/conversations/{made}", {"title": title})
    visit.api("PATCH", f"/api/v1/conversations/{conversation}", {"instructions": ALL[:4_000]})
    visit.api("POST", "/api/v1/projects", {"name": f"{MARKED} <img src=x onerror=pwn()>"})
    return conversation, done["query_id"]


def test_no_page_executes_or_loads_what_was_written_into_it(watched: Watched):
    """Answers, titles, memory, files and names full of attacks: on every page 0 scripts and 0 requests (W7)."""
    visit, page, found = watched.visit, watched.visit.page, []
    conversation, query = _filled(visit)
    memory = visit.api("GET", "/api/v1/memory")["items"][0]["correction"]["id"]
    addresses = [
        "/",
        f"/c/{conversation}",
        f"/c/{conversation}?why={query}",
        f"/disagreement/{query}",
        "/memory",
        f"/memory/{memory}",
        *(f"/hood/{each}" for each in ("record", "domains", "ledger", "votes", "usage", "egress", "audit")),
        *(f"/settings/{each}" for each in ("models", "about")),
    ]
    for address in addresses:
        visit.go(address)
        expect(page.get_by_role("heading", level=1)).to_be_attached()
        expect(page.locator(".skeleton")).to_have_count(0, timeout=30_000)
        page.wait_for_timeout(200)
        _opened(page)
        found += watched.findings(address)
    assert found == []
    assert (watched.requests, watched.other, visit.errors) == ([], [], [])


def _opened(page: Page) -> None:
    """Unfold what a page keeps folded, where it is there."""
    for name in ("Show all answers", "Load picture", "Details"):
        button = page.get_by_role("button", name=name)
        if button.count() > 0 and button.first.is_visible():
            button.first.click()
    chip = page.locator(".memory-chip")
    if chip.count() > 0 and page.get_by_role("dialog").count() == 0:
        chip.first.click()
        expect(page.get_by_role("meter").first).to_be_visible()
    page.wait_for_timeout(150)


def test_what_streams_in_and_what_is_found_executes_nothing(watched: Watched):
    """An answer while it is written, the proposals of a search and the toasts: 0 scripts and 0 requests (W7)."""
    page = watched.visit.page
    watched.visit.go("/")
    box = page.get_by_role("textbox", name="Your question")
    box.fill(f"Which {MARKED} lives in a zoo? {SAMPLE[0]}")
    box.press("Enter")
    expect(page.locator(".member-column").first).to_contain_text(MARKED, timeout=30_000)
    found = watched.findings("while it is written")
    expect(page.locator('[data-message^="run "]')).to_have_count(0, timeout=60_000)
    expect(page.locator(".answer .facts").last).to_be_visible(timeout=30_000)
    found += watched.findings("once it is final")
    page.keyboard.press("Control+k")
    page.get_by_role("combobox").fill(MARKED)
    expect(page.locator("[role=option] mark").first).to_be_visible(timeout=30_000)
    found += watched.findings("search")
    page.keyboard.press("Escape")
    assert found == []
    assert (watched.requests, watched.other, watched.visit.errors) == ([], [], [])
