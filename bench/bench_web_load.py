"""What opening the page costs, and what axe finds on each: python bench/bench_web_load.py [openings].

The real server with scripted members, in a real Chromium. Weights are bytes as they travelled, compressed. *Can be
typed into*: milliseconds from the beginning of the navigation until the composer takes text. *Interactive*: the later
of that and the end of the last task of 50 ms or more before one second without any. Cold: a new profile, so nothing is
cached and no code compiled; warm: the same page reloaded. axe counts rules broken, by their impact.
"""

import os
import statistics
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.web_harness import ARGUMENTS, WEB, chromium, missing
from tests.e2e.web.conftest import AXE, SCRIPTS, Served, Visit, serving, visiting
from tests.e2e.web.provider import wait_for

OPENINGS = 7
QUIET_MS = 1_000
IMPACTS = ("critical", "serious", "moderate", "minor")
WIDTHS = {"wide": 1280, "phone": 390}
WATCH = """
window.composerAt = 0;
window.busyUntil = 0;
new PerformanceObserver((list) => {
  for (const task of list.getEntries()) window.busyUntil = Math.max(window.busyUntil, task.startTime + task.duration);
}).observe({type: "longtask", buffered: true});
const found = () => {
  if (!window.composerAt && document.querySelector("textarea:not([disabled])")) window.composerAt = performance.now();
};
new MutationObserver(found).observe(document, {childList: true, subtree: true, attributes: true});
"""
READY = "() => window.composerAt > 0 && performance.now() > Math.max(window.composerAt, window.busyUntil) + %d"


@dataclass(frozen=True)
class Opening:
    """One opening of the page. composer_ms, interactive_ms: since the navigation began. kinds: bytes by type."""

    composer_ms: float
    interactive_ms: float
    kinds: Counter[str]
    requests: int


class Travelled:
    """Counts the bytes of each type of file that a page fetches, as they travelled."""

    def __init__(self, session: CDPSession) -> None:
        self._types: dict[str, str] = {}
        self.bytes: Counter[str] = Counter()
        session.on("Network.responseReceived", self._began)
        session.on("Network.loadingFinished", self._ended)
        session.send("Network.enable")

    def _began(self, told: dict[str, Any]) -> None:
        self._types[told["requestId"]] = told["type"].lower()

    def _ended(self, told: dict[str, Any]) -> None:
        self.bytes[self._types.get(told["requestId"], "other")] += int(told["encodedDataLength"])

    @property
    def requests(self) -> int:
        return len(self._types)


def opening(page: Page, travelled: Travelled) -> Opening:
    """Return how the page that is being opened got ready."""
    page.wait_for_function(READY % QUIET_MS, polling=100)
    composer, busy = page.evaluate("() => [window.composerAt, window.busyUntil]")
    return Opening(composer, max(composer, busy), travelled.bytes, travelled.requests)


def openings(served: Served, browser: Browser, times: int) -> tuple[list[Opening], list[Opening]]:
    """Open the page in new profiles, and once more in each; return the cold and the warm ones."""
    cold: list[Opening] = []
    warm: list[Opening] = []
    for _ in range(times):
        # The one-time address leads away; what is measured is the page itself, in a profile that has its session.
        with visiting(served, browser) as visit:
            cookies = visit.context.cookies()
        context = browser.new_context(viewport={"width": 1280, "height": 800})
        context.add_cookies(cookies)  # type: ignore[arg-type]
        context.add_init_script(f"localStorage.setItem('auritas.welcomed', '1');{WATCH}")
        page = context.new_page()
        for kept in (cold, warm):
            travelled = Travelled(context.new_cdp_session(page))
            page.goto(served.url)
            kept.append(opening(page, travelled))
        context.close()
    return cold, warm


def faults(visit: Visit, address: str) -> Counter[str]:
    """Return how many rules of each impact a page breaks, by axe."""
    visit.go(address)
    visit.page.get_by_role("heading", level=1).wait_for(state="attached")
    visit.page.wait_for_timeout(800)
    visit.page.evaluate(f"() => {{ {AXE.read_text()} ; return 0; }}")
    found = visit.page.evaluate("async () => (await axe.run(document, {resultTypes: ['violations']})).violations")
    return Counter(each["impact"] for each in found)


def pages(served: Served, browser: Browser) -> dict[str, str]:
    """Have one question answered and return the address of each page."""
    with visiting(served, browser) as visit:
        run = visit.api("POST", "/api/v1/runs", {"text": "What is the capital of Australia?", "level": "maximum"})
        wait_for(lambda: visit.api("GET", f"/api/v1/runs/{run['id']}")["state"] != "running")
        done = visit.api("GET", f"/api/v1/runs/{run['id']}")
        visit.api("POST", "/api/v1/memory", {"claim": "Our choir has 53 members."})
    conversation = f"/c/{done['conversation_id']}"
    hood = ("record", "domains", "calibration", "votes", "reviewers", "compliance", "ledger", "routing", "usage")
    settings = ("models", "answers", "memory", "notes", "privacy", "access", "appearance", "about", "panic")
    return {
        "ask": "/",
        "conversation": conversation,
        "why": f"{conversation}?why={done['query_id']}",
        "disagreement": f"/disagreement/{done['query_id']}",
        "memory": "/memory",
        "welcome": "/welcome",
        **{f"hood/{name}": f"/hood/{name}" for name in (*hood, "egress", "audit")},
        **{f"settings/{name}": f"/settings/{name}" for name in settings},
    }


def weights(first: Opening) -> list[list[str]]:
    """Return what the first opening fetched."""
    rows = [[kind, f"{size / 1000:.1f}"] for kind, size in first.kinds.most_common()]
    return [*rows, ["together", f"{sum(first.kinds.values()) / 1000:.1f}"], ["requests", str(first.requests)]]


def times(name: str, found: Sequence[Opening]) -> list[str]:
    """Return a row: medians and the worst."""
    composer, interactive = [each.composer_ms for each in found], [each.interactive_ms for each in found]
    return [
        name,
        f"{statistics.median(composer):.0f}",
        f"{statistics.median(interactive):.0f}",
        f"{max(interactive):.0f}",
    ]


def checked(served: Served, browser: Browser) -> list[list[str]]:
    """Return what axe finds: a row a page, at both widths and in both lights."""
    addresses = pages(served, browser)
    totals = {name: Counter[str]() for name in addresses}
    for width in WIDTHS.values():
        for theme in ("light", "dark"):
            size: Any = {"width": width, "height": 844}
            with visiting(served, browser, viewport=size, color_scheme=theme, reduced_motion="reduce") as visit:
                for name, address in addresses.items():
                    totals[name] += faults(visit, address)
    return [[name, *(str(count[impact]) for impact in IMPACTS)] for name, count in totals.items()]


def show(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    table = Table(*columns, title=title)
    for row in rows:
        table.add_row(*row)
    Console().print(table)


def main(count: int) -> None:
    """Print the three tables."""
    reason = missing()
    if reason or not (WEB / "dist" / "index.html").is_file():
        print(f"bench_web_load {reason or 'needs the built page: make web'}")
        return
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder) / "auritas", SCRIPTS) as served:
        measure(served, count, load)


def measure(served: Served, count: int, load: float) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(ARGUMENTS))
        cold, warm = openings(served, browser, count)
        show("First load, kB compressed", ("what", "kB"), weights(cold[0]))
        columns = ("page", "can be typed into, ms", "interactive, ms", "worst, ms")
        show(
            f"Opening Ask (medians of {count}; load {load:.1f})",
            columns,
            [times("cold", cold), times("warm", warm)],
        )
        show("axe: rules broken at two widths, light and dark", ("page", *IMPACTS), checked(served, browser))
        browser.close()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else OPENINGS)
