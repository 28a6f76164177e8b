"""Types of keeping and letting go."""

from auritas.app.keeping import BackupLine, KeyState
from auritas.store.envelope import WrongPassphraseError

__all__ = ["BackupLine", "KeyState", "WrongPassphraseError"]
