"""Conversations and projects on a real encrypted store: found, read, renamed, branched, moved, archived."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from sqlalchemy import insert
from tests.integration.app.hall import CLOSED, Hall, voice

from auritas.app.conversations import NoConversationError, NoMessageError, NotAQuestionError
from auritas.app.naming import AmbiguousError
from auritas.app.projects import NoProjectError, ProjectExistsError, active_project
from auritas.kernel.clock import timestamp
from auritas.kernel.errors import InvalidError
from auritas.kernel.log import Kind
from auritas.store import schema as t

pytestmark = pytest.mark.anyio


@pytest.fixture
def talk(tmp_path, clock, ids, rng) -> Iterator[Hall]:
    found = Hall(tmp_path / "talk", clock, ids, rng)
    yield found
    found.close()


def write(hall: Hall, title: str, *said: str, **more: object) -> str:
    """Write a conversation whose messages alternate between the user and the assistant; return its id."""
    hall.clock.advance(60)
    now, conversation_id = hall.clock.now(), str(hall.ids.new())
    row = {
        "conversation_id": conversation_id,
        "title": title,
        "created_at": timestamp(now),
        "updated_at": timestamp(now),
    }
    with hall.auritas.store.unit() as unit:
        unit.connection.execute(insert(t.conversations).values(row | more))
        for place, text in enumerate(said):
            message = {
                "message_id": hall.ids.new(),
                "conversation_id": conversation_id,
                "role": ("user", "assistant")[place % 2],
                "content": text,
                "created_at": timestamp(now + timedelta(seconds=place)),
            }
            unit.connection.execute(insert(t.messages).values(message))
    return conversation_id


async def test_a_conversation_has_the_title_of_its_first_question_until_it_is_renamed(talk):
    """The first question's line is the title; one that the person gave stays, is audited and can be taken back."""
    talk.seat(voice("ada"))
    result = await talk.ask()
    (found,) = talk.auritas.conversations.newest().conversations
    assert (found.id, found.title, found.messages, found.renamed) == (result.conversation_id, CLOSED, 2, False)
    before, now = talk.auritas.conversations.rename(CLOSED, "  Is it\nso, really? ")
    assert (before.title, now.title, now.renamed) == (CLOSED, "Is it so, really?", True)
    await talk.ask("And now?", conversation_id=found.id)
    assert talk.auritas.conversations.named(found.id).title == "Is it so, really?"
    kinds = [row.event_type for row in talk.rows(t.audit_log)]
    assert Kind.CONVERSATION in kinds
    assert talk.intact


def test_a_name_is_an_id_its_beginning_or_a_part_of_the_title(talk):
    """Each of these finds the one that is meant; what fits several is refused with ids that tell them apart."""
    first, second = write(talk, "Trip to Peru", "hello"), write(talk, "Trip to Chile", "hello")
    named = talk.auritas.conversations.named
    assert named(first).id == named("peru").id == named("Trip to Peru").id == first
    assert named(named(second).short).id == second
    with pytest.raises(AmbiguousError) as refused:
        named("trip")
    for each in (first, second):
        assert named(each).short in refused.value.message
    with pytest.raises(AmbiguousError):
        named(first[:4])
    for nothing in ("Bolivia", "", "%", "_"):
        with pytest.raises(NoConversationError):
            named(nothing)


def test_ids_of_one_moment_are_told_apart(talk):
    """However many conversations begin in one minute, the id that is shown fits only one of them."""
    now = timestamp(talk.clock.now())
    with talk.auritas.store.unit() as unit:
        for number in range(40):
            row = {"conversation_id": talk.ids.new(), "title": f"talk {number}", "created_at": now, "updated_at": now}
            unit.connection.execute(insert(t.conversations).values(row))
    found = talk.auritas.conversations.newest(100).conversations
    assert len({each.short for each in found}) == 40
    assert all(sum(other.id.startswith(each.short) for other in found) == 1 for each in found)


def test_the_list_is_paged_and_hides_what_is_archived(talk):
    """Every conversation stands on one page, the last used first; archived ones stand in a list of their own."""
    ids = [write(talk, f"talk {number}") for number in range(7)]
    conversations = talk.auritas.conversations
    before, now = conversations.archive(ids[3])
    assert (before.archived, now.archived) == (False, True)
    seen, cursor = [], None
    while True:
        page = conversations.newest(2, cursor=cursor)
        seen += [each.id for each in page.conversations]
        cursor = page.next
        if cursor is None:
            break
    assert seen == [each for each in reversed(ids) if each != ids[3]]
    assert [each.id for each in conversations.newest(archived=True).conversations] == [ids[3]]
    conversations.archive(ids[3], archived=False)
    assert len(conversations.newest().conversations) == 7
    with pytest.raises(InvalidError):
        conversations.newest(cursor="nonsense")


def test_a_stretch_of_a_huge_conversation_is_shown(talk):
    """Messages are numbered from 1; without a number the last ones are shown, with it those from there on."""
    name = write(talk, "long", *(f"message {number}" for number in range(1, 1201)))
    shown = talk.auritas.conversations.show(name, count=10)
    assert [said.number for said in shown.messages] == list(range(1191, 1201))
    assert (shown.before, shown.after) == (1190, 0)
    shown = talk.auritas.conversations.show(name, at="700", count=5)
    assert [said.text for said in shown.messages] == [f"message {number}" for number in range(700, 705)]
    assert (shown.before, shown.after) == (699, 496)
    assert talk.auritas.conversations.show(name, at=shown.messages[2].id).messages[0].number == 702
    for nothing in ("0", "1201", "-1", "first", "²"):
        with pytest.raises(NoMessageError):
            talk.auritas.conversations.show(name, at=nothing)


def test_a_branch_copies_what_comes_before_and_the_origin_stays(talk):
    """The branch has the same words and times under new ids, knows where it began, and is shown there."""
    name = write(talk, "Soup", "q1", "a1", "q2", "a2")
    branched = talk.auritas.conversations.branch(name, "2")
    copies = talk.auritas.conversations.show(branched.conversation.id).messages
    origin = talk.auritas.conversations.show(name)
    assert [(said.text, said.at, said.role) for said in copies] == [
        (said.text, said.at, said.role) for said in origin.messages[:2]
    ]
    assert not {said.id for said in copies} & {said.id for said in origin.messages}
    assert branched.conversation.branched_from == origin.messages[1].id
    assert branched.conversation.title == "Soup (branch)"
    assert origin.branches == ((2, branched.conversation),)
    assert origin.conversation.messages == 4
    assert talk.auritas.conversations.asked_anew(branched.conversation.id) is None
    again = talk.auritas.conversations.branch(branched.conversation.id)
    assert (again.conversation.title, again.conversation.messages) == ("Soup (branch)", 2)


def test_a_branch_before_a_question_asks_it_anew(talk):
    """It ends just before the question, whose edit the next one is; an answer cannot be asked."""
    name = write(talk, "Soup", "q1", "a1", "q2", "a2")
    origin = talk.auritas.conversations.show(name).messages
    for at, kept in (("3", 2), ("1", 0), (None, 2)):
        branched = talk.auritas.conversations.branch(name, at, before=True)
        assert (branched.asks_anew, branched.conversation.messages) == (origin[kept].text, kept)
        assert talk.auritas.conversations.asked_anew(branched.conversation.id) == origin[kept].id
    with pytest.raises(NotAQuestionError):
        talk.auritas.conversations.branch(name, "2", before=True)
    with pytest.raises(NoMessageError):
        talk.auritas.conversations.branch(write(talk, "empty"))


async def test_a_branch_can_be_gone_on_with(talk):
    """A member that is asked in a branch sees what comes before it, and nothing of what came after in the origin."""
    model = talk.seat(voice("ada"))
    name = write(talk, "Soup", "q1", "a1", "q2", "a2")
    branched = talk.auritas.conversations.branch(name, "3", before=True)
    await talk.ask("q2 in other words", conversation_id=branched.conversation.id)
    said = [message.content for message in model.calls[0][0].messages]
    assert "q1" in said
    assert "q2" not in said
    assert talk.auritas.conversations.asked_anew(branched.conversation.id) is None


def test_a_project_scopes_what_is_in_it(talk):
    """Conversations move in and out; the active project is that of a name, and an archived one is left."""
    projects, conversations = talk.auritas.projects, talk.auritas.conversations
    name = write(talk, "Beans", "q")
    garden = projects.create("Garden")
    assert garden.active
    _, moved = conversations.move(name, "gard")
    assert (moved.project, projects.every()[0].conversations) == ("Garden", 1)
    assert [each.id for each in conversations.newest(project="Garden").conversations] == [name]
    with talk.auritas.store.read() as unit:
        assert active_project(unit) == garden.id
    before, now = conversations.move(name, None)
    assert (before.project, now.project) == ("Garden", None)
    projects.archive("Garden")
    assert projects.active() is None
    assert projects.every() == ()
    assert projects.use("Garden").active
    assert projects.every()[0].archived is False
    left = projects.leave()
    assert left is not None
    assert (left.id, projects.active(), projects.leave()) == (garden.id, None, None)
    assert talk.intact


def test_two_projects_never_share_a_name(talk):
    """A name that is taken, in whatever case, is refused, and so is one without characters."""
    projects = talk.auritas.projects
    projects.create("Garden")
    projects.create("House", use=False)
    active = projects.active()
    assert active is not None
    assert active.name == "Garden"
    with pytest.raises(ProjectExistsError):
        projects.create("garden")
    with pytest.raises(ProjectExistsError):
        projects.rename("House", "GARDEN")
    assert projects.rename("Garden", "garden")[1].name == "garden"
    for bad in ("", " \n ", "\u202e", "x" * 81):
        with pytest.raises(InvalidError):
            projects.create(bad)
    with pytest.raises(NoProjectError):
        talk.auritas.conversations.move(write(talk, "t"), "nowhere")
