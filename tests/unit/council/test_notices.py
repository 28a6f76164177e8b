"""What is said with every answer about health, law and money."""

import pytest

from auritas.council.notices import LEAST_SHARE, notices_for

MEDICAL, LEGAL, FINANCIAL, URGENT = "medical advice", "legal advice", "financial advice", "emergency number"


def said(question: str, **domains: float) -> list[str]:
    notices = notices_for(domains, question)
    return [name for name in (URGENT, MEDICAL, LEGAL, FINANCIAL) if any(name in notice for notice in notices)]


@pytest.mark.parametrize(("domain", "name"), [("medical", MEDICAL), ("legal", LEGAL), ("finance", FINANCIAL)])
def test_half_of_the_domain_is_enough_for_a_notice(domain, name):
    """Medical, legal and financial questions always get their notice, by their domains alone."""
    assert said("What is this?", **{domain: LEAST_SHARE, "general": 1 - LEAST_SHARE}) == [name]
    assert said("What is this?", **{domain: LEAST_SHARE - 0.01, "general": 1 - LEAST_SHARE + 0.01}) == []


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What are the side effects of ibuprofen?", [MEDICAL]),
        ("Which vaccines do I need for Kenya?", [MEDICAL]),
        ("Can my landlord evict me?", [LEGAL]),
        ("Should I pay off my mortgage early?", [FINANCIAL]),
        ("How do capital gains work?", [FINANCIAL]),
        ("Can I deduct my divorce on my tax return?", [LEGAL, FINANCIAL]),
        ("I have chest pain and can't breathe", [URGENT, MEDICAL]),
        ("What is the capital of Australia?", []),
        ("Who was the doctor in the play?", []),
        ("What is the law of large numbers?", []),
        ("Write a poem about a heart.", []),
        ("How many shares does a fair die have?", []),
    ],
)
def test_clear_words_bring_the_notice_whatever_the_domains_say(question, expected):
    """A classifier that missed it does not take the notice away; ordinary questions get none."""
    assert said(question, general=1.0) == expected


def test_what_sounds_like_an_emergency_comes_first():
    """Where to turn is said before anything else."""
    assert URGENT in notices_for({"medical": 1.0}, "My son has been poisoned")[0]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Welche Nebenwirkungen hat dieses Medikament?", "kein ärztlicher Rat"),
        ("Brauche ich einen Rechtsanwalt?", "kein Rechtsrat"),
        ("Soll ich jetzt in Aktien investieren?", "keine Finanzberatung"),
        ("Quels sont les effets secondaires ?", "pas un avis médical"),
        ("Comment payer moins d'impôts ?", "pas un conseil financier"),
        ("¿Necesito un abogado por un despido?", "no asesoramiento jurídico"),
        ("Quais são os sintomas da gripe? Symptome?", "not medical advice"),
    ],
)
def test_a_notice_is_in_the_language_of_the_question(question, expected):
    """German, French and Spanish have their own; whoever asks in another language is told in English."""
    (notice,) = notices_for({"general": 1.0}, question)
    assert expected in notice


def test_an_emergency_is_told_in_the_language_of_the_question():
    """Where to turn is what must be understood first."""
    assert "Notruf" in notices_for({}, "Mein Sohn hat sich vergiftet, was soll ich tun?")[0]


@pytest.mark.parametrize(
    "question",
    ["Welche Farbe hat eine reife Zitrone?", "Qui a peint la Joconde ?", "¿Quién pintó La Gioconda?", "2+2?"],
)
def test_domains_alone_bring_no_notice_to_what_is_not_english(question):
    """They are told by English texts: of a sentence in another language they say nothing."""
    assert notices_for({"medical": 1.0}, question) == ()
