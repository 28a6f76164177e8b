"""The whole program over a real encrypted store, with scripted models in the seats of the council."""

import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import select
from tests.integration.app.past_questions import write_question

from auritas.app.compose import Auritas
from auritas.app.domain_job import domains_over
from auritas.app.domains import Domains
from auritas.app.roster import Roster
from auritas.app.settings import Settings, load
from auritas.council.acts import keyed
from auritas.council.adapters.answered_sql import answered
from auritas.council.model import Member, Tally, Topic
from auritas.council.review.prompts import COMPARE, REVIEW
from auritas.gateway.adapters.calculator import CalculatorModel
from auritas.gateway.adapters.scripted import Script, ScriptedModel
from auritas.kernel.answers import AccuracyLevel, AskResult, Seat
from auritas.kernel.canonical import canonical
from auritas.kernel.clock import Clock, timestamp
from auritas.kernel.diagnostics import KeptDiagnostics
from auritas.kernel.events import AskFinished, Event
from auritas.kernel.model import ModelCard, Price, Prompt
from auritas.store.keychain import NoKeychain
from auritas.store.opening import OpenedStore, open_store

if TYPE_CHECKING:
    from auritas.kernel.ports import EmbeddingPort

CLOSED = "Is it so?"
OPEN = "Write a short poem about rain."


def lines(answer: str, *, confidence: int = 70, domains: str = "general") -> str:
    """Return a reply with its three closing lines."""
    return f"It is so.\nANSWER: {answer}\nCONFIDENCE: {confidence}\nDOMAINS: {domains}"


def verdict(word: str, correction: str = "", *issues: str) -> str:
    """Return a review."""
    return canonical({"verdict": word, "issues": list(issues), "correction": correction}).decode()


def kind_of(prompt: Prompt) -> str:
    """Return what a member is asked for: `answer`, `review` or `compare`."""
    return {REVIEW: "review", COMPARE: "compare"}.get(prompt.messages[0].content, "answer")


def voice(
    name: str,
    answer: str | Callable[[str], str] = "yes",
    *,
    review: str = verdict("correct"),
    better: str | Callable[[Prompt], str] = "first",
    confidence: int = 70,
    domains: str = "general",
    price: Price | None = None,
) -> ScriptedModel:
    """Return a model that answers, reviews and compares. answer: its words, or what makes them from the question."""

    def reply(prompt: Prompt) -> Script:
        match kind_of(prompt):
            case "review":
                return [review]
            case "compare":
                return [f'{{"better": "{better if isinstance(better, str) else better(prompt)}"}}']
            case _:
                said = answer if isinstance(answer, str) else answer(prompt.question)
                return [lines(said, confidence=confidence, domains=domains)]

    card = ModelCard(name, "scripted", local=True, digest=f"scripted:{name}", price=price or Price())
    return ScriptedModel(name, reply=reply, base=card)


def asked_for(model: ScriptedModel) -> list[str]:
    """Return what a model was asked for, in order."""
    return [kind_of(prompt) for prompt, _ in model.calls]


@dataclass
class ScriptedRoster(Roster):
    """Members as a test seats them."""

    seats: list[Member] = field(default_factory=list)

    def members(self) -> Sequence[Member]:
        return tuple(self.seats)


class Staged(Auritas):
    """The composition of the program with the doubles of a test: clock, diagnostics and who sits in the council."""

    def __init__(self, settings: Settings, opened_store: OpenedStore, clock: Clock, ids: Any, rng: Any) -> None:
        super().__init__(settings, opened_store, None)
        self.clock, self.ids, self.rng = clock, ids, rng
        self.diagnostics = self.kept = KeptDiagnostics()
        self.embedder: EmbeddingPort | None = None

    @cached_property
    def domains(self) -> Domains:
        embedding, vectors = (lambda: self.embedder), self.settings.model_folder / ".vectors"
        return domains_over(self.store, self.log, clock=self.clock, ids=self.ids, embedding=embedding, vectors=vectors)

    def sentence_embedding(self) -> "EmbeddingPort | None":
        return self.embedder

    @cached_property
    def roster(self) -> ScriptedRoster:
        return ScriptedRoster(self.embedded, self.remote, self.hooks, CalculatorModel(self.clock, zone=self.zone))


@cache
def _new_store() -> "tempfile.TemporaryDirectory[str]":
    """Return a folder with a store that was made and never used: the copy of one opens at once."""
    folder = tempfile.TemporaryDirectory(prefix="auritas-new-store-")
    open_store(Path(folder.name), keychain=NoKeychain()).store.close()
    return folder


@dataclass
class Hall:
    """One installation that can be restarted. said: the models that were seated.

    own_key: makes its store and key itself, as it must where two installations of one test are strangers.
    """

    folder: Path
    clock: Any
    ids: Any
    rng: Any
    settings: dict[str, Any] = field(default_factory=dict)
    said: dict[str, ScriptedModel] = field(default_factory=dict)
    own_key: bool = False
    auritas: Staged = field(init=False)

    def __post_init__(self) -> None:
        if not (self.own_key or self.folder.exists()):
            shutil.copytree(_new_store().name, self.folder)
        self._open()

    def _open(self) -> None:
        settings = load(home=self.folder, model_dir=str(self.folder / "models"), zone="UTC", **self.settings)
        opened = open_store(self.folder, keychain=NoKeychain(), clock=self.clock)
        self.auritas = Staged(settings, opened, self.clock, self.ids, self.rng)

    def restart(self, **settings: Any) -> None:
        """End the program and start it anew with the same members and further settings."""
        seats, models = self.auritas.roster.seats, self.auritas.roster.models
        self.auritas.close()
        self.settings |= settings
        self._open()
        self.auritas.roster.seats = seats
        self.auritas.roster.models.update(models)

    def close(self) -> None:
        self.auritas.close()

    # --- who sits there ------------------------------------------------------------------------------------------

    def seat(
        self, model: ScriptedModel, right: int | None = None, *, votes: bool = True, provider: str | None = None
    ) -> ScriptedModel:
        """Let a model take a seat. right: of 20 questions of its self-test."""
        if provider:
            model.card = ModelCard(model.name, provider, local=True)
        record = {} if right is None else {Topic.GENERAL: Tally(right, 20)}
        self.said[model.name] = model
        self.auritas.roster.models[model.name] = model
        seat = Seat(model.name, model.name, model.card.digest)
        self.auritas.roster.seats.append(Member(seat, model.card, record, votes=votes))
        return model

    def calculator(self) -> None:
        """Let the real calculator take its seat."""
        port = self.auritas.roster.calculator
        self.auritas.roster.models[port.card.name] = port
        self.auritas.roster.seats.append(Member(Seat(port.card.name, port.card.name, port.card.digest), port.card))

    def leave(self, name: str) -> None:
        """Let a member leave."""
        self.auritas.roster.seats = [m for m in self.auritas.roster.seats if m.seat.name != name]

    def answering(self) -> set[str]:
        """Return who was asked for an answer so far."""
        return {name for name, model in self.said.items() if "answer" in asked_for(model)}

    def forget(self) -> None:
        """Forget what the models were asked."""
        for model in self.said.values():
            model.calls.clear()

    # --- asking --------------------------------------------------------------------------------------------------

    async def events(self, text: str = CLOSED, level: AccuracyLevel = AccuracyLevel.HIGH, **more: Any) -> list[Event]:
        """Ask and return all events."""
        self.clock.advance(1)
        return [event async for event in self.auritas.ask(text, level=level, **more)]

    async def ask(self, text: str = CLOSED, level: AccuracyLevel = AccuracyLevel.HIGH, **more: Any) -> AskResult:
        """Ask and return the result."""
        last = (await self.events(text, level, **more))[-1]
        assert isinstance(last, AskFinished)
        return last.result

    # --- what there is -------------------------------------------------------------------------------------------

    def past(self, said: Mapping[str, str], right: str, **more: Any) -> str:
        """Write a question of the past with the key to it; nothing is learned yet. Return its id."""
        self.clock.advance(1)
        with self.auritas.store.unit() as unit:
            query_id = write_question(unit, self.ids, timestamp(self.clock.now()), said, shown=min(said), **more)
            asked = answered(unit, query_id)
            assert asked is not None
            self.auritas.grades.write_act(unit, query_id, keyed(right, asked))
        return query_id

    def rows(self, table: Any, *where: Any) -> list[Any]:
        with self.auritas.store.read() as unit:
            return list(unit.connection.execute(select(table).where(*where)))

    @property
    def intact(self) -> bool:
        """Whether the audit log verifies."""
        return self.auritas.audit_service.verify().ok
