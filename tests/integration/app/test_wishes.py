"""What a person chooses for one message: members, project, files, instructions, and that nothing is left behind."""

from contextlib import chdir
from datetime import timedelta

import pytest
from tests.integration.app.hall import CLOSED, Hall, asked_for, voice

from auritas.app.ask import NobodySeesError
from auritas.app.attachments import NoAttachmentError
from auritas.app.temporary import NotTemporaryError
from auritas.app.wishes import Wishes
from auritas.gateway.adapters.scripted import ScriptedModel
from auritas.kernel.answers import AccuracyLevel
from auritas.kernel.errors import NotFoundError, UsageError
from auritas.kernel.events import AskFinished, Notice
from auritas.kernel.model import ModelCard, Role
from auritas.memory.adapters import pdf
from auritas.memory.documents.model import UnreadableFileError
from auritas.store import schema as t

pytestmark = pytest.mark.anyio
MINUTES = b"The choir of Saint Anna has fifty-three members.\n\nIt meets on Thursdays."


def told(model) -> str:
    """Return everything the model's last prompt said."""
    return "\n".join(message.content for message in model.calls[-1][0].messages)


async def test_only_the_named_members_are_asked(hall):
    """Naming one seat asks it alone, at every level."""
    ada, bob = hall.seat(voice("ada"), 18), hall.seat(voice("bob"), 17)
    result = await hall.ask(wishes=Wishes(members=("bob",)))
    assert {answer.seat.name for answer in result.answers} == {"bob"}
    assert asked_for(bob)
    assert "answer" not in asked_for(ada)


async def test_a_member_that_is_not_there_is_refused_with_who_is(hall):
    """A wrong name is an error that lists the members, and nothing was asked or written."""
    hall.seat(voice("ada"), 18)
    with pytest.raises(NotFoundError, match="bib") as caught:
        await hall.ask(wishes=Wishes(members=("bib",)))
    assert "ada" in caught.value.remedy
    assert not hall.rows(t.queries)


async def test_a_new_conversation_joins_the_project_that_was_chosen(hall):
    """The choice holds for this conversation, whatever project is active."""
    hall.seat(voice("ada"), 18)
    choir = hall.auritas.projects.create("Choir", use=True)
    other = hall.auritas.projects.create("Garden", use=False)
    places = {
        wishes: (await hall.ask(wishes=wishes)).conversation_id
        for wishes in (Wishes(), Wishes(project_id=other.id), Wishes(outside=True))
    }
    found = [hall.auritas.conversations.named(conversation).project_id for conversation in places.values()]
    assert found == [choir.id, other.id, None]


async def test_a_project_that_is_not_there_is_refused_before_anything_is_written(hall):
    """A wrong project is an error, and no conversation begins."""
    hall.seat(voice("ada"), 18)
    with pytest.raises(NotFoundError):
        await hall.ask(wishes=Wishes(project_id="nowhere"))
    assert not hall.rows(t.conversations)


async def test_an_attached_file_reaches_the_members_and_stays_with_its_message(hall):
    """Members read the file as a quotation; it is listed with the conversation, and read again in the next question."""
    ada = hall.seat(voice("ada"), 18)
    file = hall.auritas.attachments.add("minutes.txt", MINUTES)
    result = await hall.ask("How many members has the choir?", wishes=Wishes(attachments=(file.id,)))
    assert "fifty-three members" in told(ada)
    (kept,) = hall.auritas.attachments.of_conversation(result.conversation_id)
    assert kept.message_id is not None
    await hall.ask("When does it meet?", conversation_id=result.conversation_id)
    assert "Thursdays" in told(ada)


async def test_a_long_file_is_cut_to_what_has_to_do_with_the_question_and_that_is_said(hall):
    """A member never gets more than it can read, and the person is told so."""
    ada = hall.seat(voice("ada"), 18)
    long = b"\n\n".join(b"Paragraph %d is about the weather." % number for number in range(4_000)) + b"\n\n" + MINUTES
    file = hall.auritas.attachments.add("long.txt", long)
    events = await hall.events("When does the choir meet?", wishes=Wishes(attachments=(file.id,)))
    assert "Thursdays" in told(ada)
    assert len(told(ada)) < len(long) / 2
    assert any(isinstance(event, Notice) and event.code == "attachments" for event in events)


async def test_a_file_belongs_to_one_message_and_cannot_be_sent_twice(hall):
    """A file that was sent is not waiting any more, and cannot be taken back."""
    hall.seat(voice("ada"), 18)
    file = hall.auritas.attachments.add("minutes.txt", MINUTES)
    await hall.ask(wishes=Wishes(attachments=(file.id,)))
    with pytest.raises(NoAttachmentError):
        await hall.ask(wishes=Wishes(attachments=(file.id,)))
    with pytest.raises(NoAttachmentError):
        hall.auritas.attachments.drop(file.id)


async def test_too_many_files_are_refused(hall):
    """Eleven files are one too many, and nothing is asked."""
    hall.seat(voice("ada"), 18)
    files = tuple(hall.auritas.attachments.add(f"{number}.txt", b"x").id for number in range(11))
    with pytest.raises(UsageError):
        await hall.ask(wishes=Wishes(attachments=files))


async def test_files_go_with_their_conversation(hall):
    """Deleting a conversation deletes its files."""
    hall.seat(voice("ada"), 18)
    file = hall.auritas.attachments.add("minutes.txt", MINUTES)
    result = await hall.ask(wishes=Wishes(attachments=(file.id,)))
    hall.auritas.conversations.delete([result.conversation_id])
    assert not hall.rows(t.attachments)


async def test_a_file_whose_message_never_came_is_forgotten_after_a_day(hall, clock):
    """What waits for nothing is removed when the next file comes."""
    hall.auritas.attachments.add("old.txt", b"x")
    clock.advance(timedelta(days=1, seconds=1).total_seconds())
    new = hall.auritas.attachments.add("new.txt", b"x")
    assert [row.attachment_id for row in hall.rows(t.attachments)] == [new.id]


async def test_a_pdf_is_read_and_a_broken_one_is_refused(hall):
    """The text of a PDF is kept with its pages; one that is cut off is refused with what to do."""
    content = pdf_saying("The choir has 53 members")
    file = hall.auritas.attachments.add("minutes.pdf", content)
    assert (file.pages, hall.auritas.attachments.text(file.id).strip()) == (1, "The choir has 53 members")
    with pytest.raises(UnreadableFileError):
        hall.auritas.attachments.add("broken.pdf", content[:60])


async def test_reading_a_pdf_runs_nothing_of_the_folder_we_were_started_in(hall, tmp_path):
    """A module that lies in the current folder is not taken for the library that reads PDF files."""
    for name in ("pypdf", "json", "resource"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit(f'{__name__} ran')")
    with chdir(tmp_path):
        file = hall.auritas.attachments.add("minutes.pdf", pdf_saying("The choir has 53 members"))
    assert file.pages == 1


async def test_the_process_that_reads_a_pdf_knows_no_secret():
    """Passphrase and keys in the environment stay with us."""
    ours = {"PATH": "/bin", "AURITAS_PASSPHRASE": "four short plain words", "OPENAI_API_KEY": "sk-1"}
    assert pdf.environment(ours) == {"PATH": "/bin"}


PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 20


def seat_that_sees(hall: Hall, name: str) -> ScriptedModel:
    """Seat a member that takes pictures and return its model."""
    model = hall.seat(voice(name), 18)
    model.card = ModelCard(name, "scripted", local=True, digest=f"scripted:{name}", sees=True)
    blind = hall.auritas.roster.seats[-1]
    hall.auritas.roster.seats[-1] = type(blind)(blind.seat, model.card, blind.record)
    return model


async def test_a_picture_is_put_only_to_members_that_see(hall):
    """Who cannot see is not asked, for it would make something up; the person is told, and it stays with the answer."""
    eve, ada = seat_that_sees(hall, "eve"), hall.seat(voice("ada"), 17)
    file = hall.auritas.attachments.add("picture.png", PNG)
    events = await hall.events(wishes=Wishes(attachments=(file.id,)))
    assert [image.media_type for image in eve.calls[0][0].messages[-1].images] == ["image/png"]
    assert ada.calls == []
    told = "Not asked, because they do not see pictures: ada."
    assert Notice("attachments", told) in events
    assert told in events[-1].result.notices


async def test_a_picture_that_nobody_would_see_is_refused(hall):
    """No answer is made up and nothing is written; the file waits for another try."""
    ada = hall.seat(voice("ada"), 17)
    file = hall.auritas.attachments.add("picture.png", PNG)
    with pytest.raises(NobodySeesError, match="ada does not see pictures"):
        await hall.events(wishes=Wishes(attachments=(file.id,)))
    assert ada.calls == []
    assert hall.rows(t.queries) == []
    seat_that_sees(hall, "eve")
    await hall.events(wishes=Wishes(attachments=(file.id,)))


async def test_a_picture_is_seen_again_by_what_follows(hall):
    """Asking the same again, or something more about it, shows the picture once more."""
    eve, ada = seat_that_sees(hall, "eve"), hall.seat(voice("ada"), 17)
    file = hall.auritas.attachments.add("picture.png", PNG)
    result = (await hall.events(wishes=Wishes(attachments=(file.id,))))[-1].result
    turn = hall.auritas.talking.asked(result.query_id)
    async for _ in hall.auritas.talking.retry(turn, level=AccuracyLevel.HIGH):
        pass
    assert ada.calls == []
    await hall.ask("And what is on its left?", conversation_id=result.conversation_id)
    assert [len(prompt.messages[-1].images) for prompt, _ in eve.calls] == [1, 1, 1]
    assert ada.calls != []


async def test_instructions_of_project_and_conversation_reach_every_member(hall):
    """What the user wants in a conversation is told with each question; the project's first."""
    ada = hall.seat(voice("ada"), 18)
    project = hall.auritas.projects.create("Choir", use=True)
    result = await hall.ask()
    hall.auritas.projects.instruct(project.id, "Answer in French.")
    hall.auritas.conversations.instruct(result.conversation_id, "Use short words.")
    await hall.ask("And now?", conversation_id=result.conversation_id)
    assert told(ada).index("Answer in French.") < told(ada).index("Use short words.")


async def test_a_temporary_conversation_neither_remembers_nor_uses_what_is_remembered(hall):
    """Nothing said in it is stored as a correction, and nothing stored enters it."""
    ada = hall.seat(voice("ada"), 18)
    await hall.events("Remember this: always use metric units.")
    result = await hall.ask(wishes=Wishes(temporary=True))
    assert "metric" not in told(ada)
    await hall.events("No, that's wrong, it is no", conversation_id=result.conversation_id)
    assert len([row for row in hall.rows(t.corrections) if row.state == "active"]) == 1


async def test_a_temporary_conversation_is_in_no_list_no_index_and_no_export(hall):
    """While it lasts it can be read by its id alone."""
    hall.seat(voice("ada"), 18)
    result = await hall.ask("Is the zanzibar secret?", wishes=Wishes(temporary=True))
    await hall.auritas.afterwards(result)
    conversations = hall.auritas.conversations
    assert conversations.newest().conversations == ()
    assert not hall.auritas.search.words("zanzibar").conversations
    assert conversations.named(result.conversation_id).messages == 2


async def test_a_temporary_conversation_teaches_no_field(hall):
    """The fields that members name in it are not counted: they would stay after it, in the tree or on the way there."""
    hall.seat(voice("ada", domains="zanzibarology"), 18)
    await hall.ask(wishes=Wishes(temporary=True))
    assert not hall.rows(t.domain_mentions)
    assert not hall.rows(t.domain_candidates)
    await hall.ask()
    assert [row.string for row in hall.rows(t.domain_candidates)] == ["zanzibarology"]


async def test_a_temporary_conversation_that_is_left_is_deleted_and_a_lasting_one_is_not(hall, clock):
    """Leaving deletes it at once, a day deletes what was forgotten, and neither touches what was meant to stay."""
    hall.seat(voice("ada"), 18)
    stays = (await hall.ask()).conversation_id
    left = (await hall.ask(wishes=Wishes(temporary=True))).conversation_id
    forgotten = (await hall.ask(wishes=Wishes(temporary=True))).conversation_id
    hall.auritas.temporary.end(left)
    with pytest.raises(NotTemporaryError):
        hall.auritas.temporary.end(stays)
    assert hall.auritas.temporary.sweep() == 0
    clock.advance(timedelta(days=1, seconds=1).total_seconds())
    assert hall.auritas.temporary.sweep() == 1
    assert forgotten not in {row.conversation_id for row in hall.rows(t.conversations)}
    assert [row.conversation_id for row in hall.rows(t.conversations)] == [stays]
    assert hall.intact


async def test_a_question_can_be_asked_once_more_whatever_became_of_it(hall):
    """A retry writes no second question into the conversation, and both answers stay."""
    hall.seat(voice("ada"), 18)
    first = await hall.ask()
    turn = hall.auritas.talking.asked(first.query_id)
    events = [event async for event in hall.auritas.talking.retry(turn, level=AccuracyLevel.HIGH)]
    assert isinstance(events[-1], AskFinished)
    messages = hall.auritas.conversations.show(first.conversation_id).messages
    assert [message.role for message in messages] == [Role.USER, Role.ASSISTANT, Role.ASSISTANT]
    assert events[-1].result.question == CLOSED


def pdf_saying(text: str) -> bytes:
    """Return a PDF of one page with one line of text."""
    stream = f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET".encode()
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        (
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R "
            b"/Resources << /Font << /F1 5 0 R >> >> >>"
        ),
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    body, places = b"%PDF-1.4\n", []
    for number, each in enumerate(objects, start=1):
        places.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, each)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(objects) + 1
    end = b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (size, len(body))
    return body + b"xref\n0 %d\n0000000000 65535 f \n%s" % (size, table) + end
