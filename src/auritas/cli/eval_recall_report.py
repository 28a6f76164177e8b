"""What `auritas eval recall` and `auritas eval preferences` found, as a person reads it."""

from collections.abc import Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table

from auritas.cli.screen import plain
from auritas.kernel.text import counted

_POINTS = 100.0


def recall_text(found: Mapping[str, Any]) -> RenderableType:
    """Return recall by category beside the baseline, the gain, and what a question costs."""
    head = f"{counted(found['questions'], 'question')} about {counted(found['conversations'], 'conversation')}"
    table = _table("recall at", "5", "10", "20")
    base = found["baseline"]
    table.add_row("all", *_row(found["recall_at"]))
    table.add_row("  baseline", *_row(base["recall_at"]), style="dim")
    table.add_row("without adversarial", *_row(found["non_adversarial"]))
    table.add_row("  baseline", *_row(base["non_adversarial"]), style="dim")
    for name, by in found["by_category"].items():
        table.add_row(f"{name.replace('_', ' ')} ({by['questions']})", *_row(by))
        table.add_row("  baseline", *_row(base["by_category"][name]), style="dim")
    costs = (
        f"{found['cpu_ms_per_query']:.1f} ms of CPU a question, and {found['embedding_ms_per_query']:.1f} ms "
        f"to embed it with {found['embedder']}."
    )
    return Group(plain(head, "bold"), table, plain(_gain(found["gain"]["10"], "at 10 over the baseline")), plain(costs))


def preferences_text(found: Mapping[str, Any]) -> RenderableType:
    """Return how often the wanted preference was found, and what would enter a prompt."""
    head = f"{counted(found['stores'], 'store')} of {found['store']} preferences"
    table = _table("found among the first", "1", "5", "10")
    table.add_row("by relevance", *_row(found["recall_at"]))
    table.add_row("by cosine alone", *_row(found["plain"]["recall_at"]), style="dim")
    rates = (
        f"By score and relevance {_POINTS * found['related_injection_rate']:.1f} % of the wanted ones and "
        f"{_POINTS * found['unrelated_injection_rate']:.1f} % of those of other topics would enter a prompt; by a "
        f"cosine of .30, {_POINTS * found['plain']['unrelated_injection_rate']:.1f} % of the latter."
    )
    return Group(plain(head, "bold"), table, plain(_gain(found["gain"]["5"], "at 5 over the cosine")), plain(rates))


def _gain(gain: Mapping[str, Any], over: str) -> str:
    low, high = gain["interval"]
    return f"{_POINTS * gain['difference']:+.1f} points [{_POINTS * low:+.1f}, {_POINTS * high:+.1f}] {over}."


def _table(*titles: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for place, title in enumerate(titles):
        table.add_column(title, justify="right" if place else "left")
    return table


def _row(values: Mapping[str, float]) -> list[str]:
    """Return the shares of a row in percent, without what is no share."""
    return [f"{_POINTS * value:.1f}" for name, value in values.items() if name.isdigit()]
