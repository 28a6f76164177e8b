"""What the page may do in the window: stay on its server, save files where a person says, and open links outside."""

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QStandardPaths, Qt, QUrl
from PySide6.QtGui import QAction, QColor, QDesktopServices, QGuiApplication
from PySide6.QtWebEngineCore import (
    QWebEngineDownloadRequest,
    QWebEngineNavigationRequest,
    QWebEngineNewWindowRequest,
    QWebEnginePage,
    QWebEngineProfile,
    QWebEngineSettings,
)
from PySide6.QtWidgets import QFileDialog, QMenu

from auritas.server.desktop.opening import AGAIN, GROUND, GROUND_BY_NIGHT, opening, trouble

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QObject, QPoint
    from PySide6.QtWebEngineWidgets import QWebEngineView

    from auritas.kernel.errors import AuritasError

_OUTSIDE = frozenset({"http", "https", "mailto"})
"""Schemes that are handed to the system; a link can start no other program."""
_OWN = frozenset({"about", "blob", "data"})
_EDITING = (
    QWebEnginePage.WebAction.Cut,
    QWebEnginePage.WebAction.Copy,
    QWebEnginePage.WebAction.Paste,
    QWebEnginePage.WebAction.SelectAll,
)
_SIGN_OUT = "fetch('/api/v1/me', {method: 'DELETE', keepalive: true}); 0"


def profile_in(folder: Path, parent: "QObject") -> QWebEngineProfile:
    """Return a profile that keeps the page's choices in `folder`; cookies and cache live in memory alone."""
    profile = QWebEngineProfile("auritas", parent)
    profile.setPersistentStoragePath(str(folder))
    profile.setCachePath(str(folder))
    profile.setHttpCacheType(QWebEngineProfile.HttpCacheType.MemoryHttpCache)
    profile.setPersistentCookiesPolicy(QWebEngineProfile.PersistentCookiesPolicy.NoPersistentCookies)
    settings = profile.settings()
    settings.setAttribute(QWebEngineSettings.WebAttribute.LocalContentCanAccessFileUrls, False)  # noqa: FBT003  Qt
    settings.setAttribute(QWebEngineSettings.WebAttribute.JavascriptCanAccessClipboard, True)  # noqa: FBT003  Qt
    return profile


class AppPage:
    """The page in a view: our own at first, and that of one server from `open` on.

    again: called when a person wants to try again, which our own page offers after `fail`.
    """

    def __init__(self, view: "QWebEngineView", folder: Path, again: "Callable[[], None]") -> None:
        self._view, self._again = view, again
        self._server: QUrl | None = None
        self._profile = profile_in(folder, view.window())
        self.page = QWebEnginePage(self._profile, view)
        self.page.navigationRequested.connect(self._navigate)
        self.page.urlChanged.connect(self._arrived)
        self.page.newWindowRequested.connect(self._open_window)
        self._profile.downloadRequested.connect(self._save)
        self.page.setBackgroundColor(QColor(GROUND_BY_NIGHT if _by_night() else GROUND))
        view.setPage(self.page)
        self.wait()

    def wait(self) -> None:
        """Say that the server is being started."""
        self._own(opening())

    def fail(self, error: "AuritasError") -> None:
        """Say why there is no server, and offer to try again."""
        self._own(trouble(error))

    def _own(self, html: str) -> None:
        self._server = None
        self.page.setHtml(html)

    def open(self, url: str, address: str) -> None:
        """Stay on the server at `url` from now on, and begin with `address`."""
        self._server = QUrl(url)
        self.page.load(QUrl(address))

    def sign_out(self) -> None:
        """End the session of this window."""
        if self._server is not None:
            self.page.runJavaScript(_SIGN_OUT)

    def menu_at(self, place: "QPoint") -> None:
        """Show what can be done with the text at a place."""
        menu = QMenu(self._view)
        for action in (self.page.action(each) for each in _EDITING):
            if isinstance(action, QAction) and action.isEnabled():
                menu.addAction(action)
        if menu.actions():
            menu.exec(self._view.mapToGlobal(place))

    def _within(self, url: QUrl) -> bool:
        if url.scheme() in _OWN:
            return True
        return self._server is not None and _origin(url) == _origin(self._server)

    def _arrived(self, url: QUrl) -> None:
        if self._server is None and url.toString() == AGAIN:
            self._again()

    def _navigate(self, request: QWebEngineNavigationRequest) -> None:
        # The page opens addresses outside in new windows, once a person has confirmed them: nothing else leads away.
        if self._within(request.url()):
            request.accept()
        else:
            request.reject()

    def _open_window(self, request: QWebEngineNewWindowRequest) -> None:
        """Open in the system's browser what a person wanted in a new window: the page has asked them before."""
        url = request.requestedUrl()
        if self._within(url):
            self.page.load(url)
        elif request.isUserInitiated():
            open_outside(url)

    def _save(self, download: QWebEngineDownloadRequest) -> None:
        wish = _downloads() / Path(download.suggestedFileName()).name
        chosen, _ = QFileDialog.getSaveFileName(self._view.window(), "Save", str(wish))
        if not chosen:
            download.cancel()
            return
        download.setDownloadDirectory(str(Path(chosen).parent))
        download.setDownloadFileName(Path(chosen).name)
        download.accept()


def open_outside(url: QUrl) -> None:
    """Hand an address to the system's browser or mail program; any other scheme is left alone."""
    if url.scheme() in _OUTSIDE:
        QDesktopServices.openUrl(url)


def _by_night() -> bool:
    return QGuiApplication.styleHints().colorScheme() is Qt.ColorScheme.Dark


def _downloads() -> Path:
    folder = Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DownloadLocation))
    return folder if folder.is_dir() else Path.home()


def _origin(url: QUrl) -> tuple[str, str, int]:
    return (url.scheme(), url.host(), url.port())
