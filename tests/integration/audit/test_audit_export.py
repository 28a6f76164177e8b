"""An exported log is read by a verifier that was written from the specifications alone."""

import base64
import hashlib
import struct
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from auritas.audit.adapters.folders import FolderOccupiedError
from auritas.kernel.log import Kind


def foreign_verify(folder: Path, verifier_key: str) -> int:
    """Verify an exported log as c2sp.org/tlog-tiles and RFC 6962 describe it; return its size.

    Nothing of this program is used here: files, SHA-256 and an Ed25519 check.
    """

    def h(data: bytes) -> bytes:
        return hashlib.sha256(data).digest()

    def mth(hashes: list[bytes]) -> bytes:
        if len(hashes) == 1:
            return hashes[0]
        k = 1 << (len(hashes) - 1).bit_length() - 1
        return h(b"\x01" + mth(hashes[:k]) + mth(hashes[k:]))

    def read(level: str, number: int, width: int) -> bytes:
        name = f"{number % 1000:03}"
        while number := number // 1000:
            name = f"x{number % 1000:03}/{name}"
        return (folder / "tile" / level / (name if width == 256 else f"{name}.p/{width}")).read_bytes()

    text, _, signature = (folder / "checkpoint").read_text().rpartition("\n\n")
    origin, size_line, root = (text + "\n").splitlines()[:3]
    public = base64.b64decode(verifier_key.split("+", 2)[2])[1:]
    raw = base64.b64decode(signature.splitlines()[0].split(" ")[2])
    Ed25519PublicKey.from_public_bytes(public).verify(raw[4:], (text + "\n").encode())
    assert verifier_key.startswith(origin + "+")

    size = count = int(size_line)
    leaves: list[bytes] = []
    for n in range(-(-size // 256)):
        data = read("entries", n, min(256, size - 256 * n))
        while data:
            (length,) = struct.unpack(">H", data[:2])
            leaves.append(h(b"\x00" + data[2 : 2 + length]))
            data = data[2 + length :]
    level, hashes = 0, leaves
    while count:
        stored = b"".join(read(str(level), n, min(256, count - 256 * n)) for n in range(-(-count // 256)))
        assert stored == b"".join(hashes)
        hashes = [mth(hashes[i : i + 256]) for i in range(0, len(hashes) - 255, 256)]
        level, count = level + 1, count // 256
    assert mth(leaves) == base64.b64decode(root)
    return size


@pytest.mark.parametrize("entries", [1, 254, 255, 256, 700])
def test_a_foreign_verifier_reads_the_export(book, tmp_path, entries):
    """Entries, tiles of every level, the checkpoint and its signature agree, whatever the size."""
    book.append(entries)
    exported = book.audit.export(tmp_path / "copy")
    assert foreign_verify(tmp_path / "copy", book.audit.root().key) == exported.checkpoint.size == entries + 1
    assert len([path for path in (tmp_path / "copy").rglob("*") if path.is_file()]) == exported.files


def test_a_changed_export_is_refused(book, tmp_path):
    """One bit in any of its files, and the foreign verifier does not accept it."""
    book.append(300)
    book.audit.export(tmp_path / "copy")
    key = book.audit.root().key
    for path in [path for path in (tmp_path / "copy").rglob("*") if path.is_file()]:
        whole = path.read_bytes()
        path.write_bytes(bytes([*whole[:50], whole[50] ^ 1, *whole[51:]]) if len(whole) > 50 else b"")
        with pytest.raises(Exception):  # noqa: B017, PT011  whichever check notices it first
            foreign_verify(tmp_path / "copy", key)
        path.write_bytes(whole)
    assert foreign_verify(tmp_path / "copy", key)


def test_an_export_holds_no_body(book, tmp_path):
    """Words stay in the store: the folder holds refs and commitments."""
    book.append(300, body="secret-word")
    book.audit.export(tmp_path / "copy")
    files = [path.read_bytes() for path in (tmp_path / "copy").rglob("*") if path.is_file()]
    assert not any(b"secret-word" in data for data in files)
    assert any(b"session-1" in data for data in files)


def test_an_export_is_itself_an_entry_and_can_be_renewed(book, tmp_path):
    """Exporting is logged; an older export of the same log is brought up to date in place."""
    book.append(10)
    book.audit.export(tmp_path / "copy")
    book.append(300, 20)
    done: list[int] = []
    expected = book.audit.export_files()
    exported = book.audit.export(tmp_path / "copy", done.append)
    assert len(book.audit.show(kind=Kind.EXPORT).entries) == 2
    assert done == list(range(1, exported.files + 1))
    assert exported.files == expected
    assert foreign_verify(tmp_path / "copy", book.audit.root().key) == exported.checkpoint.size


def test_a_folder_with_other_files_is_left_alone(book, open_book, tmp_path):
    """Neither somebody's files nor another log's export are overwritten."""
    book.append(3)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("dear")
    with pytest.raises(FolderOccupiedError):
        book.audit.export(tmp_path / "mine")
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["letter.txt"]
