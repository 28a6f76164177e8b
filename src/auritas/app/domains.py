"""Use cases of the tree of domains: see it, change it, take a change back, and tell what a question is about."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from auritas.council.adapters.domains_sql import DomainRecords
from auritas.council.domains import changes
from auritas.council.domains.candidates import Candidate, Change, placed
from auritas.council.domains.changes import ChangeKind, difference
from auritas.council.domains.naming import normalise
from auritas.council.domains.roots import built_in_roots
from auritas.council.domains.tags import tag_shares
from auritas.council.domains.tree import DomainNode, DomainTree
from auritas.kernel.answers import Answer
from auritas.kernel.errors import NotFoundError
from auritas.kernel.ports import EmbeddingPort, Store
from auritas.kernel.text import counted
from auritas.store import Unit

if TYPE_CHECKING:
    from auritas.app.domain_job import DomainJob
    from auritas.council.domains.classifier import DomainClassifier, Examples, PastQuestions, Reading
    from auritas.council.domains.meaning import EmbeddedMeaning, KnownFields, Vectors

USER = "user"
_CLASSIFIERS_KEPT = 2


class NothingToUndoError(NotFoundError):
    """No change of the tree stands."""

    code = "nothing_to_undo"

    def __init__(self) -> None:
        super().__init__("The tree of domains has not been changed.", remedy="See it with: auritas domains")


class CandidateDomainError(NotFoundError):
    """What was named may become a domain, and is none yet."""

    code = "domain_candidate"

    def __init__(self, name: str, below: str, questions: int) -> None:
        named = counted(questions, "question")
        super().__init__(
            f"{name} is a candidate so far, below {below}: members named it in {named}.",
            remedy=f"Grades make it a domain, where members do otherwise in it. See: auritas domains show {below}",
        )


@dataclass(frozen=True, slots=True)
class NodeView:
    """A node with what was counted below it. questions: in which a member named it or something under it."""

    node: DomainNode
    questions: int
    candidates: tuple[Candidate, ...]
    children: tuple[str, ...]
    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DomainsView:
    """The whole tree, parents before their children. named: how often any field was named in a question."""

    nodes: tuple[NodeView, ...]
    named: int


class Domains:
    """Everything about domains over one open store.

    embedding: returns the embedder, or None while it is not installed; it is called at most once. vectors: folder for
    the vectors of our own texts. job: makes the job that lets the tree grow.
    """

    def __init__(
        self,
        store: Store[Unit],
        records: DomainRecords,
        *,
        embedding: Callable[[], EmbeddingPort | None],
        vectors: Path,
        job: "Callable[[Domains], DomainJob]",
    ) -> None:
        self._store = store
        self.records = records
        self._embedding = embedding
        self._vectors = vectors
        self._job = job

    @cached_property
    def job(self) -> "DomainJob":
        """The job that promotes, compares and forgets candidates."""
        return self._job(self)

    @cached_property
    def embedder(self) -> EmbeddingPort | None:
        """The embedder, loaded at its first use, or None."""
        return self._embedding()

    @cached_property
    def known_fields(self) -> "KnownFields":
        """What is known of tags without an embedder."""
        from auritas.council.domains.meaning import KnownFields

        return KnownFields(built_in_roots().near)

    # --- looking -------------------------------------------------------------------------------------------------

    def tree(self) -> DomainTree:
        """Return the tree as it stands; nothing is written."""
        with self._store.read() as unit:
            return self.records.tree(unit)

    def view(self) -> DomainsView:
        """Return every node with its counts and candidates."""
        with self._store.read() as unit:
            tree, found = self.records.tree(unit), self.records.candidates(unit)
            counts = self.records.counts(unit)
        place = placed(tree, found)
        at = {string: tree.path(place(string)) for string in counts}
        nodes = tuple(
            NodeView(
                tree.nodes[node],
                sum(count for string, count in counts.items() if node in at[string]),
                tuple(each for each in found if tree.today(each.nearest) == node),
                tree.children(node),
                tree.path(node),
            )
            for root in tree.roots
            for node in _down(tree, root)
        )
        return DomainsView(nodes, sum(counts.values()))

    def show(self, name: str) -> NodeView:
        """Return one node. Raises UnknownDomainError, and CandidateDomainError for what is none yet."""
        with self._store.read() as unit:
            tree = self.records.tree(unit)
            self._require_grown(unit, tree, name)
        node = tree.node(name)
        return next(each for each in self.view().nodes if each.node.id == node.id)

    def known(self, field: str) -> str:
        """Return the node that a person's word for a field names. Raises as `show` does."""
        return self.show(field).node.id

    def field_of(self, words: str) -> str | None:
        """Return the node that words name, or None where none is called so."""
        return self.tree().owner(words)

    # --- changing ------------------------------------------------------------------------------------------------

    def merge(self, source: str, target: str) -> Change:
        """Let `target` take over the names and children of `source`. Raises as `changes.merge` does."""
        return self._change(ChangeKind.MERGE, source, lambda tree: changes.merge(tree, source, target), target)

    def demote(self, node: str) -> Change:
        """Dissolve a node in its parent. Raises as `changes.demote` does."""
        return self._change(ChangeKind.DEMOTE, node, lambda tree: changes.demote(tree, node))

    def rename(self, node: str, name: str) -> Change:
        """Give a node another name. Raises as `changes.rename` does."""
        return self._change(ChangeKind.RENAME, node, lambda tree: changes.rename(tree, node, name))

    def alias(self, node: str, word: str) -> Change:
        """Give a node one more name. Raises as `changes.add_alias` does."""
        return self._change(ChangeKind.ALIAS, node, lambda tree: changes.add_alias(tree, node, word))

    def undo(self) -> Change:
        """Take the newest change of the tree back, whoever made it. Raises NothingToUndoError."""
        with self._store.unit() as unit:
            newest = self.records.changes(unit, 1)
            if not newest:
                raise NothingToUndoError
            changes.applied(self.records.tree(unit), newest[0].difference.back)  # raises unless it fits
            self.records.undo(unit, newest[0], by=USER)
        return newest[0]

    def _change(self, kind: ChangeKind, node: str, work: Callable[[DomainTree], DomainTree], *others: str) -> Change:
        with self._store.unit() as unit:
            old = self.records.tree(unit)
            self._require_grown(unit, old, node, *others)
            new = work(old)
            used = tuple(each for each in self.records.candidates(unit) if new.owner(each.string) is not None)
            step = difference(old, new)
            return self.records.change(unit, kind, old.node(node).id, step, by=USER, gone=used)

    def _require_grown(self, unit: Unit, tree: DomainTree, *names: str) -> None:
        waiting = {each.string: each for each in self.records.candidates(unit)}
        for name in names:
            candidate = waiting.get(normalise(name))
            if candidate is not None and name not in tree and tree.owner(name) is None:
                raise CandidateDomainError(candidate.string, tree.today(candidate.nearest), candidate.questions)

    # --- asking --------------------------------------------------------------------------------------------------

    def note_mentions(self, unit: Unit, answers: Sequence[Answer]) -> None:
        """Count what the members of one question named, in the unit of work that has written their runs."""
        self.records.note(unit, answers, self.known_fields)

    def warm(self) -> None:
        """Compute the vectors of our own texts and keep them beside the models, so that no first question waits."""
        self.classifier()

    def classifier(self) -> "DomainClassifier":
        """Return the classifier as of now: a snapshot that nothing changes afterwards."""
        with self._store.read() as unit:
            return self._classifier(unit, self.records.tree(unit))

    def read(self, question: str) -> "tuple[Reading, dict[str, float]]":
        """Return how a question reads, and the share of each node on the paths to the roots, by one tree."""
        with self._store.read() as unit:
            tree = self.records.tree(unit)
            classifier = self._classifier(unit, tree)
        reading = classifier.read(question)
        return reading, tree.spread(reading.shares)

    def _classifier(self, unit: Unit, tree: DomainTree) -> "DomainClassifier":
        from auritas.council.domains.classifier import ExemplarClassifier
        from auritas.council.domains.foreign import EnglishClassifier

        roots, embedder = built_in_roots(), self.embedder
        if embedder is None:
            return _by_keywords(tree)
        own = self._own_examples(embedder)
        grown = self._grown_examples(unit, tree, embedder, own)
        past = self._past(unit, tree, embedder)
        classifier = ExemplarClassifier(embedder, grown, past, centre=own.vectors.mean(0))
        return EnglishClassifier(classifier, _named(tree, roots.near))

    def keep_vector(self, unit: Unit, query_id: str, reading: "Reading") -> None:
        """Keep the vector of a question, where there is one; its row of `queries` is written."""
        if reading.vector is not None:
            self.records.keep_vector(unit, query_id, reading.vector, reading.embedder)

    def meaning(self, tree: DomainTree) -> "EmbeddedMeaning | None":
        """Return what tags mean on this tree, or None without an embedder."""
        if self.embedder is None:
            return None
        import numpy as np

        from auritas.council.adapters.exemplars import OwnVectors, embedded
        from auritas.council.domains.meaning import EmbeddedMeaning, words

        roots = built_in_roots()
        own = [word for word, _ in words(roots.tree, roots.near)]
        rows = dict(zip(own, OwnVectors(self._vectors, self.embedder).of(own), strict=True))
        listed = [word for word, _ in words(tree, roots.near)]
        new = [word for word in listed if word not in rows]
        rows |= dict(zip(new, embedded(self.embedder, new), strict=True))
        return EmbeddedMeaning(tree, roots.near, np.stack([rows[word] for word in listed]), self.embedder)

    def _own_examples(self, embedder: EmbeddingPort) -> "Examples":
        from auritas.council.adapters.exemplars import OwnVectors
        from auritas.council.domains.classifier import Examples

        pairs = [(root, text) for root, texts in built_in_roots().exemplars.items() for text in texts]
        vectors = OwnVectors(self._vectors, embedder).of([text for _, text in pairs])
        return Examples(tuple(root for root, _ in pairs), vectors)

    def _grown_examples(self, unit: Unit, tree: DomainTree, embedder: EmbeddingPort, own: "Examples") -> "Examples":
        """Add to our own exemplars the questions that members filed under each grown node."""
        import numpy as np

        from auritas.council.adapters.exemplars import questions_naming, vectors_of
        from auritas.council.domains.classifier import Examples

        nodes, rows = list(own.nodes), [own.vectors]
        for node in tree.nodes.values():
            if node.parent is not None:
                found = vectors_of(unit, questions_naming(unit, node.names), embedder)
                nodes += [node.id] * len(found)
                rows += [vector[np.newaxis] for vector in found.values()]
        return Examples(tuple(nodes), np.concatenate(rows))

    def _past(self, unit: Unit, tree: DomainTree, embedder: EmbeddingPort) -> "PastQuestions | None":
        import numpy as np

        from auritas.council.adapters.exemplars import right_tags, vectors_of
        from auritas.council.domains.classifier import PastQuestions

        said = right_tags(unit)
        rows: dict[str, Vectors] = vectors_of(unit, said, embedder)
        if not rows:
            return None
        place = placed(tree, self.records.candidates(unit))
        shares = [tag_shares(tree, [[place(tag) for tag in tags] for tags in said[query].values()]) for query in rows]
        return PastQuestions(np.stack(list(rows.values())), tuple(shares))


@lru_cache(maxsize=_CLASSIFIERS_KEPT)
def _by_keywords(tree: DomainTree) -> "DomainClassifier":
    """Return the classifier without an embedder: it follows from the names of the tree, which are the whole key."""
    from auritas.council.domains.classifier import KeywordClassifier
    from auritas.council.domains.foreign import EnglishClassifier

    roots = built_in_roots()
    near = {node: [field for field, at in roots.near.items() if at == node] for node in tree.nodes}
    words = {node.id: [*node.names, *near[node.id]] for node in tree.nodes.values()}
    return EnglishClassifier(KeywordClassifier(words, roots.exemplars), _named(tree, roots.near))


def _named(tree: DomainTree, near: Mapping[str, str]) -> dict[str, str]:
    return {**near, **{name: node.id for node in tree.nodes.values() for name in node.names}}


def _down(tree: DomainTree, node: str) -> list[str]:
    return [node, *(below for child in tree.children(node) for below in _down(tree, child))]
