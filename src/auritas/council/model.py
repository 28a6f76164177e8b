"""The council's own types."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from auritas.kernel.answers import AccuracyLevel, Seat
from auritas.kernel.model import Message, ModelCard


class Topic(StrEnum):
    """What a question asks for, as far as a rule can tell before anybody answers."""

    GENERAL = "general"
    CALCULATION = "calculation"


@dataclass(frozen=True, slots=True)
class Tally:
    """Right answers among graded ones."""

    right: int = 0
    graded: int = 0


@dataclass(frozen=True, slots=True)
class Member:
    """A seat with the card of its model and its self-test by topic.

    votes: whether its answer counts; one that failed its self-test is heard and shown, and weighs nothing.
    """

    seat: Seat
    card: ModelCard
    record: Mapping[Topic, Tally] = field(default_factory=dict)
    votes: bool = True


@dataclass(frozen=True, slots=True)
class PromptContext:
    """What the members get besides the question: the conversation so far, oldest first."""

    history: tuple[Message, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """A question on its way to the council."""

    query_id: str
    conversation_id: str
    text: str
    level: AccuracyLevel
    topic: Topic = Topic.GENERAL
