"""The home, and the folders in it that hold more than the store."""

import os
from contextlib import suppress
from pathlib import Path

import platformdirs

PEOPLE = "people"
"""The other persons' stores."""
UPLOADS = "uploads"
"""Files that a page sends, while they are read."""
DESKTOP = "desktop"
"""What the window keeps: its place, and the choices of the page."""


def default_home() -> Path:
    """Return the data folder: AURITAS_HOME, or the platform's place for user data."""
    return Path(os.environ.get("AURITAS_HOME") or platformdirs.user_data_dir("auritas", appauthor=False))


def sweep_uploads(home: Path) -> int:
    """Remove the files that a process that died has left; return how many files are gone.

    Only whoever serves the home may call this, and before it takes the first file.
    """
    folder = home / UPLOADS
    if not folder.is_dir():
        return 0
    return sum(_removed(path) for path in folder.iterdir())


def _removed(path: Path) -> bool:
    with suppress(OSError):
        path.unlink()
        return True
    return False
