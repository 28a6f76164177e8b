"""The tree of domains as a page shows it: nodes, what may become one and what it lacks, and the newest changes."""

from dataclasses import dataclass
from datetime import datetime

from auritas.app.domain_job import Decided, Refreshed
from auritas.app.domains import Domains, NodeView
from auritas.council.domains.candidates import Candidate, Change
from auritas.council.domains.changes import ChangeKind
from auritas.council.domains.growth import EVIDENCE_NEEDED
from auritas.kernel.ports import Store
from auritas.store import Unit

CHANGES = 20
"""Of the tree that are shown."""


@dataclass(frozen=True, slots=True)
class DomainLine:
    """A node. questions: in which a member named it or something below it. path: from it up to its root."""

    id: str
    name: str
    parent: str | None
    depth: int
    aliases: tuple[str, ...]
    path: tuple[str, ...]
    children: tuple[str, ...]
    questions: int


@dataclass(frozen=True, slots=True)
class GateLine:
    """A field that may become a node, and what it still lacks.

    below: the node under which it would lie. evidence: log Bayes factor, of which more than `evidence_needed` is
    wanted; difference: of rates, of which more than `difference_needed` is wanted. missing: sentences, none when the
    next refresh makes it a node.
    """

    string: str
    below: str
    similarity: float | None
    questions: int
    models: tuple[str, ...]
    first_seen: datetime
    last_seen: datetime
    evidence: float
    evidence_needed: float
    difference: float
    difference_needed: float
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DomainChange:
    """A change of the tree that stands; the newest can be taken back."""

    seq: int
    kind: ChangeKind
    node: str
    at: datetime


@dataclass(frozen=True, slots=True)
class DomainsShown:
    """The whole tree, parents before their children. named: how often any field was named in a question."""

    nodes: tuple[DomainLine, ...]
    candidates: tuple[GateLine, ...]
    changes: tuple[DomainChange, ...]
    named: int


@dataclass(frozen=True, slots=True)
class DomainShown:
    """One node with the candidates below it."""

    node: DomainLine
    candidates: tuple[GateLine, ...]


@dataclass(frozen=True, slots=True)
class DomainsRefreshed:
    """What one run of the job did. promoted: new nodes; pruned: candidates forgotten; busy: another one is at it."""

    promoted: tuple[str, ...] = ()
    pruned: tuple[str, ...] = ()
    compared: int = 0
    busy: bool = False


@dataclass(frozen=True, slots=True)
class DomainPages:
    """Reads the tree for pages."""

    store: Store[Unit]
    domains: Domains

    def every(self) -> DomainsShown:
        """Return the whole tree."""
        view = self.domains.view()
        with self.store.read() as unit:
            changes = self.domains.records.changes(unit, CHANGES)
        return DomainsShown(tuple(map(_line, view.nodes)), self._gates(), tuple(map(change_of, changes)), view.named)

    def show(self, name: str) -> DomainShown:
        """Return one node. Raises UnknownDomainError, and CandidateDomainError for what is none yet."""
        view = self.domains.show(name)
        mine = {each.string for each in view.candidates}
        return DomainShown(_line(view), tuple(gate for gate in self._gates() if gate.string in mine))

    def _gates(self) -> tuple[GateLine, ...]:
        with self.store.read() as unit:
            known = {each.string: each for each in self.domains.records.candidates(unit)}
        return tuple(_gate(known[each.string], each) for each in self.domains.job.gates() if each.string in known)


def change_of(change: Change) -> DomainChange:
    """Return a change for a list."""
    return DomainChange(change.seq, change.kind, change.node, change.at)


def refreshed_of(found: Refreshed | None) -> DomainsRefreshed:
    """Return what a run did; None: another process is at it."""
    return (
        DomainsRefreshed(busy=True) if found is None else DomainsRefreshed(found.promoted, found.pruned, found.compared)
    )


def _line(view: NodeView) -> DomainLine:
    node = view.node
    return DomainLine(
        node.id, node.name, node.parent, node.depth, node.aliases, view.path, view.children, view.questions
    )


def _gate(candidate: Candidate, decided: Decided) -> GateLine:
    verdict = decided.verdict
    return GateLine(
        string=candidate.string,
        below=decided.parent,
        similarity=candidate.similarity,
        questions=candidate.questions,
        models=candidate.models,
        first_seen=candidate.first_seen,
        last_seen=candidate.last_seen,
        evidence=verdict.log_bayes_factor,
        evidence_needed=EVIDENCE_NEEDED,
        difference=verdict.difference,
        difference_needed=verdict.delta,
        missing=verdict.reasons,
    )
