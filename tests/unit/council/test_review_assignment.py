"""Who reviews."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auritas.council.model import Member
from auritas.council.review.assignment import assign, eligible, family, in_random_order
from auritas.kernel.answers import Seat
from auritas.kernel.model import ModelCard
from auritas.kernel.randomness import SeededRng


def member(name: str, provider: str = "openai-like", *, votes: bool = True) -> Member:
    return Member(Seat(name, name), ModelCard(name, provider, local=True), votes=votes)


GPT, MINI, CLAUDE = member("gpt-5"), member("gpt-5-mini"), member("claude-sonnet")
LLAMA, CALCULATOR = member("meta/llama-3"), member("calculator", "builtin")
ALL = (GPT, MINI, CLAUDE, LLAMA, CALCULATOR)


@pytest.mark.parametrize(
    ("card", "expected"),
    [
        (ModelCard("gpt-5-mini", "openai", local=False), "openai"),
        (ModelCard("o3", "openai", local=False), "openai"),
        (ModelCard("claude-sonnet-4-5", "anthropic", local=False), "anthropic"),
        (ModelCard("mine", "example.org", local=False, digest="anthropic/claude-3"), "anthropic"),
        (ModelCard("gemma3:4b", "ollama", local=True), "google"),
        (ModelCard("codellama-7b", "ollama", local=True), "meta"),
        (ModelCard("qwen2.5-coder-1.5b", "embedded", local=True, digest="b179c9"), "alibaba"),
        (ModelCard("smollm2-135m", "embedded", local=True), "huggingface"),
        (ModelCard("mixtral-8x7b", "groq", local=False), "mistral"),
        (ModelCard("sonar", "perplexity", local=False), "perplexity"),
        (ModelCard("house-model", "embedded", local=True), "house"),
    ],
)
def test_a_family_is_known_by_its_makers_names(card, expected):
    """The maker counts, wherever the model runs and whatever it is called here."""
    assert family(card) == expected


def test_nobody_reviews_what_it_wrote():
    """Authors, the calculator and members without a vote never review; when nobody is left there is no reviewer."""
    failed = member("tiny", votes=False)
    assert eligible({"gpt-5"}, (*ALL, failed)) == (MINI, CLAUDE, LLAMA)
    assert assign({"gpt-5", "calculator"}, (GPT, CALCULATOR, failed), {}, key="q") is None


def test_another_family_comes_before_a_better_record():
    """A relative of the author reviews only where no other family may; then the record decides."""
    record = {"gpt-5-mini": 0.9, "claude-sonnet": 0.2, "meta/llama-3": 0.1}
    assert assign({"gpt-5"}, ALL, record, key="q") is CLAUDE
    assert assign({"gpt-5", "claude-sonnet", "meta/llama-3"}, ALL, record, key="q") is MINI


def test_a_designated_reviewer_reviews_unless_it_wrote_the_answer():
    """The user's choice wins over record and family, and never lets an author in."""
    assert assign({"gpt-5"}, ALL, {"claude-sonnet": 1.0}, key="q", designated="gpt-5-mini") is MINI
    assert assign({"gpt-5-mini"}, ALL, {"claude-sonnet": 1.0}, key="q", designated="gpt-5-mini") is CLAUDE
    assert assign({"gpt-5"}, ALL, {"claude-sonnet": 1.0}, key="q", designated="nobody") is CLAUDE


@given(st.text(max_size=20))
def test_equals_are_told_apart_by_a_hash_and_not_by_a_list(key):
    """In whatever order members are listed, the same one reviews a question (C6)."""
    chosen = {assign({"gpt-5"}, order, {}, key=key).seat.name for order in permutations(ALL)}  # type: ignore[union-attr]
    assert len(chosen) == 1


def test_equals_share_the_work():
    """Over many questions no equal is left out."""
    chosen = [assign({"gpt-5"}, ALL, {}, key=f"q{number}") for number in range(200)]
    assert min(chosen.count(one) for one in (CLAUDE, LLAMA)) > 60


def test_everybody_else_reviews_in_an_order_that_a_seed_repeats():
    """At the highest level all who may review do, and neither list nor name puts one of them first."""
    first = in_random_order({"gpt-5"}, ALL, SeededRng(3))
    assert first == in_random_order({"gpt-5"}, tuple(reversed(ALL)), SeededRng(3))
    assert sorted(m.seat.name for m in first) == ["claude-sonnet", "gpt-5-mini", "meta/llama-3"]
    assert len({in_random_order({"gpt-5"}, ALL, SeededRng(seed))[0].seat.name for seed in range(20)}) == 3
