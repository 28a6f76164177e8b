"""Rules of the repository that no linter knows."""

from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent.parent
PATCHES = ("mock." + "patch", "Magic" + "Mock", "monkeypatch." + "setattr")


@pytest.mark.parametrize("path", sorted(TESTS.rglob("*.py")), ids=lambda path: path.name)
def test_no_test_patches_anything(path):
    """A test reaches the code through its seams: nothing is replaced behind its back."""
    text = path.read_text(encoding="utf-8")
    assert not [word for word in PATCHES if word in text]
