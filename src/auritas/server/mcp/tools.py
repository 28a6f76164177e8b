"""The tools: ask, remember, recall, verify. Each needs the scope that its page needs."""

import asyncio
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations
from pydantic import Field

from auritas import __version__
from auritas.app.access import Caller, Scope
from auritas.app.ask import QUESTION_CHARACTERS
from auritas.app.chatting import Replied
from auritas.app.compose import Auritas
from auritas.app.lookup import Known
from auritas.app.runs import RunDesk
from auritas.kernel.answers import AccuracyLevel
from auritas.kernel.errors import AuritasError
from auritas.kernel.text import one_line
from auritas.server.caller import ForbiddenError
from auritas.server.following import Following
from auritas.server.mcp.shapes import AnswerSaid, PassageSaid, Proposal, Recalled, RememberedThing, Verified

_INSTRUCTIONS = """Auritas asks several models at once and says which answer holds, how sure that is, and why.
ask: for a question worth more than one opinion. recall: before asking the user what they have said before.
remember: only proposes; the user decides. verify: checks the tamper-evident log."""
_ASK_AGAIN = "The user decides: on the page Memory, or by auritas memory confirm."
TROUBLE = "a tool of another program"
_SHOWN = 2_000
"""Characters of one passage."""

Text = Annotated[str, Field(min_length=1, max_length=QUESTION_CHARACTERS)]
Words = Annotated[str, Field(min_length=1, max_length=2_000)]
Level = Literal["fast", "balanced", "high", "maximum"]


@dataclass(frozen=True, slots=True)
class Visit:
    """Who uses the tools: what they may do, their program, and what runs for them."""

    caller: Caller
    mine: Auritas
    desk: RunDesk


VisitOf = Callable[[Any], Visit]
"""Returns who makes a request, from the request of the transport (None for a pipe)."""


@dataclass(frozen=True, slots=True)
class Tools:
    """The tools as the protocol calls them."""

    visit_of: VisitOf

    async def ask(
        self,
        question: Text,
        context: Context[Any, Any],
        level: Level = "balanced",
        conversation_id: Annotated[str | None, Field(max_length=64)] = None,
    ) -> AnswerSaid:
        """Ask the council: several models answer independently, and a rule that knows who is right chooses.

        Takes seconds to minutes. level: how much work the question is worth.
        """
        with self._allowed(context, Scope.QUERY) as visit:
            # Straight to the council: what a model says is never listened to for corrections.
            chosen = AccuracyLevel(level)
            asking = visit.mine.asking
            work = lambda: asking(question, level=chosen, conversation_id=conversation_id)  # noqa: E731  one line
            run = visit.desk.start("ask", question, work)
            following = Following(visit.desk, run, visit.mine.clock)
            waited = 0
            async for _ in following.beats():
                waited += 1
                await context.report_progress(waited, message="The members are still answering.")
            return _answer(following.replied)

    async def remember(
        self,
        claim: Words,
        context: Context[Any, Any],
        question: Annotated[str, Field(max_length=2_000)] = "",
    ) -> Proposal:
        """Propose something to be remembered about the user or their work. It holds only after the user's yes.

        question: the one that the claim answers, if any.
        """
        with self._allowed(context, Scope.CORRECTIONS_WRITE) as visit:
            kept = await asyncio.to_thread(visit.mine.proposing, claim, question)
            visit.desk.changed("memory")
            correction = kept.correction
            state, text = correction.state.value, one_line(correction.text, _SHOWN)
            what_now = _ASK_AGAIN if state == "proposed" else ""
            return Proposal(id=correction.id, state=state, text=text, already=kept.already, what_now=what_now)

    async def recall(
        self, query: Words, context: Context[Any, Any], limit: Annotated[int, Field(ge=1, le=20)] = 5
    ) -> Recalled:
        """Find what the user told Auritas to keep and what was said in earlier conversations. Reads only."""
        with self._allowed(context, Scope.QUERY) as visit:
            known = await asyncio.to_thread(visit.mine.lookup, query, limit)
            return _recalled(known)

    async def verify(self, context: Context[Any, Any]) -> Verified:
        """Check the whole audit log: every entry, the tree over them and its signed heads. Reads only."""
        with self._allowed(context, Scope.STATUS) as visit:
            report = await asyncio.to_thread(visit.mine.audit.verify)
            return Verified(
                ok=report.ok,
                entries=report.entries,
                root=report.root.hex(),
                reason=report.reason,
                first_bad=report.first_bad,
            )

    @contextmanager
    def _allowed(self, context: Context[Any, Any], scope: Scope) -> Iterator[Visit]:
        """Let a caller in who may; errors reach the model as sentences."""
        visit = self.visit_of(context.request_context.request)
        try:
            _require(visit.caller, scope)
            yield visit
        except AuritasError as error:
            raise ToolError(str(error)) from None
        except Exception as error:
            # The model is told only that the tool failed; where it failed is for the person.
            visit.mine.diagnostics.trouble(TROUBLE, error)
            raise


def _require(caller: Caller, scope: Scope) -> None:
    if not caller.may(scope):
        raise ForbiddenError(scope)


def _answer(replied: Replied) -> AnswerSaid:
    result = replied.result
    assert result is not None  # noqa: S101  a run that ends without a result has failed
    decision = result.decision
    agree = len(decision.winner.supporters) if decision.winner else 0
    return AnswerSaid(
        answer=result.reply,
        confidence=decision.confidence.label.value,
        basis=decision.confidence.basis,
        agreement=f"{agree} of {sum(answer.votes for answer in result.answers)}",
        reason=decision.reason,
        query_id=result.query_id,
        conversation_id=result.conversation_id,
        notices=tuple(notice.text for notice in replied.notices),
    )


def _recalled(known: Known) -> Recalled:
    return Recalled(
        remembered=tuple(
            RememberedThing(id=each.id, text=each.text, type=each.type.value) for each in known.remembered
        ),
        passages=tuple(
            PassageSaid(
                text=each.text[:_SHOWN],
                said_at=each.said_at,
                conversation_id=each.conversation_id,
                message_id=each.message_id,
                score=each.score,
            )
            for each in known.passages
        ),
        by="meaning" if known.by_meaning else "words",
    )


def server_of(visit_of: VisitOf) -> MCPServer[Any]:
    """Return a server with the tools."""
    tools = Tools(visit_of)
    with _quiet():
        server: MCPServer[Any] = MCPServer("auritas", version=__version__, instructions=_INSTRUCTIONS)
    reads = ToolAnnotations(read_only_hint=True, open_world_hint=False)
    writes = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)
    for tool, says in ((tools.ask, writes), (tools.remember, writes), (tools.recall, reads), (tools.verify, reads)):
        server.add_tool(tool, annotations=says)
    return server


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep the SDK from taking over the logging of this process, and its own words, which may be private, out of it."""
    own = logging.getLogger("mcp")
    if not own.handlers:
        own.addHandler(logging.NullHandler())
    own.propagate = False
    root, holder = logging.getLogger(), logging.NullHandler()
    root.addHandler(holder)  # with a handler there, the SDK sets up none
    try:
        yield
    finally:
        root.removeHandler(holder)
