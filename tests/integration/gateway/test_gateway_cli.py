"""`auritas egress` as a person and a program read it."""

import asyncio
import json

import pytest
from tests.unit.gateway.doubles import WHY

from auritas.app.compose import opened
from auritas.cli.root import run
from auritas.gateway.model import Outbound


def send(*hosts: str) -> None:
    """Write requests into the ledger of the test's own home, as the gateway does."""
    with opened() as auritas:
        for host in hosts:
            loopback = host.startswith("127.")
            outbound = Outbound("POST", host, f"https://{host}/v1/\x1b[2Jchat", 1234, b"x", loopback, "sonnet", WHY)
            asyncio.run(auritas.egress_ledger.record(outbound))


def test_an_empty_ledger_says_that_nothing_has_left(capsys: pytest.CaptureFixture[str]):
    """The first thing that a careful person asks has a plain answer (F17)."""
    assert run(["egress"]) == 0
    assert "Nothing has left this machine." in capsys.readouterr().out


def test_what_stayed_on_the_machine_did_not_leave_it(capsys: pytest.CaptureFixture[str]):
    """Requests to this machine are listed, and the sentence still holds."""
    send("127.0.0.1:11434")
    assert run(["egress"]) == 0
    out = capsys.readouterr().out
    assert "Nothing has left this machine." in out
    assert "127.0.0.1:11434" in out


def test_the_list_tells_to_whom_why_and_how_much(capsys: pytest.CaptureFixture[str]):
    """One line per request and one per host and day; foreign text is harmless."""
    send("api.example.com", "api.example.com")
    assert run(["egress", "--since", "1h", "--model", "sonnet"]) == 0
    out = capsys.readouterr().out
    assert "Nothing has left" not in out
    assert out.count("api.example.com") == 3
    assert "2 requests" in out
    assert "\x1b[2J" not in out


def test_the_document_is_complete(capsys: pytest.CaptureFixture[str]):
    """A program gets every field, the totals, and the cursor of the next page."""
    send("a.example.com", "b.example.com")
    assert run(["egress", "--json", "--limit", "1"]) == 0
    first = json.loads(capsys.readouterr().out)
    assert [r["host"] for r in first["requests"]] == ["b.example.com"]
    assert first["left_the_machine"]
    assert len(first["totals"]) == 2
    assert run(["egress", "--json", "--limit", "1", "--after", first["next"]]) == 0
    second = json.loads(capsys.readouterr().out)
    assert [r["host"] for r in second["requests"]] == ["a.example.com"]
    assert second["next"] is None
    assert len(second["requests"][0]["commitment"]) == 64


@pytest.mark.parametrize("arguments", [["--since", "recently"], ["--limit", "0"], ["--after", "x"]])
def test_a_wrong_option_is_a_sentence(capsys: pytest.CaptureFixture[str], arguments: list[str]):
    """A wrong time, size or cursor is told on standard error and ends with exit code 2."""
    assert run(["egress", *arguments]) == 2
    assert "Traceback" not in capsys.readouterr().err
