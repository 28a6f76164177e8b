"""Types of what is remembered, and of notes and recovery prompts."""

from auritas.app.memory_files import Imported
from auritas.app.memory_views import Confirmed, Detail, Entry, Erased, Foreseen, Reason, Telling, WhyUsed
from auritas.app.notes import NoteView, PendingView
from auritas.app.recovery import RecoveryView
from auritas.app.remembered import Alike, Application, Origin, Remembered, RememberedPage, Wanted
from auritas.memory.adapters.repeats_sql import Repeated
from auritas.memory.adapters.used_sql import Entered, Weighed
from auritas.memory.history import Change, Happened
from auritas.memory.model import CLAIM_CHARACTERS, Kept, Steered, Undone
from auritas.memory.notes.model import Pending, Trigger
from auritas.memory.recovery.model import RecoveryPrompt

__all__ = [
    "CLAIM_CHARACTERS",
    "Alike",
    "Application",
    "Change",
    "Confirmed",
    "Detail",
    "Entered",
    "Entry",
    "Erased",
    "Foreseen",
    "Happened",
    "Imported",
    "Kept",
    "NoteView",
    "Origin",
    "Pending",
    "PendingView",
    "Reason",
    "RecoveryPrompt",
    "RecoveryView",
    "Remembered",
    "RememberedPage",
    "Repeated",
    "Steered",
    "Telling",
    "Trigger",
    "Undone",
    "Wanted",
    "Weighed",
    "WhyUsed",
]
