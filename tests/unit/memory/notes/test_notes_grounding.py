"""A note may say only what was said."""

from auritas.memory.notes.grounding import grounded
from auritas.memory.notes.model import Sections

SAID = "We take PostgreSQL 16 on marlin. The schema is in stock/schema.sql. 4,213 rows were imported."


def test_what_was_said_stays_in_other_words():
    """A decision may be reworded."""
    note = Sections(decisions=("PostgreSQL 16 runs on marlin", "Rows imported: 4,213"), active_file="stock/schema.sql")
    assert grounded(note, SAID) == note


def test_what_was_not_said_goes():
    """Neither another subject nor another number, nor a file that nobody named."""
    note = Sections(
        goal="Plan Ada's birthday with music",
        decisions=("PostgreSQL 17 on marlin", "No nuts in the food"),
        active_file="party.md",
        resume="Suggest music for the party",
    )
    assert grounded(note, SAID) == Sections()


def test_words_of_notes_themselves_count_for_nothing():
    """That a user wants to finish something is about nothing that was said, and not against it either."""
    assert grounded(Sections(status="The user wants to finish the import of rows"), SAID).status
    assert not grounded(Sections(status="The user wants to finish the holiday in Spain"), SAID).status


def test_names_of_files_and_programs_are_copied_or_wrong():
    """A file that nobody named is made up, however much of its name was said; a decimal point is no such name."""
    note = Sections(decisions=("The schema is in stock/schema.sql.", "The schema is in schema_stock.sql"))
    assert grounded(note, SAID).decisions == ("The schema is in stock/schema.sql.",)
    assert grounded(Sections(status="Rows were imported: 4.213"), SAID).status


def test_a_name_that_nobody_said_is_made_up():
    """However much of the rest was said; the first word of a sentence has its capital from its place."""
    assert not grounded(Sections(status="The schema is in stock on Heron"), SAID).status
    assert grounded(Sections(status="Imported: rows of stock. Imported on marlin"), SAID).status


def test_a_preference_is_the_users():
    """What the assistant suggested is no wish of anybody's."""
    note = Sections(decisions=("SQLite for small shops",), preferences=("SQLite for small shops", "plain queries"))
    kept = grounded(note, "SQLite suits small shops. I want plain queries.", "I want plain queries.")
    assert (kept.decisions, kept.preferences) == (("SQLite for small shops",), ("plain queries",))
