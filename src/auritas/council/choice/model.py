"""What choosing sees of a question, and what learning sees of a past one."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import repeat

EVERYTHING = ""
"""The node above all domains: what a member does on average."""


@dataclass(frozen=True, slots=True)
class Option:
    """A candidate as a rule sees it: who says so, and the form of what is said.

    key: its id. supporters: seats, sorted. form: a choice letter, `yes`, `no`, or nothing for any other answer;
    members lean towards some of these whatever is asked. oddness: of a number among offered ones, how much farther it
    lies from the others than they do from each other; 0 where nothing can be said.
    """

    key: str
    supporters: tuple[str, ...]
    form: str = ""
    oddness: float = 0.0


@dataclass(frozen=True, slots=True)
class Situation:
    """A question at the moment of choosing.

    asked: seats whose reply counts, the silent ones included, the abstaining ones not. domains: p(j|q) for each node on
    the paths to the roots, so the shares of one depth add up to 1 at most. aspects: what else can be seen of the
    question beforehand, such as that it asks for a number, in [0, 1]. tagged: p(j|q) by what the members filed
    their answers under, which only the `track_record` rule reads: any other could be moved by a member's own words.
    reports: of who stated how sure it is, the log-odds of that,
    recalibrated.
    """

    options: tuple[Option, ...]
    asked: tuple[str, ...]
    domains: Mapping[str, float] = field(default_factory=dict)
    aspects: Mapping[str, float] = field(default_factory=dict)
    tagged: Mapping[str, float] = field(default_factory=dict)
    reports: Mapping[str, float] = field(default_factory=dict)

    @property
    def nodes(self) -> Mapping[str, float]:
        """Everything that a member may be better or worse at: domains and aspects."""
        return {**self.domains, **self.aspects} if self.aspects else self.domains

    @property
    def answered(self) -> frozenset[str]:
        """Seats with a readable answer."""
        return frozenset(seat for option in self.options for seat in option.supporters)


@dataclass(frozen=True, slots=True)
class Case:
    """A past question with what is known of its answers.

    likelihood: for each option, and last for "none of these", how likely the grades are if that is the truth, up to a
    common factor. A sure key is a one and zeros; no grade at all is None.
    """

    situation: Situation
    likelihood: tuple[float, ...] | None = None

    @property
    def right(self) -> int | None:
        """The index of the one option that the grades leave, `len(options)` for none of them, or None if unsure."""
        if self.likelihood is None or len(self.likelihood) - self.likelihood.count(0.0) != 1:
            return None
        return self.likelihood.index(max(self.likelihood))

    @property
    def sure(self) -> bool:
        """Whether a grade excludes something for certain, as a person, a key or a checker can, and no reviewer."""
        return self.teaches and min(self.likelihood or ()) == 0

    @property
    def teaches(self) -> bool:
        """Whether rule A can learn from it: there was something to choose from, and the grades leave a truth."""
        return bool(self.situation.options) and self.likelihood is not None and max(self.likelihood) > 0


def known(situation: Situation, right: int | None) -> Case:
    """Return the case whose right option is known; None: none of them is right."""
    index = len(situation.options) if right is None else right
    return Case(situation, tuple(float(each == index) for each in range(len(situation.options) + 1)))


def restricted(case: Case, seats: frozenset[str]) -> Case:
    """Return the case as it would have been if only `seats` had been asked.

    An option that loses all its supporters joins "none of these": nobody would have offered it.
    """
    before = case.situation
    if seats.issuperset(before.asked):
        return case
    kept: list[Option] = []
    likelihood: list[float] = []
    none_of_them = case.likelihood[-1] if case.likelihood else 0.0
    for option, value in zip(before.options, case.likelihood or repeat(0.0), strict=False):
        supporters = tuple(seat for seat in option.supporters if seat in seats)
        if supporters:
            kept.append(Option(option.key, supporters, option.form, option.oddness))
            likelihood.append(value)
        else:
            none_of_them = max(none_of_them, value)
    asked = tuple(seat for seat in before.asked if seat in seats)
    situation = Situation(tuple(kept), asked, before.domains, before.aspects, before.tagged, before.reports)
    return Case(situation, None if case.likelihood is None else (*likelihood, none_of_them))
