"""What the tools return."""

from datetime import datetime

from pydantic import BaseModel


class AnswerSaid(BaseModel):
    """An answer of the council.

    confidence: High, Medium or Uncertain, from what `basis` says; it is no probability. agreement: how many of the
    members that answered say the same. query_id, conversation_id: give the latter to ask on in the same conversation.
    """

    answer: str
    confidence: str
    basis: str
    agreement: str
    reason: str
    query_id: str
    conversation_id: str
    notices: tuple[str, ...] = ()


class Proposal(BaseModel):
    """Something that waits for the person's yes. already: it was known, or waited, in the same words."""

    id: str
    state: str
    text: str
    already: bool
    what_now: str


class RememberedThing(BaseModel):
    """Something that the person told Auritas to keep. type: fact, rule or preference, in the program's own words."""

    id: str
    text: str
    type: str


class PassageSaid(BaseModel):
    """Something that was said in a conversation. score: how near it is, in [0, 1]."""

    text: str
    said_at: datetime
    conversation_id: str
    message_id: str
    score: float


class Recalled(BaseModel):
    """What bears on the words, the nearest first. by: `meaning`, or `words` where no model for embeddings is there."""

    remembered: tuple[RememberedThing, ...]
    passages: tuple[PassageSaid, ...]
    by: str


class Verified(BaseModel):
    """What a full check of the audit log found. root: of the tree over all entries, in hexadecimal."""

    ok: bool
    entries: int
    root: str
    reason: str
    first_bad: int | None = None
