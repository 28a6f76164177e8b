"""`auritas desktop` in a real window, under Xvfb where there is no screen."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from time import monotonic, sleep

import pytest

from auritas.app.folders import DESKTOP
from auritas.app.presence import running
from auritas.server.desktop.instance import SOCKET, first

CLI = [sys.executable, "-m", "auritas"]
PATIENCE_S = 120
pytestmark = [
    pytest.mark.skipif(
        find_spec("PySide6") is None or find_spec("webview") is None,
        reason="needs the extra desktop: python scripts/install.py VENV requirements-desktop.lock",
    ),
    pytest.mark.skipif(
        not (os.environ.get("DISPLAY") or shutil.which("Xvfb")), reason="needs a screen: apt-get install xvfb"
    ),
    pytest.mark.xdist_group("screen"),
]


@contextmanager
def tray(display: str) -> Iterator[None]:
    """Put a place for icons onto a screen, where one is installed."""
    if not shutil.which("trayer"):
        yield
        return
    process = subprocess.Popen(["trayer"], env=os.environ | {"DISPLAY": display}, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        process.terminate()
        process.wait()


@pytest.fixture(scope="module")
def screen() -> Iterator[str]:
    """A screen of our own, or the one that is there."""
    if not shutil.which("Xvfb"):
        yield os.environ["DISPLAY"]
        return
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1280x900x24", "-nolisten", "tcp"]
    process = subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL)
    os.close(writing)
    try:
        with os.fdopen(reading) as number:
            display = f":{number.readline().strip()}"
        with tray(display):
            yield display
    finally:
        process.terminate()
        process.wait()


@pytest.fixture
def home(screen) -> Path:
    os.environ |= {"AURITAS_MODELS": "none", "DISPLAY": screen, "QT_QPA_PLATFORM": "xcb"}
    if os.geteuid() == 0:
        os.environ["QTWEBENGINE_DISABLE_SANDBOX"] = "1"  # Chromium's sandbox refuses to run as root
    return Path(os.environ["AURITAS_HOME"])


def until(so: Callable[[], object]) -> None:
    end = monotonic() + PATIENCE_S
    while not so():
        assert monotonic() < end
        sleep(0.1)


def let_in(home: Path) -> bool:
    """Whether a browser has been let in, which the window is as soon as its page has loaded."""
    listed = subprocess.run([*CLI, "tokens", "list", "--json"], capture_output=True, text=True, check=False)
    return running(home) is not None and '"browser"' in listed.stdout


@contextmanager
def started(*words: str) -> Iterator["subprocess.Popen[bytes]"]:
    process = subprocess.Popen([*CLI, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()


def listens(home: Path) -> bool:
    return (home / DESKTOP / SOCKET).is_socket()


def test_a_window_brings_its_server_and_takes_it_along(home):
    """One server starts with the window, a second start shows the first, and quitting leaves neither (spec 06, 3)."""
    with started("desktop") as window:
        until(lambda: let_in(home))
        before = running(home)
        assert subprocess.run([*CLI, "desktop"], timeout=PATIENCE_S, check=False).returncode == 0
        assert running(home) == before
        window.send_signal(signal.SIGTERM)
        assert window.wait(PATIENCE_S) == 0
    assert running(home) is None
    assert (home / DESKTOP / "profile").is_dir()


def test_a_server_that_runs_already_is_used_and_left_alone(home):
    """The window attaches to the server of its home and ends nothing when it goes (spec 06, 3)."""
    with started("serve", "--no-open") as server:
        until(lambda: running(home))
        before = running(home)
        with started("desktop") as window:
            until(lambda: listens(home) and let_in(home))
            assert running(home) == before
            window.send_signal(signal.SIGTERM)
            assert window.wait(PATIENCE_S) == 0
        assert running(home) == before
        assert server.poll() is None


def test_a_server_that_died_is_begun_anew_in_the_same_window(home):
    """The window outlives its server and says so; starting Auritas again tries again in it (spec 06, 3)."""
    with started("desktop") as window:
        until(lambda: let_in(home))
        died = running(home)
        assert died is not None
        os.kill(died.pid, signal.SIGKILL)
        until(lambda: running(home) is None)

        def tried_again() -> bool:
            assert subprocess.run([*CLI, "desktop"], timeout=PATIENCE_S, check=False).returncode == 0
            return running(home) is not None

        until(tried_again)
        assert window.poll() is None
        again = running(home)
        assert again is not None
        assert again.pid != died.pid
        window.send_signal(signal.SIGTERM)
        window.wait(PATIENCE_S)
    until(lambda: running(home) is None)


def test_the_server_does_not_outlive_a_window_that_is_killed(home):
    """However the window dies, its server ends properly and the next one finds the place free (spec 06, 3)."""
    with started("desktop") as window:
        until(lambda: running(home))
        window.kill()
        window.wait()
    until(lambda: running(home) is None)
    assert not (home / "server.json").exists()
    with first(home / DESKTOP) as free:
        assert free
