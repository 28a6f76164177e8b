"""Proof files: their text, what the stand-alone checker accepts, and what it refuses."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auritas.audit import check as checker
from auritas.audit.check import ProofRefused, check
from auritas.audit.entry import entry_bytes
from auritas.audit.errors import MalformedError
from auritas.audit.note import Signer, with_signature
from auritas.audit.proof import AddCheckpoint, InclusionProof, TreeHead, decimal
from auritas.audit.tree import Leaves, inclusion_proof, leaf_hash, root
from auritas.kernel.errors import InvalidError

LOG = Signer("auritas.invalid/1/audit/1", bytes(range(32)))
WITNESS = Signer("auritas.invalid/2/witness/1", bytes(range(1, 33)))
ENTRIES = [entry_bytes(seq, "2026-01-01T00:00:00.000000Z", "run", "user", "{}", None) for seq in range(11)]
NODES = Leaves([leaf_hash(entry) for entry in ENTRIES])


def proof_of(index: int, *, size: int = 11, signer: Signer = LOG, entry: bytes | None = None) -> InclusionProof:
    note = signer.sign(TreeHead(LOG.name, size, root(size, NODES)).text)
    return InclusionProof(index, inclusion_proof(index, size, NODES), note, entry or ENTRIES[index])


PROOF = proof_of(5).encode().encode()
COSIGNED = with_signature(proof_of(5).checkpoint, WITNESS.cosign(TreeHead(LOG.name, 11, root(11, NODES)).text, 7))
WITNESSED = InclusionProof(5, proof_of(5).hashes, COSIGNED, ENTRIES[5]).encode().encode()


@pytest.mark.parametrize("index", range(11))
def test_a_proof_file_proves_its_entry(index):
    """The checker gives back the entry, its place and the log that signed it."""
    proven = check(proof_of(index).encode().encode(), str(LOG.key))
    assert (proven.index, proven.size, proven.entry, proven.origin) == (index, 11, ENTRIES[index], LOG.name)


def test_a_proof_file_reads_back_as_it_was_written():
    """Writing and reading a proof are inverse, with and without its entry."""
    for proof in (proof_of(5), InclusionProof(0, (), LOG.sign("a\n1\nx\n"))):
        assert InclusionProof.parse(proof.encode()) == proof


@given(st.integers(0, len(PROOF) * 8 - 1))
def test_any_flipped_bit_of_a_proof_is_refused(bit):
    """Whichever bit of a proof file is flipped, the checker refuses it (F12)."""
    damaged = bytearray(PROOF)
    damaged[bit // 8] ^= 1 << bit % 8
    with pytest.raises(ProofRefused):
        check(bytes(damaged), str(LOG.key))


def test_every_single_flipped_bit_of_a_witnessed_proof_is_refused():
    """With the witness's key given, no bit of the file can change, that of its cosignature included (F12)."""
    keys = [str(WITNESS.cosigning_key)]
    assert check(WITNESSED, str(LOG.key), keys).signed_by == (LOG.name, WITNESS.name)
    for bit in range(len(WITNESSED) * 8):
        damaged = bytearray(WITNESSED)
        damaged[bit // 8] ^= 1 << bit % 8
        with pytest.raises(ProofRefused):
            check(bytes(damaged), str(LOG.key), keys)


@given(st.integers(0, len(PROOF) - 1), st.binary(max_size=3))
def test_a_cut_or_stretched_proof_is_refused(place, more):
    """A file that ends early, or with more than it should, proves nothing."""
    with pytest.raises(ProofRefused):
        check(PROOF[:place] + more, str(LOG.key))
    if more:
        with pytest.raises(ProofRefused):
            check(PROOF + more, str(LOG.key))


@pytest.mark.parametrize(
    ("proof", "key"),
    [
        (proof_of(5, signer=Signer(LOG.name, bytes(32))), LOG.key),
        (proof_of(5), Signer(LOG.name, bytes(32)).key),
        (proof_of(5), Signer("another.log", bytes(range(32))).key),
        (proof_of(5, entry=ENTRIES[4]), LOG.key),
        (proof_of(5, entry=b"no JSON"), LOG.key),
        (InclusionProof(4, proof_of(5).hashes, proof_of(5).checkpoint, ENTRIES[5]), LOG.key),
        (InclusionProof(11, proof_of(5).hashes, proof_of(5).checkpoint, ENTRIES[5]), LOG.key),
        (InclusionProof(5, proof_of(5).hashes, proof_of(5).checkpoint), LOG.key),
    ],
)
def test_a_proof_of_something_else_is_refused(proof, key):
    """A strange key, another log, another entry or another place is refused."""
    with pytest.raises(ProofRefused):
        check(proof.encode().encode(), str(key))


def test_an_entry_that_stands_elsewhere_than_it_says_is_refused():
    """A log that hashes an entry at another place than the entry's own number is caught."""
    leaf = leaf_hash(ENTRIES[3])
    note = LOG.sign(TreeHead(LOG.name, 1, leaf).text)
    with pytest.raises(ProofRefused, match="another number"):
        check(InclusionProof(0, (), note, ENTRIES[3]).encode().encode(), str(LOG.key))


def test_a_missing_witness_is_refused():
    """When a witness's key is given, its cosignature must be there."""
    with pytest.raises(ProofRefused, match="has not signed"):
        check(PROOF, str(LOG.key), [str(WITNESS.cosigning_key)])


@pytest.mark.parametrize("key", ["", "a+b", f"{LOG.key}x", str(LOG.key).replace("+", "+0", 1)])
def test_a_damaged_key_is_refused(key):
    """A verifier key that is not one is no reason to accept anything."""
    with pytest.raises(ProofRefused):
        check(PROOF, key)


def test_the_checker_runs_as_a_file_of_its_own(tmp_path: Path):
    """Copied elsewhere, away from this package, the one file checks a proof and says no to a damaged one."""
    script = tmp_path / "check.py"
    script.write_bytes(Path(checker.__file__).read_bytes())
    (tmp_path / "good").write_bytes(PROOF)
    (tmp_path / "bad").write_bytes(PROOF.replace(b"index 5", b"index 6"))
    run = [sys.executable, "-I", str(script)]
    keys = ["--key", str(LOG.key)]
    good = subprocess.run([*run, str(tmp_path / "good"), *keys], capture_output=True, text=True, check=False)
    bad = subprocess.run([*run, str(tmp_path / "bad"), *keys], capture_output=True, text=True, check=False)
    gone = subprocess.run([*run, str(tmp_path / "gone"), *keys], capture_output=True, text=True, check=False)
    assert good.returncode == 0
    assert good.stdout.startswith("ok: entry 5 of the first 11")
    assert (bad.returncode, gone.returncode) == (6, 6)
    assert bad.stderr.startswith("refused: ")


def test_the_checker_imports_nothing_else_of_the_program():
    """The module brings neither store, nor kernel, nor any other part of the package with it."""
    code = "import sys, auritas.audit.check; print(sorted(m for m in sys.modules if m.startswith('auritas')))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=dict(os.environ)
    )
    assert done.stdout.strip() == "['auritas', 'auritas.audit', 'auritas.audit.check']"


def test_main_answers_with_an_exit_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """As a command it prints the proven entry and leaves with 0."""
    file = tmp_path / "5.tlog-proof"
    file.write_bytes(WITNESSED)
    assert checker.main([str(file), "--key", str(LOG.key), "--witness-key", str(WITNESS.cosigning_key)]) == 0
    assert ENTRIES[5].decode() in capsys.readouterr().out


def test_a_request_reads_back_as_it_was_written():
    """An add-checkpoint body is the old size, the hashes, an empty line and the checkpoint."""
    request = AddCheckpoint(3, (leaf_hash(b"a"), leaf_hash(b"b")), LOG.sign("a\n1\nx\n"))
    assert AddCheckpoint.parse(request.encode()) == request
    assert request.encode().startswith("old 3\n")


def test_a_proof_from_size_zero_cannot_be_written_or_read():
    """A consistency proof from nothing is refused both ways; a first request has none (F11)."""
    with pytest.raises(InvalidError):
        AddCheckpoint(0, (leaf_hash(b"a"),), "x")
    with pytest.raises(InvalidError):
        AddCheckpoint.parse("old 0\n" + AddCheckpoint(1, (leaf_hash(b"a"),), "x").encode().partition("\n")[2])
    assert AddCheckpoint.parse("old 0\n\nnote").hashes == ()


@pytest.mark.parametrize(
    "raw", ["", "old 5", "new 5\n\nx", "old 05\n\nx", "old -1\n\nx", "old 5\nAAAA\n\nx", "old 5\n" + "A\n" * 64 + "\nx"]
)
def test_what_is_not_exactly_a_request_is_refused(raw):
    """Other words, signs, leading zeros or short hashes make no request."""
    with pytest.raises(MalformedError):
        AddCheckpoint.parse(raw)


@pytest.mark.parametrize("raw", ["", "a\n1\n", "a\n1\n\n", "a\n01\nx\n", "a\n1\nAAAA\n", "a\n1\nAAAA"])
def test_what_is_not_exactly_a_checkpoint_is_refused(raw):
    """A checkpoint has an origin, a plain size and a root of 32 bytes."""
    with pytest.raises(MalformedError):
        TreeHead.parse(raw)


def test_extension_lines_of_a_checkpoint_are_tolerated():
    """A foreign log may add lines; they mean nothing here."""
    head = TreeHead("a", 1, bytes(32))
    assert TreeHead.parse(head.text + "more\n") == head


@pytest.mark.parametrize(
    "raw", ["", "c2sp.org/tlog-proof@v1\n", "c2sp.org/tlog-proof@v1\nindex x\n\nn", "v2\nindex 1\n\nn"]
)
def test_what_is_not_exactly_a_proof_is_refused(raw):
    """Another header or a missing index is no proof."""
    with pytest.raises(MalformedError):
        InclusionProof.parse(raw)


@pytest.mark.parametrize("text", ["", "+1", "01", "1 ", "\u0661", "1" * 19])
def test_numbers_have_one_spelling(text):
    """Signs, spaces, leading zeros and other digits are refused."""
    with pytest.raises(MalformedError):
        decimal(text)
