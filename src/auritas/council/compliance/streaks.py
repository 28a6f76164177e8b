"""How often in a row a seat has broken a rule."""

from collections.abc import Iterable, Mapping

from auritas.council.compliance.model import Level, Result

BOLD_AT = 2
"""Failures in a row after which the rule is repeated in bold."""
REPEATED_AT = 4
"""Failures in a row after which it stands at the end, too."""


def advance(streak: int, *, passed: bool) -> int:
    """Return the streak of failures after one more reply; a pass forgets what was before."""
    return 0 if passed else streak + 1


def advanced(streaks: Mapping[str, int], results: Iterable[Result]) -> dict[str, int]:
    """Return a seat's streak by rule after one reply, only of the rules that it was judged by.

    What is only information leads to nothing, so it has no streak.
    """
    counted = (result for result in results if result.level is not Level.INFO)
    return {result.name: advance(streaks.get(result.name, 0), passed=result.passed) for result in counted}
