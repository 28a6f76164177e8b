"""Measuring reviewers with answers whose truth is known, and what their grades are then worth."""

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Final

from auritas.council.model import Grade, GradeSource
from auritas.council.review.assignment import tie
from auritas.council.review.model import Bias, CheckResult, Comparison, KnownAnswer, Preference, Reliability, Verdicts
from auritas.kernel.answers import Review, ReviewVerdict

PRIOR: Final = 0.8
"""Sensitivity and specificity of a reviewer that nobody has measured."""
PRIOR_WEIGHT: Final = 10
"""Verdicts that the prior of each counts for."""
REVIEWS_PER_CHECK: Final = 10
"""One review in so many is of an answer whose truth is known, asked in the same words."""
MEASURED: Final = 20
"""Checks from which on a reviewer can be found to be no better than chance."""
INFORMED: Final = 0.2
"""Below this informedness a measured reviewer gives no grade at all. Its prior keeps one that always says the same
above zero for long: after thirty wrong answers called correct it still stands at .15."""
BIAS_COUNT: Final = 20
"""Observations below which a bias is not shown: it would be noise."""

TAIL: Final = 0.025
"""Left out at each end of a 95 % interval."""

_FORMS: Final = ("right", "wrong", "long_right", "long_wrong")
_TRUTH: Final = {ReviewVerdict.CORRECT: True, ReviewVerdict.INCORRECT: False}


@cache
def built_in_answers() -> tuple[KnownAnswer, ...]:
    """Return the known answers that ship with Auritas."""
    data = files("auritas.council").joinpath("data/known_answers.toml").read_text(encoding="utf-8")
    return tuple(
        KnownAnswer(f"{question['id']}.{form}", question["ask"], question[form], form.endswith("right"))
        for question in tomllib.loads(data)["question"]
        for form in _FORMS
        if form in question
    )


def reliability(checks: Sequence[CheckResult], before: Verdicts | None = None) -> Reliability:
    """Return what `checks` say of a reviewer: means of Beta distributions with PRIOR worth PRIOR_WEIGHT verdicts each.

    Only plain verdicts count, as only they give grades: P(says correct | right, says correct or incorrect). before:
    what the very same weights said when they were measured elsewhere; it counts until the reviewer is measured here.
    """
    plain = [check for check in checks if check.verdict in _TRUTH]
    before = before if before and len(plain) < MEASURED else Verdicts()
    return Reliability(
        sensitivity=_rate(plain, before.right, is_right=True),
        specificity=_rate(plain, before.wrong, is_right=False),
        checks=len(plain) + before.right[1] + before.wrong[1],
        plain=len(plain) / len(checks) if checks else None,
    )


def intervals(
    checks: Sequence[CheckResult], before: Verdicts | None = None
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the equal-tailed 95 % intervals of sensitivity and specificity, by the same Beta distributions."""
    plain = [check for check in checks if check.verdict in _TRUTH]
    before = before if before and len(plain) < MEASURED else Verdicts()
    return _interval(plain, before.right, is_right=True), _interval(plain, before.wrong, is_right=False)


def informed(reviewer: Reliability) -> bool:
    """Return whether a reviewer's verdicts count: until it has been measured, and then if it is better than chance."""
    return reviewer.checks < MEASURED or reviewer.informedness >= INFORMED


def grade_of(review: Review, reviewer: Reliability, run_id: str | None = None) -> Grade | None:
    """Return the grade that a review gives to the answer it read, or to `run_id`, which said the same.

    None where it gives none: it could not be read, or its reviewer has been measured and found to know nothing.
    partially_correct grades as "could not tell".
    """
    if review.verdict is ReviewVerdict.UNREVIEWED or not informed(reviewer):
        return None
    return Grade(
        run_id=run_id or review.run_id,
        correct=_TRUTH.get(review.verdict),
        source=GradeSource.REVIEWER,
        reliability=reviewer.of_a_grade,
        given_by=review.reviewer,
    )


def due_check(reviews_since_check: int) -> bool:
    """Return whether the next review should be of a known answer: one in REVIEWS_PER_CHECK is."""
    return reviews_since_check >= REVIEWS_PER_CHECK - 1


def next_check(reviewer: str, known: Sequence[KnownAnswer], seen: Mapping[str, int]) -> KnownAnswer | None:
    """Return the known answer that this reviewer has seen least often, ties by a hash; None when there is none."""
    return min(known, key=lambda item: (seen.get(item.id, 0), tie(reviewer, item.id)), default=None)


def length_bias(checks: Sequence[CheckResult]) -> Bias | None:
    """Return by how much more often the long forms of our items are called correct than the short forms.

    Compared among answers that are equally true, so that it measures length alone. None while too little is known.
    """
    ours = [check for check in checks if check.verdict in _TRUTH and not check.item.startswith("run:")]
    long = [check for check in ours if ".long_" in check.item]
    pairs = {check.item.partition(".")[0] for check in long}
    short = [check for check in ours if ".long_" not in check.item and check.item.partition(".")[0] in pairs]
    differences = []
    for is_right in (True, False):
        of_long = [c for c in long if c.is_right is is_right]
        of_short = [c for c in short if c.is_right is is_right]
        if of_long and of_short:
            differences.append(_said_correct(of_long) - _said_correct(of_short))
    count = len(long) + len(short)
    return Bias(sum(differences) / len(differences), count) if differences and count >= BIAS_COUNT else None


def position_bias(comparisons: Sequence[Comparison]) -> Bias | None:
    """Return how much more often a judge stuck to the first place than to the second when two answers changed places.

    1: it always names whatever is shown first; 0: no preference for a place. None while too little is known.
    """
    if len(comparisons) < BIAS_COUNT:
        return None
    kept = {(Preference.FIRST, Preference.SECOND): 1, (Preference.SECOND, Preference.FIRST): -1}
    total = sum(kept.get((each.forward, each.backward), 0) for each in comparisons)
    return Bias(total / len(comparisons), len(comparisons))


def _rate(checks: Sequence[CheckResult], before: tuple[int, int], *, is_right: bool) -> float:
    hits, misses = _posterior(checks, before, is_right=is_right)
    return hits / (hits + misses)


def _interval(checks: Sequence[CheckResult], before: tuple[int, int], *, is_right: bool) -> tuple[float, float]:
    from scipy.special import betaincinv

    hits, misses = _posterior(checks, before, is_right=is_right)
    return float(betaincinv(hits, misses, TAIL)), float(betaincinv(hits, misses, 1 - TAIL))


def _posterior(checks: Sequence[CheckResult], before: tuple[int, int], *, is_right: bool) -> tuple[float, float]:
    """Return the parameters of the Beta distribution: verdicts that were true, and that were not, prior included."""
    asked = [check for check in checks if check.is_right is is_right]
    hits = sum(_TRUTH[check.verdict] is is_right for check in asked) + before[0]
    return PRIOR * PRIOR_WEIGHT + hits, (1 - PRIOR) * PRIOR_WEIGHT + len(asked) + before[1] - hits


def _said_correct(checks: Sequence[CheckResult]) -> float:
    return sum(check.verdict is ReviewVerdict.CORRECT for check in checks) / len(checks)
