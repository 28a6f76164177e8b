"""Asking, as a person asks: through the command, with real servers behind it."""

import re

import pytest
from tests.e2e.conftest import reviewing, says

QUESTION = "What is the capital of Australia?"


def test_an_answer_says_who_said_what_how_sure_and_why(home, models):
    """The answer stands with its supporters, the dissenter, the label, the reason and the log entry."""
    models.join(home, "ada", "bob", "eve")
    shown = home.run("ask", "--level", "high", QUESTION).out
    assert shown.splitlines()[0] == "Canberra"
    words = " ".join(shown.split())
    for part in ("● ada", "● bob", "○ eve Sydney", "How sure", "Why", "log entry", "calculator abstains"):
        assert part in words


def test_the_json_of_an_answer_has_its_documented_form(home, models):
    """Programs get answer, members, candidates, chosen, confidence, trace and audit entry."""
    models.join(home, "ada", "bob", "eve")
    result = home.json("ask", "--level", "high", QUESTION)
    assert result["answer"] == result["chosen"] == "Canberra"
    members = {member["seat"]: member for member in result["members"]}
    assert set(members) == {"ada", "bob", "eve", "calculator"}
    wanted = {"seat", "model", "answer", "confidence", "latency_ms", "cost", "abstained", "error"}
    assert all(wanted <= set(member) for member in members.values())
    assert members["calculator"]["abstained"] is True
    assert members["ada"]["confidence"] == 0.8
    assert {tuple(c["supporters"]) for c in result["candidates"]} == {("ada", "bob"), ("eve",)}
    assert result["confidence"]["p"] is None
    assert result["confidence"]["label"] in {"High", "Medium", "Uncertain"}
    assert re.fullmatch(r"tr_[a-z0-9]{12}", result["trace_id"])
    assert result["audit"]["seq"] > 0
    assert result["audit"]["level"] == "unsigned"


def test_at_maximum_everybody_reads_the_answer(home, models):
    """Every other member reviews what is shown; who objects is named, with its words, and caps the confidence."""
    models.says |= {
        "ada": reviewing("Canberra", "correct"),
        "bob": reviewing("Canberra", "correct"),
        "eve": reviewing("Sydney", "incorrect", "Sydney"),
    }
    models.join(home, "ada", "bob", "eve")
    result = home.json("ask", "--level", "maximum", QUESTION)
    assert result["answer"] == "Canberra"
    verdicts = {review["reviewer"]: review["verdict"] for review in result["reviews"]}
    author = result["shown_seat"]
    assert verdicts == {seat: "incorrect" if seat == "eve" else "correct" for seat in {"ada", "bob", "eve"} - {author}}
    (objection,) = (review for review in result["reviews"] if review["reviewer"] == "eve")
    assert (objection["issues"], objection["correction"]) == (["Look again."], "Sydney")
    assert result["confidence"]["label"] != "High"
    assert any("eve finds this wrong: Look again." in notice for notice in result["notices"])
    words = " ".join(home.run("ask", "--level", "maximum", QUESTION).out.split())
    assert "incorrect blind, by eve" in words
    assert "! The blind reviewer eve finds this wrong" in words


def test_the_json_of_an_answer_says_how_it_was_decided(home, models):
    """Programs get domains, shape, rule, effective votes, what each absence would change, cost, and what to grade."""
    models.join(home, "ada", "bob", "eve")
    result = home.json("ask", "--level", "high", QUESTION)
    assert (result["policy"], result["shape"], result["abstains"]) == ("guarded", "closed", False)
    assert sum(result["domains"].values()) == pytest.approx(1)
    assert result["effective_votes"] is None
    assert set(result["without"]) == {"ada", "bob", "eve"}
    assert set(result["without"].values()) <= {"Canberra", "Sydney"}
    assert all(0 < candidate["share"] < 1 and candidate["p"] is None for candidate in result["candidates"])
    assert [review["reviewer"] for review in result["reviews"]] == ["eve"]
    assert result["asks_grade"] == "disagreement"
    assert result["cost"] == 0
    assert result["reason"]
    assert result["notices"] == []


def test_the_trace_has_five_sections(home, models):
    """`--why` shows why now, what was seen, considered and chosen, and what one can do."""
    models.join(home, "ada")
    shown = home.run("ask", "--why", QUESTION).out
    titles = ["Why now", "What I saw", "What I considered", "What I chose and why", "What you can do"]
    places = [shown.index(title) for title in titles]
    assert places == sorted(places)


def test_a_sum_is_answered_by_the_calculator(home, models):
    """17*23 is 391, chosen for the calculator, whatever the models say (E2)."""
    models.says |= {"ada": says("401"), "eve": says("389")}
    models.join(home, "ada", "eve")
    for level in ("fast", "balanced", "high"):
        result = home.json("ask", "--level", level, "What is 17*23?")
        assert result["answer"] == "391"
        assert result["shown_seat"] == "calculator"


def test_a_failing_member_is_named_and_does_not_sink_the_question(home, models):
    """One member answers with errors, the other is believed, and the failure stands beside it."""
    models.says["eve"] = "503"
    models.join(home, "ada", "eve")
    result = home.json("ask", "--level", "high", QUESTION)
    failed = next(member for member in result["members"] if member["seat"] == "eve")
    assert result["answer"] == "Canberra"
    assert failed["error"]["code"]
    assert failed["answer"] is None


def test_a_silent_member_is_asked_twice_and_then_named(home, models):
    """Silence is retried once and never counts as an answer."""
    models.says["eve"] = " "
    models.join(home, "ada", "eve")
    result = home.json("ask", "--level", "high", QUESTION)
    silent = next(member for member in result["members"] if member["seat"] == "eve")
    assert silent["error"]["code"] == "silent"
    assert sum(body["model"] == "eve" for body in models.asked) == 2


def test_nobody_answering_is_a_recorded_refusal(home, models):
    """Without any answer the command says so, ends with 5, and the refusal has its trace."""
    models.says["ada"] = "503"
    models.join(home, "ada")
    result = home.json("ask", QUESTION, code=5)
    assert result["answer"] is None
    assert result["confidence"]["label"] == "Uncertain"
    entries = home.json("audit", "show")["entries"]
    assert any(entry["kind"] == "trace" and entry["refs"].get("trace_id") == result["trace_id"] for entry in entries)


def test_a_conversation_goes_on_with_its_history(home, models):
    """The second question of a conversation brings the first and its answer to every member."""
    models.join(home, "ada")
    first = home.json("ask", QUESTION)
    home.json("ask", "--in", first["conversation_id"], "And its population?")
    said = [message["content"] for message in models.asked[-1]["messages"]]
    assert any(QUESTION in text for text in said)
    assert any("Canberra" in text for text in said)
    assert said[-1] == "And its population?"


def test_the_question_may_come_from_standard_input(home, models):
    """A pipe is a person, too."""
    models.join(home, "ada")
    assert home.run("ask", feed=QUESTION).out.startswith("Canberra")


def test_chat_without_a_terminal_answers_a_sample(home, models):
    """Where nobody can type, one sample question is answered and the next step named."""
    models.join(home, "ada", "bob")
    shown = home.run("chat").out
    assert "Canberra" in shown
    assert "auritas ask" in shown


@pytest.mark.parametrize(
    ("words", "code", "part"),
    [
        (["ask", ""], 2, "empty"),
        (["ask", "--level", "best", "x"], 2, "best"),
        (["ask", "--level", "most", "x"], 2, "maximum"),
        (["ask", "x" * 40_000], 2, "characters"),
        (["ask", "--in", "nowhere", "x"], 3, "conversation"),
        (["models", "test", "adda"], 3, "ada"),
        (["models", "remove", "nobody"], 3, "nobody"),
        (["models", "add", "m", "--preset", "openia"], 3, "openai"),
        (["config", "set", "levle", "high"], 3, "level"),
        (["config", "set", "level", "best"], 2, "level"),
        (["nonsense"], 2, "nonsense"),
    ],
)
def test_bad_input_gets_a_sentence_and_its_exit_code(home, models, words, code, part):
    """What is wrong and what to do stands in one sentence; nothing is a stack trace."""
    models.join(home, "ada")
    done = home.run(*words, code=code)
    assert part in done.err
    assert "Traceback" not in done.err + done.out


def test_without_any_model_the_remedy_is_named(home):
    """A fresh store without models says how to get some and ends with 5."""
    done = home.run("ask", QUESTION, code=5)
    assert "auritas models get" in done.err


def test_an_unknown_key_of_the_configuration_is_refused_with_the_nearest(home):
    """A typo in config.toml names the place and the key that was meant."""
    home.path.mkdir(parents=True)
    (home.path / "config.toml").write_text('levle = "high"\n')
    done = home.run("doctor", code=2)
    assert "levle" in done.err
    assert "'level'" in done.err


def test_what_was_sent_is_listed_with_its_price(home, models):
    """A priced model shows its cost, and each request to it is in the egress ledger and the log (promise 1)."""
    home.run("models", "add", "ada", "--url", models.url, "--price-in", "1", "--price-out", "2")
    result = home.json("ask", QUESTION)
    (member,) = (m for m in result["members"] if m["seat"] == "ada")
    assert member["cost"] == 11 * 1 + 7 * 2
    sent = home.json("egress")
    assert [request["model"] for request in sent["requests"]] == ["ada"]
    assert sent["requests"][0]["query_id"] == result["query_id"]
    assert sent["requests"][0]["bytes"] > len(QUESTION)
    assert not sent["left_the_machine"]
    kinds = [entry["kind"] for entry in home.json("audit", "show", "--last", "50")["entries"]]
    assert kinds.index("egress") > kinds.index("run")
