"""The window from its first look at the home to the end of its server."""

import asyncio
import os
import signal
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from typing import Any

from auritas.app.folders import DESKTOP
from auritas.kernel.errors import AuritasError, UnavailableError
from auritas.server.desktop.instance import TRIES, NoFirstWindowError, first, shown_elsewhere
from auritas.server.desktop.process import Reached, ServerProcess, attach, server_for

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


class Stage(Enum):
    """What a person sees: the window with its own page, then the page of the server."""

    WINDOW = "window"
    APP = "app"


Reporter = Callable[[Stage], None]
"""Told at each stage, in the thread of the window."""


def run(home: Path, report: Reporter = lambda _: None) -> int:
    """Show the window of `home` until a person quits; return the exit code. Shows the first one if there is one.

    What keeps the server away is said in the window, with a way to try again. Raises NoDesktopError,
    NoFirstWindowError, and that error again if a person has quit over it.
    """
    _require_parts()
    folder = home / DESKTOP
    for _ in range(TRIES):
        with first(folder) as free:
            if free:
                return _run(home, folder, report)
        if shown_elsewhere(folder):
            return 0
    raise NoFirstWindowError


def _run(home: Path, folder: Path, report: Reporter) -> int:
    # The server starts before the window, so that both get ready at the same time.
    window = _Window(home, folder, server_for(home), report)
    try:
        os.environ |= {"QT_API": "pyside6", "PYWEBVIEW_LOG": "ERROR"}
        os.environ.setdefault("QT_LOGGING_RULES", "js=false")  # what a page says to its console may be a person's words
        window.show()
    finally:
        window.stop()
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

    def __init__(self, home: Path, folder: Path, process: ServerProcess | None, report: Reporter) -> None:
        self._home, self._folder, self._process, self._report = home, folder, process, report
        self._quitting = False
        self._stage = Stage.WINDOW
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

    def stop(self) -> None:
        """End the server, if it is ours."""
        if self._process is not None:
            self._process.stop()

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
        self._page = AppPage(native.webview, self._folder / "profile", self._again)
        self._page.page.loadFinished.connect(lambda _: self._report(self._stage))
        native.webview.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        native.webview.customContextMenuRequested.connect(self._page.menu_at)
        self._later = Later(native)
        self._tray = Tray(Wishes(self._come, self._pause, self._quit, self._look), native)
        listen(self._folder, self._called, native)
        for number in (signal.SIGINT, signal.SIGTERM):
            # The frame's own handler asks every window whether it may close, and in the tray ours says no.
            signal.signal(number, lambda *_: self._quit())
        self._reach()

    # --- the server -------------------------------------------------------------------------------------------------

    def _reach(self) -> None:
        process, home = self._process, self._home
        self._later.do(process.reached if process else lambda: attach(home), self._open, self._failed)

    def _open(self, reached: Reached) -> None:
        self._stage = Stage.APP
        self._page.open(reached.url, reached.address)
        if reached.ours and self._process is not None:
            self._later.do(self._process.ended, self._failed, self._failed)

    def _failed(self, error: AuritasError) -> None:
        if self._quitting:
            return
        self.error, self._stage = error, Stage.WINDOW
        self._page.fail(error)
        self._come()

    def _again(self) -> None:
        """Start anew, or use a server that has come up meanwhile."""
        home, failed = self._home, self._process
        self.error, self._process = None, None
        self._page.wait()

        def anew() -> ServerProcess | None:
            if failed is not None:
                failed.stop()
            return server_for(home)

        self._later.do(anew, self._begun, self._failed)

    def _begun(self, process: ServerProcess | None) -> None:
        self._process = process
        self._reach()

    # --- what a person wishes ---------------------------------------------------------------------------------------

    def _called(self) -> None:
        """Whoever starts Auritas once more wants to see it; where it had failed, they want it to try again."""
        if self.error is not None:
            self._again()
        self._come()

    def _come(self) -> None:
        if self._native.isMinimized():
            self._native.showNormal()
        self._native.show()
        self._native.raise_()
        self._native.activateWindow()

    def _pause(self, wish: bool) -> None:  # noqa: FBT001  Qt calls it
        from auritas.app import pausing

        home = self._home
        self._later.do(lambda: asyncio.run(pausing.pause(home, wish=wish)), self._paused, lambda _: self._look())

    def _look(self) -> None:
        from auritas.app import pausing

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
        if self._tray.there and self.error is None:
            self._native.hide()
            if self._place.hint_due():
                self._tray.hint()
        else:
            self._quit()
        return False
