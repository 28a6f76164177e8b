"""What a token without `corrections:write` may say: it is answered, and changes nothing that is remembered."""

from typing import Any

import pytest
from tests.integration.app.hall import voice

from auritas.app.access import Scope
from auritas.kernel.events import AskFinished, Notice, Remembered
from auritas.store import schema as t

pytestmark = pytest.mark.anyio
RULE = "Always answer in metric units."
CHAT = "/v1/chat/completions"


async def told(served, text: str, **more: Any) -> tuple[str, list[Any]]:
    """Say something by a run; return its conversation and its events."""
    run = await served.post("/api/v1/runs", {"text": text, "level": "fast", **more}, 201)
    events = [frame.event for frame in await served.ended(run["id"])]
    return served.desk.get(run["id"]).conversation_id, events


async def test_a_message_without_the_scope_is_answered_and_stores_nothing(served):
    """A rule and a correction are heard, that is said, the message is answered, and memory stays as it is (W1)."""
    served.hall.seat(voice("ash", "yes"))
    served.as_(Scope.QUERY)
    conversation, first = await told(served, "How many members does our choir have?")
    assert any(isinstance(event, AskFinished) for event in first)
    for text in (RULE, "No, that's wrong, it is 53."):
        _, events = await told(served, text, conversation_id=conversation)
        notices = [event for event in events if isinstance(event, Notice) and event.code == "not_allowed"]
        assert [notice.text for notice in notices] == [
            "Heard, but this token may not change memory (scope corrections:write)."
        ]
        assert any(isinstance(event, AskFinished) for event in events)
        assert not any(isinstance(event, Remembered) for event in events)
    assert served.hall.rows(t.corrections) == []
    assert served.hall.rows(t.grades) == []


async def test_with_the_scope_the_same_words_are_remembered(served):
    """The scope alone decides, however the message comes (W1)."""
    served.hall.seat(voice("ash", "yes"))
    served.as_(Scope.QUERY, Scope.CORRECTIONS_WRITE)
    _, events = await told(served, RULE)
    assert any(isinstance(event, Remembered) for event in events)
    assert len(served.hall.rows(t.corrections)) == 1


async def test_a_chat_app_without_the_scope_changes_no_memory(served):
    """By the protocol of OpenAI the reply says that it was heard and is not remembered (W1)."""
    served.hall.seat(voice("ash", "yes"))
    served.as_(Scope.QUERY)
    said = await served.post(CHAT, {"model": "auritas/fast", "messages": [{"role": "user", "content": RULE}]})
    assert "may not change memory" in said["choices"][0]["message"]["content"]
    assert "yes" in said["choices"][0]["message"]["content"]
    assert (said["auritas"]["remembered"], served.hall.rows(t.corrections)) == ([], [])
