"""The words of recovery prompts."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Remembered:
    """An active correction, as far as a recovery prompt depends on it. scope: where it holds, as it is stored."""

    id: str
    text: str
    scope: str
    pinned: bool


@dataclass(frozen=True, slots=True)
class Talk:
    """A conversation in which the model took part: its title and the newest question in it."""

    title: str
    question: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Material:
    """What a model writes its prompt from.

    remembered: all active corrections. domains: what its questions were about, most often first. talks: newest first,
    only those in which it was asked itself.
    """

    remembered: tuple[Remembered, ...]
    domains: tuple[str, ...]
    talks: tuple[Talk, ...]


@dataclass(frozen=True, slots=True)
class RecoveryPrompt:
    """What one seat wrote. corrections_hash: of the corrections that it was written from."""

    seat: str
    text: str
    generated_at: datetime
    corrections_hash: str
