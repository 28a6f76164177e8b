"""A calculator that answers the questions that are its own, exactly, and leaves all others alone.

`calculate` is pure: a hand-written grammar over a closed lexicon, standard-library fractions, no evaluation of text.
It prefers silence to a guess: what its grammar does not take whole is an Abstention.
"""

from auritas.gateway.calculator.arithmetic import answer_arithmetic
from auritas.gateway.calculator.days import Today, answer_days
from auritas.gateway.calculator.dress import Matter, undress
from auritas.gateway.calculator.measures import answer_measure
from auritas.gateway.calculator.model import Abstention, Calculation, NotOursError, Units

__all__ = ["Abstention", "Calculation", "Today", "Units", "calculate"]


def calculate(question: str, units: Units, today: Today) -> Calculation | Abstention:
    """Answer a question about numbers, units or days, or say why not.

    today: the day on which it is asked, in the user's zone. Never raises on any text, and always ends at once: every
    number, length and depth is bounded.
    """
    try:
        matter = undress(question)
    except NotOursError as error:
        return Abstention(error.message)
    reason = ""
    for reading in (_days, _measure, _arithmetic):
        try:
            return reading(matter, units, today)
        except NotOursError as error:
            reason = error.message
    return Abstention(reason)


def _days(matter: Matter, _: Units, today: Today) -> Calculation:
    return answer_days(matter.text, today)


def _measure(matter: Matter, units: Units, _: Today) -> Calculation:
    return answer_measure(matter.text, units)


def _arithmetic(matter: Matter, _: Units, __: Today) -> Calculation:
    return answer_arithmetic(matter.text, demanded=matter.demanded)
