"""Checkpoints: when they are made, what they cover, and what they say."""

from contextlib import AbstractContextManager
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from auritas.app.audit import AuditUseCases, check, kept_head
from auritas.audit.errors import MalformedError
from auritas.audit.model import Reason
from auritas.audit.note import Note, VerifierKey
from auritas.audit.proof import TreeHead
from auritas.audit.service import EmptyLogError
from auritas.kernel.clock import ManualClock
from auritas.kernel.errors import InvalidError, NotFoundError
from auritas.kernel.log import Kind, Level
from auritas.store import SqlStore, Unit

HOUR = 3600.0


def test_a_checkpoint_is_a_note_that_cryptography_alone_verifies(book):
    """The note names origin, size and root, and its signature is the install's over exactly that text (F14)."""
    book.append(5)
    made = book.audit.checkpoint()
    note, key = Note.parse(made.note), VerifierKey.parse(str(book.audit.root().key))
    head = TreeHead.parse(note.text)
    assert (head.size, head.root) == (5, made.root)
    assert head.origin.startswith("auritas.invalid/")
    assert head.origin.endswith("/audit/1")
    Ed25519PublicKey.from_public_bytes(key.public).verify(note.signatures[0].signature, note.text.encode())


def test_the_entry_of_a_checkpoint_comes_after_what_it_covers(book):
    """A head cannot cover the entry that announces it; the next one does."""
    book.append(5)
    first = book.audit.checkpoint()
    book.append(1, 5)
    second = book.audit.checkpoint()
    announcements = book.audit.show(kind=Kind.CHECKPOINT).entries
    assert [(entry.seq, entry.refs["size"]) for entry in announcements] == [(7, 7), (5, 5)]
    assert (first.size, second.size) == (5, 7)
    assert book.audit.verify().ok


def test_nothing_new_is_not_signed_again(book):
    """Asking for a checkpoint twice gives the same one and no new entry."""
    book.append(5)
    assert book.audit.checkpoint() == book.audit.checkpoint(Reason.SHUTDOWN)
    assert book.audit.root().head.size == 6


def test_an_empty_log_has_nothing_to_sign(book):
    """Without an entry there is no checkpoint, and asking for it says why."""
    with pytest.raises(EmptyLogError):
        book.audit.checkpoint()
    assert book.audit.run_due() == ()
    assert book.audit.verify().ok
    assert book.audit.root().key is None


def test_the_head_is_on_the_disk_before_it_is_signed(book):
    """A checkpoint forces a full sync of everything it covers before its signature exists."""
    store_of_book: SqlStore = book.store

    class Witnessing:
        """The store, noting the order of what is asked of it."""

        def __init__(self) -> None:
            self.steps: list[str] = []

        def unit(self) -> AbstractContextManager[Unit]:
            self.steps.append("unit")
            return store_of_book.unit()

        def read(self) -> AbstractContextManager[Unit]:
            return store_of_book.read()

        def sync(self) -> None:
            self.steps.append("sync")
            store_of_book.sync()

    book.append(5)
    store = Witnessing()
    AuditUseCases(store, book.log, UTC).checkpoint()
    assert store.steps == ["sync", "unit"]


def test_a_thousand_entries_call_for_a_checkpoint(book):
    """At 1,000 entries since the last one a checkpoint is due, and only one."""
    book.append(999)
    assert book.audit.run_due() == ()
    book.append(1, 999)
    (made,) = book.audit.run_due()
    assert (made.size, made.reason) == (1000, Reason.COUNT)
    assert book.audit.run_due() == ()


def test_a_day_is_closed_at_five_past_midnight(book):
    """The daily root covers everything up to midnight, is made at 00:05, and never again."""
    book.append(10)
    book.clock.advance(24 * HOUR)
    book.append(3, 10)
    assert book.audit.run_due() == (), "it is midnight, not yet five past"
    book.clock.advance(300)
    (made,) = book.audit.run_due()
    assert (made.size, made.reason, made.day) == (10, Reason.DAILY, date(2026, 1, 1))
    book.append(3, 13)
    assert book.audit.run_due() == ()
    assert book.audit.root_of(date(2026, 1, 1)) == made
    assert book.audit.verify().ok


def test_days_that_were_missed_are_caught_up(book):
    """After days of downtime each day on which something happened gets its root, at its own midnight."""
    for number in range(4):
        book.append(5, 5 * number)
        book.clock.advance((number + 1) * 24 * HOUR)
    book.append(1, 20)
    made = book.audit.run_due()
    assert [(c.day.isoformat(), c.size) for c in made] == [
        ("2026-01-01", 5),
        ("2026-01-02", 10),
        ("2026-01-04", 15),
        ("2026-01-07", 20),
    ]
    assert [day.size for day in book.audit.root().days] == [20, 15, 10, 5]
    assert book.audit.verify().ok


def test_the_zone_of_the_person_decides_where_a_day_ends(book):
    """In Auckland the first of January 2026 ends at 11:00 UTC."""
    audit = AuditUseCases(book.store, book.log, ZoneInfo("Pacific/Auckland"))
    book.append(4)
    book.clock.advance(11 * HOUR)
    book.append(4, 4)
    assert audit.run_due() == ()
    book.clock.advance(300)
    assert [(c.day, c.size) for c in audit.run_due()] == [(date(2026, 1, 1), 4)]


def test_a_clock_that_jumps_back_reopens_no_day(book, open_book):
    """Entries written under an earlier time after a day was closed belong to the next day; sizes only grow."""
    book.append(4)
    book.clock.advance(25 * HOUR)
    book.append(4, 4)
    assert [c.size for c in book.audit.run_due()] == [4]
    book.clock.advance(-10 * HOUR)
    book.append(4, 9)
    assert book.audit.run_due() == ()
    book.clock.advance(48 * HOUR)
    assert [(c.day, c.size) for c in book.audit.run_due()] == [(date(2026, 1, 2), 13)]
    assert book.audit.verify().ok


def test_a_missing_day_is_named(book):
    """A day without a root says which days can have one."""
    with pytest.raises(NotFoundError, match="2025-12-30"):
        book.audit.root_of(date(2025, 1, 1))


def test_levels_follow_the_checkpoints(book):
    """An entry under a checkpoint is signed, one after it is not yet."""
    book.append(3)
    book.audit.checkpoint()
    assert [entry.level for entry in book.audit.show().entries] == [Level.UNSIGNED] + [Level.SIGNED] * 3
    entry, checkpoint = book.audit.entry(1)
    assert (entry.level, checkpoint.size) == (Level.SIGNED, 3)
    assert book.audit.entry(3)[1] is None


def test_a_proof_checks_from_files_alone(book, tmp_path):
    """A proof of any entry, the announcing ones too, checks against the key; a head is signed when none covers it."""
    book.append(300)
    for seq in (0, 17, 255, 256, 299, 300):
        proof = book.audit.prove(seq)
        file = tmp_path / f"{seq}.tlog-proof"
        file.write_text(proof.text)
        proven = check(file, proof.key)
        assert proven.index == seq
        assert proof.level is Level.SIGNED
        assert f'"seq":{seq},' in proven.entry.decode()
    assert book.audit.verify().ok


def test_a_kept_head_is_found_again_or_missed(book, tmp_path):
    """A head kept as text or as a file must still be in the log; one that never was is refused."""
    book.append(10)
    made = book.audit.checkpoint()
    file = tmp_path / "kept.checkpoint"
    file.write_text(made.note)
    head = f"10:{made.root.hex()}"
    book.append(10, 11)
    assert book.audit.verify([head, str(file)]).ok
    other = f"10:{bytes(32).hex()}"
    assert book.audit.verify([other]).first_bad == 0
    assert book.audit.verify([head, f"15:{bytes(32).hex()}"]).first_bad == 10
    assert book.audit.verify([f"99:{bytes(32).hex()}"]).first_bad == 21


@pytest.mark.parametrize("text", ["x:y", "5:00", "-1:" + "00" * 32, "5:" + "zz" * 32])
def test_other_texts_are_no_heads(text):
    """A head is a size, a colon and a root of 32 bytes."""
    with pytest.raises(InvalidError):
        kept_head(text)


def test_a_kept_head_that_is_no_file_is_named(tmp_path):
    """A path that does not exist, or holds something else, is refused by name."""
    with pytest.raises(NotFoundError):
        kept_head(str(tmp_path / "gone"))
    junk = tmp_path / "junk"
    junk.write_bytes(b"\xff")
    with pytest.raises((InvalidError, MalformedError)):
        kept_head(str(junk))


def test_the_identity_outlives_the_process(book, open_book):
    """A store that is opened again signs with the same key under the same name."""
    book.append(1)
    book.audit.checkpoint()
    key = book.audit.root().key
    book.store.close()
    again = open_book(book.folder)
    again.append(1, 2)
    again.audit.checkpoint()
    assert again.audit.root().key == key
    assert again.audit.verify().ok


def test_time_is_read_from_the_clock_alone(book):
    """Entries carry the clock's time; two of one unit share it."""
    book.append(2)
    first, second = book.audit.show().entries
    assert first.ts == second.ts == ManualClock().now() == datetime(2026, 1, 1, tzinfo=UTC)
    book.clock.advance(1)
    book.append(1, 2)
    assert book.audit.entry(2)[0].ts - first.ts == timedelta(seconds=1)
