"""Forks, in which the other tests run commands, are as good as new processes."""

import subprocess

import pytest
from tests.e2e import forks

pytestmark = pytest.mark.skipif(not forks.POSSIBLE, reason="commands are forked on Linux alone")


@pytest.mark.parametrize(
    ("words", "feed"),
    [
        (("--version",), ""),
        (("memory", "show"), ""),
        (("memory", "frobnicate"), ""),
        (("memory", "add", "\udcff"), ""),
        (("ask", "-"), "What is the capital of Österreich?\n"),
    ],
)
def test_a_fork_says_and_ends_as_a_new_process_does(home, words, feed):
    """Output, errors and exit code are those of `python -m auritas`, whatever is typed or fed."""
    home.run("doctor", code=None)
    forked = forks.shared().run(words, home.environment, feed=feed)
    started = subprocess.run(
        home.command(*words), input=feed, capture_output=True, text=True, env=home.environment, timeout=240, check=False
    )
    assert (forked.returncode, forked.stdout, forked.stderr) == (started.returncode, started.stdout, started.stderr)


def test_what_python_reads_at_its_start_takes_a_new_process(home):
    """A variable that the program cannot have read late makes no fork; its own variables do."""
    home.extra = {"AURITAS_LEVEL": "high"}
    assert forks.shared().fits(home.environment)
    home.extra = {"PYTHONIOENCODING": "ascii"}
    assert not forks.shared().fits(home.environment)


def test_a_command_that_is_stuck_is_killed_and_the_next_one_runs(home, models):
    """A fork that takes too long ends with TimeoutExpired, as a process does, and stands in nobody's way."""
    models.join(home, "ada")
    models.hold.clear()
    with pytest.raises(subprocess.TimeoutExpired):
        forks.shared().run(("ask", "Why?"), home.environment, timeout_s=5)
    models.hold.set()
    assert home.run("--version").code == 0
