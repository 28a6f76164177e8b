"""How smooth the page stays: python bench/bench_web_render.py.

Four columns stream at 100 tokens a second each, in a real Chromium under the policy of the app, with a history of 4,000
tokens in every column; a conversation of 500 messages is opened, and one of 5,000 is scrolled from its end. The figures
come from the browser's own trace: tasks of the main thread of 1 ms and more, and the scripting of each frame, both in
time of the processor, since other work on the machine would stretch the clock. Its load is printed.
"""

import json
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.web_harness import Harness, build, missing, opened

CATEGORIES = ("toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline", "v8.execute")
SCRIPTING = frozenset({"EventDispatch", "FunctionCall", "FireAnimationFrame", "TimerFire", "RunMicrotasks"})
FRAME_US = 16_667
HISTORY_TOKENS = 4_000
STREAMED_TOKENS = 600
PER_SECOND = 100
SCROLLS = 240
STEP_PX = 200
"""A quick turn of the wheel: 12,000 px a second."""
SHORTEST_TASK_US = 1_000


@dataclass(frozen=True)
class Span:
    """One event of the trace on the main thread. Times in microseconds."""

    name: str
    begin: float
    duration: float
    worked: float
    """Time of the processor: what other work on the machine took from it is not counted."""

    @property
    def end(self) -> float:
        return self.begin + self.duration


def quantile(values: Sequence[float], share: float) -> float:
    """Return the value below which `share` of the values lie; 0 for none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


def main_thread(events: Sequence[dict[str, Any]]) -> list[Span]:
    """Return the spans of the renderer's main thread that did the most."""
    named = [event for event in events if event.get("name") == "thread_name"]
    mains = {(event["pid"], event["tid"]) for event in named if event["args"].get("name") == "CrRendererMain"}
    by_thread: dict[tuple[int, int], list[Span]] = {}
    for event in events:
        thread = (event["pid"], event["tid"])
        if event.get("ph") == "X" and thread in mains:
            by_thread.setdefault(thread, []).append(
                Span(event["name"], event["ts"], event.get("dur", 0), event.get("tdur", 0))
            )
    busiest = max(by_thread.values(), key=lambda spans: sum(span.duration for span in spans), default=[])
    return sorted(busiest, key=lambda span: span.begin)


def tasks(spans: Sequence[Span]) -> list[float]:
    """Return the lengths of tasks of 1 ms and more, in milliseconds."""
    found = [span for span in spans if span.name in {"RunTask", "ThreadControllerImpl::RunTask"}]
    return [span.worked / 1000 for span in found if span.worked >= SHORTEST_TASK_US]


def outermost(spans: Sequence[Span]) -> Iterator[Span]:
    """Yield spans of scripting that lie in no other."""
    end = 0.0
    for span in spans:
        if span.name in SCRIPTING and span.begin >= end:
            end = span.end
            yield span


def scripting(spans: Sequence[Span]) -> list[float]:
    """Return the milliseconds of scripting in each sixtieth of a second that had any."""
    frames: dict[int, float] = {}
    for span in outermost(spans):
        frame = int(span.begin // FRAME_US)
        frames[frame] = frames.get(frame, 0.0) + span.worked / 1000
    return list(frames.values())


def traced(harness: Harness, function: str, argument: Any = None) -> tuple[Any, list[Span]]:
    """Run a function of the page and return its result and what the main thread did meanwhile."""
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        harness.browser.start_tracing(page=harness.page, path=file.name, categories=list(CATEGORIES))
        result = harness.call(function, argument)
        harness.browser.stop_tracing()
        events = json.loads(Path(file.name).read_text())["traceEvents"]
    return result, main_thread(events)


def streaming(harness: Harness, kind: str) -> list[str]:
    """Return a row: four columns, each with its history, at 100 tokens a second."""
    argument = {"kind": kind, "history": HISTORY_TOKENS, "tokens": STREAMED_TOKENS, "perSecond": PER_SECOND}
    harness.call("async (wanted) => await window.harness.prepare(wanted)", argument)
    parsed, spans = traced(harness, "async (wanted) => await window.harness.live(wanted)", argument)
    long = tasks(spans)
    return [kind, f"{parsed:.0f}", f"{quantile(long, 0.95):.1f}", f"{max(long, default=0):.1f}", str(len(long))]


def conversations(harness: Harness) -> list[list[str]]:
    """Return the rows of opening and scrolling."""
    opening = sorted(harness.call("async () => await window.harness.open(500)") for _ in range(5))
    harness.call("async () => await window.harness.open(5000)")
    argument = {"times": SCROLLS, "step": STEP_PX}
    _, spans = traced(harness, "async (wanted) => await window.harness.scroll(wanted)", argument)
    frames = scripting(spans)
    return [
        ["open 500 messages, ms (median, worst of 5)", f"{opening[2]:.0f}", f"{opening[-1]:.0f}"],
        [
            "scroll 5,000: scripting a frame, ms (p50, p95)",
            f"{quantile(frames, 0.5):.2f}",
            f"{quantile(frames, 0.95):.2f}",
        ],
        ["scroll 5,000: worst frame, ms; frames", f"{max(frames, default=0):.2f}", str(len(frames))],
    ]


def show(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    table = Table(*columns, title=title)
    for row in rows:
        table.add_row(*row)
    Console().print(table)


def main() -> None:
    reason = missing()
    if reason:
        print(f"bench_web_render {reason}")
        return
    with tempfile.TemporaryDirectory() as folder, opened(build(Path(folder))) as harness:
        rows = [streaming(harness, kind) for kind in ("prose", "paragraph", "code", "table", "list", "mixed")]
        lists = conversations(harness)
    load = os.getloadavg()[0]
    columns = ("text", "characters parsed a token", "p95 ms", "worst ms", "tasks >= 1 ms")
    show(f"Four columns at 100 tokens/s, 4,000 tokens of history (load {load:.1f})", columns, rows)
    show("Conversations", ("", "", ""), lists)


if __name__ == "__main__":
    main()
