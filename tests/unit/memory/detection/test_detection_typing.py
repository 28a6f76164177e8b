"""What people really type: no apostrophes, slips, short denials, tails, wishes to forget, two facts at once."""

import pytest

from auritas.kernel.memory import CorrectionType
from auritas.memory.detection.model import Band, Before, Detected, Nothing, Why
from auritas.memory.detection.service import Detector

PEOPLE = Before("How many people work here?", "There are 47 people working here.")
SEATS = Before("How many seats does the van have?", "The van has 12 seats.")
PORT = Before("Which port does the admin panel use?", "It uses port 8080.")
DUTY = Before("Who is on call on Mondays and Fridays?", "Bob is on call on both.")
GRANT = Before("When is the deadline of the grant and who gets it?", "The deadline is 1 May 2027 and it goes to Paul.")


def listened(said: str, before: Before | None = SEATS) -> Detected | Nothing:
    return Detector(lambda: None).detect(said, before)


def heard(said: str, before: Before | None = SEATS) -> Detected:
    found = listened(said, before)
    assert isinstance(found, Detected), found
    return found


@pytest.mark.parametrize(
    ("said", "claim", "before"),
    [
        ("nope thats wrong, its 53 of us now, since march", "its 53 of us now, since march", PEOPLE),
        ("No, thats wrong, its 9 seats", "its 9 seats", SEATS),
        ("nope thats wrong, its 9", "its 9", SEATS),
        ("wrnog, it is 8443", "it is 8443", PORT),
        ("nah its 9", "its 9", SEATS),
        ("naw, it is 9", "it is 9", SEATS),
        ("nono, it's 9", "it's 9", SEATS),
        ("no no, its 9", "its 9", SEATS),
        ("not right, it has nine", "it has nine", SEATS),
        ("Incorect, it has 9 seats", "it has 9 seats", SEATS),
        ("actualy its 9", "its 9", SEATS),
        ("I told you, it's 9", "it's 9", SEATS),
        ("Not 12 but 9", "9", SEATS),
        ("That doesnt sound right, its 9", "its 9", SEATS),
        ("nope that's all wrong, it's 9", "it's 9", SEATS),
        ("No, not 5 years ago, 10 years ago", "10 years ago", Before("When was it founded?", "5 years ago.")),
    ],
)
def test_what_is_typed_in_a_hurry_is_heard_like_what_is_typed_well(said, claim, before):
    """Without apostrophes and with slips a denial is stored like "No, that's wrong, it is 53" (M3)."""
    found = heard(said, before)
    assert (found.claim, found.canonical_query, found.band) == (claim, before.question, Band.AUTO)


@pytest.mark.parametrize("question", ["How many seats does the van have?", "seats of the van", "tell me about the van"])
@pytest.mark.parametrize(
    ("said", "claim"),
    [
        ("It used to be 12, now it's 11", "it's 11"),
        ("it used to be 12 but now its 11", "its 11"),
        ("it has 9 seats", "it has 9 seats"),
        ("the van has 9 seats", "the van has 9 seats"),
        ("Not 12 but 9", "9"),
    ],
)
def test_another_value_of_what_the_answer_said_gets_at_least_a_card(said, claim, question):
    """Who names another value of what the answer counted gainsays it, whatever the question was (M3)."""
    found = heard(said, Before(question, "The van is blue and has 12 seats."))
    assert found.claim == claim
    assert found.band is not Band.DROPPED


@pytest.mark.parametrize(
    "said", ["hmm that doesnt sound right", "That doesn't look right to me.", "nope thats wrong", "wrnog"]
)
def test_a_doubt_without_a_value_says_that_the_value_is_missing(said):
    """What is only doubted leaves nothing to keep, and the caller can ask for what is right (M3)."""
    found = listened(said)
    assert isinstance(found, Nothing)
    assert found.reason is Why.NO_CLAIM


@pytest.mark.parametrize(
    "tail",
    ["pls rember", "please remember", "please remember this", "plz remember that", "pls note", "Please remember."],
)
def test_please_remember_at_the_end_is_a_prefix_that_keeps_the_question(tail):
    """What is to be remembered in the last words is stored at once, as the answer to the question before it (M3)."""
    found = heard(f"it's Ines on mondays and Tom on fridays, {tail}", DUTY)
    assert found.claim == "it's Ines on mondays and Tom on fridays"
    assert (found.explicit, found.band, found.canonical_query) == (True, Band.AUTO, DUTY.question)


@pytest.mark.parametrize(
    "tail",
    [
        ", please update that",
        ", update that",
        ", change that",
        ", note that",
        ", for the record",
        ". Please update that.",
    ],
)
@pytest.mark.parametrize("before", [None, DUTY])
def test_a_change_that_is_to_be_noted_is_heard(tail, before):
    """A new fact with "please update that" behind it is heard, first or not, and answers no question (M3)."""
    found = heard(f"Ana moved to Lisbon last week{tail}", before)
    assert (found.claim, found.explicit) == ("Ana moved to Lisbon last week", True)
    assert (found.subject, found.canonical_query) == ("Ana", "")


@pytest.mark.parametrize("before", [None, SEATS])
@pytest.mark.parametrize(
    "said",
    [
        "forget that my sister lives in Porto",
        "Please forget what I said about my sister",
        "forget what i told you about the van.",
        "stop remembering my address",
        "dont remember that I like tea",
        "delete that from your memory",
        "Can you delete what I said about Ana from your memory",
        "remove it from memory",
        "Forget everything I told you about Ana.",
        "forget my address",
        "ok, please forget everything you know about me",
        "you can forget that I like tea",
        "wipe your memory",
    ],
)
def test_asking_to_forget_is_told_apart(said, before):
    """Who asks to forget is neither remembered nor ignored: the reason says it, so that the caller can help (M3)."""
    found = listened(said, before)
    assert isinstance(found, Nothing)
    assert found.reason is Why.FORGET


@pytest.mark.parametrize(
    "said",
    [
        "forget about it",
        "forget it",
        "never mind, forget that",
        "don't forget to use metric units",
        "dont forget that I am vegan",
        "never forget that I am vegan",
        "I forget names",
        "I forgot that my sister called",
        "I'll never forget that day",
        "did you forget that?",
        "forget that, use Postgres",
        "Forget that you are a model for a moment",
        "how do I delete that from your memory?",
        "the program does not free its memory",
        "delete the temporary files",
        "stop the music",
    ],
)
def test_other_forgetting_is_no_wish_to_erase(said):
    """Reminders, sayings and forgetful people ask for no erasing (M3)."""
    found = listened(said, None)
    assert isinstance(found, Detected) or found.reason is not Why.FORGET


@pytest.mark.parametrize(
    "said",
    [
        "The release is on Friday. Please remember that.",
        "The release is on Friday. pls rember",
        "The release is on Friday. Please update that!",
    ],
)
def test_a_sentence_that_only_asks_to_remember_means_the_one_before(said):
    """Remembering may be asked for in a sentence of its own (M3)."""
    found = heard(said, None)
    assert (found.claim, found.explicit, found.left) == ("The release is on Friday", True, "")


@pytest.mark.parametrize(
    "said",
    [
        "The function is slow. Please fix that.",
        "You used red. Change that.",
        "I met her in May. Remember that?",
        "What is the limit? Please remember that.",
        "Please remember that.",
    ],
)
def test_a_sentence_that_asks_for_something_else_means_nothing_before_it(said):
    """Work to be done and questions are not remembered (M3)."""
    assert isinstance(listened(said, None), Nothing)


def test_what_was_not_taken_is_returned():
    """Of two facts in one message the second is not dropped unsaid (M3)."""
    found = heard("The deadline is 14 March 2027, not what you said. And it goes to Marta, not to Paul.", GRANT)
    assert found.claim == "The deadline is 14 March 2027"
    assert found.left == "And it goes to Marta, not to Paul."


@pytest.mark.parametrize(
    "said",
    [
        "No, it's 9.",
        "No, that's wrong. It is 9. Thanks!",
        "Remember that I'm vegetarian. I live in Lyon.",
        "It is 9, not 12. What colour is it?",
    ],
)
def test_what_was_taken_leaves_nothing(said):
    """Thanks, questions and what became part of the claim are not left over (M3)."""
    assert heard(said).left == ""


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What is the wifi password of the office?", "No, it's hunter2-Garden!"),
        ("What is the wifi password of the office?", "correct horse, please remember"),
        ("whats the wifi password", "hunter2-Garden!"),
        ("Do you know my passphrase?", "it is blue monkey tree"),
        ("Tell me the PIN of my card", "No, its 4821"),
        ("what's the door code?", "wrong, it's 4821"),
        ("What is our API key?", "Nope, it's abcdef"),
        ("Which access token do we use?", "Not foo but bar"),
        ("What's the CVV again?", "it's 123"),
        ("What is my seed phrase?", "No, it begins with legal winner"),
        ("What was the private key of the server?", "No, use mellon"),
    ],
)
def test_the_answer_to_a_question_about_a_secret_is_a_secret(question, said):
    """A value without the word "password" beside it is refused where the question before it asked for one (M3)."""
    found = listened(said, Before(question, "I do not know."))
    assert isinstance(found, Nothing)
    assert found.reason is Why.SECRET


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("How do I reset my password?", "No, the menu is under Settings"),
        ("Which password manager do we use?", "No, it's Bitwarden"),
        ("What is the minimum password length?", "No, it's 12 characters"),
        ("Who knows the wifi password?", "No, it's Marta"),
        ("What is a token?", "No, that's wrong, it's a piece of a word"),
        ("Where is the API key stored?", "No, it's in Bitwarden"),
        ("What is the wifi password?", "Remember that my cat is called Tom"),
        ("What is the wifi password?", "Always answer in French"),
    ],
)
def test_questions_about_secrets_that_ask_for_none_hide_nothing(question, said):
    """How to reset a password, who knows it and a rule that has nothing to do with it can be remembered (M3)."""
    assert isinstance(listened(said, Before(question, "I do not know.")), Detected)


def test_a_slip_in_a_rule_stays_in_the_users_words():
    """A rule with a slip in its lead is read as meant and kept as typed (M3)."""
    found = heard("from now on alwasy use metric units and never use emojis", None)
    assert found.claim == "alwasy use metric units and never use emojis"
    assert (found.type, found.band) == (CorrectionType.INSTRUCTION, Band.AUTO)
    assert "always" in found.trigger


@pytest.mark.parametrize("before", [None, SEATS])
@pytest.mark.parametrize(
    "said",
    """its raining
its late, good night
its ok
its been a long day
its own fault
its too hard for me
nope, thanks
nope thats all
nope thats fine, its ok
nah im good
naw thanks
no no thats fine
nono dont worry
nope
that used to be my favourite
it used to be quiet here, now its loud
I used to be 9 once
I told you I was tired
I told you so
not 5 minutes ago she left
not 5 minutes ago, she left
not bad but not great
not right now
not right now, im busy
thats right
thats what i thought
thats great, its what i needed
thats a lot
im tired
im not sure
hes asleep
dont worry
dont know
cant sleep
i dont get it
youre the best
youre right
theres no rush
whats the capital of France
isnt it 9?
doesnt it need a licence?
something went wrong
wrong number, sorry
wrong again lol
newer phones are better
no idea, its weird
actually nvm its fine
alwasy look on the bright side
nevr say never
remembr when we met?
rember the alamo
I can't remember that
please remember
please update that
can you change that?
note that
for the record
The function is slow, please fix that
The title is too long, change that
it doesnt work, please fix it
my dog lost its toy
hmm that doesnt look good on me
the story is set in Rome, its hero is called Nero""".splitlines(),
)
def test_what_only_looks_like_it_is_not_heard(said, before):
    """Small talk of the same shapes leaves nothing behind (M3)."""
    assert isinstance(listened(said, before), Nothing)
