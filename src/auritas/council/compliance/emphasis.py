"""Saying a rule louder to a member that keeps breaking it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from auritas.council.compliance.checks import BUILT_IN
from auritas.council.compliance.model import Check, Round, Tier
from auritas.council.compliance.streaks import BOLD_AT, REPEATED_AT
from auritas.gateway.embedded_prompt import stable_beginning
from auritas.kernel.model import Message, Prompt, Role


@dataclass(frozen=True, slots=True)
class Reminders:
    """Rules to repeat, in bold: those that stand before what is asked, and those that close it, too."""

    first: tuple[str, ...] = ()
    last: tuple[str, ...] = ()

    def around(self, text: str) -> str:
        """Return `text` between them; unchanged when there are none."""
        return "\n\n".join(filter(None, ["\n".join(self.first), text, "\n".join(self.last)]))


def reminders(
    streaks: Mapping[str, int], tier: Tier, checks: Sequence[Check] = BUILT_IN, round_: Round = Round.ANSWER
) -> Reminders:
    """Return what a seat with these streaks of failures, by rule, must be reminded of, in the order of the checks."""
    about = [check for check in checks if tier in check.tiers and round_ in check.rounds]
    said = [(f"**{check.instruction}**", streaks.get(check.name, 0)) for check in about]
    return Reminders(
        first=tuple(rule for rule, streak in said if streak >= BOLD_AT),
        last=tuple(rule for rule, streak in said if streak >= REPEATED_AT),
    )


def emphasised(
    prompt: Prompt, streaks: Mapping[str, int], checks: Sequence[Check] = BUILT_IN, round_: Round = Round.ANSWER
) -> Prompt:
    """Return the prompt in which broken rules are repeated: from two failures in bold, from four at the end as well.

    streaks: of this seat, by rule. They stand in the system prompt. Not so for embedded members: there everything up to
    the newest message is read from the engine's cache, so a word more in the system prompt would cost each question the
    reading of all of it, several seconds on a small machine. Their reminders stand around the newest message instead.
    Without a streak the very same prompt comes back.
    """
    tier = Tier.PROSE if stable_beginning(prompt) is None else Tier.GRAMMAR
    said = reminders(streaks, tier, checks, round_)
    if said == Reminders() or not prompt.messages:
        return prompt
    if tier is Tier.GRAMMAR:
        *before, newest = prompt.messages
        return Prompt((*before, _around(said, newest)))
    system, *turns = prompt.messages
    if system.role is not Role.SYSTEM:
        return Prompt((Message(Role.SYSTEM, said.around("")), *prompt.messages))
    return Prompt((_around(said, system), *turns))


def _around(said: Reminders, message: Message) -> Message:
    return replace(message, content=said.around(message.content))
