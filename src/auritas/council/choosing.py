"""From answers to a situation, and from a ranking to a decision: what a live question and an evaluation share."""

from collections.abc import Mapping, Sequence

from auritas.council.candidates import Group
from auritas.council.choice.model import Option, Situation
from auritas.council.choice.offered import aspects, oddness, offered
from auritas.council.ledger.rules import CouncilRule, reports_of
from auritas.council.options import Options, form_of, options_of
from auritas.kernel.answers import Answer


def situation_of(
    question: str,
    groups: Sequence[Group],
    answers: Sequence[Answer],
    domains: Mapping[str, float],
    *,
    reports: Mapping[str, float] | None = None,
    tagged: Mapping[str, float] | None = None,
) -> Situation:
    """Return what a policy sees.

    Silent and failed members are in it, because silence tells something; an abstention is not. domains: shares of the
    nodes on the paths to the roots, fixed before anybody answered. reports: log-odds of recalibrated reports by seat.
    tagged: p(j|q) by the members' own tags.
    """
    listed = offered(question)
    odd = oddness(listed)
    # A bare letter is its own form; reading the words behind letters takes a fifth of a millisecond.
    offers = Options() if all(group.text in listed for group in groups) else options_of(question)
    options = tuple(_option(group, offers, odd) for group in groups)
    asked = tuple(sorted(answer.seat.name for answer in answers if not answer.abstained))
    return Situation(options, asked, domains, aspects(listed), tagged or {}, reports or {})


def reports_in(answers: Sequence[Answer], rule: CouncilRule) -> Mapping[str, float]:
    """Return the log-odds of the recalibrated report of each seat that answered and said how sure it is."""
    return {seat: rule.term(seat, report) for seat, report in reports_of(answers).items()}


def _option(group: Group, offers: Options, odd: Mapping[str, float]) -> Option:
    form = form_of(group.text, offers)
    return Option(group.id, group.supporters, form, odd.get(form, 0.0))
