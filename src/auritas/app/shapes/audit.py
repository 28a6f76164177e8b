"""Types of the audit log."""

from auritas.app.audit import Checkpoint, Entry, EntryPage, Head, Proof, Proven, Reason, Roots, check_text
from auritas.kernel.log import Kind, Level

__all__ = [
    "Checkpoint",
    "Entry",
    "EntryPage",
    "Head",
    "Kind",
    "Level",
    "Proof",
    "Proven",
    "Reason",
    "Roots",
    "check_text",
]
