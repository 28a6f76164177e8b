"""Strings that members named and that no node has yet, and what the graded runs say about them."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from auritas.council.domains.changes import ChangeKind, Difference
from auritas.council.domains.growth import CandidateEvidence, ModelEvidence
from auritas.council.domains.tree import GENERAL, DomainTree

FORGOTTEN_AFTER = timedelta(days=30)
"""A candidate that one question named, and no other since, is dropped."""
ABOUT = 0.5
"""Share of a question's domains from which its answers count in a field."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A field that may become a node. nearest: the node below which it would lie.

    similarity: to that node, in [0, 1]; None while meanings were not compared. questions: in which it was named;
    models: that named it.
    """

    string: str
    nearest: str
    similarity: float | None
    questions: int
    models: tuple[str, ...]
    first_seen: datetime
    last_seen: datetime

    def seen(self, models: Collection[str], at: datetime) -> "Candidate":
        """Return it as named in one more question."""
        named = tuple(sorted({*self.models, *models}))
        return replace(self, questions=self.questions + 1, models=named, last_seen=at)

    def forgotten(self, now: datetime) -> bool:
        """Whether it can go."""
        return self.questions <= 1 and now - self.last_seen > FORGOTTEN_AFTER


@dataclass(frozen=True, slots=True)
class Change:
    """A change of the tree as it was written. candidates: those that it used up."""

    seq: int
    kind: ChangeKind
    node: str
    at: datetime
    difference: Difference
    candidates: tuple[Candidate, ...] = ()


@dataclass(frozen=True, slots=True)
class Mention:
    """Graded runs that count alike: who answered, whether right, what they were filed under, what was asked about.

    about: the nodes from which most of the question comes; see `mostly_about`.
    """

    model: str
    right: bool
    strings: tuple[str, ...]
    about: tuple[str, ...]


def placed(tree: DomainTree, candidates: Iterable[Candidate]) -> Callable[[str], str]:
    """Return the function that says at which node a string counts now; nothing is compared by meaning for it."""
    under = {each.string: each.nearest for each in candidates}
    known: dict[str, str] = {}

    def place(string: str) -> str:
        if string not in known:
            found = tree.resolve(string)
            known[string] = tree.today(under.get(string, GENERAL)) if found.candidate else found.node
        return known[string]

    return place


def mostly_about(shares: Mapping[str, float], tree: DomainTree) -> tuple[str, ...]:
    """Return the nodes that have at least half of a question's shares, those above others included."""
    spread = tree.spread(tree.current(shares))
    return tuple(sorted(node for node, share in spread.items() if share >= ABOUT))


def fields_of(mention: Mention, tree: DomainTree, place: Callable[[str], str]) -> frozenset[str]:
    """Return the nodes in whose field an answer lies: of its own tags, and of what its question is mostly about."""
    named = (node for string in mention.strings for node in tree.path(place(string)))
    return frozenset((*named, *mention.about))


def evidence(
    candidate: Candidate,
    parent: str,
    mentions: Sequence[tuple[Mention, int, frozenset[str]]],
    tree: DomainTree,
    *,
    covered_by: str | None,
    taken_back: bool,
) -> CandidateEvidence:
    """Return what is known about a candidate: each model's record in it, and elsewhere in the field of its parent.

    mentions: graded runs, how many of them, and their `fields_of`.
    """
    own: dict[str, Counter[bool]] = {}
    others: dict[str, Counter[bool]] = {}
    for mention, runs, fields in mentions:
        if candidate.string in mention.strings:
            own.setdefault(mention.model, Counter())[mention.right] += runs
        elif parent in fields:
            others.setdefault(mention.model, Counter())[mention.right] += runs
    return CandidateEvidence(
        string=candidate.string,
        questions=candidate.questions,
        mentioned_by=len(candidate.models),
        parent_depth=tree.nodes[parent].depth,
        models=tuple(
            ModelEvidence(model, tally[True], tally.total(), *_counted(others.get(model, Counter())))
            for model, tally in sorted(own.items())
        ),
        covered_by=covered_by,
        taken_back=taken_back,
    )


def _counted(tally: Counter[bool]) -> tuple[int, int]:
    return tally[True], tally.total()
