"""Which parts of attached files are shown when not everything fits."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auritas.kernel.errors import InvalidError
from auritas.memory.documents.excerpts import GAP, excerpts
from auritas.memory.documents.model import Document, UnreadableFileError, checked_name, media_type_of, text_of

_texts = st.text(alphabet="ab c.\n", max_size=3_000)


@given(st.lists(_texts, max_size=4), st.text(max_size=30), st.integers(0, 4_000))
def test_what_is_shown_never_exceeds_the_room(texts, question, room):
    """Whatever the files hold, the excerpts fit, one for each file, in their order."""
    shown = excerpts([Document(f"{place}.txt", text) for place, text in enumerate(texts)], question, room)
    assert [each.name for each in shown] == [f"{place}.txt" for place in range(len(texts))]
    assert sum(len(each.text) for each in shown) <= room


@given(st.lists(_texts, max_size=4))
def test_what_fits_is_shown_whole(texts):
    """Nothing is left out while there is room."""
    shown = excerpts([Document("a", text) for text in texts], "", sum(map(len, texts)))
    assert [each.text for each in shown] == [text.strip() for text in texts]
    assert all(each.whole for each in shown)


def test_the_part_that_answers_is_found_in_a_long_file():
    """Of three hundred paragraphs the one with the question's rare words is shown, and gaps are marked."""
    parts = [f"Paragraph {number} speaks of the weather in general terms." for number in range(300)]
    parts[211] = "The choir meets on Thursdays in the chapel of Saint Anna."
    (shown,) = excerpts([Document("minutes.txt", "\n\n".join(parts))], "When does the choir meet?", 800)
    assert "Thursdays" in shown.text
    assert GAP in shown.text
    assert not shown.whole


def test_a_question_without_words_of_the_file_gets_its_beginning_and_a_sample():
    """A summary of a long file can rest on its beginning, its end and something between."""
    parts = [f"Part {number}: " + "word " * 30 for number in range(100)]
    (shown,) = excerpts([Document("book.txt", "\n\n".join(parts))], "Summarise!", 2_000)
    assert "Part 0:" in shown.text
    assert "Part 99:" in shown.text
    assert "Part 50:" in shown.text


@pytest.mark.parametrize(
    ("name", "content", "found"),
    [
        ("a.txt", b"hello", "text/plain"),
        ("a.md", b"# hello", "text/markdown"),
        ("a.txt", b"%PDF-1.7", "application/pdf"),
        ("a.pdf.png", b"\x89PNG\r\n\x1a\n", "image/png"),
        ("noending", b"hello", "text/plain"),
        ("a.jpg", b"\xff\xd8\xff\xe0", "image/jpeg"),
    ],
)
def test_a_file_is_what_its_bytes_say(name, content, found):
    """The first bytes count more than the ending, and a sender's claim not at all."""
    assert media_type_of(name, content) == found


@pytest.mark.parametrize(("name", "content"), [("a.exe", b"MZ\0\0"), ("a.pdf", b"hello"), ("a.zip", b"PK\3\4\0")])
def test_what_cannot_be_read_is_refused_with_what_to_do(name, content):
    """A program, an archive or a damaged PDF is refused with a remedy."""
    with pytest.raises(UnreadableFileError) as caught:
        media_type_of(name, content)
    assert caught.value.remedy


def test_text_is_read_in_the_encodings_that_say_what_they_are():
    """UTF-8 with or without a mark and UTF-16 with one are read; Latin-1 is refused."""
    assert text_of("a", "ä\r\n".encode("utf-8-sig")) == "ä\n"
    assert text_of("a", "ä".encode("utf-16")) == "ä"
    with pytest.raises(UnreadableFileError):
        text_of("a", "ä".encode("latin-1"))


@given(st.text())
def test_a_name_never_holds_a_folder_or_an_invisible_character(name):
    """Names are shown and never used as paths; one without anything left is refused."""
    try:
        kept = checked_name(name)
    except InvalidError:
        return
    assert kept == kept.strip()
    assert "/" not in kept
    assert "\\" not in kept
    assert kept.isprintable()
