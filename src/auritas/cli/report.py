"""The answer as a person reads it, and as a program does."""

from typing import Any

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from auritas.cli.board import outcome
from auritas.cli.screen import brief, money, plain, seconds
from auritas.kernel.answers import Answer, AskResult, ConfidenceLabel
from auritas.kernel.trace import Section

_LABEL_STYLE = {
    ConfidenceLabel.HIGH: "bold green",
    ConfidenceLabel.MEDIUM: "bold yellow",
    ConfidenceLabel.UNCERTAIN: "bold red",
}


def as_json(result: AskResult) -> dict[str, Any]:
    """Return the result in the form that other programs read. Costs are integer millionths of a currency unit."""
    winner = result.decision.winner
    confidence = result.decision.confidence
    return {
        "answer": winner.text if winner else None,
        "members": [_member(answer) for answer in result.answers],
        "candidates": [
            {"text": c.text, "supporters": list(c.supporters), "score": c.score} for c in result.decision.candidates
        ],
        "chosen": winner.text if winner else None,
        "shown_seat": result.decision.shown_seat,
        "confidence": {"label": confidence.label, "p": confidence.p, "basis": confidence.basis},
        "reason": result.decision.reason,
        "trace_id": result.trace_id,
        "query_id": result.query_id,
        "conversation_id": result.conversation_id,
        "degraded_models": list(result.degraded),
        "audit": {"seq": result.receipt.seq, "level": result.receipt.level},
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
        head.append(plain(winner.text, "bold"))
        if shown and shown.explanation and shown.explanation != winner.text:
            head.append(plain(shown.explanation))
    return Group(*head, Text(""), _who(result), Text(""), _sure(result), _footer(result))


def _who(result: AskResult) -> RenderableType:
    winner = result.decision.winner
    table = Table.grid(padding=(0, 2))
    supporters = winner.supporters if winner else ()
    for answer in sorted(result.answers, key=lambda a: (not a.votes, a.seat.name not in supporters, a.seat.name)):
        agrees = answer.seat.name in supporters
        if answer.votes:
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
    table.add_row(Text("Why", "bold"), plain(result.decision.reason))
    if result.degraded:
        table.add_row(Text("Degraded", "bold"), plain(", ".join(result.degraded)))
    return table


def _footer(result: AskResult) -> Text:
    spent = sum(answer.usage.cost_micros for answer in result.answers)
    cost = f"cost {money(spent)}" if spent else "no cost"
    return Text(
        f"trace {result.trace_id} · log entry {result.receipt.seq}, {result.receipt.level} · {cost}", style="dim"
    )


def as_sections(sections: tuple[Section, ...]) -> RenderableType:
    """Return a trace in its five sections."""
    parts: list[RenderableType] = []
    for section in sections:
        parts.append(Text(section.title, style="bold"))
        parts += [Padding(plain(line), (0, 0, 0, 2)) for line in section.lines]
    return Group(*parts)
