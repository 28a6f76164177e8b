"""What a person sees in a real terminal."""

import os
import pty
import re
import select
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

import pytest
from tests.e2e.conftest import Home, says

from auritas.kernel.clock import SystemClock

QUESTION = "What is the capital of Australia?"
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")


@dataclass
class Terminal:
    """A program in a terminal of its own: what is typed, and everything that was ever on the screen."""

    process: "subprocess.Popen[bytes]"
    handle: int
    seen: str = ""

    def type(self, line: str) -> None:
        os.write(self.handle, line.encode() + b"\r")

    def answers(self, line: str, wanted: str) -> None:
        """Type a line and wait until `wanted` is shown after it."""
        self.seen = ""
        self.type(line)
        self.until(wanted)

    def until(self, wanted: str, seconds: float = 60) -> str:
        """Read until `wanted` was shown; return everything so far, without escapes."""
        clock = SystemClock()
        end = clock.monotonic() + seconds
        while wanted not in self.seen:
            ready, _, _ = select.select([self.handle], [], [], 0.2)
            data = b""
            if ready:
                with suppress(OSError):  # the terminal closes with its last writer
                    data = os.read(self.handle, 65536)
            self.seen += ESCAPES.sub("", data.decode(errors="replace"))
            if clock.monotonic() > end or (ready and not data):
                raise AssertionError(f"never saw {wanted!r} in:\n{self.seen}")
        return self.seen


@contextmanager
def terminal(home: Home, *words: str, columns: int = 120) -> Iterator[Terminal]:
    outside, inside = pty.openpty()
    environment = home.environment | {"TERM": "xterm-256color", "COLUMNS": str(columns), "LINES": "40"}
    process = subprocess.Popen(home.command(*words), stdin=inside, stdout=inside, stderr=inside, env=environment)
    os.close(inside)
    try:
        yield Terminal(process, outside)
        process.wait(60)
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
        os.close(outside)


@pytest.mark.parametrize(("columns", "framed"), [(120, True), (60, False)])
def test_answers_are_written_side_by_side(home, models, columns, framed):
    """While the models answer each has its column, or its line where the terminal is narrow; then the answer stands."""
    models.hold.clear()
    models.join(home, "ada", "bob", "eve")
    with terminal(home, "ask", "--level", "high", QUESTION, columns=columns) as shown:
        shown.until("Waking the members")
        models.hold.set()
        screen = shown.until("log entry")
    assert ("╭" in screen) is framed
    for name in ("ada", "bob", "eve", "calculator"):
        assert name in screen
    assert "Canberra" in screen
    assert shown.process.returncode == 0


def test_a_conversation_can_be_led(home, models):
    """Questions, /why, /level, /new, an unknown command and /quit do what they say; an empty line does nothing."""
    models.join(home, "ada", "bob")
    with terminal(home, "chat") as shown:
        shown.until("> ")
        shown.type("")
        shown.type(QUESTION)
        shown.until("log entry")
        shown.type("/why")
        shown.until("What you can do")
        shown.type("/level fast")
        shown.until("Level is now fast")
        shown.type("/new")
        shown.until("A new conversation begins")
        shown.answers("/nonsense", "There is no /nonsense. /help lists what there is.")
        assert "/merge" not in shown.seen
        shown.answers("/help", "Leaves, as Ctrl-D does.")
        assert "/merge A B" in shown.seen
        shown.type("/quit")
    assert shown.process.returncode == 0
    assert len(models.answered) == 2


def test_answers_are_graded_in_a_conversation(home, models):
    """/right, /wrong, /pick, /compare and /undo speak of the answer that was just shown, and are kept."""
    models.join(home, "ada", "bob", "eve")
    with terminal(home, "chat") as shown:
        shown.until("> ")
        shown.answers("/right", "no question yet")
        shown.answers(QUESTION, "log entry")
        shown.answers("/compare", "not chosen")
        shown.until("/pick NUMBER")
        shown.answers("/pick", "/pick SEAT or /pick NUMBER")
        shown.answers("/pick eve", "Take it back: /undo")
        assert 'Noted: "Sydney" is right.' in shown.seen
        shown.answers("/undo", 'Taken back: "Sydney" is right.')
        shown.answers("/wrong", "is wrong.")
        shown.answers("/right", "is right.")
        shown.answers("/pick carl", "1 Canberra")
        shown.answers("/merge 1 2", "say the same")
        shown.answers("/undo", "Taken back")
        shown.answers("/key Canberra", 'the right answer is "Canberra"')
        shown.answers("/undo", "Taken back")
        shown.answers("/none", "no answer is right")
        shown.answers("/undo", "Taken back")
        assert "auritas" not in shown.seen
        shown.type("/quit")
    assert shown.process.returncode == 0
    states = [(act["kind"], act["state"]) for act in home.json("grade", "list")["acts"]]
    assert states[3:] == [("verdict", "holds"), ("verdict", "taken_back"), ("pick", "undone")]
    assert states[:3] == [("none_right", "undone"), ("key", "undone"), ("merge", "undone")]
    assert len(models.answered) == 3


def test_ctrl_c_stops_an_answer_and_not_the_conversation(home, models):
    """Ctrl-C while the models think ends that answer; the next question is answered."""
    models.join(home, "ada")
    models.hold.clear()
    with terminal(home, "chat") as shown:
        shown.until("> ")
        models.arrived.clear()
        shown.type("Think long!")
        shown.until("Waking the members")
        assert models.arrived.wait(30)
        shown.process.send_signal(signal.SIGINT)
        shown.until("Stopped")
        models.hold.set()
        shown.type(QUESTION)
        shown.until("log entry")
        shown.type("/quit")
    assert shown.process.returncode == 0


def test_what_a_model_writes_cannot_move_the_cursor(home, models):
    """Escapes in an answer are removed before they reach the terminal (promise 8)."""
    models.says["ada"] = says("\x1b]0;stolen title\x07\x1b[2JCanberra", "\x1b[31mred\x1b[0m")
    models.join(home, "ada")
    done = home.run("ask", QUESTION)
    assert "Canberra" in done.out
    assert "\x1b]0" not in done.out
    assert "\x1b[2J" not in done.out
    assert "stolen" not in done.out
