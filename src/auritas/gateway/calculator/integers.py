"""Whole-number questions: roots and primes."""

from math import gcd, isqrt

PRIME_LIMIT = 3_317_044_064_679_887_385_961_981
"""Below it the thirteen bases decide with certainty: Sorenson and Webster, Strong pseudoprimes to twelve prime
bases, Mathematics of Computation 86 (2017)."""

_BASES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41)
_TRIAL_LIMIT = 100_000


def root(number: int, degree: int) -> int:
    """Return the largest r with r^degree <= number, for number >= 0 and degree >= 1. Newton's method on integers."""
    if degree == 1 or number <= 1:
        return number
    if degree == 2:  # noqa: PLR2004  the square root is in the standard library
        return isqrt(number)
    guess = 1 << -(-number.bit_length() // degree)
    while True:
        better = ((degree - 1) * guess + number // guess ** (degree - 1)) // degree
        if better >= guess:
            return guess
        guess = better


def is_prime(number: int) -> bool:
    """Return whether `number`, below PRIME_LIMIT, is prime: Miller-Rabin with bases that leave no doubt."""
    if number <= _BASES[-1]:
        return number in _BASES
    odd, twos = number - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    return all(_passes(number, base, odd, twos) for base in _BASES)


def small_factor(number: int) -> int | None:
    """Return the least factor of `number` from 2 up to 100,000 other than itself, or None."""
    limit = min(_TRIAL_LIMIT, isqrt(number))
    return next((factor for factor in range(2, limit + 1) if number % factor == 0), None)


def _passes(number: int, base: int, odd: int, twos: int) -> bool:
    if gcd(number, base) > 1:
        return number == base
    power = pow(base, odd, number)
    if power in {1, number - 1}:
        return True
    for _ in range(twos - 1):
        power = power * power % number
        if power == number - 1:
            return True
    return False
