"""Finding conversations by words, in a real encrypted store."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.integration.search.archive import Archive

from auritas.search.errors import UnknownFilterError
from auritas.search.model import Near, Order

FEBRUARY, MARCH = "2026-02-01T00:00:00.000000Z", "2026-03-01T00:00:00.000000Z"


@pytest.fixture
def archive(tmp_path):
    found = Archive(tmp_path / "home")
    yield found
    found.close()


@pytest.fixture
def filled(archive):
    archive.talk(
        "db",
        "We decided on postgres for staging",
        "deploy it with MessageCache and fire_and_forget",
        "error 404 seen at os.path.join(x)",
        title="Database choice",
    )
    archive.talk("games", "posting a post-hoc analysis of theory", "it was deployed yesterday", at=FEBRUARY)
    archive.talk("tokyo", "東京タワーの天気", title="旅行の計画", at=MARCH)
    return archive


def test_all_words_may_be_in_different_messages(filled):
    """A conversation is found when its messages together hold every word (M14)."""
    assert filled.names("postgres 404 forget") == ["db"]
    assert filled.names("postgres theory") == []


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        ("post", {"db", "games"}),
        ("posting", {"games"}),
        ("post-hoc", {"games"}),
        ("MessageCache", {"db"}),
        ("messagecache", {"db"}),
        ("message", {"db"}),
        ("cache", {"db"}),
        ("fire_and_forget", {"db"}),
        ("forget", {"db"}),
        ("fire_an", {"db"}),
        ("404", {"db"}),
        ("40", {"db"}),
        ("os.path.join", {"db"}),
        ("path.join", {"db"}),
        ("join", {"db"}),
        ("the", {"games"}),
        ("東京", {"tokyo"}),
        ("タワー", {"tokyo"}),
        ("計画", {"tokyo"}),
        ("choice", {"db"}),
    ],
)
def test_words_identifiers_numbers_and_cjk_are_found(filled, typed, names):
    """Beginnings, whole identifiers, their parts, numbers and text without blanks are found (M14)."""
    assert set(filled.names(typed)) == names


def test_the_place_is_the_earliest_message_with_all_words(filled):
    """The message is the earliest with all words, else the earliest with the rarest; none for a title alone."""
    filled.talk("long", "apple", "pear apple", "apple pear", "pear quince", "apple")
    place = {
        typed: filled.find(typed).conversations[0].message_id for typed in ("apple pear", "apple quince", "choice")
    }
    assert place == {"apple pear": "long-1", "apple quince": "long-3", "choice": None}


def test_marks_are_data(filled):
    """Hits are marked as pieces; nothing in a text can forge a mark."""
    filled.talk("html", "[canary] <mark>bird</mark>")
    (hit,) = filled.find("canary").conversations
    assert [(piece.text, piece.hit) for piece in hit.snippet] == [
        ("[", False),
        ("canary", True),
        ("] <mark>bird</mark>", False),
    ]


def test_order_while_typing_and_on_enter(archive):
    """Newest first below four letters; from four on, or on Enter, the more relevant first."""
    archive.talk("old", "sonata sonata sonata", title="Sonata", at="2024-01-01T00:00:00.000000Z")
    archive.talk("new", "A long walk with many things in it, and one sonata, and much else besides.", at=MARCH)
    for number in range(20):
        archive.talk(f"other{number}", f"nothing to see {number}")
    assert archive.names("son") == ["new", "old"]
    assert archive.find("son").order is Order.RECENCY
    assert archive.names("sonata") == ["old", "new"]
    assert archive.names("son", entered=True) == ["old", "new"]


def test_identifiers_weigh_double(archive):
    """Of two messages with a word once, the one that has it in an identifier ranks first."""
    archive.talk("prose", "the cache is what matters for it here", at=MARCH)
    archive.talk("code", "the MessageCache is what matters here")
    for number in range(20):
        archive.talk(f"other{number}", f"nothing to see {number}")
    assert archive.names("cache", entered=True) == ["code", "prose"]


def test_filters(filled):
    """Days, projects, phrases and words to leave out narrow the result."""
    filled.run("INSERT INTO projects (project_id, name, created_at) VALUES ('p', 'Site', ?)", MARCH)
    filled.run("UPDATE conversations SET project_id = 'p' WHERE conversation_id = 'games'")
    assert filled.names("before:2026-01-15 post") == ["db"]
    assert filled.names("after:2026-01-15 post") == ["games"]
    assert filled.names("project:site post") == ["games"]
    assert filled.names('"decided on postgres"') == ["db"]
    assert filled.names('"postgres decided"') == []
    assert filled.names("-theory post") == ["db"]
    assert filled.names('-"hoc analysis" post') == ["db"]
    assert filled.names("-post ") == ["tokyo", "db"]
    assert filled.names("-postgres ") == ["tokyo", "games"]
    with pytest.raises(UnknownFilterError) as caught:
        filled.find("project:sitte ")
    assert "Site" in caught.value.remedy


def test_models_and_domains_narrow(filled):
    """A conversation is found by who answered in it, and by what it was about."""
    filled.run(
        "INSERT INTO queries (query_id, conversation_id, level, created_at, domains) VALUES ('q', 'db', 'fast', ?, ?)",
        *(MARCH, '{"databases": 1.0}'),
    )
    filled.run("INSERT OR IGNORE INTO domain_nodes (node_id, depth, created_at) VALUES ('software', 0, ?)", MARCH)
    filled.run(
        "INSERT INTO domain_nodes (node_id, parent_id, depth, created_at) VALUES ('databases', 'software', 1, ?)", MARCH
    )
    assert filled.names("domain:software post") == ["db"]
    with pytest.raises(UnknownFilterError):
        filled.find("model:ada ")


def test_misses_become_nearer(filled):
    """Nothing found whole is looked for by parts, other forms, spelling, and alike titles, and says which."""
    assert filled.find("forget_fire").near is Near.PARTS
    assert filled.find("deploying ").near is Near.STEMS
    spelled = filled.find("postgers", entered=True)
    assert (spelled.near, spelled.instead, spelled.conversations[0].conversation_id) == (
        Near.SPELLING,
        ("postgres",),
        "db",
    )
    alike = filled.find("atabase", entered=True)
    assert alike.conversations[0].conversation_id == "db"
    assert not filled.find("xylophone", entered=True).conversations


def test_messages_come_after_conversations(filled):
    """On Enter single messages with all words are listed, too."""
    found = filled.find("deploy MessageCache", entered=True)
    assert [hit.message_id for hit in found.messages] == ["db-1"]


def test_an_empty_search_shows_the_newest(filled, archive):
    """Nothing typed: the newest conversations; an empty store: nothing, without an error."""
    assert filled.names("") == ["tokyo", "games", "db"]


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(typed=st.text(max_size=40), entered=st.booleans())
def test_any_text_can_be_searched(archive, typed, entered):
    """No input breaks the search of a real store."""
    archive.look(typed.replace(":", " "), entered=entered)
