"""Make a virtual environment and install a hash-locked list into it, then the project itself.

Usage: python scripts/install.py VENV LOCK. Needs nothing but Python 3.11 or later with `venv`.
"""

import os
import subprocess
import sys
from pathlib import Path

OLDEST = (3, 11)


def main(venv: Path, lock: Path) -> int:
    if sys.version_info < OLDEST:
        print(
            f"Auritas needs Python {OLDEST[0]}.{OLDEST[1]} or later; this is {sys.version.split()[0]}.", file=sys.stderr
        )
        print("Install a newer one and run: make setup PYTHON=python3.12", file=sys.stderr)
        return 2
    python = venv / "bin" / "python"
    if not python.exists():
        print(f"Making a virtual environment in {venv} …", flush=True)
        made = subprocess.run([sys.executable, "-m", "venv", str(venv)], check=False)
        if made.returncode:
            print("The venv module is missing; on Debian: apt-get install python3-venv", file=sys.stderr)
            return made.returncode
    print(f"Installing {lock} (every file checked against its hash) …", flush=True)
    # Bytecode is compiled once here: without it, each start of the program takes two to four times longer.
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    install = [str(python), "-m", "pip", "install", "--quiet", "--quiet", "--disable-pip-version-check"]
    steps = [
        [*install, "--require-hashes", "--no-deps", "-r", str(lock)],
        [*install, "--no-build-isolation", "--no-deps", "--no-index", "-e", "."],
        [str(python), "-m", "compileall", "-q", "src"],
    ]
    for step in steps:
        code = subprocess.run(step, check=False, env=environment).returncode
        if code:
            print(
                "Setting up stopped here; nothing outside this folder was changed. Mend the cause and run make again.",
                file=sys.stderr,
            )
            return code
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
