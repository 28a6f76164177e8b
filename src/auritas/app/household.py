"""Everybody who uses this installation: each person has an encrypted store of their own, and the models are shared.

What belongs to another person lies in another file under another key, so no query can return it by mistake.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from threading import Lock
from typing import TYPE_CHECKING

from auritas.app.compose import Auritas, passphrase_of
from auritas.app.folders import PEOPLE, sweep_uploads
from auritas.app.keeping import wipe
from auritas.app.settings import Settings, load
from auritas.kernel.errors import UnavailableError
from auritas.store.keychain import SystemKeychain

if TYPE_CHECKING:
    from auritas.app.access import Access
    from auritas.app.duties import Duties
    from auritas.app.runs import RunDesk
    from auritas.store.keychain import Keychain
    from auritas.store.panic import Wiped

LOCAL = "local"
"""The person who installed the program, and whose store holds the tokens of all."""


class LockedError(UnavailableError):
    """The store is guarded by a passphrase that nobody has given yet."""

    code = "locked"

    def __init__(self) -> None:
        super().__init__("The store is locked.", remedy="Give its passphrase on the page Unlock.")


class GoneError(UnavailableError):
    """The stores were destroyed while this process ran."""

    code = "gone"

    def __init__(self) -> None:
        super().__init__("Everything was destroyed, as you wished.", remedy="Start Auritas anew for a new store.")


class Guest(Auritas):
    """A further person's program: a store of their own, the models of the house."""

    def join(self, main: Auritas) -> "Guest":
        """Use the models that `main` has loaded."""
        self.host = main.host
        return self

    def _stop_models(self) -> None:
        """Leave the models to the house."""


Opener = Callable[[Settings, str | None], Auritas]
"""Opens a store with a passphrase, None where it needs none. Raises PassphraseNeededError where it does."""


class Household:
    """The open stores of everybody, or the knowledge that they are locked."""

    def __init__(self, settings: Settings, opener: Opener | None = None) -> None:
        self.settings = settings
        self._opener = opener or _open
        self._main: Auritas | None = None
        self._people: dict[str, Auritas] = {}
        self._desks: dict[str, RunDesk] = {}
        self._opening = Lock()
        self._gone = False
        self.duties: Duties | None = None
        """What this process does by itself; it ends before the stores are wiped."""
        self.wiped: Callable[[], object] = bool  # nobody listens
        """Told in the event loop once everything is destroyed: the process has nothing left to do."""

    def open(self) -> bool:
        """Open the main store if that needs no passphrase, or one that the settings give; return whether it is open.

        What a process that died has left of files that were sent, in anybody's home, is removed before.
        """
        from auritas.store.keys import PassphraseNeededError

        for home in (self.settings.home, *sorted((self.settings.home / PEOPLE).glob("*"))):
            sweep_uploads(home)
        try:
            self._enter(passphrase_of(self.settings))
        except PassphraseNeededError:
            return False
        return True

    def unlock(self, passphrase: str) -> None:
        """Open the main store. Raises what `store.open_store` raises for a wrong passphrase."""
        if self._gone:
            raise GoneError
        if self._main is None:
            self._enter(passphrase)

    def _enter(self, passphrase: str | None) -> None:
        main = self._opener(self.settings, passphrase)
        main.upkeep.run_due()
        self._main = main

    @property
    def gone(self) -> bool:
        """Whether everything was destroyed, or is being destroyed."""
        return self._gone

    @property
    def locked(self) -> bool:
        """Whether a passphrase is still awaited."""
        return self._main is None

    @property
    def main(self) -> Auritas:
        """The program of the person who installed it. Raises LockedError, and GoneError after a wipe."""
        if self._gone:
            raise GoneError
        if self._main is None:
            raise LockedError
        return self._main

    def require_open(self) -> None:
        """Raise LockedError while a passphrase is awaited, and GoneError after a wipe."""
        _ = self.main

    @property
    def access(self) -> "Access":
        """Who may do what. Raises LockedError."""
        return self.main.access

    def of(self, owner: str) -> Auritas:
        """Return a person's own program, opening their store at the first call.

        Raises LockedError, and NotAdmittedError where nobody of this name was ever let in.
        """
        if owner == LOCAL:
            return self.main
        known = self._people.get(owner)
        if known is not None:  # without the lock: whoever is known must not wait while another's store is opened
            return known
        with self._opening:
            if owner not in self._people:
                self._people[owner] = self._visit(owner)
            return self._people[owner]

    def knows(self, owner: str) -> bool:
        """Whether the store of a person is open already."""
        return owner == LOCAL or owner in self._people

    def desk_of(self, owner: str, auritas: Auritas) -> "RunDesk":
        """Return what runs for a person just now, over their program."""
        if owner not in self._desks:
            from auritas.app.runs import RunDesk

            desk = RunDesk(auritas.clock, auritas.ids, auritas.spawner, auritas.diagnostics)
            auritas.partings.listen(desk.forget)
            self._desks[owner] = desk
        return self._desks[owner]

    @property
    def desks(self) -> "tuple[RunDesk, ...]":
        """Everything that runs."""
        return tuple(self._desks.values())

    def admit(self, owner: str) -> None:
        """Let a person in: make them a store whose passphrase only the main store knows; again changes nothing.

        Raises InvalidError for a name that cannot name a folder.
        """
        self.access.admit(owner)

    def _visit(self, owner: str) -> Auritas:
        passphrase = self.access.passphrase_of(owner)
        if passphrase is None:
            from auritas.app.access import NotAdmittedError

            raise NotAdmittedError(owner)
        from auritas.store.opening import open_store

        home = self.settings.home / PEOPLE / owner
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        theirs = load(home=home, model_dir=self.settings.model_folder)
        guest = Guest(theirs, open_store(home, passphrase), passphrase).join(self.main)
        guest.upkeep.run_due()
        return guest

    async def aclose(self) -> None:
        """Stop what runs and close connections, while the event loop still turns."""
        for desk in self.desks:
            await desk.aclose()
        for auritas in self._all():
            await auritas.aclose()

    def open_stores(self) -> tuple[tuple[str, Auritas], ...]:
        """Return whose stores are open just now, with their programs; nothing while locked."""
        main = self._main
        return () if main is None else ((LOCAL, main), *tuple(self._people.items()))

    def close(self) -> None:
        """Close every store, the main one last."""
        for auritas in self._all():
            auritas.close(brief=True)
        self._people, self._main = {}, None

    async def wipe(self) -> "Wiped":
        """Destroy every person's key and store, at once and for ever; what runs is stopped. Raises GoneError.

        Embedded models are public and stay. Nothing is asked and nothing is written down; no passphrase is needed. Runs
        and duties end first: a backup that is being made must neither come to its end nor leave a part of itself.
        """
        if self._gone:
            raise GoneError
        self._gone = True  # from here on nobody begins anything
        try:
            return await self._wipe(self._main.keeping.keychain if self._main else SystemKeychain())
        finally:
            self.wiped()

    async def _wipe(self, keychain: "Keychain") -> "Wiped":
        if self.duties is not None:
            with suppress(Exception):  # whatever resists, the wipe follows
                await self.duties.aclose()
        with suppress(Exception):
            await self.aclose()
        self._desks = {}
        every, self._people, self._main = self._all(), {}, None
        for auritas in every:
            with suppress(Exception):
                await asyncio.to_thread(auritas.abandon)
        return await asyncio.to_thread(wipe, self.settings, keychain)

    def _all(self) -> list[Auritas]:
        return [*self._people.values(), *([self._main] if self._main else [])]


def _open(settings: Settings, passphrase: str | None) -> Auritas:
    from auritas.store.opening import open_store

    return Auritas(settings, open_store(settings.home, passphrase), passphrase)
