"""The window from its first look at the home to the end of its server."""

import asyncio
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

from auritas.app import pausing
from auritas.app.folders import DESKTOP
from auritas.app.presence import running
from auritas.kernel.errors import AuritasError, UnavailableError
from auritas.server.desktop.instance import TRIES, NoFirstWindowError, first, shown_elsewhere
from auritas.server.desktop.process import Reached, ServerProcess, attach

WIDTH, HEIGHT = 1200, 820
SMALLEST = (360, 480)
_SIGNING_OUT_MS = 250


class NoDesktopError(UnavailableError):
    """The parts that draw a window are not installed."""

    code = "no_desktop"

    def __init__(self, missing: str) -> None:
        super().__init__(
            f"The window needs {missing}, which is not installed.",
            remedy="Install the extra: pip install 'auritas[desktop]'. Or use a browser: auritas start",
        )


def run(home: Path, ready: Callable[[], None] | None = None) -> int:
    """Show the window of `home` until a person quits; return the exit code. Shows the first one if there is one.

    ready: called once, when the page of the server has loaded. Raises NoDesktopError, NoFirstWindowError, and what the
    server ended with.
    """
    _require_parts()
    folder = home / DESKTOP
    for _ in range(TRIES):
        with first(folder) as free:
            if free:
                return _run(home, folder, ready)
        if shown_elsewhere(folder):
            return 0
    raise NoFirstWindowError


def _run(home: Path, folder: Path, ready: Callable[[], None] | None) -> int:
    # It starts before the window, so that both get ready at the same time.
    process = None if running(home) else ServerProcess(home)
    try:
        os.environ |= {"QT_API": "pyside6", "PYWEBVIEW_LOG": "ERROR"}
        os.environ.setdefault("QT_LOGGING_RULES", "js=false")  # what a page says to its console may be a person's words
        window = _Window(home, folder, process, ready)
        window.show()
    finally:
        if process is not None:
            process.stop()
    if window.error is not None:
        raise window.error
    return 0


def _require_parts() -> None:
    from importlib.util import find_spec

    for part in ("PySide6", "webview", "qtpy"):
        if find_spec(part) is None:
            raise NoDesktopError(part)


class _Window:
    """One window, its tray icon and the connection of both to the server."""

    def __init__(
        self, home: Path, folder: Path, process: ServerProcess | None, ready: Callable[[], None] | None
    ) -> None:
        self._home, self._folder, self._process, self._ready = home, folder, process, ready
        self._quitting = False
        self.error: AuritasError | None = None
        self._native: Any = None

    def show(self) -> None:
        """Show the window and turn until it is closed for good."""
        import webview

        frame = webview.create_window("Auritas", html=" ", width=WIDTH, height=HEIGHT, min_size=SMALLEST)
        assert frame is not None  # noqa: S101  only a handler of ours could refuse it
        frame.events.before_show += lambda: self._furnish(frame.native)
        frame.events.closing += self._closing
        webview.start(gui="qt")

    def _furnish(self, native: Any) -> None:
        """Put our page into the frame, which hands pages a bridge to Python that ours is not to have."""
        from PySide6.QtCore import Qt
        from PySide6.QtWidgets import QApplication

        from auritas.server.desktop.instance import listen
        from auritas.server.desktop.later import Later
        from auritas.server.desktop.page import AppPage
        from auritas.server.desktop.place import Place
        from auritas.server.desktop.tray import Tray, Wishes, icon

        self._native = native
        QApplication.setDesktopFileName("auritas")
        native.setWindowIcon(icon())
        self._place = Place(self._folder)
        self._place.restore(native)
        native.webview.page().loadFinished.disconnect(native.on_load_finished)  # what would build the bridge
        self._page = AppPage(native.webview, self._folder / "profile")
        native.webview.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        native.webview.customContextMenuRequested.connect(self._page.menu_at)
        self._later = Later(native)
        self._tray = Tray(Wishes(self._come, self._pause, self._quit, self._look), native)
        listen(self._folder, self._come, native)
        for number in (signal.SIGINT, signal.SIGTERM):
            # The frame's own handler asks every window whether it may close, and in the tray ours says no.
            signal.signal(number, lambda *_: self._quit())
        self._reach()

    # --- the server -------------------------------------------------------------------------------------------------

    def _reach(self) -> None:
        process, home = self._process, self._home
        self._later.do(process.reached if process else lambda: attach(home), self._open, self._failed)

    def _open(self, reached: Reached) -> None:
        if self._ready is not None:
            self._page.page.loadFinished.connect(lambda _: self._is_ready())
        self._page.open(reached.url, reached.address)
        if reached.ours and self._process is not None:
            self._later.do(self._process.ended, lambda _: self._server_ended(), self._failed)

    def _is_ready(self) -> None:
        ready, self._ready = self._ready, None
        if ready is not None:
            ready()

    def _server_ended(self) -> None:
        if not self._quitting:
            ended = "The server of this window has ended."
            self._failed(UnavailableError(ended, remedy="Start Auritas again; nothing that was confirmed is lost."))

    def _failed(self, error: AuritasError) -> None:
        from PySide6.QtWidgets import QMessageBox

        self.error = error
        self._come()
        QMessageBox.critical(self._native, "Auritas", f"{error.message}\n\n{error.remedy}".strip())
        self._quit()

    # --- what a person wishes ---------------------------------------------------------------------------------------

    def _come(self) -> None:
        if self._native.isMinimized():
            self._native.showNormal()
        self._native.show()
        self._native.raise_()
        self._native.activateWindow()

    def _pause(self, wish: bool) -> None:  # noqa: FBT001  Qt calls it
        home = self._home
        self._later.do(lambda: asyncio.run(pausing.pause(home, wish=wish)), self._paused, lambda _: self._look())

    def _look(self) -> None:
        home = self._home
        self._later.do(lambda: asyncio.run(pausing.paused(home)), self._paused, lambda _: self._paused(now=False))

    def _paused(self, now: bool) -> None:  # noqa: FBT001  called with a result
        self._tray.tell(paused=now)

    def _quit(self) -> None:
        from PySide6.QtCore import QTimer

        if self._quitting:
            return
        self._quitting = True
        self._page.sign_out()
        QTimer.singleShot(_SIGNING_OUT_MS, self._native.close)

    def _closing(self) -> bool:
        """Keep the window's place; return whether it may close, or False where it goes on in the tray."""
        self._place.keep(self._native)
        if self._quitting:
            self._tray.remove()
            return True
        if self._tray.there:
            self._native.hide()
            if self._place.hint_due():
                self._tray.hint()
        else:
            self._quit()
        return False
