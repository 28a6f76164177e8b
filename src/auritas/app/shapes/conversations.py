"""Types of conversations and projects."""

from auritas.app.conversations import Form
from auritas.app.threads import AttachedFile, Behind, Branch, Noted, Stretch, Thread, ThreadMessage
from auritas.kernel.answers import Confidence, ConfidenceLabel
from auritas.memory.conversations.model import Branched, Conversation, Deleted, Loss, Project, Said, Source
from auritas.memory.documents.model import Attachment, FileKind

__all__ = [
    "AttachedFile",
    "Attachment",
    "Behind",
    "Branch",
    "Branched",
    "Confidence",
    "ConfidenceLabel",
    "Conversation",
    "Deleted",
    "FileKind",
    "Form",
    "Loss",
    "Noted",
    "Project",
    "Said",
    "Source",
    "Stretch",
    "Thread",
    "ThreadMessage",
]
