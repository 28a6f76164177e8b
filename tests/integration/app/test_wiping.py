"""The wipe of a home: everybody in it, and everything that a server, a page and a window left there."""

from pathlib import Path

import pytest
from tests.integration.app.hall import Hall

from auritas.app.compose import Auritas
from auritas.app.folders import DESKTOP, PEOPLE, UPLOADS
from auritas.app.household import Household
from auritas.app.install_token import install_token
from auritas.app.keeping import wipe
from auritas.app.presence import held, here
from auritas.app.settings import Settings, load
from auritas.kernel.clock import SystemClock
from auritas.store.home import create_private
from auritas.store.keychain import MemoryKeychain
from auritas.store.keys import PassphraseNeededError
from auritas.store.opening import open_store


@pytest.fixture
def home(tmp_path) -> Path:
    """A home in which a server, two people, a page and a window have left something."""
    home: Path = tmp_path / "home"
    for folder in (home, home / PEOPLE / "anna", home / PEOPLE / "bert"):
        folder.mkdir(parents=True)
        open_store(folder, "their own passphrase").store.close()
        (folder / UPLOADS).mkdir()
        create_private(folder / UPLOADS / "left")
    install_token(home).read_or_make()
    profile = home / DESKTOP / "profile"
    profile.mkdir(parents=True)
    create_private(profile / "choices")
    (home / "server.json").write_text("{}")
    (home / "server.lock").touch()
    return home


def test_everybody_and_everything_is_gone(home, tmp_path):
    """After the wipe no file is left of anybody, of the server, of what a page sent, and of the window (F13)."""
    outside = tmp_path / "outside"
    outside.write_text("not ours")
    (home / DESKTOP / "link").symlink_to(outside)
    wiped = wipe(load(home=home), MemoryKeychain())
    assert not home.exists()
    assert not wiped.left
    names = {path.name for path in wiped.removed}
    assert {"auritas.db", "key.json", "server.token", "server.json", "left", "choices"} <= names
    assert outside.read_text() == "not ours"
    assert wipe(load(home=home), MemoryKeychain()).removed == (), "a second wipe finds nothing"


def test_what_is_not_ours_and_the_public_models_stay(home):
    """Models and a person's own files outlive the wipe, and so does the folder that holds them (F13)."""
    (home / "models").mkdir()
    (home / "models" / "public.gguf").write_bytes(b"weights")
    (home / "diary.txt").write_text("mine")
    wipe(load(home=home), MemoryKeychain())
    assert sorted(path.name for path in home.rglob("*") if path.is_file()) == ["diary.txt", "public.gguf"]


def test_a_server_that_runs_keeps_its_lock(home):
    """While a server runs, its lock stays, so that no second one serves the same home beside it."""
    clock = SystemClock()
    with held(home, clock) as post:
        post.announce(here("http://127.0.0.1:7117", clock))
        wipe(load(home=home), MemoryKeychain())
        assert [path.name for path in home.rglob("*") if path.is_file()] == ["server.lock"]


def test_what_a_dead_server_left_of_uploads_is_swept_at_the_start(tmp_path, ids, rng):
    """A file that was being sent when the process died is gone, in every person's home, though the store is locked."""
    hall = Hall(tmp_path / "hall", SystemClock(), ids, rng)
    try:
        home = hall.auritas.settings.home
        folders = [home / UPLOADS, home / PEOPLE / "anna" / UPLOADS]
        for folder in folders:
            folder.mkdir(parents=True)
            create_private(folder / "half an export")

        def locked(_settings: Settings, _passphrase: str | None) -> Auritas:
            raise PassphraseNeededError("It is guarded.")

        assert not Household(hall.auritas.settings, opener=locked).open()
        assert [list(folder.iterdir()) for folder in folders] == [[], []]
    finally:
        hall.close()
