"""`POST /v1/embeddings`: vectors by the installed sentence embedder."""

import base64
from array import array
from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from auritas.app.access import Scope
from auritas.app.embedding import Embedding, name_of
from auritas.server.caller import Mine, needs
from auritas.server.examples import shows
from auritas.server.openai.council import NoLevelError
from auritas.server.openai.examples import PROBLEMS
from auritas.server.openai.problems import OpenAIRoute, UnsupportedError
from auritas.server.router import Router

router = Router(
    prefix="/v1", tags=["openai"], dependencies=[needs(Scope.QUERY)], route_class=OpenAIRoute, responses=PROBLEMS
)
AT_ONCE = 2_048
"""Texts in one request, as at OpenAI: an embedder on this machine takes about ten milliseconds for each."""
BODY_AT_MOST = 16_000_000
"""Bytes of one request: so many texts of a page or two."""
_Text = Annotated[str, Field(max_length=100_000)]
_Token = Annotated[int, Field(ge=0, lt=2**31)]


class EmbeddingRequest(BaseModel):
    """Texts to be embedded. Tokens are refused: they are those of another model."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"model": "minilm-l6-v2", "input": ["Fifty-three"]}]})
    model: str = Field(max_length=200)
    input: (
        _Text
        | Annotated[list[_Text], Field(min_length=1, max_length=AT_ONCE)]
        | Annotated[list[_Token], Field(min_length=1, max_length=10_000)]
        | Annotated[list[Annotated[list[_Token], Field(max_length=10_000)]], Field(min_length=1, max_length=AT_ONCE)]
    )
    encoding_format: Literal["float", "base64"] = "float"
    dimensions: int | None = Field(None, ge=1, le=100_000)
    user: str | None = Field(None, max_length=200)

    def texts(self) -> list[str]:
        """Return the texts. Raises UnsupportedError for tokens and for empty ones."""
        given = [self.input] if isinstance(self.input, str) else self.input
        texts = [each for each in given if isinstance(each, str)]
        if len(texts) != len(given):
            raise UnsupportedError(
                "Tokens cannot be embedded here: they belong to another model.", param="input", remedy="Send the text."
            )
        if not all(text.strip() for text in texts):
            raise UnsupportedError("A text is empty.", param="input", remedy="Leave it out.")
        return texts


class VectorView(BaseModel):
    """One vector, of unit length: numbers, or their little-endian 32-bit form in base64."""

    object: Literal["embedding"] = "embedding"
    index: int
    embedding: list[float] | str


class TokensView(BaseModel):
    """What the texts took. Estimated at four bytes a token: the embedder reports none."""

    prompt_tokens: int
    total_tokens: int


class EmbeddingList(BaseModel):
    """Vectors in the order of the texts."""

    object: Literal["list"] = "list"
    data: list[VectorView]
    model: str
    usage: TokensView


_EXAMPLE = {
    "object": "list",
    "data": [{"object": "embedding", "index": 0, "embedding": [0.6, 0.8]}],
    "model": "minilm-l6-v2",
    "usage": {"prompt_tokens": 3, "total_tokens": 3},
}


@router.post("/embeddings", responses=shows(_EXAMPLE), max_body_size=BODY_AT_MOST)
def create_embedding(mine: Mine, wanted: EmbeddingRequest) -> EmbeddingList:
    """Return vectors of texts by the model for embeddings that is installed; each text is read to its first tokens."""
    texts = wanted.texts()
    _require_possible(mine.embedding, wanted)
    made = mine.embedding(texts)
    write = _base64 if wanted.encoding_format == "base64" else list
    data = [VectorView(index=at, embedding=write(vector)) for at, vector in enumerate(made.vectors)]
    return EmbeddingList(
        data=data, model=made.model, usage=TokensView(prompt_tokens=made.tokens, total_tokens=made.tokens)
    )


def _require_possible(embedding: Embedding, wanted: EmbeddingRequest) -> None:
    port = embedding.port()
    if wanted.model not in {name_of(port), port.id}:
        raise NoLevelError(
            f"There is no model named {wanted.model!r} for embeddings.", remedy=f"Installed: {name_of(port)}."
        )
    if wanted.dimensions is not None and wanted.dimensions != port.dimensions:
        raise UnsupportedError(
            f"{name_of(port)} makes vectors of {port.dimensions} numbers, not {wanted.dimensions}.",
            param="dimensions",
            remedy="Leave dimensions out.",
        )


def _base64(vector: Sequence[float]) -> str:
    return base64.b64encode(array("f", [float(each) for each in vector]).tobytes()).decode()
