"""Signed notes, checked with `cryptography` alone and against a known key."""

from base64 import b64decode
from hashlib import sha256

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from auritas.audit.errors import MalformedError, SignatureError
from auritas.audit.note import Algorithm, Note, Signer, VerifierKey, with_signature
from auritas.kernel.errors import InvalidError

KNOWN_KEY = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k"
TEXT = "auritas.invalid/1/audit/1\n3\nrra8/qDBQcLnl3iHyGmiB3bmwI5s1Ty5VTJgcJ4G53A=\n"


@pytest.fixture
def signer():
    return Signer("auritas.invalid/1/audit/1", bytes(range(32)))


def test_the_known_verifier_key_parses_and_its_id_recomputes():
    """The verifier key of the format's own example is read, and its id is the hash it should be (F14)."""
    key = VerifierKey.parse(KNOWN_KEY)
    assert (key.name, key.id.hex(), str(key)) == ("example.com/foo", "530d903a", KNOWN_KEY)
    assert sha256(b"example.com/foo\n\x01" + key.public).digest()[:4] == key.id


def test_own_notes_verify_with_cryptography_alone(signer):
    """Splitting lines, base64 and an Ed25519 check are all that a foreign tool needs (F14)."""
    text, _, line = signer.sign(TEXT).rpartition("\n\n")
    dash, name, encoded = line.rstrip("\n").split(" ")
    raw = b64decode(encoded)
    public = b64decode(str(signer.key).split("+", 2)[2])[1:]
    assert (dash, name) == ("—", signer.name)
    assert raw[:4] == sha256(name.encode() + b"\n\x01" + public).digest()[:4]
    Ed25519PublicKey.from_public_bytes(public).verify(raw[4:], text.encode() + b"\n")
    with pytest.raises(InvalidSignature):
        Ed25519PublicKey.from_public_bytes(public).verify(raw[4:], text.encode())


def test_a_cosignature_verifies_with_cryptography_alone(signer):
    """A witness signs the header, the time and the note's text; the time stands before the signature (F14)."""
    raw = b64decode(signer.cosign(TEXT, 1_700_000_000).rstrip("\n").split(" ")[2])
    message = b"cosignature/v1\ntime 1700000000\n" + TEXT.encode()
    assert raw[:4] == sha256(signer.name.encode() + b"\n\x04" + signer.key.public).digest()[:4]
    assert int.from_bytes(raw[4:12], "big") == 1_700_000_000
    Ed25519PublicKey.from_public_bytes(signer.key.public).verify(raw[12:], message)


def test_signatures_of_unknown_keys_are_ignored(signer):
    """A note stays valid whoever else has signed it, and tells which of the known keys did."""
    witness = Signer("witness.invalid", bytes(32))
    note = Note.parse(with_signature(signer.sign(TEXT), witness.cosign(TEXT, 5)))
    assert note.signed_by([signer.key]) == (signer.key,)
    assert set(note.signed_by([signer.key, witness.cosigning_key])) == {signer.key, witness.cosigning_key}


def test_a_note_without_a_known_signature_is_refused(signer):
    """Neither a stranger's signature nor a wrong one of a known key is accepted."""
    stranger = Signer(signer.name, bytes(32))
    with pytest.raises(SignatureError, match="No key that you trust"):
        Note.parse(stranger.sign(TEXT)).signed_by([signer.key])
    forged = Note(TEXT.replace("3", "4", 1), Note.parse(signer.sign(TEXT)).signatures)
    with pytest.raises(SignatureError, match="is wrong"):
        forged.signed_by([signer.key])


def test_a_new_signature_replaces_the_older_one_of_its_key(signer):
    """A witness that signs twice leaves one line, the newer one."""
    witness = Signer("witness.invalid", bytes(32))
    once = with_signature(signer.sign(TEXT), witness.cosign(TEXT, 5))
    twice = with_signature(once, witness.cosign(TEXT, 6))
    assert len(Note.parse(twice).signatures) == 2
    assert twice.endswith(witness.cosign(TEXT, 6))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "example.com/foo",
        "example.com/foo+530d903b+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
        "example.com/foo+530d903a+AukyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
        "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2",
        "example.com/foo+530d903a+Aeky",
    ],
)
def test_damaged_verifier_keys_are_refused(text):
    """A key that lacks a part, or whose id is not its own, is not read."""
    with pytest.raises(MalformedError):
        VerifierKey.parse(text)


@pytest.mark.parametrize("name", ["", "two words", "plus+sign", "line\nbreak"])
def test_names_that_notes_cannot_hold_are_refused(name):
    """A key's name has neither spaces nor plus signs."""
    with pytest.raises(InvalidError):
        VerifierKey(name, bytes(32), Algorithm.ED25519)


@pytest.mark.parametrize(
    "raw",
    [
        "",
        "text\n",
        "text\n\n",
        "\n\n— a AAAAAAA=\n",
        "text\n\n— a AAAAAAA=",
        "text\n\n- a AAAAAAA=\n",
        "text\n\n— a AAAA\n",
        "text\n\n— a AAAAAAB=\n",
        "text\n\n— AAAAAAA=\n",
        "te\txt\n\n— a AAAAAAA=\n",
        "te\rxt\n\n— a AAAAAAA=\n",
        "text\n\n" + "— a AAAAAAA=\n" * 65,
    ],
)
def test_what_is_not_exactly_a_note_is_refused(raw):
    """Control characters, missing parts and other spellings of base64 are no notes."""
    with pytest.raises(MalformedError):
        Note.parse(raw)


def test_a_signer_does_not_show_its_key(signer):
    """The private key stands in no repr."""
    assert bytes(range(32)).hex() not in repr(signer)
    assert repr(bytes(range(32))) not in repr(signer)
