"""Reading what a member says."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auritas.council.replies import ANSWER_WORDS, parse
from auritas.council.streams import ReplyStream

PROSE = "It was moved there in 1927.\n\nANSWER: Canberra\nCONFIDENCE: 90\nDOMAINS: geography, history"


def test_the_three_lines_are_read_and_taken_away():
    """Answer, confidence and domains come from the closing lines; the rest is the explanation."""
    reply = parse(PROSE)
    assert (reply.answer, reply.explanation) == ("Canberra", "It was moved there in 1927.")
    assert (reply.confidence, reply.domains) == (0.9, ("geography", "history"))


@pytest.mark.parametrize(
    "line",
    ["**ANSWER:** Canberra", "Answer: Canberra", "- answer: `Canberra`", "ANSWER:Canberra", "**Answer**: Canberra"],
)
def test_the_lines_are_read_in_any_dress(line):
    """Case, bullets and emphasis around the marker do not matter."""
    assert parse(f"Because.\n{line}\nCONFIDENCE: 0.9\nDOMAINS: geography").answer == "Canberra"


def test_a_short_reply_without_lines_is_the_answer():
    """A member that forgets the format but is brief has still answered."""
    assert parse("Canberra.").answer == "Canberra."


def test_a_long_reply_without_lines_has_no_short_answer():
    """An essay is not an answer, and nobody guesses which part of it would be."""
    assert parse("word " * (ANSWER_WORDS + 1)).answer == ""


def test_a_long_answer_is_cut_to_its_words():
    """A short answer holds at most 25 words."""
    assert len(parse("ANSWER: " + "word " * 60).answer.split()) == ANSWER_WORDS + 1


def test_a_json_reply_is_read():
    """The grammar's fields are the reply's fields."""
    text = json.dumps({"answer": " Canberra ", "explanation": "Since 1927.", "domains": ["a", "b", "c", "d"]})
    reply = parse(text)
    assert (reply.answer, reply.explanation, reply.domains) == ("Canberra", "Since 1927.", ("a", "b", "c"))
    assert parse(f"```json\n{text}\n```") == reply


def test_a_cut_json_reply_says_what_came_until_the_cut():
    """A reply that hit its limit inside the explanation still has its answer."""
    assert parse('{"answer":"Canberra","explanation":"It was mo').answer == "Canberra"
    assert parse('{"answer":"Canberra","explanation":"It was mo').explanation == "It was mo"


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", "null", '{"answer": null}', '{"answer": {"a": 1}}', "ANSWER:"])
def test_nonsense_never_raises(text):
    """Whatever a model writes is data: reading it cannot fail."""
    parse(text)


@given(st.text())
def test_any_text_can_be_read(text):
    """No text makes the parser raise, and an answer is never longer than it may be."""
    assert len(parse(text).answer.split()) <= ANSWER_WORDS + 1


@pytest.mark.parametrize(
    ("stated", "read"),
    [("90", 0.9), ("90 %", 0.9), ("0.9", 0.9), ("1", 1.0), ("1%", 0.01), ("250", None), ("high", None)],
)
def test_stated_confidence_becomes_a_fraction(stated, read):
    """Percent and fractions are both understood; nonsense is no confidence."""
    assert parse(f"ANSWER: x\nCONFIDENCE: {stated}").confidence == read


def _shown(pieces: list[str]) -> str:
    stream = ReplyStream()
    return "".join(stream.feed(piece) for piece in pieces) + stream.close()


@given(st.lists(st.integers(1, 7), min_size=1, max_size=40))
def test_prose_streams_without_its_closing_lines(cuts):
    """However the reply is cut into pieces, the reader sees the prose and none of the three lines."""
    pieces, rest = [], PROSE
    for cut in cuts:
        pieces.append(rest[:cut])
        rest = rest[cut:]
    assert _shown([*pieces, rest]).strip() == "It was moved there in 1927."


@given(st.text(), st.text(), st.integers(1, 9))
def test_json_streams_as_the_values_of_its_shown_fields(answer, explanation, width):
    """However it is cut and escaped, the reader sees answer and explanation, decoded."""
    text = json.dumps({"answer": answer, "explanation": explanation, "domains": ["answer"], "more": {"answer": "no"}})
    shown = _shown([text[i : i + width] for i in range(0, len(text), width)])
    first, second = (part.replace("\r", "\n").replace("\b", "").replace("\f", "") for part in (answer, explanation))
    assert shown == (f"{first}\n{second}" if first else second)


@given(st.text())
def test_any_stream_can_be_read(text):
    """No text makes the stream raise, whole or character by character, and both ways show the same."""
    assert _shown([text]) == _shown(list(text))
