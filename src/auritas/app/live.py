"""`auritas eval live`: real members asked questions with keys, outside the user's history: nothing of it is kept."""

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path

from auritas.app.about import About
from auritas.app.ask import NoModelError
from auritas.app.learning import Learning, computed_seats
from auritas.app.roster import BUILTIN
from auritas.council.choice.ranking import Policy
from auritas.council.choice.snapshot import Snapshot
from auritas.council.evaluation.live import (
    Comparison,
    LiveOutcome,
    LiveReport,
    asked,
    by_domain,
    graded,
    reported,
    right_count,
    to_document,
)
from auritas.council.evaluation.live_questions import LiveExam, LiveQuestion, built_in_live_exam, parse_live_exam
from auritas.council.model import Member, PromptContext, Question, Topic
from auritas.council.policy import Choosing
from auritas.council.service import Brief, Council
from auritas.kernel.answers import AccuracyLevel, Answer, Decision
from auritas.kernel.clock import Clock
from auritas.kernel.errors import InvalidError, NotFoundError, UnavailableError, UsageError, unreadable
from auritas.kernel.events import AnswerDone, Decided, Event
from auritas.kernel.ids import Ids

__all__ = [
    "Comparison",
    "LiveEvaluation",
    "LiveOutcome",
    "LiveReport",
    "asked",
    "by_domain",
    "read_exam",
    "right_count",
    "to_document",
]

OnQuestion = Callable[[int, int], None]
"""Told how many questions have ended, of how many."""


@dataclass(frozen=True, slots=True)
class LiveEvaluation:
    """Asks the members as a question would, with the rule in force, and keeps nothing.

    The gateway still lists what leaves the machine, and counts it against the budget.
    """

    council: Council
    members: Callable[[], Sequence[Member]]
    topic_of: Callable[[str], Topic]
    about: About
    learning: Learning
    policy: Policy
    clock: Clock
    ids: Ids

    async def __call__(
        self, exam: LiveExam, level: AccuracyLevel, progress: OnQuestion = lambda *_: None
    ) -> LiveReport:
        """Ask every question of `exam`, one after another, and return how it went.

        Raises NoModelError when nobody can be asked, UsageError for a level whose reviews this leaves out.
        """
        if level is AccuracyLevel.MAXIMUM:
            raise UsageError("This measures who is chosen, without reviews.", remedy="Use --level high.")
        members = self.members()
        if all(member.card.provider == BUILTIN for member in members):
            raise NoModelError(
                "No model is installed, only the calculator.",
                remedy="Fetch the embedded ones with: auritas models get standard",
            )
        learned = self.learning.current(members)
        outcomes: list[LiveOutcome] = []
        for item in exam.questions:
            progress(len(outcomes), len(exam.questions))
            outcomes.append(await self._asked(exam.id, item, level, members, learned))
        progress(len(outcomes), len(exam.questions))
        return reported(exam.id, level.value, self.policy.name, outcomes)

    async def _asked(
        self, exam: str, item: LiveQuestion, level: AccuracyLevel, members: Sequence[Member], learned: Snapshot
    ) -> LiveOutcome:
        began = self.clock.monotonic()
        # The egress ledger says of each request which exam it was for, where others name a conversation.
        question = Question(self.ids.new(), exam, item.ask, level, self.topic_of(item.ask))
        choosing = Choosing(self.policy, learned, computed=computed_seats(members))
        brief = Brief(choosing, self.about.subject(item.ask).shares, self.about.sameness(item.ask))
        answers, decision = await _heard(self.council.ask(question, members, PromptContext(), brief))
        return graded(item, answers, decision, self.clock.monotonic() - began)


async def _heard(events: AsyncGenerator[Event, None]) -> tuple[list[Answer], Decision]:
    answers: list[Answer] = []
    decision: Decision | None = None
    async with aclosing(events):
        async for event in events:
            match event:
                case AnswerDone():
                    answers.append(event.answer)
                case Decided():
                    decision = event.decision
                case _:
                    pass
    if decision is None:
        raise UnavailableError("The council ended without a decision.", remedy="Try: auritas doctor")
    return answers, decision


def read_exam(path: Path | None) -> LiveExam:
    """Return the questions that ship with Auritas, or those of a file.

    Raises NotFoundError when there is none, UnavailableError when it cannot be read, InvalidError when it is no exam.
    """
    if path is None:
        return built_in_live_exam()
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise NotFoundError(f"There is no file {path}.", remedy="Give a TOML file with --questions.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise UnavailableError(f"{path} {unreadable(error)}.", remedy="Check the file.") from None
    if not text.strip():
        raise InvalidError(f"The file {path.name} is empty.", remedy="Add at least one [[question]].")
    exam = parse_live_exam(text)
    if not exam.questions:
        raise InvalidError(f"{path.name} has no questions.", remedy="Add at least one [[question]].")
    return exam
