"""Pictures in chats of the OpenAI protocol, by the official client over a real server."""

import base64
from collections.abc import AsyncIterator
from typing import Any

import openai
import pytest
from tests.integration.app.hall import voice
from tests.integration.server.serving import Running, running_over

from auritas.app.access import Scope
from auritas.gateway.adapters.scripted import ScriptedModel
from auritas.kernel.model import ModelCard
from auritas.store import schema as t

pytestmark = pytest.mark.anyio
PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 40
KINDS = {
    "image/png": PNG,
    "image/jpeg": b"\xff\xd8\xff\xe0" + b"\0" * 40,
    "image/webp": b"RIFF\x20\0\0\0WEBP" + b"\0" * 40,
    "image/gif": b"GIF89a" + b"\0" * 40,
}


@pytest.fixture
async def there(hall) -> AsyncIterator[Running]:
    async with running_over(hall) as found:
        yield found


@pytest.fixture
async def client(there) -> AsyncIterator[openai.AsyncOpenAI]:
    token = there.household.access.create("chat app", [Scope.QUERY]).secret
    async with openai.AsyncOpenAI(base_url=f"{there.url}/v1", api_key=token, timeout=30, max_retries=0) as found:
        yield found


def data_url(content: bytes, kind: str = "image/png") -> str:
    return f"data:{kind};base64,{base64.b64encode(content).decode()}"


def asks(text: str, *urls: str, role: str = "user") -> list[Any]:
    pictures = [{"type": "image_url", "image_url": {"url": url, "detail": "auto"}} for url in urls]
    return [{"role": role, "content": [{"type": "text", "text": text}, *pictures]}]


def seeing(name: str) -> ScriptedModel:
    """Return a model that sees, and says that it does."""
    card = ModelCard(name, "scripted", local=True, digest=f"scripted:{name}", sees=True)
    return ScriptedModel(
        name, reply=lambda _: ["A red barn.\nANSWER: a red barn\nCONFIDENCE: 80\nDOMAINS: general"], base=card
    )


async def test_a_model_that_sees_gets_the_picture_as_it_was_sent(client, hall):
    """Each of the four kinds reaches a single model byte for byte, and nothing of it is stored."""
    model = hall.seat(seeing("eye"))
    for kind, content in KINDS.items():
        said = await client.chat.completions.create(model="eye", messages=asks("What is it?", data_url(content, kind)))
        assert said.choices[0].message.content.startswith("A red barn")
        (image,) = model.calls[-1][0].messages[-1].images
        assert (image.media_type, image.content) == (kind, content)
    assert hall.rows(t.attachments) == []


async def test_the_council_shows_a_picture_to_those_who_see(client, hall):
    """A member that sees gets the picture; another one is not asked, and it is said. The picture stays."""
    eye, ash = hall.seat(seeing("eye")), hall.seat(voice("ash", "a red barn"))
    said = await client.chat.completions.create(model="auritas/high", messages=asks("What is it?", data_url(PNG)))
    assert "red barn" in said.choices[0].message.content
    seen = [message.images for prompt, _ in eye.calls for message in prompt.messages if message.images]
    assert [image.content for image in seen[0]] == [PNG]
    assert ash.calls == []
    assert any("ash" in notice for notice in said.model_extra["auritas"]["notices"])
    (kept,) = hall.rows(t.attachments)
    assert kept.conversation_id == said.model_extra["auritas"]["conversation_id"]


async def test_a_picture_that_waits_elsewhere_concerns_no_other_question(client, there, hall):
    """A picture that waits for its message, here or after a refusal, keeps nobody from answering other questions."""
    hall.seat(voice("ash", "12"))
    hall.auritas.attachments.add("waits.png", PNG)
    with pytest.raises(openai.APIStatusError):
        await client.chat.completions.create(model="auritas/fast", messages=asks("What is it?", data_url(PNG)))
    said = await client.chat.completions.create(model="auritas/fast", messages=asks("How many are twelve?"))
    assert "12" in said.choices[0].message.content
    assert said.model_extra["auritas"]["notices"] == []
    assert [each.name for each in hall.rows(t.attachments)] == ["waits.png"]


async def test_no_address_is_ever_fetched(client, hall):
    """A picture at an address is refused with the field at fault and what to do, for the council and for one model."""
    hall.seat(seeing("eye"))
    for url in ("https://example.com/a.png", "http://127.0.0.1:1/a.png", "file:///etc/passwd", "data:text/html,x"):
        for model in ("auritas/fast", "eye"):
            with pytest.raises(openai.BadRequestError) as refused:
                await client.chat.completions.create(model=model, messages=asks("What is it?", url))
            body: Any = refused.value.body
            assert (body["code"], body["param"]) == ("unsupported", "messages.0.content")
            assert "fetched" in body["message"]
            assert "base64" in body["remedy"]
    assert hall.rows(t.queries) == []


async def test_what_is_no_picture_is_refused(client, hall):
    """Wrong bytes, broken base64, one picture too many, and a model that sees nothing: each says what is wrong."""
    hall.seat(seeing("eye"))
    hall.seat(voice("blind"))
    wrong = (
        ("eye", asks("?", data_url(b"<html>"))),
        ("eye", asks("?", "data:image/png;base64,!!")),
        ("eye", asks("?", data_url(b""))),
        ("eye", asks("?", *[data_url(PNG)] * 11)),
        ("auritas/fast", [*asks("?", *[data_url(PNG)] * 6), *asks("?", *[data_url(PNG)] * 6)]),
        ("eye", asks("?", data_url(PNG), role="assistant")),
        ("blind", asks("?", data_url(PNG))),
    )
    for model, messages in wrong:
        with pytest.raises(openai.BadRequestError) as refused:
            await client.chat.completions.create(model=model, messages=messages)
        body: Any = refused.value.body
        assert body["remedy"]
    with pytest.raises(openai.BadRequestError):
        await client.chat.completions.create(model="auritas/fast", messages=asks(" ", data_url(PNG)))


async def test_a_picture_that_nobody_sees_is_the_callers_to_change(client, hall):
    """The council's refusal is an error of the request, not an outage, for a whole answer as for a streamed one."""
    hall.seat(voice("blind"))
    messages = asks("What is it?", data_url(PNG))
    with pytest.raises(openai.APIStatusError) as refused:
        await client.chat.completions.create(model="auritas/high", messages=messages)
    body: Any = refused.value.body
    assert (refused.value.status_code, body["code"]) == (409, "nobody_sees")
    with pytest.raises(openai.APIError, match="blind does not see pictures"):
        async for _ in await client.chat.completions.create(model="auritas/high", messages=messages, stream=True):
            pass
    assert hall.rows(t.attachments) == []
