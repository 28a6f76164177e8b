"""Questions about numbers: sentences with their own rule first, then expressions."""

import re

from auritas.gateway.calculator import lists, percentages, properties
from auritas.gateway.calculator.expression import Binary, is_bare, parse
from auritas.gateway.calculator.idioms import refuse_idiom
from auritas.gateway.calculator.model import Calculation, NotOursError
from auritas.gateway.calculator.rules import Answering, Rule, amount, calculated, first_answer, rule


def answer_arithmetic(text: str, *, demanded: bool) -> Calculation:
    """Answer the matter of a question. Raises NotOursError unless all of it is arithmetic that asks something.

    demanded: it was asked for by a word such as "calculate", so that 9/11 is a division and nothing else.
    """
    if answer := first_answer(_RULES, text):
        return answer
    if not demanded:
        refuse_idiom(text)
    node = parse(text)
    if is_bare(node):
        raise NotOursError("A bare number asks nothing.")
    return calculated(node)


def _operation(sign: str, first: str = "a", second: str = "b") -> Answering:
    def answering(match: re.Match[str]) -> Calculation:
        return calculated(Binary(sign, amount(match[first]), amount(match[second])))

    return answering


_RULES: tuple[Rule, ...] = (
    rule(r"multiply(?:ing)? (?P<a>.+?) (?:by|and|with) (?P<b>.+)", _operation("*")),
    rule(r"divid(?:e|ing) (?P<a>.+?) by (?P<b>.+)", _operation("/")),
    rule(r"add(?:ing)? (?P<a>[^,]+?) (?:to|and) (?P<b>[^,]+)", _operation("+")),
    rule(r"subtract(?:ing)? (?P<a>.+?) from (?P<b>.+)", _operation("-", "b", "a")),
    rule(r"(?P<a>.+) subtracted from (?P<b>.+)", _operation("-", "b", "a")),
    rule(r"(?:the )?remainder (?:of|when|if) (?P<a>.+?) (?:is )?divided by (?P<b>.+)", _operation("mod")),
    rule(r"(?:the )?quotient of (?P<a>.+?) and (?P<b>.+)", _operation("/")),
    *lists.RULES,
    *percentages.RULES,
    *properties.RULES,
)
