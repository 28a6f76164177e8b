"""Pools of simulated members who err together, and what they say of simulated questions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from auritas.council.choice.model import Case, Option, Situation, known

LETTERS = "ABCDEFGHIJ"


@dataclass(frozen=True)
class _Asked:
    """Questions: what each is about, its right and its tempting answer, and how easy it is."""

    domain: NDArray[np.int64]
    right: NDArray[np.int64]
    tempting: NDArray[np.int64]
    ease: NDArray[np.float64]


@dataclass(frozen=True)
class Pool:
    """Members and how they err.

    rates: how often each is right. together: correlation of the normal variables behind being right; what is shared is
    the question. lure: share of wrong answers that fall on the question's one tempting answer. silence: of each member.
    strong: added to the normal variable of a seat on a domain. clones: seats that repeat another.
    guessers: seats that draw a letter.
    """

    rates: Mapping[str, float]
    together: float = 0.3
    lure: float = 0.5
    silence: Mapping[str, float] = field(default_factory=dict)
    strong: Mapping[tuple[str, str], float] = field(default_factory=dict)
    domains: tuple[str, ...] = ("code", "law")
    clones: Mapping[str, str] = field(default_factory=dict)
    guessers: tuple[str, ...] = ()
    letters: int = 5

    def with_clone(self, name: str, of: str) -> "Pool":
        return replace(self, clones={**self.clones, name: of})

    @property
    def seats(self) -> tuple[str, ...]:
        return (*self.rates, *self.clones, *self.guessers)

    def cases(self, count: int, seed: int) -> list[Case]:
        """Return questions with their keys. More seats leave what the first ones say as it is."""
        chance = np.random.default_rng(seed)
        domain = chance.integers(len(self.domains), size=count)
        right = chance.integers(self.letters, size=count)
        tempting = (right + chance.integers(1, self.letters, size=count)) % self.letters
        asked = _Asked(domain, right, tempting, chance.normal(size=count))
        said = {
            seat: self._said(seat, np.random.default_rng([seed, index]), asked) for index, seat in enumerate(self.rates)
        }
        said |= {seat: np.random.default_rng([seed, 99]).integers(self.letters, size=count) for seat in self.guessers}
        said |= {clone: said[of] for clone, of in self.clones.items()}
        return [
            case_of({seat: int(said[seat][row]) for seat in said}, int(right[row]), self.domains[domain[row]])
            for row in range(count)
        ]

    def _said(self, seat: str, chance: np.random.Generator, asked: _Asked) -> NDArray[np.int64]:
        count = len(asked.right)
        own = np.sqrt(self.together) * asked.ease + np.sqrt(1 - self.together) * chance.normal(size=count)
        lift = np.array([self.strong.get((seat, name), 0.0) for name in self.domains])[asked.domain]
        knows = own + lift + float(ndtri(self.rates[seat])) > 0
        guess = (asked.right + chance.integers(1, self.letters, size=count)) % self.letters
        wrong = np.where(chance.random(count) < self.lure, asked.tempting, guess)
        heard = chance.random(count) >= self.silence.get(seat, 0.0)
        return np.where(heard, np.where(knows, asked.right, wrong), -1)


def case_of(said: Mapping[str, int], right: int, domain: str = "") -> Case:
    """Return the case of who said which letter, -1 being silence."""
    letters = sorted({letter for letter in said.values() if letter >= 0})
    options = tuple(
        Option(LETTERS[letter], tuple(sorted(s for s, what in said.items() if what == letter)), LETTERS[letter])
        for letter in letters
    )
    situation = Situation(options, tuple(sorted(said)), {domain: 1.0} if domain else {})
    return known(situation, letters.index(right) if right in letters else None)


def without_keys(cases: Sequence[Case]) -> list[Case]:
    return [Case(case.situation) for case in cases]
