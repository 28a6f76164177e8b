"""The icon in the tray: show, pause, quit."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction, QIcon
from PySide6.QtWidgets import QApplication, QMenu, QStyle, QSystemTrayIcon

from auritas.server.static import built

if TYPE_CHECKING:
    from PySide6.QtCore import QObject

_NAME = "Auritas"
_HINT = "Auritas goes on here. Quit ends it."
_HINT_MS = 8_000


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a person may wish for at the tray. looked: they look at its menu, so that it should be true."""

    show: Callable[[], None]
    pause: Callable[[bool], None]
    quit: Callable[[], None]
    looked: Callable[[], None]


class Tray:
    """An icon with a menu; `there` says whether this desktop has a place for it."""

    def __init__(self, wishes: Wishes, parent: "QObject") -> None:
        self._icon = QSystemTrayIcon(icon(), parent)
        self._icon.setToolTip(_NAME)
        self._menu = QMenu()
        self._pause = QAction("Pause background work", self._menu)
        self._pause.setCheckable(True)
        self._pause.triggered.connect(wishes.pause)
        self._menu.addAction("Show Auritas").triggered.connect(wishes.show)
        self._menu.addAction(self._pause)
        self._menu.addSeparator()
        self._menu.addAction("Quit").triggered.connect(wishes.quit)
        self._menu.aboutToShow.connect(wishes.looked)
        self._icon.setContextMenu(self._menu)
        self._icon.activated.connect(lambda why: wishes.show() if _clicked(why) else None)
        self._icon.show()

    @property
    def there(self) -> bool:
        """Whether the icon can be seen just now."""
        return bool(QSystemTrayIcon.isSystemTrayAvailable() and self._icon.isVisible())

    def tell(self, *, paused: bool) -> None:
        """Show whether background work rests."""
        self._pause.setChecked(paused)
        self._icon.setToolTip(f"{_NAME}: background work is paused" if paused else _NAME)

    def hint(self) -> None:
        """Say once that closing the window does not end the program."""
        self._icon.showMessage(_NAME, _HINT, icon(), _HINT_MS)

    def remove(self) -> None:
        """Take the icon away."""
        self._icon.hide()


def _clicked(why: QSystemTrayIcon.ActivationReason) -> bool:
    return why in {QSystemTrayIcon.ActivationReason.Trigger, QSystemTrayIcon.ActivationReason.DoubleClick}


def icon() -> QIcon:
    """Return the program's icon; without a built page, one of the desktop's own."""
    folder = built()
    path = folder and folder / "icons" / "icon-192.png"
    if path and path.is_file():
        return QIcon(str(path))
    return QApplication.style().standardIcon(QStyle.StandardPixmap.SP_ComputerIcon)
