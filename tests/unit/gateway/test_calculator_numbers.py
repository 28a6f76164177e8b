"""The mathematics inside the calculator."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auritas.gateway.calculator.evaluation import MAX_BITS, evaluate, render
from auritas.gateway.calculator.expression import Binary, Negative, Node, Number, Root, parse
from auritas.gateway.calculator.integers import PRIME_LIMIT, is_prime, root, small_factor
from auritas.gateway.calculator.model import NotOursError, Value
from auritas.gateway.calculator.notation import exact_decimal, rounded, written


@given(st.integers(0, 2**600), st.integers(1, 12))
def test_an_integer_root_is_the_largest_that_fits(number, degree):
    """r^n <= x < (r + 1)^n."""
    found = root(number, degree)
    assert found**degree <= number < (found + 1) ** degree


def test_primes_below_ten_thousand_are_those_of_the_sieve():
    """The strong test agrees with Eratosthenes."""
    sieve = [True] * 10_000
    sieve[0] = sieve[1] = False
    for number in range(2, 100):
        if sieve[number]:
            sieve[number * number :: number] = [False] * len(sieve[number * number :: number])
    assert [is_prime(number) for number in range(10_000)] == sieve


@pytest.mark.parametrize("number", [3_215_031_751, 3_825_123_056_546_413_051, 318_665_857_834_031_151_167_461])
def test_strong_pseudoprimes_are_found_out(number):
    """Composites that pass the test for many small bases are still not prime."""
    assert number < PRIME_LIMIT
    assert not is_prime(number)


@given(st.integers(2, 10**6))
def test_a_small_factor_divides(number):
    """Below ten thousand million a number has a small factor if and only if it is composite."""
    factor = small_factor(number)
    assert (factor is None) == is_prime(number)
    assert factor is None or number % factor == 0


@given(st.fractions())
def test_an_exact_decimal_is_exact(amount):
    """What is written without a mark is the number itself."""
    text = exact_decimal(amount)
    assert text is None or Fraction(text) == amount


@given(st.fractions(min_value=-(10**15), max_value=10**15))
def test_a_rounded_number_is_right_to_ten_digits(amount):
    """The marked form differs by at most half a unit in the tenth digit."""
    text = rounded(amount).replace(" \N{MULTIPLICATION SIGN} 10^", "e")
    assert abs(Fraction(text) - amount) <= abs(amount) * Fraction(1, 2 * 10**9)


def test_a_rounded_answer_says_so():
    """A number that has no short decimal carries the mark."""
    assert written(Value(Fraction(1, 3))) == "≈ 0.3333333333"
    assert written(Value(Fraction(1, 8))) == "0.125"
    assert written(Value(Fraction(14, 10), doubt=1e-30)) == "≈ 1.4"


numbers = st.integers(0, 50).map(lambda value: Number(Fraction(value), str(value)))


def _grown(inner: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    binary = st.builds(Binary, st.sampled_from(["+", "-", "*", "/"]), inner, inner)
    power = st.builds(Binary, st.just("^"), inner.filter(lambda node: not isinstance(node, Negative)), numbers)
    return binary | power | inner.map(Negative) | inner.map(lambda node: Root(node, 2))


@given(st.recursive(numbers, _grown, max_leaves=8))
def test_a_rendered_tree_is_read_back_with_the_same_value(node):
    """What the explanation shows is what was calculated: brackets are neither lost nor moved."""
    try:
        value = evaluate(node)
    except NotOursError:
        return
    again = evaluate(parse(render(node).replace("\N{MULTIPLICATION SIGN}", "*")))
    assert abs(again.amount - value.amount) <= abs(value.amount) * Fraction(1, 10**15)
    assert max(value.amount.numerator.bit_length(), value.amount.denominator.bit_length()) <= MAX_BITS


@given(st.integers(2, 10**6), st.integers(2, 10**6))
def test_irrational_results_are_right_to_their_doubt(first, second):
    """The square of a root differs from the number by no more than the doubt that it carries."""
    value = evaluate(parse(f"sqrt({first}) * sqrt({second})"))
    error = abs(value.amount**2 - first * second)
    assert error <= first * second * (2 * Fraction(value.doubt) + Fraction(1, 10**60))
