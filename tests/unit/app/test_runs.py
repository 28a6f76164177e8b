"""What runs, who follows it, and what somebody who joins late gets to see."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auritas.app.frames import folded
from auritas.app.partings import Parted
from auritas.app.readers import BEHIND
from auritas.app.run_errors import BusyError, NoRunError
from auritas.app.runs import (
    AT_ONCE,
    CHANGES,
    KEPT,
    Frame,
    RunDesk,
    RunEnded,
    RunForgotten,
    RunState,
)
from auritas.kernel.diagnostics import KeptDiagnostics
from auritas.kernel.errors import UsageError
from auritas.kernel.events import Acknowledged, AnswerDelta, MemberRetried, Notice
from auritas.kernel.tasks import TaskSpawner

pytestmark = pytest.mark.anyio


@pytest.fixture
def desk(clock, ids) -> RunDesk:
    return RunDesk(clock, ids, TaskSpawner(), KeptDiagnostics())


def saying(*texts: str, then: BaseException | None = None, wait: asyncio.Event | None = None):
    async def work():
        for text in texts:
            yield AnswerDelta("ada", text)
        if wait is not None:
            await wait.wait()
        if then is not None:
            raise then

    return work


async def over(run) -> None:
    for _ in range(BEHIND * 2):  # steps of the loop, not time
        if not run.running:
            return
        await asyncio.sleep(0)
    raise AssertionError("the run did not end")


async def settled() -> None:
    for _ in range(50):  # steps of the loop, not time
        await asyncio.sleep(0)


async def test_a_run_keeps_its_events_in_order_from_start_to_end(desk):
    """Whoever asks later gets every event of a run, numbered without a gap in its order (W9)."""
    run = desk.start("ask", "hello", saying("a", "b"))
    await over(run)
    names = [type(frame.event).__name__ for frame in run.frames]
    assert names == ["RunStarted", "AnswerDelta", "AnswerDelta", "RunEnded"]
    assert [f.id for f in run.frames] == sorted({f.id for f in run.frames})


async def test_a_reader_who_resumes_misses_nothing_and_hears_nothing_twice(desk):
    """What came before an id and what comes after it are together the whole run (W9)."""
    run = desk.start("ask", "hello", saying(*"abcdef"))
    await over(run)
    for frame in run.frames:
        before = [each.id for each in run.frames if each.id <= frame.id]
        after = [each.id for each in desk.since(frame.id) or () if each.run == run.id]
        assert before + after == [each.id for each in run.frames]


async def test_an_id_of_another_process_is_answered_by_a_snapshot(desk, clock, ids):
    """After a restart nothing can be resumed, so nothing is pretended to be (W9)."""
    clock.advance(5)
    later = RunDesk(clock, ids, TaskSpawner(), KeptDiagnostics())
    assert desk.first_id < later.first_id
    assert later.since(desk.last_id) is None
    assert later.since(later.last_id + 1) is None


async def test_events_are_forgotten_ten_minutes_after_the_end(desk, clock):
    """A run that ended long ago is gone, and an id from before cannot be resumed any more."""
    run = desk.start("ask", "hello", saying("a"))
    await over(run)
    first = run.frames[0].id
    clock.advance(KEPT.total_seconds() + 1)
    with pytest.raises(NoRunError):
        desk.get(run.id)
    assert desk.since(first) is None


async def test_a_failure_is_told_with_its_remedy(desk):
    """A run that fails ends with the code, the sentence and the remedy of its error."""
    run = desk.start("ask", "hello", saying(then=UsageError("No.", remedy="Do this.")))
    await over(run)
    assert run.state is RunState.FAILED
    assert (run.problem.code, run.problem.message, run.problem.remedy) == ("usage", "No.", "Do this.")


async def test_a_bug_is_noted_and_told_without_its_words(desk):
    """An unexpected error reaches the diagnostics; the person is told that, not its text."""
    run = desk.start("ask", "hello", saying(then=ZeroDivisionError("secret words")))
    await over(run)
    assert run.problem.code == "bug"
    assert "secret" not in run.problem.message
    assert len(desk._diagnostics.troubles) == 1


async def test_stopping_ends_a_run_and_stopping_again_changes_nothing(desk):
    """Stop is heard at once, and a second stop is no error."""
    run = desk.start("ask", "hello", saying("a", wait=asyncio.Event()))
    await asyncio.sleep(0)
    desk.stop(run.id)
    await over(run)
    desk.stop(run.id)
    assert run.state is RunState.STOPPED


async def test_what_follows_a_run_is_done_after_it_and_cannot_fail_it(desk):
    """The answer is told before the index follows, and a failure there changes no answer."""
    seen = []

    async def after(last):
        seen.append(last)
        raise ZeroDivisionError

    run = desk.start("ask", "hello", saying("a"), after=after)
    await over(run)
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert run.state is RunState.DONE
    assert seen == [(AnswerDelta("ada", "a"),)]


async def test_one_run_too_many_is_refused_in_words(desk):
    """As much runs as may run; the next one is refused and can be tried again."""
    gate = asyncio.Event()
    for _ in range(AT_ONCE):
        desk.start("ask", "hello", saying(wait=gate))
    with pytest.raises(BusyError):
        desk.start("ask", "one more", saying())
    await desk.aclose()


async def test_a_reader_who_is_too_slow_gets_a_snapshot_instead_of_filling_the_memory(desk):
    """Frames that nobody fetches are dropped, and the reader knows it."""
    reader = desk.join()
    run = desk.start("ask", "hello", saying(*("x" * (BEHIND + 10))))
    await over(run)
    assert len(reader.frames) <= BEHIND
    assert reader.lost


async def test_a_reader_of_one_run_hears_no_other(desk):
    """Following one run shows nothing of another."""
    first = desk.start("ask", "one", saying("a"))
    reader = desk.join(first.id)
    second = desk.start("ask", "two", saying("b"))
    await over(first)
    await over(second)
    assert {frame.run for frame in reader.take()} <= {first.id}


async def test_a_change_reaches_readers_from_any_thread(desk):
    """What another thread changed is told in the loop, and is kept for who comes back."""
    reader = desk.join()
    at = desk.last_id
    await asyncio.to_thread(desk.changed, "memory")
    await reader.wait(5)
    assert [frame.event.what for frame in reader.take()] == ["memory"]
    assert [frame.event.what for frame in desk.since(at) or ()] == ["memory"]


async def test_closing_stops_runs_and_lets_readers_go(desk):
    """When the server stops, no run and no reader holds it."""
    run = desk.start("ask", "hello", saying(wait=asyncio.Event()))
    reader = desk.join()
    await desk.aclose()
    assert run.state is RunState.STOPPED
    assert reader.closed


_events = st.lists(
    st.one_of(
        st.builds(AnswerDelta, st.sampled_from(["ada", "bob"]), st.text(max_size=3)),
        st.builds(MemberRetried, st.sampled_from(["ada", "bob"]), st.just("silent")),
        st.builds(Notice, st.just("n"), st.text(max_size=3)),
        st.builds(Acknowledged, st.just("c"), st.just("ok")),
        st.just(RunEnded(RunState.DONE)),
    ),
    max_size=30,
)


def _written(frames) -> dict[str, list[str]]:
    """Return what each member has written since its last retry, as a page would show it."""
    texts: dict[str, list[str]] = {}
    for frame in frames:
        match frame.event:
            case AnswerDelta(seat, text):
                texts.setdefault(seat, []).append(text)
            case MemberRetried(seat):
                texts[seat] = []
    return {seat: ["".join(pieces)] for seat, pieces in texts.items()}


@given(_events)
def test_the_short_telling_shows_the_same_as_all_frames(events):
    """Pieces of one member are joined, and what a page shows is the same."""
    frames = [Frame(place, "r", event) for place, event in enumerate(events)]
    short = folded(frames)
    assert _written(short) == _written(frames)
    assert len(short) <= len(frames)
    others = [f.event for f in frames if not isinstance(f.event, AnswerDelta)]
    assert [f.event for f in short if not isinstance(f.event, AnswerDelta)] == others


async def test_what_is_kept_of_runs_has_a_bound(desk):
    """Beyond so many frames runs that ended give way before their time, the oldest first; what goes on never does."""
    desk.frames_at_most = 10
    wait = asyncio.Event()
    going = desk.start("ask", "goes on", saying("a", wait=wait))
    ended = []
    for _ in range(3):
        ended.append(desk.start("ask", "hello", saying("a", "b")))
        await over(ended[-1])
    assert [run.id for run in desk.runs()] == [going.id, ended[1].id, ended[2].id]
    assert desk.since(ended[0].frames[0].id) is None
    await desk.aclose()


async def test_who_missed_more_changes_than_are_kept_gets_a_snapshot(desk):
    """A reader who comes back is told all changes since, or that some are lost, and never only the last ones (W9)."""
    at = desk.last_id
    desk.join()
    for _ in range(CHANGES):
        desk.changed("memory")
    await asyncio.sleep(0)
    assert len(desk.since(at) or ()) == CHANGES
    desk.changed("memory")
    await asyncio.sleep(0)
    assert len(desk.since(at + 1) or ()) == CHANGES
    assert desk.since(at) is None


async def test_a_run_of_a_deleted_conversation_is_gone_at_once_with_all_it_said(desk):
    """It is stopped, none of its frames is kept, and whoever follows is told that it is over and gone."""
    forever = asyncio.Event()
    run = desk.start("ask", "secret words", saying("secret answer", wait=forever), conversation_id="gone")
    other = desk.start("ask", "hello", saying("hi"), conversation_id="stays")
    await settled()
    reader, before = desk.join(), desk.last_id
    desk.forget(Parted(frozenset({"gone"})))
    await settled()
    assert run.frames == []
    assert run.state is RunState.STOPPED
    with pytest.raises(NoRunError):
        desk.get(run.id)
    assert [type(f.event) for f in reader.take() if f.run == run.id] == [RunEnded, RunForgotten]
    assert desk.runs() == (other,)
    # Whoever comes back learns it, too: by the frame, or by a snapshot in which it is not.
    assert any(isinstance(frame.event, RunForgotten) for frame in desk.since(before) or ())
    assert desk.since(desk.first_id) is None


async def test_erased_words_stay_in_no_run_that_is_over(desk):
    """What is answered goes at once, what is being answered when it is over; work without words stays to be seen."""
    go_on = asyncio.Event()
    old, work = desk.start("ask", "old", saying("words")), desk.start("import", "file", saying())
    late = desk.start("ask", "late", saying("words", wait=go_on))
    await settled()
    desk.forget(Parted(words=True))
    await settled()
    assert desk.runs() == (work, late)
    assert (old.frames, late.running) == ([], True)
    go_on.set()
    await settled()
    assert desk.runs() == (work,)
    assert late.state is RunState.DONE
    assert late.frames == []


async def test_nothing_of_any_run_is_kept_once_the_desk_is_closed(desk):
    """After a wipe no frame lies in memory, of what ran or had ended."""
    desk.start("ask", "old", saying("words"))
    desk.start("ask", "new", saying("words", wait=asyncio.Event()))
    await settled()
    await desk.aclose()
    assert desk.runs() == ()
    assert not desk.goes_on("any")
