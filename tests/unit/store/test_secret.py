"""Secrets stay out of sight."""

import pickle

import pytest

from auritas.store.secret import Secret


def test_a_secret_shows_only_its_length():
    """Neither repr, str nor format shows the bytes; reveal does."""
    secret = Secret(b"very secret")
    assert f"{secret} {secret!r}" == "Secret(11 bytes) Secret(11 bytes)"
    assert secret.reveal() == b"very secret"


def test_secrets_compare_by_value():
    """Equal bytes are equal secrets; anything else is not."""
    assert Secret(b"a") == Secret(b"a")
    assert Secret(b"a") != Secret(b"b")
    assert Secret(b"a") != b"a"
    assert len({Secret(b"a"), Secret(b"a")}) == 1


def test_a_secret_is_not_pickled():
    """A secret refuses to travel to another process by pickle."""
    with pytest.raises(TypeError, match="not pickled"):
        pickle.dumps(Secret(b"a"))
