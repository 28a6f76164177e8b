"""The page on which rendering is tested: built, served under the policy of the app, and opened in a real Chromium."""

import json
import os
import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

WEB = Path(__file__).resolve().parent.parent / "web"
PAYLOADS = WEB / "tests-render" / "payloads.json"
VITE = WEB / "node_modules" / "vite" / "bin" / "vite.js"
BROWSERS = ("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-bm9uY2U'; connect-src 'self'; "
    "img-src 'self' data: blob:; font-src 'self'; frame-src 'self'; manifest-src 'self'; worker-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; "
    "trusted-types auritas"
)
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
WATCH = """
window.pwned = 0;
window.pwn = () => { window.pwned += 1; };
window.violations = [];
document.addEventListener("securitypolicyviolation", (event) => {
  window.violations.push(`${event.violatedDirective}: ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`);
});
"""


def chromium() -> str | None:
    """Return the installed Chromium, or None."""
    wanted = os.environ.get("CHROMIUM")
    return next((path for path in (wanted, *BROWSERS) if path and Path(path).is_file()), None)


def missing() -> str | None:
    """Return what this machine lacks to show the page, or None."""
    if chromium() is None:
        return "needs Chromium: apt-get install chromium, or CHROMIUM=/path/to/it"
    if shutil.which("node") is None or not VITE.is_file():
        return "needs Node and the packages of web/: cd web && npm ci"
    return None


def payloads() -> list[tuple[str, str]]:
    """Return all payloads with the name of their class."""
    classes = json.loads(PAYLOADS.read_text())["classes"]
    return [(group["name"], text) for group in classes for text in group["payloads"]]


def build(folder: Path) -> Path:
    """Build the page into `folder`, as the app is built for its users."""
    command = ["node", str(VITE), "build", "--config", "tests-render/vite.config.ts", "--outDir", str(folder)]
    done = subprocess.run(command, cwd=WEB, capture_output=True, text=True, check=False, timeout=120)
    if done.returncode:
        raise RuntimeError(f"The test page could not be built:\n{done.stdout}\n{done.stderr}")
    return folder


class _Handler(SimpleHTTPRequestHandler):
    def end_headers(self) -> None:
        self.send_header("content-security-policy", POLICY)
        self.send_header("x-content-type-options", "nosniff")
        super().end_headers()

    def log_message(self, *_args: object) -> None:
        """Stay silent."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve `folder` on the loopback and give its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, directory=str(folder)))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(10)


@dataclass
class Harness:
    """The open page, and everything that it should not have done."""

    page: Page
    browser: Browser
    address: str
    requests: list[str] = field(default_factory=list)
    dialogs: list[str] = field(default_factory=list)
    navigations: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def watch(self) -> None:
        """Listen to all that a hostile text could make the browser do."""
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("framenavigated", lambda frame: self.navigations.append(frame.url))
        self.page.on("popup", lambda popup: self.navigations.append(f"popup {popup.url}"))
        self.page.on("dialog", self._dismiss)
        self.page.add_init_script(WATCH)

    def _dismiss(self, dialog: Any) -> None:
        self.dialogs.append(dialog.message)
        dialog.dismiss()

    def call(self, function: str, argument: Any = None) -> Any:
        """Run an arrow function in the page."""
        return self.page.evaluate(function, argument)

    @property
    def foreign_requests(self) -> list[str]:
        """Return requests for anything but the files of the page and pictures that a text carries in itself."""
        own = (self.address, "data:image/", "data:,")
        return [url for url in self.requests if not url.startswith(own)]


@contextmanager
def opened(folder: Path) -> Iterator[Harness]:
    """Open the page in `folder` in a new Chromium."""
    with served(folder) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(ARGUMENTS))
        try:
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            harness = Harness(page, browser, address)
            harness.watch()
            page.goto(address)
            page.wait_for_function("() => window.harness !== undefined")
            yield harness
        finally:
            browser.close()
