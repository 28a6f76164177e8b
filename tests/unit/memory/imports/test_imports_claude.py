"""Reading conversations of a Claude export."""

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auritas.memory.conversations.model import Source
from auritas.memory.imports.claude import from_claude
from auritas.memory.imports.model import DamagedEntryError, LeftOut

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def message(name: str, sender: str, text: str, **more: Any) -> dict[str, Any]:
    content = [{"type": "text", "text": text}]
    return {
        "uuid": name,
        "sender": sender,
        "text": text,
        "content": content,
        "created_at": "2024-05-01T10:00:00Z",
    } | more


def entry(*messages: Any, **more: Any) -> dict[str, Any]:
    head = {
        "uuid": "c-1",
        "name": "Soup",
        "created_at": "2024-05-01T09:59:00.5+00:00",
        "updated_at": "2024-05-01T11:00:00Z",
    }
    return head | {"chat_messages": list(messages)} | more


def read(*messages: Any, **more: Any) -> Any:
    return from_claude(entry(*messages, **more), NOW, {"p-1": "Kitchen"})


def test_a_list_of_messages_is_a_conversation():
    """Human and assistant become user and assistant, with original times; tools and thoughts are no words."""
    thought = [
        {"type": "thinking", "thinking": "hm"},
        {"type": "tool_use", "name": "x"},
        {"type": "text", "text": "Salt."},
    ]
    found = read(message("1", "human", "What is missing?"), message("2", "assistant", "ignored", content=thought))
    assert [(said.role, said.text, said.external_id) for said in found.messages] == [
        ("user", "What is missing?", "1"),
        ("assistant", "Salt.", "2"),
    ]
    assert found.created_at == datetime(2024, 5, 1, 9, 59, 0, 500_000, UTC)
    assert found.messages[0].at == datetime(2024, 5, 1, 10, tzinfo=UTC)
    assert (found.source, found.external_id, found.title, found.project) == (Source.CLAUDE, "c-1", "Soup", None)


def test_older_exports_have_a_text_only():
    """Without blocks the text of the message is what was said."""
    assert read(message("1", "human", "plain", content=[])).messages[0].text == "plain"


def test_what_was_pasted_is_kept_with_its_name():
    """A file that came along is named, once, and its text is kept where the export holds it."""
    attached = {"attachments": [{"file_name": "notes.txt", "extracted_content": "two onions"}]}
    files = {"files": [{"file_name": "pan.png"}, {"file_name": "pan.png"}]}
    assert read(message("1", "human", "Read", **attached, **files)).messages[0].text == (
        "Read\n\n[notes.txt]\ntwo onions\n\n[pan.png]"
    )


def test_the_version_that_was_shown_last_is_imported():
    """Where messages name their forerunner, the path to the current leaf counts, else to the last message."""
    said = [
        message("1", "human", "q", parent_message_uuid="00000000-0000-4000-8000-000000000000"),
        message("2", "assistant", "first", parent_message_uuid="1"),
        message("3", "assistant", "second", parent_message_uuid="1"),
    ]
    found = read(*said)
    assert [each.text for each in found.messages] == ["q", "second"]
    assert found.left_out == LeftOut(other_branches=1)
    assert [each.text for each in read(*said, current_leaf_message_uuid="2").messages] == ["q", "first"]


def test_a_project_is_taken_where_it_is_linked():
    """By its name, or by a uuid that the export's list of projects knows; otherwise there is none."""
    one = message("1", "human", "q")
    assert read(one, project={"uuid": "p-2", "name": "Garden"}).project == "Garden"
    assert read(one, project_uuid="p-1").project == "Kitchen"
    assert read(one, project={"uuid": "p-1"}).project == "Kitchen"
    assert read(one, project_uuid="unknown").project is None


@pytest.mark.parametrize(
    "damage",
    [{"uuid": None}, {"chat_messages": None}, {"chat_messages": [7]}, {"chat_messages": [{"sender": "human"}]}],
)
def test_a_damaged_entry_is_refused(damage):
    """What cannot be a conversation is damaged."""
    with pytest.raises(DamagedEntryError):
        from_claude(entry() | damage, NOW, {})


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=12,
)
KEYS = st.sampled_from(["uuid", "sender", "text", "content", "created_at", "attachments", "parent_message_uuid"])


@given(st.lists(JSON | st.dictionaries(KEYS, JSON), max_size=4), JSON)
def test_no_document_breaks_the_reader(messages, leaf):
    """Whatever stands in an entry, it is a conversation or damaged, and never anything else."""
    try:
        found = read(*messages, current_leaf_message_uuid=leaf, name=leaf, project=leaf)
    except DamagedEntryError:
        return
    assert all(said.text for said in found.messages)
