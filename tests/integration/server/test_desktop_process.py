"""The server behind a window: what it says, and what is said when it ends. Each is a real process."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from auritas.app.presence import NoServerError
from auritas.kernel.errors import AuritasError
from auritas.server.desktop.process import ServerProcess

ANNOUNCE = """
import json, os, sys
print(json.dumps({"url": "http://127.0.0.1:1", "address": "http://127.0.0.1:1/enter"}), flush=True)
"""
WAIT = "\nsys.stdin.read()\n"
CHATTER = """
for stream in (1, 2):
    for _ in range(200):
        os.write(stream, b"word " * 10_000)
open(sys.argv[1], "w").close()
"""


@contextmanager
def server(tmp_path, code: str) -> Iterator[ServerProcess]:
    process = ServerProcess(tmp_path, [sys.executable, "-c", code, str(tmp_path / "done")])
    try:
        yield process
    finally:
        process.stop()


def test_a_server_that_says_much_does_not_wait_for_a_reader(tmp_path):
    """Twenty megabytes on both streams block nothing, and none of it is written down (spec 06, 3)."""
    with server(tmp_path, ANNOUNCE + CHATTER) as process:
        assert process.reached().ours
        assert process.ended().code == "server_ended"
        assert [each.name for each in tmp_path.iterdir()] == ["done"]


def test_a_server_that_crashes_at_the_start_is_told_with_its_last_line(tmp_path):
    """A person reads why it could not start, and what helps (spec 06, 3)."""
    with server(tmp_path, "raise SystemExit('The port is gone.\\n')") as process:
        with pytest.raises(AuritasError, match=r"^The server could not start: The port is gone\.") as told:
            process.reached()
        assert "auritas doctor" in told.value.remedy


def test_an_error_of_our_own_is_told_as_it_is(tmp_path):
    """What the server refused keeps its sentence and its remedy (spec 06, 3)."""
    said = json.dumps({"error": {"code": "port_taken", "message": "The port is taken.", "remedy": "Take another."}})
    with server(tmp_path, f"import sys; sys.exit({said!r})") as process:
        with pytest.raises(AuritasError, match=r"^The port is taken\.") as told:
            process.reached()
        assert told.value.remedy == "Take another."


def test_a_setting_that_is_wrong_is_told_in_the_window(monkeypatch, tmp_path):
    """The server reads the settings, and the window says what is wrong with one and which there are (spec 06, 3)."""
    monkeypatch.setenv("AURITAS_HOME", str(tmp_path))
    (tmp_path / "config.toml").write_text('colour = "red"\n')
    process = ServerProcess(tmp_path)
    try:
        with pytest.raises(AuritasError, match="colour") as told:
            process.reached()
        assert told.value.code == "invalid"
        assert told.value.remedy
    finally:
        process.stop()


def test_a_home_that_another_holds_without_answering_is_told(tmp_path):
    """A server that is refused because of another one that cannot be found says so, not nothing (spec 06, 3)."""
    said = json.dumps({"error": {"code": "already_serving", "message": "One runs already.", "remedy": ""}})
    with server(tmp_path, f"import sys; sys.exit({said!r})") as process, pytest.raises(NoServerError):
        process.reached()


def test_a_server_that_crashes_later_is_told_with_its_last_line(tmp_path):
    """The window says that its server has ended, and by what (spec 06, 3)."""
    with server(tmp_path, ANNOUNCE + "sys.exit('It was killed.')") as process:
        process.reached()
        ended = process.ended()
    assert ended.message == "The server of this window has ended: It was killed."
    assert "Nothing that was confirmed is lost." in ended.remedy


def test_a_server_ends_with_its_window(tmp_path):
    """Stopping closes its input, and a server that heeds that ends by itself (spec 06, 3)."""
    with server(tmp_path, ANNOUNCE + WAIT) as process:
        process.reached()
        process.stop()
        assert process.ended().message == "The server of this window has ended, and said nothing."
