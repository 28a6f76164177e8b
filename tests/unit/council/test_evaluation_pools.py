"""Which models an evaluation is about: named pools, names of the table, random pools."""

from pathlib import Path
from typing import Any

import pytest
from tests.unit.council.recorded_tables import STRENGTHS, recorded, written

from auritas.council.evaluation.council import Plan, evaluate
from auritas.council.evaluation.pools import named_pools, resolve
from auritas.council.evaluation.random_pools import (
    SIZES,
    Drawing,
    random_pools,
    summarised,
    to_document,
    worse_share,
)
from auritas.council.evaluation.table import Row, read_table
from auritas.kernel.errors import InvalidError, NotFoundError


def rows(*models: str) -> tuple[Row, ...]:
    return (Row("1", "", "A", dict.fromkeys(models, "A")),)


def test_a_named_pool_is_its_models():
    """One word stands for the pool of a published figure."""
    there = rows("x", *named_pools()["frontier"].models)
    assert resolve(there, ["frontier"]) == named_pools()["frontier"].models


def test_all_is_every_model_but_those_left_out():
    """The pool `all` follows the table, without the two that it leaves out."""
    assert resolve(rows("b", "a", "gemini-3.1-pro", "DeepSeek-Coder-V2"), ["all"]) == ("a", "b")


def test_no_pool_is_every_model_of_the_table():
    """A stranger's table needs no pool."""
    assert resolve(rows("b", "a"), []) == ("a", "b")


def test_a_model_wins_over_a_pool_of_its_name():
    """What the table has is never hidden behind a word of ours."""
    assert resolve(rows("local", "a"), ["local", "a"]) == ("local", "a")
    with pytest.raises(InvalidError, match="at least two"):
        resolve(rows("local", "a"), ["local"])


@pytest.mark.parametrize(("asked", "meant"), [("fronteir", "'frontier'"), ("gpt-4", "'gpt-4o'")])
def test_a_misspelt_name_is_answered_with_the_nearest(asked, meant):
    """Pools and models are both thought of."""
    with pytest.raises(NotFoundError) as caught:
        resolve(rows("gpt-4o", "claude"), [asked])
    assert meant in caught.value.remedy


def test_a_misspelt_model_among_several_is_named():
    """The one that is wrong is named, with the nearest."""
    with pytest.raises(NotFoundError, match="'adda'") as caught:
        resolve(rows("ada", "bob"), ["bob", "adda"])
    assert "'ada'" in caught.value.remedy


def table(tmp_path: Path, questions: int = 120, **more: Any) -> tuple[Row, ...]:
    return read_table(written(tmp_path / "table.jsonl", recorded(questions, **more)))


def test_random_pools_are_the_same_for_the_same_seed(tmp_path):
    """Two runs print the same figures; another seed draws other pools."""
    drawn = table(tmp_path)
    assert random_pools(drawn, Drawing(3, seed=1)) == random_pools(drawn, Drawing(3, seed=1))
    first, other = (
        [pool.models for pool in next(iter(random_pools(drawn, Drawing(6, seed=seed)).values()))] for seed in (1, 2)
    )
    assert first != other


def test_random_pools_have_a_size_within_bounds_and_no_model_twice(tmp_path):
    """Pools are of three to eight models of the table, each once."""
    found = random_pools(table(tmp_path), Drawing(8))
    for pools in found.values():
        for pool in pools:
            assert SIZES[0] <= len(set(pool.models)) == len(pool.models) <= SIZES[1]
            assert set(pool.models) <= set(STRENGTHS)


def test_random_pools_of_a_small_table_use_all_its_grades(tmp_path):
    """A table without 250 grades in a half is measured with those it has."""
    found = random_pools(table(tmp_path), Drawing(2))
    assert list(found) == [60]
    document = to_document({size: summarised(pools) for size, pools in found.items()})
    assert document["60"]["pools"] == 2
    assert {"worse_share", "mean_gain_pp"} <= set(document["60"])


def test_two_models_are_no_table_for_random_pools(tmp_path):
    """Where there is nothing to draw from, that is said."""
    with pytest.raises(InvalidError, match="3 models"):
        random_pools(table(tmp_path, strengths={"ada": 0.8, "bob": 0.7}), Drawing(2))


def test_only_a_loss_of_more_than_half_a_point_is_worse():
    """Small losses are noise of the split."""
    assert worse_share([0.01, -0.004, -0.005, -0.006]) == 0.25


def test_money_is_what_the_asked_members_cost(tmp_path):
    """The best single model costs one call or a little more, the council all of them; no costs are no figure."""
    plan = Plan(splits=1, curves=False)
    priced = evaluate(table(tmp_path, cost=True), tuple(STRENGTHS), plan).policies
    assert priced["vote"].micros == pytest.approx(400)
    assert priced["best_single"].micros == pytest.approx(100 * priced["best_single"].calls)
    assert evaluate(table(tmp_path), tuple(STRENGTHS), plan).policies["vote"].micros is None
