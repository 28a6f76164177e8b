"""`auritas search` as a person meets it: in one go, as one types, and without a terminal."""

import os

import pytest
from tests.e2e.test_cli_terminal import terminal

from auritas.app.compose import opened
from auritas.kernel.clock import timestamp

AT = "2026-01-01T00:00:00.000000Z"


@pytest.fixture
def talked(home):
    """A home with three conversations."""
    said = {
        "pool": ("Which pool size for postgres?", "A pool of twenty with MessageCache."),
        "trip": ("Plan a trip to Canberra", "Leave early and post a card."),
        "joke": ("Tell me a joke", "\x1b[2JA duck walks into a bar."),
    }
    with opened(home=home.path) as auritas, auritas.store.unit() as unit:
        for name, texts in said.items():
            run = unit.connection.exec_driver_sql
            row = (name, texts[0], AT, timestamp(auritas.clock.now()))
            run("INSERT INTO conversations (conversation_id, title, created_at, updated_at) VALUES (?, ?, ?, ?)", row)
            for number, text in enumerate(texts):
                message = (f"{name}-{number}", name, "assistant" if number else "user", text, AT)
                run(
                    "INSERT INTO messages (message_id, conversation_id, role, content, created_at) "
                    "VALUES (?, ?, ?, ?, ?)",
                    message,
                )
    return home


def test_words_are_found_at_once(talked):
    """What was just said is found without any other command; JSON holds places and marks as data (M14)."""
    done = talked.run("search", "pool", "messagecache")
    assert "MessageCache" in done.out
    assert "auritas conversations show pool --at pool-1" in done.out
    found = talked.json("search", "post")
    assert {hit["conversation_id"] for hit in found["conversations"]} == {"pool", "trip"}
    assert {"text": "post", "hit": True} in found["conversations"][0]["snippet"]


def test_nothing_found_says_what_to_try(talked):
    """Exit code 3, and two ways on."""
    done = talked.run("search", "xylophone", code=3)
    assert "Nothing holds 'xylophone'." in done.out
    assert "--meaning" in done.out


def test_errors_name_a_remedy(talked):
    """A day that is none, an unknown project, and no words without a terminal."""
    assert "before:2026-03-31" in talked.run("search", "pool", "before:soon", code=2).err
    assert "There is no project yet" in talked.run("search", "pool", "project:garden", code=3).err
    assert "Say what to look for" in talked.run("search", code=2).err


def test_words_can_be_left_out(talked):
    """-word is no option of the command."""
    found = talked.json("search", "pool", "-card")
    assert [hit["conversation_id"] for hit in found["conversations"]] == ["pool"]


def test_what_is_left_out_is_not_offered(talked):
    """Where -word leaves nothing, it says so, and neither people nor programs are offered what it left out."""
    done = talked.run("search", "canberra", "-card", code=3)
    assert "1 conversation holds canberra, but -card leaves it out." in done.out
    assert "Plan a trip" not in done.out
    assert talked.json("search", "canberra", "-card", code=3)["conversations"] == []


def test_what_only_leaves_out_looks_for_nothing(talked):
    """A search needs a word; a lone - or -word is told so."""
    assert "Say what to look for" in talked.run("search", "-", code=2).err
    assert "Say what to look for" in talked.run("search", "-card", code=2).err


def test_an_unknown_filter_is_told(talked):
    """What looks like a filter, is none and finds nothing names those that exist."""
    done = talked.run("search", "xylophone:wooden", code=3)
    assert "xylophone: is no filter. There are: project:, model:, domain:, before:, after:" in done.out


def test_foreign_text_cannot_move_the_cursor(talked):
    """Escapes in a message are removed before they reach the terminal."""
    done = talked.run("search", "duck")
    assert "duck" in done.out
    assert "\x1b[2J" not in done.out


def test_the_index_can_be_looked_after(talked):
    """Status tells what waits, rebuild ends with a sound index."""
    assert "Not indexed yet: 3 conversations" in talked.run("search", "status").out
    assert "6 of 6 messages are indexed" in talked.run("search", "rebuild").out
    assert talked.json("search", "status")["ok"] is True


def test_searching_as_one_types(talked):
    """Each key changes the results; an arrow selects, Enter opens the conversation at the message, Esc leaves."""
    with terminal(talked, "search") as shown:
        shown.until("Esc leaves")
        os.write(shown.handle, b"canb")
        shown.until("Plan a trip")
        shown.seen = ""
        os.write(shown.handle, b"\x7f\x7f\x7f\x7fpool")
        shown.until("Which pool size for postgres?")
        os.write(shown.handle, b"\x1b[B\x1b[A\r")
        screen = shown.until("A pool of twenty")
    assert "Which pool size" in screen
    assert shown.process.returncode == 0
    with terminal(talked, "search") as shown:
        shown.until("Esc leaves")
        os.write(shown.handle, b"before:soon x")
        shown.until("is not a day")
        os.write(shown.handle, b"\x15zzz")
        shown.until("Nothing found.")
        os.write(shown.handle, b"\x1b")
        shown.process.wait(30)
    assert shown.process.returncode == 0
