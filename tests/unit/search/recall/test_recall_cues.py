"""Which questions refer to the user's own past."""

from pathlib import Path

import pytest

from auritas.kernel.model import Role
from auritas.search.recall.cues import looks_back, speaker_asked
from auritas.search.recall.model import Speakers

_DATA = Path(__file__).parents[3] / "data"


def _sentences(name: str) -> list[tuple[bool, str]]:
    lines = (_DATA / name).read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    return [(label == "1", text) for label, text in rows]


@pytest.mark.parametrize(
    ("name", "precision", "recall"), [("backward_questions.tsv", 1.0, 0.9), ("backward_unseen.tsv", 0.9, 0.8)]
)
def test_questions_about_ones_own_past_are_told_from_others(name: str, precision: float, recall: float) -> None:
    """Precision and recall hold on the sentences that the rules were written on and on ones they were not (M16)."""
    sentences = _sentences(name)
    found = [meant for meant, text in sentences if looks_back(text)]
    assert sum(found) / len(found) >= precision
    assert sum(found) / sum(meant for meant, _ in sentences) >= recall


@pytest.mark.parametrize(
    "text",
    ["", "What is the capital of France?", "Where is the best pizza in Rome?", 'Translate "remind me what I said".'],
)
def test_other_questions_bring_nothing_of_the_past(text: str) -> None:
    """A question that needs no past recalls none, nor does one that only quotes such words (M7)."""
    assert not looks_back(text)


def test_long_texts_are_read_in_reasonable_work() -> None:
    """A pasted page of near misses neither looks back nor keeps the rules busy for long (M16)."""
    assert not looks_back("what is the thing that " * 5_000)


@pytest.mark.parametrize(
    ("question", "speaker"),
    [
        ("What did I say about rent?", Role.USER),
        ("What's my shoe size?", Role.USER),
        ("Which film was recommended by you?", Role.ASSISTANT),
        ("What did you tell me?", None),
        ("Which film was it?", None),
    ],
)
def test_who_spoke_is_known_when_a_question_names_one(question: str, speaker: Role | None) -> None:
    """The one who is named is looked for; both or none leave it open (M16)."""
    assert speaker_asked(question, Speakers()) is speaker
