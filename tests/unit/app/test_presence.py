"""Presence: one server a home, found by others, and never believed after its death."""

import json
import os
import stat

import pytest

from auritas.app.presence import AlreadyServingError, NoServerError, held, here, is_served, require_running, running
from auritas.kernel.errors import UnavailableError


def test_a_server_is_found_while_it_serves_and_not_after(tmp_path, clock):
    """Its file is private, says where it is, and goes with it."""
    with held(tmp_path, clock) as post:
        assert running(tmp_path) is None, "nothing is said before it answers"
        post.announce(here("http://127.0.0.1:7117", clock))
        found = running(tmp_path)
        assert found is not None
        assert (found.url, found.place) == ("http://127.0.0.1:7117", "http://127.0.0.1:7117")
        assert found.started_at == clock.now()
        assert stat.S_IMODE((tmp_path / "server.json").stat().st_mode) == 0o600
    assert running(tmp_path) is None
    assert not (tmp_path / "server.json").exists()


def test_a_second_server_is_told_where_the_first_is(tmp_path, clock):
    """It is refused with the address of the first and what to do."""
    with held(tmp_path, clock) as post:
        post.announce(here("http://127.0.0.1:7118", clock))
        with pytest.raises(AlreadyServingError, match=r"http://127\.0\.0\.1:7118") as told, held(tmp_path, clock):
            pass
    assert "auritas open" in told.value.remedy


def test_what_a_dead_server_left_behind_counts_for_nothing(tmp_path, clock):
    """A file without its lock is stale: nobody is sent there, and the next server takes its place."""
    left = {"url": "http://127.0.0.1:1", "pid": 1, "started_at": "2026-01-01T00:00:00.000000Z"}
    (tmp_path / "server.json").write_text(json.dumps(left))
    (tmp_path / "server.lock").touch()
    assert running(tmp_path) is None
    with pytest.raises(NoServerError):
        require_running(tmp_path)
    with held(tmp_path, clock) as post:
        post.announce(here("http://127.0.0.1:7117", clock))
        found = running(tmp_path)
        assert found is not None
        assert found.url == "http://127.0.0.1:7117"


@pytest.mark.parametrize("text", ["", "{", "[]", '{"url": 1}', '{"url": "x", "pid": 1, "started_at": "never"}'])
def test_a_file_that_cannot_be_read_is_no_presence(tmp_path, clock, text):
    """Whatever stands in it, looking for a server never fails."""
    with held(tmp_path, clock):
        (tmp_path / "server.json").write_text(text)
        assert running(tmp_path) is None


def test_a_server_that_does_not_answer_yet_is_named_by_its_process(tmp_path, clock):
    """Who is kept away by one that begins or ends just now is told its process, and to wait."""
    with held(tmp_path, clock):
        assert is_served(tmp_path)
        with pytest.raises(AlreadyServingError, match=f"process {os.getpid()}") as told, held(tmp_path, clock):
            pass
    assert "wait" in told.value.remedy
    assert "auritas open" not in told.value.remedy
    assert not is_served(tmp_path)


def test_where_nothing_can_be_written_nothing_is_left(tmp_path, clock):
    """A server that cannot say where it is fails with what to do, and leaves no half-written file."""
    (tmp_path / "server.json" / "in the way").mkdir(parents=True)
    with held(tmp_path, clock) as post, pytest.raises(UnavailableError) as told:
        post.announce(here("http://127.0.0.1:7117", clock))
    assert told.value.remedy
    assert sorted(path.name for path in tmp_path.iterdir()) == ["server.json", "server.lock"]


def test_after_a_wipe_not_even_the_lock_is_left_and_the_next_server_begins(tmp_path, clock):
    """The post of a home that was wiped takes the empty folder with it; whoever comes then gets a lock of its own."""
    home = tmp_path / "home"
    with held(home, clock) as post:
        post.leave_nothing()
        assert not home.exists()
        with held(home, clock):
            assert is_served(home)
    assert not is_served(home)
