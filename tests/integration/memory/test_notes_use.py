"""Notes and recovery prompts as the whole program uses them, with scripted models over a real encrypted store."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import delete, insert, select, true
from tests.integration.app.hall import Hall

from auritas.app.notes import NoSeatError, NothingNewError, resumed_line
from auritas.app.recovery import NobodyToRecoverError, NothingToRecoverError, RecoveryOvertakenError
from auritas.gateway.adapters.scripted import Disconnect, Script, ScriptedModel
from auritas.kernel.canonical import canonical
from auritas.kernel.clock import timestamp
from auritas.kernel.errors import NotFoundError, UnavailableError
from auritas.kernel.log import Kind
from auritas.kernel.memory import HandoffNote
from auritas.kernel.model import ModelCard, Prompt
from auritas.memory.notes.model import Portion, Trigger
from auritas.memory.notes.service import UnusableNoteError
from auritas.store import schema as t

TALK = "talk"
DAY = 86_400
SECRET = "heliotrope"

pytestmark = pytest.mark.anyio


def reply(**more: Any) -> str:
    """Return what a model writes about the talk of these tests."""
    said = {"goal": "Move the stock list", "decisions": ["The stock list goes to PostgreSQL"], "status": "Stock list"}
    return canonical({**said, "active_file": "", "preferences": [], "resume": "", **more}).decode()


EMPTY = reply(goal="", decisions=[], status="")
MADE_UP = reply(goal="Plan a party in Spain", decisions=["No nuts in the salad"], status="Music is open")


class Talks:
    """A hall in which something is said."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall

    @property
    def notes(self) -> Any:
        return self.hall.auritas.notes

    def seat(self, name: str, *replies: str, local: bool = True, window: int = 4_096) -> ScriptedModel:
        card = ModelCard(name, "scripted", local=local, window=window)
        return self.hall.seat(ScriptedModel(name, scripts=[[each] for each in replies or (reply(),)], base=card))

    def begin(self, conversation: str = TALK) -> None:
        at = timestamp(self.hall.clock.now())
        with self.hall.auritas.store.unit() as unit:
            row = {"conversation_id": conversation, "title": f"About {conversation}", "created_at": at}
            unit.connection.execute(insert(t.conversations).values(row | {"updated_at": at}))

    def say(self, *texts: str, conversation: str = TALK, seats: tuple[str, ...] = ("ada",), count: bool = True) -> Any:
        """Say something, counted for some seats; return what fired for the last of them."""
        fired = None
        for text in texts or ("The stock list goes to PostgreSQL.",):
            self.hall.clock.advance(1)
            with self.hall.auritas.store.unit() as unit:
                message = {"message_id": self.hall.ids.new(), "conversation_id": conversation, "role": "user"}
                at = timestamp(self.hall.clock.now())
                unit.connection.execute(insert(t.messages).values(content=text, created_at=at, **message))
                unit.connection.execute(t.conversations.update().values(updated_at=at))
                if count:
                    portions = dict.fromkeys(seats, Portion(tokens=10, messages=1, window=4_096))
                    fired = self.notes.count(unit, conversation, portions).get(seats[-1])
        return fired

    def run(self, seat: str, conversation: str = TALK, domains: str = '{"code": 1.0}') -> None:
        """Let a seat have answered."""
        at = timestamp(self.hall.clock.now())
        query_id = str(self.hall.ids.new())
        query = {"query_id": query_id, "conversation_id": conversation, "level": "fast", "status": "finished"}
        run = {"run_id": self.hall.ids.new(), "query_id": query_id, "conversation_id": conversation}
        with self.hall.auritas.store.unit() as unit:
            unit.connection.execute(insert(t.queries).values(domains=domains, created_at=at, **query))
            unit.connection.execute(insert(t.model_runs).values(specialist=seat, text="x", created_at=at, **run))

    def note_for(self, seat: str = "ada", **more: Any) -> HandoffNote | None:
        with self.hall.auritas.store.read() as unit:
            found: HandoffNote | None = self.notes.note_for(unit, TALK, seat, self.hall.clock.now(), **more)
            return found

    def pending(self) -> dict[str, str | None]:
        return {row.specialist: row.pending for row in self.hall.rows(t.token_counters)}


@pytest.fixture
def talks(tmp_path, clock, ids, rng) -> Iterator[Talks]:
    found = Talks(Hall(tmp_path / "hall", clock, ids, rng))
    found.begin()
    yield found
    found.hall.close()


def asked(model: ScriptedModel) -> str:
    """Return everything that a model was shown."""
    return "\n".join(message.content for prompt, _ in model.calls for message in prompt.messages)


# --- writing ---------------------------------------------------------------------------------------------------------


async def test_a_note_covers_everything_and_its_counter_starts_anew(talks: Talks):
    """Storing resets the counters and clears the trigger; the entry in the log holds no word of it."""
    talks.seat("ada")
    assert talks.say(*[f"The stock list goes to {SECRET} {n}" for n in range(30)]) is Trigger.MESSAGES
    (note,) = await talks.notes.after(TALK)
    newest = talks.hall.rows(t.messages)[-1].seq
    assert (note.covers_seq, note.thread_number, note.trigger) == (newest, 1, Trigger.MESSAGES)
    (row,) = talks.hall.rows(t.token_counters)
    assert (row.message_count, row.token_estimate, row.pending, row.thread_number) == (0, 0, None, 1)
    (entry,) = talks.hall.rows(t.audit_log, t.audit_log.c.event_type == Kind.HANDOFF_NOTE)
    assert "PostgreSQL" not in str(entry)
    assert talks.hall.intact


async def test_what_is_said_while_a_note_is_written_is_counted_for_the_next(talks: Talks):
    """A message that arrives meanwhile is neither covered nor lost (M11)."""
    model = talks.seat("ada")

    def late(_: Prompt) -> Script:
        talks.say("Late: the stock list has 12 pages", count=True)
        return [reply()]

    talks.say(*["The stock list goes to PostgreSQL"] * 30)
    model.reply = late
    (note,) = await talks.notes.after(TALK)
    assert note.covers_seq == talks.hall.rows(t.messages)[-2].seq
    (row,) = talks.hall.rows(t.token_counters)
    assert (row.message_count, row.token_estimate > 0, row.pending) == (1, True, None)


async def test_the_next_note_goes_on_from_the_one_before(talks: Talks):
    """It is told the earlier one and only what was said since; its number is one higher."""
    model = talks.seat("ada")
    talks.say("The stock list goes to PostgreSQL", "early words")
    first = await talks.notes.make(TALK, "ada")
    talks.say("The new shelf goes to the cellar")
    model.calls.clear()
    model.scripts = [[reply(goal="", decisions=["The shelf goes to the cellar"], status="The shelf")]]
    second = await talks.notes.make(TALK, "ada")
    assert (first.thread_number, second.thread_number) == (1, 2)
    assert "early words" not in asked(model)
    assert "GOAL: Move the stock list" in second.text


@pytest.mark.parametrize("useless", [EMPTY, MADE_UP, "I cannot do that."])
async def test_a_model_that_says_nothing_leaves_the_old_note_and_is_asked_twice(talks: Talks, useless: str):
    """An empty note is never stored; the trouble is told, and the trigger waits instead of being lost (M11)."""
    model = talks.seat("ada", useless)
    model.card = ModelCard("ada", "scripted", local=True, grammar=True)
    talks.say(*["Stock PostgreSQL"] * 30)
    talks.hall.leave("ada")
    talks.hall.seat(model)
    assert await talks.notes.after(TALK) == ()
    assert len(model.calls) == 2
    assert talks.hall.rows(t.context_backups) == []
    assert [name for name, _ in talks.hall.auritas.kept.troubles] == ["hand-off note"]
    assert talks.pending() == {"ada": Trigger.MESSAGES}
    assert await talks.notes.run_due() == ()
    assert len(model.calls) == 2
    model.scripts = [[reply()]]
    talks.hall.clock.advance(6 * 3_600)
    assert len(await talks.notes.run_due()) == 1


async def test_a_model_out_of_reach_is_asked_again_later(talks: Talks):
    """A failure of the line says nothing about the note; fifteen minutes later it is written (M11)."""
    model = talks.seat("ada")
    model.reply = lambda _: [Disconnect()]
    talks.say(*["The stock list goes to PostgreSQL"] * 30)
    assert await talks.notes.after(TALK) == ()
    model.reply = lambda _: [reply()]
    assert await talks.notes.run_due() == ()
    talks.hall.clock.advance(15 * 60)
    assert len(await talks.notes.run_due()) == 1


async def test_a_deleted_conversation_takes_its_notes_along(talks: Talks):
    """Notes, counters and pending triggers go with it; a note that was being written is dropped."""
    model = talks.seat("ada")
    talks.say()
    await talks.notes.make(TALK, "ada")
    talks.say()

    def gone(_: Prompt) -> Script:
        with talks.hall.auritas.store.unit() as unit:
            unit.connection.execute(delete(t.conversations))
        return [reply()]

    model.reply = gone
    with pytest.raises(NothingNewError):
        await talks.notes.make(TALK, "ada")
    assert [talks.hall.rows(table) for table in (t.context_backups, t.token_counters)] == [[], []]


# --- who writes, and when ---------------------------------------------------------------------------------------------


async def test_a_model_elsewhere_writes_by_itself_only_where_that_is_allowed(talks: Talks):
    """What was said leaves the machine once more only with leave; the trigger waits for it."""
    model = talks.seat("cloud", local=False)
    talks.say(*["The stock list goes to PostgreSQL"] * 30, seats=("cloud",))
    assert await talks.notes.run_due() == ()
    assert not model.calls
    assert [each.may_write for each in talks.notes.pending()] == [False]
    talks.hall.restart(notes_elsewhere=True)
    assert len(await talks.notes.run_due()) == 1


async def test_by_hand_a_model_elsewhere_may_write(talks: Talks):
    """A person's own command is leave enough; without a name only local models are taken."""
    talks.seat("cloud", local=False)
    talks.run("cloud")
    talks.say()
    with pytest.raises(NoSeatError):
        await talks.notes.make(TALK)
    assert (await talks.notes.make(TALK, "cloud")).trigger == Trigger.MANUAL


async def test_notes_that_are_off_are_neither_written_nor_used(talks: Talks):
    """Counting goes on; what stands stays."""
    talks.seat("ada")
    talks.say()
    await talks.notes.make(TALK, "ada")
    talks.hall.clock.advance(2 * DAY)
    assert talks.note_for() is not None
    talks.hall.restart(notes="off")
    assert talks.note_for() is None
    assert talks.say(*["The stock list"] * 40) is None
    assert await talks.notes.run_due() == ()
    assert not talks.notes.due()


async def test_a_sweep_covers_conversations_at_rest(talks: Talks):
    """The first comes 60 s after the start, then every 6 h; only what rested an hour and has five new messages."""
    model = talks.seat("ada")
    talks.say(*["The stock list goes to PostgreSQL"] * 5)
    assert await talks.notes.run_due() == ()
    talks.hall.clock.advance(61)
    assert await talks.notes.run_due() == ()
    assert not model.calls
    talks.hall.clock.advance(6 * 3_600)
    (note,) = await talks.notes.run_due()
    assert note.trigger == Trigger.COVERAGE
    talks.hall.clock.advance(6 * 3_600)
    assert await talks.notes.run_due() == ()


async def test_a_gap_orders_a_note_of_what_came_before(talks: Talks):
    """After a day, five messages are worth a note; it is written when nobody waits, and serves from then on."""
    talks.seat("ada")
    talks.say(*["The stock list goes to PostgreSQL"] * 5)
    assert not talks.notes.resume(TALK)
    talks.hall.clock.advance(DAY)
    assert talks.notes.resume(TALK)
    (note,) = await talks.notes.after(TALK)
    assert note.trigger == Trigger.GAP
    assert talks.note_for() == note
    assert not talks.notes.resume(TALK)


# --- using ------------------------------------------------------------------------------------------------------------


async def test_a_note_is_used_only_where_it_helps(talks: Talks):
    """While the messages themselves fit and are fresh, they say it better."""
    talks.seat("ada")
    talks.say("The stock list goes to PostgreSQL")
    note = await talks.notes.make(TALK, "ada")
    assert talks.note_for() is None
    assert talks.note_for(characters=10) == note
    talks.hall.clock.advance(DAY)
    assert talks.note_for() == note


async def test_a_note_never_reaches_another_seat(talks: Talks):
    """Each seat goes on from its own words."""
    talks.seat("ada")
    talks.seat("bob")
    talks.say(seats=("ada", "bob"))
    await talks.notes.make(TALK, "ada")
    talks.hall.clock.advance(2 * DAY)
    assert talks.note_for("ada") is not None
    assert talks.note_for("bob") is None


async def test_a_note_is_valid_until_something_is_said(talks: Talks):
    """It is valid iff it covers the newest message; what came later goes into the prompt as it was said."""
    talks.seat("ada")
    talks.say()
    note = await talks.notes.make(TALK, "ada")
    assert talks.notes.show(note.id).valid
    with pytest.raises(NothingNewError):
        await talks.notes.make(TALK, "ada")
    talks.say()
    assert not talks.notes.show(note.id).valid
    assert talks.note_for(characters=10) == note


async def test_what_is_asked_of_what_is_not_there_is_told(talks: Talks):
    """Unknown conversations, seats and notes have errors that say so."""
    talks.seat("ada")
    for wrong in (talks.notes.make("nothing", "ada"), talks.notes.make(TALK, "eve")):
        with pytest.raises(NotFoundError):
            await wrong
    with pytest.raises(NotFoundError):
        talks.notes.show("nothing")


async def test_a_failed_wish_is_told_and_not_tried_again_in_secret(talks: Talks):
    """Who asked by hand sees the error; nothing stays pending behind it."""
    talks.seat("ada", MADE_UP)
    talks.say()
    with pytest.raises(UnusableNoteError):
        await talks.notes.make(TALK, "ada")
    assert talks.pending() == {"ada": None}


def test_a_person_is_told_from_when_a_note_is(clock):
    """The year is named only where it is another."""
    note = HandoffNote("n", TALK, "ada", "GOAL: x", 1, 1, clock.now())
    berlin = ZoneInfo("Europe/Berlin")
    assert resumed_line(note, clock.now(), berlin) == "resumed from a note of 1 January"
    assert resumed_line(note, clock.now() + timedelta(days=400), berlin).endswith("1 January 2026")


def during(talks: Talks, answer: str, act: Callable[[], object]) -> None:
    """Seat a model while whose answer something happens."""

    def script(_: Prompt) -> Script:
        act()
        return [answer]

    talks.hall.seat(ScriptedModel("ada", reply=script, base=ModelCard("ada", "scripted", local=True, window=4_096)))


@pytest.mark.parametrize("gone", [t.messages, t.context_backups, t.conversations])
async def test_what_is_erased_while_a_note_is_written_is_not_in_it(talks: Talks, gone: Any):
    """A model takes minutes; words that are erased meanwhile do not come back with its note, which stays due."""
    talks.seat("ada")
    talks.say()
    await talks.notes.make(seat="ada")
    talks.say(SECRET, "The stock list goes to PostgreSQL.")
    talks.hall.leave("ada")
    which = gone.c.content == SECRET if gone is t.messages else true()

    def erase() -> None:
        with talks.hall.auritas.store.unit() as unit:
            unit.connection.execute(delete(gone).where(which))

    before = talks.hall.rows(t.context_backups)
    during(talks, reply(), erase)
    with pytest.raises(NothingNewError):
        await talks.notes.make(seat="ada")
    assert talks.hall.rows(t.context_backups) == (before if gone is t.messages else [])
    if gone is t.conversations:
        return
    talks.hall.leave("ada")
    talks.seat("ada")
    assert len(await talks.notes.run_due()) == 1


# --- recovery prompts -------------------------------------------------------------------------------------------------


def remember(talks: Talks, id_: str, claim: str, **more: Any) -> None:
    at = timestamp(talks.hall.clock.now())
    row = {"id": id_, "created_at": at, "subject": "", "claim": claim, "confidence": 1.0, "source": "manual"}
    row |= {"effective_confidence": 1.0, "decay_class": "A", "type": "persistent_instruction", "scope": "global"}
    row |= {"state": "active", "provenance": "user_explicit"}
    with talks.hall.auritas.store.unit() as unit:
        unit.connection.execute(insert(t.corrections).values(row | more))


def text_for(talks: Talks, seat: str = "ada") -> str | None:
    with talks.hall.auritas.store.read() as unit:
        found: dict[str, str] = dict(talks.hall.auritas.recovery.texts_for(unit, [seat]))
        return found.get(seat)


TRAJECTORY = '{"trajectory": "The user moves the stock list to PostgreSQL."}'


async def test_only_stale_prompts_of_models_that_were_used_are_written(talks: Talks):
    """Every 15 minutes at most; a fresh one and one of an idle model stay as they are (M10)."""
    ada, bob = talks.seat("ada", TRAJECTORY), talks.seat("bob", TRAJECTORY)
    talks.say()
    talks.run("ada")
    recovery = talks.hall.auritas.recovery
    assert [prompt.seat for prompt in await recovery.run_due()] == ["ada"]
    assert (len(ada.calls), len(bob.calls)) == (1, 0)
    talks.hall.clock.advance(1)
    talks.run("ada")
    talks.hall.clock.advance(15 * 60)
    assert await recovery.run_due() == ()
    remember(talks, "c1", "Use metric units")
    assert await recovery.run_due() == ()
    talks.hall.clock.advance(15 * 60)
    assert len(await recovery.run_due()) == 1
    talks.hall.clock.advance(2 * DAY)
    assert await recovery.run_due() == ()
    assert talks.hall.intact


async def test_a_prompt_holds_the_rules_in_the_users_words(talks: Talks):
    """The rules that hold everywhere, domains and the model's trajectory; a project's rule stays there (M9)."""
    talks.seat("ada", TRAJECTORY)
    talks.say()
    talks.run("ada")
    remember(talks, "c1", "Use metric units")
    remember(talks, "c2", "Only for this", scope="project")
    await talks.hall.auritas.recovery.make("ada")
    text = text_for(talks)
    assert text is not None
    assert text.splitlines()[1:] == [
        "RULES AND FACTS:",
        "- Use metric units",
        "TOP DOMAINS: code",
        "TRAJECTORY: The user moves the stock list to PostgreSQL.",
    ]


async def test_a_stale_prompt_is_never_used(talks: Talks):
    """Editing a correction makes it stale at once, and so does a day (M10)."""
    talks.seat("ada", TRAJECTORY)
    remember(talks, "c1", "Use metric units")
    await talks.hall.auritas.recovery.make("ada")
    talks.hall.clock.advance(DAY)
    assert text_for(talks) is not None
    talks.hall.clock.advance(1)
    assert text_for(talks) is None
    await talks.hall.auritas.recovery.make("ada")
    assert text_for(talks) is not None
    with talks.hall.auritas.store.unit() as unit:
        unit.connection.execute(t.corrections.update().values(claim="Use imperial units"))
    assert text_for(talks) is None


async def test_a_seat_writes_only_of_conversations_in_which_it_was_asked(talks: Talks):
    """What another model was told stays with it."""
    model = talks.seat("ada", TRAJECTORY)
    talks.say()
    talks.run("ada")
    talks.begin("other")
    talks.say(SECRET, conversation="other")
    talks.run("bob", "other", '{"health": 1.0}')
    await talks.hall.auritas.recovery.make("ada")
    assert SECRET not in asked(model)
    assert "health" not in str(text_for(talks))


async def test_a_prompt_is_never_made_of_what_nobody_said(talks: Talks):
    """A trajectory that the material does not bear out leaves the old prompt in place."""
    talks.seat("ada", '{"trajectory": "The user plans a party with salad."}')
    talks.say()
    talks.run("ada")
    with pytest.raises(UnavailableError):
        await talks.hall.auritas.recovery.make("ada")
    assert await talks.hall.auritas.recovery.run_due() == ()
    assert talks.hall.auritas.kept.troubles


async def test_prompts_are_forgotten_with_what_was_erased(talks: Talks):
    """An erased rule may stand in every one of them."""
    talks.seat("ada", TRAJECTORY)
    remember(talks, "c1", SECRET)
    await talks.hall.auritas.recovery.make("ada")
    with talks.hall.auritas.store.unit() as unit:
        talks.hall.auritas.recovery.forget(unit)
        assert unit.connection.execute(select(t.model_context_prompts)).first() is None


@pytest.mark.parametrize("gone", ["conversation", "correction"])
async def test_what_is_erased_while_a_prompt_is_written_is_not_in_it(talks: Talks, gone: str):
    """What a model has read is gone when it has written: what it wrote is not kept either."""
    talks.say()
    talks.run("ada")
    remember(talks, "c1", SECRET)

    def erase() -> None:
        with talks.hall.auritas.store.unit() as unit:
            if gone == "conversation":
                unit.connection.execute(delete(t.conversations))
            else:
                unit.connection.execute(t.corrections.update().values(state="erased", claim=""))

    during(talks, TRAJECTORY, erase)
    with pytest.raises(RecoveryOvertakenError):
        await talks.hall.auritas.recovery.make("ada")
    assert talks.hall.rows(t.model_context_prompts) == []


async def test_what_is_asked_while_a_prompt_is_written_does_not_spoil_it(talks: Talks):
    """Only what is gone counts, not what is new."""
    talks.say()
    talks.run("ada")
    during(talks, TRAJECTORY, lambda: talks.say("And the orders?"))
    assert (await talks.hall.auritas.recovery.make("ada")).seat == "ada"


async def test_recovery_by_hand_says_what_is_missing(talks: Talks):
    """Nobody of that name, or nothing to write from."""
    talks.seat("ada")
    recovery = talks.hall.auritas.recovery
    with pytest.raises(NobodyToRecoverError):
        await recovery.make("eve")
    with pytest.raises(NothingToRecoverError):
        await recovery.make("ada")
    assert [(view.seat, view.prompt, view.stale) for view in recovery.list()] == [("ada", None, True)]
    talks.hall.restart(recovery="off")
    assert not talks.hall.auritas.recovery.due()
