"""Types of keeping and letting go."""

from auritas.app.keeping import BackupLine, KeyState

__all__ = ["BackupLine", "KeyState"]
