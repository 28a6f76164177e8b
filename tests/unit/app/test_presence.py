"""Presence: one server a home, found by others, and never believed after its death."""

import json
import stat

import pytest

from auritas.app.presence import AlreadyServingError, NoServerError, held, here, require_running, running


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
