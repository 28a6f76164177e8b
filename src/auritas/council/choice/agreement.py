"""What agreement tells of members while nobody has graded anything."""

import math
from collections.abc import Mapping, Sequence

from auritas.council.choice.model import Situation

ALTERNATIVES = 4
"""Wrong answers that a question is taken to have."""
NEWEST = 1000
"""Questions looked at: more of them would not tell members apart any better."""
_ROUNDS = 30
_PSEUDO = 10.0
_LEAST, _MOST = 0.02, 0.98
_EVEN = math.log(ALTERNATIVES)
"""Log-odds of one vote of a seat that is right half of the time."""


def agreed_rates(situations: Sequence[Situation], believed: Mapping[str, float]) -> dict[str, float]:
    """Return how often each seat is right if members err independently: the one-coin model of Dawid and Skene (1979).

    believed: the rates before looking, worth _PSEUDO answers each. Members of one family err together, so these rates
    order members better than they measure them.
    """
    counted = _distinct(situations[-NEWEST:])
    rates = dict(believed)
    for _ in range(_ROUNDS):
        right = {seat: _PSEUDO * rate for seat, rate in believed.items()}
        asked = dict.fromkeys(believed, _PSEUDO)
        odds = {seat: math.log(rate * ALTERNATIVES / (1 - rate)) for seat, rate in rates.items()}
        for (options, present), times in counted.items():
            truth = _posterior(options, odds)
            for seat in present:
                asked[seat] = asked.get(seat, 0.0) + times
            for share, supporters in zip(truth, options, strict=True):
                for seat in supporters:
                    right[seat] = right.get(seat, 0.0) + times * share
        rates = {seat: min(max(right.get(seat, 0.0) / asked[seat], _LEAST), _MOST) for seat in asked}
    return rates


_Pattern = tuple[tuple[tuple[str, ...], ...], tuple[str, ...]]


def _distinct(situations: Sequence[Situation]) -> dict[_Pattern, int]:
    """Count equal patterns of who agreed with whom, of questions that two or more answered."""
    counted: dict[_Pattern, int] = {}
    for situation in situations:
        options = tuple(sorted(option.supporters for option in situation.options))
        if len(situation.answered) > 1:
            pattern = (options, tuple(sorted(situation.asked)))
            counted[pattern] = counted.get(pattern, 0) + 1
    return counted


def _posterior(options: Sequence[Sequence[str]], odds: Mapping[str, float]) -> list[float]:
    scores = [math.fsum(odds.get(seat, _EVEN) for seat in supporters) for supporters in options]
    top = max(0.0, *scores)
    powers = [math.exp(score - top) for score in scores]
    total = math.fsum(powers) + math.exp(-top)
    return [power / total for power in powers]
