"""Examples of conversations and projects."""

from dataclasses import replace

from auritas.app.shapes.conversations import (
    AttachedFile,
    Behind,
    Branched,
    Confidence,
    ConfidenceLabel,
    Conversation,
    Deleted,
    FileKind,
    Loss,
    Project,
    Said,
    Thread,
    ThreadMessage,
)
from auritas.server.specimens import AT, numbered

CURSOR = "WyIyMDI2LTExLTIwVDE5OjMwOjAwLjAwMDAwMFoiLCIwMTliIl0"
PROJECT = Project(numbered(1), "Choir", AT, conversations=3, corrections=2, active=True)
CONVERSATION = Conversation(
    numbered(2), "How large is our choir?", AT, AT, "019b77c3", 2, project_id=PROJECT.id, project="Choir"
)
QUESTION = Behind(
    numbered(3),
    "tr_abc123def456",
    "finished",
    "high",
    Confidence(ConfidenceLabel.HIGH, "4 of 5 agree"),
    seat="smollm2",
    agree=4,
    answered=5,
    effective_votes=1.8,
    asked_in=numbered(4),
    seconds=2.4,
)
FILE = AttachedFile(numbered(7), "minutes.pdf", FileKind.TEXT, 48_213, pages=3)
ASKED = ThreadMessage(numbered(4), 1, "user", "How large is our choir?", AT, QUESTION, attachments=(FILE,))
ANSWERED = ThreadMessage(numbered(5), 2, "assistant", "53 members", AT, QUESTION, ("smollm2", "qwen"), "High", memory=1)
THREAD = Thread(CONVERSATION, (ASKED, ANSWERED))
BRANCHED = Branched(
    replace(CONVERSATION, id=numbered(6), title="How large is our choir? (branch)", branched_from=ASKED.id),
    CONVERSATION,
    Said(ASKED.id, 1, "user", ASKED.text, AT),
    ASKED.text,
)
LOSS = Loss((CONVERSATION,), messages=2, questions=1, corrections=1)
DELETED = Deleted(LOSS, entries=5, backups=2)
PROJECT_LOSS = Loss(project=PROJECT, corrections=2)
PROJECT_DELETED = Deleted(PROJECT_LOSS, entries=2, backups=2)
