"""The key: made once, kept by keyring, passphrase or file, and never in the clear without a warning."""

import json
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auritas.kernel.errors import UnavailableError
from auritas.kernel.randomness import SystemEntropy
from auritas.store import envelope as envelopes
from auritas.store.database import SqlStore
from auritas.store.envelope import EnvelopeDamagedError, Kdf, Method, WeakPassphraseError, WrongPassphraseError
from auritas.store.keychain import MemoryKeychain, NoKeychain, SystemKeychain
from auritas.store.keys import (
    KeyExistsError,
    KeyMissingError,
    KeyringSilentError,
    PassphraseNeededError,
    change_passphrase,
    create_key,
    destroy,
    unlock,
)
from auritas.store.opening import open_store
from auritas.store.secret import Secret

WORDS = "correct horse battery"
OTHER = "staple of another"


def test_a_passphrase_guards_the_key(folder: Path):
    """The key comes back with the passphrase, and with nothing else."""
    made = create_key(folder, passphrase=WORDS, keychain=MemoryKeychain())
    assert made.method is Method.PASSPHRASE
    assert not made.warning
    assert unlock(folder, WORDS, keychain=NoKeychain()).key == made.key
    with pytest.raises(WrongPassphraseError):
        unlock(folder, WORDS + " ", keychain=NoKeychain())
    with pytest.raises(PassphraseNeededError):
        unlock(folder, keychain=NoKeychain())


def test_the_cost_of_a_guess(folder: Path):
    """A passphrase goes through Argon2id with 64 MiB, three passes and one lane."""
    create_key(folder, passphrase=WORDS, keychain=NoKeychain())
    kdf = json.loads((folder / "key.json").read_bytes())["kdf"]
    assert (kdf["name"], kdf["memory_kib"], kdf["passes"], kdf["lanes"]) == ("argon2id", 65536, 3, 1)


def test_a_passphrase_is_its_characters():
    """Equal passphrases in different Unicode forms are equal, and each parameter counts."""
    composed, decomposed = "p\u00e4ssword", "pa\u0308ssword"
    cheap = Kdf(b"somesaltsomesalt", 64, 1, 1)
    assert cheap.derive(composed) == cheap.derive(decomposed)
    others = [Kdf(b"othersaltothersa", 64, 1, 1), Kdf(cheap.salt, 128, 1, 1), Kdf(cheap.salt, 64, 2, 1)]
    assert len({kdf.derive(composed) for kdf in (cheap, *others)}) == 4


def test_the_keyring_comes_first_without_a_passphrase(folder: Path):
    """Where a keyring answers, the key is in it and not in the folder."""
    keychain = MemoryKeychain()
    made = create_key(folder, keychain=keychain)
    assert made.method is Method.KEYRING
    assert not made.warning
    assert list(keychain.secrets.values()) == [made.key.reveal().hex()]
    assert made.key.reveal().hex() not in (folder / "key.json").read_text()
    assert unlock(folder, keychain=keychain).key == made.key


def test_a_key_file_says_what_it_does_not_protect(folder: Path):
    """With neither keyring nor passphrase the key stands in a private file beside a plain warning, at every start."""
    made = create_key(folder, keychain=NoKeychain())
    assert made.method is Method.KEY_FILE
    assert "in the clear" in made.warning
    assert stat.S_IMODE((folder / "key.json").stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert unlock(folder, keychain=NoKeychain()).warning == made.warning


def test_a_silent_keyring_is_not_a_missing_key(folder: Path):
    """A keyring that does not answer and one that lost the key are told apart."""
    create_key(folder, keychain=MemoryKeychain())
    with pytest.raises(KeyringSilentError):
        unlock(folder, keychain=NoKeychain())
    with pytest.raises(KeyMissingError):
        unlock(folder, keychain=MemoryKeychain())


def test_the_systems_keyring_is_asked_and_may_be_absent():
    """On a machine whose keyring protects nothing, the real keychain says that it does not answer."""
    keychain = SystemKeychain()
    assert not keychain.answers()
    assert keychain.get("nothing") is None
    keychain.delete("nothing")


def test_there_is_never_a_second_key(folder: Path, key: Secret):
    """A folder with a key keeps it, and a database without its key is an error that makes no new one."""
    create_key(folder, keychain=NoKeychain())
    with pytest.raises(KeyExistsError):
        create_key(folder, keychain=NoKeychain())
    SqlStore.open(folder, key).close()
    (folder / "key.json").unlink()
    for way in (create_key, open_store):
        with pytest.raises(KeyMissingError, match=r"auritas\.db exists"):
            way(folder, keychain=NoKeychain())
    assert not (folder / "key.json").exists()


def test_a_new_passphrase_wraps_the_same_key(folder: Path):
    """Changing the passphrase changes neither key nor database; the old one stops working."""
    opened = open_store(folder, WORDS, keychain=NoKeychain())
    opened.store.close()
    before = (folder / "auritas.db").read_bytes()
    assert change_passphrase(folder, WORDS, OTHER, keychain=NoKeychain()).key == opened.unlocked.key
    assert (folder / "auritas.db").read_bytes() == before
    with pytest.raises(WrongPassphraseError):
        unlock(folder, WORDS, keychain=NoKeychain())
    open_store(folder, OTHER, keychain=NoKeychain()).store.close()


def test_a_passphrase_changes_while_the_store_is_open(folder: Path):
    """An open store does not stand in the way of a new passphrase."""
    opened = open_store(folder, WORDS, keychain=NoKeychain())
    change_passphrase(folder, WORDS, OTHER, keychain=NoKeychain())
    opened.store.close()


def test_a_passphrase_takes_the_key_out_of_the_keyring(folder: Path):
    """A key that moves under a passphrase leaves nothing in the keyring, nor in a file."""
    keychain = MemoryKeychain()
    made = create_key(folder, keychain=keychain)
    assert change_passphrase(folder, None, WORDS, keychain=keychain).key == made.key
    assert not keychain.secrets
    assert unlock(folder, WORDS, keychain=keychain).key == made.key


def test_a_wrong_old_passphrase_changes_nothing(folder: Path):
    """A refused change leaves the envelope as it was."""
    create_key(folder, passphrase=WORDS, keychain=NoKeychain())
    before = (folder / "key.json").read_bytes()
    with pytest.raises(WrongPassphraseError):
        change_passphrase(folder, OTHER, OTHER, keychain=NoKeychain())
    with pytest.raises(WeakPassphraseError):
        change_passphrase(folder, WORDS, "short", keychain=NoKeychain())
    assert (folder / "key.json").read_bytes() == before


def test_a_half_written_envelope_is_never_the_envelope(folder: Path):
    """What a power cut leaves of a new envelope stands beside the old one and does not count."""
    made = create_key(folder, passphrase=WORDS, keychain=NoKeychain())
    (folder / "key.json.new").write_bytes(b'{"v":1,"inst')
    assert unlock(folder, WORDS, keychain=NoKeychain()).key == made.key
    change_passphrase(folder, WORDS, OTHER, keychain=NoKeychain())
    assert not (folder / "key.json.new").exists()


def test_destroying_leaves_nothing(folder: Path):
    """After destroying, neither folder nor keyring has the key, and the database opens no more."""
    keychain = MemoryKeychain()
    open_store(folder, keychain=keychain).store.close()
    destroy(folder, keychain=keychain)
    assert not keychain.secrets
    assert not (folder / "key.json").exists()
    destroy(folder, keychain=keychain)
    with pytest.raises(KeyMissingError):
        open_store(folder, keychain=keychain)


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[:-20],
        lambda data: data.replace(b'"v":1', b'"v":2'),
        lambda data: data.replace(b"argon2id", b"argon2i"),
        lambda data: data.replace(b"65536", b"99999999"),
        lambda data: data.replace(b'"passes":3', b'"passes":0'),
        lambda data: b"[" * 100_000,
    ],
)
def test_a_damaged_envelope_is_named(folder: Path, damage: Callable[[bytes], bytes]):
    """A cut, changed or absurd envelope gives a typed error, no crash and no endless work."""
    create_key(folder, passphrase=WORDS, keychain=NoKeychain())
    path = folder / "key.json"
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(EnvelopeDamagedError):
        unlock(folder, WORDS, keychain=NoKeychain())


OUTER, INNER = Secret(bytes(range(32))), Secret(bytes(range(100, 132)))
SEALED = envelopes.by_key("install", INNER, OUTER, SystemEntropy())


@settings(max_examples=200, deadline=None)
@given(place=st.integers(0, len(SEALED.encode()) - 2), bit=st.integers(0, 7))
def test_any_flipped_bit_of_an_envelope_is_refused(place: int, bit: int):
    """No changed envelope gives a key: header and wrapped key are authenticated together."""
    data = bytearray(SEALED.encode())
    data[place] ^= 1 << bit
    try:
        changed = envelopes.decode(bytes(data))
    except EnvelopeDamagedError:
        return
    if changed.fields() == SEALED.fields():
        return  # a hexadecimal letter in upper case is the same number
    with pytest.raises(EnvelopeDamagedError):
        envelopes.with_key(changed, OUTER)


def test_nothing_of_the_key_in_a_repr(folder: Path):
    """Key, envelope and result show nothing of the key when they are printed."""
    made = create_key(folder, keychain=NoKeychain())
    shown = repr(made) + repr(made.key) + str(made.key) + repr(envelopes.in_clear("i", made.key))
    assert made.key.reveal().hex() not in shown
    assert repr(made.key.reveal()) not in shown


def test_an_impossible_place_gives_a_typed_error():
    """A folder that cannot be made is reported with what to do (F5)."""
    with pytest.raises(UnavailableError) as caught:
        create_key(Path("/proc/1/nowhere"), keychain=NoKeychain())
    assert caught.value.exit_code == 5
