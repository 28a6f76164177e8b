"""Entries: their bytes, and what is derived from them."""

import hmac
import uuid
from datetime import UTC, datetime, timedelta

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from auritas.audit.entry import (
    TEXT_COLUMNS,
    admit,
    columns,
    commitment,
    entry_bytes,
    entry_id,
    id_time,
    refs_text,
    seal,
)
from auritas.audit.errors import EntryRefusedError
from auritas.audit.tree import leaf_hash
from auritas.kernel.canonical import canonical
from auritas.kernel.clock import timestamp
from auritas.kernel.errors import UsageError
from auritas.kernel.log import Kind, LogEvent

words = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
names = st.text(st.characters(max_codepoint=127), max_size=12)
scalars = st.one_of(words, st.booleans(), st.none(), st.integers(-(2**53) + 1, 2**53 - 1))
refs = st.dictionaries(names, scalars, max_size=6)
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
moments = st.timedeltas(timedelta(0), timedelta(days=2_000_000)).map(EPOCH.__add__)


@given(st.integers(0, 2**53 - 1), moments, st.builds(LogEvent, st.sampled_from(Kind), words, refs), st.none() | words)
def test_the_bytes_of_an_entry_are_those_of_rfc_8785(seq, ts, event, commit):
    """Written by hand for speed, an entry is byte for byte what the library and the kernel write."""
    document = {
        "v": 1,
        "seq": seq,
        "ts": timestamp(ts),
        "kind": event.kind.value,
        "actor": event.actor,
        "refs": event.refs,
        "body_commit": commit,
    }
    written = entry_bytes(seq, timestamp(ts), event.kind, event.actor, refs_text(event.refs), commit)
    assert written == rfc8785.dumps(document) == canonical(document)


@pytest.mark.parametrize("value", [1.5, 2**53, -(2**53), [1], {"a": 1}, b"x"])
def test_refs_hold_only_what_is_canonical(value):
    """Floats, numbers beyond 2^53 and nested values are refused before anything is written."""
    with pytest.raises(UsageError):
        refs_text({"a": value})
    with pytest.raises(UsageError):
        refs_text({"ä": 1})


@given(refs, moments)
def test_an_id_is_ordered_by_time_and_belongs_to_its_entry(given_refs, ts):
    """An id is a UUID of version 7 with the entry's millisecond, and another entry has another id."""
    entry = entry_bytes(0, timestamp(ts), "run", "user", refs_text(given_refs), None)
    made = uuid.UUID(entry_id(id_time(timestamp(ts)), leaf_hash(entry)))
    assert (made.version, made.variant) == (7, uuid.RFC_4122)
    assert made.int >> 80 == (ts - EPOCH) // timedelta(milliseconds=1)
    assert str(made) != entry_id(id_time(timestamp(ts)), leaf_hash(entry + b" "))


@given(st.dictionaries(st.sampled_from(TEXT_COLUMNS), words))
def test_text_columns_are_refs_of_their_name(given_refs):
    """Each text column is the ref of its name, or empty."""
    assert columns(given_refs)[:5] == tuple(given_refs.get(name) for name in TEXT_COLUMNS)


@given(st.integers(0, 10**6), st.integers(0, 10**9))
def test_number_columns_are_integers_or_millionths(score, latency):
    """A measured number stands in refs as an integer or in millionths, and its column is that number."""
    derived = columns({"u_score_micros": score, "latency_ms": latency})
    assert derived[5:] == (score / 1_000_000, None, float(latency))


@pytest.mark.parametrize("wrong", [{"session_id": 5}, {"u_score": "high"}, {"confidence_micros": True}])
def test_a_ref_of_the_wrong_type_is_refused(wrong):
    """A ref that cannot be the column of its name makes no entry."""
    with pytest.raises(EntryRefusedError):
        columns(wrong)


@given(st.binary(max_size=64), words)
def test_a_commitment_is_an_hmac(salt, body):
    """Written out for speed, the commitment is what the library computes."""
    assert commitment(salt, body) == hmac.digest(salt, body.encode(), "sha256").hex()


def test_a_commitment_says_nothing_without_its_salt():
    """The same body under two salts has two commitments, and an event without a body has none."""
    one = seal(LogEvent(Kind.RUN, "user", {}, "hello"), b"a" * 16)
    other = seal(LogEvent(Kind.RUN, "user", {}, "hello"), b"b" * 16)
    assert one.commit != other.commit
    assert one.commit == commitment(b"a" * 16, "hello")
    assert seal(LogEvent(Kind.RUN, "user"), b"a" * 16).commit is None


@pytest.mark.parametrize(
    "event",
    [
        LogEvent(Kind.RUN, "user", {"text": "x" * 70_000}),
        LogEvent(Kind.RUN, "lone \ud800", {}),
        LogEvent(Kind.RUN, "user", {"text": "lone \ud800"}),
        LogEvent(Kind.RUN, "user", {}, "lone \ud800"),
    ],
)
def test_what_the_formats_cannot_carry_is_refused(event):
    """An entry longer than a bundle allows, or with half a character, is refused with a remedy."""
    with pytest.raises(EntryRefusedError) as refusal:
        admit(0, "2026-01-01T00:00:00.000000Z", seal(event, bytes(16)))
    assert refusal.value.remedy
