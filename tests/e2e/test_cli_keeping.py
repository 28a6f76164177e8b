"""Keys, backups, restoring and panic, through the command line."""

import json
import shutil
import signal
import subprocess
from pathlib import Path

import pytest
from tests.e2e.conftest import Home, interrupted, says

from auritas.kernel.clock import SystemClock

CANARY = "xylocarp"
QUESTION = "What is the capital of Australia?"


@pytest.fixture
def secret_file(tmp_path):
    path = tmp_path / "secret"
    path.write_text("correct horse battery staple\n")
    return path


def test_a_machine_without_keyring_is_told_what_its_key_file_does_not_protect(home):
    """The first start says exactly what is unprotected, once."""
    assert "in the clear" in home.run("doctor", code=None).err
    assert "in the clear" not in home.run("doctor", code=None).err


def test_a_passphrase_is_asked_for_from_then_on(home, models, secret_file):
    """With a passphrase set, nothing opens without it, a wrong one is refused and the right one works (F3)."""
    models.join(home, "ada")
    home.run("config", "passphrase", "--new-file", str(secret_file))
    assert home.run("ask", QUESTION, code=4).err.count("passphrase")
    wrong = secret_file.with_name("wrong")
    wrong.write_text("incorrect horse battery staple\n")
    home.extra["AURITAS_PASSPHRASE_FILE"] = str(wrong)
    assert "passphrase" in home.run("ask", QUESTION, code=4).err
    home.extra["AURITAS_PASSPHRASE_FILE"] = str(secret_file)
    assert home.run("ask", QUESTION).out.startswith("Canberra")


def test_a_backup_travels_to_another_machine(home, models, secret_file, tmp_path):
    """One file and its passphrase bring back everything, log included, in an empty folder."""
    models.join(home, "ada")
    asked = home.json("ask", QUESTION)
    target = tmp_path / "auritas.backup"
    made = home.json("backup", str(target), "--passphrase-file", str(secret_file))
    assert made["bytes"] == target.stat().st_size
    other = Home(tmp_path / "other")
    done = other.run("restore", str(target), "--passphrase-file", str(secret_file))
    assert "guarded by the passphrase" in " ".join(done.out.split())
    assert "passphrase" in other.run("audit", "verify", code=4).err
    other.extra["AURITAS_PASSPHRASE_FILE"] = str(secret_file)
    assert other.json("audit", "verify")["ok"]
    followed = other.json("ask", "--in", asked["conversation_id"], "And now?")
    assert followed["conversation_id"] == asked["conversation_id"]


def test_restoring_keeps_what_was_there(home, models, tmp_path):
    """The store that a backup replaces stays beside it, and a damaged backup replaces nothing."""
    models.join(home, "ada")
    target = tmp_path / "auritas.backup"
    home.run("backup", str(target))
    home.run("ask", QUESTION)
    before = home.json("audit", "verify")["entries"]
    damaged = tmp_path / "damaged.backup"
    damaged.write_bytes(target.read_bytes()[:-5000] + b"x" * 5000)
    home.run("restore", str(damaged), "--yes", code=6)
    assert home.json("audit", "verify")["entries"] >= before
    done = home.json("restore", str(target), "--yes")
    assert done["aside"]
    verified = home.json("audit", "verify")
    assert verified["ok"]
    assert verified["entries"] < before + 3


def test_a_restore_without_a_yes_changes_nothing(home, models, tmp_path):
    """Without a terminal and without --yes the store is not replaced."""
    target = tmp_path / "auritas.backup"
    home.run("doctor", code=None)
    home.run("backup", str(target))
    home.run("restore", str(target), code=4)
    home.run("backup", str(target), code=4)
    home.run("backup", str(target), "--force")


def test_no_word_of_a_person_lies_in_the_clear(home, models, tmp_path):
    """Canary words through every public path occur in no file of the folder and no backup (F2)."""
    home.run("models", "add", "ada", "--url", models.url, "--key", f"key-{CANARY}-k")
    models.says["ada"] = says(f"{CANARY}-a", f"{CANARY}-e")
    home.run("ask", f"Where is {CANARY}-q?")
    home.run("config", "set", "zone", "Europe/Berlin")
    models.says["ada"] = "503"
    home.run("ask", f"Where is {CANARY}-r?", code=5)
    done = home.run("ask", f"{CANARY}-s", "--in", "nowhere", code=3)
    target = tmp_path / "auritas.backup"
    home.run("backup", str(target))
    assert CANARY.encode() not in home.every_byte() + target.read_bytes()
    assert CANARY not in done.err


def test_every_file_belongs_to_the_owner_alone(home, models):
    """The folder is 0700 and every file in it 0600."""
    models.join(home, "ada")
    home.run("ask", QUESTION)
    assert home.path.stat().st_mode & 0o777 == 0o700
    files = [path for path in home.path.rglob("*") if path.is_file()]
    assert {oct(path.stat().st_mode & 0o777) for path in files} == {"0o600"}


def test_panic_leaves_nothing_that_opens(home, models):
    """After panic there is neither key nor database nor log line, and the next start is a first start."""
    models.join(home, "ada")
    home.run("ask", QUESTION)
    home.run("panic", code=4)
    assert (home.path / "auritas.db").exists()
    home.run("panic", "--yes")
    assert [path.name for path in home.path.rglob("*") if path.is_file()] == []
    assert home.json("audit", "verify")["entries"] < 3


def test_panic_can_be_stopped_in_its_window(home):
    """Ctrl-C within the three seconds leaves everything as it was."""
    home.run("doctor", code=None)
    process = home.start("panic", "--yes")
    assert process.stderr is not None
    line = process.stderr.readline()
    assert "Ctrl-C" in line
    done = interrupted(process, lambda: True, signal.SIGINT)
    assert done.code == 130
    assert home.json("audit", "verify")["ok"]


def test_a_newer_database_is_left_alone(home, models, tmp_path):
    """A file that a later version wrote is refused untouched, with what to do (5)."""
    from auritas.store.engine import Access, connect
    from auritas.store.keys import unlock

    models.join(home, "ada")
    key = unlock(home.path).key
    raw = connect(home.path / "auritas.db", key, Access.WRITE)
    raw.execute("UPDATE schema_version SET version_num = '9999'")
    raw.close()
    done = home.run("ask", QUESTION, code=None)
    assert done.code in {4, 5}
    assert "newer" in done.err
    raw = connect(home.path / "auritas.db", key, Access.READ)
    assert raw.execute("SELECT count(*) FROM queries").fetchone() == (0,)
    raw.close()


def test_a_flipped_byte_is_found(home, models):
    """One changed byte in the file is found by doctor, which ends with 6 and names the remedy (F3)."""
    models.join(home, "ada")
    home.run("ask", QUESTION)
    for companion in ("-wal", "-shm"):
        (home.path / f"auritas.db{companion}").unlink(missing_ok=True)
    database = home.path / "auritas.db"
    data = bytearray(database.read_bytes())
    data[len(data) // 2] ^= 1
    database.write_bytes(data)
    done = home.run("doctor", code=6)
    assert "restore" in done.out + done.err


def test_a_plaintext_database_is_refused(home):
    """A plain SQLite file in the place of the store is never opened as one (promise 4)."""
    import sqlite3
    from contextlib import closing

    home.run("doctor", code=None)
    shutil.rmtree(home.path / "backups", ignore_errors=True)
    for path in home.path.glob("auritas.db*"):
        path.unlink()
    with closing(sqlite3.connect(home.path / "auritas.db")) as raw:
        raw.execute("CREATE TABLE t (a)")
        raw.commit()
    done = home.run("ask", QUESTION, code=None)
    assert done.code in {4, 5, 6}
    assert "plain" in done.err


def test_two_processes_at_once_lose_nothing(home, models):
    """Two commands that write at the same time both succeed, and the log has every entry (F6)."""
    models.join(home, "ada", "bob")
    running = [home.start("ask", "--json", QUESTION) for _ in range(4)]
    results = [process.communicate(timeout=120) for process in running]
    assert [process.returncode for process in running] == [0] * 4
    seqs = [json.loads(out)["audit"]["seq"] for out, _ in results]
    assert len(set(seqs)) == 4
    assert all("locked" not in err for _, err in results)
    assert home.json("audit", "verify")["ok"]


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_question_is_kept_as_interrupted(home, models, sent):
    """Ctrl-C or a request to end while models answer ends with 130; the question is marked, and the log verifies."""
    from auritas.store.engine import Access, connect
    from auritas.store.keys import unlock

    models.join(home, "ada")
    models.hold.clear()
    models.arrived.clear()
    process = home.start("ask", QUESTION)
    done = interrupted(process, models.arrived.is_set, sent)
    models.hold.set()
    assert done.code == 130
    assert "Stopped" in done.err
    raw = connect(home.path / "auritas.db", unlock(home.path).key, Access.READ)
    assert raw.execute("SELECT status FROM queries").fetchall() == [("interrupted",)]
    raw.close()
    assert home.json("audit", "verify")["ok"]


def test_a_killed_question_is_seen_at_the_next_start(home, models):
    """After kill -9 in the middle of a question nothing acknowledged is lost, and the question shows as interrupted."""
    models.join(home, "ada")
    asked = home.json("ask", QUESTION)
    models.hold.clear()
    models.arrived.clear()
    process = home.start("ask", QUESTION)
    done = interrupted(process, models.arrived.is_set, signal.SIGKILL)
    models.hold.set()
    assert done.code == -signal.SIGKILL
    assert home.json("audit", "verify")["ok"]
    followed = home.json("ask", "--in", asked["conversation_id"], "And now?")
    assert followed["answer"] == "Canberra"


def has_opened_the_store(process: subprocess.Popen[str]) -> bool:
    """Whether the process holds the lock of its home: from there on the program, not Python's start, is in charge."""
    descriptors = Path(f"/proc/{process.pid}/fd")
    try:
        return any(link.readlink().name == "auritas.lock" for link in descriptors.iterdir())
    except OSError:
        return False


@pytest.mark.parametrize("after_ms", [0, 100, 300, 800])
def test_ctrl_c_at_any_moment_ends_with_130_and_loses_nothing(home, models, after_ms):
    """Whenever Ctrl-C comes (opening, asking, closing), the exit code is 130 or the answer, and the log verifies."""
    models.join(home, "ada")
    process = home.start("ask", QUESTION)
    clock = SystemClock()
    opened: list[float] = []

    def ready():
        if not opened and has_opened_the_store(process):
            opened.append(clock.monotonic())
        return process.poll() is not None or (opened and (clock.monotonic() - opened[0]) * 1000 >= after_ms)

    done = interrupted(process, ready)
    assert done.code in {0, 130}, done.err
    assert "Traceback" not in done.err
    assert home.json("audit", "verify")["ok"]
