"""Chat completions for clients of OpenAI, without a network."""

import json
from typing import Any

import pytest
from tests.integration.app.hall import voice

from auritas.app.access import Scope
from auritas.gateway.adapters.scripted import ScriptedModel
from auritas.gateway.errors import FailureKind, ProviderFailed
from auritas.kernel.errors import UnavailableError
from auritas.store import schema as t

pytestmark = pytest.mark.anyio
URL = "/v1/chat/completions"


def asks(text: str, model: str = "auritas/fast", *before: tuple[str, str], **more: Any) -> dict[str, Any]:
    """Return a request: earlier turns, then a question."""
    turns = [*before, ("user", text)]
    return {"model": model, "messages": [{"role": role, "content": said} for role, said in turns], **more}


def chunks(body: str) -> list[dict[str, Any]]:
    """Return the chunks of a stream that ends as it should."""
    events = [line.removeprefix("data: ") for line in body.splitlines() if line.startswith("data: ")]
    assert events[-1] == "[DONE]"
    return [json.loads(event) for event in events[:-1]]


async def test_the_council_answers_a_chat(served):
    """A completion carries the chosen answer, what it took, and how sure the council is."""
    for name in ("ash", "birch", "cedar"):
        served.hall.seat(voice(name, "yes"))
    said = await served.post(URL, asks("Is it so?"))
    assert said["object"] == "chat.completion"
    assert said["choices"][0]["message"]["content"].startswith("yes")
    assert said["choices"][0]["finish_reason"] == "stop"
    assert said["usage"]["total_tokens"] == said["usage"]["prompt_tokens"] + said["usage"]["completion_tokens"] > 0
    assert said["auritas"]["query_id"] in said["auritas"]["why_url"]
    assert said["auritas"]["agreement"].endswith(f"of {said['auritas']['agreement'].split()[-1]}")


async def test_a_stream_of_the_council_begins_at_once_and_ends_with_the_usage(served):
    """The first chunk names the role, the words come after the decision, the last chunk holds what it took."""
    served.hall.seat(voice("ash", "yes"))
    body = asks("Is it so?", stream=True, stream_options={"include_usage": True})
    answer = await served.client.post(URL, json=body)
    assert answer.headers["content-type"].startswith("text/event-stream")
    found = chunks(answer.text)
    assert found[0]["choices"][0]["delta"] == {"role": "assistant", "content": ""}
    assert "yes" in "".join(c["choices"][0]["delta"].get("content", "") for c in found if c["choices"])
    assert found[-2]["choices"][0]["finish_reason"] == "stop"
    assert found[-2]["auritas"]["confidence"]
    assert found[-1]["choices"] == []
    assert found[-1]["usage"]["total_tokens"] > 0
    assert len({chunk["id"] for chunk in found}) == 1


async def test_a_history_is_known_again_and_nothing_of_it_is_stored_twice(served):
    """A chat app that sends the whole conversation goes on in the one that it began."""
    served.hall.seat(voice("ash", "yes"))
    first = await served.post(URL, asks("Is it so?"))
    reply = first["choices"][0]["message"]["content"]
    second = await served.post(URL, asks("Really?", "auritas/fast", ("user", "Is it so?"), ("assistant", reply)))
    assert second["auritas"]["conversation_id"] == first["auritas"]["conversation_id"]
    assert [row.content for row in served.hall.rows(t.messages) if row.role == "user"] == ["Is it so?", "Really?"]
    assert len(served.hall.rows(t.conversations)) == 1


async def test_an_unknown_history_reaches_the_members(served):
    """What was said elsewhere is in the prompts, and the instructions of the program are kept with the conversation."""
    ash = served.hall.seat(voice("ash", "yes"))
    before = (("system", "Answer like a sailor."), ("user", "My ship is the Hope."), ("assistant", "Ahoy."))
    said = await served.post(URL, asks("What is she called?", "auritas/fast", *before))
    prompt = "\n".join(message.content for message in ash.calls[0][0].messages)
    assert "My ship is the Hope." in prompt
    assert "Answer like a sailor." in prompt
    (conversation,) = served.hall.rows(t.conversations)
    assert conversation.conversation_id == said["auritas"]["conversation_id"]


async def test_only_the_last_message_is_listened_to(served):
    """A rule in the history is no correction; said last it is one, and sending it again changes nothing."""
    served.hall.seat(voice("ash", "yes"))
    rule = "Always answer in metric units."
    await served.post(URL, asks("Is it so?", "auritas/fast", ("user", rule), ("assistant", "Fine.")))
    assert served.hall.rows(t.corrections) == []
    told = await served.post(URL, asks(rule))
    assert "Remembered" in told["choices"][0]["message"]["content"]
    await served.post(URL, asks(rule))
    assert len(served.hall.rows(t.corrections)) == 1


async def test_a_question_that_fails_leaves_no_empty_conversation(served):
    """Without any member the error says what to do, and nothing stays."""
    error = await served.post(URL, asks("Is it so?", "auritas/fast", ("system", "Be brief.")), 503)
    assert error["error"]["code"] == "no_model"
    assert error["error"]["type"] == "api_error"
    assert served.hall.rows(t.conversations) == []


async def test_the_council_says_what_it_does_not_do(served):
    """Tools and forms are refused with the field at fault; what is ignored is named."""
    served.hall.seat(voice("ash", "yes"))
    tools = [{"type": "function", "function": {"name": "look"}}]
    for more, param in (({"tools": tools}, "tools"), ({"response_format": {"type": "json_object"}}, "response_format")):
        error = await served.post(URL, asks("Is it so?", **more), 400)
        assert error["error"]["param"] == param
    said = await served.post(URL, asks("Is it so?", temperature=0.7, top_p=1, presence_penalty=0.5))
    assert said["auritas"]["ignored"] == ["temperature", "presence_penalty"]


async def test_one_model_is_passed_through(served):
    """A plain name asks that model alone: its words arrive as they are, and nothing is stored."""
    model = served.hall.seat(ScriptedModel("solo", (("Hel", "lo."),)))
    said = await served.post(URL, asks("Say hello.", "solo", ("system", "Be kind."), max_tokens=7, stop=["x"], seed=5))
    assert said["choices"][0]["message"]["content"] == "Hello."
    prompt, params = model.calls[0]
    assert [message.content for message in prompt.messages] == ["Be kind.", "Say hello."]
    assert (params.max_tokens, params.stop, params.seed) == (7, ("x",), 5)
    assert served.hall.rows(t.conversations) == []


async def test_a_stream_of_one_model_brings_each_piece(served):
    """Pieces arrive as the model writes them."""
    served.hall.seat(ScriptedModel("solo", (("Hel", "lo."),)))
    answer = await served.client.post(URL, json=asks("Say hello.", "solo", stream=True))
    pieces = [c["choices"][0]["delta"].get("content") for c in chunks(answer.text)]
    assert pieces == ["", "Hel", "lo.", None]


async def test_a_reply_that_breaks_in_the_middle_says_so(served):
    """An error after the first words is an event of the stream, in OpenAI's form."""
    cut = ProviderFailed("It broke.", kind=FailureKind.CUT)
    served.hall.seat(ScriptedModel("solo", (("Hel", cut),)))
    answer = await served.client.post(URL, json=asks("Say hello.", "solo", stream=True))
    assert chunks(answer.text)[-1]["error"]["code"] == "provider_failed"


async def test_errors_have_the_form_of_openai(served):
    """Unknown models, wrong bodies, forbidden callers and models that fail are told alike."""
    served.hall.seat(ScriptedModel("solo", ((UnavailableError("It is away."),),)))
    assert (await served.post(URL, asks("Hi", "sol"), 404))["error"]["code"] == "model_not_found"
    assert (await served.post(URL, asks("Hi", "auritas/best"), 404))["error"]["type"] == "invalid_request_error"
    assert (await served.post(URL, {"model": "solo"}, 400))["error"]["param"] == "messages"
    assert (await served.post(URL, asks("Hi", "solo"), 503))["error"]["message"] == "It is away."
    assert (await served.post(URL, asks(" ", "auritas/fast"), 400))["error"]["code"] == "usage"
    assert (await served.post(URL, asks("Hi", "solo", n=2), 400))["error"]["param"] == "n"
    served.as_(Scope.STATUS)
    assert (await served.post(URL, asks("Hi", "solo"), 403))["error"]["type"] == "permission_error"


async def test_an_unknown_model_is_told_all_that_can_be_asked(served):
    """The levels of the council are named beside the models alone, for most programs want one of them."""
    served.hall.seat(ScriptedModel("solo", ()))
    said = (await served.post(URL, asks("Hi", "zzz-9"), 404))["error"]
    assert "auritas/fast, auritas/balanced, auritas/high, auritas/maximum, solo" in said["remedy"]


async def test_a_body_that_is_no_json_is_told_so_without_a_field(served):
    """A place in a text is no parameter: the sentence says what is wrong and where, and `param` is null."""
    headers = {"content-type": "application/json"}
    answer = await served.client.post(URL, content=b'{"model": "solo", ', headers=headers)
    error = answer.json()["error"]
    assert answer.status_code == 400
    assert error["param"] is None
    assert error["type"] == "invalid_request_error"
    assert error["message"].startswith("The body could not be read as JSON, from character ")


async def test_models_are_listed_by_the_names_they_are_asked_by(served):
    """The council's four levels and each model alone; the calculator is none."""
    served.hall.seat(ScriptedModel("solo"))
    served.hall.calculator()
    names = [each["id"] for each in (await served.get("/v1/models"))["data"]]
    assert names == ["auritas/fast", "auritas/balanced", "auritas/high", "auritas/maximum", "solo"]
    assert (await served.get("/v1/models/auritas/high"))["owned_by"] == "auritas"
    assert (await served.get("/v1/models/none", 404))["error"]["code"] == "model_not_found"
