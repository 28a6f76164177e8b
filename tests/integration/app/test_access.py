"""Tokens, sessions and persons over a real encrypted store."""

import os
import stat
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select
from tests.integration.app.hall import Hall

from auritas.app.access import LOCAL, Access, NotAdmittedError, NoTokenError, Scope, TokenKind
from auritas.app.household import Household
from auritas.app.install_token import FILE, InstallToken
from auritas.kernel.errors import InvalidError
from auritas.kernel.log import Kind
from auritas.kernel.randomness import SystemEntropy
from auritas.store.errors import StoreClosedError
from auritas.store.keychain import NoKeychain
from auritas.store.opening import open_store
from auritas.store.schema import audit_log, secrets, tokens


@pytest.fixture
def hall(tmp_path: Path, clock, ids, rng) -> Iterator[Hall]:
    found = Hall(tmp_path / "hall", clock, ids, rng)
    yield found
    found.close()


def entries(hall: Hall, kind: Kind) -> list[str]:
    hall.auritas.store.submit(lambda _: None).result()
    return [row.refs for row in hall.rows(audit_log, audit_log.c.event_type == kind)]


def test_a_token_is_shown_once(hall: Hall):
    """A token has 256 bits; only its hash is in the file, and its making is in the log (W1)."""
    access = hall.auritas.access
    made = access.create("editor", {Scope.QUERY, Scope.STREAM})
    assert made.secret.startswith("aur_")
    assert len(made.secret) == 4 + 43
    assert made.secret not in repr(made)
    (row,) = hall.rows(tokens)
    assert made.secret not in str(row)
    caller = access.check(made.secret)
    assert caller is not None
    assert (caller.id, caller.owner, caller.session) == (made.info.id, LOCAL, False)
    assert caller.scopes == {Scope.QUERY, Scope.STREAM}
    assert made.info.id in entries(hall, Kind.TOKEN)[0]
    assert hall.intact


@pytest.mark.parametrize(
    "secret", ["", "aur_", "aur_" + "x" * 43, "aus_" + "x" * 43, "\udcff", "aur_" + "x" * 42 + "\0", "é" * 47]
)
def test_what_was_never_made_is_nobody(hall: Hall, secret: str):
    """Whatever is shown that we did not make is nobody's, and breaks nothing (W1)."""
    hall.auritas.access.create("editor", {Scope.QUERY})
    assert hall.auritas.access.check(secret) is None


def test_a_revoked_token_is_nobody_at_once(hall: Hall):
    """Revoked by another process, a token is refused with the next call, and after a restart (W1)."""
    made = hall.auritas.access.create("editor", {Scope.QUERY})
    assert hall.auritas.access.check(made.secret)
    elsewhere = open_store(hall.folder, keychain=NoKeychain(), clock=hall.clock).store
    other = Access(elsewhere, hall.auritas.log, hall.clock, hall.ids, SystemEntropy())
    other.revoke(made.info.id)
    assert hall.auritas.access.check(made.secret) is None
    other.close()
    elsewhere.close()
    hall.restart()
    assert hall.auritas.access.check(made.secret) is None
    assert not hall.auritas.access.list()
    with pytest.raises(NoTokenError):
        hall.auritas.access.revoke(made.info.id)
    assert sum('"revoked"' in refs for refs in entries(hall, Kind.TOKEN)) == 1


def test_a_token_ends_when_it_was_to_end(hall: Hall):
    """A token with an end is somebody before it and nobody from it on (W1)."""
    end = hall.clock.now() + timedelta(hours=1)
    made = hall.auritas.access.create("visit", {Scope.QUERY}, expires_at=end)
    hall.clock.advance(3599)
    assert hall.auritas.access.check(made.secret)
    hall.clock.advance(1)
    assert hall.auritas.access.check(made.secret) is None
    assert not hall.auritas.access.list()


def test_a_session_lives_while_it_is_used(hall: Hall):
    """A browser stays let in while it comes back within thirty days, and its use is written once a minute (W1)."""
    access = hall.auritas.access
    secret = access.begin_session(label="Firefox on Linux")
    caller = access.check(secret)
    assert caller is not None
    assert caller.session
    assert caller.may(Scope.ADMIN)
    for _ in range(3):
        hall.clock.advance(29 * 86_400)
        assert access.check(secret)
        hall.auritas.store.submit(lambda _: None).result()
    (info,) = access.list()
    assert (info.kind, info.name, info.last_used_at) == (TokenKind.BROWSER, "Firefox on Linux", hall.clock.now())
    before = hall.auritas.store.commits
    for _ in range(50):
        hall.clock.advance(1)
        access.check(secret)
    hall.auritas.store.submit(lambda _: None).result()
    assert hall.auritas.store.commits == before + 1
    hall.clock.advance(30 * 86_400)
    assert access.check(secret) is None


def test_a_session_can_be_ended(hall: Hall):
    """Signed out, a browser is nobody (W1)."""
    secret = hall.auritas.access.begin_session()
    (info,) = hall.auritas.access.list()
    hall.auritas.access.end_session(info.id)
    assert hall.auritas.access.check(secret) is None


def test_what_cannot_be_is_not_made(hall: Hall):
    """No token without scopes, name or owner, none that ends in the past, and none but local's with admin (W1)."""
    access = hall.auritas.access
    access.admit("anna")
    for scopes, owner, name, until in (
        (set(), LOCAL, "x", None),
        ({Scope.ADMIN}, "anna", "x", None),
        ({Scope.QUERY}, LOCAL, " ", None),
        ({Scope.QUERY}, LOCAL, "x" * 81, None),
        ({Scope.QUERY}, LOCAL, "x", hall.clock.now()),
    ):
        with pytest.raises(InvalidError):
            access.create(name, scopes, owner, until)
    with pytest.raises(NotAdmittedError):
        access.create("x", {Scope.QUERY}, "bob")
    with pytest.raises(NotAdmittedError):
        access.begin_session("bob")
    for name in ("", "Anna", "../x", "a" * 33, "a/b", "-a", "ä"):
        with pytest.raises(InvalidError):
            access.admit(name)
    assert not access.list()


def test_a_person_has_a_store_of_their_own(hall: Hall):
    """Somebody who was let in has an own file under a passphrase of 256 bits that only the main store knows (W2)."""
    household = Household(hall.auritas.settings, opener=lambda _settings, _passphrase: hall.auritas)
    household.open()
    household.admit("anna")
    household.admit("anna")
    assert household.access.people() == (LOCAL, "anna")
    (kept,) = hall.rows(secrets, secrets.c.name == "person:anna")
    assert len(kept.value) == 43
    guest = household.of("anna")
    assert guest.store.home.folder == hall.folder / "people" / "anna"
    assert stat.S_IMODE(guest.store.home.folder.stat().st_mode) == 0o700
    with guest.store.read() as unit:
        assert not unit.connection.execute(select(tokens)).all()
    guest.close()


def test_refusals_fill_no_disk(hall: Hall):
    """Ten thousand refused tokens leave a handful of entries that say how many there were, and no secret (W1)."""
    for _ in range(10_000):
        hall.auritas.access.refused("bearer")
    first = entries(hall, Kind.AUTH_FAILURE)
    assert len(first) == 10
    hall.clock.advance(60)
    hall.auritas.access.refused("bearer")
    last = entries(hall, Kind.AUTH_FAILURE)[-1]
    assert '"count":9991' in last
    assert hall.intact


def test_nobody_is_found_in_a_closed_store(hall: Hall):
    """After the store is closed no token opens it again (W1)."""
    secret = hall.auritas.access.begin_session()
    hall.auritas.access.close()
    with pytest.raises(StoreClosedError):
        hall.auritas.access.check(secret)


def test_the_install_token_is_made_once_and_is_private(tmp_path: Path):
    """The install token has 256 bits in a private file, is made once, and holds until it is replaced (W1)."""
    token = InstallToken(tmp_path / "home", SystemEntropy())
    assert not token.matches("aui_" + "x" * 43)
    secret = token.read_or_make()
    assert InstallToken(tmp_path / "home", SystemEntropy()).read_or_make() == secret
    assert len(secret) == 4 + 43
    assert stat.S_IMODE((tmp_path / "home" / FILE).stat().st_mode) == 0o600
    assert os.listdir(tmp_path / "home") == [FILE]  # noqa: PTH208  names are what matters
    assert token.matches(secret)
    for wrong in ("", secret[:-1], secret + "x", "\udcff", "aui_\udcff", secret.upper()):
        assert not token.matches(wrong)
    fresh = token.rotate()
    assert not token.matches(secret)
    assert token.matches(fresh)


def test_a_replaced_install_token_is_in_the_log(hall: Hall):
    """Replacing the token of the installation is an entry like that of any other token (W1)."""
    hall.auritas.access.install_token_replaced()
    assert "rotated" in entries(hall, Kind.TOKEN)[-1]
