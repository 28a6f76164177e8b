"""Models as a page shows them: those that run here, those at an address, and who sits in the council."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from auritas.app.embedded import EmbeddedModels, ModelState
from auritas.app.models import KnownProvider, RemoteModels, known_presets
from auritas.council.model import Member
from auritas.gateway.manifest import TIERS, ModelKind
from auritas.gateway.model import EndpointKind, StoredEndpoint
from auritas.gateway.selftest import ModelRole, SelfTest
from auritas.kernel.errors import NotFoundError

if TYPE_CHECKING:
    from auritas.app.progress import Steps

__all__ = ["KnownProvider", "ModelPages", "known_presets"]


@dataclass(frozen=True, slots=True)
class SelfTestLine:
    """A self-test. answers, votes: right ones of so many asked. by_domain: right and asked. basis: in a sentence."""

    exam: str
    answers_right: int
    answers: int
    votes_right: int
    votes: int
    by_domain: Mapping[str, tuple[int, int]]
    seconds: float
    basis: str


@dataclass(frozen=True, slots=True)
class EmbeddedLine:
    """A model that runs in this program. bytes: on disk. own: a file that the user brought."""

    name: str
    title: str
    kind: ModelKind
    licence: str
    digest: str
    bytes: int
    tiers: tuple[str, ...]
    installed: bool
    own: bool
    roles: tuple[ModelRole, ...]
    self_test: SelfTestLine | None


@dataclass(frozen=True, slots=True)
class AddedLine:
    """A model at an address. has_key: whether a key is kept for it, which is never shown again.

    prices: in millionths of the currency unit per million tokens; priced: whether they are known. local: the address
    is this machine.
    """

    name: str
    kind: EndpointKind
    provider: str
    base_url: str
    model_id: str
    window: int
    input_micros_per_mtok: int
    output_micros_per_mtok: int
    priced: bool
    local: bool
    has_key: bool
    enabled: bool
    added_at: str


@dataclass(frozen=True, slots=True)
class SeatLine:
    """Who sits in the council now. votes: false for one that failed its self-test."""

    seat: str
    model: str
    provider: str
    local: bool
    window: int
    votes: bool


@dataclass(frozen=True, slots=True)
class TierLine:
    """A set of embedded models that is fetched together. missing_bytes: to be downloaded."""

    name: str
    missing_bytes: int


@dataclass(frozen=True, slots=True)
class ModelsShown:
    """Every model there is, and the sets that can be fetched."""

    embedded: tuple[EmbeddedLine, ...]
    added: tuple[AddedLine, ...]
    seats: tuple[SeatLine, ...]
    tiers: tuple[TierLine, ...]


@dataclass(frozen=True, slots=True)
class ModelGone:
    """A model that was removed. bytes: freed on disk; a file of the user's own stays where it is."""

    name: str
    bytes: int


@dataclass(frozen=True, slots=True)
class ModelPages:
    """Looks at models, and does with them what takes its time."""

    embedded: EmbeddedModels
    remote: RemoteModels
    members: Callable[[], Sequence[Member]]

    def every(self) -> ModelsShown:
        """Return every model."""
        return ModelsShown(
            tuple(map(_embedded, self.embedded.list())),
            tuple(map(added_of, self.remote.list())),
            tuple(map(_seat, self.members())),
            tuple(TierLine(tier, self.embedded.missing(tier)) for tier in TIERS),
        )

    def require(self, wanted: str) -> int:
        """Return how many bytes of a tier or a model of ours are missing. Raises UnknownModelError."""
        return self.embedded.missing(wanted)

    def require_testable(self, name: str | None) -> None:
        """Raise NotFoundError unless there is an embedded model, of this name where one is given, to be tested."""
        known = [each.name for each in self.embedded.list() if each.installed and each.kind is ModelKind.ANSWERS]
        if not known or name not in {None, *known}:
            there = f"There are: {', '.join(known)}." if known else "Fetch the standard models first."
            raise NotFoundError(f"No embedded model {name or ''} is here to be tested.", remedy=there)

    async def fetch(self, wanted: str, steps: "Steps") -> str:
        """Fetch a tier or a model of ours, telling its steps in bytes; raises as `EmbeddedModels.get` does."""
        here = await self.embedded.get(
            wanted, lambda step: steps(step.done, step.total, f"{step.file} from {step.source}")
        )
        return f"Here now: {', '.join(state.name for state in here) or 'nothing'}."

    async def examine(self, name: str | None, steps: "Steps", *, again: bool) -> str:
        """Test one embedded model, or all, telling its steps; raises as `EmbeddedModels.self_test` does."""
        results = await self.embedded.self_test(
            name, lambda step: steps(step.done, step.total, step.model), again=again
        )
        return " ".join(f"{result.model}: {result.basis}" for result in results)

    async def remove(self, name: str) -> ModelGone:
        """Remove a model, wherever it is. Raises UnknownModelError when there is none of this name."""
        if name in {each.endpoint.name for each in self.remote.list()}:
            self.remote.remove(name)
            return ModelGone(name, 0)
        gone = await self.embedded.remove(name)
        return ModelGone(gone.name, gone.bytes)


def added_of(stored: StoredEndpoint) -> AddedLine:
    """Return a model at an address without its key."""
    endpoint = stored.endpoint
    return AddedLine(
        name=endpoint.name,
        kind=endpoint.kind,
        provider=endpoint.provider,
        base_url=endpoint.base_url,
        model_id=endpoint.model_id,
        window=endpoint.window,
        input_micros_per_mtok=endpoint.price.input_micros_per_mtok,
        output_micros_per_mtok=endpoint.price.output_micros_per_mtok,
        priced=stored.priced,
        local=endpoint.local,
        has_key=endpoint.key_ref is not None,
        enabled=stored.enabled,
        added_at=stored.added_at,
    )


def _embedded(state: ModelState) -> EmbeddedLine:
    return EmbeddedLine(
        name=state.name,
        title=state.title,
        kind=state.kind,
        licence=state.licence,
        digest=state.digest,
        bytes=state.bytes,
        tiers=state.tiers,
        installed=state.installed,
        own=state.own,
        roles=state.roles,
        self_test=_tested(state.self_test) if state.self_test else None,
    )


def _tested(test: SelfTest) -> SelfTestLine:
    return SelfTestLine(
        exam=test.exam,
        answers_right=test.answers_right,
        answers=len(test.answered),
        votes_right=test.votes_right,
        votes=len(test.voted),
        by_domain=test.by_domain,
        seconds=test.seconds,
        basis=test.basis,
    )


def _seat(member: Member) -> SeatLine:
    seat, card = member.seat, member.card
    return SeatLine(seat.name, seat.model, card.provider, seat.local, card.window, member.votes)
