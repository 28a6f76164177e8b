"""Where the output goes, and what the terminal is, never decide how a command ends."""

import json
import os
import subprocess

import pytest
from tests.e2e.conftest import Home, says

QUESTION = "What is the capital of Australia?"


def shell(home: Home, script: str) -> "subprocess.CompletedProcess[bytes]":
    words = [*MY_SHELL, script, "sh", *home.command()]
    return subprocess.run(words, capture_output=True, env=home.environment, timeout=120, check=False)


MY_SHELL = ["bash", "-o", "pipefail", "-c"]


@pytest.mark.parametrize("words", ["config explain", "config explain --json", "models list", "models list --json"])
def test_a_reader_that_leaves_early_is_no_error(home, words):
    """Piped to `head`, or to something that reads nothing, a command ends with its own code and says nothing."""
    done = shell(home, f'"$@" doctor >/dev/null 2>&1; "$@" {words} | true')
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("words", ["config explain", "config explain --json"])
def test_output_that_cannot_be_written_is_told(home, words):
    """On a full device there is a sentence with a remedy and code 5, not a bug."""
    done = shell(home, f'"$@" {words} >/dev/full')
    assert done.returncode == 5
    assert b"No space left" in done.stderr
    assert b"Traceback" not in done.stderr


def test_closed_streams_are_no_error(home):
    """A service manager may close everything; the command still does its work."""
    assert shell(home, '"$@" config set level high --json >&- 2>&- <&-').returncode == 0
    assert home.json("config", "show")["level"] == "high"


def test_an_encoding_that_lacks_a_character_is_no_error(home, models):
    """Under ASCII what cannot be shown is replaced, and JSON stays exact."""
    models.says["ada"] = says("Zürich ✓")
    models.join(home, "ada")
    home.extra["PYTHONIOENCODING"] = "ascii"
    assert "rich" in home.run("ask", QUESTION).out
    assert home.json("ask", QUESTION)["answer"] == "Zürich ✓"


def test_a_question_that_is_no_text_is_refused(home, models):
    """Bytes that are no UTF-8, as words or on standard input, are a usage error and reach nobody."""
    models.join(home, "ada")
    for script in ("printf '\\xff?' | \"$@\" ask -", "\"$@\" ask $'\\xff?'"):
        done = shell(home, script)
        assert done.returncode == 2
        assert b"UTF-8" in done.stderr
    assert models.asked == []


@pytest.mark.parametrize("reply", ['{"answer": "\\ud800Canberra\\u0000"}', "Because.\nANSWER: Canberra\0"])
def test_characters_that_cannot_be_stored_sink_no_question(home, models, reply):
    """A lone surrogate or a NUL in a reply is dropped; the answer is stored and the log verifies."""
    models.says["ada"] = reply
    models.join(home, "ada")
    assert home.json("ask", QUESTION)["answer"] == "Canberra"
    assert home.json("audit", "verify")["ok"]


def test_what_changes_models_answers_programs(home, models):
    """Switching and removing models, and destroying the store, print one JSON document."""
    models.join(home, "ada")
    assert home.json("models", "disable", "ada") == {"name": "ada", "enabled": False}
    assert home.json("models", "enable", "ada") == {"name": "ada", "enabled": True}
    assert home.json("models", "remove", "ada") == {"removed": "ada", "bytes": 0}
    gone = home.json("panic", "--yes")
    assert gone["destroyed"] is True
    assert gone["removed"] > 0
    assert home.json("panic", "--yes") == {"destroyed": False, "removed": 0, "left": []}


def test_a_setting_with_which_the_store_does_not_open_is_taken_back(home):
    """A change that cannot be logged does not stand."""
    home.run("config", "set", "level", "high")
    home.run("config", "set", "passphrase_file", "/nowhere/at/all", code=3)
    assert (home.path / "config.toml").read_text() == 'level = "high"\n'


def test_the_setting_debug_counts_wherever_it_is_set(home):
    """`debug` in the file shows the stack trace of an unexpected error, as the variable does."""
    plugin = home.path / "broken"
    plugin.mkdir(parents=True)
    (plugin / "sitecustomize.py").write_text(
        "import platformdirs, pydantic_settings, auritas.cli.doctor as d\n"
        "import auritas.cli.session as s\n"
        "def broken(*_): raise ZeroDivisionError\n"
        "s.opened = broken\n"
    )
    home.run("config", "explain", "debug")
    home.extra["PYTHONPATH"] = os.fspath(plugin)
    assert "Traceback" not in home.run("doctor", code=1).err
    (home.path / "config.toml").write_text("debug = true")
    assert "Traceback" in home.run("doctor", code=1).err


def test_upkeep_that_failed_is_told_by_the_doctor(home):
    """A daily backup that could not be made is a finding with a remedy, not a silence."""
    home.run("doctor", code=5)
    (home.path / "backups").write_text("in the way")
    home.run("config", "set", "level", "high")
    findings = {f["about"]: f for f in json.loads(home.run("doctor", "--json", code=5).out)["findings"]}
    assert findings["upkeep"]["ok"] is False
    assert "daily backup" in findings["upkeep"]["text"]
    assert findings["upkeep"]["remedy"]
