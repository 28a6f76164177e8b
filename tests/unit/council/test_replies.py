"""Reading what a member says."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auritas.council.replies import ANSWER_CHARACTERS, ANSWER_WORDS, parse
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


@pytest.mark.parametrize(
    ("value", "said"),
    [("null", ""), ('["a"]', ""), ('{"answer": "in"}', ""), ("17.50", "17.50"), ("1e400", "1e400"), ("true", "true")],
)
def test_only_a_scalar_is_an_answer(value, said):
    """Null, lists and objects say nothing; numbers stay as they were written."""
    assert parse(f'{{"answer": {value}}}').answer == said


def test_what_is_read_can_be_stored():
    """Lone surrogates and NUL, which neither the store nor the log can hold, do not reach them; pairs survive."""
    reply = parse('{"answer": "a\\ud800b\\u0000c \\ud83d\\ude00", "explanation": "x\\udfff"}')
    assert (reply.answer, reply.explanation) == ("abc \U0001f600", "x")
    assert parse("ANSWER: a\ud800b\0c").answer == "abc"


def test_a_reply_nested_beyond_reason_is_read_up_to_there():
    """Deep nesting is no bug of ours: the fields before it count."""
    assert parse('{"answer": "so", "more": ' + "[" * 100_000).answer == "so"


def test_an_answer_without_spaces_is_cut():
    """A megabyte without a space is no short answer."""
    assert len(parse("ANSWER: " + "x" * 1_000_000).answer) <= ANSWER_CHARACTERS


@pytest.mark.parametrize("fence", ["```", "```json", "```\n", "\n ```json\n"])
def test_a_fenced_object_streams_as_its_fields(fence):
    """A fence around the object, named or not, is no part of what is shown."""
    assert _shown(list(fence + '{"answer":"so"}\n```')) == "so"


@pytest.mark.parametrize(
    "text", ["x\n" + "-" * 1_000_000, " " * 1_000_000 + "x", "x\n" + " " * 1_000_000 + "ANSWER: y"]
)
def test_a_megabyte_of_prose_is_looked_at_once(text):
    """Long lines of blanks or dashes do not make the stream slow: it keeps up, whole and in small pieces."""
    assert _shown([text]) == _shown([text[i : i + 9] for i in range(0, len(text), 9)])


def test_a_megabyte_of_json_is_looked_at_once():
    """A huge field streams whole, and is read whole when it was cut."""
    text = '{"answer":"so","explanation":"' + "z" * 1_000_000
    assert len(_shown([text])) == len(parse(text).explanation) + 3
