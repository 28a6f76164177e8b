"""Appending: what lands, in which order, and what a rollback leaves."""

import pytest

from auritas.audit.errors import EntryRefusedError, UnknownEntryError
from auritas.kernel.log import Kind, Level, LogEvent
from auritas.store import Unit


def test_a_thousand_entries_verify(book):
    """After 1,000 appends the log verifies, counts 1,000 and its report has the head's root (F7)."""
    for start in range(0, 1000, 250):
        book.append(250, start)
    report = book.audit.verify()
    head = book.audit.root().head
    assert (report.ok, report.entries, report.first_bad) == (True, 1000, None)
    assert report.root == head.root
    assert head.size == 1000


def test_receipts_count_on(book, make_event):
    """Each event gets the next number, beginning with 0, and starts unsigned."""
    with book.store.unit() as unit:
        first = book.log.append(unit, [make_event(0), make_event(1)])
        second = book.log.append(unit, [make_event(2)])
        assert book.log.append(unit, []) == ()
    assert [receipt.seq for receipt in (*first, *second)] == [0, 1, 2]
    assert {receipt.level for receipt in first} == {Level.UNSIGNED}


def test_a_rolled_back_unit_leaves_nothing_behind(book, make_event):
    """What a failed unit appended is gone, and the next append continues what is really there."""
    book.append(300)

    def fail(unit: Unit) -> None:
        book.log.append(unit, [make_event(number) for number in range(300, 600)])
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        book.in_unit(fail)
    book.append(300, 300)
    report = book.audit.verify()
    assert (report.ok, report.entries) == (True, 600)


def test_two_logs_over_one_store_continue_each_other(book, make_event):
    """A log that another one has overtaken notices it and goes on from the real end."""
    other = book.fresh_log()
    for number in range(0, 600, 20):
        log = book.log if number % 40 else other
        with book.store.unit() as unit:
            log.append(unit, [make_event(number + i) for i in range(20)])
    assert book.audit.verify().ok
    assert book.audit.root().head.size == 600


def test_an_event_that_is_refused_writes_nothing(book, make_event):
    """When one event of several cannot become an entry, none is written."""
    with pytest.raises(EntryRefusedError), book.store.unit() as unit:
        book.log.append(unit, [make_event(0), LogEvent(Kind.RUN, "user", {"session_id": 5})])
    assert book.audit.root().head.size == 0
    assert book.audit.verify().ok


def test_every_kind_becomes_an_entry(book):
    """Each kind of event is stored under its name and verifies; kinds with duties of their own come from the log."""
    kinds = [kind for kind in Kind if kind not in {Kind.ERASED, Kind.CHECKPOINT}]
    with book.store.unit() as unit:
        book.log.append(unit, [LogEvent(kind, "system") for kind in kinds])
    assert [entry.kind for entry in reversed(book.audit.show(100).entries)] == [kind.value for kind in kinds]
    assert book.audit.verify().ok


def test_pages_of_entries_cover_the_log_once(book):
    """Turning pages by cursor shows each entry exactly once, the newest first."""
    book.append(25)
    seen, cursor = [], None
    while True:
        page = book.audit.show(10, cursor=cursor)
        seen += [entry.seq for entry in page.entries]
        cursor = page.next_cursor
        if cursor is None:
            break
    assert seen == list(range(24, -1, -1))


def test_entries_are_found_by_kind_and_trace(book):
    """Filters leave out what does not fit."""
    book.append(5)
    with book.store.unit() as unit:
        book.log.append(unit, [LogEvent(Kind.EGRESS, "system", {"bytes": 3})])
    assert [entry.seq for entry in book.audit.show(kind=Kind.EGRESS).entries] == [5]
    assert [entry.seq for entry in book.audit.show(trace_id="tr_000000000002").entries] == [2]


def test_a_missing_entry_is_named(book):
    """Asking for an entry that is not there says which ones are."""
    book.append(2)
    with pytest.raises(UnknownEntryError, match="Entries 0 to 1 exist"):
        book.audit.entry(2)
    with pytest.raises(UnknownEntryError):
        book.audit.prove(-1)


def test_tiles_are_stored_as_they_fill(book):
    """After 600 entries two tiles of leaves are full and one above them has begun."""
    book.append(600)
    assert book.value("SELECT group_concat(level || '/' || idx, ' ') FROM audit_tiles") == "0/0 0/1 1/0"


@pytest.mark.slow
def test_a_third_level_of_tiles_grows_and_verifies(book):
    """Past 65,536 entries a tile of the second level is full and a third level begins; everything verifies."""
    for start in range(0, 66_000, 6_000):
        book.append(6_000, start)
    assert book.value("SELECT count(*) FROM audit_tiles WHERE level = 2") == 1
    assert book.audit.verify().ok
    assert book.audit.prove(65_535).text
