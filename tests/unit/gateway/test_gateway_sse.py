"""The reader of server-sent events."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auritas.gateway.sse import MAX_EVENT_CHARACTERS, EventStream, EventTooLargeError

_PIECES = [b"data: ", b"data:", b"data", b"event: x", b"id: 1", b": ping", b"\n", b"\r", b"\r\n", b"\n\n"]
_FOREIGN = [b"\xef\xbb\xbf", "Zürich 🦘".encode(), b"\xff\xc3", b"{}", b"[DONE]", b" "]
STREAMS = st.lists(st.sampled_from(_PIECES + _FOREIGN), max_size=40).map(b"".join)


def read(*chunks: bytes) -> list[str]:
    events = EventStream()
    found = [data for chunk in chunks for data in events.feed(chunk)]
    return found + events.close()


@given(STREAMS, st.lists(st.integers(0, 400), max_size=12))
def test_where_chunks_are_cut_never_matters(stream: bytes, cuts: list[int]):
    """The same bytes give the same events, whatever pieces they arrive in."""
    places = sorted({0, len(stream), *(cut % (len(stream) + 1) for cut in cuts)})
    chunks = [stream[a:b] for a, b in pairwise(places)]
    assert read(*chunks) == read(stream)
    assert read(*(stream[i : i + 1] for i in range(len(stream)))) == read(stream)


@given(st.binary(max_size=300))
def test_no_bytes_break_the_reader(stream: bytes):
    """Any garbage is read to its end."""
    read(stream)


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\n"), min_size=1), max_size=8))
def test_what_was_written_is_read(events: list[str]):
    """Data of one line arrives as it was sent."""
    written = "".join(f"data: {data}\n\n" for data in events)
    assert read(written.encode()) == [data for data in events if data] or any(d.startswith("\ufeff") for d in events)


@pytest.mark.parametrize(
    ("stream", "events"),
    [
        (b"data: a\ndata: b\n\n", ["a\nb"]),
        (b": comment\n\ndata: a\n\n", ["a"]),
        (b"event: ping\n\n", []),
        (b"data\n\n", [""]),
        (b"data:a\r\n\r\ndata:  b\r\r", ["a", " b"]),
        (b"\xef\xbb\xbfdata: a\n\n", ["a"]),
        (b"data: a", ["a"]),
        (b"data: a\n", ["a"]),
        (b"", []),
    ],
)
def test_the_rules_of_the_standard(stream: bytes, events: list[str]):
    """Several data lines, comments, all line ends, a byte order mark, and an event without its blank line."""
    assert read(stream) == events


@pytest.mark.parametrize("chunk", [b"x" * 1_000, b"data: " + b"x" * 1_000 + b"\n"])
def test_an_event_without_end_is_refused(chunk: bytes):
    """Memory is bounded, whether it is one line or many."""
    events = EventStream()
    with pytest.raises(EventTooLargeError):
        [events.feed(chunk) for _ in range(MAX_EVENT_CHARACTERS // 1_000 + 2)]
