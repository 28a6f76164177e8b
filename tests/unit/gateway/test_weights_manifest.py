"""The manifest that ships with Auritas."""

import re

import pytest

from auritas.gateway.manifest import ModelKind, UnknownModelError, UnknownTierError, built_in_manifest

MANIFEST = built_in_manifest()


def test_small_is_a_part_of_standard():
    """Whoever fetches standard has everything of small, and standard holds the three models that answer."""
    small, standard = (set(MANIFEST.tier(tier)) for tier in ("small", "standard"))
    assert small < standard
    assert len([m for m in standard if m.kind is ModelKind.ANSWERS]) == 3
    assert MANIFEST.tier("none") == ()


def test_every_file_is_named_by_hash_and_size():
    """No file is fetched that could not be recognised, and every model names its licence."""
    for model in MANIFEST.models:
        assert model.licence
        for file in model.files:
            hashes = [file.sha256, *(wheel.sha256 for wheel in file.wheels)]
            assert all(re.fullmatch(r"[0-9a-f]{64}", digest) for digest in hashes)
            assert file.bytes > 0
            assert file.wheels


def test_a_misspelt_model_is_answered_with_the_nearest():
    """A wrong name is answered with the name that was probably meant."""
    with pytest.raises(UnknownModelError, match="minilm-l6-v2"):
        MANIFEST.select("minilm-l6")


def test_a_tier_that_does_not_exist_is_refused():
    """Only small, standard and none are tiers."""
    with pytest.raises(UnknownTierError, match="small, standard, none"):
        MANIFEST.tier("large")
