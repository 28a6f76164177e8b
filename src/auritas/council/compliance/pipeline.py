"""Every check on one reply, and what they found."""

from collections.abc import Iterable, Sequence

from auritas.council.compliance.checks import BUILT_IN
from auritas.council.compliance.corrections import mechanical_check
from auritas.council.compliance.model import Check, Checked, Failed, Level, Result, Unjudged


def run_checks(subject: Checked, checks: Sequence[Check] = BUILT_IN) -> tuple[Result, ...]:
    """Return one result a check that applies and could tell, in the order of the checks.

    subject: a reply that a model gave; abstentions and failures are no replies.
    """
    results = []
    for check in checks:
        finding = check.run(subject) if check.applies(subject) else Unjudged()
        match finding:
            case Unjudged():
                continue
            case Failed(why, level):
                results.append(Result(check.name, level or check.level, passed=False, why=why, policy=check.policy))
            case _:
                results.append(Result(check.name, check.level, passed=True, policy=check.policy))
    return tuple(results)


def checks_with(corrections: Iterable[tuple[str, str]], checks: Sequence[Check] = BUILT_IN) -> tuple[Check, ...]:
    """Return the checks in force: the given ones and those that active corrections, as (id, text), amount to.

    The later of two checks of one name and tier replaces the earlier: "answer in German" is another rule for the
    language.
    """
    asked = (mechanical_check(text, policy=policy) for policy, text in corrections)
    named = {(check.name, check.tiers): check for check in [*checks, *filter(None, asked)]}
    return tuple(named.values())


def blocking(results: Iterable[Result]) -> tuple[Result, ...]:
    """Return the failures for which the member is asked again; whoever asks holds the limit of attempts."""
    return tuple(result for result in results if not result.passed and result.level is Level.BLOCKING)
