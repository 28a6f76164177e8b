"""Everything that is kept: one encrypted SQLite file, its schema, its keys and its backups.

Importing this package is cheap; the drivers are loaded when a name is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from auritas.store.database import SqlStore as SqlStore
    from auritas.store.opening import open_store as open_store
    from auritas.store.unit import Unit as Unit

__all__ = ["SqlStore", "Unit", "open_store"]

_HOMES = {
    "SqlStore": "auritas.store.database",
    "Unit": "auritas.store.unit",
    "open_store": "auritas.store.opening",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
