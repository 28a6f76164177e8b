"""An evaluation as pictures, drawn with matplotlib, which comes with the extra `plots`."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from auritas.council.evaluation.report import POINTS, Report
from auritas.kernel.errors import UnavailableError

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.axes import Axes

_SIZE = (7.2, 4.8)
"""Inches; at _DPI this is 1080 by 720 pixels."""
_DPI = 150
_BLUE, _ORANGE, _GREY = "#1f5fa8", "#c2571a", "#6b7280"
_STYLE: dict[Any, Any] = {
    "font.size": 11,
    "axes.titlesize": 13,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.titlepad": 12,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#e5e7eb",
    "axes.axisbelow": True,
    "figure.facecolor": "white",
    "legend.frameon": False,
    "lines.linewidth": 2.0,
    "lines.markersize": 6,
    "figure.constrained_layout.w_pad": 0.12,
    "figure.constrained_layout.h_pad": 0.10,
}


def require_matplotlib() -> None:
    """Raise UnavailableError, which says how to get it, when pictures cannot be drawn here."""
    try:
        import matplotlib as mpl
    except ImportError:
        raise UnavailableError(
            "Pictures need matplotlib, which is not installed.", remedy='Try: pip install "auritas[plots]"'
        ) from None
    mpl.set_loglevel("ERROR")  # it tells of fonts and caches otherwise


def draw(report: Report, folder: Path) -> tuple[Path, ...]:
    """Draw what the report has into `folder`, which is made, and return the files.

    Raises UnavailableError without matplotlib, or when the folder cannot be written.
    """
    require_matplotlib()
    from matplotlib import rc_context

    wanted: list[tuple[str, Callable[[Axes, Report], None]]] = [
        ("reliability.png", _reliability),
        ("risk_coverage.png", _risk_coverage),
    ]
    if report.curve:
        wanted.append(("learning_curve.png", _learning_curve))
    if report.cascade:
        wanted.append(("cascade.png", _cascade))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with rc_context(_STYLE):
            return tuple(_drawn(report, folder / name, onto) for name, onto in wanted)
    except OSError as error:
        raise UnavailableError(
            f"Pictures cannot be written to {folder}: {error.strerror}.", remedy="Name another folder with --plot."
        ) from None


def _drawn(report: Report, path: Path, onto: "Callable[[Axes, Report], None]") -> Path:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=_SIZE, dpi=_DPI, layout="constrained")
    FigureCanvasAgg(figure)
    onto(figure.subplots(), report)
    basis = f"{len(report.pool)} models, {report.questions:,} questions, mean of {report.splits} splits"
    figure.supxlabel(basis, fontsize=9, color=_GREY, x=0.99, ha="right")
    figure.savefig(path, metadata={"Software": "Auritas"})
    return path


def _learning_curve(axes: "Axes", report: Report) -> None:
    places = range(len(report.curve))
    axes.plot(places, [POINTS * p.gain for p in report.curve], "o-", color=_BLUE, label="over the best single model")
    over = [POINTS * point.gain_fallback for point in report.curve]
    axes.plot(places, over, "s--", color=_ORANGE, label="over it with fallback, chosen by the same grades")
    axes.axhline(0, color=_GREY, linewidth=1)
    axes.set_xticks(list(places), [f"{point.grades:,}" for point in report.curve])
    axes.set(title="What grades add", xlabel="graded questions (not to scale)", ylabel="gain in percentage points")
    low, high = axes.get_ylim()
    axes.set_ylim(min(low, -0.5), high + 0.15 * (high - low))
    axes.legend(loc="upper left", ncols=1, fontsize=10)


def _reliability(axes: "Axes", report: Report) -> None:
    said = [p for p, _, _ in report.calibration.bins]
    right = [share for _, share, _ in report.calibration.bins]
    low = max(0.0, min((*said, *right), default=0.0) - 0.05)
    axes.plot([low, 1], [low, 1], color=_GREY, linewidth=1, linestyle="--", label="what is said comes true")
    axes.plot(said, right, "o-", color=_BLUE, label=f"policy {report.default_policy}")
    text = f"error {report.calibration.ece:.3f}\nby chance {report.calibration.floor:.3f}"
    axes.text(0.97, 0.06, text, transform=axes.transAxes, ha="right", va="bottom")
    axes.set(title="Is it as sure as it is right?", xlabel="probability of being right, as said")
    axes.set(ylabel="share that was right", xlim=(low, 1), ylim=(low, 1.02))
    axes.legend(loc="upper left", fontsize=10)


def _risk_coverage(axes: "Axes", report: Report) -> None:
    shares = sorted(report.coverage)
    right = [POINTS * report.coverage[share] for share in shares]
    axes.plot([POINTS * share for share in shares], right, "o-", color=_BLUE, label=f"policy {report.default_policy}")
    axes.axhline(POINTS * report.best_single, color=_ORANGE, linestyle="--", label="best single model, all questions")
    at_80 = POINTS * report.coverage[0.8]
    axes.annotate(f"{at_80:.1f} %", (80, at_80), xytext=(8, 6), textcoords="offset points")
    axes.set(title="Answering only where it is sure", xlabel="questions answered, most certain first, in %")
    axes.set(ylabel="right answers, in %", xlim=(15, 104))
    axes.legend(loc="upper right", fontsize=10)


def _cascade(axes: "Axes", report: Report) -> None:
    calls = [POINTS * point.calls for point in report.cascade]
    kept = [POINTS * point.gain for point in report.cascade]
    axes.plot(calls, kept, "-", color=_BLUE)
    chosen = [p for p in report.cascade if report.threshold is not None and p.threshold == report.threshold]
    for point in chosen:
        axes.plot(POINTS * point.calls, POINTS * point.gain, "o", color=_ORANGE, markersize=9)
        label = f"stop at P = {point.threshold:.2f}"
        axes.annotate(label, (POINTS * point.calls, POINTS * point.gain), xytext=(8, -16), textcoords="offset points")
    axes.axhline(POINTS, color=_GREY, linewidth=1, linestyle="--")
    axes.set(title="Asking one after another", xlabel="calls made, in % of asking everybody")
    axes.set(ylabel="gain over the best single model\nthat is kept, in %", xlim=(min(calls) - 3, 102))
    axes.set_ylim(min(0.0, *kept) - 2, max(105.0, *kept) + 2)
