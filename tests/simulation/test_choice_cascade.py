"""Whether the threshold of a cascade keeps its promise on questions that it has not seen."""

import numpy as np
import pytest
from tests.simulation.choice_pools import Pool

from auritas.council.choice.cascade import LOSS_ALLOWED
from auritas.council.choice.learning import Setting, learn
from auritas.council.evaluation.replay import Replayed
from auritas.council.evaluation.split import cascaded

POOL = Pool({"ada": 0.75, "bob": 0.7, "cid": 0.66, "dee": 0.6}, together=0.35)


def loss(seed: int, grades: int, fresh: int) -> tuple[float, float]:
    """The paired loss of the cascade against asking everybody on fresh questions, and the share of calls made."""
    cases = POOL.cases(grades + fresh, seed)
    learned = learn(cases[:grades], Setting(POOL.seats))
    seen = cascaded([Replayed(str(n), case, frozenset()) for n, case in enumerate(cases[grades:])], learned)
    hit, asked = seen.stopped(learned.stages[0].threshold)
    return float((seen.hit[-1] - hit).mean()), float(asked.mean() / seen.asked[-1])


def test_stopping_early_costs_next_to_nothing():
    """On fresh questions three pools lose, on average, no more than was allowed, and ask fewer members."""
    found = [loss(seed, 1500, 3000) for seed in range(3)]
    losses, calls = zip(*found, strict=True)
    assert np.mean(losses) <= LOSS_ALLOWED
    assert np.mean(calls) < 0.9


@pytest.mark.slow
def test_the_bound_holds_as_often_as_it_says():
    """In at least 80 % of 20 pools the loss on fresh questions is within the bound."""
    kept = [loss(100 + seed, 2000, 15_000)[0] <= LOSS_ALLOWED for seed in range(20)]
    assert np.mean(kept) >= 0.8
