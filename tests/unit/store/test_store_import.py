"""Importing the package."""

import subprocess
import sys

import pytest

import auritas.store

SLOW = ("sqlalchemy", "alembic", "sqlcipher3", "keyring", "cryptography")


def test_importing_is_cheap():
    """Importing the package loads none of the slow libraries (F19)."""
    program = f"import sys, auritas.store; print([m for m in {SLOW!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_opening_needs_no_alembic():
    """Opening a store that needs no migration does not load Alembic, which takes longer than the rest."""
    program = (
        "import os, sys, pathlib; from auritas.store import open_store; from auritas.store.keychain import NoKeychain;"
        "folder = pathlib.Path(os.environ['AURITAS_HOME']);"
        "open_store(folder, keychain=NoKeychain()).store.close(); print('alembic' in sys.modules)"
    )
    runs = [subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True) for _ in "ab"]
    assert [done.stdout.strip() for done in runs] == ["True", "False"]
    assert [done.stderr for done in runs] == ["", ""]


def test_the_public_names():
    """The names that others use are there, and no other."""
    assert auritas.store.SqlStore.__name__ == "SqlStore"
    assert auritas.store.Unit.__name__ == "Unit"
    assert callable(auritas.store.open_store)
    with pytest.raises(AttributeError):
        _ = auritas.store.nothing
