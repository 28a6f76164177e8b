"""Where rule A starts before there are grades: from what is believed of each member, as it stands to the others.

Over pools of very different strength the fitted weights follow one line: a member's weight depends on how its log-odds
of being right compare with the pool's mean, not on their level. `docs/design/mechanism.md` has the figures.
"""

import math
from collections.abc import Collection, Mapping

from auritas.council.choice.rule import Weights

MEAN_WEIGHT, SLOPE = 0.75, 1.6
"""Of the line from relative log-odds to weight, in nats."""
LEAST, MOST = 0.05, 6.0
"""Support never counts against a candidate, and nobody is beyond contradiction."""
NONE_OF_THESE = 1.1
"""Score of "none of these" in a council; one member alone is taken at its word."""
_EDGE = 0.02


def log_odds(p: float) -> float:
    """Return ln(p / (1 - p)), of p moved inside [_EDGE, 1 - _EDGE]."""
    p = min(max(p, _EDGE), 1 - _EDGE)
    return math.log(p / (1 - p))


def prior_weights(rates: Mapping[str, float], asked: Collection[str] | None = None) -> Weights:
    """Return the weights to start from. rates: how often each seat is believed to be right, in (0, 1).

    asked: the seats that take part, all by default; the mean is taken over them.
    """
    seats = sorted(rates if asked is None else set(asked) & set(rates))
    if not seats:
        return Weights({}, none={"one": NONE_OF_THESE}, unknown=MEAN_WEIGHT)
    odds = {seat: log_odds(rates[seat]) for seat in seats}
    mean = math.fsum(odds.values()) / len(odds)
    own = {seat: min(max(MEAN_WEIGHT + SLOPE * (each - mean), LEAST), MOST) for seat, each in odds.items()}
    alone = MEAN_WEIGHT - mean
    none = NONE_OF_THESE + (alone - NONE_OF_THESE) / len(seats)
    return Weights(own, none={"one": none}, unknown=MEAN_WEIGHT)
