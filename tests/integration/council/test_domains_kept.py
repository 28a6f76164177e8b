"""The tree of domains is built once and kept; what is kept is never older than what the store holds."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import update

from auritas.app.domain_job import domains_over
from auritas.app.domains import Domains
from auritas.audit.adapters.sql import SqlAuditLog
from auritas.council.domains import changes
from auritas.kernel.clock import ManualClock
from auritas.kernel.ids import Ids
from auritas.kernel.randomness import SystemEntropy
from auritas.store import SqlStore
from auritas.store import schema as t
from auritas.store.keychain import NoKeychain
from auritas.store.opening import open_store


def domains_of(store: SqlStore, folder: Path, clock: ManualClock, ids: Ids) -> Domains:
    log = SqlAuditLog(clock, SystemEntropy(), ids)
    return domains_over(store, log, clock=clock, ids=ids, embedding=lambda: None, vectors=folder / "vectors")


def promote(domains: Domains, string: str, parent: str, *, fails: bool = False) -> None:
    with domains._store.unit() as unit:
        old = domains.records.tree(unit)
        new = changes.promote(old, string, parent)
        domains.records.change(unit, changes.ChangeKind.PROMOTE, string, changes.difference(old, new), by="system")
        assert string in domains.records.tree(unit)
        if fails:
            raise ZeroDivisionError


@pytest.fixture
def ours(tmp_path, clock, ids) -> Iterator[Domains]:
    with closing(open_store(tmp_path / "store", keychain=NoKeychain()).store) as store:
        yield domains_of(store, tmp_path, clock, ids)


@pytest.fixture
def theirs(ours, tmp_path, clock, ids) -> Iterator[Domains]:
    """What another process on the same store has: connections and a log of its own."""
    with closing(open_store(tmp_path / "store", keychain=NoKeychain()).store) as store:
        yield domains_of(store, tmp_path, clock, ids)


def test_a_tree_that_did_not_change_is_built_once(ours):
    """Two looks at the same rows give one tree (W4)."""
    assert ours.tree() is ours.tree()


def test_a_change_by_another_process_is_seen_at_once(ours, theirs):
    """After each change and each undo elsewhere, tree and classifier here are those of the store (W4)."""
    assert "alpaca" not in ours.tree().node("code").names
    theirs.alias("code", "alpaca")
    assert "alpaca" in ours.tree().node("code").names
    assert ours.read("alpaca")[0].shares["code"] > 0
    theirs.undo()
    assert "alpaca" not in ours.tree().node("code").names
    assert ours.read("alpaca")[0].shares == {"general": 1.0}


def test_what_an_undone_change_left_follows_the_history(ours, theirs):
    """Where a node of the past counts today follows the rows of the past, also when only these change (W4)."""
    promote(theirs, "alpaca", "code")
    assert ours.tree().today("alpaca") == "alpaca"
    theirs.undo()
    assert ours.tree().today("alpaca") == "code"
    with theirs._store.unit() as unit:  # as forgetting a conversation takes a field out of the history
        forgotten = {"before": '{"nodes": [], "candidates": []}', "after": '{"nodes": []}'}
        unit.connection.execute(update(t.domain_events).values(**forgotten))
    assert ours.tree().today("alpaca") == "general"


def test_a_change_that_was_rolled_back_is_not_kept(ours):
    """A tree that was read inside a unit of work that fails is not the tree of the next reader (W4)."""
    with pytest.raises(ZeroDivisionError):
        promote(ours, "alpaca", "code", fails=True)
    assert "alpaca" not in ours.tree()
    promote(ours, "llama", "code")
    assert "alpaca" not in ours.tree()
    assert "llama" in ours.tree()
