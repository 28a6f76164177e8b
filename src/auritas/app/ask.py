"""The use case behind `auritas ask`: nothing is final before its reasons and its audit entries are committed."""

import asyncio
import unicodedata
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass, replace
from functools import partial

from auritas.app.about import About, Subject, tagged
from auritas.app.closing import Closing
from auritas.app.learning import Learning, computed_seats
from auritas.app.recollection import Place, Recollecting
from auritas.app.roster import BUILTIN
from auritas.app.second_look import SecondLook, Seen
from auritas.app.wishes import NO_WISHES, Wishes
from auritas.council.adapters.habits_sql import habits
from auritas.council.adapters.records import FAILED, INTERRUPTED, CouncilRecords, Opening
from auritas.council.choice.ranking import Policy
from auritas.council.choice.snapshot import Snapshot
from auritas.council.domains.tree import DomainTree
from auritas.council.expectation import Habit, expected
from auritas.council.ledger.rules import CouncilRule
from auritas.council.model import Member, Question, Topic
from auritas.council.policy import Choosing
from auritas.council.reasons import ended_early
from auritas.council.service import Brief, Council
from auritas.council.shape import Shaped, shape_of
from auritas.kernel.answers import AccuracyLevel, Confidence, ConfidenceLabel, Decision, QuestionShape
from auritas.kernel.clock import Clock
from auritas.kernel.errors import AuritasError, NotFoundError, RefusedError, UnavailableError, UsageError, nearest
from auritas.kernel.events import AnswerDone, AskFinished, AskStarted, Decided, Event, MemoryUsed, Notice
from auritas.kernel.hooks import Hooks
from auritas.kernel.ids import Ids
from auritas.kernel.model import Role
from auritas.kernel.ports import Store
from auritas.kernel.tasks import Hurry
from auritas.memory.shelf import Shelf
from auritas.store import Unit

QUESTION_CHARACTERS = 32_000
"""Characters of one message at most, however it is sent."""
_NEXT = {
    AccuracyLevel.FAST: AccuracyLevel.BALANCED,
    AccuracyLevel.BALANCED: AccuracyLevel.HIGH,
    AccuracyLevel.HIGH: AccuracyLevel.MAXIMUM,
}


class NoModelError(UnavailableError):
    """Nobody can be asked."""

    code = "no_model"


class NobodySeesError(RefusedError):
    """Pictures were given to members of whom none sees: whatever they said of them would be made up."""

    code = "nobody_sees"

    def __init__(self, blind: Sequence[str]) -> None:
        who = f"{blind[0]} does not see" if len(blind) == 1 else f"None of {', '.join(blind)} sees"
        super().__init__(
            f"{who} pictures.",
            remedy="Leave the picture out, or add a model that sees: under Settings, Models, or by auritas models add "
            "NAME --sees.",
        )


@dataclass(frozen=True, slots=True)
class Doubt:
    """When the council does not trust its answer. least: P below which; 0: never. escalates: it then works harder."""

    least: float = 0.0
    escalates: bool = False


@dataclass(frozen=True, slots=True)
class Asked:
    """How a question reached us. said: the whole message, where it says more. again_in: the message that asked it.

    anew: the message of which it is another wording, in a branch.
    """

    said: str = ""
    again_in: str | None = None
    anew: str | None = None
    wishes: Wishes = NO_WISHES


_ONLY = Asked()


@dataclass(frozen=True, slots=True)
class _Outset:
    """What a question begins with, frozen before anybody answers. shelf: None where memory fails.

    members: those that may be asked. blind: those that may not, because they would not see the message's pictures.
    reports, habits, streaks: see `CouncilRule`, `expected` and `Brief`. subject: still to be read.
    """

    members: Sequence[Member]
    blind: tuple[str, ...]
    place: Place
    shelf: Shelf | None
    learned: Snapshot
    reports: CouncilRule
    habits: Mapping[str, Habit]
    streaks: Mapping[str, Mapping[str, int]]
    tree: DomainTree
    subject: Subject

    @property
    def needs_domains(self) -> bool:
        """Whether something is remembered that holds for one field only."""
        return self.shelf is not None and any(each.scope == "domain" for each in self.shelf.corrections)


@dataclass(frozen=True, slots=True)
class Ask:
    """Puts questions to the council and records everything about them."""

    store: Store[Unit]
    records: CouncilRecords
    council: Council
    members: Callable[[], Sequence[Member]]
    topic_of: Callable[[str], Topic]
    about: About
    learning: Learning
    policy: Policy
    second_look: SecondLook
    closing: Closing
    memory: Recollecting
    hooks: Hooks
    clock: Clock
    ids: Ids
    doubt: Doubt = Doubt()

    async def __call__(
        self, text: str, *, level: AccuracyLevel, conversation_id: str | None = None, asked: Asked = _ONLY
    ) -> AsyncGenerator[Event, None]:
        """Yield what happens, ending with AskFinished once everything is committed.

        Raises UsageError for a question that cannot be asked, NotFoundError for an unknown conversation, NoModelError
        when no model is installed and NobodySeesError for pictures that nobody would see. Cancelling keeps what had
        been answered and marks the question.
        """
        seated = self._seated(asked.wishes.members)
        question, shaped = self._question(text, level, conversation_id)
        outset = await asyncio.to_thread(self._outset, question, seated, conversation_id, asked)
        place, members = outset.place, outset.members
        if conversation_id is not None and not place.temporary:
            self.memory.resume(conversation_id)
        shares = await outset.subject.shares() if outset.needs_domains else {}
        recalled = await self.memory(question, members, shares, place, outset.shelf)
        recalled = replace(recalled, notices=(*_not_asked(outset.blind), *recalled.notices))
        seats = tuple(member.seat for member in members)
        with self.store.unit() as unit:
            opening = Opening(
                is_new=conversation_id is None,
                project_id=place.project_id,
                said=asked.said,
                asked_in=asked.again_in,
                edited_from=asked.anew,
                temporary=place.temporary,
            )
            message_id = self.records.open_question(unit, question, seats, opening)
            self.memory.attach(unit, place, question.conversation_id, message_id)
        said = "\n".join(m.content for m in recalled.context.history if m.role is Role.USER)
        undecided = _undecided(self.policy.name)
        learned = outset.learned
        seen = Seen(question, members, [], undecided, learned, outset.reports, earlier=said, recalled=recalled)
        try:
            takes = expected(level, members, learned, outset.habits, question.shape)
            yield AskStarted(question.query_id, question.conversation_id, level, seats, takes)
            for notice in recalled.notices:
                yield Notice("attachments", notice)
            if recalled.entered or recalled.passages or recalled.line:
                yield MemoryUsed(recalled.entered, recalled.passages, recalled.line)
            async with aclosing(self._deliberate(seen, outset, asked.wishes.hurry)) as events:
                async for event in events:
                    yield event
            result = self.closing.close(seen, shaped.rule)
        except BaseException as error:
            # When the store itself has failed, this fails too: the first error is the one to tell.
            with suppress(AuritasError), self.store.unit() as unit:
                status = FAILED if isinstance(error, Exception) else INTERRUPTED
                trace = ended_early(question, seen.answers, status, trace_id=self.ids.trace(), ts=self.clock.now())
                self.records.cut_short(unit, question, seen.answers, status, trace)
            raise
        if result.degraded:
            yield Notice("degraded", f"Out of action for a while: {', '.join(result.degraded)}.")
        self.hooks.answered(result)
        yield AskFinished(result)

    def _outset(
        self, question: Question, seated: Sequence[Member], conversation_id: str | None, asked: Asked
    ) -> "_Outset":
        """Return what is read of the store before anybody is asked, all of it at one moment."""
        shelf = self.memory.shelf()
        with self.store.read() as unit:
            tree = self.about.tree(unit)
            place = self.memory.place_in(unit, conversation_id, asked.wishes, asked.again_in)
            members, blind = _seeing(seated) if place.pictured else (seated, ())
            setting = self.learning.setting(members, tree, self.learning.scores(unit))
            return _Outset(
                members=members,
                blind=blind,
                place=place,
                shelf=shelf,
                learned=self.learning.current_in(unit, setting),
                reports=self.learning.reports_in(unit),
                habits=habits(unit),
                streaks=self.closing.streaks(unit),
                tree=tree,
                subject=self.about.subject(question.text),
            )

    async def _deliberate(self, seen: Seen, outset: "_Outset", hurry: Hurry | None) -> AsyncGenerator[Event, None]:
        """Ask, choose and look again; where the council doubts its answer and should work harder, once more."""
        while True:
            async with aclosing(self._asked(seen, outset, hurry)) as events:
                async for event in events:
                    yield event
            async with aclosing(self.second_look(seen, hurry)) as events:
                async for event in events:
                    yield event
            harder = _NEXT.get(seen.question.level)
            called = hurry is not None and hurry.called
            if called or not (seen.decision.abstains and self.doubt.escalates and harder):
                break
            yield Notice("escalated", f"The council is not sure enough; going on at level {harder}.")
            seen.question = replace(seen.question, level=harder)
        if seen.decision.winner is not None:
            yield Decided(seen.decision)

    async def _asked(self, seen: Seen, outset: "_Outset", hurry: Hurry | None) -> AsyncGenerator[Event, None]:
        """Ask the members who have not answered yet, and put answers, domains and decision into `seen`."""
        choosing = Choosing(self.policy, seen.learned, self.doubt.least, computed_seats(seen.members))
        same, subject = self.about.sameness(seen.question.text), outset.subject
        brief = Brief(choosing, subject.shares, same, outset.streaks, seen.rule, partial(tagged, outset.tree))
        context, before = seen.recalled.context, tuple(seen.answers)
        asking = self.council.ask(seen.question, seen.members, context, brief, before=before, hurry=hurry)
        async with aclosing(asking) as events:
            async for event in events:
                match event:
                    case AnswerDone():
                        seen.answers.append(event.answer)
                        yield event
                    case Decided():
                        seen.decision = event.decision
                    case _:
                        yield event
        seen.question = replace(seen.question, domains=await subject.shares())
        seen.reading = subject.reading

    def _seated(self, wanted: tuple[str, ...]) -> Sequence[Member]:
        members = self.members()
        if wanted:
            return _chosen(members, wanted)
        if all(member.card.provider == BUILTIN for member in members):
            raise NoModelError(
                "No model is installed, only the calculator.",
                remedy="Fetch the embedded ones: under Settings, Models, or by auritas models get standard",
            )
        return members

    def _question(self, text: str, level: AccuracyLevel, conversation_id: str | None) -> tuple[Question, Shaped]:
        text = checked_question(text)
        shaped, topic = shape_of(text), self.topic_of(text)
        shape = QuestionShape.CLOSED if topic is Topic.CALCULATION else shaped.shape
        question = Question(self.ids.new(), conversation_id or self.ids.new(), text, level, topic, shape=shape)
        return question, shaped


def _seeing(members: Sequence[Member]) -> tuple[Sequence[Member], tuple[str, ...]]:
    """Return who sees pictures, and the names of the models that do not. Raises NobodySeesError."""
    seeing = [member for member in members if member.card.sees]
    blind = tuple(member.seat.name for member in members if member not in seeing and member.card.provider != BUILTIN)
    if not seeing:
        raise NobodySeesError(blind)
    return seeing, blind


def _not_asked(blind: Sequence[str]) -> tuple[str, ...]:
    return (f"Not asked, because they do not see pictures: {', '.join(blind)}.",) if blind else ()


def _chosen(members: Sequence[Member], wanted: tuple[str, ...]) -> Sequence[Member]:
    """Return the members that a person named. Raises NotFoundError for a seat that nobody sits in."""
    seated = {member.seat.name: member for member in members}
    for name in wanted:
        if name not in seated:
            hint = nearest(name, list(seated)) or f"Members now: {', '.join(seated) or 'none'}."
            raise NotFoundError(f"No member is named {name!r}.", remedy=hint)
    return [member for member in members if member.seat.name in wanted]


def _undecided(policy: str) -> Decision:
    unsure = Confidence(ConfidenceLabel.UNCERTAIN, "nobody answered")
    return Decision((), None, None, unsure, policy, "No member gave an answer that can be read.")


def checked_question(text: str) -> str:
    """Return a message as it is asked. Raises UsageError for none, for too much, and for what is no text."""
    if any(unicodedata.category(c) == "Cs" for c in text):
        raise UsageError("The question is not text in UTF-8.", remedy="Convert it first, for example with iconv.")
    text = text.replace("\0", "").strip()
    if not text:
        raise UsageError(
            "The question is empty.", remedy='Write what you want to know. Try: "What is the capital of Australia?"'
        )
    if len(text) > QUESTION_CHARACTERS:
        raise UsageError(
            f"The question has {len(text)} characters; at most {QUESTION_CHARACTERS} fit.",
            remedy="Ask about a part of it.",
        )
    return text
