"""The real server with scripted members behind it, opened in a real Chromium as a person opens it."""

import asyncio
import fcntl
import json
import os
import re
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import Any

import pytest
from bench.web_harness import ARGUMENTS, WEB, chromium, missing
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from tests.e2e.web.provider import Provider, Script, providing, says

REQUIRED = os.environ.get("NEEDS_BROWSER") == "required"
AXE = WEB / "node_modules" / "axe-core" / "axe.min.js"
START_S = 60
ENDED = ""
"""What stands in place of a line once there are no more."""
DIST = WEB / "dist"
SOURCES = ("src", "public", "index.html", "package.json", "vite.config.ts")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep what needs a browser together: one worker starts it, and the machine has few cores."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.xdist_group("chromium"))
            item.add_marker(pytest.mark.timeout(180))


@pytest.fixture(scope="session")
def dist() -> Path:
    """Return the built page; it is built once where it is older than its sources. Skips where that cannot be."""
    reason = missing()
    if reason and not REQUIRED:
        pytest.skip(reason)
    assert reason is None, reason
    with (Path(tempfile.gettempdir()) / "auritas-web-build.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if _stale():
            done = subprocess.run(["npm", "run", "build"], cwd=WEB, capture_output=True, text=True, check=False)
            assert done.returncode == 0, f"The page could not be built:\n{done.stdout}\n{done.stderr}"
    return DIST


def _stale() -> bool:
    index = DIST / "index.html"
    if not index.is_file():
        return True
    roots = [WEB / name for name in SOURCES]
    files = [path for root in roots for path in ([root] if root.is_file() else root.rglob("*")) if path.is_file()]
    return max(path.stat().st_mtime for path in files) > index.stat().st_mtime


@dataclass
class Served:
    """A running server. home: its data folder; members: names by which the provider's models were added."""

    process: "subprocess.Popen[str]"
    home: Path
    url: str
    one_time: str
    provider: Provider
    environment: dict[str, str]

    def run(self, *words: str) -> str:
        """Run a command on the same home and return what it says."""
        command = [sys.executable, "-m", "auritas", *words]
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, check=False, timeout=120)
        assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
        return done.stdout

    def address(self) -> str:
        """Return a new address that lets one browser in, once: what `auritas open` asks for."""
        token = (self.home / "server.token").read_text(encoding="ascii").strip()
        headers = {"authorization": f"Bearer {token}", "content-type": "application/json"}
        asked = urllib.request.Request(f"{self.url}/api/v1/handover", b"{}", headers)  # noqa: S310  our own server
        with urllib.request.urlopen(asked, timeout=30) as answer:  # noqa: S310  as above
            return f"{self.url}{json.load(answer)['path']}"


@contextmanager
def serving(
    home: Path, scripts: dict[str, Script], *, settings: dict[str, str] | None = None, port: int | None = None
) -> Iterator[Served]:
    """Serve `home` with a council of scripted members until the block ends."""
    with providing(scripts) as provider:
        join(home, provider)
        with started(home, provider, settings=settings, port=port) as served:
            yield served


@contextmanager
def started(
    home: Path, provider: Provider, *, settings: dict[str, str] | None = None, port: int | None = None
) -> Iterator[Served]:
    """Start the server of a home whose members have joined, and stop it when the block ends."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith("AURITAS_")}
    environment = clean | {"AURITAS_HOME": str(home), "BROWSER": "true", "PYTHONUNBUFFERED": "1"}
    environment |= {"AURITAS_MODEL_DIR": str(home / "models")} | (settings or {})
    command = [sys.executable, "-m", "auritas", "serve", "--no-open", "--port", str(port or free_port())]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        one_time = _announced(process)
        yield Served(process, home, one_time.split("/open")[0], one_time, provider, environment)
    finally:
        process.terminate()
        process.wait(20)


def free_port() -> int:
    """Return a port that is free now."""
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def join(home: Path, provider: Provider) -> None:
    """Let every model of a provider take part in the council of a home."""
    from auritas.app.compose import opened
    from auritas.app.models import Addition

    with opened(home=home) as auritas:
        for name in provider.scripts:
            auritas.remote.add(Addition(name, base_url=provider.url))


def _announced(process: "subprocess.Popen[str]") -> str:
    """Return the one-time address from what the server prints; its output is read to the end, so it never blocks."""
    lines: Queue[str] = Queue()
    output = process.stdout
    assert output is not None

    def read() -> None:
        for line in output:
            lines.put(line)
        lines.put(ENDED)

    Thread(target=read, daemon=True).start()
    told = ""
    while True:
        try:
            line = lines.get(timeout=START_S)
        except Empty:
            raise AssertionError(f"The server did not begin:\n{told}") from None
        assert line != ENDED, f"The server ended:\n{told}"
        told += line
        found = re.search(r"(http://\S+/open\S*)", told)
        if found:
            return found[1]


SCRIPTS = {
    "ada": Script(says("Canberra", "The capital of Australia is **Canberra**, chosen in 1908."), rate=60),
    "bob": Script(says("Canberra.", "It was built as the capital."), rate=60),
    "cleo": Script(says("Canberra", "Parliament sits there."), rate=60),
    "eve": Script(says("Sydney", "It is the largest city."), rate=60),
}


@pytest.fixture(scope="module")
def served(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server of this module's own with four members: three say Canberra, one says Sydney."""
    with serving(tmp_path_factory.mktemp("home") / "auritas", SCRIPTS) as server:
        yield server


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(ARGUMENTS))
        driver = asyncio._get_running_loop()
        yield browser
        asyncio._set_running_loop(driver)  # the last test of all may be one without a browser
        browser.close()


@dataclass
class Visit:
    """A page open in a browser that was let in, and everything that went wrong in it."""

    page: Page
    context: BrowserContext
    served: Served
    errors: list[str] = field(default_factory=list)

    def go(self, path: str) -> None:
        """Open an address of the app."""
        self.page.goto(f"{self.served.url}{path}")

    def api(self, method: str, path: str, body: Any = None) -> Any:
        """Call the interface as this browser."""
        origin = {"origin": self.served.url}
        answer = self.context.request.fetch(f"{self.served.url}{path}", method=method, data=body, headers=origin)
        assert answer.ok, f"{method} {path}: {answer.status} {answer.text()}"
        return answer.json() if answer.text() else None

    def serious(self) -> list[str]:
        """Return what axe calls serious or critical on the page as it stands."""
        # The policy of the page allows no foreign script: it is evaluated outside of it, as a debugger does.
        self.page.evaluate(f"() => {{ {AXE.read_text()} ; return 0; }}")
        found = self.page.evaluate("async () => (await axe.run(document, {resultTypes: ['violations']})).violations")
        return [
            f"{each['id']}: {node['target']} {node['failureSummary']}"
            for each in found
            if each["impact"] in {"serious", "critical"}
            for node in each["nodes"]
        ]


@pytest.fixture
def visit(served: Served, browser: Browser) -> Iterator[Visit]:
    """A page at 1280x800, let in by a one-time address. What it throws or refuses by its policy fails the test."""
    with visiting(served, browser) as visit:
        yield visit
        assert visit.errors == []


@contextmanager
def visiting(served: Served, browser: Browser, *, welcomed: bool = True, **options: Any) -> Iterator[Visit]:
    """Open a browser profile of its own and let it in. welcomed: the page of the first run was shown in it before."""
    context = browser.new_context(**({"viewport": {"width": 1280, "height": 800}} | options))
    if welcomed:
        context.add_init_script("localStorage.setItem('auritas.welcomed', '1')")
    page = context.new_page()
    visit = Visit(page, context, served)
    page.on("pageerror", lambda error: visit.errors.append(str(error)))
    page.on("console", lambda message: _note(visit, message.type, message.text))
    try:
        page.goto(served.address())
        yield visit
    finally:
        context.close()


def _note(visit: Visit, kind: str, text: str) -> None:
    if kind == "error" and ("Content Security Policy" in text or "Trusted" in text):
        visit.errors.append(text)
