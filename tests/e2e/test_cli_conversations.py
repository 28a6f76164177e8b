"""Conversations, projects and imports, as a person uses them: by commands."""

import json
from pathlib import Path
from typing import Any

QUESTION = "What is the capital of Australia?"
SECOND = "And of Peru?"


def claude(name: str, *said: str) -> dict[str, Any]:
    messages = [
        {
            "uuid": f"{name}-{n}",
            "sender": ("human", "assistant")[n % 2],
            "text": text,
            "created_at": f"2024-05-01T10:00:{n:02}Z",
        }
        for n, text in enumerate(said)
    ]
    head = {"uuid": name, "name": name, "created_at": "2024-05-01T10:00:00Z", "updated_at": "2024-05-01T11:00:00Z"}
    return head | {"chat_messages": messages}


def test_an_empty_store_says_what_to_do(home):
    """Where there is nothing yet, each list names the command that begins."""
    assert "auritas import" in home.run("conversations", "list").out
    assert "auritas projects new" in home.run("projects", "list").out
    assert "auritas conversations list" in home.run("conversations", "show", "soup", code=3).err


def test_a_conversation_is_found_read_and_put_in_order(home, models):
    """From a question to its archive: each change says how to take it back, and that command does."""
    models.join(home, "ada")
    asked = home.json("ask", "--level", "fast", QUESTION)
    (listed,) = home.json("conversations", "list")["conversations"]
    assert (listed["id"], listed["title"], listed["messages"]) == (asked["conversation_id"], QUESTION, 2)
    shown = home.json("conversations", "show", "capital of")
    assert [(said["number"], said["role"]) for said in shown["messages"]] == [(1, "user"), (2, "assistant")]
    assert "Canberra" in home.run("conversations", "show", "capital of", "--at", "2").out
    renamed = home.run("conversations", "rename", "capital of", "Down Under").out
    assert f"rename {listed['id'][:8]}" in renamed
    home.run("projects", "new", "Travel")
    assert "--out" in home.run("conversations", "move", "Down Under", "Travel").out
    assert "unarchive" in home.run("conversations", "archive", "Down Under").out
    assert home.json("conversations", "list")["conversations"] == []
    home.run("conversations", "unarchive", "Down Under")
    assert home.json("conversations", "list")["conversations"][0]["project"] == "Travel"


def test_a_branch_asks_in_other_words(home, models):
    """A branch before a question has what was said before it, and goes on as a conversation of its own."""
    models.join(home, "ada")
    first = home.json("ask", "--level", "fast", QUESTION)
    home.run("ask", "--level", "fast", "--in", first["conversation_id"], SECOND)
    made = home.json("conversations", "branch", first["conversation_id"], "--before", "3")
    assert (made["messages"], made["asks_anew"], made["origin"]) == (2, SECOND, first["conversation_id"])
    home.run("ask", "--level", "fast", "--in", made["id"], "And of Chile?")
    said = [each["text"] for each in home.json("conversations", "show", made["id"])["messages"]]
    assert (said[0], said[2], len(said)) == (QUESTION, "And of Chile?", 4)
    branches = home.json("conversations", "show", first["conversation_id"])["branches"]
    assert [(each["at"], each["id"]) for each in branches] == [(3, made["id"])]
    assert "your own" in home.run("conversations", "branch", first["conversation_id"], "--before", "2", code=2).err


def test_deleting_asks_first_and_says_what_goes(home, models):
    """Without a yes nothing happens; with one the conversation is gone, the log verifies, and archive was offered."""
    models.join(home, "ada")
    asked = home.json("ask", "--level", "fast", QUESTION)
    refused = home.run("conversations", "delete", "capital", code=4)
    assert "cannot be undone" in refused.err
    assert "auritas conversations archive" in refused.err
    assert "--yes" in refused.err
    done = home.json("conversations", "delete", "capital", "--yes")
    assert (done["deleted"], done["messages"], done["questions"]) == ([asked["conversation_id"]], 2, 1)
    assert done["entries"] >= 2
    assert home.json("conversations", "list")["conversations"] == []
    assert home.json("audit", "verify")["ok"] is True


def test_imports_and_exports_go_round(home, tmp_path: Path):
    """An export of another program lands once, is written out in both forms, and is not written over unasked."""
    file = tmp_path / "conversations.json"
    file.write_text(
        json.dumps([claude("Soup", "What is missing?", "Salt."), {"broken": True}, claude("Bread", "Why?")])
    )
    done = home.run("import", str(file))
    assert "2 new conversations and 3 new messages" in done.out
    assert "Entry 2 was left out" in done.err
    assert home.json("import", str(file))["known"] == 2
    target = tmp_path / "out.json"
    home.run("conversations", "export", "--all", "--json", "--to", str(target))
    assert "--force" in home.run("conversations", "export", "Soup", "--to", str(target), code=4).err
    assert home.json("import", str(target))["known"] == 2
    shown = home.run("conversations", "export", "Soup").out
    assert "Salt." in shown
    assert "2024-05-01" in shown
    assert "conversations.json" in home.run("import", str(tmp_path / "none.json"), code=3).err


def test_a_project_goes_without_its_conversations(home, tmp_path: Path):
    """It says how many stay, and deletes nothing unasked."""
    file = tmp_path / "conversations.json"
    file.write_text(json.dumps([claude("Soup", "q", "a"), claude("Bread", "q")]))
    home.run("import", str(file))
    home.run("projects", "new", "Kitchen")
    home.run("conversations", "move", "Soup", "Kitchen")
    refused = home.run("projects", "delete", "Kitchen", code=4)
    assert "conversation stays" in refused.err
    home.run("projects", "delete", "Kitchen", "--yes")
    assert len(home.json("conversations", "list")["conversations"]) == 2
