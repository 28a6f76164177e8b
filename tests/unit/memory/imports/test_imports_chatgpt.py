"""Reading conversations of a ChatGPT export: the version that was shown, in order, with its times."""

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auritas.memory.conversations.model import Source
from auritas.memory.imports.chatgpt import from_chatgpt, is_chatgpt
from auritas.memory.imports.model import DamagedEntryError, LeftOut

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def node(
    name: str, parent: str | None, role: str, *parts: Any, at: float | None = None, **message: Any
) -> dict[str, Any]:
    content = {"content_type": "text", "parts": list(parts)}
    said = {"id": name, "author": {"role": role}, "create_time": at, "content": content, "recipient": "all"}
    return {"id": name, "parent": parent, "children": [], "message": said | message}


def entry(*nodes: dict[str, Any], current: str | None, **more: Any) -> dict[str, Any]:
    by_id = {each["id"]: each for each in nodes}
    for each in nodes:
        if each["parent"] in by_id:
            by_id[each["parent"]]["children"].append(each["id"])
    head = {"conversation_id": "c-1", "title": "Eggs", "create_time": 1_700_000_000.25, "update_time": 1_700_000_100.5}
    return head | {"mapping": by_id, "current_node": current} | more


ROOT: dict[str, Any] = {"id": "root", "parent": None, "children": [], "message": None}


def test_the_shown_version_is_imported_and_the_others_are_counted():
    """From the current node up to the root, with times to the microsecond; what was edited away is counted (M15)."""
    found = from_chatgpt(
        entry(
            dict(ROOT, children=[]),
            node("sys", "root", "system", ""),
            node("q1", "sys", "user", "How long do egs boil?", at=1_700_000_001.5),
            node("a1", "q1", "assistant", "Which eggs?", at=1_700_000_002.5),
            node("q2", "sys", "user", "How long do eggs boil?", at=1_700_000_003.5),
            node("a2", "q2", "assistant", "Eight minutes.", at=1_700_000_004.123456, metadata={"model_slug": "gpt-4o"}),
            current="a2",
        ),
        NOW,
    )
    assert [(said.number, said.role, said.text, said.external_id) for said in found.messages] == [
        (1, "user", "How long do eggs boil?", "q2"),
        (2, "assistant", "Eight minutes.", "a2"),
    ]
    assert found.messages[1].at == datetime.fromtimestamp(1_700_000_004.123456, UTC)
    assert found.messages[1].models == ("gpt-4o",)
    assert (found.source, found.external_id, found.title) == (Source.CHATGPT, "c-1", "Eggs")
    assert (found.created_at.timestamp(), found.updated_at.timestamp()) == (1_700_000_000.25, 1_700_000_100.5)
    assert found.left_out == LeftOut(other_branches=2, inner=1, empty=0)


def test_only_what_was_said_to_one_another_is_imported():
    """Tools, thoughts, hidden messages, calls of tools and empty messages are left out, counted."""
    found = from_chatgpt(
        entry(
            node("q", None, "user", "Plot it", at=1.0),
            node("hidden", "q", "user", "secret", metadata={"is_visually_hidden_from_conversation": True}),
            node(
                "thought",
                "hidden",
                "assistant",
                "",
                content={"content_type": "thoughts", "thoughts": [{"content": "hm"}]},
            ),
            node(
                "call", "thought", "assistant", content={"content_type": "code", "text": "plot()"}, recipient="python"
            ),
            node("out", "call", "tool", "[plot]"),
            node("empty", "out", "assistant", ""),
            node("a", "empty", "assistant", "Here it is."),
            current="a",
        ),
        NOW,
    )
    assert [said.text for said in found.messages] == ["Plot it", "Here it is."]
    assert found.left_out == LeftOut(inner=4, empty=1)


def test_pictures_speech_and_code_have_words():
    """A picture is named as one, speech is its transcript, and code that was an answer is fenced."""
    picture = {"content_type": "image_asset_pointer", "asset_pointer": "file-service://x"}
    speech = {"content_type": "audio_transcription", "text": "spoken words"}
    found = from_chatgpt(
        entry(
            node("q", None, "user", picture, "What is it?", speech, None, 7, {"content_type": "new"}),
            node("a", "q", "assistant", content={"content_type": "code", "language": "python", "text": "print(1)"}),
            current="a",
        ),
        NOW,
    )
    assert [said.text for said in found.messages] == [
        "[image]\n\nWhat is it?\n\nspoken words",
        "```python\nprint(1)\n```",
    ]


def test_times_never_run_backwards():
    """A message without a time, or with one before its forerunner's, gets the latter's: the order stays (M15)."""
    found = from_chatgpt(
        entry(
            node("1", None, "user", "one", at=100.0),
            node("2", "1", "assistant", "two", at=None),
            node("3", "2", "user", "three", at=50.0),
            node("4", "3", "assistant", "four", at=200.0),
            current="4",
        ),
        NOW,
    )
    assert [said.at.timestamp() for said in found.messages] == [100.0, 100.0, 100.0, 200.0]


def test_without_a_current_node_the_newest_leaf_is_taken():
    """A file that does not say which version was shown, or names one that is not there, still gives the latest."""
    nodes = node("q", None, "user", "q", at=1.0), node("old", "q", "assistant", "old", at=2.0)
    for current in (None, "gone"):
        found = from_chatgpt(entry(*nodes, node("new", "q", "assistant", "new", at=3.0), current=current), NOW)
        assert [said.text for said in found.messages] == ["q", "new"]
        nodes[0]["children"].clear()


def test_an_entry_without_times_or_title_gets_them():
    """The title is the first question's beginning, and the time that of the import."""
    found = from_chatgpt(
        entry(node("q", None, "user", "Why?\nReally."), current="q", title=None, create_time=None, update_time="x"), NOW
    )
    assert (found.title, found.created_at, found.messages[0].at) == ("Why? Really.", NOW, NOW)


@pytest.mark.parametrize(
    "damage",
    [
        {"mapping": None},
        {"mapping": []},
        {"mapping": {"a": 7}, "current_node": "a"},
        {"conversation_id": None, "id": None},
        {"conversation_id": 7},
        {"conversation_id": "x" * 300},
    ],
)
def test_a_damaged_entry_says_why(damage):
    """What cannot be a conversation is refused with a reason that quotes none of its words."""
    whole = entry(node("q", None, "user", "tell nobody"), current="q")
    with pytest.raises(DamagedEntryError) as refused:
        from_chatgpt(whole | damage, NOW)
    assert "nobody" not in refused.value.message


def test_a_circle_is_damage():
    """Messages that follow one another in a circle end the reading instead of never ending it."""
    with pytest.raises(DamagedEntryError, match="circle"):
        from_chatgpt(entry(node("a", "b", "user", "x"), node("b", "a", "user", "y"), current="a"), NOW)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=20,
)
KEYS = st.sampled_from(["message", "parent", "children", "id", "author", "content", "parts", "create_time", "metadata"])


@given(st.dictionaries(st.text(max_size=3), JSON | st.dictionaries(KEYS, JSON), max_size=5), JSON, JSON)
def test_no_document_breaks_the_reader(nodes, current, title):
    """Whatever stands in an entry, it is a conversation or damaged, and never anything else."""
    whole = {"conversation_id": "c", "mapping": nodes, "current_node": current, "title": title, "create_time": title}
    assert is_chatgpt(whole)
    try:
        found = from_chatgpt(whole, NOW)
    except DamagedEntryError:
        return
    assert all("\0" not in said.text for said in found.messages)
    assert [said.number for said in found.messages] == list(range(1, len(found.messages) + 1))
