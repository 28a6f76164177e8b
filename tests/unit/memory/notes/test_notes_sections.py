"""The six sections of a note."""

from hypothesis import given
from hypothesis import strategies as st

from auritas.memory.notes.model import Sections
from auritas.memory.notes.sections import NOTE_TOKENS, cut, joined, sections_of, shortened, text_of, tidy
from auritas.memory.notes.tokens import estimated

HEADINGS = ("GOAL", "DECISIONS", "STATUS", "ACTIVE FILE", "PREFERENCES", "RESUME")

words = st.text(max_size=300)
lists = st.lists(words, max_size=30).map(tuple)
sections = st.builds(
    Sections, goal=words, decisions=lists, status=words, active_file=words, preferences=lists, resume=words
)


@given(sections)
def test_a_note_always_has_its_six_headings_in_order(found: Sections):
    """Whatever a model writes, nothing in it can begin a section of its own."""
    lines = text_of(tidy(found)).splitlines()
    named = [line.split(":")[0] for line in lines if not line.startswith("- ")]
    assert named == list(HEADINGS)


@given(sections)
def test_a_note_is_read_back_as_it_was_written(found: Sections):
    """The next note goes on from this one, so nothing is lost between them."""
    once = tidy(found)
    assert sections_of(text_of(once)) == once


@given(sections)
def test_a_note_is_never_longer_than_nine_hundred_tokens(found: Sections):
    """It leaves room for the conversation in the smallest window."""
    assert estimated(text_of(cut(tidy(found)))) <= NOTE_TOKENS


@given(st.integers(60, 400), sections)
def test_a_shorter_limit_is_kept_too(tokens: int, found: Sections):
    """Cutting stops only where nothing but headings is left to say."""
    assert estimated(text_of(cut(tidy(found), tokens))) <= tokens


def test_the_oldest_decisions_go_first():
    """What was settled last is what is being worked on."""
    many = Sections(goal="g", decisions=tuple(f"decision {n} " + "x" * 100 for n in range(60)), status="s", resume="r")
    kept = cut(tidy(many))
    assert kept.decisions == tidy(many).decisions[-len(kept.decisions) :]
    assert (kept.goal, kept.status, kept.resume) == ("g", "s", "r")


def test_what_holds_grows_and_what_changes_is_replaced():
    """Decisions of two windows stand together, once each and the newest last; goal and status are the newest."""
    before = Sections(goal="move the shop", decisions=("SQLite", "4,200 titles"), status="begun", active_file="a.sql")
    now = Sections(decisions=("PostgreSQL", "sqlite."), status="tables are there", preferences=("short",))
    assert joined(before, now) == Sections(
        goal="move the shop",
        decisions=("4,200 titles", "PostgreSQL", "sqlite."),
        status="tables are there",
        active_file="a.sql",
        preferences=("short",),
    )


def test_words_for_nothing_are_nothing():
    """A model that fills a field with "None." has said nothing."""
    assert tidy(Sections(goal="None.", decisions=("n/a", "-", ""), status="unknown")) == Sections()
    assert not tidy(Sections(active_file="a.py")).says_something


@given(sections, st.integers(60, 900))
def test_a_note_can_be_cut_as_text(found: Sections, tokens: int):
    """A small window takes a shorter note; one that fits is left as it is."""
    text = text_of(tidy(found))
    short = shortened(text, tokens)
    assert estimated(short) <= tokens
    assert short == text or estimated(text) > tokens
