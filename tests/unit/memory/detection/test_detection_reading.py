"""What a correction is taken to answer."""

import pytest

from auritas.memory.detection.model import Before, Detected
from auritas.memory.detection.service import Detector
from auritas.memory.detection.trigger import asked


def heard(question: str, said: str = "No, that's wrong, it is Quito.") -> Detected:
    found = Detector(lambda: None).detect(said, Before(question, "It is Lima."))
    assert isinstance(found, Detected)
    return found


@pytest.mark.parametrize(
    "question",
    ["Capital of Ecuador", "the capital of ecuador.", "Ecuador's capital", "Ecuador\u2019s largest city", "Name it"],
)
def test_what_is_named_is_asked(question):
    """A thing that is named without a question mark is asked for: its correction is found by it (M3, M6)."""
    assert heard(question).canonical_query == question


@pytest.mark.parametrize(
    "text",
    [
        "Write a list of names",
        "Thanks for that",
        "Lots of love",
        "It's raining",
        "The mayor of Quito is nice",
        "Poem of the sea",
        "of",
        "",
        "Translate the names of these towns",
        "I think of you, because all of them went out of the house and into the garden",
    ],
)
def test_what_is_said_or_ordered_is_no_question(text):
    """Statements, thanks and texts to be written are answered by no value (M3)."""
    assert not asked(text)


def test_a_long_text_is_read_in_no_time():
    """What is asked is found by counting words, so that no text makes it try for minutes (M3)."""
    assert not asked("a-" * 50_000 + " of" * 50_000)


def test_an_embedder_that_fails_leaves_the_rules():
    """What was said in so many words is heard though the embedder raises (M3)."""

    def fails() -> None:
        raise OSError("no such weights")

    found = Detector(fails).detect("No, that's wrong, it is Quito.", Before("Capital of Ecuador", "Lima"))
    assert isinstance(found, Detected)
    assert found.claim == "it is Quito"
