"""Memory, as a person uses it: by commands, and in the middle of a conversation."""

import json
import signal
from pathlib import Path

import pytest
from tests.e2e.conftest import Home, interrupted, says
from tests.e2e.test_cli_terminal import terminal

CHOIR = "How many members has our choir?"
WRONG = "No, that's wrong, it is 53."
CARD = "Our choir has 53 members."
TOO_MANY = "x" * 2_001
CANARY = "zyzzyvaquokka"


def member(messages: list[dict[str, str]]) -> str:
    """Answer as a model does that follows what was said."""
    return says("53") if "53" in " ".join(each["content"] for each in messages) else says("40")


@pytest.fixture
def asked(home: Home, models) -> Home:
    """A home in which ada and bob answered a question wrongly."""
    models.says |= {"ada": member, "bob": member}
    models.join(home, "ada", "bob")
    home.json("ask", "--level", "high", CHOIR)
    return home


def listed(home: Home, *flags: str) -> list[str]:
    return [each["claim"] for each in home.json("memory", "list", *flags)["corrections"]]


def test_an_empty_memory_says_what_to_do(home):
    """Where nothing is remembered, each command says so and how to begin."""
    assert "auritas memory add" in home.run("memory", "list").out
    assert "Nothing waits" in home.run("memory", "list", "--proposed").out
    assert "auritas memory add" in home.run("memory", "show", code=3).err
    assert "Nothing was asked yet" in home.run("memory", "why", code=3).err
    assert "nothing to undo" in home.run("memory", "undo", code=3).err
    assert "Nothing waits for your yes" in home.run("memory", "confirm", code=3).err
    assert "Nothing yet" in home.run("memory", "export").out
    assert listed(home) == []


def test_a_correction_is_understood_shown_stored_and_asked_again(asked):
    """The story by commands: what was understood, whom it grades, the new answer, why, and the undo of all of it."""
    said = asked.run("ask", "--level", "high", "--in", "members has our", WRONG).out
    assert f'Remembered: Asked "{CHOIR}", the answer is: it is 53.' in said
    assert "counts as wrong" in said
    assert f"Asked again: {CHOIR}" in said
    assert said.index("Asked again") < said.index("log entry")
    (shown,) = asked.json("memory", "list")["corrections"]
    assert (shown["claim"], shown["canonical_query"], shown["state"]) == ("it is 53", CHOIR, "active")
    assert "it is 53" in asked.run("memory", "show", shown["id"][:13]).out
    grades = asked.json("grade", "list")["acts"]
    assert [each["state"] for each in grades] == ["holds"]
    assert "Taken back: it is 53" in asked.run("memory", "undo").out
    assert [each["state"] for each in asked.json("grade", "list")["acts"]] == ["undone"]
    assert listed(asked) == []
    assert asked.json("audit", "verify")["ok"] is True


def test_one_document_tells_a_program_everything(asked):
    """With --json a message that corrects and one that only tells each end in one document."""
    said = asked.json("ask", "--level", "fast", "--in", "members has our", WRONG)
    assert said["remembered"]["asked_again"] == CHOIR
    assert said["remembered"]["already"] is False
    assert said["answer"] == "53"
    told = asked.json("ask", "Remember that I prefer green tea.")
    assert told["reply"].startswith("Remembered: ")
    assert asked.json("conversations", "show", told["conversation_id"])["messages"][1]["text"] == told["reply"]


def test_a_card_is_confirmed_or_dismissed_by_its_id(asked):
    """What may be meant is answered, proposed with the two commands, and holds only after a yes."""
    said = asked.run("ask", "--level", "fast", "--in", "members has our", CARD).out
    (card,) = asked.json("memory", "list", "--proposed")["corrections"]
    assert f"auritas memory confirm {card['id']}" in said
    assert f"auritas memory dismiss {card['id']}" in said
    confirmed = asked.run("memory", "confirm", card["id"]).out
    assert f'auritas ask "{CHOIR}"' in confirmed
    assert "already" in asked.run("memory", "confirm", card["id"], code=4).err
    assert asked.json("memory", "show")["state"] == "active"


def test_a_change_of_mind_is_said_and_taken_back(home):
    """What is replaced is named with the undo, stays in the list of all, and comes back; edits and pins, too."""
    home.run("memory", "add", "Use metric units")
    said = home.run("memory", "add", "Use imperial units").out
    assert "This replaces: Use metric units" in said
    assert "auritas memory undo" in said
    assert listed(home, "--all") == ["Use imperial units", "Use metric units"]
    assert "superseded" in home.run("memory", "show", home.json("memory", "list", "--all")["corrections"][1]["id"]).out
    assert "Holds again: Use metric units" in home.run("memory", "undo").out
    home.run("memory", "pin")
    assert "pinned" in home.run("memory", "list").out
    home.run("memory", "unpin")
    (one,) = home.json("memory", "list")["corrections"]
    home.run("memory", "edit", one["id"][:13], "Use metric units, except for screens")
    assert listed(home) == ["Use metric units, except for screens"]
    home.run("memory", "undo")
    assert listed(home) == ["Use metric units"]


def test_one_conversation_goes_without_what_holds_elsewhere(asked):
    """`leave-out` keeps a pinned rule from one conversation, says so in the reasons, and is taken back (M5)."""
    asked.run("memory", "add", "--pin", "Use metric units")
    (one,) = asked.json("memory", "list")["corrections"]
    said = asked.run("memory", "leave-out", one["id"][:13], "--conversation", "members has our").out
    assert "Left out: Use metric units" in said
    assert "Nothing changed" in asked.run("memory", "leave-out", one["id"], "--in", "members has our").out
    asked.run("ask", "--level", "high", "--in", "members has our", "How many sing bass?")
    assert "left out here, because you asked for it" in asked.run("memory", "why", "--all").out
    assert "Enters again" in asked.run("memory", "leave-out", one["id"], "--in", "members has our", "--undo").out
    assert "Left out again" in asked.run("memory", "undo").out


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("add", TOO_MANY), 2, "2,001 characters"),
        (("add", ""), 2, "nothing to remember"),
        (("add", "my password is hunter2horse"), 4, "secret"),
        (("add", "x", "--project", "--in", "y"), 2, "one place"),
        (("add", "x", "--project"), 3, "auritas projects use"),
        (("show", ""), 2, "empty"),
        (("erase", "", "--yes"), 2, "empty"),
        (("erase", "zzz"), 3, "auritas memory list"),
        (("erase",), 4, "--yes"),
        (("move",), 2, "one place"),
        (("move", "--in", "nowhere"), 3, "auritas conversations list"),
        (("why", "zzz"), 3, "auritas questions"),
        (("import", "nothing.json"), 5, "memory was written"),
        (("replace", "0", "0"), 4, "two by their ids"),
    ],
)
def test_each_mistake_has_a_remedy(home, words, code, told):
    """Nothing is changed, and the error says what to do."""
    home.run("memory", "add", "Use metric units")
    failed = home.run("memory", *words, code=code)
    assert told in failed.err
    assert "Traceback" not in failed.err
    assert listed(home) == ["Use metric units"]


def test_strange_words_cannot_harm_a_screen(home):
    """Markup is shown as typed, escapes and direction overrides are not sent to a terminal, JSON keeps all."""
    strange = "[bold]Use[/bold] \x1b[31mred\x1b[0m \u202eunits استخدم"
    home.extra["NO_COLOR"] = "1"
    for shown in (
        home.run("memory", "add", strange).out,
        home.run("memory", "list").out,
        home.run("memory", "show").out,
    ):
        assert "[bold]Use[/bold] red units استخدم" in shown
        assert "\x1b" not in shown
        assert "\u202e" not in shown
    assert listed(home) == [strange]


def test_ambiguous_ids_list_their_choices(home):
    """Ids of one minute share their beginning; what the list shows of each is enough."""
    home.run("memory", "add", "I like green tea")
    home.run("memory", "add", "I like long walks")
    failed = home.run("memory", "show", home.json("memory", "list")["corrections"][0]["id"][:3], code=2)
    assert "green tea" in failed.err
    assert "long walks" in failed.err
    shown = [line.split()[0] for line in home.run("memory", "list").out.splitlines() if "I like" in line]
    assert len(set(shown)) == 2
    assert "I like" in home.run("memory", "show", shown[0]).out


def test_written_out_and_read_in(home, tmp_path: Path):
    """A file comes back whole elsewhere, adds nothing a second time, and is written over only with --force."""
    home.run("memory", "add", "Use metric units", "--pin")
    home.run("memory", "add", CARD, "--kind", "fact", "--asked", CHOIR)
    file = tmp_path / "memory.json"
    assert "Wrote 2 memories" in home.run("memory", "export", str(file)).err
    assert "--force" in home.run("memory", "export", str(file), code=4).err
    other = Home(tmp_path / "other")
    assert "2 memories added, 0 known" in other.run("memory", "import", str(file)).out
    assert "0 memories added, 2 known" in other.run("memory", "import", str(file)).out
    document = json.loads(file.read_text())
    document["corrections"].append({"claim": 7})
    file.write_text(json.dumps(document))
    assert "Left out, entry 3" in other.run("memory", "import", str(file)).out
    assert "Use metric units (pinned)" in other.run("memory", "export").out


def test_erasing_says_what_stays_and_everywhere_takes_it_along(home, models):
    """It asks first; with --everywhere no command finds the word again, and the log still verifies (F13)."""
    models.says["ada"] = lambda messages: says(CANARY if CANARY in messages[-1]["content"] else "so")
    models.join(home, "ada")
    home.run("ask", "--level", "fast", f"Remember that our mascot is the {CANARY}. What should I cook?")
    refused = home.run("memory", "erase", code=4)
    assert "Nothing was erased" in refused.err
    assert f"This erases for good: our mascot is the {CANARY}" in " ".join(refused.err.split())
    assert "With --everywhere they go, too." in refused.err
    done = home.json("memory", "erase", "--last", "--everywhere", "--yes")
    assert done["messages_left"] == 0
    for command in (("search", CANARY), ("memory", "list", "--all"), ("questions",), ("conversations", "list")):
        assert CANARY not in home.run(*command, code=None).out.replace(f"hold {CANARY}", "").replace(f"'{CANARY}'", "")
    assert home.json("audit", "verify")["ok"] is True


def test_killed_while_the_question_is_asked_again(asked, models):
    """Correction and grade are there together, the log verifies, and the next process goes on."""
    models.hold.clear()
    models.arrived.clear()
    process = asked.start("ask", "--level", "fast", "--in", "members has our", WRONG)
    interrupted(process, models.arrived.is_set, signal.SIGKILL)
    models.hold.set()
    assert listed(asked) == ["it is 53"]
    assert [each["state"] for each in asked.json("grade", "list")["acts"]] == ["holds"]
    said = [each["text"] for each in asked.json("conversations", "show", "members has our")["messages"]]
    assert said[-1] == WRONG
    assert asked.json("audit", "verify")["ok"] is True
    assert asked.json("ask", "--level", "fast", "--in", "members has our", "And now?")["answer"] == "53"


def test_what_is_stored_is_told_even_when_nobody_can_answer(home):
    """Without a model the words are kept and said so, and the error names what is missing."""
    failed = home.run("ask", "Remember that I'm vegan. What should I cook?", code=None)
    assert failed.code != 0
    assert "Remembered: The user says: I'm vegan." in failed.out
    assert "No model is installed" in failed.err
    assert listed(home) == ["I'm vegan"]


def test_a_conversation_remembers(asked):
    """In chat a correction, /memory, /undo of the newer thing, /here, /replace and /search speak its own commands."""
    with terminal(asked, "chat", "--in", "members has our") as shown:
        shown.until("> ")
        shown.answers("/here", "Nothing was remembered in this conversation")
        shown.answers(WRONG, "log entry")
        assert "undo: /undo" in shown.seen
        shown.answers("/memory", CHOIR)
        shown.answers("/right", "Take it back: /undo")
        shown.answers("/undo", "Taken back")
        shown.answers("/undo", "Taken back: it is 53")
        shown.answers("/remember my password is hunter2horse", "secret")
        shown.answers("/remember Use metric units", "undo: /undo")
        shown.answers("/here", "in one conversation")
        shown.answers("/replace", "needs the id")
        shown.answers("/search choir", CHOIR)
        shown.type("/quit")
    assert shown.process.returncode == 0
    assert asked.json("memory", "show")["scope"] == "conversation"


def test_a_card_in_a_conversation_is_kept_or_dropped(asked):
    """/keep stores it, grades, and asks the corrected question again at once; /drop forgets it."""
    with terminal(asked, "chat", "--in", "members has our") as shown:
        shown.until("> ")
        shown.answers("/keep", "Nothing was proposed here")
        shown.answers(CARD, "Yes: /keep · No: /drop")
        shown.answers("/keep", "log entry")
        assert f"Asked again: {CHOIR}" in shown.seen
        shown.answers("I prefer short answers, I guess", "Yes: /keep · No: /drop")
        shown.answers("/drop", "Dropped: I prefer short answers")
        shown.answers("/edit How many singers has our choir?", "log entry")
        shown.type("/quit")
    assert listed(asked) == ["Our choir has 53 members"]
    titles = [each["title"] for each in asked.json("conversations", "list")["conversations"]]
    assert any("branch" in title for title in titles)


def test_a_yes_in_a_branch_does_not_lead_out_of_it(asked):
    """The corrected question is asked again where it was asked, and the person goes on in the branch (M5)."""
    with terminal(asked, "chat", "--in", "members has our") as shown:
        shown.until("> ")
        shown.answers(CARD, "Yes: /keep · No: /drop")
        shown.answers("/edit How many singers has our choir?", "log entry")
        shown.answers("/keep", "You go on in this conversation.")
        shown.answers("And how many chairs?", "log entry")
        shown.type("/quit")
    last, *_ = asked.json("conversations", "list")["conversations"]
    said = [each["text"] for each in asked.json("conversations", "show", last["id"])["messages"]]
    assert "branch" in last["title"]
    assert said[-4::2] == ["How many singers has our choir?", "And how many chairs?"]


def test_what_was_understood_is_told_at_once_and_once(asked, models):
    """While the question is asked again it stands on the screen; Ctrl-C then says that it stays (M3)."""
    with terminal(asked, "chat", "--in", "members has our") as shown:
        shown.until("> ")
        shown.answers(WRONG, "log entry")
        assert shown.seen.count("Remembered: ") == 1
        shown.answers("/undo", "Taken back")
        models.hold.clear()
        models.arrived.clear()
        shown.answers(WRONG, "Remembered: ")
        assert models.arrived.wait(30)
        shown.process.send_signal(signal.SIGINT)
        shown.until("What was remembered stays.")
        models.hold.set()
        assert shown.seen.count("Remembered: ") == 1
        shown.type("/quit")
    assert listed(asked) == ["it is 53"]


def test_a_field_is_called_a_field(home):
    """The field that the help names as an example can be given, and an unknown one is said to be no field."""
    example = home.run("memory", "add", "--help").out.partition("such as")[2].split()
    field = next(word for word in example if word.isascii() and word.strip(".").isalpha()).strip(".")
    assert f"for {field}" in home.run("memory", "add", "Name the dose", "--field", field).out
    failed = home.run("memory", "add", "Name the dose", "--field", "kayaking", code=3)
    assert "There is no field 'kayaking'." in failed.err


def test_here_needs_a_conversation(home, models):
    """What is remembered before anything was said has no conversation to hold in."""
    models.join(home, "ada")
    with terminal(home, "chat") as shown:
        shown.until("> ")
        shown.answers("/remember Use metric units", "undo: /undo")
        shown.answers("/here", "There is no conversation yet")
        shown.type("/quit")
    assert home.json("memory", "show")["scope"] == "global"
