"""Words, their parts, where they stand, and how near spellings are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auritas.search.marks import lower_of, pieces, snippet, spans
from auritas.search.spelling import distance, nearest, shared
from auritas.search.words import extra_words, folded, parts


@pytest.mark.parametrize(
    ("text", "extra"),
    [
        ("see MessageCache", {"MessageCache", "Message", "Cache"}),
        ("fire_and_forget()", {"fire_and_forget", "fire", "and", "forget"}),
        ("XMLHttpRequest2", {"XMLHttpRequest2", "XML", "Http", "Request", "2"}),
        ("use os.path.join.", {"os_path_join", "path_join"}),
        ("error 404 of HTTP404", {"HTTP404", "HTTP", "404"}),
        ("plain words, nothing else", set()),
        ("東京都", {"東京", "京都"}),
    ],
)
def test_extra_words(text, extra):
    """The index gets identifiers whole and split, dotted ones as one word, and pairs of CJK letters (M14)."""
    assert set(extra_words(text).split()) == extra


@given(st.text(max_size=60))
def test_pieces_join_to_the_text(text):
    """Marking loses and adds nothing, whatever the text and the words are."""
    marked = [(folded(word), True) for word in text.split()[:3]]
    assert "".join(piece.text for piece in pieces(text, marked)) == text
    assert len(lower_of(text)) == len(text)


@given(st.text(max_size=400), st.text(min_size=1, max_size=5))
def test_a_snippet_is_short(text, word):
    """A snippet is one line of bounded length."""
    shown = "".join(piece.text for piece in snippet(text, [(folded(word), True)], 100))
    assert len(shown) <= 102
    assert "\n" not in shown


def test_marks_follow_words_and_parts():
    """A word is marked where it begins a word or a part of an identifier, and nowhere inside one."""
    assert [
        ("cache MessageCache cached escache"[a:b])
        for a, b in spans("cache MessageCache cached escache", [("cache", False)])
    ] == ["cache", "Cache"]
    assert spans("postgres", [("post", True)]) == [(0, 4)]
    assert spans("compost", [("post", True)]) == []
    assert spans("os.path.join", [("os_path_join", False)]) == [(0, 12)]
    assert spans("Café", [("cafe", False)]) == [(0, 4)]


def test_the_snippet_shows_the_words():
    """Of a long text the part with the words is shown, with signs of omission."""
    text = "nothing here " * 40 + "the canary sings " + "nor there " * 40
    shown = snippet(text, [("canary", False)])
    assert [piece.text for piece in shown if piece.hit] == ["canary"]
    assert (shown[0].text, shown[-1].text) == ("…", "…")


def test_parts_of_one_are_none():
    """A word of one part has no parts."""
    assert parts("word") == []
    assert parts("_word_") == []


@given(st.text(alphabet="abc", max_size=7), st.text(alphabet="abc", max_size=7))
def test_distance_is_symmetric_and_zero_for_equals(first, second):
    """It counts slips alike in both directions, 0 exactly for equal words."""
    assert distance(first, second, 9) == distance(second, first, 9)
    assert (distance(first, second, 9) == 0) == (first == second)


@pytest.mark.parametrize(
    ("typed", "slips"), [("postgers", 1), ("postgre", 1), ("postgress", 1), ("pastgres", 1), ("psotgers", 2)]
)
def test_slips(typed, slips):
    """A swapped pair, a missing, an additional and a wrong letter are one slip each."""
    assert distance(typed, "postgres", 2) == slips


def test_nearest_spelling():
    """The nearest word wins, then the more frequent one; short words are forgiven less, very short ones nothing."""
    assert nearest("postgers", [("postgres", 3), ("pasters", 9)]) == "postgres"
    assert nearest("cacha", [("cache", 1), ("cachi", 5)]) == "cachi"
    assert nearest("ab", [("ac", 1)]) is None
    assert nearest("zebra", [("postgres", 1)]) is None


def test_shared_trigrams():
    """A title shares all of a text that it holds, and nothing of another."""
    assert shared("database", "my database choice") == 1.0
    assert shared("database", "zebra") == 0.0
    assert shared("ab", "ab") == 0.0


@pytest.mark.parametrize("letter", ["a", "A", "7", "_", "é", "中"])
def test_one_word_of_a_megabyte_is_read_once(letter):
    """A pasted key or a dump without a blank is indexed like any word, and what comes after it is found (M14)."""
    assert "os_path" in extra_words(f"{letter * 2**20} os.path").split()
