"""How long the command line takes to start, beside a bare interpreter and beside importing everything first."""

import os
import subprocess
import sys
import tempfile
import time

RUNS = 7
EVERYTHING = (
    "import sys; import auritas.app.compose, auritas.app.ask, auritas.app.embedded, auritas.app.models, "
    "auritas.app.audit, auritas.app.keeping, auritas.cli.root; sys.argv = ['auritas', '--version']; "
    "from auritas.cli.entry import main; main()"
)


def best(command: list[str], home: str) -> float:
    """Return the best of RUNS wall times in milliseconds: noise only ever adds."""
    environment = os.environ | {"AURITAS_HOME": home}
    times = []
    for _ in range(RUNS):
        begun = time.perf_counter()
        subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        times.append((time.perf_counter() - begun) * 1000)
    return min(times)


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
    print(f"{'start-up, best of ' + str(RUNS):40} {'ms':>8} {'x bare':>8}")
    for name, took in rows:
        print(f"{name:40} {took:8.0f} {took / bare:8.1f}")


if __name__ == "__main__":
    main()
