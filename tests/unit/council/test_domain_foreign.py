"""What questions in other languages than English are about: what clear words say, and nothing else."""

import pytest

from auritas.council.compliance.language import Language, likeliest
from auritas.council.domains.classifier import KeywordClassifier, Reading
from auritas.council.domains.foreign import EnglishClassifier
from auritas.council.domains.roots import built_in_roots

ANSWERED = Reading({"writing": 1.0}, [1.0], "embedder")


class Sure:
    """A classifier that is always sure of the same."""

    degraded = "why"

    def classify(self, text: str) -> dict[str, float]:
        return dict(self.read(text).shares)

    def read(self, _: str) -> Reading:
        return ANSWERED


@pytest.fixture(scope="module")
def classifier():
    roots = built_in_roots()
    names = {name: node.id for node in roots.tree.nodes.values() for name in node.names}
    return EnglishClassifier(Sure(), {**roots.near, **names})


@pytest.mark.parametrize(
    ("question", "domain"),
    [
        ("Welche Farbe hat eine reife Zitrone?", "general"),
        ("Was ist die Hauptstadt von Australien?", "general"),
        ("Wo liegt die Insel Java?", "general"),
        ("Wie lange kocht man ein weiches Ei?", "general"),
        ("Wie sortiere ich eine Liste in Python?", "code"),
        ("Welche Nebenwirkungen hat dieses Medikament?", "medical"),
        ("Wie lang ist die Kündigungsfrist für meine Wohnung?", "legal"),
        ("Quelle est la couleur d'un citron mûr ?", "general"),
        ("Comment faire cuire un œuf mollet ?", "general"),
        ("Comment trier une liste en Python ?", "code"),
        ("Ai-je besoin d'un avocat pour un licenciement ?", "legal"),
        ("¿De qué color es un limón maduro?", "general"),
        ("¿Cómo funciona una hipoteca?", "finance"),
        ("¿Cuánto tiempo se cuece un huevo?", "general"),
        ("レモンは何色ですか", "general"),
    ],
)
def test_a_question_in_another_language_is_told_by_clear_words(classifier, question, domain):
    """What an English embedder would say of it counts for nothing, and no vector of it is kept."""
    assert classifier.classify(question) == {domain: 1.0}
    assert classifier.read(question).vector is None


def test_two_clear_words_share_a_question(classifier):
    """Each domain that is named has an even part."""
    shares = classifier.classify("Welche Medikamente kann ich mit Python nach der Steuererklärung sortieren?")
    assert shares == pytest.approx({"code": 1 / 3, "finance": 1 / 3, "medical": 1 / 3})


@pytest.mark.parametrize(
    "question",
    ["What color is a ripe lemon?", "Who painted La Gioconda?", "2+2?", "Define naïveté", "Solve x squared plus 6."],
)
def test_what_may_be_english_is_embedded(classifier, question):
    """English, short and wordless questions are told as ever."""
    assert classifier.read(question) is ANSWERED


def test_our_own_questions_are_all_english(classifier):
    """None of the questions by which domains are told is taken for one in another language."""
    texts = [text for own in built_in_roots().exemplars.values() for text in own]
    assert all(classifier.read(text) is ANSWERED for text in texts)


def test_what_a_classifier_cannot_do_it_still_says(classifier):
    """The words in front of it hide no degradation."""
    assert classifier.degraded == "why"
    assert EnglishClassifier(KeywordClassifier({}, {}), {}).degraded == KeywordClassifier.degraded


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Capital of France?", Language.ENGLISH),
        ("Soll ich jetzt in Aktien investieren?", Language.GERMAN),
        ("Comment payer moins d'impôts ?", Language.FRENCH),
        ("¿Quién pintó La Gioconda?", Language.SPANISH),
        ("レモンは何色ですか", Language.JAPANESE),
        ("x^2", None),
        ("", None),
    ],
)
def test_the_likeliest_language_needs_little_evidence(text, language):
    """A short text has one too, and one without any common word has none."""
    assert likeliest(text) is language
