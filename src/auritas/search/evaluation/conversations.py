"""Long conversations of two people with questions about them, as JSON files: one object a conversation.

It has `speaker_a`, `speaker_b`, for each session N `session_N` (turns with `speaker`, `dia_id`, `text` and, with a
picture, `blip_caption`) and `session_N_date_time` ("1:56 pm on 8 May, 2023"), and `qa`: questions with `category` and
`evidence`, the ids of the turns that answer them.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from auritas.kernel.errors import InvalidError, NotFoundError

CATEGORIES: Final[Mapping[int, str]] = {
    1: "multi_hop",
    2: "temporal",
    3: "open_domain",
    4: "single_hop",
    5: "adversarial",
}
ADVERSARIAL: Final = "adversarial"

_SESSION: Final = re.compile(r"session_(\d+)")
_TURN_ID: Final = re.compile(r"D\d+:\d+")
_DATE_FORMAT: Final = "%I:%M %p on %d %B, %Y"


@dataclass(frozen=True, slots=True)
class Said:
    """One turn. content: its words, with the caption of a picture. date: of its session, as the file has it."""

    id: str
    speaker: str
    content: str
    session: int
    date: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Question:
    """A question; evidence: places of the turns that answer it."""

    text: str
    evidence: frozenset[int]
    category: str


@dataclass(frozen=True, slots=True)
class Conversation:
    """All turns in order, and what is asked about them. speakers: the two names."""

    name: str
    speakers: tuple[str, str]
    turns: tuple[Said, ...]
    questions: tuple[Question, ...]


def read_conversations(folder: Path) -> tuple[Conversation, ...]:
    """Return the conversations of a folder (or of one file) by name.

    Questions without evidence among the turns are left out. Raises NotFoundError and InvalidError.
    """
    paths = [folder] if folder.is_file() else sorted(folder.glob("*.json"))
    if not paths:
        raise NotFoundError(f"There are no JSON files in {folder}.", remedy="Name a folder of conversations.")
    return tuple(_read(path) for path in paths)


def _read(path: Path) -> Conversation:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        turns = tuple(_turns(data))
        places = {turn.id: place for place, turn in enumerate(turns)}
        questions = tuple(question for entry in data["qa"] if (question := _question(entry, places)).evidence)
        return Conversation(path.stem, (data["speaker_a"], data["speaker_b"]), turns, questions)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InvalidError(
            f"{path} is no conversation with questions ({type(error).__name__}: {error}).",
            remedy="See docs/design/recall.md for the format.",
        ) from error


def _turns(data: Mapping[str, Any]) -> Iterator[Said]:
    numbers = sorted(int(found[1]) for key in data if (found := _SESSION.fullmatch(key)))
    for number in numbers:
        date = data[f"session_{number}_date_time"]
        begun = datetime.strptime(date, _DATE_FORMAT).replace(tzinfo=UTC)
        for minute, turn in enumerate(data[f"session_{number}"]):
            content = " ".join(part for part in (turn["text"], turn.get("blip_caption", "")) if part)
            at = begun + timedelta(minutes=minute)
            yield Said(turn["dia_id"], turn["speaker"], content, number, date, at)


def _question(entry: Mapping[str, Any], places: Mapping[str, int]) -> Question:
    ids: Sequence[str] = [found for said in entry.get("evidence", []) for found in _TURN_ID.findall(said)]
    evidence = frozenset(places[each] for each in ids if each in places)
    return Question(str(entry["question"]), evidence, CATEGORIES[entry["category"]])
