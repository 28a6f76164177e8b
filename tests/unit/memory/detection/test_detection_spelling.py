"""What people leave out and swap when they type fast."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auritas.memory.detection.spelling import as_meant, as_typed, one_slip

TYPED = ("its", "it's", "thats", "dont", "im", "wrnog", "alwasy", "rember", "9", "the", "van", ",", ".", "isnt", "Its")
WORDS = st.lists(st.sampled_from(TYPED), max_size=12).map(" ".join)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("thats wrong, its 9", "that's wrong, it's 9"),
        ("Its Monday", "It's Monday"),
        ("its name is Rex", "its name is Rex"),
        ("it lost its charm", "it lost its charm"),
        ("list its five most famous paintings", "list its five most famous paintings"),
        ("youre off, theyre 9 and ive told you", "you're off, they're 9 and i've told you"),
        ("it doesnt, it isnt, we cant and wont", "it doesn't, it isn't, we can't and won't"),
        ("Theres two, whats wrong", "There's two, what's wrong"),
        ("lets go, he lets me", "let's go, he lets me"),
        ("im in", "i'm in"),
        ("wrnog, it is 8443", "wrong, it is 8443"),
        ("from now on alwasy use tabs", "from now on always use tabs"),
        (
            "it is Ines on mondays and Tom on fridays, pls rember",
            "it is Ines on mondays and Tom on fridays, pls remember",
        ),
        ("a newer, lever and fever wring", "a newer, lever and fever wring"),
    ],
)
def test_apostrophes_and_slips_are_put_right(typed, meant):
    """What is missing is read, and words of their own stay (M3)."""
    assert as_meant(typed) == meant


@given(st.one_of(WORDS, st.text(max_size=60)), st.integers(0, 60), st.integers(0, 60))
def test_every_part_has_its_typed_form(sentence, start, length):
    """Whole words of what is read are found again in what was typed, and reading twice changes nothing (M3)."""
    meant = as_meant(sentence)
    assert as_meant(meant) == meant
    words = meant.split(" ")
    part = " ".join(words[start : start + length])
    assert as_typed(part, sentence) in sentence


@given(st.text("abcdefg", min_size=4, max_size=9), st.integers(0, 7), st.sampled_from("xyz"))
def test_one_slip_is_one_letter(word, at, letter):
    """A letter left out, added, mistaken, or swapped with its neighbour is one slip; two mistaken ones are not (M3)."""
    at = min(at, len(word) - 2)
    cut, rest = word[:at], word[at + 1 :]
    assert one_slip(cut + rest, word)
    assert one_slip(cut + letter + word[at:], word)
    assert one_slip(cut + letter + rest, word)
    assert one_slip(cut + word[at + 1] + word[at] + word[at + 2 :], word)
    assert not one_slip(f"{cut}{letter}{letter}{rest}x", word)
