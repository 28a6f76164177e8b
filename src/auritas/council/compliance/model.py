"""What is checked, by which rule, and with what result."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from auritas.kernel.model import ModelCard

BUILTIN_PROVIDER = "builtin"


class Level(StrEnum):
    """What a failure leads to.

    Blocking: the member is asked once more. Soft: it is noted, and the rule is said louder after repeated failures.
    Info: it is noted, and nothing follows.
    """

    BLOCKING = "blocking"
    SOFT = "soft"
    INFO = "info"


class Tier(StrEnum):
    """How a member writes: in prose that ends with three lines, or under a grammar."""

    PROSE = "prose"
    GRAMMAR = "grammar"


class Round(StrEnum):
    """What a member was asked for."""

    ANSWER = "answer"
    PEER_REVIEW = "peer_review"


@dataclass(frozen=True, slots=True)
class Checked:
    """A reply as the member wrote it, with what it replied to.

    text: the whole reply, nothing stripped. question: the user's newest words. earlier: everything else that the user
    brought up before, in the conversation or as corrections; a subject that the user raised is no leak of ours.
    """

    text: str
    question: str
    tier: Tier = Tier.PROSE
    round: Round = Round.ANSWER
    earlier: str = ""

    @property
    def asked(self) -> str:
        """All words of the user's that the member has seen."""
        return f"{self.earlier}\n{self.question}"


@dataclass(frozen=True, slots=True)
class Passed:
    """The rule was kept."""


@dataclass(frozen=True, slots=True)
class Failed:
    """The rule was broken. why: a sentence. level: how much this failure weighs, where that is not the check's own."""

    why: str
    level: Level | None = None


@dataclass(frozen=True, slots=True)
class Unjudged:
    """Nobody could tell, or the rule does not apply to this reply: neither a pass nor a failure."""


Finding: TypeAlias = Passed | Failed | Unjudged


@dataclass(frozen=True, slots=True)
class Check:
    """One rule on replies.

    name: stable; results and streaks are kept under it. instruction: the rule as a member is told it. policy: id of the
    correction or policy of the user's behind it, never its words. tiers, rounds: the replies that it applies to.
    """

    name: str
    level: Level
    instruction: str
    run: Callable[[Checked], Finding]
    policy: str = ""
    tiers: frozenset[Tier] = frozenset(Tier)
    rounds: frozenset[Round] = frozenset({Round.ANSWER})

    def applies(self, subject: Checked) -> bool:
        """Whether the rule is about replies of this kind."""
        return subject.tier in self.tiers and subject.round in self.rounds


@dataclass(frozen=True, slots=True)
class Result:
    """What one check found in one reply. level: of the failure, or of the check when it was passed."""

    name: str
    level: Level
    passed: bool
    why: str = ""
    policy: str = ""


def tier_of(card: ModelCard) -> Tier | None:
    """Return how a member writes, or None for a part of this program, which no rule for models is about."""
    if card.provider == BUILTIN_PROVIDER:
        return None
    return Tier.GRAMMAR if card.grammar else Tier.PROSE
