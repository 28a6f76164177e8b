"""Acts of grading: what somebody said about the answers to one question, each undone as a whole.

An act names answers and candidates, never marks: which answers it makes right or wrong follows in `grading`, anew
whenever candidates are merged or an act is undone.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Any, ClassVar, TypeAlias

from auritas.council.candidates import Sameness
from auritas.council.equivalence import key, same_key
from auritas.council.model import GradeSource
from auritas.kernel.answers import Answer, Candidate, Decision, QuestionShape, ReviewVerdict
from auritas.kernel.errors import InvalidError

USER = "user"
_KEY_SOURCES = frozenset({GradeSource.KEY, GradeSource.CORRECTION})


class ActKind(StrEnum):
    """What kind of thing was said."""

    VERDICT = "verdict"
    KEY = "key"
    PICK = "pick"
    NONE_RIGHT = "none_right"
    MERGE = "merge"
    CHECKER = "checker"
    REVIEWER = "reviewer"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The user says whether one answer, as a rule the one that was shown, is right."""

    kind: ClassVar = ActKind.VERDICT
    run_id: str
    right: bool


@dataclass(frozen=True, slots=True)
class Key:
    """The right answer in words, and the candidates that say the same; see `keyed`, which finds them.

    source: an answer key, or a correction by the user. Raises InvalidError for any other.
    """

    kind: ClassVar = ActKind.KEY
    text: str
    candidates: tuple[str, ...]
    source: GradeSource = GradeSource.KEY

    def __post_init__(self) -> None:
        if self.source not in _KEY_SOURCES:
            raise InvalidError(f"A right answer comes from a key or a correction, not from {self.source!r}.")


@dataclass(frozen=True, slots=True)
class Pick:
    """The user says which candidate is the right one."""

    kind: ClassVar = ActKind.PICK
    candidate: str


@dataclass(frozen=True, slots=True)
class NoneRight:
    """The user says that no answer is right."""

    kind: ClassVar = ActKind.NONE_RIGHT


@dataclass(frozen=True, slots=True)
class Merge:
    """The user says that two candidates say the same: they count as one from now on."""

    kind: ClassVar = ActKind.MERGE
    first: str
    second: str


@dataclass(frozen=True, slots=True)
class Checked:
    """A program that can tell says whether one answer is right. checker: its name."""

    kind: ClassVar = ActKind.CHECKER
    run_id: str
    right: bool
    checker: str


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A member that read one answer blind says whether it is right.

    reliability: the mean of the reviewer's sensitivity and specificity as measured by now, in [0, 1].
    """

    kind: ClassVar = ActKind.REVIEWER
    run_id: str
    verdict: ReviewVerdict
    reviewer: str
    reliability: float


Act: TypeAlias = Verdict | Key | Pick | NoneRight | Merge | Checked | Reviewed
_TYPES: Mapping[ActKind, type[Act]] = {
    each.kind: each for each in (Verdict, Key, Pick, NoneRight, Merge, Checked, Reviewed)
}


def speaker(act: Act) -> str:
    """Return who said it: of what one speaker says about an answer, the newest counts."""
    match act:
        case Checked():
            return f"checker {act.checker}"
        case Reviewed():
            return f"reviewer {act.reviewer}"
        case _:
            return USER


def to_document(act: Act) -> dict[str, Any]:
    """Return the act as plain JSON values; its kind is kept beside it."""
    return asdict(act)


def from_document(kind: str, document: Mapping[str, Any]) -> Act:
    """Return the act that `to_document` wrote. Raises InvalidError when it is none."""
    parts = dict(document)
    try:
        if kind == ActKind.KEY:
            parts |= {"candidates": tuple(parts["candidates"]), "source": GradeSource(parts["source"])}
        if kind == ActKind.REVIEWER:
            parts["verdict"] = ReviewVerdict(parts["verdict"])
        return _TYPES[ActKind(kind)](**parts)
    except (KeyError, TypeError, ValueError) as error:
        raise InvalidError(f"This is no act of grading: {error}.") from None


@dataclass(frozen=True, slots=True)
class ActRecord:
    """An act as it is kept. at: later than that of every act before it. undone_at: None while it holds."""

    id: str
    query_id: str
    act: Act
    at: datetime
    undone_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Answered:
    """A question of the past, as it is compared and graded.

    decision: as it was made. merges: candidates that count as one by now.
    """

    query_id: str
    text: str
    shape: QuestionShape
    answers: tuple[Answer, ...]
    decision: Decision
    domains: Mapping[str, float] = field(default_factory=dict)
    merges: tuple[Merge, ...] = ()

    @property
    def shown(self) -> Answer | None:
        """The answer whose words were shown."""
        return next((a for a in self.answers if a.seat.name == self.decision.shown_seat), None)

    @property
    def joined(self) -> Decision:
        """The decision with its merged candidates as one."""
        return joined(self.decision, self.merges)

    def said(self) -> dict[str, str]:
        """Return for each run the candidate it supports, merged ones as one; who gave no answer is absent."""
        by_seat = {seat: c.id for c in self.joined.candidates for seat in c.supporters}
        return {a.run_id: by_seat[a.seat.name] for a in self.answers if a.votes and a.seat.name in by_seat}


def keyed(text: str, asked: Answered, same: Sameness = same_key, *, source: GradeSource = GradeSource.KEY) -> Key:
    """Return the act of giving the right answer in words.

    A candidate says the same when its finest statement does: "B" is right by the key "Paris" where another supporter
    said "B) Paris".
    """
    wanted = key(text)
    right = sorted(c.id for c in asked.decision.candidates if same(wanted, key(c.text)))
    return Key(text, tuple(right), source)


def representatives(merges: Iterable[Merge]) -> dict[str, str]:
    """Return for each merged candidate the id of all that it counts as one with; the order of merges never matters."""
    groups: list[set[str]] = []
    for merge in merges:
        one = {merge.first, merge.second}
        apart = [group for group in groups if not group & one]
        groups = [*apart, one.union(*(group for group in groups if group & one))]
    return {each: min(group) for group in groups for each in group}


def joined(decision: Decision, merges: Iterable[Merge]) -> Decision:
    """Return the decision with merged candidates as one: their supporters together, their chances added.

    The words are those of the one that was chosen, else of the first; so is the place in the order.
    """
    ids = representatives(merges)
    groups: dict[str, list[Candidate]] = {}
    for candidate in decision.candidates:
        groups.setdefault(ids.get(candidate.id, candidate.id), []).append(candidate)
    candidates = tuple(_one(each, group, decision.chosen) for each, group in groups.items())
    chosen = decision.chosen and ids.get(decision.chosen, decision.chosen)
    return replace(decision, candidates=candidates, chosen=chosen)


def _one(candidate_id: str, group: Sequence[Candidate], chosen: str | None) -> Candidate:
    if len(group) == 1:
        return replace(group[0], id=candidate_id)
    speaks = next((c for c in group if c.id == chosen), group[0])
    known = [c.p for c in group if c.p is not None]
    return Candidate(
        candidate_id,
        speaks.text,
        tuple(sorted(seat for c in group for seat in c.supporters)),
        max(c.score for c in group),
        # Rival candidates exclude one another, so their chances add up.
        min(1.0, sum(known)) if len(known) == len(group) else None,
    )
