"""Tables of recorded answers: read, refused by the number of a line, replayed through the code of a question."""

import gzip
import json
from dataclasses import replace

import pytest

from auritas.council.evaluation.replay import replay
from auritas.council.evaluation.table import FEWEST_ROWS, Row, models_of, pool_of, read_table, require_enough
from auritas.kernel.errors import InvalidError, NotFoundError, UnavailableError

LINE = {"id": 7, "domain": "law", "gold": "B", "answers": {"one": "B", "two": None}, "question": "Which?"}


def test_a_table_is_read_plain_and_packed(tmp_path):
    """JSON lines, compressed or not, whatever the file is called; blank lines are skipped."""
    text = json.dumps(LINE) + "\n\n" + json.dumps({**LINE, "id": "8", "question": None, "domain": None}) + "\n"
    plain, packed = tmp_path / "a.gz", tmp_path / "b.jsonl"
    plain.write_text(text)
    packed.write_bytes(gzip.compress(text.encode()))
    assert read_table(plain) == read_table(packed)
    first, second = read_table(plain)
    assert (first.id, first.domain, first.gold, first.question) == ("7", "law", "B", "Which?")
    assert first.answers == {"one": "B", "two": None}
    assert (second.domain, second.question) == ("", "")


@pytest.mark.parametrize(
    "line", ["{", "[]", "3", '{"id": 1}', '{"id": 1, "gold": "A", "answers": ["A"]}', '{"gold": "A", "answers": {}}']
)
def test_a_line_that_is_no_question_is_named_by_its_number(tmp_path, line):
    """The person is told which line it is and what a line should be."""
    table = tmp_path / "table.jsonl"
    table.write_text(f"{json.dumps(LINE)}\n{line}\n")
    with pytest.raises(InvalidError, match=r"table\.jsonl, line 2") as caught:
        read_table(table)
    assert caught.value.remedy


def test_a_file_that_is_not_there_or_not_whole_is_said_to_be(tmp_path):
    """A missing file, a broken archive, a folder and bytes that are no text each end in a sentence."""
    with pytest.raises(NotFoundError):
        read_table(tmp_path / "none")
    broken = tmp_path / "broken.gz"
    broken.write_bytes(gzip.compress(json.dumps(LINE).encode() * 100)[:-20])
    garbage = tmp_path / "garbage"
    garbage.write_bytes(b"\xff\xfe\x00{")
    damaged = tmp_path / "damaged.gz"
    damaged.write_bytes(b"\x1f\x8b\x08\x00" + b"\x00" * 6 + b"\xff" * 40)
    said = {broken: "is truncated", garbage: "is not UTF-8 text", damaged: "is damaged", tmp_path: "is a directory"}
    for path, why in said.items():
        with pytest.raises(UnavailableError, match=f"{path.name} {why}"):
            read_table(path)


def test_an_empty_table_and_one_with_a_question_twice_are_refused(tmp_path):
    """Nothing is measured on nothing, and no question counts double; the first that stands twice is named."""
    table = tmp_path / "table.jsonl"
    table.write_text("\n")
    with pytest.raises(InvalidError, match=r"The file table\.jsonl is empty"):
        read_table(table)
    table.write_text("".join(json.dumps({**LINE, "id": name}) + "\n" for name in ("a", "b", "c", "c", "b")))
    with pytest.raises(InvalidError, match="the question 'b' twice"):
        read_table(table)


@pytest.mark.parametrize(("line", "why"), [("{", "it is not JSON"), ('{"id": 1}', "it has no answers")])
def test_what_is_wrong_with_a_line_is_said_in_words(tmp_path, line, why):
    """No name of an exception is shown to a person."""
    table = tmp_path / "table.jsonl"
    table.write_text(line)
    with pytest.raises(InvalidError, match=why):
        read_table(table)


def test_a_pool_is_what_was_asked_for_once_or_all():
    """Models are named once, in the order asked; without names it is all of them by name; a typo names the nearest."""
    rows = [Row("1", "", "A", {"b": "A", "a": "A"}), Row("2", "", "A", {"c": "A"})]
    assert models_of(rows) == pool_of(rows, ()) == ("a", "b", "c")
    assert pool_of(rows, ("c", "a", "c")) == ("c", "a")
    with pytest.raises(NotFoundError):
        pool_of(rows, ("d",))


def test_too_small_a_table_is_refused():
    """Thirty-nine questions are too few to be split."""
    require_enough(range(FEWEST_ROWS))
    with pytest.raises(InvalidError):
        require_enough(range(FEWEST_ROWS - 1))


def right(gold: str, **answers: str | None) -> frozenset[str]:
    (one,) = replay([Row("1", "", gold, answers)], tuple(answers))
    return one.right


@pytest.mark.parametrize(
    ("gold", "alike", "other"),
    [
        ("B", "(b)", "C"),
        ("1000 m", "1 km", "1 m"),
        ("42", "42.0", "43"),
        ("yes", "Yes, it is.", "no"),
        ("Canberra", "canberra.", "Sydney"),
    ],
)
def test_answers_are_right_when_they_say_what_the_key_says(gold, alike, other):
    """Letters, amounts with units, numbers, verdicts and words, as a live question would compare them."""
    assert right(gold, one=alike, two=other, three=gold) == {"one", "three"}


def test_silence_is_asked_and_wrong_and_a_model_that_is_missing_was_not_asked():
    """None and empty text are silence; what the row does not have takes no part."""
    rows = [Row("1", "law", "A", {"one": "A", "two": None, "three": ""})]
    (one,) = replay(rows, ("one", "two", "three", "four"))
    assert one.case.situation.asked == ("one", "three", "two")
    assert one.case.situation.answered == {"one"}
    assert one.case.situation.domains == {"law": 1.0}
    assert one.right == {"one"}


def test_a_question_that_one_model_was_asked_is_left_out():
    """One model is no council."""
    assert replay([Row("1", "", "A", {"one": "A"})], ("one", "two")) == ()


def test_a_key_that_nobody_gave_is_none_of_these():
    """When all are wrong the case says so."""
    (one,) = replay([Row("1", "", "A", {"one": "B", "two": "C"})], ("one", "two"))
    assert one.right == frozenset()
    assert one.case.right == len(one.case.situation.options) == 2


def test_the_order_of_the_answers_in_a_row_does_not_matter():
    """A row is the same question whichever model comes first in it, and whichever in the pool (C6)."""
    row = Row("1", "law", "A", {"one": "A", "two": "B", "three": None}, "Which?\nA) 1\nB) 2\nC) 3")
    turned = replace(row, answers=dict(reversed(list(row.answers.items()))))
    assert replay([row], ("one", "two", "three")) == replay([turned], ("three", "one", "two"))
    assert replay([row], ("one", "two"))[0].case.situation.aspects == {"quantity": 1.0}
