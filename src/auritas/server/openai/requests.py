"""A chat completion as a client asks for it, and what of it the gateway takes."""

import re
from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from auritas.kernel.model import Image, Message, ModelCard, Params, Role, Tool, ToolCall
from auritas.server.openai.pictures import PictureSaid, pictures_of
from auritas.server.openai.problems import UnsupportedError

DEADLINE_S = 600.0
"""As long as the clients of OpenAI wait for a reply."""
MOST_TOKENS = 1_000_000
NEW_TOKENS = 4_096
"""Of a reply, where the request sets no limit and the model's window leaves room."""
_I64 = 2**63
_TEXT = 1_000_000
_PICTURE = "image_url"
_WRITTEN = ("text", "refusal")
"""Kinds of content that are read as words; each stands in the field of its name."""
_SAMPLING = ("top_p", "presence_penalty", "frequency_penalty")
_FURTHER = (*_SAMPLING, "logit_bias", "reasoning_effort", "verbosity", "parallel_tool_calls", "user")
_IDLE = {"top_p": 1, "presence_penalty": 0, "frequency_penalty": 0, "parallel_tool_calls": True}
"""Fields that change nothing where they have these values."""

Name = Annotated[str, Field(max_length=200)]


class Function(BaseModel):
    """A tool's name, description and parameters (a JSON Schema). strict: arguments must follow it to the letter."""

    name: Name
    description: str | None = Field(None, max_length=20_000)
    parameters: dict[str, Any] | None = None
    strict: bool | None = None


class ToolWanted(BaseModel):
    """A tool that the model may ask for; whoever asks runs it."""

    type: Literal["function"] = "function"
    function: Function


class Called(BaseModel):
    """A function that the assistant asked for. arguments: JSON, as it was written."""

    name: Name
    arguments: str = Field("", max_length=_TEXT)


class CallSaid(BaseModel):
    """A call in an assistant's message."""

    id: Name
    type: Literal["function"] = "function"
    function: Called


class ContentPart(BaseModel):
    """A piece of a message: text, a picture, or how the assistant refused before."""

    model_config = ConfigDict(extra="allow")
    type: Name
    text: str | None = Field(None, max_length=_TEXT)
    refusal: str | None = Field(None, max_length=_TEXT)
    image_url: PictureSaid | None = None


class ChatMessage(BaseModel):
    """One message of the conversation."""

    role: Literal["system", "developer", "user", "assistant", "tool"]
    content: Annotated[str, Field(max_length=_TEXT)] | Annotated[list[ContentPart], Field(max_length=200)] | None = None
    tool_calls: list[CallSaid] | None = Field(None, max_length=200)
    tool_call_id: Name | None = None

    def message(self, at: int) -> Message:
        """Return it as models get it. Raises UnsupportedError for what is neither text nor a picture of the user's."""
        role = Role.SYSTEM if self.role == "developer" else Role(self.role)
        calls = tuple(ToolCall(c.id, c.function.name, c.function.arguments) for c in self.tool_calls or ())
        text, images = _content(self.content, role, at)
        return Message(role, text, images, calls, self.tool_call_id or "")


class StreamOptions(BaseModel):
    """include_usage: a last chunk tells what the reply took."""

    include_usage: bool = False


class SchemaWanted(BaseModel):
    """A JSON Schema under a name."""

    model_config = ConfigDict(populate_by_name=True)
    name: Name = "reply"
    shape: dict[str, Any] = Field(default_factory=dict, alias="schema")


class ResponseFormat(BaseModel):
    """The form of the reply."""

    type: Literal["text", "json_object", "json_schema"] = "text"
    json_schema: SchemaWanted | None = None


class NamedTool(BaseModel):
    """The one tool to be used."""

    type: Literal["function"] = "function"
    function: Function


class ChatRequest(BaseModel):
    """A request for a chat completion. Fields that are not listed are ignored."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "model": "auritas/balanced",
                    "messages": [{"role": "user", "content": "How many members does our choir have?"}],
                }
            ]
        }
    )
    model: Name = Field(description="auritas/fast, balanced, high or maximum for the council, or one model's name.")
    messages: list[ChatMessage] = Field(min_length=1, max_length=4_000)
    stream: bool | None = False
    stream_options: StreamOptions | None = None
    max_tokens: int | None = Field(None, ge=1, le=MOST_TOKENS)
    max_completion_tokens: int | None = Field(None, ge=1, le=MOST_TOKENS)
    temperature: float | None = Field(None, ge=0, le=2)
    top_p: float | None = Field(None, ge=0, le=1)
    presence_penalty: float | None = Field(None, ge=-2, le=2)
    frequency_penalty: float | None = Field(None, ge=-2, le=2)
    logit_bias: dict[str, float] | None = None
    seed: int | None = Field(None, ge=-_I64, lt=_I64)
    stop: Name | Annotated[list[Name], Field(max_length=16)] | None = None
    n: int | None = Field(None, ge=1, le=128)
    logprobs: bool | None = None
    tools: list[ToolWanted] | None = Field(None, max_length=128)
    tool_choice: Literal["none", "auto", "required"] | NamedTool | None = None
    parallel_tool_calls: bool | None = None
    response_format: ResponseFormat | None = None
    reasoning_effort: Annotated[str, Field(max_length=20)] | None = None
    verbosity: Annotated[str, Field(max_length=20)] | None = None
    user: Name | None = None

    def conversation(self) -> tuple[Message, ...]:
        """Return the messages as models get them."""
        return tuple(each.message(at) for at, each in enumerate(self.messages))

    @property
    def tells_usage(self) -> bool:
        """Whether a stream ends with what it took."""
        return self.stream_options is not None and self.stream_options.include_usage

    @property
    def calls_tools(self) -> bool:
        """Whether the model may ask for a tool."""
        return bool(self.tools) and self.tool_choice != "none"

    def single(self) -> None:
        """Raise UnsupportedError for what no model here does."""
        if (self.n or 1) > 1:
            raise UnsupportedError(
                "One reply is given for each request.", param="n", remedy="Leave n out, and ask several times."
            )
        if self.logprobs:
            raise UnsupportedError("Log-probabilities are not given.", param="logprobs", remedy="Leave logprobs out.")

    def ignored(self, taken: bool) -> tuple[str, ...]:  # noqa: FBT001  one predicate, named by its parameter
        """Return the fields that are set to something and change nothing. taken: the model takes further fields."""
        named = () if taken else _FURTHER
        return tuple(name for name in named if name != "user" and getattr(self, name) not in (None, _IDLE.get(name)))


def params_of(wanted: ChatRequest, card: ModelCard) -> Params:
    """Return how a single model is to answer. Raises UnsupportedError for what it cannot do."""
    wanted.single()
    if wanted.calls_tools and not card.tools:
        raise UnsupportedError(
            f"{card.name} calls no tools.", param="tools", remedy="Use a model that was added by the OpenAI protocol."
        )
    further = {name: getattr(wanted, name) for name in _FURTHER if card.tools}
    most = wanted.max_completion_tokens or wanted.max_tokens
    return Params(
        max_tokens=most or min(NEW_TOKENS, card.window // 2),
        temperature=wanted.temperature or 0.0,
        seed=wanted.seed,
        schema=_schema(wanted.response_format),
        deadline_s=DEADLINE_S,
        stop=(wanted.stop,) if isinstance(wanted.stop, str) else tuple(wanted.stop or ()),
        tools=_tools(wanted.tools or ()) if card.tools else (),
        tool_choice=_choice(wanted.tool_choice) if card.tools and wanted.tools else "",
        more={name: value for name, value in further.items() if value is not None},
    )


def _schema(form: ResponseFormat | None) -> dict[str, Any] | None:
    match form:
        case ResponseFormat(type="json_object"):
            return {"type": "object"}
        case ResponseFormat(type="json_schema", json_schema=SchemaWanted(shape=shape)):
            return _checked(shape)
        case ResponseFormat(type="json_schema"):
            raise UnsupportedError(
                "The schema is missing.", param="response_format", remedy="Give response_format.json_schema.schema."
            )
        case _:
            return None


def _checked(shape: dict[str, Any]) -> dict[str, Any]:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import SchemaError

    try:
        Draft202012Validator.check_schema(shape)
    except (SchemaError, RecursionError, re.error):
        raise UnsupportedError(
            "The schema is no JSON Schema.", param="response_format", remedy="See json-schema.org, draft 2020-12."
        ) from None
    return shape


def _tools(tools: Sequence[ToolWanted]) -> tuple[Tool, ...]:
    functions = [tool.function for tool in tools]
    return tuple(Tool(each.name, each.description or "", each.parameters or {}, each.strict) for each in functions)


def _choice(choice: str | NamedTool | None) -> str:
    return choice.function.name if isinstance(choice, NamedTool) else choice or ""


def _content(content: str | list[ContentPart] | None, role: Role, at: int) -> tuple[str, tuple[Image, ...]]:
    if content is None or isinstance(content, str):
        return content or "", ()
    shown = [part.image_url for part in content if part.type == _PICTURE and part.image_url]
    for part in content:
        if part.type not in _WRITTEN and not (part.type == _PICTURE and part.image_url):
            raise UnsupportedError(
                f"Message {at} holds {part.type!r}; here only text and pictures are read.",
                param=f"messages.{at}.content",
                remedy="Attach files on the page, or send their text.",
            )
    if shown and role is not Role.USER:
        raise UnsupportedError(
            f"Message {at} is not the user's, and only these have pictures.",
            param=f"messages.{at}.content",
            remedy="Send the picture in a message of the user.",
        )
    written = (getattr(part, part.type) or "" for part in content if part.type in _WRITTEN)
    return "\n".join(written), pictures_of(shown, at)
