"""How long the command line, the server and the window take to start; bytecode is kept, as where it is installed."""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.util import find_spec

RUNS = 7
EVERYTHING = (
    "import sys; import auritas.app.compose, auritas.app.ask, auritas.app.embedded, auritas.app.models, "
    "auritas.app.audit, auritas.app.keeping, auritas.cli.root; sys.argv = ['auritas', '--version']; "
    "from auritas.cli.entry import main; main()"
)
# Says what each stage took of its own process, and ends itself by the signal that a session sends at its end.
STAGES = """
import json, os, signal, time
from auritas.cli import loading
loading.begin()
import auritas.cli.root
def report(stage, last=False):
    cpu = os.times()
    print(json.dumps([stage, time.time(), cpu.user + cpu.system]), flush=True)
    if last:
        os.kill(os.getpid(), signal.SIGTERM)
"""
WINDOW = f"""{STAGES}
from auritas.app.folders import default_home
from auritas.server.desktop.window import Stage, run
run(default_home(), lambda stage: report(f"desktop: {{stage.value}}", last=stage is Stage.APP))
"""
# The server's own way to its first answers: let in once, then given the page.
SERVED = f"""{STAGES}
import threading, urllib.request
from auritas.app.settings import load
from auritas.server import serve
from auritas.server.listening import Binding
def fetch(serving):
    jar = urllib.request.HTTPCookieProcessor()
    with urllib.request.build_opener(jar).open(serving.one_time) as answer:
        answer.read()
    report("server: page given", last=True)
def begun(serving):
    report("server: answers")
    threading.Thread(target=fetch, args=(serving,)).start()
serve.run(load(), Binding(), begun)
"""


@dataclass(frozen=True, slots=True)
class Took:
    """The least of some runs, since noise only ever adds. Both in seconds; cpu: user and system."""

    wall: float
    cpu: float


def least(found: Iterable[Took]) -> Took:
    """Return the least wall time and the least CPU time."""
    walls, cpus = zip(*((each.wall, each.cpu) for each in found), strict=True)
    return Took(min(walls), min(cpus))


def _environment(home: str) -> dict[str, str]:
    given = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return given | {"AURITAS_HOME": home, "AURITAS_MODELS": "none"}


def _spent() -> float:
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def whole(command: list[str], home: str) -> Took:
    """Return what a command takes from its start to its end."""
    return least(_whole(command, home) for _ in range(RUNS))


def _whole(command: list[str], home: str) -> Took:
    begun, before = time.perf_counter(), _spent()
    subprocess.run(command, env=_environment(home), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return Took(time.perf_counter() - begun, _spent() - before)


def stages(program: str, home: str) -> dict[str, Took]:
    """Return what a program took until each of its stages; the CPU is that of its own process alone."""
    found: dict[str, list[Took]] = {}
    for _ in range(RUNS):
        begun = time.time()
        done = subprocess.run([sys.executable, "-c", program], env=_environment(home), capture_output=True, check=False)
        for line in done.stdout.splitlines():
            stage, at, cpu = json.loads(line)
            found.setdefault(stage, []).append(Took(at - begun, cpu))
    return {stage: least(took) for stage, took in found.items()}


def has_window() -> bool:
    """Whether there is a screen, and the extra that draws on it."""
    parts = find_spec("PySide6") is not None and find_spec("webview") is not None
    return bool(os.environ.get("DISPLAY")) and parts


def main() -> None:
    auritas = [sys.executable, "-m", "auritas"]
    with tempfile.TemporaryDirectory() as home:
        rows = {
            "bare interpreter": whole([sys.executable, "-c", "pass"], home),
            "auritas --version": whole([*auritas, "--version"], home),
            "auritas --help": whole([*auritas, "--help"], home),
            "auritas audit root (opens the store)": whole([*auritas, "audit", "root"], home),
            "auritas memory list": whole([*auritas, "memory", "list"], home),
            "--version, everything imported first": whole([sys.executable, "-c", EVERYTHING], home),
            "import auritas.server.app": whole([sys.executable, "-c", "import auritas.server.app"], home),
            **stages(SERVED, home),
            **(stages(WINDOW, home) if has_window() else {}),
        }
    bare = rows["bare interpreter"]
    print(f"{'start-up, least of ' + str(RUNS):38} {'wall s':>8} {'x bare':>7} {'CPU s':>8} {'x bare':>7}")
    for name, took in rows.items():
        print(f"{name:38} {took.wall:8.3f} {took.wall / bare.wall:7.1f} {took.cpu:8.3f} {took.cpu / bare.cpu:7.1f}")


if __name__ == "__main__":
    main()
