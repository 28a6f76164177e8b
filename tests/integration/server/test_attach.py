"""A terminal that uses the running server."""

import asyncio
import io
import re

import pytest
from rich.console import Console
from tests.integration.app.hall import voice
from tests.integration.server.serving import hanging, running_over

from auritas.app.attaching import attached, error_of, one_time_address
from auritas.app.frames import KINDS, StrangeFrameError, name_of, read
from auritas.app.presence import NoServerError
from auritas.app.runs import Frame
from auritas.cli.ask import watch
from auritas.cli.attach import Asking
from auritas.cli.report import as_text
from auritas.cli.turn import Turn, turn_document
from auritas.kernel.answers import AccuracyLevel
from auritas.kernel.errors import NotFoundError, UnavailableError, UsageError
from auritas.kernel.events import Acknowledged, AskFinished, AskStarted, Remembered
from auritas.server import wire
from auritas.server.listening import Binding

HIGH = AccuracyLevel.HIGH
_OF_ITS_OWN = re.compile(r"trace \S+ · log entry \d+")


def seats(hall) -> None:
    hall.seat(voice("ada", "yes"), 15)
    hall.seat(voice("ben", "no"), 12)
    hall.seat(voice("cyd", "yes"), 13)


async def asked(asking: Asking, text: str, **more) -> Turn:
    turn = Turn()
    async with asyncio.timeout(60):
        await watch(asking.ask(text, level=HIGH, **more), turn, live=False)
    return turn


def shown(turn: Turn) -> str:
    """Return what a terminal prints of an answer, without what is its alone: id and place in the log."""
    assert turn.result is not None
    screen = Console(file=io.StringIO(), width=100)
    screen.print(as_text(turn.result))
    assert isinstance(screen.file, io.StringIO)
    return _OF_ITS_OWN.sub("", screen.file.getvalue())


@pytest.mark.anyio
async def test_an_answer_reads_the_same_with_and_without_a_server(hall):
    """The same question to the same members gives the same text, whether this process or the server asks them."""
    seats(hall)
    asking = Asking(hall.auritas)
    alone = await asked(asking, "Is it so?")
    assert not asking.there
    async with running_over(hall):
        there = await asked(asking, "Is it so?")
        assert asking.there
    assert shown(there) == shown(alone)
    assert shown(alone).strip()
    assert turn_document(there).keys() == turn_document(alone).keys()


@pytest.mark.anyio
async def test_what_is_remembered_arrives_too(hall):
    """A statement is acknowledged through the server as it is without one, and the conversation goes on there."""
    seats(hall)
    async with running_over(hall):
        asking = Asking(hall.auritas)
        turn = await asked(asking, "Remember that our choir has 53 members.")
        assert isinstance(turn.remembered, Remembered)
        assert isinstance(turn.acknowledged, Acknowledged)
        assert turn.conversation_id
        goes_on = await asked(asking, "Is it so?", conversation_id=turn.conversation_id)
        assert goes_on.conversation_id == turn.conversation_id


@pytest.mark.anyio
async def test_errors_of_a_question_are_the_same_errors(hall):
    """What a question is refused for keeps its class through the server, and with it the exit code of the command."""
    async with running_over(hall):
        asking = Asking(hall.auritas)
        with pytest.raises(UsageError):
            await asked(asking, " ")
        with pytest.raises(UnavailableError) as told:
            await asked(asking, "Is it so?")
        assert told.value.code == "no_model"
        seats(hall)
        with pytest.raises(NotFoundError):
            await asked(asking, "Is it so?", conversation_id="01JAV3Q0000000000000000001")


@pytest.mark.anyio
async def test_leaving_stops_the_run(hall):
    """Ctrl-C in the terminal stops the question in the server."""
    seats(hall)
    slow = hall.seat(hanging("slow"))
    async with asyncio.timeout(60), running_over(hall) as running:
        events = Asking(hall.auritas).ask("Is it so?", level=HIGH)
        async for event in events:
            if isinstance(event, AskStarted):
                break
        await events.aclose()
        (desk,) = running.household.desks
        (run,) = desk.runs()
        reader = desk.join(run.id)
        while run.running:
            await reader.wait(1)
        assert run.state == "stopped"
        assert slow.running == 0


@pytest.mark.anyio
async def test_a_question_that_is_stopped_elsewhere_says_so(hall):
    """When the server stops, or somebody stops the question on its page, the terminal is told that."""
    seats(hall)
    hall.seat(hanging("slow"))
    async with asyncio.timeout(60), running_over(hall) as running:
        events = Asking(hall.auritas).ask("Is it so?", level=HIGH)
        while not isinstance(await anext(events), AskStarted):
            pass
        running.server.stop()
        with pytest.raises(UnavailableError) as told:
            [_ async for _ in events]
    assert told.value.code == "stopped"


@pytest.mark.anyio
async def test_a_locked_server_is_left_alone(hall):
    """Where the server cannot do anything yet, the command does its work itself."""
    seats(hall)
    async with running_over(hall) as running:
        running.household._main = None  # as before its passphrase was given
        asking = Asking(hall.auritas)
        turn = await asked(asking, "Is it so?")
        running.household._main = hall.auritas
    assert turn.result is not None
    assert not asking.there


@pytest.mark.anyio
async def test_a_unix_socket_is_as_good(hall, tmp_path):
    """A terminal finds a server on a socket, too."""
    seats(hall)
    async with running_over(hall, Binding(unix=tmp_path / "a.sock")):
        asking = Asking(hall.auritas)
        assert (await asked(asking, "Is it so?")).result is not None
        assert asking.there


@pytest.mark.anyio
async def test_a_one_time_address_lets_a_browser_in_once(hall):
    """`auritas open` gets an address from the running server; it works once, and sets a cookie no script can read."""
    home = hall.auritas.settings.home
    with pytest.raises(NoServerError):
        await one_time_address(home)
    async with running_over(hall) as running:
        address = await one_time_address(home)
        browser = running.client
        del browser.headers["authorization"]
        first = await browser.get(address)
        assert (first.status_code, first.headers["location"]) == (303, "/")
        assert "httponly" in first.headers["set-cookie"].lower()
        assert (await browser.get("/api/v1/runs")).status_code == 200
        assert (await browser.get(address)).status_code == 410


def test_nothing_runs_where_nobody_serves(tmp_path):
    """Without a server there is nothing to attach to."""
    assert attached(tmp_path) is None


@pytest.mark.anyio
async def test_every_event_of_a_question_survives_the_wire(hall):
    """What the server writes is read back as the very same event."""
    seats(hall)
    events = [*await hall.events("Is it so?"), *await hall.events("Remember that our choir has 53 members.")]
    assert any(isinstance(event, AskFinished) for event in events)
    for number, event in enumerate(events):
        (told,) = read(wire.line(Frame(number, "r", event)))
        assert (told.id, told.run) == (number, "r")
        assert wire.encode(told.event) == wire.encode(event)
        if not isinstance(event, AskFinished):  # what members wrote in the raw is not compared, and not lost
            assert told.event == event


def test_names_on_the_wire_are_those_of_the_server():
    """Reader and writer name every kind of event alike."""
    assert [name_of(kind) for kind in KINDS] == [wire.type_of(kind) for kind in KINDS]
    assert set(KINDS) == set(wire._KINDS)


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b'{"type": "unheard_of", "data": {}}', b'{"type": "notice"}'])
def test_a_frame_of_another_version_is_an_error_that_says_so(data):
    """What cannot be read tells the person to start the server anew."""
    with pytest.raises(StrangeFrameError) as told:
        read(data)
    assert "auritas serve" in told.value.remedy


def test_an_error_is_known_by_its_code_and_else_by_its_status():
    """A code of ours gives its own class; an unknown one the category of its status."""
    assert error_of("no_model", "m", "r").exit_code == UnavailableError.exit_code
    assert type(error_of("no_model", "m", "r")).__name__ == "NoModelError"
    assert type(error_of("unheard_of", "m", "r", 404)) is NotFoundError
    assert type(error_of("unheard_of", "m", "r", 422)) is UsageError
