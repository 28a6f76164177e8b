"""The answer as a person reads it, and as a program does."""

from typing import Any

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from auritas.cli.board import outcome
from auritas.cli.memory_report import use_document, used_lines
from auritas.cli.screen import brief, money, plain, seconds
from auritas.kernel.answers import (
    Answer,
    AskResult,
    Candidate,
    ConfidenceLabel,
    GradeRequest,
    QuestionShape,
    Review,
    ReviewVerdict,
)
from auritas.kernel.trace import Section

_LABEL_STYLE = {
    ConfidenceLabel.HIGH: "bold green",
    ConfidenceLabel.MEDIUM: "bold yellow",
    ConfidenceLabel.UNCERTAIN: "bold red",
}


def as_json(result: AskResult) -> dict[str, Any]:
    """Return the result in the form that other programs read. Costs are integer millionths of a currency unit."""
    decision = result.decision
    winner, confidence = decision.winner, decision.confidence
    text = {candidate.id: candidate.text for candidate in decision.candidates}
    return {
        "answer": winner.text if winner else None,
        "abstains": decision.abstains,
        "members": [_member(answer) for answer in result.answers],
        "candidates": [_candidate(c, calibrated=confidence.p is not None) for c in decision.candidates],
        "chosen": winner.text if winner else None,
        "shown_seat": decision.shown_seat,
        "confidence": {"label": confidence.label, "p": confidence.p, "basis": confidence.basis},
        "effective_votes": decision.effective_votes,
        "policy": decision.policy,
        "reason": decision.reason,
        "without": {seat: text.get(other or "") for seat, other in decision.without.items()},
        "reviews": [_review(review) for review in result.reviews],
        "domains": dict(result.domains),
        "shape": result.shape,
        "notices": list(result.notices),
        "memory": [use_document(use) for use in result.memory],
        "passages": [
            {"message_id": each.message_id, "text": each.text, "score": each.score} for each in result.passages
        ],
        "resumed": result.resumed or None,
        "asks_grade": result.asks_grade,
        "cost": result.cost_micros,
        "trace_id": result.trace_id,
        "query_id": result.query_id,
        "conversation_id": result.conversation_id,
        "degraded_models": list(result.degraded),
        "audit": {"seq": result.receipt.seq, "level": result.receipt.level},
    }


def _candidate(candidate: Candidate, *, calibrated: bool) -> dict[str, Any]:
    """Return a candidate; its share of the scores is called p only where it is a probability."""
    return {
        "text": candidate.text,
        "supporters": list(candidate.supporters),
        "score": candidate.score,
        "share": candidate.p,
        "p": candidate.p if calibrated else None,
    }


def _review(review: Review) -> dict[str, Any]:
    return {
        "reviewer": review.reviewer,
        "verdict": review.verdict,
        "issues": list(review.issues),
        "correction": review.correction or None,
    }


def _member(answer: Answer) -> dict[str, Any]:
    first = answer.usage.first_token_ms
    return {
        "seat": answer.seat.name,
        "model": answer.seat.model,
        "answer": answer.text or None,
        "explanation": answer.explanation or None,
        "confidence": answer.stated_confidence,
        "latency_ms": round(answer.usage.total_ms, 1),
        "first_token_ms": None if first is None else round(first, 1),
        "cost": answer.usage.cost_micros,
        "abstained": answer.abstained,
        "error": {"code": answer.failure.code, "message": answer.failure.message} if answer.failure else None,
    }


def as_text(result: AskResult) -> RenderableType:
    """Return the answer, who said what, how sure it is, and why."""
    shown, winner = result.shown, result.decision.winner
    head: list[RenderableType] = []
    if winner is None:
        head.append(Text("No member could answer.", style="bold red"))
    else:
        if result.decision.abstains:
            head.append(Text("The council does not know. Its best guess:", style="bold red"))
        head.append(plain(winner.text, "bold"))
        if shown and shown.explanation and shown.explanation != winner.text:
            head.append(plain(shown.explanation))
    head += [plain(f"! {notice}", "yellow") for notice in result.notices]
    return Group(*head, Text(""), _who(result), Text(""), _sure(result), *_asked(result), _footer(result))


def _asked(result: AskResult) -> list[RenderableType]:
    """Return what a person can do to teach the council, where that is worth most."""
    match result.asks_grade:
        case GradeRequest.DISAGREEMENT:
            how = "auritas compare shows the answers; auritas pick SEAT, or auritas grade none, says who is right"
            return [Text(f"The members disagree. {how}.", style="cyan")]
        case GradeRequest.AUDIT:
            return [Text("A random check: is this right? auritas grade right, or auritas grade wrong.", style="cyan")]
        case _:
            return []


def _who(result: AskResult) -> RenderableType:
    winner = result.decision.winner
    table = Table.grid(padding=(0, 2))
    supporters = winner.supporters if winner else ()
    counted = {seat for candidate in result.decision.candidates for seat in candidate.supporters}
    for answer in sorted(result.answers, key=lambda a: (not a.votes, a.seat.name not in supporters, a.seat.name)):
        agrees = answer.seat.name in supporters
        if answer.votes and counted and answer.seat.name not in counted:
            mark, said = Text("-", "dim"), brief(f"{answer.text} (heard, no vote)", 60, "dim")
        elif answer.votes:
            mark, said = (Text("●", "green") if agrees else Text("○", "yellow")), brief(answer.text, 60)
        else:
            mark, said = Text("-", "dim"), plain(_silence(answer), "dim")
        table.add_row(mark, plain(answer.seat.name), said, Text(_took(answer), "dim"))
    return Padding(table, (0, 0, 0, 2))


def _silence(answer: Answer) -> str:
    return answer.failure.message if answer.failure else "abstains: not a question for it"


def _took(answer: Answer) -> str:
    if not answer.votes:
        return "" if answer.abstained else outcome(answer)
    return seconds(answer.usage.total_ms) + (f", {money(answer.usage.cost_micros)}" if answer.usage.cost_micros else "")


def _sure(result: AskResult) -> RenderableType:
    confidence = result.decision.confidence
    table = Table.grid(padding=(0, 2))
    sure = Text.assemble((confidence.label, _LABEL_STYLE[confidence.label]), (f"  {confidence.basis}", "dim"))
    table.add_row(Text("How sure", "bold"), sure)
    if agreed := _agreed(result):
        table.add_row(Text("Agreement", "bold"), plain(agreed))
    for review in result.reviews:
        table.add_row(Text("Review", "bold"), _reviewed(review))
    table.add_row(Text("Why", "bold"), plain(result.decision.reason))
    for line in used_lines(result.memory):
        table.add_row(Text("Memory", "bold"), line)
    for passage in result.passages:
        recalled = Text.assemble(
            ("recalled  ", "dim"), brief(passage.text, 90), (f"  {passage.said_at:%Y-%m-%d}", "dim")
        )
        table.add_row(Text("Memory", "bold"), recalled)
    if result.resumed:
        table.add_row(Text("Memory", "bold"), plain(result.resumed))
    if result.degraded:
        table.add_row(Text("Degraded", "bold"), plain(", ".join(result.degraded)))
    return table


def _agreed(result: AskResult) -> str:
    decision = result.decision
    answered = sum(len(candidate.supporters) for candidate in decision.candidates)
    texts = result.shape is QuestionShape.OPEN
    if decision.winner is None or answered < 2 or texts:  # noqa: PLR2004  one member agrees with itself
        return ""
    votes = decision.effective_votes
    worth = "" if votes is None else f", {votes:.1f} effective vote{'' if round(votes, 1) == 1 else 's'}"
    return f"{len(decision.winner.supporters)} of {answered} agree{worth}"


def _reviewed(review: Review) -> Text:
    verdict = "gave no verdict" if review.verdict is ReviewVerdict.UNREVIEWED else review.verdict.replace("_", " ")
    style = {ReviewVerdict.CORRECT: "green", ReviewVerdict.UNREVIEWED: "dim"}.get(review.verdict, "yellow")
    return Text.assemble((verdict, style), (f"  blind, by {review.reviewer}", "dim"))


def _footer(result: AskResult) -> Text:
    cost = f"cost {money(result.cost_micros)}" if result.cost_micros else "no cost"
    calls = sum(answer.attempts for answer in result.answers if not answer.abstained) + len(result.reviews)
    entry = f"log entry {result.receipt.seq}, {result.receipt.level}"
    return Text(f"trace {result.trace_id} · {entry} · {calls} call{'' if calls == 1 else 's'}, {cost}", style="dim")


def as_sections(sections: tuple[Section, ...]) -> RenderableType:
    """Return a trace in its five sections."""
    parts: list[RenderableType] = []
    for section in sections:
        parts.append(Text(section.title, style="bold"))
        parts += [Padding(plain(line), (0, 0, 0, 2)) for line in section.lines]
    return Group(*parts)
