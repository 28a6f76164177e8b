"""The program's own log file."""

import json

from auritas.app.logs import LOG_FILE, LogFile, troubles
from auritas.kernel.diagnostics import KeptDiagnostics, frames

CANARY = "canary-4711"


def _broken() -> None:
    raise ValueError(CANARY)


def _caught() -> ValueError:
    try:
        _broken()
    except ValueError as error:
        return error
    raise AssertionError


def test_a_log_line_names_type_and_place_but_no_words(tmp_path, clock):
    """An error's message may hold what a person wrote, so only its type and place are kept (F2)."""
    log = LogFile(tmp_path, clock)
    log.trouble("member embedded", _caught())
    text = (tmp_path / LOG_FILE).read_text()
    line = json.loads(text)
    assert (line["error"], line["where"], line["at"]) == (
        "ValueError",
        "member embedded",
        "2026-01-01T00:00:00.000000Z",
    )
    assert line["frames"][-1].endswith(" _broken")
    assert CANARY not in text
    assert (tmp_path / LOG_FILE).stat().st_mode & 0o777 == 0o600


def test_unknown_keys_are_redacted_before_they_are_formatted(tmp_path, clock):
    """Whatever key somebody adds to a line, its value does not reach the file until it is known to be harmless."""
    log = LogFile(tmp_path, clock)
    log.trouble("x", _caught())
    log._logger.error("trouble", question=CANARY, count=3)
    last = json.loads((tmp_path / LOG_FILE).read_text().splitlines()[-1])
    assert (last["question"], last["count"]) == ("redacted", 3)


def test_without_trouble_there_is_no_file(tmp_path, clock):
    """A program that has nothing to say writes nothing."""
    LogFile(tmp_path, clock)
    assert list(tmp_path.iterdir()) == []


def test_the_double_keeps_what_it_is_told():
    """A test can ask what was reported."""
    kept = KeptDiagnostics()
    kept.trouble("hook", _caught())
    assert kept.troubles == [("hook", "ValueError")]
    assert frames(_caught())[-1].endswith("_broken")


def test_notes_that_cannot_be_written_disturb_nobody(tmp_path, clock, capsys):
    """Where there is no folder to write to, or no room in it, whoever notes a trouble neither fails nor prints."""
    LogFile(tmp_path / "nowhere", clock).trouble("member embedded", _caught())
    (tmp_path / LOG_FILE).symlink_to("/dev/full")
    LogFile(tmp_path, clock).trouble("member embedded", _caught())
    assert capsys.readouterr() == ("", "")


def test_troubles_can_be_read_back(tmp_path, clock):
    """Where something went wrong lately is known to the check-up; a line that was cut is passed over."""
    log = LogFile(tmp_path, clock)
    log.trouble("daily root", _caught())
    clock.advance(3600)
    log.trouble("daily backup", _caught())
    with (tmp_path / LOG_FILE).open("a") as file:
        file.write('{"at": "2026-01-')
    assert troubles(tmp_path, clock.now()) == ("daily backup",)
    assert troubles(tmp_path / "nowhere", clock.now()) == ()
