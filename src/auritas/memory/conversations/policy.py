"""The rules of conversations: how they are named, dated and branched."""

from collections.abc import Sequence
from datetime import datetime, timedelta, tzinfo

from auritas.kernel.errors import InvalidError, UsageError
from auritas.kernel.text import displayable, one_line, storable

TITLE_CHARACTERS = 200
TITLE_WIDTH = 60
"""Characters of the first question that a conversation is called after."""
PROJECT_CHARACTERS = 80
ID_SHOWN_AT_LEAST = 8
"""Characters of an id that are always shown; UUIDv7s that were made within a minute share them."""

_BRANCH = "(branch)"
_JUST_NOW = timedelta(minutes=1)
_HOUR = timedelta(hours=1)
_DAYS_IN_WORDS = 7


class NotAQuestionError(UsageError):
    """Something else than a question was to be asked anew."""

    code = "not_a_question"


INSTRUCTION_CHARACTERS = 4_000
"""About a thousand tokens, which every question of the conversation carries."""


def checked_instructions(text: str) -> str:
    """Return instructions as they are kept. Raises InvalidError for too many words."""
    kept = text.replace("\0", "").strip()
    if len(kept) > INSTRUCTION_CHARACTERS:
        raise InvalidError(
            f"Instructions take at most {INSTRUCTION_CHARACTERS} characters; these have {len(kept)}.",
            remedy="Say it in fewer words: every question carries them.",
        )
    return kept


def title_of(text: str, limit: int = TITLE_CHARACTERS, *, what: str = "title") -> str:
    """Return a name as it is kept: on one line, without control characters. Raises InvalidError when none is left."""
    line = " ".join(displayable(storable(text)).split())
    if not line:
        raise InvalidError(f"A {what} has at least one character that can be seen.", remedy=f"Give another {what}.")
    if len(line) > limit:
        raise InvalidError(f"A {what} has at most {limit} characters, not {len(line)}.", remedy="Give a shorter one.")
    return line


def branch_title(title: str) -> str:
    """Return what a branch is called until it is renamed; the branch of a branch is not marked twice."""
    bare = title.removesuffix(_BRANCH).rstrip()
    return f"{one_line(bare, TITLE_CHARACTERS - len(_BRANCH) - 1)} {_BRANCH}".strip()


def short_id(own: str, neighbours: Sequence[str]) -> str:
    """Return the beginning of an id that none of its neighbours in the order of all ids shares."""
    shared = max((_shared(own, other) for other in neighbours), default=0)
    return own[: max(ID_SHOWN_AT_LEAST, shared + 1)]


def ago(moment: datetime, now: datetime, zone: tzinfo) -> str:
    """Return a moment as a person would say it: "5 min ago", "today 14:02", "yesterday", "3 days ago", or the date."""
    passed = now - moment
    if timedelta(0) <= passed < _JUST_NOW:
        return "just now"
    if timedelta(0) <= passed < _HOUR:
        return f"{passed // timedelta(minutes=1)} min ago"
    local = moment.astimezone(zone)
    days = (now.astimezone(zone).date() - local.date()).days
    if days == 0:
        return f"today {local:%H:%M}"
    if days == 1:
        return f"yesterday {local:%H:%M}"
    if 1 < days < _DAYS_IN_WORDS:
        return f"{days} days ago"
    return f"{local:%Y-%m-%d}"


def copied_until(number: int, role: str, *, before: bool) -> int:
    """Return how many messages a branch at message `number` copies.

    before: end just before it, so that it can be asked in other words. Raises NotAQuestionError where it is no question
    then.
    """
    if not before:
        return number
    if role != "user":
        raise NotAQuestionError(
            f"Message {number} is an answer, and only a question can be asked anew.",
            remedy="Name one of your own messages.",
        )
    return number - 1


def _shared(one: str, other: str) -> int:
    """Return how many characters two texts have in common at their beginning."""
    pairs = zip(one, other, strict=False)
    return next((place for place, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))
