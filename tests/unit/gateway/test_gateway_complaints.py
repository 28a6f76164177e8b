"""What a provider's error means."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.gateway.doubles import KEY, ask, endpoint

from auritas.gateway.errors import ProviderFailed, ProviderRefused
from auritas.gateway.policy.complaints import as_error, complaint
from auritas.gateway.policy.structure import asked_again, bare

WHERE = endpoint("https://api.example.com/v1")


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ('{"error": {"message": "bad key"}}', "bad key"),
        ('{"error": "bad key"}', "bad key"),
        ('{"message": "bad key"}', "bad key"),
        ('{"detail": "bad key"}', "bad key"),
        ('[{"error": {"message": "bad key"}}]', "bad key"),
        ('{"type": "error", "error": {"type": "x", "message": "bad key"}}', "bad key"),
        ("bad key", "bad key"),
        ('{"detail": [{"loc": ["body", "seed"], "msg": "extra"}]}', '[{"loc": ["body", "seed"], "msg": "extra"}]'),
        ("", ""),
    ],
)
def test_every_form_in_use_is_understood(body: str, message: str):
    """The sentence is found wherever providers put it."""
    assert complaint(400, body).message == message


@given(
    st.integers(100, 599),
    st.text(max_size=300),
    st.sampled_from(["{}", '{"error": "%s"}', "%s", '{"error": {"code": "%s"}}']),
)
def test_no_body_breaks_the_reader(status: int, text: str, form: str):
    """Whatever a server sends becomes an error with a sentence on one line and a remedy."""
    body = form.replace("%s", json.dumps(text)[1:-1])
    error = as_error(WHERE, complaint(status, body))
    assert error.remedy
    assert "\n" not in error.message
    assert "\x1b" not in error.message


@given(st.text(), st.text())
def test_a_key_that_is_repeated_is_taken_out(before: str, after: str):
    """No message ever holds the key of the request."""
    body = json.dumps({"error": {"message": f"{before} {KEY} {after}", "code": KEY}})
    said = complaint(401, body, secret=KEY)
    assert KEY not in repr(said)
    assert KEY not in str(as_error(WHERE, said))


def test_escapes_in_a_message_never_reach_a_terminal():
    """A provider's words are foreign text."""
    assert complaint(500, '{"error": {"message": "\\u001b[2Jgone"}}').message == "gone"


@pytest.mark.parametrize("said", ["model not found, try pulling it first", "model not found, try pulling it first."])
def test_what_a_provider_says_ends_before_our_own_words_begin(said: str):
    """A provider's words get a full stop where they bring none, so that the remedy is a sentence of its own."""
    told = str(as_error(WHERE, complaint(404, json.dumps({"error": said}))))
    assert "try pulling it first. Check the model" in told


def test_no_credit_is_not_a_limit_of_speed():
    """A 429 for an empty account is not retried, a 429 for too many requests is."""
    broke = complaint(429, '{"error": {"message": "quota", "code": "insufficient_quota"}}')
    assert isinstance(as_error(WHERE, broke), ProviderRefused)
    assert isinstance(as_error(WHERE, complaint(429, "slow down", 3.0)), ProviderFailed)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a": 1}', '{"a": 1}'),
        (' \n{"a": 1}\n', '{"a": 1}'),
        ('```json\n{"a": 1}\n```', '{"a": 1}'),
        ('```{"a": 1}```', '{"a": 1}'),
        ("```json\n{}\n``` and more", "```json\n{}\n``` and more"),
        ("", ""),
    ],
)
def test_a_fence_around_the_whole_is_removed(text: str, expected: str):
    """A fence is packaging; text around it is not."""
    assert bare(text) == expected


def test_asking_again_never_says_nothing():
    """An empty reply is quoted as such: some providers refuse empty turns."""
    assert all(message.content for message in asked_again(ask(), "", "it is not JSON").messages)
