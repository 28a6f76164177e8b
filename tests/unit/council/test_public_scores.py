"""Public scores: a small table with sources that the user can edit."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auritas.council.evaluation.pools import named_pools
from auritas.council.scores import (
    PublicScore,
    PublicScores,
    normalised,
    parse_scores,
    public_scores,
    read_scores,
)
from auritas.kernel.errors import InvalidError, NotFoundError

names = st.text(st.sampled_from("aB1.-_: "), min_size=1, max_size=12).filter(lambda name: bool(normalised(name)))
shares = st.floats(0.01, 0.99)


def test_every_shipped_score_is_a_share_with_a_source():
    """No figure stands without saying where it is from, and none outside (0, 1)."""
    assert len(public_scores()) > 40
    assert all(0 < row.score < 1 and row.source and not row.own for row in public_scores().rows)


def test_every_model_of_a_named_pool_has_a_score():
    """The figures at zero grades can be repeated for every pool that has a name."""
    assert all(model in public_scores() for pool in named_pools().values() for model in pool.models)


@pytest.mark.parametrize(
    "name", ["llama-3.1-70b-instruct", "Llama-3.1-70B-Instruct", "meta-llama/Llama_3.1_70B_Instruct", "llama-3-1-70b"]
)
def test_a_model_is_found_in_any_spelling(name):
    """Case, separators and a provider in front are no part of a name; other names that are listed are."""
    assert public_scores()[name] == 0.836


def test_no_alias_of_one_model_is_the_name_of_another():
    """Each spelling leads to one row."""
    taken = {normalised(row.model) for row in public_scores().rows}
    aliases = [normalised(name) for row in public_scores().rows for name in row.also]
    assert not taken.intersection(aliases)
    assert len(set(aliases)) == len(aliases)


def test_what_is_unknown_stays_unknown():
    """A model that nobody examined has no score, and asking for one does not invent it."""
    assert "no-such-model" not in public_scores()
    assert public_scores().row("no-such-model") is None


def test_the_users_row_wins_also_by_another_name_of_the_model():
    """A row of the user's own replaces ours wherever that model is looked up."""
    mine = public_scores().plus([PublicScore("GPT-4o_2024.05", 0.4, "mine", own=True)])
    assert (mine["gpt-4o-2024-05"], mine["gpt-4o"]) == (0.4, 0.4)
    assert len(mine) == len(public_scores())


@given(st.lists(st.tuples(names, shares)))
def test_of_two_rows_for_one_model_the_later_counts(pairs):
    """Whatever the spelling, the last that was said of a model holds, and each model has one row."""
    scores = PublicScores(PublicScore(name, share) for name, share in pairs)
    last = {normalised(name): share for name, share in pairs}
    assert {normalised(name): scores[name] for name in scores} == last


@pytest.mark.parametrize("score", [0.0, 1.0, -0.1, 73.0, float("nan")])
def test_a_score_outside_its_domain_is_refused(score):
    """73 is no share; what to write instead is said."""
    with pytest.raises(InvalidError, match="between 0 and 1"):
        PublicScore("model", score)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("model = 3", "no table"),
        ("[[model]]\nscore = .5", "is not TOML"),
        (" \n", "is empty"),
        ("[[model]]\nscore = 0.5", "row 1 needs a name"),
        ('[[model]]\nname = "a"\nscore = 0.5\n[[model]]\nname = "b"\nscore = 5', "row 2.*between 0 and 1"),
        ('[[model]]\nname = "a"\nscore = 0.5\nalso = "b"', "row 1.*list"),
    ],
)
def test_a_broken_row_is_named(text, said):
    """Who wrote a table by hand is told which row is wrong."""
    with pytest.raises(InvalidError, match=said):
        parse_scores(text, "mine.toml")


def test_a_file_of_scores_is_the_users(tmp_path):
    """Rows of a file count as the user's own; a missing file is named."""
    path = tmp_path / "mine.toml"
    path.write_text('[[model]]\nname = "ada"\nscore = 0.5\n', encoding="utf-8")
    assert read_scores(path).rows == (PublicScore("ada", 0.5, own=True),)
    with pytest.raises(NotFoundError, match="nowhere"):
        read_scores(tmp_path / "nowhere.toml")
