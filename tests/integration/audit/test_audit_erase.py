"""Erasing takes the words and leaves the proof."""

import pytest

from auritas.audit.errors import EntryRefusedError
from auritas.kernel.log import Kind, LogEvent

CANARY = "quinquereme-of-nineveh"


def test_an_erased_body_is_gone_and_the_log_still_verifies(book):
    """After an erase one `erased` entry names it, its words are on no page of a decrypted copy, all verifies (F13)."""
    book.append(20)
    with book.store.unit() as unit:
        (receipt,) = book.log.append(unit, [LogEvent(Kind.CORRECTION_CREATED, "user", {"n": 1}, CANARY)])
    book.append(20, 20)
    before = book.audit.root().head.root
    with book.store.unit() as unit:
        (erased,) = book.log.erase(unit, [receipt.seq], "user_request")
    book.store.empty_wal()
    report = book.audit.verify()
    assert (report.ok, report.entries) == (True, 42)
    assert [entry.seq for entry in book.audit.show(kind=Kind.ERASED).entries] == [erased.seq]
    with book.store.read() as unit:
        assert book.log.root(unit, 41) == before, "what was signed before stays true"
    assert CANARY.encode() not in decrypted(book)
    assert b"word 19" in decrypted(book), "the search finds what is still there"
    entry, _ = book.audit.entry(receipt.seq)
    assert entry.erased


def decrypted(book) -> bytes:
    """Return all pages of a decrypted copy of the store, made as the engine's own export makes it."""
    raw = book.store.connect()
    try:
        plain = book.folder.parent / "plain.db"
        plain.unlink(missing_ok=True)
        raw.execute("PRAGMA query_only=OFF")
        raw.execute("ATTACH DATABASE ? AS plain KEY ''", (str(plain),))
        raw.execute("SELECT sqlcipher_export('plain')").fetchall()
        raw.execute("DETACH DATABASE plain")
        return bytes(plain.read_bytes())
    finally:
        raw.close()


def test_several_entries_are_erased_by_one(book):
    """However many entries are erased at once, one entry names them all, once each."""
    book.append(50)
    with book.store.unit() as unit:
        assert len(book.log.erase(unit, [*range(10, 40), 10, 45], "retention")) == 1
    (entry,) = book.audit.show(kind=Kind.ERASED).entries
    assert entry.refs == {"seqs": "10-39,45", "reason": "retention"}
    assert book.audit.verify().ok


def test_what_has_no_body_is_not_erased_again(book):
    """Erasing twice, or what never had a body, or what is not there, writes nothing."""
    book.append(3)
    with book.store.unit() as unit:
        book.log.append(unit, [LogEvent(Kind.EXPORT, "user")])
        assert len(book.log.erase(unit, [1], "user_request")) == 1
        assert book.log.erase(unit, [1, 3, 99], "user_request") == ()
    assert book.audit.verify().ok


def test_an_erase_needs_a_code_for_a_reason(book):
    """Nobody's words get into the log for ever by way of a reason."""
    book.append(1)
    with pytest.raises(EntryRefusedError), book.store.unit() as unit:
        book.log.erase(unit, [0], "because I said so")
    assert not book.audit.entry(0)[0].erased
