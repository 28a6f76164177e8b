"""What the council gains, as a person sees it: on recorded answers, and on models on the loopback."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from tests.e2e.conftest import FakeModels, Home, interrupted
from tests.unit.council.recorded_tables import STRENGTHS, recorded, written

from auritas.app.compose import opened
from auritas.council.choice.policies import POLICIES

QUICK = ("--splits", "1", "--no-curves")
EXAM = """
version = 1
[[question]]
domain = "geography"
kind = "capitals"
ask = "What is the capital of Australia?"
accept = ["Canberra"]
[[question]]
domain = "science"
kind = "facts"
ask = "Which planet is closest to the sun?"
accept = ["Mercury"]
"""


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return written(tmp_path / "answers.jsonl.gz", recorded(120))


def test_a_stranger_needs_nothing_but_a_table(home: Home, table: Path):
    """Without models, store or network every policy is measured, and no data folder is made (section 8)."""
    found = home.json("eval", "council", "--data", str(table), "--splits", "2")
    assert set(found["policies"]) == set(POLICIES)
    assert found["pool"] == sorted(STRENGTHS)
    assert found["default_policy"] == "guarded"
    for result in found["policies"].values():
        assert {"accuracy", "gain_pp", "gain_fallback_pp", "calls_per_question"} <= set(result)
        assert len(result["ci_pp"]) == len(result["ci_fallback_pp"]) == 2
    assert {"ece", "ece_floor", "brier", "auroc"} <= set(found["calibration"])
    assert [point["grades"] for point in found["learning_curve"]] == [0, 25, 50, 60]
    assert all({"calls_share", "gain_share"} <= set(point) for point in found["cascade"])
    assert 0 < found["coverage80"] <= 1
    assert 0 < found["oracle"] <= 1
    assert not home.path.exists()


def test_the_same_command_gives_the_same_figures(home: Home, table: Path):
    """A published figure can be repeated to the last digit, random pools included."""
    words = ("eval", "council", "--data", str(table), *QUICK, "--seed", "3", "--random-pools", "2")
    first = home.json(*words)
    assert home.json(*words) == first
    assert first["random_pools"]["60"]["pools"] == 2


def test_only_the_policies_asked_for_are_measured(home: Home, table: Path):
    """Besides those that everything is compared with."""
    found = home.json("eval", "council", "--data", str(table), "--policy", "vote", *QUICK)
    assert set(found["policies"]) == {"vote", "guarded", "best_single"}


def test_public_scores_can_be_given_and_left_out(home: Home, table: Path, tmp_path: Path):
    """What is believed beforehand is in the document; a file of the user's wins, and --no-scores believes nothing."""
    mine = tmp_path / "mine.toml"
    mine.write_text('[[model]]\nname = "Ada"\nscore = 0.6\n', encoding="utf-8")
    words = ("eval", "council", "--data", str(table), *QUICK)
    assert home.json(*words)["public_scores"] == {}
    assert home.json(*words, "--scores", str(mine))["public_scores"] == {"ada": 0.6}
    assert home.json(*words, "--scores", str(mine), "--no-scores")["public_scores"] == {}


def test_the_report_fits_a_narrow_terminal_without_colour(home: Home, table: Path):
    """Eighty columns and no escapes are enough to read everything; nothing is on standard error."""
    home.extra = {"COLUMNS": "80"}
    done = home.run("eval", "council", "--data", str(table), "--splits", "2")
    assert done.err == ""
    assert "\x1b" not in done.out
    assert max(len(line) for line in done.out.splitlines()) <= 80
    for word in ("guarded *", "over best single", "Oracle", "ECE", "surest 80 %", "grades"):
        assert word in done.out


def test_a_terminal_without_unicode_can_read_the_report(home: Home, table: Path):
    """Curves fall back to signs that every terminal has."""
    home.extra = {"COLUMNS": "80", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    assert home.run("eval", "council", "--data", str(table), "--splits", "2").out.isascii()


def test_pictures_are_drawn_where_they_were_wanted(home: Home, table: Path, tmp_path: Path):
    """--plot makes the folder and says what lies in it."""
    found = home.json("eval", "council", "--data", str(table), *QUICK, "--plot", str(tmp_path / "p"))
    assert {Path(path).name for path in found["pictures"]} == {path.name for path in (tmp_path / "p").iterdir()}


def test_without_matplotlib_the_remedy_names_the_extra(home: Home, table: Path, tmp_path: Path):
    """A missing extra is said before any work, and names what to install."""
    blocked = tmp_path / "blocked"
    blocked.mkdir()
    (blocked / "matplotlib.py").write_text("raise ImportError\n", encoding="utf-8")
    home.extra = {"PYTHONPATH": os.pathsep.join([str(blocked), *filter(None, [os.environ.get("PYTHONPATH")])])}
    done = home.run("eval", "council", "--data", str(table), "--plot", str(tmp_path / "p"), code=5)
    assert "auritas[plots]" in done.err
    assert not (tmp_path / "p").exists()


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--pool", "adda,bob"), 3, "'ada'"),
        (("--pool", "locall"), 3, "'local'"),
        (("--pool", "ada"), 2, "at least two models"),
        (("--policy", "gaurded"), 3, "'guarded'"),
        (("--scores", "nowhere.toml"), 3, "nowhere.toml"),
        (("--splits", "0"), 2, "splits"),
    ],
)
def test_what_is_wrong_is_said_with_the_nearest_right(
    home: Home, table: Path, words: tuple[str, ...], code: int, said: str
):
    """Each mistake ends in a sentence, a remedy and its exit code."""
    assert said in home.run("eval", "council", "--data", str(table), *words, code=code).err


def test_a_bad_line_is_named_by_its_number(home: Home, tmp_path: Path):
    """Who made the table finds the line."""
    rows: list[Any] = recorded(50)
    path = written(tmp_path / "bad.jsonl", [*rows[:6], {"id": "7"}, *rows[7:]])
    assert "line 7" in home.run("eval", "council", "--data", str(path), code=2).err
    missing = home.run("eval", "council", "--data", str(tmp_path / "none.jsonl"), code=3)
    assert "none.jsonl" in missing.err


def test_too_few_questions_are_refused(home: Home, tmp_path: Path):
    """A handful of questions says nothing, so no figure is printed."""
    path = written(tmp_path / "few.jsonl", recorded(12))
    done = home.run("eval", "council", "--data", str(path), "--json", code=2)
    assert done.out == ""
    assert "12 questions" in json.loads(done.err)["error"]["message"]


@pytest.fixture
def joined(home: Home, models: FakeModels) -> FakeModels:
    models.join(home, "ada", "bob", "eve")
    return models


def counted(home: Home) -> dict[str, int]:
    from sqlalchemy import func, select

    from auritas.store import schema as t

    tables = (t.queries, t.messages, t.model_runs, t.grades, t.traces, t.conversations, t.council_weights)
    with opened(home=home.path) as auritas, auritas.store.read() as unit:
        return {
            table.name: unit.connection.execute(select(func.count()).select_from(table)).scalar_one()
            for table in tables
        }


def test_real_members_are_measured_and_leave_no_trace(home: Home, joined: FakeModels, tmp_path: Path):
    """Members and council are graded by the key; no question, run, grade or trace of it enters the history."""
    exam = tmp_path / "exam.toml"
    exam.write_text(EXAM, encoding="utf-8")
    before = counted(home)
    found = home.json("eval", "live", "--questions", str(exam))
    assert found["council"] == {"right": 1, "accuracy": 0.5}
    assert {seat: found["members"][seat]["right"] for seat in ("ada", "bob", "eve")} == {"ada": 1, "bob": 1, "eve": 0}
    assert found["policy"] == "guarded"
    assert found["domains"]["geography"]["council"] == 1
    assert len(joined.asked) == 6
    assert counted(home) == before
    assert len(home.json("egress")["requests"]) == 6
    assert home.json("audit", "verify")["ok"]


def test_stopping_leaves_nothing_behind(home: Home, joined: FakeModels, tmp_path: Path):
    """Ctrl-C in the middle ends with its exit code, and the history is as it was."""
    exam = tmp_path / "exam.toml"
    exam.write_text(EXAM, encoding="utf-8")
    before = counted(home)
    joined.hold.clear()
    process = home.start("eval", "live", "--questions", str(exam))
    done = interrupted(process, joined.arrived.is_set)
    joined.hold.set()
    assert done.code == 130
    assert done.out == ""
    assert counted(home) == before


def test_measuring_is_without_reviews(home: Home, joined: FakeModels):
    """The level whose reviews are left out is refused, and nobody is asked."""
    assert "'high'" in home.run("eval", "live", "--level", "maximum", code=2).err
    assert joined.asked == []


def test_a_score_of_ones_own_holds_until_it_is_forgotten(home: Home):
    """It wins over ours in any spelling, is in the log, and ours is back once it is gone."""
    home.run("models", "score", "llama-3.1-70b-instruct", ".5", "--source", "my own exam")
    mine = home.json("models", "score", "Llama_3.1-70B-Instruct")["scores"]
    assert mine == [{"model": "llama-3.1-70b-instruct", "score": 0.5, "source": "my own exam", "own": True}]
    assert "0.836" in home.run("models", "score", "Llama-3.1-70b-instruct", "--forget").out
    assert not home.json("models", "score", "llama-3.1-70b-instruct")["scores"][0]["own"]
    home.run("models", "score", "llama-3.1-70b-instruct", "--forget", code=3)
    assert home.json("audit", "verify")["ok"]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("ada", ".5"), 2),
        (("ada", "50", "--source", "x"), 2),
        (("ada",), 3),
        (("--forget",), 2),
        (("ada", ".5", "--forget"), 2),
    ],
)
def test_a_score_that_makes_no_sense_is_refused(home: Home, words: tuple[str, ...], code: int):
    """No source, no share, no model: nothing is stored."""
    home.run("models", "score", *words, code=code)
    assert not any(row["own"] for row in home.json("models", "score")["scores"])


def test_an_empty_store_says_that_nobody_has_a_record(home: Home):
    """No invented figures before the first question."""
    assert "nobody has a record" in home.run("models", "stats").out
    found = home.json("models", "stats")
    assert found["grades"] == 0
    assert not found["calibrated"]


def test_stats_count_what_was_asked_and_graded(home: Home, joined: FakeModels):
    """Questions, silence, grades and time stand beside each member; a grade moves its rate at once."""
    joined.says["eve"] = "503"
    home.run("ask", "What is the capital of Australia?", "--level", "high")
    home.run("grade", "right")
    found = home.json("models", "stats")
    seats = {one["seat"]: one for one in found["seats"]}
    assert seats["ada"]["runs"]["asked"] == 1
    assert seats["ada"]["rate"]["right"] == seats["ada"]["rate"]["graded"] == 1
    assert seats["ada"]["rate"]["low"] < seats["ada"]["rate"]["mean"] < seats["ada"]["rate"]["high"]
    assert seats["eve"]["runs"]["silence"] == 1.0
    assert seats["ada"]["runs"]["total_ms"] > 0
    assert found["grades"] == 1
    assert found["why"]
    home.extra = {"COLUMNS": "80"}
    shown = home.run("models", "stats").out
    assert "ada" in shown
    assert max(len(line) for line in shown.splitlines()) <= 80
