"""Embeddings for clients of OpenAI."""

import base64
import struct
from collections.abc import Sequence

import pytest

pytestmark = pytest.mark.anyio
URL = "/v1/embeddings"


class Plane:
    """An embedder in the plane."""

    id = "plane:1:x"
    dimensions = 2

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        return [[0.6, 0.8] if "up" in text else [1.0, 0.0] for text in texts]


@pytest.fixture
def embedding(served):
    served.hall.auritas.embedder = Plane()
    return served


async def test_texts_become_vectors_in_their_order(embedding):
    """Each text gets its vector, as numbers."""
    said = await embedding.post(URL, {"model": "plane", "input": ["up", "along"], "encoding_format": "float"})
    assert [each["embedding"] for each in said["data"]] == [[0.6, 0.8], [1.0, 0.0]]
    assert [each["index"] for each in said["data"]] == [0, 1]
    assert said["usage"] == {"prompt_tokens": 3, "total_tokens": 3}


async def test_base64_holds_the_same_vector(embedding):
    """Base64 is the little-endian 32-bit form."""
    said = await embedding.post(URL, {"model": "plane", "input": "up", "encoding_format": "base64"})
    found = struct.unpack("<2f", base64.b64decode(said["data"][0]["embedding"]))
    assert found == pytest.approx((0.6, 0.8))


@pytest.mark.parametrize(
    ("more", "param"),
    [
        ({"dimensions": 3}, "dimensions"),
        ({"input": [1, 2]}, "input"),
        ({"input": [[1], [2]]}, "input"),
        ({"input": " "}, "input"),
    ],
)
async def test_what_cannot_be_embedded_is_refused(embedding, more, param):
    """Tokens, other dimensions and empty texts are refused with the field at fault."""
    error = await embedding.post(URL, {"model": "plane", "input": "up", **more}, 400)
    assert error["error"]["param"] == param


async def test_the_size_that_the_model_has_may_be_named(embedding):
    """`dimensions` is taken where it changes nothing."""
    await embedding.post(URL, {"model": "plane", "input": "up", "dimensions": 2})


async def test_other_models_and_none_are_told_apart(embedding):
    """An unknown model names the one that is there; without any, the error says how to get one."""
    error = await embedding.post(URL, {"model": "text-embedding-3", "input": "up"}, 404)
    assert "plane" in error["error"]["message"]
    embedding.hall.auritas.embedder = None
    error = await embedding.post(URL, {"model": "plane", "input": "up"}, 503)
    assert error["error"]["code"] == "no_embedder"


async def test_the_embedder_is_listed(embedding):
    """A client finds the name in the list of models."""
    assert (await embedding.get("/v1/models"))["data"][-1]["id"] == "plane"
