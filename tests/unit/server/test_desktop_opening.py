"""The window's own page."""

import re
from pathlib import Path

import pytest

from auritas.kernel.errors import UnavailableError
from auritas.server.desktop.opening import AGAIN, GROUND, GROUND_BY_NIGHT, opening, trouble

TOKENS = Path(__file__).parents[3] / "web" / "src" / "theme" / "tokens.css"
_COLOUR = re.compile(r"--([a-z-]+): light-dark\(([^)]+)\);")


def test_its_colours_are_those_of_the_page_that_follows():
    """Going over to the page of the server changes no colour, by day and by night (spec 06, 3)."""
    ours, theirs = (dict(_COLOUR.findall(text)) for text in (opening(), TOKENS.read_text()))
    assert ours.items() <= theirs.items()
    assert ours["ground"] == f"{GROUND}, {GROUND_BY_NIGHT}"


def test_it_asks_nobody_for_anything():
    """The page needs no script and no other file (spec 06, 3)."""
    for page in (opening(), trouble(UnavailableError("It is away."))):
        assert "default-src 'none'" in page
        assert not re.search(r"<script|src=|url\(|https?:", page)


@pytest.mark.parametrize("evil", ["<img src=x onerror=alert(1)>", '"><script>alert(1)</script>', "$words & more"])
def test_what_a_server_said_is_never_markup(evil):
    """The last line of a server stands there as it was said, and a way to try again (spec 06, 3)."""
    page = trouble(UnavailableError(evil, remedy=evil))
    assert "<img" not in page
    assert "<script" not in page
    assert f'href="{AGAIN}"' in page
    assert "Opening" not in page
