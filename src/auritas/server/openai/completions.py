"""`POST /v1/chat/completions`."""

from fastapi import Response

from auritas.app.access import Scope
from auritas.server.caller import Desk, MayRemember, Mine, needs
from auritas.server.openai import council, single
from auritas.server.openai.examples import CHAT, PROBLEMS
from auritas.server.openai.pictures import BODY_AT_MOST
from auritas.server.openai.problems import OpenAIRoute
from auritas.server.openai.replies import Completion, Head
from auritas.server.openai.requests import ChatRequest
from auritas.server.router import Router

router = Router(
    prefix="/v1", tags=["openai"], dependencies=[needs(Scope.QUERY)], route_class=OpenAIRoute, responses=PROBLEMS
)
_ID = "chatcmpl-"


@router.post("/chat/completions", response_model=Completion, responses=CHAT, max_body_size=BODY_AT_MOST)
async def create_chat_completion(mine: Mine, desk: Desk, may_remember: MayRemember, wanted: ChatRequest) -> Response:
    """Answer a chat: `auritas/fast … maximum` ask the council, any other name asks that model alone.

    The council takes the last message as the question and the earlier ones as history, and listens to the last one for
    corrections, unless the token lacks the scope `corrections:write`. A stream (`stream: true`) begins at once and
    carries what was chosen after the decision. A single model is passed through with its tools, form, temperature,
    limit, stop words and seed; nothing of that is stored. Pictures come as data URLs (PNG, JPEG, WebP, GIF), for the
    models that see, and of a history only those of the last message; addresses are never fetched.
    """
    created = int(mine.clock.now().timestamp())
    head = Head(f"{_ID}{mine.ids.new()}", created, wanted.model, usage=wanted.tells_usage)
    if wanted.model.startswith(council.PREFIX):
        return await council.complete(mine, desk, wanted, head, remember=may_remember)
    return await single.complete(mine, wanted, head)
