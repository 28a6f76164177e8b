"""The rules of conversations, without a store."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auritas.kernel.errors import InvalidError
from auritas.kernel.text import one_line
from auritas.memory.conversations.documents import as_json, as_markdown
from auritas.memory.conversations.model import Conversation, Said, Source
from auritas.memory.conversations.policy import (
    ID_SHOWN_AT_LEAST,
    PROJECT_CHARACTERS,
    TITLE_CHARACTERS,
    NotAQuestionError,
    ago,
    branch_title,
    copied_until,
    short_id,
    title_of,
)
from auritas.memory.imports.own import from_own

NOW = datetime(2026, 3, 10, 15, 0, tzinfo=UTC)
UUID = "0197c9a1-0000-7000-8000-{:012d}"

words = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=40)
moments = st.datetimes(datetime(1971, 1, 1), datetime(2100, 1, 1)).map(lambda at: at.replace(tzinfo=UTC))  # noqa: DTZ001  given a zone here
saids = st.builds(
    Said,
    id=st.integers(0, 10**6).map(UUID.format),
    number=st.just(0),
    role=st.sampled_from(["user", "assistant", "system"]),
    text=words,
    at=moments,
    models=st.lists(st.sampled_from(["ada", "bob"]), max_size=2, unique=True).map(tuple),
    level=st.none() | st.sampled_from(["fast", "maximum"]),
    confidence=st.none() | st.sampled_from(["High", "Medium", "Uncertain"]),
    callout=st.none() | st.just("disagreement"),
    edited_from=st.none() | st.just(UUID.format(1)),
    external_id=st.none() | st.just("m-1"),
)
conversations = st.builds(
    Conversation,
    id=st.integers(0, 10**6).map(UUID.format),
    title=words.map(str.strip),
    created_at=moments,
    updated_at=moments,
    project=st.none() | st.just("Garden"),
    archived=st.booleans(),
    renamed=st.booleans(),
    source=st.sampled_from(list(Source)),
    external_id=st.none() | st.just("c-1"),
    branched_from=st.none() | st.just(UUID.format(2)),
)


@pytest.mark.parametrize(
    ("passed", "said"),
    [
        (timedelta(seconds=59), "just now"),
        (timedelta(seconds=60), "1 min ago"),
        (timedelta(minutes=59, seconds=59), "59 min ago"),
        (timedelta(hours=1), "today 14:00"),
        (timedelta(hours=15), "today 00:00"),
        (timedelta(hours=16), "yesterday 23:00"),
        (timedelta(days=2), "2 days ago"),
        (timedelta(days=6), "6 days ago"),
        (timedelta(days=7), "2026-03-03"),
        (timedelta(minutes=-5), "today 15:05"),
        (timedelta(days=-2), "2026-03-12"),
    ],
)
def test_a_moment_is_said_as_a_person_says_it(passed, said):
    """Minutes, then the time of day, then days, then the date; what lies in the future is never "ago"."""
    assert ago(NOW - passed, NOW, UTC) == said


@given(st.lists(st.text("0123456789abcdef", min_size=12, max_size=12), min_size=1, max_size=30, unique=True))
def test_a_short_id_fits_one_id_only(ids):
    """Between its neighbours in the order of all ids, what is shown is the beginning of nothing else."""
    ordered = sorted(ids)
    for place, own in enumerate(ordered):
        shown = short_id(own, [*ordered[max(0, place - 1) : place], *ordered[place + 1 : place + 2]])
        assert len(shown) >= ID_SHOWN_AT_LEAST
        assert [each for each in ids if each.startswith(shown)] == [own]


@given(st.text(max_size=300))
def test_a_title_is_one_line_that_can_be_seen(text):
    """Whatever is typed, a title has no line ends, controls or blanks at its ends, or it is refused."""
    try:
        title = title_of(text)
    except InvalidError:
        return
    assert title == " ".join(title.split())
    assert 1 <= len(title) <= TITLE_CHARACTERS
    assert title_of(title) == title
    assert len(branch_title(title)) <= TITLE_CHARACTERS
    assert branch_title(branch_title(title)) == branch_title(title)


def test_a_branch_keeps_the_message_or_ends_before_it():
    """At a message it is copied, too; before it, it must be a question."""
    assert copied_until(4, "assistant", before=False) == 4
    assert copied_until(3, "user", before=True) == 2
    with pytest.raises(NotAQuestionError):
        copied_until(4, "assistant", before=True)


@given(st.lists(st.tuples(conversations, st.lists(saids, max_size=4)), max_size=3))
def test_what_is_written_as_json_is_read_back_the_same(told):
    """Every conversation and message comes back with all that the document holds of it."""
    document = json.loads("".join(as_json(told, NOW)))
    assert (document["format"], document["version"]) == ("auritas-conversations", 1)
    for entry, (conversation, messages) in zip(document["conversations"], told, strict=True):
        found = from_own(entry)
        assert [found.id, found.title, found.project, found.branched_from] == [
            conversation.id,
            one_line(conversation.title, TITLE_CHARACTERS),
            one_line(conversation.project or "", PROJECT_CHARACTERS) or None,
            conversation.branched_from,
        ]
        assert (found.created_at, found.updated_at) == (conversation.created_at, conversation.updated_at)
        assert (found.source, found.external_id) == (conversation.source, conversation.external_id)
        assert (found.archived, found.renamed) == (conversation.archived, conversation.renamed)
        given_back = [
            [s.id, s.role, s.text, s.at, s.models, s.level, s.confidence, s.edited_from] for s in found.messages
        ]
        assert given_back == [
            [s.id, s.role, s.text, s.at, s.models, s.level, s.confidence, s.edited_from] for s in messages
        ]


def test_the_keys_of_the_document_are_those_of_version_1():
    """A key that was written once is never renamed or removed within a version."""
    conversation = Conversation(UUID.format(1), "t", NOW, NOW)
    (entry,) = json.loads("".join(as_json([(conversation, [Said(UUID.format(2), 1, "user", "q", NOW)])], NOW)))[
        "conversations"
    ]
    assert {*entry} >= {
        "id", "title", "renamed", "project", "source", "external_id", "created_at", "updated_at", "archived",
        "branched_from", "messages",
    }  # fmt: skip
    assert {*entry["messages"][0]} >= {
        "id", "number", "role", "at", "text", "models", "level", "confidence", "callout", "notices", "edited_from",
        "external_id",
    }  # fmt: skip


def test_markdown_names_models_and_confidence():
    """A reader sees who said what when, which models answered and how sure they were, and no control characters."""
    conversation = Conversation(UUID.format(1), "Soup\n# x", NOW, NOW, project="Garden", source=Source.CLAUDE)
    answer = Said(UUID.format(3), 2, "assistant", "salt\x1b[31m", NOW, ("ada", "bob"), "high", "Medium")
    text = "".join(as_markdown([(conversation, [Said(UUID.format(2), 1, "user", "What?", NOW), answer])], UTC))
    assert text.startswith("# Soup # x\n")
    assert "## 1. You" in text
    assert "models: ada, bob · confidence: Medium · level: high" in text
    assert "Project: Garden" in text
    assert "Imported from claude" in text
    assert "\x1b" not in text
