"""Reviewers on the command line, against models on the loopback."""

import json

import pytest
from tests.e2e.conftest import FakeModels, Home, serving

from auritas.council.review.checks import built_in_answers

TRUTH = {(item.question, item.answer): item.is_right for item in built_in_answers()}


def knowing(messages: list[dict[str, str]]) -> str:
    asked = json.loads(messages[-1]["content"])
    verdict = "correct" if TRUTH[asked["question"], asked["answer"]] else "incorrect"
    return f'I looked it up.\n{{"verdict": "{verdict}", "issues": [], "correction": ""}}'


@pytest.fixture
def reviewers(home: Home):
    says = {"ada": knowing, "bob": '{"verdict": "correct", "issues": [], "correction": ""}', "eve": "Seems fine to me."}
    with serving(says) as server:
        server.join(home, *says)
        yield server


def test_checks_are_kept_and_shown(home: Home, reviewers: FakeModels):
    """Who knows, who agrees with everything and who gives no verdict stand apart, also at the next start."""
    home.run("reviewers", "check", "--checks", "60")
    listed = {one["seat"]: one for one in home.json("reviewers", "list")["reviewers"]}
    assert {seat: one["checks"] for seat, one in listed.items()} == {"ada": 60, "bob": 60, "eve": 60}
    assert {seat: one["grades"] for seat, one in listed.items()} == {"ada": True, "bob": False, "eve": True}
    assert listed["ada"]["reliability"]["informedness"] > 0.8
    assert (listed["eve"]["measured"], listed["eve"]["reliability"]["plain"]) == (False, 0.0)
    shown = home.run("reviewers", "list").out
    assert "bob: no better than chance" in " ".join(shown.split())
    assert home.json("audit", "verify")["ok"]


def test_an_unknown_reviewer_is_answered_with_the_nearest(home: Home, reviewers: FakeModels):
    """A misspelt name ends in a sentence, the known names and the exit code of something that is not there."""
    done = home.run("reviewers", "check", "adda", code=3)
    assert "'ada'" in done.err
    assert reviewers.asked == []


def test_nobody_to_review_is_said(home: Home):
    """A store without models says how to get some instead of showing an empty table."""
    home.extra = {"AURITAS_MODEL_DIR": str(home.path / "none")}
    assert "auritas models get standard" in " ".join(home.run("reviewers", "list").out.split())
