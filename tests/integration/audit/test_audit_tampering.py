"""Whatever is changed in a stored log, verification says so and names where it begins (F8)."""

import json
import shutil
from base64 import b64encode
from contextlib import suppress
from typing import Any

import pytest

from auritas.audit.errors import KeyLostError
from auritas.audit.model import Reason, StoredEntry
from auritas.kernel.errors import AuritasError, VerificationError
from auritas.kernel.log import Kind, LogEvent

SIZE = 640
VICTIM = 300
DAY = 24 * 3600.0 + 600.0


@pytest.fixture
def signed(open_book, tmp_path_factory, request):
    """A log of two days with 640 entries and more: a checkpoint, a daily root, an erasure. Built once, then copied."""
    master = tmp_path_factory.getbasetemp() / f"tampering-{request.config.option.numprocesses or 0}"
    folder = tmp_path_factory.mktemp("signed") / "home"
    if not master.exists():
        book = open_book(folder)
        book.append(350)
        book.audit.checkpoint()
        book.in_unit(lambda unit: book.log.erase(unit, [7, 8], "user_request"))
        book.append(SIZE - 352, 352)
        book.clock.advance(DAY)
        book.append(10, SIZE)
        book.audit.run_due()
        book.append(10, SIZE + 11)
        book.store.close()
        shutil.copytree(folder, master)
        shutil.rmtree(folder)
    shutil.copytree(master, folder)
    return open_book(folder)


CUT = "UPDATE audit_tiles SET hashes = CAST(substr(hashes, 1, {0}) || zeroblob(8192 - {0}) AS BLOB) WHERE level = {1}"
CUT_LEAVES, CUT_UPPER = CUT.format(44 * 32, 0), CUT.format(32, 1)


def first_bad(book: Any) -> object:
    report = book.audit.verify()
    assert report.ok is (report.first_bad is None)
    assert bool(report.reason) is not report.ok
    return report.first_bad


def test_the_untouched_log_verifies(signed):
    """The log that all these tests damage is whole to begin with."""
    report = signed.audit.verify()
    assert (report.ok, report.entries, report.checkpoint.reason) == (True, 661, Reason.DAILY)


EDITS = {
    "id": "'0197a6f0-0000-7000-8000-000000000000'",
    "created_at": "'2026-01-01T00:00:00.000001Z'",
    "event_type": "'grade'",
    "actor": "'system'",
    "refs": "replace(refs, 'medical', 'musical')",
    "details": "lower(hex(zeroblob(32)))",
    "salt": "zeroblob(16)",
    "body": "'another word'",
    "session_id": "'session-9'",
    "trace_id": "NULL",
    "token_id": "'token-2'",
    "field": "'legal'",
    "specialist": "'seat-2'",
    "u_score": "0.5",
    "confidence": "0.1",
    "latency_ms": "NULL",
    "prev_hash": "zeroblob(32)",
    "curr_hash": "zeroblob(32)",
    "leaf_hash": "zeroblob(32)",
}


@pytest.mark.parametrize("column", EDITS)
def test_an_edited_column_is_found(signed, column):
    """Whichever column of a row is changed, that row is named (F8)."""
    assert signed.change(f"UPDATE audit_log SET {column} = {EDITS[column]} WHERE seq = ?", VICTIM) == 1  # noqa: S608  the attacker is us
    assert first_bad(signed) == VICTIM


def test_every_column_of_the_log_is_tried(signed):
    """The list above holds every column of the table but the number itself, whose changes have tests of their own."""
    names = signed.value("SELECT group_concat(name) FROM pragma_table_info('audit_log')").split(",")
    assert sorted(names) == sorted([*EDITS, "seq"])


@pytest.mark.parametrize("column", ["trace_id", "details", "salt", "body", "u_score"])
def test_an_emptied_column_is_found(signed, column):
    """A value that is removed is as bad as one that is changed; a body without an `erased` entry above all (F8)."""
    assert signed.change(f"UPDATE audit_log SET {column} = NULL WHERE seq = ?", VICTIM) == 1  # noqa: S608  the attacker is us
    assert first_bad(signed) == VICTIM


def test_a_salt_with_zeros_behind_it_is_found(signed):
    """Zeros behind a key do not change an HMAC, so the length of a salt is checked too."""
    signed.change("UPDATE audit_log SET salt = CAST(salt || zeroblob(1) AS BLOB) WHERE seq = ?", VICTIM)
    assert first_bad(signed) == VICTIM


def test_a_body_that_vanished_is_found(signed):
    """Body and salt both gone, and no entry that says so: that entry is named, though all hashes hold (F8)."""
    signed.change("UPDATE audit_log SET body = NULL, salt = NULL WHERE seq = ?", VICTIM)
    assert first_bad(signed) == VICTIM


def test_an_emptied_body_is_found_before_a_later_damage(signed):
    """The first of two damages is named, and what a later entry erased rightly is none."""
    signed.change("UPDATE audit_log SET body = NULL, salt = NULL WHERE seq = ?", VICTIM)
    signed.change("UPDATE audit_log SET actor = 'x' WHERE seq = ?", VICTIM + 1)
    assert first_bad(signed) == VICTIM


def test_what_was_erased_before_a_damage_is_not_blamed(signed):
    """An erasure that is announced only after the damaged entry excuses the empty body before it."""
    signed.change("UPDATE audit_log SET actor = 'x' WHERE seq = ?", 20)
    assert first_bad(signed) == 20


def test_a_body_that_came_back_is_found(signed):
    """An erased body cannot return unnoticed, not even the right one."""
    signed.change("UPDATE audit_log SET body = 'word 7', salt = zeroblob(16) WHERE seq = 7")
    assert first_bad(signed) == 7


def test_a_body_without_commitment_is_found(signed):
    """An entry that had no body gets none afterwards."""
    announcement = signed.value("SELECT min(seq) FROM audit_log WHERE event_type = 'checkpoint'")
    signed.change("UPDATE audit_log SET body = 'x', salt = zeroblob(16) WHERE seq = ?", announcement)
    assert first_bad(signed) == announcement


def test_a_deleted_entry_is_found(signed):
    """A row that is missing in the middle is named by its number (F8)."""
    signed.change("DELETE FROM audit_log WHERE seq = ?", VICTIM)
    assert first_bad(signed) == VICTIM


def test_an_inserted_entry_is_found(signed):
    """A row that is squeezed in, all later ones moved by one, is named (F8)."""
    signed.change("CREATE TEMP TABLE moved AS SELECT * FROM audit_log WHERE seq >= ?", VICTIM)
    signed.change("DELETE FROM audit_log WHERE seq > ?", VICTIM)
    signed.change("UPDATE moved SET seq = seq + 1")
    signed.change("UPDATE audit_log SET id = 'new' WHERE seq = ?", VICTIM)
    signed.change("INSERT INTO audit_log SELECT * FROM moved")
    assert first_bad(signed) == VICTIM


def test_a_forged_last_entry_is_found(signed):
    """A row that is added at the end without the right hashes is named (F8)."""
    signed.change(
        "INSERT INTO audit_log (seq, id, created_at, event_type, actor, refs, leaf_hash, prev_hash, curr_hash)"
        " SELECT 661, 'new', created_at, 'grade', actor, '{}', leaf_hash, curr_hash, leaf_hash"
        " FROM audit_log WHERE seq = 660"
    )
    assert first_bad(signed) == 661


def test_reordered_entries_are_found(signed):
    """Two rows that change places are named by the first of the two places (F8)."""
    for old, new in ((VICTIM, 10**6), (VICTIM + 1, VICTIM), (10**6, VICTIM + 1)):
        signed.change("UPDATE audit_log SET seq = ? WHERE seq = ?", new, old)
    assert first_bad(signed) == VICTIM


def test_a_moved_entry_is_found(signed):
    """A row under another number leaves a gap, which is named."""
    signed.change("UPDATE audit_log SET seq = 100000 WHERE seq = ?", VICTIM)
    assert first_bad(signed) == VICTIM


@pytest.mark.parametrize("kept", [0, 360, 512, 639, 640, 650])
def test_a_truncated_log_is_found(signed, kept):
    """A log cut off below its last checkpoint, or below the entry that announces it, is named by its end (F8)."""
    signed.change("DELETE FROM audit_log WHERE seq >= ?", kept)
    assert first_bad(signed) == min(kept, 640)


def test_a_log_cut_behind_its_checkpoint_is_found_by_a_kept_head(signed):
    """What no checkpoint covers yet can be cut off unseen, unless its head was kept elsewhere (F8)."""
    head = signed.audit.root().head
    signed.change("DELETE FROM audit_log WHERE seq >= 655")
    assert signed.audit.verify().ok
    report = signed.audit.verify([f"{head.size}:{head.root.hex()}"])
    assert (report.ok, report.first_bad) == (False, 655)


def test_a_dropped_day_is_found(signed):
    """A daily root that is removed is missed by the entry that announced it (F8)."""
    assert signed.change("DELETE FROM checkpoints WHERE day IS NOT NULL") == 1
    assert first_bad(signed) == 650


def test_the_entries_of_a_day_cannot_be_dropped(signed):
    """A day whose entries are removed leaves a gap that begins where they were (F8)."""
    signed.change("DELETE FROM audit_log WHERE created_at < '2026-01-02' AND seq >= 352")
    assert first_bad(signed) == 352


def test_swapped_keys_are_found(signed):
    """A log whose signing key is exchanged is named at the first checkpoint that the old key signed (F8)."""
    other = b64encode(bytes(32)).decode()
    assert signed.change("UPDATE secrets SET value = ? WHERE name = 'audit_signing_key'", other) == 1
    assert first_bad(signed) == 350


def test_a_lost_key_is_found_and_never_replaced(signed):
    """Without its key a signed log does not verify, and no new key is made in silence."""
    signed.change("DELETE FROM secrets WHERE name = 'audit_signing_key'")
    assert first_bad(signed) == 350
    with pytest.raises(Exception, match="is gone"):
        signed.audit.checkpoint()


@pytest.mark.parametrize("rewrite_tiles", [False, True])
def test_a_fork_is_found(signed, rewrite_tiles):
    """A history that is rewritten with all its hashes right differs from its tiles, and from what was signed (F8)."""
    with signed.store.read() as unit:
        rows = list(signed.log.entries(unit, VICTIM))
    signed.change("DELETE FROM audit_log WHERE seq >= ?", VICTIM)
    tiles = signed.value("SELECT hex(hashes) FROM audit_tiles WHERE level = 0 AND idx = 1")
    signed.change("DELETE FROM audit_tiles WHERE (level, idx) = (0, 1)")
    signed.change(CUT_UPPER)
    _replay(signed, rows)
    if not rewrite_tiles:
        signed.change("UPDATE audit_tiles SET hashes = unhex(?) WHERE (level, idx) = (0, 1)", tiles)
    assert first_bad(signed) == (0 if rewrite_tiles else VICTIM)


def _replay(book: Any, rows: list[StoredEntry]) -> None:
    """Append the rows again as new ones, the first of them changed: a forger with the key of the store."""
    for row in rows:
        book.clock._elapsed = 0.0 if row.created_at < "2026-01-02" else DAY
        actor = "mallory" if row.seq == VICTIM else row.actor
        event = LogEvent(Kind(row.event_type), actor, json.loads(row.refs), row.body or "")
        with book.store.unit() as unit:
            book.log.append(unit, [event])


@pytest.mark.parametrize(
    ("sql", "seq"),
    [
        ("UPDATE audit_tiles SET hashes = zeroblob(8192) WHERE level = 0 AND idx = 1", 256),
        (CUT_LEAVES, 44),
        ("DELETE FROM audit_tiles WHERE level = 0 AND idx = 1", 256),
        (CUT_UPPER, 256),
        ("DELETE FROM audit_tiles WHERE level = 1", 0),
        ("INSERT INTO audit_tiles VALUES (0, 7, zeroblob(8192))", 661),
        ("INSERT INTO audit_tiles VALUES (5, 0, zeroblob(8192))", 661),
    ],
)
def test_damaged_tiles_are_found(signed, sql, seq):
    """A tile that was changed, removed or added is named by the first entry it puts in doubt."""
    signed.change(sql)
    assert first_bad(signed) == seq


@pytest.mark.parametrize(
    "change",
    [
        "root = zeroblob(32)",
        "note = replace(note, '350', '349')",
        "note = 'nothing'",
        "size = 349",
        "level = 'witnessed'",
        "level = 'posted'",
        "level = 'unsigned'",
        "witness = 'a+00000000+AAAA'",
        "reason = 'export'",
        "created_at = '2026-01-01T00:00:00.000001Z'",
        "day = '2025-12-31'",
    ],
)
def test_changed_checkpoints_are_found(signed, change):
    """Whatever is changed in a checkpoint's row, the entry that announced it, or its size, is named (F8)."""
    assert signed.change(f"UPDATE checkpoints SET {change} WHERE size = 350") == 1  # noqa: S608  the attacker is us
    assert first_bad(signed) in {0, 349, 350}


def test_an_invented_checkpoint_is_found(signed):
    """A checkpoint that no entry announced is not believed, though its signature is right."""
    signed.change(
        "INSERT INTO checkpoints (size, root, note, level, created_at, reason)"
        " SELECT size, root, note, level, created_at, 'count' FROM checkpoints WHERE size = 350"
    )
    assert first_bad(signed) == 350


def test_refs_that_are_no_refs_are_found(signed):
    """Damage that no reader would survive is a finding, not a crash."""
    for junk in ("", "[]", "{", "null", '{"a":1} '):
        signed.change("UPDATE audit_log SET refs = ? WHERE seq = ?", junk, VICTIM)
        assert first_bad(signed) == VICTIM


NO_TEXT = "CAST(x'ff41' AS TEXT)"


def unchecked(book: Any, sql: str) -> int:
    """Change what the CHECK constraints forbid, as an attacker would who turns them off."""
    with book.store.unit() as unit:
        unit.connection.exec_driver_sql("PRAGMA ignore_check_constraints=ON")
        changed: int = unit.connection.exec_driver_sql(sql).rowcount
        unit.connection.exec_driver_sql("PRAGMA ignore_check_constraints=OFF")
    return changed


@pytest.mark.parametrize("column", [c for c in EDITS if EDITS[c].startswith("'") or c in {"trace_id", "refs"}])
def test_bytes_that_are_no_text_are_found(signed, column):
    """A text that cannot even be read is a finding at its row, not an error (F8)."""
    unchecked(signed, f"UPDATE audit_log SET {column} = {NO_TEXT} WHERE seq = {VICTIM}")  # noqa: S608  the attacker is us
    assert first_bad(signed) == VICTIM


@pytest.mark.parametrize(
    "change",
    [
        "reason = 'bogus'",
        "level = 'bogus'",
        "created_at = 'yesterday'",
        "day = '2026-99-99'",
        "day = ''",
        "size = 9223372036854775807",
        "size = -1",
        "root = x''",
        f"note = {NO_TEXT}",
        f"witness = {NO_TEXT}",
        "witness = 'a b+00000000+AQ=='",
    ],
)
@pytest.mark.parametrize("where", ["size = 350", "day IS NOT NULL"])
def test_unreadable_checkpoints_are_found(signed, change, where):
    """A checkpoint that is none any more is a finding, and everything else goes on: no damage stops the start (F8)."""
    assert unchecked(signed, f"UPDATE checkpoints SET {change} WHERE {where}") == 1  # noqa: S608  the attacker is us
    assert isinstance(first_bad(signed), int)
    with suppress(AuritasError):
        signed.audit.run_due()


def test_two_checkpoints_for_one_announcement_are_found(signed):
    """A stored checkpoint that is doubled, one of the two claiming more than it is, does not hide behind the other."""
    signed.change(
        "INSERT INTO checkpoints (size, root, note, level, created_at, reason)"
        " SELECT size, root, note, 'posted', created_at, reason FROM checkpoints WHERE size = 350"
    )
    signed.change("UPDATE checkpoints SET id = 1000 WHERE size = 350 AND level = 'signed'")
    assert first_bad(signed) == 350


@pytest.mark.parametrize("value", ["'!!!'", "''", "'AAAA'", NO_TEXT])
@pytest.mark.parametrize(("table", "name"), [("secrets", "audit_signing_key"), ("local_settings", "install_id")])
def test_an_unreadable_key_is_found(signed, table, name, value):
    """A key or a name that cannot be one is like a lost one: named at the first checkpoint, never replaced (F8)."""
    column = "name" if table == "secrets" else "key"
    signed.change(f"UPDATE {table} SET value = {value} WHERE {column} = ?", name)  # noqa: S608  the attacker is us
    assert first_bad(signed) == 350
    if table == "secrets":
        with pytest.raises(KeyLostError):
            signed.audit.checkpoint(Reason.SHUTDOWN)


@pytest.mark.parametrize("hashes", ["x''", "CAST(hashes || x'00' AS BLOB)", "zeroblob(8191)"])
def test_tiles_of_another_length_are_found(signed, hashes):
    """A tile that is cut short or has bytes behind it is named by its first entry (F8)."""
    assert unchecked(signed, f"UPDATE audit_tiles SET hashes = {hashes} WHERE (level, idx) = (0, 1)") == 1  # noqa: S608  the attacker is us
    assert first_bad(signed) == 256


def test_an_entry_below_zero_is_found(signed):
    """A row in front of the first one is seen too."""
    names = signed.value("SELECT group_concat(name) FROM pragma_table_info('audit_log') WHERE name NOT IN ('seq','id')")
    unchecked(signed, f"INSERT INTO audit_log (seq, id, {names}) SELECT -1, 'x', {names} FROM audit_log WHERE seq = 3")  # noqa: S608  the attacker is us
    assert first_bad(signed) == 0


@pytest.mark.parametrize("seqs", ["0-999999999999999999", f"0-{'9' * 4000}"])
def test_an_endless_erasure_does_not_hold_up_verification(signed, seqs):
    """A forged entry that names more than there can be is read in no time."""
    signed.change("UPDATE audit_log SET actor = 'x' WHERE seq = ?", VICTIM)
    refs = json.dumps({"reason": "x", "seqs": seqs})
    signed.change("UPDATE audit_log SET event_type = 'erased', refs = ? WHERE seq = 500", refs)
    assert first_bad(signed) in {7, VICTIM}


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE audit_log SET actor = 'x' WHERE seq = 300",
        "DELETE FROM audit_log WHERE seq = 300",
        "UPDATE audit_log SET actor = CAST(x'ff41' AS TEXT) WHERE seq = 300",
        "DELETE FROM audit_tiles",
    ],
)
def test_a_damaged_log_is_neither_proved_nor_exported(signed, sql, tmp_path):
    """What a checker elsewhere would refuse is refused here, with the exit code of a failed verification (F11)."""
    signed.change(sql)
    with pytest.raises(VerificationError):
        signed.audit.prove(300)
    with pytest.raises(VerificationError):
        signed.audit.export(tmp_path / "copy")
    assert not (tmp_path / "copy" / "checkpoint").exists()
