"""Grading and comparing, as a person does it: by commands."""

from typing import Any

import pytest
from tests.e2e.conftest import says

QUESTION = "What is the capital of Australia?"


@pytest.fixture
def asked(home, models):
    """A home in which ada and bob said Canberra and eve said Sydney."""
    models.says["eve"] = says("Sydney", "It is the largest city.")
    models.join(home, "ada", "bob", "eve")
    return home.json("ask", "--level", "high", QUESTION)


def right_of(document: Any) -> dict[str, bool | None]:
    return {answer["seat"]: answer["right"] for answer in document["answers"]}


def test_a_question_is_graded_picked_and_taken_back(home, asked):
    """Right, a pick of another, undo: each says who counts as right, and the log verifies at the end."""
    said = home.json("grade", "right")
    assert said["query_id"] == asked["query_id"]
    assert right_of(said) == {"ada": True, "bob": True, "eve": False}
    assert home.json("grade", "right")["already"] is True
    assert right_of(home.json("pick", "eve")) == {"ada": False, "bob": False, "eve": True}
    assert right_of(home.json("grade", "undo")) == {"ada": True, "bob": True, "eve": False}
    assert set(right_of(home.json("grade", "none", "--question", asked["trace_id"])).values()) == {False}
    states = [act["state"] for act in home.json("grade", "list")["acts"]]
    assert states == ["holds", "undone", "taken_back"]
    assert home.run("audit", "verify").out.startswith("ok")


def test_a_person_reads_what_was_noted_and_how_to_take_it_back(home, asked):
    """Without --json each command answers in sentences, with the id by which to undo it."""
    noted = home.run("grade", "key", "53").out
    assert 'Noted: the right answer is "53".' in noted
    assert "No answer says the same" in noted
    act = home.json("grade", "list")["acts"][0]["act"]
    assert f"auritas grade undo {act}" in noted
    assert "Taken back" in home.run("grade", "undo", act).out
    assert "taken back before" in home.run("grade", "undo", act).out
    assert "wrong" in home.run("grade", "wrong").out
    assert "say the same" in home.run("grade", "merge", "ada", "eve").out
    assert "(undone)" in home.run("grade", "list").out


@pytest.mark.parametrize("columns", ["40", "100"])
def test_a_comparison_is_readable_without_colour_on_any_terminal(home, asked, columns):
    """Everyone's words stand there, the claims that differ between angles, and the next steps."""
    home.extra |= {"COLUMNS": columns}
    shown = home.run("compare").out
    words = " ".join(shown.split())
    for part in ("«Canberra»", "«Sydney»", "ada", "eve", "largest city", "auritas pick", "auritas grade merge 1 2"):
        assert part in words
    assert "\x1b" not in shown
    beside = any("«Canberra»" in line and "«Sydney»" in line for line in shown.splitlines())
    assert beside is (columns == "100")


def test_the_comparison_for_programs_has_its_spans(home, asked):
    """The JSON names candidates, voices and spans, and what has been graded."""
    home.run("pick", "2")
    view = home.json("compare", asked["query_id"])
    assert [c["text"] for c in view["candidates"]] == ["Canberra", "Sydney"]
    assert view["candidates"][0]["spans"] == [{"kind": "differs", "text": "Canberra"}]
    assert {voice["seat"] for voice in view["candidates"][0]["voices"]} == {"ada", "bob"}
    assert view["unheard"] == [{"seat": "calculator", "why": "abstained"}]
    assert view["graded"] == {"ada": False, "bob": False, "eve": True}


@pytest.mark.parametrize(
    ("words", "code", "part"),
    [
        (["pick", "carl"], 3, "1 Canberra"),
        (["grade", "right", "--question", "zz"], 3, "zz"),
        (["grade", "key", " "], 2, "characters"),
        (["grade", "undo"], 3, "nothing to undo"),
        (["grade", "list", "--after", "x"], 2, "cursor"),
    ],
)
def test_what_cannot_be_graded_gets_a_sentence(home, asked, words, code, part):
    """What is wrong and what to do stands in one sentence."""
    done = home.run(*words, code=code)
    assert part in " ".join(done.err.split())
    assert "Traceback" not in done.err + done.out


def test_before_the_first_question_there_is_nothing_to_grade(home):
    """A fresh store says that a question comes first."""
    assert "auritas ask" in home.run("grade", "right", code=3).err
    assert "not graded anything" in home.run("grade", "list").out
