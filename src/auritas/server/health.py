"""Whether the server can do its work: each part says yes, or why not and what to do."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from auritas.app.compose import Auritas
from auritas.app.duties import Duties, Heartbeat, ailing
from auritas.app.household import Household
from auritas.kernel.errors import AuritasError
from auritas.kernel.model import BUILTIN


@dataclass(frozen=True, slots=True)
class Part:
    """One part of the server. ok: whether it can work. text: what is so; remedy: what to do where it cannot.

    Both are empty for whoever may not know more.
    """

    name: str
    ok: bool
    text: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class Readiness:
    """Whether everything can work, and each part by itself."""

    ready: bool
    parts: tuple[Part, ...]

    @property
    def brief(self) -> "Readiness":
        """The same without counts, names of errors and remedies: for whoever shows no token."""
        return Readiness(self.ready, tuple(Part(part.name, part.ok, "") for part in self.parts))


_LOOK_INTO = "See its place in auritas.log, and check everything: auritas doctor"


def readiness(household: Household, duties: Duties | None) -> Readiness:
    """Return how every part stands; it reads the store and may block for an instant."""
    parts = tuple(_parts(household, duties))
    return Readiness(all(part.ok for part in parts), parts)


def _parts(household: Household, duties: Duties | None) -> Iterator[Part]:
    yield from _workers(() if duties is None else duties.heartbeats())
    if household.locked:
        yield Part("store", ok=False, text="The store is locked.", remedy="Give its passphrase on the page Unlock.")
        return
    main = household.main
    looks: tuple[tuple[str, Callable[[Auritas], Part]], ...] = (
        ("store", _store),
        ("index", _index),
        ("models", _models),
    )
    for name, look in looks:
        yield _guarded(name, look, main)


def _guarded(name: str, look: Callable[[Auritas], Part], main: Auritas) -> Part:
    try:
        return look(main)
    except AuritasError as error:
        return Part(name, ok=False, text=error.message, remedy=error.remedy)


def _store(main: Auritas) -> Part:
    with main.store.read() as unit:
        entries = main.log.size(unit)
    return Part("store", ok=True, text=f"open, {entries} entries in the log")


def _index(main: Auritas) -> Part:
    health = main.indexing.health()
    text = f"{health.indexed} of {health.messages} messages indexed"
    return Part("index", health.ok, text, "" if health.ok else "Build the index anew: auritas search rebuild")


def _models(main: Auritas) -> Part:
    seats = [m.seat.name for m in main.roster.members() if m.votes and m.card.provider != BUILTIN]
    if seats:
        return Part("models", ok=True, text=f"{len(seats)} in their seats")
    return Part(
        "models",
        ok=False,
        text="No model is there.",
        remedy="Fetch some: under Settings, Models, or by auritas models get standard",
    )


def _workers(heartbeats: Iterable[Heartbeat]) -> Iterator[Part]:
    ill = ailing(heartbeats)
    if not ill:
        yield Part("workers", ok=True, text="all alive")
    for each in ill:
        yield Part(f"worker: {each.name}", ok=False, text=_ailment(each), remedy=_LOOK_INTO)


def _ailment(beat: Heartbeat) -> str:
    if not beat.fresh:
        return f"no sign of life for {beat.age_s:.0f} seconds"
    times = "once" if beat.failures == 1 else f"{beat.failures} times in a row"
    return f"failed {times} ({beat.error}); it is tried again"
