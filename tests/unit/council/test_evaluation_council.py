"""`eval council` from a table to a report, on answers that these tests make up."""

import gzip
import json
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from tests.simulation.choice_pools import LETTERS, Pool

from auritas.council.choice.policies import POLICIES
from auritas.council.evaluation.council import Plan, cases, evaluate, halved
from auritas.council.evaluation.replay import replay
from auritas.council.evaluation.report import to_document
from auritas.council.evaluation.table import Row, models_of, read_table
from auritas.kernel.errors import InvalidError

POOL = Pool({"ada": 0.72, "bob": 0.66, "cid": 0.6, "dee": 0.5}, silence={"bob": 0.08, "ada": 0.05}, letters=4)
WAYS = {
    "choice": ("A", "B", "C", "D"),
    "amount": ("2 km", "30 s", "7 kg", "400 m"),
    "alike": ("2000 m", "30 seconds", "7000 g", "0.4 km"),
    "words": ("Canberra", "Lima", "Oslo", "Rome"),
    "verdict": ("yes", "no", "yes", "no"),
}
TEXT = "Which one?\nA) 3 m\nB) 5 m\nC) 4 m\nD) 800 m"


def made(count: int, seed: int = 1) -> list[Row]:
    """Rows of every kind of answer, with silence, and in each fifth one a model that was not asked."""
    rows = []
    for place, case in enumerate(POOL.cases(count, seed)):
        kind = list(WAYS)[place % 5]
        words = WAYS[kind]
        said: dict[str, str | None] = dict.fromkeys(case.situation.asked)
        for option in case.situation.options:
            for seat in option.supporters:
                other = WAYS["alike"] if kind == "amount" and seat in {"bob", "dee"} else words
                said[seat] = other[LETTERS.index(option.key)]
        if place % 5 == 3:
            said.pop("dee")
        options = case.situation.options
        right = options[case.right].key if case.right is not None and case.right < len(options) else None
        gold = words[LETTERS.index(right)] if right else "none of them"
        question = TEXT if kind == "choice" else "What is it?"
        rows.append(Row(str(place), ("law", "code")[place % 2], gold, said, question))
    return rows


ROWS = made(420)
SEATS = models_of(ROWS)
REPORT = evaluate(ROWS, SEATS, Plan(splits=2, scores={"ada": 0.8, "bob": 0.7}))


def test_the_document_is_the_contract():
    """Every name that a reader of the JSON relies on is there, with the kind of value that it has."""
    document = json.loads(json.dumps(to_document(REPORT), allow_nan=False))
    assert document["pool"] == list(SEATS)
    assert document["questions"] == 420
    assert document["default_policy"] == "guarded"
    assert set(document["policies"]) == set(POLICIES)
    for result in document["policies"].values():
        assert {"accuracy", "gain_pp", "ci_pp", "gain_fallback_pp", "ci_fallback_pp", "calls_per_question"} <= set(
            result
        )
        assert result["ci_pp"][0] <= result["ci_pp"][1]
        assert result["ci_fallback_pp"][0] <= result["ci_fallback_pp"][1]
    assert {"ece", "ece_floor", "brier", "auroc"} <= set(document["calibration"])
    assert 0 < document["coverage80"] <= 1
    assert all({"calls_share", "gain_share"} <= set(point) for point in document["cascade"])
    assert [point["grades"] for point in document["learning_curve"]] == [0, 25, 50, 100, 210]
    assert all(isinstance(point["gain_pp"], float) for point in document["learning_curve"])
    assert 1 <= document["effective_votes"] <= len(SEATS)


def test_what_is_reported_hangs_together():
    """The oracle is above every policy; the best with fallback gains nothing over itself; gain is a difference."""
    results = REPORT.policies
    assert REPORT.oracle >= max(result.accuracy for result in results.values())
    assert results["best_single"].gain_fallback == 0
    assert results["best_single"].interval_fallback == (0, 0)
    assert results["best_single"].gain > 0  # because the best one is silent at times
    for result in results.values():
        assert result.accuracy - REPORT.best_single == pytest.approx(result.gain)
        assert result.interval[0] - 0.01 <= result.gain <= result.interval[1] + 0.01
    assert results["vote"].calls == pytest.approx(3.8, abs=0.05)
    assert results["best_single"].calls < 1.2
    assert sum(size for _, _, size in REPORT.calibration.bins) == 2 * 210


def test_what_is_sure_is_right_more_often():
    """Accuracy falls, or stays, as less sure questions are answered too."""
    values = [REPORT.coverage[share] for share in sorted(REPORT.coverage)]
    assert all(after <= before + 0.03 for before, after in pairwise(values))
    assert REPORT.coverage[1.0] == pytest.approx(REPORT.policies["guarded"].accuracy)


def test_nothing_is_measured_on_what_was_learned_from():
    """The halves of a split share no question, and together are all of them."""
    for seed in range(20):
        first, second = halved(421, seed)
        assert not set(first) & set(second)
        assert sorted([*first, *second]) == list(range(421))


def test_a_key_of_the_measured_half_never_reaches_learning():
    """With all keys of the measured half turned into nonsense the same members are used and weigh the same."""
    first, second = halved(len(ROWS), 0)
    spoiled = list(ROWS)
    for place in second:
        spoiled[place] = replace(spoiled[place], gold="nonsense")
    plan = Plan(splits=1, curves=False)
    honest, blind = evaluate(ROWS, SEATS, plan), evaluate(spoiled, SEATS, plan)
    assert cases(replay(ROWS, SEATS), first) == cases(replay(spoiled, SEATS), first)
    assert blind.used == honest.used
    assert blind.threshold == honest.threshold
    assert [mean for mean, _, _ in blind.calibration.bins] == [mean for mean, _, _ in honest.calibration.bins]
    assert blind.policies["council"].accuracy == 0


def test_one_seed_gives_one_report():
    """Evaluated again it is equal to the last digit; another seed gives other halves."""
    plan = Plan(splits=1, curves=False)
    assert to_document(evaluate(ROWS, SEATS, plan)) == to_document(evaluate(ROWS, SEATS, plan))
    other = evaluate(ROWS, SEATS, replace(plan, seed=9))
    assert to_document(other) != to_document(evaluate(ROWS, SEATS, plan))


def test_the_order_of_models_changes_nothing():
    """Neither in the rows nor in the pool (C6)."""
    turned = [replace(row, answers=dict(reversed(list(row.answers.items())))) for row in ROWS]
    plan = Plan(splits=1, curves=False)
    once = to_document(evaluate(ROWS, SEATS, plan))
    again = to_document(evaluate(turned, tuple(reversed(SEATS)), plan))
    assert again.pop("pool") == list(reversed(once.pop("pool")))
    assert again == once


def test_a_table_on_disk_gives_the_same_report(tmp_path):
    """Through a packed file of JSON lines."""
    path = tmp_path / "table.jsonl.gz"
    lines = [
        {"id": row.id, "domain": row.domain, "gold": row.gold, "answers": row.answers, "question": row.question}
        for row in ROWS
    ]
    path.write_bytes(gzip.compress("\n".join(map(json.dumps, lines)).encode()))
    plan = Plan(splits=1, curves=False)
    assert evaluate(read_table(path), SEATS, plan) == evaluate(ROWS, SEATS, plan)


def test_only_the_named_policies_are_reported_and_what_they_are_compared_with():
    """The default and the best single member are always there."""
    report = evaluate(ROWS, SEATS, Plan(splits=1, policies=("vote",), curves=False))
    assert set(report.policies) == {"vote", "guarded", "best_single"}
    assert (report.cascade, report.curve) == ((), ())


def test_what_is_going_on_is_told():
    """Reading, each split, and each point of the curve."""
    heard: list[str] = []
    evaluate(ROWS[:120], SEATS, Plan(splits=2, heard=heard.append))
    assert heard[:3] == ["reading answers", "split 1 of 2", "split 2 of 2"]
    assert "learning curve, 0 grades" in heard


def test_too_few_questions_are_refused():
    """Also when the table is long and few of its questions were put to two of these models."""
    with pytest.raises(InvalidError, match="39"):
        evaluate(ROWS[:39], SEATS, Plan(splits=1))


def test_a_table_of_silence_is_evaluated():
    """When nobody ever answers, everything is 0 and nothing breaks."""
    silent = [replace(row, answers=dict.fromkeys(SEATS)) for row in ROWS[:250]]
    report = evaluate(silent, SEATS, Plan(splits=1))
    assert {result.accuracy for result in report.policies.values()} == {0}
    json.dumps(to_document(report), allow_nan=False)


def test_the_cascade_ends_at_the_whole_gain():
    """At the highest threshold nearly everybody is asked, and calls never fall as the threshold rises."""
    calls = [point.calls for point in REPORT.cascade]
    assert calls == sorted(calls)
    assert np.all(np.array(calls) <= 1)
