"""A witness continues what it saw, and refuses everything else for ever."""

import json

import pytest

from auritas.app.audit import check, cosign
from auritas.audit.adapters.folders import WitnessFolder
from auritas.audit.errors import ForkError, MalformedError, SignatureError, StaleError
from auritas.audit.note import Note, Signer, VerifierKey
from auritas.audit.proof import AddCheckpoint, TreeHead
from auritas.audit.tree import Leaves, consistency_proof, leaf_hash, root
from auritas.audit.witness import Witness
from auritas.kernel.errors import NotFoundError
from auritas.kernel.ids import TimeOrderedIds
from auritas.kernel.log import Level
from auritas.kernel.randomness import SeededRng, SystemEntropy

LOG = Signer("auritas.invalid/1/audit/1", bytes(range(32)))
LEAVES = [leaf_hash(bytes([number])) for number in range(40)]


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "witness"


@pytest.fixture
def open_witness(folder, clock):
    def opened() -> Witness:
        return Witness(WitnessFolder(folder, SystemEntropy(), TimeOrderedIds(clock, SeededRng(1))), clock)

    return opened


def request(old: int, new: int, leaves: list[bytes] = LEAVES, signer: Signer = LOG) -> AddCheckpoint:
    nodes = Leaves(leaves)
    note = signer.sign(TreeHead(LOG.name, new, root(new, nodes)).text)
    return AddCheckpoint(old, consistency_proof(old, new, nodes) if old else (), note)


def test_a_witness_follows_a_log_as_it_grows(open_witness):
    """Each head that continues the last one is cosigned; the cosignature verifies under the witness's key."""
    for old, new in ((0, 3), (3, 3), (3, 17), (17, 40)):
        witness = open_witness()
        asked = request(old, new)
        line = witness.add(asked, LOG.key)
        Note.parse(asked.checkpoint + line).signed_by([witness.key])
        assert witness.size_of(LOG.name) == new


def test_a_fork_is_refused_for_ever(open_witness, folder):
    """A head over another history is refused, and leaves what the witness knows as it was."""
    open_witness().add(request(0, 10), LOG.key)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    forged = [leaf_hash(b"forged"), *LEAVES[1:]]
    for wrong in (request(10, 20, forged), request(10, 10, forged)):
        with pytest.raises(ForkError):
            open_witness().add(wrong, LOG.key)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    assert open_witness().add(request(10, 20), LOG.key)


def test_a_rollback_is_refused(open_witness):
    """A smaller head than the one seen is refused, also when it was true once."""
    open_witness().add(request(0, 10), LOG.key)
    for old in (0, 5):
        with pytest.raises(ForkError, match="went back"):
            open_witness().add(request(old, 5), LOG.key)


def test_a_stale_request_learns_the_size_to_start_from(open_witness):
    """A request from another size is told the one the witness knows, and from there it succeeds."""
    with pytest.raises(StaleError) as first:
        open_witness().add(request(3, 10), LOG.key)
    assert first.value.known == 0
    open_witness().add(request(0, 10), LOG.key)
    with pytest.raises(StaleError) as stale:
        open_witness().add(request(3, 20), LOG.key)
    assert stale.value.known == 10
    assert open_witness().add(request(10, 20), LOG.key)


def test_another_key_or_origin_is_refused(open_witness):
    """The key of a log is pinned when it is first seen; a note of another signer, or of another log, is refused."""
    other = Signer(LOG.name, bytes(32))
    with pytest.raises(SignatureError):
        open_witness().add(request(0, 10, signer=other), LOG.key)
    open_witness().add(request(0, 10), LOG.key)
    with pytest.raises(SignatureError, match="another key"):
        open_witness().add(request(10, 20, signer=other), other.key)
    stranger = Signer("auritas.invalid/9/audit/1", bytes(32))
    with pytest.raises(MalformedError):
        open_witness().add(AddCheckpoint(0, (), stranger.sign(TreeHead(LOG.name, 1, LEAVES[0]).text)), stranger.key)


def test_what_was_seen_is_on_the_disk_before_the_answer(folder, clock):
    """When remembering fails, no cosignature is given."""

    class FullDisk(WitnessFolder):
        def remember(self, seen):
            raise OSError(28, "No space left on device")

    memory = FullDisk(folder, SystemEntropy(), TimeOrderedIds(clock, SeededRng(1)))
    with pytest.raises(OSError, match="No space"):
        Witness(memory, clock).add(request(0, 10), LOG.key)
    assert Witness(memory, clock).size_of(LOG.name) == 0


def test_a_damaged_memory_is_no_reason_to_start_afresh(open_witness, folder):
    """A witness whose memory cannot be read refuses, it does not forget."""
    open_witness().add(request(0, 10), LOG.key)
    (memory,) = folder.glob("log-*.json")
    memory.write_text(json.dumps({"key": str(LOG.key)}))
    with pytest.raises(MalformedError):
        open_witness().add(request(0, 20), LOG.key)


def test_the_folder_of_a_witness_is_for_its_owner_alone(open_witness, folder):
    """Folder and key are closed to others."""
    open_witness().add(request(0, 10), LOG.key)
    assert folder.stat().st_mode & 0o077 == 0
    assert all(path.stat().st_mode & 0o077 == 0 for path in folder.iterdir())


def test_a_witnessed_log_shows_it_in_every_view(book, folder, tmp_path):
    """After a visit to the witness entries, roots and proofs are witnessed, and everything verifies."""
    book.append(20)
    first = book.audit.witness(folder)
    assert (first.seen_before, first.checkpoint.level) == (0, Level.WITNESSED)
    book.append(20, 21)
    second = book.audit.witness(folder)
    assert (second.seen_before, second.checkpoint.size) == (20, 41)
    assert second.witness_key == first.witness_key
    assert {entry.level for entry in book.audit.show(41, cursor=41).entries} == {Level.WITNESSED}
    proof = book.audit.prove(3)
    file = tmp_path / "3.tlog-proof"
    file.write_text(proof.text)
    assert proof.level is Level.WITNESSED
    assert len(check(file, proof.key, [second.witness_key]).signed_by) == 2
    report = book.audit.verify()
    assert report.ok
    assert report.checkpoint.level is Level.WITNESSED


def test_visiting_a_witness_twice_changes_nothing(book, folder):
    """Without news the same head is cosigned again, with one line of the witness."""
    book.append(5)
    book.audit.witness(folder)
    again = book.audit.witness(folder)
    assert len(Note.parse(again.checkpoint.note).signatures) == 2
    assert book.audit.verify().ok


def test_a_rewritten_store_is_refused_by_its_witness(book, folder):
    """A log that lost what its witness saw, and signed anew, gets no cosignature."""
    book.append(20)
    book.audit.witness(folder)
    for table in ("audit_log", "audit_tiles", "checkpoints"):
        book.change(f"DELETE FROM {table}")  # noqa: S608  the attacker is us
    book.append(30, 100)
    assert book.audit.verify().ok, "a whole new history is consistent in itself"
    with pytest.raises(ForkError):
        book.audit.witness(folder)
    book.change("DELETE FROM audit_log WHERE seq >= 0")
    book.change("DELETE FROM checkpoints")
    book.append(5)
    with pytest.raises(ForkError, match="has seen 20"):
        book.audit.witness(folder)


def test_a_request_from_a_file_needs_no_store(folder, tmp_path):
    """A witness on another machine answers a file with a signature line."""
    file = tmp_path / "request"
    file.write_text(request(0, 10).encode())
    line = cosign(folder, file, str(LOG.key))
    kept = json.loads((folder / "witness.json").read_text())
    assert line.startswith(f"— {kept['name']} ")
    with pytest.raises(NotFoundError):
        cosign(folder, tmp_path / "gone", str(LOG.key))
    with pytest.raises(MalformedError):
        cosign(folder, file, "no key")
    assert VerifierKey.parse(str(LOG.key)) == LOG.key
