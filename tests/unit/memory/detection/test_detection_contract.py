"""What the detector must hear and must not, as the contract lists it."""

import json
from pathlib import Path

import pytest

from auritas.kernel.memory import CorrectionType, DecayClass, Provenance, Scope
from auritas.memory.detection.model import Band, Before, Detected, Nothing, Why
from auritas.memory.detection.service import Detector

BEFORE = Before("Which database do we use?", "You use MySQL with 53 tables on production.")
POISON = Path(__file__).resolve().parents[3] / "data" / "poisoning.jsonl"


@pytest.fixture
def detector():
    return Detector(lambda: None)


def heard(detector, said, before=BEFORE, **options) -> Detected:
    found = detector.detect(said, before, **options)
    assert isinstance(found, Detected), found
    return found


@pytest.mark.parametrize(
    ("said", "claim"),
    [
        ("No, that's wrong \u2014 use Postgres.", "use Postgres"),
        ("actually, I meant staging", "staging"),
        ("In fact, the limit is 100", "the limit is 100"),
        ("never use tabs here", "never use tabs here"),
        ("correction: metric units", "metric units"),
    ],
)
def test_corrections_are_heard_after_an_answer(detector, said, claim):
    """Each correction of the contract is detected, in the user's words without its lead-in (M3)."""
    found = heard(detector, said)
    assert found.claim == claim
    assert found.band is not Band.DROPPED


@pytest.mark.parametrize(
    "said",
    ["never use tabs here", "correction: metric units", "In fact, the limit is 100", "No, that's wrong, use pnpm"],
)
def test_corrections_are_heard_as_first_message(detector, said):
    """A correction needs no turn before it (M3)."""
    assert heard(detector, said, None).canonical_query == ""


@pytest.mark.parametrize("before", [None, BEFORE])
@pytest.mark.parametrize(
    "said",
    [
        "Can you rewrite this function?",
        "thanks!",
        "how many users",
        "I want to stop smoking",
        "the wrong side of history",
        "What is the capital of France?",
        "No problem, thanks",
        "No, I mean can you also add tests?",
        "remember when we met?",
        "remember the Alamo",
        "From now on the story takes place in Rome",
        "If I said the limit was 100, what would you say?",
        "My boss says we should never use Excel",
        "Do you remember that I like tea?",
    ],
)
def test_what_only_sounds_like_it_is_nothing(detector, said, before):
    """Questions, requests, thanks, feelings, sayings, fiction and hearsay are no corrections (M3)."""
    assert isinstance(detector.detect(said, before), Nothing)


@pytest.mark.parametrize("after", [False, True])
def test_no_poisoning_gets_in(detector, after):
    """Of the corpus of pasted, quoted, forged, disguised and obeying texts not one is detected (M2)."""
    attempts = [json.loads(line) for line in POISON.read_text(encoding="utf-8").splitlines()]
    assert len(attempts) >= 120
    let_in = []
    for attempt in attempts:
        before = Before(attempt["question"], attempt["answer"]) if "question" in attempt else None
        found = detector.detect(attempt["said"], before or (BEFORE if after else None))
        if isinstance(found, Detected):
            let_in.append((attempt["way"], found.claim))
    assert let_in == []


@pytest.mark.parametrize(
    "said",
    [
        "Remember that my password is hunter2",
        "remember: the api key is sk-abcDEF1234567890abcdEFGH",
        "Correction: the card is 4111 1111 1111 1111",
        "my IBAN is DE89 3704 0044 0532 0130 00, remember that",
        "from now on the PIN is 4821",
        "remember this: legal winner thank year wave sausage worth useful legal winner thank yellow",
        "remember that ghp_a1B2c3D4e5F6g7H8i9J0k1L2 works",
        "note that the token is 9f86d081884c7d659a2feaa0c55ad015",
        "I know that the alarm code is 1234",
        "Remember that the passphrase is correct horse battery staple",
        "use postgres://admin:s3cret@db.example.org/main from now on",
        "-----BEGIN RSA PRIVATE KEY----- from now on",
    ],
)
def test_a_secret_is_never_stored(detector, said):
    """Passwords, keys, card and account numbers, PINs and recovery phrases are refused, prefix or not."""
    assert detector.detect(said, None) == Nothing(Why.SECRET)


@pytest.mark.parametrize(
    "said",
    [
        "Remember that passwords must be at least 12 characters long",
        "From now on, explain what a private key is before you use the word",
        "remember that commit 9f86d081884c7d659a2feaa0c55ad015 broke the build",
        "Remember that my order number is 4111 1111 1111 1112",
        "note that the token is expired",
        "Remember that the secret is good olive oil",
        "remember that the module src/auritas/memory/detection is mine",
    ],
)
def test_ordinary_words_are_no_secret(detector, said):
    """Speaking of passwords, naming a commit and numbers without a check digit are no secrets."""
    assert isinstance(detector.detect(said, None), Detected)


def test_speaking_of_a_secret_asks_before_it_is_stored(detector):
    """A prefix is stored at once, unless what it says may be sensitive: then the user is asked."""
    assert heard(detector, "Remember that the API key is kept in Bitwarden").band is Band.CARD


@pytest.mark.parametrize(
    "said",
    [
        "remember that my cat is called Tom",
        "Correction: the meeting is on Wednesday",
        "From now on answer in French",
        "I know that the shop closes at 8",
        "for future reference, I prefer short answers",
        "Note that I use Arch Linux",
        "Keep in mind that we decided to use Rust",
        "answer in Dutch from now on",
        "In Python, always use type hints, remember that",
    ],
)
@pytest.mark.parametrize("project_active", [False, True])
def test_a_prefix_is_stored_at_once(detector, said, project_active):
    """What is said with a prefix and has nothing against it needs no card; it is of class A and the user's own."""
    found = heard(detector, said, None, project_active=project_active)
    assert (found.explicit, found.band) == (True, Band.AUTO)
    assert (found.decay_class, found.provenance) == (DecayClass.A, Provenance.USER_EXPLICIT)


@pytest.mark.parametrize(
    "said", ["No, it's Postgres.", "No, that's wrong, it is Postgres", "actually, I meant Postgres"]
)
def test_what_sets_an_answer_right_is_stored_at_once(detector, said):
    """A value that contradicts the answer before it in so many words needs no click; it is of class B and implied."""
    found = heard(detector, said)
    assert (found.decay_class, found.provenance) == (DecayClass.B, Provenance.USER_IMPLICIT)
    assert found.band is Band.AUTO


@pytest.mark.parametrize("said", ["Our database is Postgres", "I prefer tea over coffee", "We decided to use Postgres"])
def test_what_is_only_told_is_asked_about(detector, said):
    """What neither has a prefix nor sets anything right is never stored without asking."""
    found = detector.detect(said, None)
    assert isinstance(found, Nothing) or found.band is not Band.AUTO


@pytest.mark.parametrize(
    ("said", "kind", "scope"),
    [
        ("No, that's wrong \u2014 use Postgres.", CorrectionType.FACT, Scope.GLOBAL),
        ("Always answer in French", CorrectionType.INSTRUCTION, Scope.GLOBAL),
        ("never use tabs in this project", CorrectionType.INSTRUCTION, Scope.PROJECT),
        ("remember that I prefer short answers in this chat", CorrectionType.PREFERENCE, Scope.CONVERSATION),
        ("You keep forgetting the semicolons", CorrectionType.FAILURE_PATTERN, Scope.GLOBAL),
        ("In Python, use type hints.", CorrectionType.DOMAIN_RULE, Scope.DOMAIN),
        ("remember that I'm vegetarian", CorrectionType.PREFERENCE, Scope.GLOBAL),
    ],
)
def test_type_and_scope_are_read_from_the_words(detector, said, kind, scope):
    """What kind of thing it is, and where it holds, is said by the words."""
    found = heard(detector, said)
    assert (found.type, found.scope) == (kind, scope)


def test_a_decision_belongs_to_the_active_project(detector):
    """A decision is the project's where one is active, and else holds everywhere rather than nowhere."""
    said = "We decided to use Rust for the parser."
    assert heard(detector, said, None, project_active=True).scope is Scope.PROJECT
    assert heard(detector, said, None).scope is Scope.GLOBAL


def test_a_fact_carries_the_question_that_it_answers(detector):
    """A corrected value stands alone: its instruction names the question."""
    found = heard(detector, "No, that's wrong \u2014 use Postgres.")
    assert found.canonical_query == BEFORE.question
    assert found.instruction == 'Asked "Which database do we use?", the answer is: use Postgres.'


def test_what_is_replaced_is_read(detector):
    """The value that was wrong is kept apart from the one that is right."""
    found = heard(detector, "It's Postgres, not MySQL.")
    assert (found.claim, found.rejected) == ("It's Postgres", "MySQL")


def test_an_exception_is_read(detector):
    """Unless, except and only if become the condition."""
    found = heard(detector, "Always use metric units unless I ask for miles", None)
    assert (found.condition, found.subject) == ("unless I ask for miles", "metric units")


def test_a_question_in_the_same_message_is_kept(detector):
    """What else the message asks is returned, so that it can be answered."""
    found = heard(detector, "Remember that I'm vegetarian. What can I cook tonight?", None)
    assert (found.claim, found.asks) == ("I'm vegetarian", "What can I cook tonight?")


def test_own_words_around_code_count(detector):
    """Code that is pasted is data; the sentence below it is the user's."""
    assert heard(detector, "```\nx = always(1)\n```\nnever use tabs here").claim == "never use tabs here"


def test_a_bare_denial_says_why_nothing_is_kept(detector):
    """Saying only that it is wrong leaves nothing to remember, and the trace can say so."""
    assert detector.detect("No, that's wrong.", BEFORE).reason is Why.NO_CLAIM
