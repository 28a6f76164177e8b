"""The kernel's owners of time, chance, identifiers and tasks."""

import asyncio
import json
import re
import uuid
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta, timezone

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from auritas.kernel.canonical import canonical
from auritas.kernel.clock import ManualClock, SystemClock, from_timestamp, timestamp
from auritas.kernel.errors import (
    AuritasError,
    InvalidError,
    NotFoundError,
    RefusedError,
    UnavailableError,
    UsageError,
    VerificationError,
    nearest,
)
from auritas.kernel.ids import TRACE_ID_PATTERN, TimeOrderedIds
from auritas.kernel.randomness import SeededRng, SystemEntropy
from auritas.kernel.tasks import Hurry, SerialSpawner, TaskSpawner, merge
from auritas.kernel.text import displayable, one_line

aware = st.datetimes(
    min_value=datetime(1970, 1, 2),  # noqa: DTZ001  hypothesis adds the zone
    max_value=datetime(9000, 1, 1),  # noqa: DTZ001
    timezones=st.just(UTC),
)
scalars = st.one_of(st.none(), st.booleans(), st.integers(-(2**53) + 1, 2**53 - 1), st.text())
ascii_keys = st.text(st.characters(max_codepoint=127), max_size=8)
documents = st.recursive(
    scalars, lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(ascii_keys, inner, max_size=4))
)


@given(st.lists(aware, min_size=2))
def test_timestamps_sort_as_text_like_they_sort_as_time(moments):
    """The order of written timestamps is the order of the moments, to the microsecond."""
    assert [timestamp(m) for m in sorted(moments)] == sorted(timestamp(m) for m in moments)
    assert [from_timestamp(timestamp(m)) for m in moments] == moments


def test_a_time_without_a_zone_is_refused():
    """A moment that does not say its zone is no moment."""
    with pytest.raises(ValueError, match="no time zone"):
        from_timestamp("2026-01-01T00:00:00")


def test_timestamps_are_written_in_utc():
    """A moment of another zone is written as the same moment in UTC."""
    berlin = timezone(timedelta(hours=2))
    assert timestamp(datetime(2026, 7, 1, 1, 30, tzinfo=berlin)) == "2026-06-30T23:30:00.000000Z"


def test_the_system_clock_knows_its_zone():
    """The present moment is aware and in UTC."""
    assert SystemClock().now().tzinfo is UTC


def test_one_seed_and_one_clock_give_one_history_of_ids():
    """Equal seeds and times give equal identifiers; another seed gives others."""

    def history(seed: int) -> list[str]:
        clock = ManualClock()
        ids = TimeOrderedIds(clock, SeededRng(seed))
        made = []
        for _ in range(5):
            clock.advance(0.001)
            made += [ids.new(), ids.trace()]
        return made

    assert history(1) == history(1)
    assert history(1) != history(2)


@given(st.lists(st.floats(1e-6, 1e6), min_size=1, max_size=20), st.integers())
def test_later_ids_sort_after_earlier_ones(steps, seed):
    """Identifiers are valid UUIDs of version 7 whose text order is the order of their microseconds."""
    clock = ManualClock()
    ids = TimeOrderedIds(clock, SeededRng(seed))
    made = []
    for step in steps:
        made.append(ids.new())
        clock.advance(max(step, 2e-6))
    assert made == sorted(made)
    assert all(uuid.UUID(text).version == 7 and uuid.UUID(text).variant == uuid.RFC_4122 for text in made)


def test_trace_ids_have_their_form(ids):
    """A trace id is `tr_` and twelve characters of a-z and 0-9."""
    made = {ids.trace() for _ in range(200)}
    assert len(made) == 200
    assert all(re.fullmatch(TRACE_ID_PATTERN, text) for text in made)


def test_secrets_never_repeat():
    """Entropy gives the asked number of bytes, and no two tokens are equal."""
    assert len({SystemEntropy().token(32) for _ in range(100)}) == 100


@given(documents)
def test_canonical_json_is_what_the_library_writes(document):
    """Our canonical bytes are those of the RFC 8785 library wherever both accept the value, and parse back."""
    try:
        expected = rfc8785.dumps(document)
    except rfc8785.CanonicalizationError:
        with pytest.raises(InvalidError):
            canonical(document)
        return
    assert canonical(document) == expected
    assert json.loads(expected) == document


@pytest.mark.parametrize("value", [1.5, 2**53, {"é": 1}, {"a": object()}, "\ud800", float("nan")])
def test_what_has_no_single_byte_form_is_refused(value):
    """Floats, huge integers, foreign keys and lone surrogates have no place in a hash."""
    with pytest.raises(InvalidError):
        canonical(value)


def test_every_category_of_error_has_its_exit_code():
    """A program learns from the exit code what kind of trouble it was."""
    categories = [UsageError, NotFoundError, RefusedError, UnavailableError, VerificationError]
    assert [kind.exit_code for kind in categories] == [2, 3, 4, 5, 6]
    assert AuritasError.exit_code == 1


def test_an_error_says_what_happened_and_what_to_do():
    """The text of an error is its sentence and its remedy."""
    assert str(NotFoundError("There is no seat 9.", remedy="Try: auritas models list")) == (
        "There is no seat 9. Try: auritas models list"
    )
    assert nearest("balanecd", ["fast", "balanced"]) == "Did you mean 'balanced'?"
    assert nearest("xyz", ["fast", "balanced"]) == ""


async def _numbers(start: int, count: int) -> AsyncIterator[int]:
    for number in range(start, start + count):
        await asyncio.sleep(0)
        yield number


@pytest.mark.anyio
@pytest.mark.parametrize("spawner", [TaskSpawner(), SerialSpawner()])
async def test_a_merge_yields_everything_and_keeps_each_order(spawner):
    """Items of all streams arrive, those of one stream in their order."""
    seen = [item async for item in merge(spawner, [_numbers(0, 5), _numbers(100, 5)])]
    assert sorted(seen) == [0, 1, 2, 3, 4, 100, 101, 102, 103, 104]
    assert [n for n in seen if n < 100] == [0, 1, 2, 3, 4]


@pytest.mark.anyio
async def test_closing_a_merge_closes_every_stream():
    """A cancellation reaches the work behind each stream."""
    closed = []

    async def endless(name: str) -> AsyncIterator[str]:
        try:
            while True:
                await asyncio.sleep(0)
                yield name
        finally:
            closed.append(name)

    merged = merge(TaskSpawner(), [endless("a"), endless("b")])
    assert await anext(merged) in {"a", "b"}
    await merged.aclose()
    assert sorted(closed) == ["a", "b"]


@pytest.mark.anyio
@pytest.mark.parametrize("early", [True, False])
async def test_a_hurried_merge_ends_with_what_has_arrived(early):
    """Called before or while it waits, it ends after the items that are there, and every stream is closed."""
    closed, hurry = [], Hurry()

    async def hanging() -> AsyncIterator[int]:
        try:
            yield 1
            await asyncio.Event().wait()
        finally:
            closed.append("hanging")

    if early:
        hurry.call()
    seen = []
    async for item in merge(TaskSpawner(), [hanging()], hurry):
        seen.append(item)
        hurry.call()
        hurry.call()
    assert seen == ([] if early else [1])
    assert closed == ([] if early else ["hanging"])


@pytest.mark.anyio
async def test_an_error_in_one_stream_ends_the_merge():
    """Nothing fails silently: the error of a stream is the error of the merge."""

    async def broken() -> AsyncIterator[int]:
        await asyncio.sleep(0)
        yield 1
        msg = "broken"
        raise OSError(msg)

    with pytest.raises(OSError, match="broken"):
        async for _ in merge(TaskSpawner(), [broken(), _numbers(0, 1000)]):
            pass


@given(st.text())
def test_shown_text_holds_no_control_but_newline_and_tab(text):
    """Whatever a model writes, no control character or escape reaches the terminal."""
    assert all(c in "\n\t" or (ord(c) >= 32 and not 127 <= ord(c) < 160) for c in displayable(text))


@pytest.mark.parametrize(
    "hostile",
    [
        "\x1b[2Jgone",
        "\x1b]0;title\x07gone",
        "\x1b]8;;http://x\x1b\\gone\x1b]8;;\x1b\\",
        "\x9b31mgone",
        "\x1bPq#0\x1b\\gone",
    ],
)
def test_terminal_escapes_leave_only_their_text(hostile):
    """Colours, titles, links and clearing are removed whole."""
    assert displayable(hostile) == "gone"


def test_one_line_cuts_with_an_ellipsis():
    """A long text becomes one line of the asked width."""
    assert one_line("a\nb  c") == "a b c"
    assert one_line("x" * 300, 10) == "x" * 9 + "…"
