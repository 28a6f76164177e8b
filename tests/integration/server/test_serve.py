"""The process that serves, on a real socket."""

import asyncio
import contextlib
import socket

import httpx2
import pytest
from tests.integration.server.serving import Running, hanging, running_over

from auritas.kernel.errors import UsageError
from auritas.server.listening import PORT, Binding, ExposedError, NoAddressError, bound, is_loopback


@pytest.mark.anyio
async def test_it_stops_although_streams_are_open(hall):
    """Twenty open streams end by themselves when the server stops; nobody has to wait for them or cut them off."""
    ended: list[str] = []

    async def read(client: httpx2.AsyncClient, joined: asyncio.Event) -> None:
        async with client.stream("GET", "/api/v1/events") as answer:
            assert answer.status_code == 200
            lines = answer.aiter_lines()
            await anext(lines)
            joined.set()
            async for _ in lines:
                pass
        ended.append("whole")

    async with asyncio.timeout(60):
        async with running_over(hall) as running:
            joined = [asyncio.Event() for _ in range(20)]
            readers = [asyncio.ensure_future(read(running.client, each)) for each in joined]
            for each in joined:
                await each.wait()
            assert sum(desk.readers for desk in running.household.desks) == 20
            running.server.stop()
            await asyncio.gather(*readers)
    assert ended == ["whole"] * 20, "a stream that is cut off raises instead"


@pytest.mark.anyio
async def test_a_stop_ends_the_runs_too(hall):
    """A question that is being answered is stopped, and whoever follows it is told."""
    slow = hall.seat(hanging("slow"))
    async with asyncio.timeout(60), running_over(hall) as running:
        begun = await running.client.post("/api/v1/runs", json={"text": "Is it so?", "level": "fast"})
        assert begun.status_code == 201
        path = f"/api/v1/runs/{begun.json()['id']}/events?after=0"
        async with running.client.stream("GET", path) as answer:
            lines = [line async for line in answer.aiter_lines() if _stop_when_asked(line, running)]
    assert slow.running == 0
    assert any('"type":"run_ended"' in line and '"stopped"' in line for line in lines)
    assert all(not run.running for desk in running.household.desks for run in desk.runs())


def _stop_when_asked(line: str, running: Running) -> bool:
    if '"type":"answer_delta"' in line:
        running.server.stop()
    return True


@pytest.mark.anyio
async def test_what_is_cut_off_ends_before_the_server_does(hall):
    """An upload that never ends is cut off, and neither printed as a fault nor noted as one."""
    async with running_over(hall) as running:
        port = int(running.url.rpartition(":")[2])
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        head = f"POST /api/v1/attachments?name=x.txt HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: 9\r\n"
        writer.write(f"{head}Authorization: {running.client.headers['authorization']}\r\n\r\nabc".encode())
        await writer.drain()
        tasks = running.server._engine.server_state.tasks
        while not tasks:  # noqa: ASYNC110  the server tells nobody that a request has come
            await asyncio.sleep(0.01)
    assert not tasks
    assert hall.auritas.kept.troubles == []
    writer.close()


@pytest.mark.anyio
async def test_requests_are_counted_by_the_template_of_their_route(hall):
    """Metrics name routes, never the paths that were asked for, and count what the guard turns away."""
    async with running_over(hall) as running:
        await running.client.get("/api/v1/runs/01JAV3Q0000000000000000001")
        await running.client.get("/health/live")
        async with httpx2.AsyncClient(base_url=running.url) as stranger:
            assert (await stranger.get("/api/v1/made/up")).status_code == 401
        said = (await running.client.get("/metrics")).text
    assert 'auritas_requests_total{route="/api/v1/runs/{run_id}",method="GET",status="404"} 1' in said
    assert 'auritas_requests_total{route="/health/live",method="GET",status="200"} 1' in said
    assert 'auritas_requests_total{route="unmatched",method="GET",status="401"} 1' in said
    assert "01JAV3Q" not in said


@pytest.mark.anyio
async def test_a_unix_socket_serves_its_owner_alone(hall, tmp_path):
    """The socket can be used by nobody else, works like a port, and is gone afterwards."""
    path = tmp_path / "auritas.sock"
    async with running_over(hall, Binding(unix=path)) as running:
        assert path.stat().st_mode & 0o777 == 0o600
        assert (await running.client.get("/api/v1/runs")).json() == {"runs": []}
    assert not path.exists()


def test_a_taken_port_gives_way_to_the_next_unless_it_was_asked_for():
    """The usual port moves on when it is taken; one that a person named is refused with what to do."""
    with contextlib.ExitStack() as stack:
        urls = [stack.enter_context(bound(Binding())).url for _ in range(2)]
        ports = [int(url.rpartition(":")[2]) for url in urls]
        assert PORT <= ports[0] < ports[1]
        with pytest.raises(NoAddressError) as told, bound(Binding(port=ports[0])):
            pass
    assert "--port" in told.value.remedy


def test_a_socket_left_behind_is_taken_over_and_a_living_one_is_not(tmp_path):
    """What a killed server left does not hinder the next; another program's socket or file is not removed."""
    path = tmp_path / "s.sock"
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(path))
    with bound(Binding(unix=path)):
        with pytest.raises(NoAddressError), bound(Binding(unix=path)):
            pass
        assert path.exists()
    path.write_text("mine")
    with pytest.raises(NoAddressError), bound(Binding(unix=path)):
        pass
    assert path.read_text() == "mine"


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.4", "::", "example.org"])  # noqa: S104  nothing is bound
def test_only_everything_said_exposes_the_server(host, tmp_path):
    """Another address than this machine's needs certificate, key and the explicit wish; the error names what lacks."""
    file = tmp_path / "pem"
    file.touch()
    with pytest.raises(ExposedError, match="--tls-cert and --tls-key and --expose are missing"):
        Binding(host)
    with pytest.raises(ExposedError, match="--expose is missing"):
        Binding(host, certificate=file, key=file)
    with pytest.raises(ExposedError):
        Binding(host, expose=True)
    assert not is_loopback(host)


def test_half_a_certificate_is_refused(tmp_path):
    """A certificate without its key, or one that is not there, is told before anything starts."""
    file = tmp_path / "pem"
    with pytest.raises(UsageError, match="no file"):
        Binding(certificate=file, key=file)
    file.touch()
    with pytest.raises(UsageError, match="belong together"):
        Binding(certificate=file)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "127.1.2.3"])
def test_this_machine_needs_nothing_more(host):
    """The loopback is served without TLS."""
    assert is_loopback(host)
    assert Binding(host).scheme == "http"
