"""An evaluation on recorded answers as a person reads it: one table, then what it means, in 80 columns."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from auritas.cli.screen import plain
from auritas.cli.sparkline import rows, sparkline

if TYPE_CHECKING:
    from auritas.app.evaluating import Calibration, Evaluation, PolicyResult, PoolsSummary, Report

_POINTS = 100.0
_ENOUGH = 0.015
"""Calibration error above chance that nobody would notice."""
_PROBED = 0.8
"""The P whose meaning is told in words: an answer that most people would rely on."""
_TOO_COARSE = 0.05
"""Calibration error by chance above which a table is too small to judge by."""
_COLUMNS = 8
"""Numbers that fit beside their title and curve in 80 columns."""


def as_text(evaluation: "Evaluation") -> RenderableType:
    """Return the whole report."""
    report = evaluation.report
    parts: list[RenderableType] = [_head(evaluation), Text(), _policies(report), _legend(report), Text()]
    parts.append(_facts(report))
    parts += [Text(), *_section("Is it as sure as it is right?", _calibration(report))]
    parts += [Text(), *_section("Answering only where it is sure", _coverage(report))]
    if report.cascade:
        parts += [Text(), *_section("Asking one after another", _cascade(report))]
    if report.curve:
        parts += [Text(), *_section("What grades add", _curve(report))]
    if evaluation.random:
        parts += [Text(), *_section("Random pools", [_random(size, r) for size, r in evaluation.random.items()])]
    if evaluation.pictures:
        parts += [Text(), plain(f"Pictures: {', '.join(str(path) for path in evaluation.pictures)}", "dim")]
    return Group(*parts)


def _head(evaluation: "Evaluation") -> RenderableType:
    report = evaluation.report
    head = f"{len(report.pool)} models, {report.questions:,} questions, mean of {report.splits} splits: "
    known = len(evaluation.scores)
    basis = f"public scores of {known}" if known else "no public scores"
    lines = [Text.assemble((head, "bold"), (f"half to learn, half to measure; {basis}", "dim"))]
    best = sorted(report.members, key=lambda model: -report.members[model])
    told = ", ".join(f"{model} {_share(report.members[model])}" for model in best[:8])
    more = f" and {len(best) - 8} more" if len(best) > 8 else ""  # noqa: PLR2004  what fits on two lines
    lines.append(plain(f"{told}{more}", "dim"))
    return Group(*lines)


def _policies(report: "Report") -> RenderableType:
    priced = any(result.micros is not None for result in report.policies.values())
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    table.add_column("policy")
    for title in ("right", "over best single", "over it with fallback", "calls", *(["money"] if priced else [])):
        table.add_column(title, justify="right")
    for name, result in report.policies.items():
        mark = " *" if name == report.default_policy else ""
        style = "bold" if mark else ""
        table.add_row(Text(name + mark, style), *(Text(cell, style) for cell in _cells(result)))
    return table


def _cells(result: "PolicyResult") -> list[str]:
    cells = [
        _share(result.accuracy),
        _gain(result.gain, result.interval),
        _gain(result.gain_fallback, result.interval_fallback),
        f"{result.calls:.2f}",
    ]
    return cells if result.micros is None else [*cells, f"{result.micros / 1e6:.6f}"]


def _gain(gain: float, interval: tuple[float, float]) -> str:
    if not gain and interval == (0.0, 0.0):
        return "0.0"
    return f"{_POINTS * gain:+.1f} [{_POINTS * interval[0]:+.1f}, {_POINTS * interval[1]:+.1f}]"


def _legend(report: "Report") -> RenderableType:
    return plain(
        f"* in force. Gains in percentage points with paired 95 % intervals, over the best single model "
        f"({_share(report.best_single)}), and over it asking the next best when it is silent; taken before rounding.",
        "dim",
    )


def _facts(report: "Report") -> RenderableType:
    table = Table.grid(padding=(0, 2))
    in_force = f"the council decides in {_whole(report.council_in_force)} of the splits, else the best single model"
    rows = [("Oracle", f"{_share(report.oracle)}: some model has it right"), ("Guard", in_force)]
    if report.effective_votes is not None:
        worth = f"{len(report.used)} models err together like {report.effective_votes:.1f} independent ones"
        rows.insert(1, ("Effective votes", worth))
    if len(report.used) < len(report.pool):
        rows.append(("Asked", f"at most {len(report.used)}: {', '.join(report.used)}"))
    for title, words in rows:
        table.add_row(Text(title, "bold"), plain(words))
    return table


def _section(title: str, lines: Iterable[RenderableType]) -> list[RenderableType]:
    return [Text(title, "bold"), *(Padding(line, (0, 0, 0, 2)) for line in lines)]


def _calibration(report: "Report") -> list[RenderableType]:
    calibration = report.calibration
    said = [p for p, _, _ in calibration.bins]
    right = [share for _, share, _ in calibration.bins]
    numbers = f"ECE {calibration.ece:.3f} (by chance {calibration.floor:.3f}), Brier {calibration.brier:.3f}"
    span = (min(*said, *right), 1.0)
    shown = [
        (title, [f"{line[0]:.2f} to {line[-1]:.2f}"], sparkline(line, span))
        for title, line in (("said", said), ("right", right))
    ]
    return [
        plain(_plainly(calibration, report.default_policy)),
        rows(*shown),
        plain(f"{numbers}, AUROC {calibration.auroc:.3f}", "dim"),
    ]


def _plainly(calibration: "Calibration", policy: str) -> str:
    """Return in plain words how far a policy can be believed, and what came of answers near 80 %."""
    said, right, _ = min(calibration.bins, key=lambda found: abs(found[0] - _PROBED))
    near = f"Of answers that {policy} calls {_whole(said)} sure, {_bare(right)} in 100 are right"
    if calibration.floor > _TOO_COARSE:
        coarse = f"chance alone makes an error of {_POINTS * calibration.floor:.1f} points"
        return f"Too few questions to tell: {coarse}. {near}."
    total = sum(count for _, _, count in calibration.bins)
    bias = sum((p - share) * count for p, share, count in calibration.bins) / max(total, 1)
    off = (
        f"off by {_POINTS * calibration.ece:.1f} points, of which chance alone makes {_POINTS * calibration.floor:.1f}"
    )
    if calibration.ece - calibration.floor <= _ENOUGH:
        return f"Yes. {near}; all in all it is {off}."
    direction = "too sure" if bias > 0 else "too modest"
    return f"Not quite. {near}; all in all it is {direction}, {off}."


def _coverage(report: "Report") -> list[RenderableType]:
    shares = sorted(report.coverage)
    right = [report.coverage[share] for share in shares]
    words = f"On the surest 80 % of questions it is right in {_share(report.coverage[0.8])}."
    answered = [_bare(share) for share in shares]
    return [
        plain(words),
        rows(("answered, %", answered, ""), ("right, %", [_bare(r, 1) for r in right], sparkline(right))),
    ]


def _cascade(report: "Report") -> list[RenderableType]:
    points = sorted(report.cascade, key=lambda point: point.calls)
    chosen = next((point for point in points if point.threshold == report.threshold), None)
    words = "Asking everybody is worth its calls: stopping early would lose more than is allowed."
    if chosen:
        kept = f"makes {_whole(chosen.calls)} of the calls and keeps {_whole(chosen.gain)} of the gain"
        words = f"Stopping as soon as P is {chosen.threshold:.2f} {kept}."
    shown = [points[place] for place in _spread(len(points), _COLUMNS)]
    kept_line = sparkline([point.gain for point in shown])
    calls = ("calls, %", [_bare(point.calls) for point in shown], "")
    return [plain(words), rows(calls, ("gain kept, %", [_bare(point.gain) for point in shown], kept_line))]


def _curve(report: "Report") -> list[RenderableType]:
    points = report.curve
    gain, fallback = [_POINTS * point.gain for point in points], [_POINTS * point.gain_fallback for point in points]
    table = rows(
        ("grades", [str(point.grades) for point in points], ""),
        ("gain", [f"{value:+.1f}" for value in gain], sparkline(gain)),
        ("with fallback", [f"{value:+.1f}" for value in fallback], sparkline(fallback)),
        ("ECE", [f"{point.ece:.3f}".removeprefix("0") for point in points], sparkline([p.ece for p in points])),
    )
    words = "Over the best single model that all grades would choose; with fallback, over the one that so many choose."
    return [table, plain(words, "dim")]


def _random(size: int, found: "PoolsSummary") -> RenderableType:
    return plain(
        f"With {size:,} grades {_whole(found.worse_share)} of {found.pools} pools are worse, by over half a point, "
        f"than the best single model with fallback; mean gain {_POINTS * found.mean_gain:+.1f}, least "
        f"{_POINTS * found.least_gain:+.1f} points."
    )


def _spread(count: int, most: int) -> list[int]:
    """Return up to `most` places among `count`, evenly spread, the first and the last included."""
    if count <= most:
        return list(range(count))
    return [round(index * (count - 1) / (most - 1)) for index in range(most)]


def _whole(value: float) -> str:
    return f"{_POINTS * value:.0f} %"


def _bare(value: float, digits: int = 0) -> str:
    return f"{_POINTS * value:.{digits}f}"


def _share(value: float) -> str:
    return f"{_POINTS * value:.1f} %"
