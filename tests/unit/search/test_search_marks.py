"""Where words stand in a text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auritas.search.marks import holds, lower_of


@given(st.text())
def test_places_in_the_folded_text_are_places_in_the_text(text):
    """Folding keeps the number of letters, whatever the script (M14)."""
    assert len(lower_of(text)) == len(text)


@pytest.mark.parametrize(
    ("text", "word", "prefix", "found"),
    [
        ("Ein Café — gleich hier", "cafe", False, True),
        ("İstanbul'da kahve", "kahve", False, True),
        ("“MessageCache” … done", "cache", False, True),
        ("descriptions", "script", True, False),
        ("os.path.join(x)", "os_path_join", False, True),
        ("poster", "post", True, True),
        ("poster", "post", False, False),
    ],
)
def test_words_are_found_beside_letters_of_any_script(text, word, prefix, found):
    """Diacritics, long dashes and quotes around a word do not hide it (M14)."""
    assert holds(text, lower_of(text), word, prefix=prefix) is found
