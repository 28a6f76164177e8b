"""Requests, replies, grammars and margins: the plain data around the engine."""

import json
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.gateway.engine_kit import HELLO, ending, token

from auritas.gateway.adapters.engine_cpu import NoAvx2Error, cpu_flags, require_avx2
from auritas.gateway.adapters.engine_grammar import grammar, grammar_digest
from auritas.gateway.adapters.engine_margin import Choice, free_margin, schema_margin
from auritas.gateway.adapters.engine_reply import Reply, request
from auritas.gateway.adapters.engine_session import Load, Session
from auritas.gateway.embedded_prompt import BALLOT_SCHEMA, MEMBER_SCHEMA
from auritas.kernel.model import Params, Text
from auritas.kernel.randomness import SystemEntropy


def test_without_avx2_a_sentence_and_no_crash(tmp_path):
    """On a processor without AVX2 loading is refused before the engine is imported (E5)."""
    with pytest.raises(NoAvx2Error, match="need a processor with AVX2"):
        Session(Load(tmp_path / "x.gguf", 4096, 1), SystemEntropy(), flags=lambda: frozenset({"sse4_2", "avx"}))


def test_unknown_features_are_given_the_benefit_of_the_doubt(tmp_path):
    """Where the system does not list features, and on other processors, nothing is refused (E5)."""
    assert cpu_flags(tmp_path / "missing") is None
    require_avx2(None)
    require_avx2(frozenset({"avx2"}))


def test_the_features_of_the_first_core_are_read(tmp_path):
    """The list of features is found in the system's own listing."""
    listing = tmp_path / "cpuinfo"
    listing.write_text("processor\t: 0\nflags\t\t: fpu AVX2 sse\nprocessor\t: 1\nflags\t\t: fpu\n", encoding="utf-8")
    found = cpu_flags(listing)
    assert found is None or found == {"fpu", "avx2", "sse"}


def test_a_request_always_asks_for_progress():
    """Without progress reports nothing could be stopped while the prompt is read."""
    body = request(HELLO, Params(schema=BALLOT_SCHEMA, stop=("END",), logprobs=True, seed=None))
    assert body["stream"]
    assert body["return_progress"]
    assert body["stop"] == ["END"]
    assert "seed" not in body
    assert body["grammar"] == grammar(BALLOT_SCHEMA)


def test_a_grammar_leaves_no_room_for_white_space():
    """The schema is passed on unchanged but for the flag that forbids optional white space."""
    text = grammar(MEMBER_SCHEMA)
    schema = json.loads(text.partition("%json ")[2])
    assert schema.pop("x-guidance") == {"whitespace_flexible": False}
    assert schema == json.loads(json.dumps(MEMBER_SCHEMA))
    assert grammar_digest(text) == grammar_digest(grammar(dict(MEMBER_SCHEMA)))


def choice(text: str, chosen: float, **rivals: float) -> Choice:
    return Choice(text, chosen, ((text, chosen), *rivals.items()))


OPENING = (choice('{"', -5.0, The=-0.1), choice("vote", -1.0), choice('":"', -0.5))


def test_the_margin_of_a_vote_is_the_gap_to_the_next_vote():
    """Only values of the enumeration are rivals; likelier tokens that the grammar forbids do not count."""
    vote = choice("YES", -0.7, The=-0.2, NO=-1.9, Y=-3.0)
    assert schema_margin((*OPENING, vote, choice('"}', 0.0)), BALLOT_SCHEMA) == pytest.approx(1.2)


def test_a_vote_in_two_tokens_is_decided_at_both():
    """N may still become NO or NULL: the smaller of the two gaps is the margin."""
    tokens = (*OPENING, choice("N", -0.1, Y=-2.1), choice("ULL", -0.4, O=-1.4), choice('"}', 0.0))
    assert schema_margin(tokens, BALLOT_SCHEMA) == pytest.approx(1.0)


def test_a_vote_without_a_rival_in_sight_has_no_margin():
    """When no other value is among the likeliest tokens the margin is unknown, not zero."""
    assert schema_margin((*OPENING, choice("YES", -0.1, Maybe=-4.0)), BALLOT_SCHEMA) is None


def test_the_margin_of_an_answer_covers_its_value_alone():
    """In a free string every token of the value counts, and nothing behind it."""
    tokens = (
        choice('{"answer":"', 0.0),
        choice("Can", -0.3, Syd=-1.3),
        choice("berra", -0.1, ada=-3.0),
        choice('","', -0.1, x=-0.2),
        choice("explanation", -0.9, y=-1.0),
    )
    value_and_end = schema_margin(tokens, MEMBER_SCHEMA)
    assert value_and_end == pytest.approx(0.1)


@given(st.lists(st.tuples(st.floats(-9, 0), st.floats(-9, 0)), min_size=1))
def test_renormalising_leaves_margins_as_they_are(pairs: Sequence[tuple[float, float]]):
    """Adding the same amount to all log-probabilities of a place changes no gap."""
    plain = [Choice("a", mine, (("a", mine), ("b", other))) for mine, other in pairs]
    moved = [Choice("a", c.logprob + 1, tuple((t, p + 1) for t, p in c.rivals)) for c in plain]
    assert free_margin(plain) == pytest.approx(min(a - b for a, b in pairs))
    assert free_margin(moved) == pytest.approx(free_margin(plain))


def test_logprobs_of_a_stream_become_a_margin():
    """The engine's own entries are read, and the margin is only computed when it was asked for."""
    entry = {"token": "Yes", "logprob": -0.5, "top_logprobs": [{"token": "No", "logprob": -1.5}]}
    chunks = [token("Yes", logprobs={"content": [entry]}), ending()]
    for wanted, margin in ((True, pytest.approx(1.0)), (False, None)):
        reply = Reply(Params(logprobs=wanted), "digest")
        assert [part for chunk in chunks for part in reply.take(chunk)] == [Text("Yes")]
        assert reply.finished(1.0, 2.0).margin == margin
