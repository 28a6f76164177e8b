"""Random situations, weights and cases for the tests of choosing."""

from hypothesis import strategies as st

from auritas.council.choice.model import Case, Option, Situation
from auritas.council.choice.rule import SHAPES, Weights

SEATS = ("ada", "bob", "cid", "dee", "eve")
NODES = ("code", "law", "number")
FORMS = ("A", "B", "yes")

weights_values = st.floats(-4, 4)
shares_of_nodes = st.dictionaries(st.sampled_from(NODES[:2]), st.floats(0, 1))


@st.composite
def situations(draw) -> Situation:
    """Questions on which each seat says one of a few things, is silent, or was not asked."""
    said = {seat: draw(st.sampled_from(["", "", "p", "q", "r", "none", "not asked"])) for seat in SEATS}
    keys = sorted({what for what in said.values() if len(what) == 1})
    options = tuple(
        Option(
            key,
            tuple(seat for seat in SEATS if said[seat] == key),
            draw(st.sampled_from(["", *FORMS])),
            draw(st.sampled_from([0.0, 0.3, -0.2])),
        )
        for key in keys
    )
    asked = tuple(seat for seat in SEATS if said[seat] != "not asked")
    aspects = {"number": draw(st.floats(0, 1))} if draw(st.booleans()) else {}
    tagged = draw(shares_of_nodes)
    reports = {seat: draw(st.floats(-4, 4)) for seat in asked if draw(st.booleans())}
    return Situation(options, asked, draw(shares_of_nodes), aspects, tagged, reports)


@st.composite
def cases(draw) -> Case:
    """Questions with a sure key, unsure grades, or none."""
    situation = draw(situations())
    places = len(situation.options) + 1
    kind = draw(st.sampled_from(["sure", "unsure", "without"]))
    if kind == "without":
        return Case(situation)
    if kind == "sure":
        right = draw(st.integers(0, places - 1))
        return Case(situation, tuple(float(place == right) for place in range(places)))
    return Case(situation, tuple(draw(st.floats(0.05, 1)) for _ in range(places)))


def by(keys: tuple[str, ...], values: st.SearchStrategy[float] = weights_values) -> st.SearchStrategy[dict[str, float]]:
    return st.fixed_dictionaries(dict.fromkeys(keys, values))


weights = st.builds(
    Weights,
    seats=by(SEATS),
    nodes=st.dictionaries(st.sampled_from(SEATS), by(NODES)),
    forms=st.dictionaries(st.sampled_from(SEATS), by(FORMS)),
    bias=by(FORMS),
    none=by(SHAPES),
    none_nodes=by(NODES),
    oddness=weights_values,
    reports=st.floats(0, 3),
    unknown=weights_values,
)
