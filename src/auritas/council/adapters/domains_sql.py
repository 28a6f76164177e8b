"""The tree of domains in the store: nodes, candidates, mentions, changes and what the graded runs say."""

import json
import struct
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from sqlalchemy import bindparam, delete, func, insert, select, update
from sqlalchemy.dialects.sqlite import insert as upsert

from auritas.council.adapters.replacing import replacing
from auritas.council.domains.candidates import Candidate, Change, Mention, mostly_about
from auritas.council.domains.changes import ChangeKind, Difference, lost
from auritas.council.domains.naming import normalise
from auritas.council.domains.roots import built_in_roots
from auritas.council.domains.tree import DomainNode, DomainTree, Meaning
from auritas.kernel.answers import Answer
from auritas.kernel.clock import Clock, from_timestamp, timestamp
from auritas.kernel.log import Kind, Log, LogEvent
from auritas.store import Unit
from auritas.store import schema as t

_Rows = tuple[tuple[Any, ...], ...]
_TREES_KEPT = 2
"""The tree as it is, and as an open unit of work has just changed it."""

_C, _N, _E = t.domain_candidates.c, t.domain_nodes.c, t.domain_events.c
_NODES = select(_N.node_id, _N.parent_id, _N.depth, _N.aliases)
_NODE_IDS = select(_N.node_id)
_UNDONE = (
    select(_E.before, _E.after)
    .where(_E.undone_at.is_not(None), _E.event.in_((ChangeKind.PROMOTE, ChangeKind.RENAME)))
    .order_by(_E.undone_at, _E.seq.desc())
)
_CANDIDATES = select(t.domain_candidates).order_by(_C.query_count.desc(), _C.string)
_CANDIDATES_OF = _CANDIDATES.where(_C.string.in_(bindparam("strings", expanding=True)))
_PUT_CANDIDATE = replacing(t.domain_candidates, "string")
_PUT_VECTOR = replacing(t.question_vectors, "query_id")
_MENTION = upsert(t.domain_mentions).on_conflict_do_nothing()


@dataclass(frozen=True, slots=True)
class DomainRecords:
    """Reads and writes inside the unit of work it is given. Reading seeds nothing: an empty store has the ten roots."""

    log: Log[Unit]
    clock: Clock

    def tree(self, unit: Unit) -> DomainTree:
        """Return the tree: the roots as they ship where no row overrules them, and what has grown."""
        nodes, undone = (tuple(map(tuple, unit.connection.execute(each).all())) for each in (_NODES, _UNDONE))
        return _tree(nodes, undone)

    def seed(self, unit: Unit) -> None:
        """Write the roots, if they are not there."""
        known = set(unit.connection.execute(_NODE_IDS).scalars())
        self._put(unit, [node for node in built_in_roots().tree.nodes.values() if node.id not in known])

    def note(self, unit: Unit, answers: Sequence[Answer], meaning: Meaning) -> None:
        """Count what the members of one question named: each question once, each model once. Their runs are written.

        Nothing is embedded here, because the writing lock is held; the job compares new candidates by meaning later.
        """
        said = [
            (tag, answer) for answer in answers if answer.votes for tag in dict.fromkeys(map(normalise, answer.domains))
        ]
        said = [(tag, answer) for tag, answer in said if tag]
        if not said:
            return
        self.seed(unit)
        rows = [{"string": tag, "run_id": answer.run_id} for tag, answer in said]
        unit.connection.execute(_MENTION, rows)
        tree, models = self.tree(unit), dict[str, set[str]]()
        for tag, answer in said:
            models.setdefault(tag, set()).add(answer.seat.model)
        known = {each.string: each for each in self.candidates(unit, models)}
        for tag in sorted(models):
            found = tree.resolve(tag, meaning)
            if found.candidate:
                fresh = Candidate(tag, found.node, found.similarity or None, 0, (), self.clock.now(), self.clock.now())
                self.put_candidates(unit, [known.get(tag, fresh).seen(models[tag], self.clock.now())])

    def candidates(self, unit: Unit, strings: Iterable[str] | None = None) -> tuple[Candidate, ...]:
        """Return all candidates, or those of the given strings, most named first."""
        if strings is None:
            rows = unit.connection.execute(_CANDIDATES)
        else:
            rows = unit.connection.execute(_CANDIDATES_OF, {"strings": list(strings)})
        return tuple(_candidate(row) for row in rows)

    def put_candidates(self, unit: Unit, candidates: Iterable[Candidate]) -> None:
        """Write candidates, each in place of the one it replaces."""
        rows = [_row(candidate) for candidate in candidates]
        if rows:
            unit.connection.execute(_PUT_CANDIDATE, rows)

    def drop_candidates(self, unit: Unit, strings: Iterable[str]) -> None:
        """Forget candidates, however many."""
        gone = [{"gone": string} for string in strings]
        if gone:
            unit.connection.execute(
                delete(t.domain_candidates).where(t.domain_candidates.c.string == bindparam("gone")), gone
            )

    def change(
        self, unit: Unit, kind: ChangeKind, node: str, change: Difference, *, by: str, gone: Sequence[Candidate] = ()
    ) -> Change:
        """Write a change of the tree, the candidates that it used up, what takes it back, and its audit entry."""
        self._move(unit, change)
        self.drop_candidates(unit, [candidate.string for candidate in gone])
        now = self.clock.now()
        before = {"nodes": [_node_row(n) for n in change.before], "candidates": [_row(c) for c in gone]}
        after = {"nodes": [_node_row(n) for n in change.after]}
        values = {
            "event": kind,
            "node_id": node,
            "before": json.dumps(before),
            "after": json.dumps(after),
            "created_at": timestamp(now),
        }
        written = unit.connection.execute(insert(t.domain_events).values(values).returning(t.domain_events.c.seq))
        seq = written.scalar_one()
        self._audit(unit, by, seq, kind, {"node": node, "before": before, "after": after}, undone=False)
        return Change(seq, kind, node, now, change, tuple(gone))

    def changes(self, unit: Unit, limit: int) -> tuple[Change, ...]:
        """Return the newest changes that still hold, newest first; what was pruned is no change of the tree."""
        c = t.domain_events.c
        query = select(t.domain_events).where(c.undone_at.is_(None), c.event != ChangeKind.PRUNE)
        return tuple(_change(row) for row in unit.connection.execute(query.order_by(c.seq.desc()).limit(limit)))

    def undo(self, unit: Unit, change: Change, *, by: str) -> None:
        """Write the way back of a change, and its audit entry."""
        self._move(unit, change.difference.back)
        self.put_candidates(unit, change.candidates)
        mine = t.domain_events.c.seq == change.seq
        unit.connection.execute(update(t.domain_events).where(mine).values(undone_at=timestamp(self.clock.now())))
        self._audit(unit, by, change.seq, change.kind, {"node": change.node}, undone=True)

    def taken_back(self, unit: Unit) -> frozenset[str]:
        """Return the candidates whose promotion was undone."""
        c = t.domain_events.c
        query = select(c.before).where(c.event == ChangeKind.PROMOTE, c.undone_at.is_not(None))
        stored = map(json.loads, unit.connection.execute(query).scalars())
        return frozenset(row["string"] for before in stored for row in before["candidates"])

    def mentions(self, unit: Unit, tree: DomainTree) -> Mapping[Mention, int]:
        """Return what the graded runs were filed under, and how many of each kind there are."""
        right = graded_runs(unit)
        strings: dict[str, list[str]] = {}
        named = select(t.domain_mentions).order_by(t.domain_mentions.c.string)
        for string, run_id in unit.connection.execute(named):
            strings.setdefault(run_id, []).append(string)
        runs = select(t.model_runs.c.run_id, t.model_runs.c.specialist, t.model_runs.c.model, t.queries.c.domains)
        runs = runs.join(t.queries, t.queries.c.query_id == t.model_runs.c.query_id)
        about: dict[str, tuple[str, ...]] = {}
        found: Counter[Mention] = Counter()
        for run_id, seat, model, domains in unit.connection.execute(runs):
            if run_id in right:
                if domains not in about:
                    about[domains] = mostly_about(json.loads(domains), tree)
                filed = tuple(strings.get(run_id, ()))
                found[Mention(model or seat, right[run_id], filed, about[domains])] += 1
        return found

    def keep_vector(self, unit: Unit, query_id: str, vector: Sequence[float], embedder: str) -> None:
        """Keep the vector of a question, in place of an older one: little-endian float32."""
        raw, now = struct.pack(f"<{len(vector)}f", *vector), timestamp(self.clock.now())
        row = {"query_id": query_id, "embedder": embedder, "vector": raw, "created_at": now}
        unit.connection.execute(_PUT_VECTOR, row)

    def counts(self, unit: Unit) -> Mapping[str, int]:
        """Return in how many questions each string was named."""
        joined = t.domain_mentions.join(t.model_runs, t.model_runs.c.run_id == t.domain_mentions.c.run_id)
        questions = func.count(t.model_runs.c.query_id.distinct()).label("questions")
        query = select(t.domain_mentions.c.string, questions).select_from(joined).group_by(t.domain_mentions.c.string)
        return {row.string: row.questions for row in unit.connection.execute(query)}

    def _move(self, unit: Unit, change: Difference) -> None:
        self.seed(unit)
        unit.connection.exec_driver_sql("PRAGMA defer_foreign_keys=ON")  # a renamed parent goes before its children
        self._put(unit, change.after)
        gone = {node.id for node in change.before} - {node.id for node in change.after}
        unit.connection.execute(delete(t.domain_nodes).where(t.domain_nodes.c.node_id.in_(gone)))

    def _put(self, unit: Unit, nodes: Iterable[DomainNode]) -> None:
        for node in nodes:
            row = _node_row(node)
            statement = upsert(t.domain_nodes).values(row | {"created_at": timestamp(self.clock.now())})
            unit.connection.execute(statement.on_conflict_do_update(index_elements=["node_id"], set_=row))

    def _audit(self, unit: Unit, by: str, seq: int, kind: ChangeKind, body: Mapping[str, Any], *, undone: bool) -> None:
        refs = {"domain_event": seq, "event": kind.value, "undone": undone}
        self.log.append(unit, [LogEvent(Kind.DOMAIN, by, refs, json.dumps(body, ensure_ascii=False, sort_keys=True))])


SURE_ENOUGH = 0.75
"""Reliability from which a grade says whether a run was right; what is less sure hides the differences looked for."""


def graded_runs(unit: Unit) -> Mapping[str, bool]:
    """Return whether each graded run was right: the most reliable grade that holds decides, then the newest."""
    grades, acts = t.grades.c, t.grading_acts.c
    held = (
        select(grades.run_id, grades.correct)
        .select_from(t.grades.outerjoin(t.grading_acts, acts.id == grades.act_id))
        .where(grades.undone_by.is_(None), acts.undone_at.is_(None))
        .where(grades.correct.is_not(None), grades.reliability >= SURE_ENOUGH)
        .order_by(grades.reliability, grades.at, grades.id)
    )
    return {run_id: bool(correct) for run_id, correct in unit.connection.execute(held)}


@lru_cache(maxsize=_TREES_KEPT)
def _tree(nodes: _Rows, undone: _Rows) -> DomainTree:
    """Return the tree that rows say. They are the whole key, so that no change by whomever can make it stale."""
    stored = [DomainNode(node, parent, depth, tuple(json.loads(aliases))) for node, parent, depth, aliases in nodes]
    every = dict(built_in_roots().tree.nodes) | {node.id: node for node in stored}
    return DomainTree(every.values(), _former(undone))


def _former(undone: _Rows) -> dict[str, str]:
    """Return where nodes that were taken back have left what was filed under them; the newest word counts."""
    found: dict[str, str] = {}
    for before, after in undone:
        found |= lost(_difference(json.loads(before), json.loads(after)))
    return found


def _candidate(row: Any) -> Candidate:
    first, last = from_timestamp(row.first_seen), from_timestamp(row.last_seen)
    return Candidate(
        row.string, row.nearest, row.similarity, row.query_count, tuple(json.loads(row.models)), first, last
    )


def _row(candidate: Candidate) -> dict[str, Any]:
    return {
        "string": candidate.string,
        "nearest": candidate.nearest,
        "similarity": candidate.similarity,
        "query_count": candidate.questions,
        "models": json.dumps(candidate.models),
        "first_seen": timestamp(candidate.first_seen),
        "last_seen": timestamp(candidate.last_seen),
    }


def _node_row(node: DomainNode) -> dict[str, Any]:
    aliases = json.dumps(node.aliases, ensure_ascii=False)
    return {"node_id": node.id, "parent_id": node.parent, "depth": node.depth, "aliases": aliases}


def _node(row: Mapping[str, Any]) -> DomainNode:
    return DomainNode(row["node_id"], row["parent_id"], row["depth"], tuple(json.loads(row["aliases"])))


def _change(row: Any) -> Change:
    before, after = json.loads(row.before), json.loads(row.after)
    nodes = _difference(before, after)
    candidates = tuple(_stored_candidate(each) for each in before["candidates"])
    return Change(row.seq, ChangeKind(row.event), row.node_id, from_timestamp(row.created_at), nodes, candidates)


def _difference(before: Mapping[str, Any], after: Mapping[str, Any]) -> Difference:
    return Difference(tuple(map(_node, before["nodes"])), tuple(map(_node, after["nodes"])))


def _stored_candidate(row: Mapping[str, Any]) -> Candidate:
    first = from_timestamp(row["first_seen"])
    models = tuple(json.loads(row["models"]))
    last = from_timestamp(row["last_seen"])
    return Candidate(row["string"], row["nearest"], row["similarity"], row["query_count"], models, first, last)
