"""An evaluation of real members as a person reads it."""

from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from auritas.cli.screen import brief, plain, seconds
from auritas.kernel.text import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from auritas.app.live import Comparison, LiveOutcome, LiveReport

_POINTS = 100.0
_SURE = 0.05
"""p below which a difference is not laid to chance."""
_LEAST_SHOWN = 0.001


def as_text(report: "LiveReport") -> RenderableType:
    """Return who was right how often, the council against its best member, and both by domain."""
    total = len(report.outcomes)
    how = f"at level {report.level}, chosen by {report.policy}, in {seconds(1000 * report.seconds)}"
    head = f"{counted(total, 'question')} {how}"
    parts: list[RenderableType] = [plain(head, "bold"), Text(), _who(report), Text()]
    if report.comparison:
        parts += [plain(_compared(report.comparison)), Text()]
    return Group(*parts, _domains(report), Text(), plain("Nothing of this enters your history or records.", "dim"))


def _who(report: "LiveReport") -> RenderableType:
    from auritas.app.live import right_count

    total = len(report.outcomes)
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for title in ("member", "right", "of", "abstained", "time"):
        table.add_column(title, justify="left" if title == "member" else "right")
    table.add_row(Text("council", "bold"), Text(str(report.right), "bold"), str(total), "", "")
    for seat in report.seats:
        said = [outcome.members[seat] for outcome in report.outcomes if seat in outcome.members]
        left = sum(one.right is None for one in said)
        took = seconds(1000 * sum(one.seconds for one in said))
        table.add_row(brief(seat, 40), str(right_count(report.outcomes, seat)), str(len(said)), str(left or ""), took)
    return table


def _compared(found: "Comparison") -> str:
    """Return the comparison in a sentence that claims no more than so few questions can show."""
    p = "p < 0.001" if found.p_value < _LEAST_SHOWN else f"p = {found.p_value:.3f}"
    on = f"the {found.questions} questions" if found.questions > 1 else "the one question"
    low, high = found.interval
    numbers = (
        f"{_POINTS * found.gain:+.1f} points over {found.best} [{_POINTS * low:+.1f}, {_POINTS * high:+.1f}] "
        f"on {on} that both were asked: {found.won} won, {found.lost} lost, {p}"
    )
    if found.p_value < _SURE:
        return f"{numbers}."
    return f"{numbers}. With so few questions that may well be chance."


def _domains(report: "LiveReport") -> RenderableType:
    from auritas.app.live import by_domain

    best = report.comparison.best if report.comparison else ""
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    table.add_column("domain")
    for title in ("questions", "council", brief(best, 30) if best else "best member"):
        table.add_column(title, justify="right")
    for name, own in by_domain(report).items():
        table.add_row(name, str(len(own)), str(sum(o.right for o in own)), _right_of(own, best))
    return table


def _right_of(own: "Sequence[LiveOutcome]", seat: str) -> str:
    """Return how many of these questions a seat had right; "-" where it was asked none, "of n" where not all."""
    from auritas.app.live import asked, right_count

    heard = len(asked(own, seat))
    if not heard:
        return "-"
    return f"{right_count(own, seat)}" if heard == len(own) else f"{right_count(own, seat)} of {heard}"
