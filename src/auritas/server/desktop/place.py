"""Where the window was, and what was said once; kept as a small file beside the store."""

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QSettings

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

FILE = "window.ini"
_GEOMETRY, _HINTED = "geometry", "hinted"


class Place:
    """Remembers size, position and the hint about the tray. After a wipe of the home it keeps nothing."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def restore(self, window: "QWidget") -> None:
        """Put a window where it was, moved onto a screen that is there."""
        kept = self._kept().value(_GEOMETRY)
        if isinstance(kept, QByteArray):
            window.restoreGeometry(kept)

    def keep(self, window: "QWidget") -> None:
        """Remember where a window is."""
        self._write(_GEOMETRY, window.saveGeometry())

    def hint_due(self) -> bool:
        """Whether the hint was never shown; from now on it was."""
        due = self._kept().value(_HINTED) is None
        if due:
            self._write(_HINTED, 1)
        return due

    def _write(self, name: str, value: object) -> None:
        if self._folder.is_dir():
            kept = self._kept()
            kept.setValue(name, value)
            kept.sync()

    def _kept(self) -> QSettings:
        return QSettings(str(self._folder / FILE), QSettings.Format.IniFormat)
