"""Which sentences take the place of which: replacing wrongly is worse than asking."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auritas.kernel.memory import CorrectionType
from auritas.memory.slots import condition_key, says_whole, slot_of

PAIRS = Path(__file__).parents[2] / "data" / "slot_pairs.tsv"
PAIRS_AT_LEAST = 250
REPLACED_AT_LEAST = 0.9
FACT, RULE, LIKING = CorrectionType.FACT, CorrectionType.INSTRUCTION, CorrectionType.PREFERENCE
KINDS = st.sampled_from(CorrectionType)


@dataclass(frozen=True)
class Pair:
    """Two sentences of one kind, and what the second does to the first: `replaces`, `stays` or `asks`."""

    verdict: str
    kind: CorrectionType
    said: tuple[str, str]
    asked: tuple[str, str]

    @property
    def keys(self) -> tuple[str | None, str | None]:
        first, second = (key(words, self.kind, asked) for words, asked in zip(self.said, self.asked, strict=True))
        return first, second

    @property
    def replaces(self) -> bool:
        first, second = self.keys
        return first is not None and first == second


def key(words: str, kind: CorrectionType, asked: str = "") -> str | None:
    slot = slot_of(words, kind, asked)
    return slot.key if slot else None


def pairs(verdict: str | None = None) -> Sequence[Pair]:
    lines = [line for line in PAIRS.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    cells = [(*line.split("\t"), "", "")[:6] for line in lines]
    found = [Pair(row[0], CorrectionType(row[1]), (row[2], row[3]), (row[4], row[5])) for row in cells]
    return [pair for pair in found if verdict in {None, pair.verdict}]


def test_the_table_is_large_and_varied():
    """There are enough pairs of each verdict to say something (M5)."""
    counts = {verdict: len(pairs(verdict)) for verdict in ("replaces", "stays", "asks")}
    assert sum(counts.values()) == len(pairs()) >= PAIRS_AT_LEAST
    assert min(counts.values()) > 30, counts


def test_nothing_unrelated_is_replaced():
    """Of all pairs that must both stay, and of all that are to be asked about, none replaces the other (M5)."""
    assert [pair.said for pair in (*pairs("stays"), *pairs("asks")) if pair.replaces] == []


def test_what_changed_is_replaced():
    """Of the pairs of which the second takes the place of the first, nine of ten have one slot (M4)."""
    changed = pairs("replaces")
    missed = [pair.said for pair in changed if not pair.replaces]
    assert len(missed) <= (1 - REPLACED_AT_LEAST) * len(changed), missed


def test_the_order_of_two_sentences_does_not_matter():
    """A slot is of a sentence alone: whoever comes second, the pair is judged alike (M4)."""
    for pair in pairs():
        first, second = pair.keys
        assert (first == second) == (second == first)
        assert pair.keys == pair.keys


@pytest.mark.parametrize("pair", pairs("replaces"), ids=lambda pair: pair.said[0])
def test_manners_do_not_change_a_slot(pair):
    """Courtesy, capitals at the beginning and a closing full stop say nothing about what is meant (M4)."""
    words = pair.said[0]
    for polite in (f"Please, {words}", f"{words}.", f"From now on, {words}!", f"  {words} ", f"Remember that {words}"):
        assert key(polite, pair.kind, pair.asked[0]) == key(words, pair.kind, pair.asked[0])


@pytest.mark.parametrize(
    ("first", "second", "kind"),
    [
        ("Project Falcon uses Rust", "Project Heron uses Go", FACT),
        ("Postgres is our database", "Postgres is hosted on marlin", FACT),
        ("Use tabs in Python", "Use spaces in YAML", RULE),
        ("I like tea", "I like coffee", LIKING),
        ("My sister lives in Rome", "My brother lives in Rome", FACT),
    ],
)
def test_topics_that_share_a_word_both_stay(first, second, kind):
    """Two unrelated rules whose topics begin with one word are of two slots, or of none (M5)."""
    assert key(first, kind) is None or key(first, kind) != key(second, kind)


def test_a_denial_takes_the_place_of_what_it_denies():
    """Who no longer likes tea does not like tea; the whole sentence is the slot, and it is known as such (M4)."""
    liked, disliked = key("I like tea", LIKING), key("I no longer like tea", LIKING)
    assert liked == disliked
    assert liked is not None
    assert says_whole(liked)
    attribute = key("The limit is 50", FACT)
    assert attribute is not None
    assert not says_whole(attribute)


def test_an_answer_is_about_its_question():
    """A short answer has the slot of the question that it corrects, whatever its words (M4)."""
    asked = "What is the capital of Australia?"
    assert key("Sydney", FACT, asked) == key("No, it is Canberra.", FACT, asked) == "australia capital|asked"
    assert key("It is Vienna", FACT, "What is the capital of Austria?") != key("Sydney", FACT, asked)


def test_who_is_meant_must_be_said():
    """Her number is not mine, and of what only stood before a sentence nothing is replaced (M5)."""
    assert key("Her phone number is 555 0100", FACT) != key("My phone number is 555 0199", FACT)
    assert key("It is 53", FACT) is None
    assert key("This is important", FACT) is None


@given(st.text(max_size=400), KINDS, st.text(max_size=80))
def test_any_text_has_a_slot_or_none(words, kind, asked):
    """Reading a slot never fails, and what it finds has a subject and an attribute (M4)."""
    slot = slot_of(words, kind, asked)
    assert slot is None or (slot.subject and slot.attribute)


@given(
    st.lists(
        st.sampled_from(
            ["the", "is", "of", "at", "in", "for", "use", "never", "my", "3", "pm", ",", "Rome", "limit", "and", "to"]
        ),
        max_size=60,
    )
)
def test_long_sentences_are_read_in_bounded_time(words):
    """No sentence of common words makes the patterns run away (M4)."""
    slot_of(" ".join(words)[:300], FACT)


@given(st.text(max_size=80))
def test_a_condition_is_never_lost(condition):
    """Something that is said only of some cases never becomes a rule for all: its key has words if it has (M9)."""
    has_words = any(character.isalnum() for character in condition.lower())
    assert bool(condition_key(condition)) >= has_words


def test_conditions_in_other_order_are_one():
    """Order and small words do not make another condition; other words do (M9)."""
    assert condition_key("except in the Makefiles") == condition_key("except in Makefiles")
    assert condition_key("except in Makefiles") != condition_key("except in YAML")
    assert condition_key("") == ""
    assert condition_key("when you do") != ""
