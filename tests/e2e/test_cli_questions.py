"""Questions of the past and their reasons, by commands."""

QUESTION = "What is the capital of Australia?"


def test_an_old_question_can_be_found_and_explained(home, models):
    """The list names every question; why takes the beginning of an id, else the last, and the time is in seconds."""
    models.join(home, "ada", "bob")
    first = home.json("ask", "--level", "fast", QUESTION)
    second = home.json("ask", "--level", "fast", "What is the capital of Peru?")
    listed = home.json("questions")["questions"]
    assert [each["query_id"] for each in listed] == [second["query_id"], first["query_id"]]
    assert listed[1]["question"] == QUESTION
    assert (listed[1]["level"], listed[1]["status"]) == ("fast", "finished")
    assert len(home.json("questions", "--limit", "1")["questions"]) == 1
    shown = home.run("questions").out
    assert QUESTION in shown
    assert first["trace_id"] in shown
    assert home.json("why")["trace_id"] == second["trace_id"]
    assert home.json("why", first["trace_id"][:-2])["trace_id"] == first["trace_id"]
    assert home.json("why", first["query_id"])["trace_id"] == first["trace_id"]
    reasons = home.run("why").out
    assert "What I chose and why" in reasons
    at = next(line for line in reasons.splitlines() if line.strip().startswith("At "))
    assert "." not in at.rstrip(".")


def test_a_question_that_nobody_answered_is_not_the_last_one_to_grade(home, models):
    """Comparing and grading mean the last question that was answered; naming the other one says why it cannot be."""
    models.join(home, "ada")
    answered = home.json("ask", "--level", "fast", QUESTION)
    models.says["ada"] = "503"
    failed = home.json("ask", "--level", "fast", "What is the capital of Peru?", code=5)
    assert home.json("compare")["query_id"] == answered["query_id"]
    assert home.json("grade", "right")["query_id"] == answered["query_id"]
    assert home.json("why")["trace_id"] == failed["trace_id"]
    assert "auritas questions" in home.run("compare", failed["query_id"], code=4).err
    assert "auritas questions" in home.run("why", "zz", code=3).err


def test_lines_in_a_pipe_are_whole(home, models):
    """What is read by a program or from a file is not wrapped, and no line is filled with blanks."""
    models.join(home, "ada")
    home.run("ask", "--level", "fast", "Tell me " + "very " * 25 + "much.")
    shown = home.run("why").out
    assert "very " * 25 + "much." in shown
    assert not any(line.endswith(" ") for line in shown.splitlines())


def test_the_reviewer_sits_in_the_council(home, models):
    """A seat that is not there is refused with those that are, and changes nothing; an empty value unsets it."""
    models.join(home, "ada")
    refused = home.run("config", "set", "reviewer", "adda", code=3)
    assert "In the council: ada." in refused.err
    assert home.run("config", "set", "reviewer", "ada").out.strip() == "reviewer is now ada."
    shown = home.json("config", "explain", "reviewer")
    assert (shown["now"], shown["default"], shown["from"]) == ("ada", None, "config.toml")
    assert home.run("config", "set", "reviewer", "").out.strip() == "reviewer is not set now."
