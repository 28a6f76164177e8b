"""Memory when its helpers fail or are missing, and when others change it meanwhile."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

import pytest
from tests.integration.app.hall import Hall, voice
from tests.integration.store.test_canaries import decrypted

from auritas.app.remembering import Telling
from auritas.gateway.adapters.scripted import Script
from auritas.kernel.doubles import HashEmbedding
from auritas.kernel.errors import NotFoundError
from auritas.kernel.events import AskFinished, Proposed, Remembered
from auritas.kernel.memory import Correction, CorrectionType, DecayClass, Provenance, Scope, UseReason
from auritas.kernel.model import Prompt
from auritas.memory.model import Draft
from auritas.store import schema as t

pytestmark = pytest.mark.anyio

FACT = CorrectionType.FACT
CHOIR = "How many members has our choir?"
WRONG = "No, that's wrong, it is 53."


@dataclass
class Meddled:
    """An embedder to which something happens before it embeds texts; it works, unless that raises."""

    before: Callable[[Sequence[str]], object]
    inner: HashEmbedding = field(default_factory=HashEmbedding)

    @property
    def id(self) -> str:
        return self.inner.id

    @property
    def dimensions(self) -> int:
        return self.inner.dimensions

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        self.before(texts)
        return self.inner.embed(texts)


def broken(_: Sequence[str]) -> None:
    raise OSError("no such weights")


@pytest.fixture
def seated(hall: Hall) -> Hall:
    hall.seat(voice("ada", "40"))
    return hall


def add(hall: Hall, claim: str, **more: object) -> Correction:
    hall.clock.advance(1)
    return hall.auritas.memory.add(claim, Telling(**more)).correction  # type: ignore[arg-type]


async def reasons(hall: Hall, question: str) -> dict[str, UseReason]:
    """Ask, and return why each correction entered or did not, by its words."""
    result = await hall.ask(question)
    found = hall.auritas.memory.why(result.query_id)
    return {each.correction.claim: each.weighed.reason for each in found.reasons if each.correction}


@pytest.mark.parametrize("embedder", [None, Meddled(broken)])
async def test_without_meaning_words_find_a_fact(seated, embedder):
    """With no embedder, or one that fails, a fact still enters the question it answers, and no other (M6, M7)."""
    seated.auritas.embedder = embedder
    add(seated, "The database is MariaDB", type=FACT, query="Which database do we use?")
    add(seated, "Use metric units")
    assert await reasons(seated, "Which database do we use, again?") == {
        "The database is MariaDB": UseReason.RELEVANT,
        "Use metric units": UseReason.RULE_IN_SCOPE,
    }
    assert (await reasons(seated, "best pizza in Rome"))["The database is MariaDB"] is UseReason.NOT_RELEVANT


async def test_a_correction_is_heard_while_the_embedder_fails(seated):
    """It is stored, graded, and the question is asked again with it, by the rules alone (M3)."""
    seated.auritas.embedder = Meddled(broken)
    first = await seated.ask(CHOIR)
    events = await seated.events(WRONG, conversation_id=first.conversation_id)
    said = next(each for each in events if isinstance(each, Remembered | Proposed))
    assert said.correction.canonical_query == CHOIR
    assert isinstance(events[-1], AskFinished)


def test_one_text_that_cannot_be_read_keeps_none_of_the_others(hall):
    """Where the embedder fails over one correction, the others have their vectors all the same (M6)."""

    def picky(texts: Sequence[str]) -> None:
        if any("seven" in text for text in texts):
            raise ValueError("cannot read this")

    add(hall, "Lena has seven cats", type=FACT)
    wanted = add(hall, "Lena lives in Oslo", type=FACT)
    hall.auritas.embedder = Meddled(picky)
    hall.auritas.shelves.current()
    assert [row.correction_id for row in hall.rows(t.correction_vectors)] == [wanted.id]


def test_a_vector_of_old_words_is_never_kept(hall):
    """Words that change while they are embedded get no vector of what they were (M4, M6)."""
    kept = add(hall, "Lena lives in Oslo", type=FACT)

    def meanwhile(texts: Sequence[str]) -> None:
        if "Oslo" in texts[0]:
            with hall.auritas.store.unit() as unit:
                hall.auritas.remembering.edit(unit, kept.id, "Lena lives in Bergen")

    hall.auritas.embedder = Meddled(meanwhile)
    hall.auritas.shelves.current()
    assert hall.rows(t.correction_vectors) == []
    assert [each.claim for each in hall.auritas.shelves.current().corrections] == ["Lena lives in Bergen"]
    assert len(hall.rows(t.correction_vectors)) == 1


async def test_use_renews_in_a_process_that_goes_on(seated):
    """What was inferred fades from its last use, also for a program that runs for months (M1)."""
    draft = Draft("Use metric units", CorrectionType.INSTRUCTION, Scope.GLOBAL, Provenance.USER_IMPLICIT)
    with seated.auritas.store.unit() as unit:
        seated.auritas.remembering.keep(unit, replace(draft, decay_class=DecayClass.C))
    for _ in range(3):
        seated.clock.advance(timedelta(days=30).total_seconds())
        result = await seated.ask("best pizza in Rome")
        (reason,) = seated.auritas.memory.why(result.query_id).reasons
        assert reason.weighed.factors.staleness == pytest.approx(0.5, abs=0.01)


async def test_nothing_is_said_in_a_conversation_that_goes_meanwhile(seated):
    """A correction whose conversation is deleted while members judge it is refused, and leaves no word (F13)."""
    first = await seated.ask(CHOIR)
    seated.restart(validation="plausible")
    answer: Any = seated.said["ada"].reply

    def judge(prompt: Prompt) -> Script:
        if "plausible" not in prompt.messages[0].content:
            said: Script = answer(prompt)
            return said
        seated.auritas.conversations.delete([first.conversation_id])
        return ['{"plausible": "yes"}']

    seated.said["ada"].reply = judge
    with pytest.raises(NotFoundError):
        await seated.events(WRONG, conversation_id=first.conversation_id)
    assert seated.rows(t.corrections) == []
    assert seated.rows(t.messages) == []
    assert seated.intact


async def test_what_is_erased_while_a_model_answers_leaves_no_word(seated):
    """An answer that is under way keeps which correction had entered, and none of its words (F13, M8)."""
    kept = add(seated, "Speak of the zyzzyva")
    answer: Any = seated.said["ada"].reply

    def erasing(prompt: Prompt) -> Script:
        seated.auritas.memory.erase(kept.id)
        seated.said["ada"].reply = answer
        said: Script = answer(prompt)
        return said

    seated.said["ada"].reply = erasing
    result = await seated.ask("Is it so?")
    (reason,) = seated.auritas.memory.why(result.query_id).reasons
    assert (reason.weighed.correction_id, reason.weighed.injected, reason.correction) == (kept.id, True, None)
    assert b"zyzzyva" not in decrypted(seated.auritas.opened)
    assert seated.intact


async def test_the_log_never_holds_words_outside_of_bodies(seated):
    """Whatever is done to a correction, its audit entries name it by its id only: bodies can be erased (F13)."""
    memory = seated.auritas.memory
    kept = add(seated, "Speak of the zyzzyva", condition="except on quokkas")
    memory.edit(kept.id, "Sing of the zyzzyva")
    memory.pin(kept.id, pinned=True)
    memory.move(kept.id, Scope.DOMAIN, domain="zyzzyva")
    result = await seated.ask("Is it so?")
    memory.move(kept.id, Scope.CONVERSATION, conversation_id=result.conversation_id)
    add(seated, "Never sing of the zyzzyva")
    memory.undo()
    memory.undo()
    entries = [row for row in seated.rows(t.audit_log) if kept.id in row.refs]
    assert len(entries) > 5
    assert all("zyzzyva" not in row.refs and "quokka" not in row.refs for row in seated.rows(t.audit_log))
    memory.erase(kept.id)
    assert b"zyzzyva" not in b"".join(str(row).encode() for row in seated.rows(t.audit_log) if kept.id in row.refs)
    assert seated.intact
