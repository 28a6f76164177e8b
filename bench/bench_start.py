"""How long the command line, the server and the window take to start; bytecode is kept, as where it is installed."""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec

RUNS = 7
EVERYTHING = (
    "import sys; import auritas.app.compose, auritas.app.ask, auritas.app.embedded, auritas.app.models, "
    "auritas.app.audit, auritas.app.keeping, auritas.cli.root; sys.argv = ['auritas', '--version']; "
    "from auritas.cli.entry import main; main()"
)

# Ends itself by the signal that a session sends at its end, once the app is shown.
WINDOW = """
import json, os, signal, time
from auritas.cli import loading
loading.begin()
import auritas.cli.root
from auritas.app.settings import load
from auritas.server.desktop.window import Stage, run
def report(stage):
    print(json.dumps([stage.value, time.time()]), flush=True)
    if stage is Stage.APP:
        os.kill(os.getpid(), signal.SIGTERM)
run(load().home, report)
"""
# The server's own way to its first answer, and its end right after it.
SERVED = """
import os, signal
from auritas.cli import loading
loading.begin()
from auritas.app.settings import load
from auritas.server import serve
from auritas.server.listening import Binding
serve.run(load(), Binding(), lambda serving: os.kill(os.getpid(), signal.SIGTERM))
"""


def best(command: list[str], home: str) -> float:
    """Return the best of RUNS wall times in milliseconds: noise only ever adds."""
    environment = _environment(home)
    times = []
    for _ in range(RUNS):
        begun = time.perf_counter()
        subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        times.append((time.perf_counter() - begun) * 1000)
    return min(times)


def _environment(home: str) -> dict[str, str]:
    given = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return given | {"AURITAS_HOME": home, "AURITAS_MODELS": "none"}


def least_cpu(command: list[str], home: str) -> float:
    """Return the least user CPU of RUNS runs in milliseconds, which other programs disturb less than wall time."""
    times = []
    for _ in range(RUNS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        subprocess.run(command, env=_environment(home), stdout=subprocess.DEVNULL, check=False)
        times.append((resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before) * 1000)
    return min(times)


def window(home: str) -> dict[str, float]:
    """Return the least milliseconds until the window and until the app in it were shown; nothing without a screen."""
    if not os.environ.get("DISPLAY") or find_spec("PySide6") is None or find_spec("webview") is None:
        return {}
    shown: dict[str, list[float]] = {}
    for _ in range(RUNS):
        begun = time.time()
        done = subprocess.run([sys.executable, "-c", WINDOW], env=_environment(home), capture_output=True, check=False)
        for line in done.stdout.splitlines():
            stage, at = json.loads(line)
            shown.setdefault(stage, []).append((at - begun) * 1000)
    return {stage: min(times) for stage, times in shown.items()}


def main() -> None:
    auritas = [sys.executable, "-m", "auritas"]
    with tempfile.TemporaryDirectory() as home:
        bare = best([sys.executable, "-c", "pass"], home)
        rows = [
            ("bare interpreter", bare),
            ("auritas --version", best([*auritas, "--version"], home)),
            ("auritas --help", best([*auritas, "--help"], home)),
            ("auritas audit root (opens the store)", best([*auritas, "audit", "root"], home)),
            ("--version, everything imported first", best([sys.executable, "-c", EVERYTHING], home)),
        ]
        cpu = [
            ("import auritas.server.app", least_cpu([sys.executable, "-c", "import auritas.server.app"], home)),
            ("the server, until it answers and ends", least_cpu([sys.executable, "-c", SERVED], home)),
        ]
        shown = window(home)
    print(f"{'start-up, best of ' + str(RUNS):40} {'ms':>8} {'x bare':>8}")
    for name, took in rows:
        print(f"{name:40} {took:8.0f} {took / bare:8.1f}")
    print(f"\n{'user CPU, least of ' + str(RUNS):40} {'ms':>8}")
    for name, took in cpu:
        print(f"{name:40} {took:8.0f}")
    for stage, took in shown.items():
        print(f"{'desktop: ' + stage + ' shown':40} {took:8.0f}")


if __name__ == "__main__":
    main()
