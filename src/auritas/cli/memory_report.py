"""Memory as a person sees it, and as a program reads it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from auritas.cli.screen import brief, out, plain
from auritas.kernel.clock import timestamp
from auritas.kernel.memory import (
    FACTORS,
    Correction,
    CorrectionState,
    DecayClass,
    MemoryUse,
    Provenance,
    Scope,
    UseReason,
)
from auritas.kernel.text import counted, one_line

if TYPE_CHECKING:
    from auritas.app.remembering import Confirmed, Detail, Entry, Kept, Reason, Undone, WhyUsed

_KINDS = {
    "factual_correction": "fact",
    "persistent_instruction": "instruction",
    "preference_rule": "preference",
    "model_preference": "model",
    "domain_rule": "rule",
    "project_decision": "decision",
    "failure_pattern": "mistake",
}
_WHY = {
    UseReason.PINNED: "pinned",
    UseReason.RULE_IN_SCOPE: "a rule that holds here",
    UseReason.RELEVANT: "it concerns the question",
    UseReason.SCORE: "its score is high enough",
    UseReason.NOT_RELEVANT: "does not concern the question",
    UseReason.LOW_SCORE: "its score is too low",
    UseReason.OVER_BUDGET: "no room left",
    UseReason.HIDDEN: "a narrower one takes its place",
    UseReason.LEFT_OUT: "left out here, because you asked for it",
}
_UNDONE = {
    "created": "Taken back",
    "confirmed": "No longer confirmed",
    "edited": "As it was before",
    "pinned": "No longer pinned",
    "unpinned": "Pinned again",
    "superseded": "Holds again",
    "left_out": "No longer left out",
    "brought_back": "Left out again",
    "kept_both": "Offered again to be settled",
}
_HOW = {
    Provenance.USER_EXPLICIT: "you said so outright",
    Provenance.USER_IMPLICIT: "understood from what you said",
    Provenance.REVIEWER: "found by a reviewer",
    Provenance.COMMITTEE: "found by the council",
    Provenance.IMPORT: "read in from a file",
}
_FADES = {
    DecayClass.A: "never fades",
    DecayClass.B: "halves in a year",
    DecayClass.C: "halves in 30 days",
}
BAR = 12


def entries(found: Sequence["Entry"], *, proposed: bool) -> RenderableType:
    """Return the list of what is remembered."""
    if not found:
        empty = "Nothing waits for your yes." if proposed else "Nothing is remembered yet."
        return plain(f'{empty} Try: auritas memory add "Use metric units"')
    table = Table.grid(padding=(0, 2))
    # An id that is cut cannot be typed.
    table.add_column(no_wrap=True, min_width=max(len(entry.short) for entry in found))
    table.add_column(no_wrap=True)
    table.add_column()
    for entry in found:
        each = entry.correction
        table.add_row(plain(entry.short, "dim"), plain(_KINDS[each.type], "dim"), _words(each))
        table.add_row("", "", plain(_about(each, entry.times), "dim"))
    return table


def _words(correction: Correction) -> Text:
    style = {CorrectionState.SUPERSEDED: "dim strike", CorrectionState.PROPOSED: "yellow"}.get(correction.state, "")
    return brief(correction.claim, 100, style)


def _about(correction: Correction, times: int) -> str:
    parts = [
        correction.state if correction.state is not CorrectionState.ACTIVE else "",
        "pinned" if correction.pinned else "",
        _where(correction),
        f"asked: {one_line(correction.canonical_query, 60)}" if correction.canonical_query else "",
        f"except or if: {correction.condition}" if correction.condition else "",
        f"{correction.created_at:%Y-%m-%d}",
        "" if not times and correction.state is CorrectionState.PROPOSED else _times(times),
    ]
    return " · ".join(part for part in parts if part)


def _times(count: int) -> str:
    return f"used in {counted(count, 'question')}" if count else "never used"


def _where(correction: Correction) -> str:
    match correction.scope:
        case Scope.PROJECT:
            return "in one project"
        case Scope.CONVERSATION:
            return "in one conversation"
        case Scope.DOMAIN:
            return f"for {correction.domain}"
        case _:
            return ""


def show_kept(kept: "Kept", did: str = "Remembered", *, in_chat: bool = False) -> None:
    """Print what came of storing something."""
    each = kept.correction
    if kept.already:
        out.print(plain(f"That holds already: {one_line(each.claim, 200)}"))
        return
    out.print(plain(f"{did}: {one_line(each.claim, 200)}"))
    for again in kept.restored:
        out.print(plain(f"Holds again elsewhere: {one_line(again.claim, 200)}", "yellow"))
    show_effects(kept.correction, kept.replaced, kept.resembles, in_chat=in_chat)


def show_confirmed(confirmed: "Confirmed", *, in_chat: bool = False) -> None:
    """Print what came of a yes, and where there is no conversation, how to ask again."""
    show_kept(confirmed.kept, in_chat=in_chat)
    if confirmed.graded:
        out.print(plain(confirmed.graded, "dim"))
    if confirmed.asks and in_chat:
        out.print(plain(f"Asked again: {one_line(confirmed.asks, 200)}", "dim"))
    elif confirmed.asks:
        out.print(plain(f'Ask again with it: auritas ask "{one_line(confirmed.asks, 200)}"', "dim"))


def show_effects(
    stored: Correction,
    replaced: Sequence[Correction],
    resembles: Sequence[Correction],
    *,
    in_chat: bool,
    screen: Console = out,
) -> None:
    """Print what something new replaces, what it may be meant to replace, and how to take it back."""
    undo = "/undo" if in_chat else "auritas memory undo"
    for each in replaced:
        screen.print(plain(f"This replaces: {one_line(each.claim, 200)}", "yellow"))
    for each in resembles:
        how = f"/replace {each.id}" if in_chat else f"auritas memory replace {stored.id} {each.id}"
        screen.print(plain(f"Still holds, and is alike: {one_line(each.claim, 120)}", "yellow"))
        screen.print(plain(f"  To replace it: {how}", "dim"))
    where = _where(stored)
    screen.print(plain(f"{_KINDS[stored.type]}{f', {where}' if where else ''} · undo: {undo}", "dim"))


def show_undone(undone: "Undone") -> None:
    """Print what an undo did."""
    out.print(plain(f"{_UNDONE.get(undone.event, 'Taken back')}: {one_line(undone.correction.claim, 200)}"))
    for each in undone.restored:
        if each.id == undone.correction.id:
            continue
        out.print(plain(f"Holds again: {one_line(each.claim, 200)}"))


def detail(found: "Detail") -> RenderableType:
    """Return everything about one correction."""
    each = found.entry.correction
    table = Table.grid(padding=(0, 2))
    rows = {
        "kind": _KINDS[each.type],
        "state": each.state.value,
        "holds": _where(each) or "everywhere",
        "condition": each.condition,
        "asked": each.canonical_query,
        "instead of": each.rejected,
        "in prompts": each.instruction,
        "since": f"{each.created_at:%Y-%m-%d %H:%M} UTC, {_HOW[each.provenance]}",
        "confidence": f"{each.confidence:.2f}, {_FADES[each.decay_class]}",
        "used": _times(found.entry.times),
        "replaces": "; ".join(one_line(other.claim, 80) for other in found.replaces),
        "id": each.id,
    }
    for name, text in rows.items():
        if text:
            table.add_row(Text(name, "dim"), plain(text))
    history = [plain(f"{line.at:%Y-%m-%d %H:%M} UTC  {line.change}", "dim") for line in found.history]
    return Group(plain(each.claim, "bold"), Padding(table, (0, 0, 0, 2)), *history)


def used(found: "WhyUsed", *, every: bool) -> RenderableType:
    """Return what of memory entered an answer, with the factors as bars."""
    parts: list[RenderableType] = [brief(found.question, 100, "bold"), Text("")]
    entered = [each for each in found.reasons if each.weighed.injected]
    left_out = [each for each in found.reasons if not each.weighed.injected]
    if not (entered or found.passages or found.notes):
        parts.append(plain("Nothing of memory entered this answer."))
    for each in entered:
        parts += _weighed(each)
    for passage in found.passages:
        parts.append(plain(f"Recalled, score {passage.score:.2f}, said {passage.said_at:%Y-%m-%d}:", "cyan"))
        parts.append(Padding(brief(passage.text, 200), (0, 0, 1, 2)))
    parts += [plain(f"{note.seat} went on from its note {note.ref_id}.", "cyan") for note in found.notes]
    if left_out and every:
        parts.append(Text("Weighed and left out:", "dim"))
        for each in left_out:
            parts += _weighed(each)
    elif left_out:
        parts.append(plain(f"{counted(len(left_out), 'other')} weighed and left out: add --all.", "dim"))
    return Group(*parts)


def _weighed(reason: "Reason") -> list[RenderableType]:
    weighed = reason.weighed
    words = reason.correction.text if reason.correction else "(erased since)"
    table = Table.grid(padding=(0, 1))
    for name, value in weighed.factors.by_name().items():
        filled = round(value * BAR)
        bar = Text.assemble(("█" * filled, "green"), ("░" * (BAR - filled), "dim"))
        table.add_row(Text(name.replace("_", " "), "dim"), bar, Text(f"{value:.2f}", "dim"))
    head = Text.assemble(
        ("● " if weighed.injected else "○ ", "green" if weighed.injected else "dim"), brief(words, 160)
    )
    said = f"{_WHY[weighed.reason]}; score {weighed.score:.2f}, {counted(weighed.tokens, 'token')}"
    return [head, Padding(plain(said, "dim"), (0, 0, 0, 2)), Padding(table, (0, 0, 1, 2))]


def used_lines(uses: Sequence[MemoryUse]) -> list[RenderableType]:
    """Return one line for each correction in the prompts of an answer."""
    return [
        Text.assemble(("remembered  ", "dim"), brief(use.correction.text, 90), (f"  {_WHY[use.reason]}", "dim"))
        for use in uses
        if use.injected
    ]


def document(correction: Correction) -> dict[str, Any]:
    """Return a correction for another program."""
    return {
        "id": correction.id,
        "type": correction.type,
        "scope": correction.scope,
        "state": correction.state,
        "provenance": correction.provenance,
        "claim": correction.claim,
        "text": correction.text,
        "subject": correction.subject or None,
        "slot": correction.slot,
        "condition": correction.condition or None,
        "canonical_query": correction.canonical_query or None,
        "rejected": correction.rejected or None,
        "domain": correction.domain,
        "project_id": correction.project_id,
        "conversation_id": correction.conversation_id,
        "confidence": correction.confidence,
        "decay_class": correction.decay_class,
        "pinned": correction.pinned,
        "created_at": timestamp(correction.created_at),
        "last_used_at": timestamp(correction.last_used_at) if correction.last_used_at else None,
        "superseded_by": correction.superseded_by,
    }


def entry_document(entry: "Entry") -> dict[str, Any]:
    """Return a line of the list for another program."""
    return document(entry.correction) | {"questions": entry.times}


def kept_document(kept: "Kept") -> dict[str, Any]:
    """Return what came of storing something for another program."""
    return {
        "correction": document(kept.correction),
        "already": kept.already,
        "replaced": [document(each) for each in kept.replaced],
        "resembles": [document(each) for each in kept.resembles],
    }


def detail_document(found: "Detail") -> dict[str, Any]:
    """Return everything about one correction for another program."""
    return {
        **entry_document(found.entry),
        "instruction": found.entry.correction.instruction or None,
        "replaces": [document(each) for each in found.replaces],
        "history": [{"at": timestamp(line.at), "change": line.change} for line in found.history],
    }


def use_document(use: MemoryUse) -> dict[str, Any]:
    """Return how a correction was weighed for another program."""
    return {
        "correction_id": use.correction.id,
        "text": use.correction.text,
        "injected": use.injected,
        "reason": use.reason,
        "score": use.score,
        "tokens": use.tokens,
        "factors": {name: getattr(use.factors, name) for name in FACTORS},
    }


def used_document(found: "WhyUsed") -> dict[str, Any]:
    """Return what entered an answer for another program."""
    return {
        "query_id": found.query_id,
        "run_id": found.run_id,
        "seat": found.seat,
        "question": found.question,
        "corrections": [
            {
                "correction_id": each.weighed.correction_id,
                "text": each.correction.text if each.correction else None,
                "injected": each.weighed.injected,
                "reason": each.weighed.reason,
                "score": each.weighed.score,
                "tokens": each.weighed.tokens,
                "factors": dict(each.weighed.factors.by_name()),
            }
            for each in found.reasons
        ],
        "passages": [
            {
                "message_id": each.message_id,
                "conversation_id": each.conversation_id,
                "text": each.text,
                "said_at": timestamp(each.said_at),
                "score": each.score,
            }
            for each in found.passages
        ],
        "notes": [{"seat": each.seat, "note_id": each.ref_id} for each in found.notes],
    }
