"""What a person types is read into terms, and whatever it is, FTS5 understands it."""

from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlcipher3 import dbapi2

from auritas.search import fts
from auritas.search.errors import QueryError
from auritas.search.query import LONGEST_QUERY, Term, read


def wholes(text: str, *, entered: bool = False) -> list[tuple[str, bool]]:
    return [(term.whole, term.prefix) for term in read(text, entered=entered).terms]


@pytest.fixture(scope="module")
def tables() -> Any:
    """Two tables as the index has them: without places of words, and with them."""
    connection = dbapi2.connect(":memory:")
    connection.execute(
        "CREATE VIRTUAL TABLE fts_conv USING fts5(body, content='', detail=none, prefix='1 2 3', "
        "tokenize=\"unicode61 remove_diacritics 2 tokenchars '_'\")"
    )
    connection.execute("CREATE VIRTUAL TABLE fts_msg USING fts5(body, tokenize='porter unicode61')")
    yield connection
    connection.close()


@given(
    text=st.one_of(
        st.text(max_size=80),
        st.text(alphabet="\"'*()-:^+ {}ANDORNTE.,_a1é東京\x00", max_size=40),
        st.lists(st.sampled_from(['"', "NEAR(", "AND", "NOT", "-", "a_b", "x.y", "before", "*", " "]), max_size=9).map(
            "".join
        ),
    ),
    entered=st.booleans(),
)
def test_nothing_that_is_typed_is_a_syntax_error(tables, text, entered):
    """Any text is a search or a clear complaint about a filter, never an error of FTS5."""
    try:
        query = read(text, entered=entered)
    except QueryError:
        return
    for by_parts in (False, True):
        if expression := fts.in_conversation(query, by_parts=by_parts):
            tables.execute("SELECT rowid FROM fts_conv WHERE fts_conv MATCH ?", (expression,)).fetchall()
    if expression := fts.excluded(query):
        tables.execute("SELECT rowid FROM fts_conv WHERE fts_conv MATCH ?", (expression,)).fetchall()
    for term in query.terms:
        tables.execute("SELECT rowid FROM fts_msg WHERE fts_msg MATCH ?", (fts.in_message(term),)).fetchall()
    if expression := fts.all_in_message(query):
        tables.execute("SELECT rowid FROM fts_msg WHERE fts_msg MATCH ?", (expression,)).fetchall()


def test_every_letter_parts_words_as_fts5_does(tables):
    """Each letter that is one to us is one to FTS5: else a quoted word would be a phrase, which the index refuses."""
    for first in range(1, 0x30000, 64):
        letters = [chr(c) for c in range(first, first + 64) if not 0xD800 <= c < 0xE000]
        found = read(" ".join(f"a{letter}b" for letter in letters)[:LONGEST_QUERY], entered=True)
        for term in found.terms:
            tables.execute("SELECT 1 FROM fts_conv WHERE fts_conv MATCH ?", (fts.quoted(term.whole),)).fetchall()


def test_the_last_word_is_a_beginning():
    """The last word may go on, on Enter too; a blank closes it (M14)."""
    assert wholes("staging post") == [("staging", False), ("post", True)]
    assert wholes("staging post", entered=True) == [("staging", False), ("post", True)]
    assert wholes("post ") == [("post", False)]
    assert wholes("post!") == [("post", False)]


def test_completed_stop_words_are_no_terms():
    """The word "the" finds theory while it is typed and is no term once it is complete (M14)."""
    assert wholes("the") == [("the", True)]
    assert wholes("the ") == []
    assert wholes("how to post") == [("post", True)]


@pytest.mark.parametrize(
    ("typed", "term"),
    [
        ("MessageCache", Term("MessageCache", ("Message", "Cache"), prefix=True)),
        ("fire_and_forget", Term("fire_and_forget", ("fire", "and", "forget"), prefix=True)),
        ("os.path.join", Term("os_path_join", ("os", "path", "join"), prefix=True)),
        ("HTTP404", Term("HTTP404", ("HTTP", "404"), prefix=True)),
        ("404", Term("404", prefix=True)),
        ("東京タワー", Term("東京タワー", pairs=("東京", "京タ", "タワ", "ワー"), prefix=True)),
    ],
)
def test_identifiers_are_looked_for_whole_and_by_part(typed, term):
    """Identifiers stay whole and know their parts; letters without blanks are looked for in pairs (M14)."""
    assert read(typed, entered=False).terms == (term,)


def test_filters_phrases_and_words_to_leave_out():
    """Each filter is read where it stands, with or without quotes; the rest are words."""
    query = read('pool project:"My site" model:ada -cat "wrong side" before:2026-03-01 after:1.2.2026 x', entered=True)
    assert (query.project, query.model) == ("My site", "ada")
    assert (query.before, query.after) == (date(2026, 3, 1), date(2026, 2, 1))
    assert query.phrases == ("wrong side",)
    assert [term.whole for term in query.without] == ["cat"]
    assert [term.whole for term in query.terms] == ["pool", "x"]


@pytest.mark.parametrize("typed", ["before:soon", "after:3/4/2025", "project:", "before:2026-02-30", "-model:ada"])
def test_a_wrong_filter_is_told_with_an_example(typed):
    """A date that is none and an empty filter are errors that show a right one; while typing they are ignored."""
    with pytest.raises(QueryError) as caught:
        read(typed, entered=True)
    assert caught.value.remedy
    assert read(typed, entered=False).is_empty


def test_a_huge_search_is_refused():
    """A page pasted into the field is refused with a sentence."""
    with pytest.raises(QueryError, match="at most 1000"):
        read("word " * 300, entered=True)


def test_order_follows_what_was_typed():
    """By time below four letters, by relevance from there or on Enter."""
    assert not read("pos", entered=False).by_relevance
    assert read("post", entered=False).by_relevance
    assert read("p", entered=True).by_relevance
    assert not read("", entered=True).by_relevance


def test_an_open_quote_is_still_being_typed():
    """Until a quote is closed its last word may go on."""
    assert wholes('"wrong sid') == [("wrong", False), ("sid", True)]
    assert read('"wrong side"', entered=False).phrases == ("wrong side",)
