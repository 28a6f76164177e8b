"""How many independent members the answering ones are worth."""

import math
from collections.abc import Collection, Mapping


def effective_votes(answered: Collection[str], correlations: Mapping[str, Mapping[str, float]]) -> float | None:
    """Return how many independent members the answering ones are worth, or None where that is not known.

    n / (1 + (n - 1) r) with r the mean correlation of their errors, never negative: the design effect of Kish, Survey
    Sampling (1965), section 5.4.
    """
    known = sorted(seat for seat in answered if seat in correlations)
    if not known or len(known) < len(answered):
        return None
    pairs = [correlations[a].get(b) for a in known for b in known if a < b]
    if None in pairs:
        return None
    rho = max(0.0, math.fsum(filter(None, pairs)) / len(pairs)) if pairs else 0.0
    return len(known) / (1 + (len(known) - 1) * rho)
