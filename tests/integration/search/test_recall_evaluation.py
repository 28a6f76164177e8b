"""The evaluations of recall and preferences on small data of our own."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.integration.search.test_recall_store import BOATS, BREAD, TAXES, Bag

from auritas.app.missing_embedder import NoEmbedderError
from auritas.app.preference_evaluation import evaluate_preferences
from auritas.app.preference_evaluation import to_document as preferences_document
from auritas.app.recall_evaluation import evaluate_recall, to_document
from auritas.cli.eval_recall_report import preferences_text, recall_text
from auritas.cli.screen import out
from auritas.kernel.clock import ManualClock
from auritas.kernel.errors import InvalidError, NotFoundError
from auritas.kernel.randomness import SystemEntropy
from auritas.search.evaluation.preferences import place_of_first, stores

STORE = 3


def conversation() -> dict[str, Any]:
    """Return a conversation in the format of the evaluation, with a question whose evidence does not exist."""
    data: dict[str, Any] = {"speaker_a": "Anna", "speaker_b": "Ben", "session_9_date_time": "never used"}
    for number, said in enumerate((BOATS, BREAD, TAXES), start=1):
        data[f"session_{number}_date_time"] = f"1:5{number} pm on {number} May, 2023"
        data[f"session_{number}"] = [
            {"speaker": ("Anna", "Ben")[place % 2], "dia_id": f"D{number}:{place + 1}", "text": text}
            for place, text in enumerate(said)
        ]
    data["session_1"][2]["blip_caption"] = "a puddle"
    data["qa"] = [
        {"question": "What did Anna name the boat?", "category": 4, "evidence": ["D1:1"]},
        {"question": "How long do dough and loaf take?", "category": 1, "evidence": ["D2:2; D2:3"]},
        {"question": "When did Ben bake?", "category": 5, "evidence": ["D2:3"]},
        {"question": "Nobody knows?", "category": 3, "evidence": ["D8:1"]},
    ]
    return data


def test_recall_is_reported_as_agreed(tmp_path: Path) -> None:
    """The document has the agreed keys; questions without evidence are left out (M16)."""
    (tmp_path / "one.json").write_text(json.dumps(conversation()))
    document = to_document(evaluate_recall(tmp_path, Bag(), SystemEntropy()))
    assert document["questions"] == 3
    assert set(document["recall_at"]) == {"5", "10", "20"}
    assert document["recall_at"]["10"] == document["non_adversarial"]["10"] == 1
    assert document["by_category"]["multi_hop"]["questions"] == 1
    assert document["cpu_ms_per_query"] > 0
    assert document["gain"]["10"]["interval"][0] <= document["gain"]["10"]["difference"]
    assert set(document["baseline"]["recall_at"]) == {"5", "10", "20"}
    out.print(recall_text(document))


def test_the_same_conversation_gives_the_same_figures(tmp_path: Path) -> None:
    """Two runs agree on everything but the time they took (M16)."""
    (tmp_path / "one.json").write_text(json.dumps(conversation()))
    one, other = (to_document(evaluate_recall(tmp_path, Bag(), SystemEntropy())) for _ in range(2))
    timed = {"cpu_ms_per_query", "embedding_ms_per_query"}
    assert {k: v for k, v in one.items() if k not in timed} == {k: v for k, v in other.items() if k not in timed}


def test_what_cannot_be_evaluated_is_said(tmp_path: Path, clock: ManualClock) -> None:
    """No embedder, no files, and files of another form are errors with a remedy (M16, M17)."""
    with pytest.raises(NoEmbedderError):
        evaluate_recall(tmp_path, None, SystemEntropy())
    with pytest.raises(NotFoundError):
        evaluate_recall(tmp_path, Bag(), SystemEntropy())
    with pytest.raises(NotFoundError):
        evaluate_preferences(tmp_path, Bag(), clock, STORE)
    (tmp_path / "odd.json").write_text('{"qa": 7}')
    with pytest.raises(InvalidError):
        evaluate_recall(tmp_path, Bag(), SystemEntropy())
    with pytest.raises(InvalidError):
        evaluate_preferences(tmp_path, Bag(), clock, STORE)


def _preferences(folder: Path) -> None:
    topics = {
        "food": [
            ("I never eat peanuts.", "Which snack has no peanuts for me to eat?"),
            ("I love soup.", "Which soup?"),
        ],
        "travel": [
            ("I fear flying.", "Is flying to Rome cheap?"),
            ("I avoid large hotels.", "Are there large hotels?"),
        ],
    }
    for topic, rows in topics.items():
        made = [{"preference": text, "question": question, "explanation": "-"} for text, question in rows]
        (folder / f"{topic}.json").write_text(json.dumps(made))


def test_preferences_are_reported_as_agreed(tmp_path: Path, clock: ManualClock) -> None:
    """The document has the agreed keys, and one store a preference (M17)."""
    _preferences(tmp_path)
    document = preferences_document(evaluate_preferences(tmp_path, Bag(), clock, STORE))
    assert document["stores"] == document["preferences"] == 4
    assert document["recall_at"]["5"] == 1
    assert 0 <= document["unrelated_injection_rate"] <= 1
    assert document["plain"]["recall_at"]["5"] == 1
    out.print(preferences_text(document))


def test_a_store_holds_each_preference_once_and_the_wanted_one_first() -> None:
    """Stores are drawn by their seed, without doubles (M17)."""
    drawn = stores(30, 10, seed=5)
    assert [int(store[0]) for store in drawn] == list(range(30))
    assert all(len(np.unique(store)) == 10 for store in drawn)
    assert [store.tolist() for store in drawn] == [store.tolist() for store in stores(30, 10, seed=5)]
    with pytest.raises(InvalidError):
        stores(3, 10, seed=5)


def test_ties_are_no_advantage() -> None:
    """Where all are equal the wanted one stands in the middle, not first (M17)."""
    assert place_of_first(np.zeros(11)) == 5
