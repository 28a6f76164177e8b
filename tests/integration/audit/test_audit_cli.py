"""`auritas audit …` as a person types it."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from auritas.app.compose import opened
from auritas.cli.root import run
from auritas.kernel.log import Kind, LogEvent

COMMANDS = ["verify", "show", "root", "prove", "check", "export", "witness", "checkpoint"]


def fill(count: int) -> None:
    """Append `count` entries to the log in the data folder."""
    with opened() as auritas, auritas.store.unit() as unit:
        auritas.log.append(unit, [LogEvent(Kind.RUN, "user", {"n": number}, "body") for number in range(count)])


def spoil(sql: str) -> None:
    with opened() as auritas, auritas.store.unit() as unit:
        unit.connection.exec_driver_sql(sql)


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str]):
    """Run one command; return its exit code and what it printed."""

    def said(*words: str) -> tuple[int, str]:
        capsys.readouterr()
        code = run(["audit", *words])
        return code, capsys.readouterr().out

    return said


def parsed(answer: tuple[int, str]) -> Any:
    assert answer[0] == 0
    return json.loads(answer[1])


def test_verify_prints_ok_the_number_and_the_head(say):
    """After 1,000 appends verify prints ok, the number of entries and the head, and leaves with 0 (F7)."""
    fill(1000)
    code, text = say("verify")
    found = parsed(say("verify", "--json"))
    assert code == 0
    assert found["entries"] >= 1000
    assert re.match(r"ok 1,00\d entries, every one verified\nhead 100\d:[0-9a-f]{64}\n", text)
    assert {"ok", "entries", "root", "checkpoint", "first_bad"} <= set(found)
    assert (found["ok"], found["first_bad"]) == (True, None)


def test_verify_names_the_first_bad_entry(say):
    """A damaged log prints the entry where it begins, in words and as JSON, and leaves with 6 (F8)."""
    fill(30)
    spoil("UPDATE audit_log SET actor = 'mallory' WHERE seq = 17")
    code, text = say("verify")
    assert code == 6
    assert "first bad entry: 17" in text
    code, text = say("verify", "--json")
    assert (code, json.loads(text)["first_bad"], json.loads(text)["ok"]) == (6, 17, False)


def test_verify_compares_with_a_kept_head(say, tmp_path: Path):
    """A head that was kept elsewhere is still in the log, or the log is not the one it was."""
    fill(3)
    kept = parsed(say("root", "--json"))
    assert say("verify", "--head", f"{kept['size']}:{kept['root']}")[0] == 0
    assert say("verify", "--head", f"1:{kept['root']}")[0] == 6
    assert say("verify", "--head", "nonsense:")[0] == 2


def test_show_lists_entries_and_one_in_full(say):
    """Entries are listed with their level, the newest first; one by its number shows everything but its body."""
    fill(5)
    page = parsed(say("show", "--json", "--kind", "run", "--last", "3"))
    assert [entry["refs"]["n"] for entry in page["entries"]] == [4, 3, 2]
    assert page["next_cursor"] is not None
    seq = page["entries"][0]["seq"]
    one = parsed(say("show", str(seq), "--json"))
    assert one["leaf_hash"] == page["entries"][0]["leaf_hash"]
    code, text = say("show")
    assert code == 0
    assert "run" in text
    assert say("show", str(seq))[0] == 0
    assert say("show", "999")[0] == 3
    assert "No entries" in say("show", "--kind", "verdict")[1]


def test_a_proof_goes_from_prove_to_check(say, tmp_path: Path):
    """What prove prints is a file that check accepts with the key from root, and refuses when it was changed."""
    fill(5)
    code, proof = say("prove", "2")
    key = parsed(say("root", "--json"))["key"]
    file = tmp_path / "2.tlog-proof"
    file.write_text(proof)
    assert code == 0
    found = parsed(say("check", str(file), "--key", key, "--json"))
    assert (found["ok"], found["index"]) == (True, 2)
    assert say("check", str(file), "--key", key)[1].startswith("ok entry 2 ")
    file.write_text(proof.replace("index 2", "index 1"))
    assert say("check", str(file), "--key", key)[0] == 6
    assert say("check", str(tmp_path / "gone"), "--key", key)[0] == 3
    assert parsed(say("prove", "2", "--json"))["proof"] == proof
    assert say("prove", "999")[0] == 3


def test_check_opens_no_store(tmp_path: Path):
    """Checking a file works where there is no data folder, and makes none."""
    file = tmp_path / "x.tlog-proof"
    file.write_text("no proof")
    command = [sys.executable, "-m", "auritas", "audit", "check", str(file), "--key", "a+b+c"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 6
    assert not (tmp_path / "home").exists()


def test_root_prints_the_head_and_the_daily_roots(say):
    """The head can be copied; each of the latest daily roots stands beside the command that copies it."""
    fill(3)
    spoil("UPDATE checkpoints SET day = '2026-01-31', reason = 'daily'")
    roots = parsed(say("root", "--json"))
    code, text = say("root")
    assert code == 0
    assert f"head {roots['size']}:" in text
    assert "auritas audit root --day 2026-01-31 > 2026-01-31.checkpoint" in text
    code, note = say("root", "--day", "2026-01-31")
    assert (code, note) == (0, roots["days"][0]["note"])
    assert parsed(say("root", "--day", "2026-01-31", "--json"))["day"] == "2026-01-31"
    assert say("root", "--day", "2020-01-01")[0] == 3
    assert say("root", "--day", "yesterday")[0] == 2


def test_export_and_witness_and_checkpoint_work_together(say, tmp_path: Path):
    """The log is exported, witnessed and signed on demand; afterwards it verifies at the level of the witness."""
    fill(5)
    exported = parsed(say("export", str(tmp_path / "copy"), "--json"))
    assert exported["files"] == len([path for path in (tmp_path / "copy").rglob("*") if path.is_file()])
    assert say("export", str(tmp_path / "copy"))[0] == 0
    assert say("witness", "--dir", str(tmp_path / "witness"))[0] == 0
    fill(5)
    witnessed = parsed(say("witness", "--dir", str(tmp_path / "witness"), "--json"))
    assert witnessed["seen_before"] > 0
    assert witnessed["checkpoint"]["level"] == "witnessed"
    assert parsed(say("checkpoint", "--json"))["size"] >= witnessed["checkpoint"]["size"]
    assert say("checkpoint")[0] == 0
    assert parsed(say("verify", "--json"))["ok"]


def test_a_witness_answers_a_file(say, tmp_path: Path):
    """With a request file the witness prints its signature line; without the log's key it asks for it."""
    fill(2)
    note = parsed(say("checkpoint", "--json"))["note"]
    key = parsed(say("root", "--json"))["key"]
    file = tmp_path / "request"
    file.write_text(f"old 0\n\n{note}")
    words = ["witness", "--dir", str(tmp_path / "w"), "--request", str(file)]
    assert say(*words)[0] == 2
    code, line = say(*words, "--key", key)
    assert (code, line.startswith("— auritas.invalid/")) == (0, True)
    assert say(*words, "--key", key)[0] == 4, "it knows the log now, and wants a proof from there"
    file.write_text(f"old {note.splitlines()[1]}\n\n{note}")
    assert parsed(say(*words, "--key", key, "--json"))["cosignature"].startswith("— ")


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_has_help_with_an_example(command, say):
    """--help says what a command does and shows one call of it (F20)."""
    code, text = say(command, "--help")
    assert code == 0
    assert f"auritas audit {command}" in " ".join(text.split())
    assert "Example:" in text
