"""Examples of what is remembered, of notes and of recovery prompts."""

from dataclasses import replace

from auritas.app.shapes.memory import (
    Alike,
    Application,
    Change,
    Confirmed,
    Entry,
    Foreseen,
    Happened,
    Imported,
    Kept,
    NoteView,
    Origin,
    Pending,
    PendingView,
    Reason,
    RecoveryPrompt,
    RecoveryView,
    RememberedPage,
    Steered,
    Trigger,
    Undone,
    Weighed,
    WhyUsed,
)
from auritas.kernel.memory import (
    Correction,
    CorrectionState,
    CorrectionType,
    Factors,
    HandoffNote,
    Passage,
    Provenance,
    Scope,
    UseReason,
)
from auritas.server.specimens import AT, numbered

CORRECTION = Correction(
    numbered(10),
    CorrectionType.FACT,
    Scope.GLOBAL,
    CorrectionState.ACTIVE,
    Provenance.USER_EXPLICIT,
    "Our choir has 53 members",
    AT,
    subject="our choir",
    canonical_query="How large is our choir?",
)
OLDER = replace(
    CORRECTION,
    id=numbered(11),
    claim="Our choir has 50 members",
    state=CorrectionState.SUPERSEDED,
    superseded_by=CORRECTION.id,
)
ENTRY = Entry(CORRECTION, times=3, short="019b77c3-5a10")
PAGE = RememberedPage((ENTRY,), next=ENTRY.correction.id, total=12)
ORIGIN = Origin(numbered(4), numbered(2))
CREATED = Happened(CORRECTION.id, Change.CREATED, numbered(12), AT)
KEPT = Kept(CORRECTION, numbered(12), replaced=(OLDER,))
CONFIRMED = Confirmed(KEPT, "the answer is wrong", CORRECTION.canonical_query)
UNDONE = Undone("created", CORRECTION, restored=(replace(OLDER, state=CorrectionState.ACTIVE, superseded_by=None),))
FORESEEN = Foreseen(CorrectionType.FACT, Scope.GLOBAL, "", already=False, replaces=(CORRECTION,), resembles=())
STEERED = Steered(CORRECTION, numbered(14))
FACTORS = Factors(0.82, 0.9, 1.0, 0.6, 1.0, 0.0, 0.0, 0.05)
WHY = WhyUsed(
    numbered(3),
    numbered(13),
    "smollm2",
    "How large is our choir?",
    (Reason(Weighed(CORRECTION.id, FACTORS, 0.71, injected=True, reason=UseReason.RELEVANT, tokens=9), CORRECTION),),
    (Passage(numbered(5), numbered(2), "We rehearse on Tuesdays.", AT, 0.64),),
    (),
)
APPLICATION = Application(numbered(3), numbered(2), "How large is our choir?", AT, 0.71)
ALIKE = Alike(CORRECTION, replace(OLDER, state=CorrectionState.ACTIVE, superseded_by=None), 0.91)
IMPORTED = Imported(2, 1, (OLDER,), ("entry 4: it has no claim",))
NOTE = NoteView(
    HandoffNote(numbered(20), numbered(2), "smollm2", "Goal: plan the choir's concert.", 42, 1, AT, "manual", 58),
    "How large is our choir?",
    valid=True,
)
PENDING = PendingView(Pending(numbered(2), "smollm2", Trigger.MESSAGES, AT), "How large is our choir?", may_write=True)
RECOVERY = RecoveryView(
    "smollm2",
    local=True,
    prompt=RecoveryPrompt("smollm2", "You sing in a choir of 53.", AT, "5f2b"),
    stale=False,
)
