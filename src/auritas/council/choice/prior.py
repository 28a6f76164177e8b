"""Where rule A starts before there are grades: from what is believed of each member, as it stands to the others.

Over pools of very different strength the fitted weights follow one line: a member's weight depends on how its log-odds
of being right compare with the pool's mean, not on their level. `docs/design/mechanism.md` has the figures.
"""

import math
from collections.abc import Collection, Mapping

from auritas.council.choice.rule import Weights

SLOPE = 1.3
"""Of the line from relative log-odds to weight."""
WEIGHT_ALONE, WEIGHT_PER_MEMBER, LEAST_MEAN = 1.0, 0.065, 0.3
"""The mean weight shrinks with each member, since more of them say the same wrong thing together."""
MEAN_WEIGHT = 0.75
"""Of a member about which, and about whose council, nothing is known."""
LEAST, MOST = 0.05, 6.0
"""Support never counts against a candidate, and nobody is beyond contradiction."""
NONE_OF_THESE, SILENT = 1.1, 0.5
"""Score of "none of these" in a council, and what it gains if all are silent; one member alone is taken at its word."""
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
    members, level = len(odds), math.fsum(odds.values()) / len(odds)
    mean = max(LEAST_MEAN, WEIGHT_ALONE - WEIGHT_PER_MEMBER * members)
    own = {seat: min(max(mean + SLOPE * (each - level), LEAST), MOST) for seat, each in odds.items()}
    share = 1 - 1 / members
    none = NONE_OF_THESE * share + (mean - level) / members
    return Weights(own, none={"one": none, "silent": SILENT * share}, unknown=mean)
