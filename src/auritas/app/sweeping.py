"""What follows a deletion: no page of an index and no write-ahead log keeps a word of what is gone."""

from auritas.search.adapters.index_sql import SqlWordIndex
from auritas.store import SqlStore
from auritas.store.errors import StoreBusyError


def swept(store: SqlStore) -> bool:
    """Rewrite the pages of the indexes, if a message or a conversation was deleted, and empty the write-ahead log.

    Returns False while a reader still needs the log: then it is emptied when that ends.
    """
    index = SqlWordIndex()
    with store.unit() as unit:
        if index.tidy_due(unit):
            index.tidy(unit)
    try:
        store.empty_wal()
    except StoreBusyError:
        return False
    return True


def backups_of(store: SqlStore) -> int:
    """Return how many backups lie beside the store: what is deleted stays in them until they are replaced."""
    folder = store.home.backups
    return sum(1 for path in folder.iterdir() if path.is_file()) if folder.is_dir() else 0
