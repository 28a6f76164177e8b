"""Asking members to review and compare, blind. Whatever goes wrong, the question goes on: it is then unreviewed."""

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from auritas.council.model import Member
from auritas.council.review.model import Comparison, KnownAnswer, Preference
from auritas.council.review.pairwise import Match
from auritas.council.review.prompts import comparison_for, review_for, reviewed
from auritas.council.review.verdicts import Reading, gives_orders, preference_of, verdict_of
from auritas.gateway.embedded_prompt import COMPARISON_SCHEMA, REVIEW_SCHEMA
from auritas.gateway.errors import DeadlinePassed
from auritas.gateway.model import Purpose
from auritas.gateway.policy.structure import asked_again
from auritas.kernel.answers import Answer, Review, ReviewVerdict
from auritas.kernel.canonical import Json
from auritas.kernel.diagnostics import Diagnostics
from auritas.kernel.errors import AuritasError, UnavailableError
from auritas.kernel.events import Event, ReviewDone, ReviewStarted
from auritas.kernel.hooks import Hooks
from auritas.kernel.model import Finished, Params, Prompt, Text, Usage
from auritas.kernel.tasks import Spawner, merge

if TYPE_CHECKING:  # the council may ask for reviews one day; at run time neither needs the other
    from auritas.council.service import Asker

T = TypeVar("T")

ATTEMPTS: Final = 2
"""A reviewer whose reply cannot be read is asked once more."""
_TURNED: Final = {
    Preference.FIRST: Preference.SECOND,
    Preference.SECOND: Preference.FIRST,
    Preference.NEITHER: Preference.NEITHER,
}


@dataclass(frozen=True, slots=True)
class _Read(Generic[T]):
    """What was found in a reply and what it took. failure: the call broke off; asking again was the gateway's part.

    raw: the last reply, as it was written.
    """

    found: T | None
    usage: Usage
    failure: AuritasError | None = None
    raw: str = ""


@dataclass(frozen=True, slots=True)
class Reviewing:
    """Puts answers before members that did not write them. It keeps nothing: recording is the use case's.

    params: of each call; with its deadline, a review takes at most ATTEMPTS times as long.
    """

    asker: "Asker"
    spawner: Spawner
    hooks: Hooks
    diagnostics: Diagnostics
    params: Params

    async def review(
        self, question: str, answer: Answer, reviewer: Member, purpose: Purpose, *, full: bool = False
    ) -> AsyncGenerator[Event, None]:
        """Yield ReviewStarted, then ReviewDone with the review; a failure is a review without a verdict.

        full: show the reviewer the explanation, too, as for an open-ended question; else the short answer, which is
        what gets a grade.
        """
        yield ReviewStarted(reviewer.seat.name)
        read = await self._verdict(question, reviewed(answer, full=full), reviewer, purpose)
        yield ReviewDone(_review(reviewer, answer.run_id, read))

    async def reviews(
        self, question: str, answer: Answer, reviewers: Sequence[Member], purpose: Purpose, *, full: bool = False
    ) -> AsyncGenerator[Event, None]:
        """Let several members review the same answer at once, none seeing what another said; yield as they end."""
        streams = [self.review(question, answer, reviewer, purpose, full=full) for reviewer in reviewers]
        async with aclosing(merge(self.spawner, streams)) as events:
            async for event in events:
                yield event

    async def check(self, known: KnownAnswer, reviewer: Member, purpose: Purpose) -> Review:
        """Return what the reviewer says of a known answer, asked in the very words of a real review.

        Raises what the gateway raised when the reviewer could not be asked: that says nothing about its judgement.
        """
        read = await self._verdict(known.question, known.answer, reviewer, purpose)
        if read.failure is not None:
            raise read.failure
        return _review(reviewer, known.id, read)

    async def compare(
        self, question: str, first: tuple[str, str], second: tuple[str, str], judge: Member, purpose: Purpose
    ) -> Comparison:
        """Return which of two answers `judge` prefers, asked in both orders. first, second: id and text of each.

        An order in which nothing could be read counts as no preference. Where an answer gives orders to its judge,
        nobody is asked: what came back would be obedience.
        """
        if gives_orders(first[1]) or gives_orders(second[1]):
            return Comparison(judge.seat.name, first[0], second[0], Preference.NEITHER, Preference.NEITHER)
        one = await self._preference(question, first[1], second[1], judge, purpose)
        two = await self._preference(question, second[1], first[1], judge, purpose)
        forward = one.found or Preference.NEITHER
        backward = _TURNED[two.found or Preference.NEITHER]
        return Comparison(judge.seat.name, first[0], second[0], forward, backward, one.usage.plus(two.usage))

    async def compare_all(
        self, question: str, matches: Sequence[Match], purpose: Purpose, *, full: bool = True
    ) -> tuple[Comparison, ...]:
        """Return the outcome of each match, in order. full: as in `review`."""
        compared = []
        for match in matches:
            first, second = ((each.run_id, reviewed(each, full=full)) for each in (match.first, match.second))
            compared.append(await self.compare(question, first, second, match.judge, purpose))
        return tuple(compared)

    async def _verdict(self, question: str, answer: str, reviewer: Member, purpose: Purpose) -> _Read[Reading]:
        prompt = review_for(reviewer, question, answer)
        read = await self._read(reviewer, prompt, REVIEW_SCHEMA, purpose, _readable)
        praised = read.found is not None and read.found.verdict is ReviewVerdict.CORRECT
        return replace(read, found=None) if praised and gives_orders(answer) else read

    async def _preference(
        self, question: str, first: str, second: str, judge: Member, purpose: Purpose
    ) -> _Read[Preference]:
        prompt = comparison_for(judge, question, first, second)
        return await self._read(judge, prompt, COMPARISON_SCHEMA, purpose, preference_of)

    async def _read(
        self,
        member: Member,
        prompt: Prompt,
        schema: Mapping[str, Json],
        purpose: Purpose,
        read: Callable[[str], T | None],
    ) -> _Read[T]:
        """Return what `read` finds in the member's reply; it is asked once more if that is nothing."""
        params = replace(self.params, schema=schema) if member.card.grammar else self.params
        asked, usage = prompt, Usage()
        for _ in range(ATTEMPTS):
            said = await self._said(member, asked, params, purpose)
            usage = usage.plus(said.usage)
            found = None if said.found is None else read(said.found)
            if found is not None or said.failure is not None:
                return _Read(found, usage, said.failure, said.found or "")
            asked = asked_again(prompt, said.found or "", "it does not end with the JSON object that was asked for")
        return _Read(None, usage)

    async def _said(self, member: Member, prompt: Prompt, params: Params, purpose: Purpose) -> _Read[str]:
        pieces: list[str] = []
        usage = Usage()
        try:
            prepared = self.hooks.prepare_prompt(prompt)
            async with aclosing(self.asker.answer(member.card.name, prepared, params, purpose)) as parts:
                async for part in parts:
                    match part:
                        case Text():
                            pieces.append(part.text)
                        case Finished():
                            usage = part.usage
        except DeadlinePassed as error:
            return _Read(None, error.usage, error)
        except AuritasError as error:
            return _Read(None, usage, error)
        except Exception as error:  # noqa: BLE001  whatever an adapter or plugin raises, the question goes on
            self.diagnostics.trouble(f"reviewer {member.card.provider}", error)
            return _Read(None, usage, UnavailableError(f"{type(error).__name__} inside {member.seat.name}."))
        return _Read("".join(pieces), usage)


def _readable(text: str) -> Reading | None:
    reading = verdict_of(text)
    return None if reading.verdict is ReviewVerdict.UNREVIEWED else reading


def _review(reviewer: Member, run_id: str, read: _Read[Reading]) -> Review:
    said = read.found or Reading()
    return Review(reviewer.seat.name, run_id, said.verdict, said.issues, said.correction, read.usage, read.raw)
