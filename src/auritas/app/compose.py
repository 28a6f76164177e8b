"""The composition root: the one place that knows every concrete class, in this file and in the parts it inherits.

Parts are built when they are first used, so that a command pays only for what it needs.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from auritas.app.program_parts import ProgramParts
from auritas.app.settings import CONFIG_FILE, Settings, load, write_file, write_key
from auritas.app.wishes import NO_WISHES, Wishes
from auritas.kernel.answers import AccuracyLevel, AskResult
from auritas.kernel.clock import SystemClock
from auritas.kernel.events import Event
from auritas.kernel.ids import TimeOrderedIds
from auritas.kernel.log import Kind, LogEvent
from auritas.kernel.randomness import SeededRng, SystemEntropy
from auritas.kernel.trace import Section, sections

if TYPE_CHECKING:
    from auritas.app.access import Access
    from auritas.app.doctor import Finding
    from auritas.app.indexing import SharedCatchUp
    from auritas.app.keeping import Panicked
    from auritas.app.questions import Questions
    from auritas.app.upkeep import Upkeep
    from auritas.gateway.adapters.http import Http
    from auritas.store.backup import Progress
    from auritas.store.restore import Restored

AFTERWARDS_S = 1.0
"""Seconds of indexing after an answer; what is left waits for the next one."""
AskPassphrase = Callable[[str], str]
"""Asks a person for a passphrase, given what it is for."""


class Auritas(ProgramParts):
    """Everything that a command or a request needs, put together over one open store."""

    @cached_property
    def upkeep(self) -> "Upkeep":
        """Daily roots, daily backups and the last signature."""
        from auritas.app.presence import served_by_another
        from auritas.app.upkeep import DOMAINS, VECTORS, WEIGHTS, Upkeep

        return Upkeep(
            self.store,
            self.log,
            self.records,
            self.audit_service,
            self.keeping,
            {WEIGHTS: self._learn_if_due, DOMAINS: self._grow_if_due, VECTORS: self._embed_messages},
            self.diagnostics,
            self.clock,
            self.zone,
            lambda: served_by_another(self.settings.home),
            timedelta(seconds=self.settings.deadline_s),
        )

    @cached_property
    def _catch_up(self) -> "SharedCatchUp":
        from auritas.app.indexing import SharedCatchUp

        return SharedCatchUp(lambda: self.indexing.catch_up(AFTERWARDS_S))

    def _learn_if_due(self) -> None:
        self.learning.refit_if_due()

    def _grow_if_due(self) -> None:
        self.domains.job.run_if_due()

    def _embed_messages(self) -> None:
        """Give vectors to messages that came without, for as long as a person does not notice."""
        until = self.clock.monotonic() + AFTERWARDS_S
        while self.recall.embed_missing() and self.clock.monotonic() < until:
            pass

    def ask(
        self,
        text: str,
        *,
        level: AccuracyLevel,
        conversation_id: str | None = None,
        wishes: Wishes = NO_WISHES,
    ) -> AsyncGenerator[Event, None]:
        """Take a message: remember what it corrects, and answer it; see `app.talking.Talking`."""
        return self.talking(text, level=level, conversation_id=conversation_id, wishes=wishes)

    async def afterwards(self, result: AskResult | None) -> None:
        """Do what can wait until the answer is on the screen: index it, and measure reviewers now and then."""
        await self._catch_up()
        if result is None:
            return
        reviewers = {review.reviewer for review in result.reviews}
        for member in self.roster.members():
            if member.seat.name in reviewers:
                await self.reviewers.check_if_due(member)

    def idle_work_due(self) -> bool:
        """Return whether notes that were ordered wait to be written."""
        return self.notes.ordered()

    async def idle_work(self) -> None:
        """Write them; takes models' time. What nobody ordered is for a process that lives long."""
        await self.notes.write_ordered()

    @cached_property
    def access(self) -> "Access":
        """Tokens, sessions of browsers, and who is let in."""
        from auritas.app.access import Access

        return Access(self.store, self.log, self.clock, self.ids, self.entropy)

    @cached_property
    def questions(self) -> "Questions":
        """Questions of the past: which there are, and the trace of one."""
        from auritas.app.questions import Questions

        return Questions(self.store, self.records)

    def why(self, trace_id: str | None = None) -> tuple[Section, ...]:
        """Return a stored trace in its five sections. Raises as `Questions.why` does."""
        return sections(self.memory.with_words(self.questions.why(trace_id)))

    def change_passphrase(self, new: str, old: str | None = None) -> None:
        """Guard the store by `new`; raises as `Keeping.change_passphrase` does. old: None, the one that opened it."""
        self.keeping.change_passphrase(self._passphrase if old is None else old, new)
        self._passphrase = new

    def doctor(self, *, check_audit: bool) -> "tuple[Finding, ...]":
        """Check everything; see `app.doctor`."""
        from auritas.app.doctor import Doctor

        who = Doctor(
            self.store,
            self.opened.unlocked,
            self.log,
            self.audit_service,
            self.embedded,
            self.roster,
            self.indexing,
            self.notes,
            self.settings,
            self.clock,
        )
        return who.findings(check_audit=check_audit)

    async def aclose(self) -> None:
        """Close what belongs to the running event loop: the connections of the pooled client."""
        for client in (*self._retired, *([self.http] if "http" in vars(self) else [])):
            await client.aclose()

    def retire(self, client: "Http") -> None:
        """Use a pooled client no longer for what begins from now on; it is closed with the loop."""
        self._retired = (*self._retired, client)

    _retired: "tuple[Http, ...]" = ()

    def close(self, *, brief: bool = False) -> None:
        """Stop the models, sign what was written, and close the store. brief: see `Upkeep.at_end`."""
        try:
            self._stop_models()
            self.upkeep.at_end(brief=brief)
        finally:
            self._close_files()

    def abandon(self) -> None:
        """Stop the models and close the store without a last word: what it would write is to be destroyed."""
        try:
            self._stop_models()
        finally:
            self._close_files()

    def _close_files(self) -> None:
        if "access" in vars(self):
            self.access.close()
        self.store.close()

    def _stop_models(self) -> None:
        if "host" in vars(self):
            self.host.close()


@contextmanager
def opened(ask_passphrase: AskPassphrase | None = None, **flags: object) -> Iterator[Auritas]:
    """Open the store with the settings in force, and close everything properly afterwards.

    ask_passphrase: asks a person, where the store is guarded by a passphrase and no passphrase_file is set.
    Raises what `store.open_store` raises.
    """
    settings = load(**flags)
    auritas = _open(settings, ask_passphrase)
    try:
        auritas.upkeep.run_due()
        yield auritas
    finally:
        auritas.close()


def _open(settings: Settings, ask_passphrase: AskPassphrase | None) -> Auritas:
    from auritas.store.keys import PassphraseNeededError
    from auritas.store.opening import open_store

    given = passphrase_of(settings)
    try:
        return Auritas(settings, open_store(settings.home, given), given)
    except PassphraseNeededError:
        if ask_passphrase is None:
            raise
        given = ask_passphrase("Passphrase")
        return Auritas(settings, open_store(settings.home, given), given)


def passphrase_of(settings: Settings) -> str | None:
    """Return the passphrase that the settings give, if they name a file. Raises as `keeping.passphrase_in` does."""
    from auritas.app.keeping import passphrase_in

    return passphrase_in(settings.passphrase_file) if settings.passphrase_file else None


def change_setting(key: str, value: str, ask_passphrase: AskPassphrase | None = None) -> object:
    """Set one key, log that it was changed, and return its value now. Raises as `settings.write_key` does.

    A change that cannot be logged, or with which the store does not open, is taken back, and so is a reviewer who does
    not sit in the council.
    """
    home = load().home
    path = home / CONFIG_FILE
    before = path.read_text(encoding="utf-8") if path.exists() else None
    changed = write_key(home, key, value)
    try:
        with opened(ask_passphrase) as auritas, auritas.store.unit() as unit:
            if key == "reviewer" and value:
                auritas.reviewers.require(value)
            auritas.log.append(unit, [LogEvent(Kind.SETTINGS_CHANGE, "user", {"field": key}, value)])
    except BaseException:
        write_file(home, before)
        raise
    return getattr(changed, key)


def restore_from(
    settings: Settings, file: Path, given: str | None, ask_passphrase: AskPassphrase, progress: "Progress"
) -> "Restored":
    """Restore a backup, asking for passphrases only where they are needed, and log it in the restored store."""
    from auritas.app.keeping import Restoring
    from auritas.audit.adapters.sql import SqlAuditLog
    from auritas.store.keychain import SystemKeychain

    clock, entropy = SystemClock(), SystemEntropy()
    restoring = Restoring(
        settings=settings,
        log=SqlAuditLog(clock, entropy, TimeOrderedIds(clock, SeededRng())),
        clock=clock,
        entropy=entropy,
        keychain=SystemKeychain(),
        store_passphrase=passphrase_of(settings),
        ask_passphrase=ask_passphrase,
    )
    done, passphrase = restoring.run(file, given, progress)
    with opened(lambda _: passphrase or "") as auritas, auritas.store.unit() as unit:
        auritas.log.append(unit, [LogEvent(Kind.RESTORE, "user", {"made_at": done.created_at})])
    return done


def wipe_now(settings: Settings, window_s: float) -> "Panicked":
    """Wait for `window_s` seconds, in which Ctrl-C stops everything, then destroy the store.

    A server that runs does it and ends, so that no process keeps open what is gone; whatever it says, the wipe follows.
    """
    from auritas.app.attaching import wiped_there
    from auritas.app.keeping import Panicked, wipe
    from auritas.app.presence import is_served, still_serving
    from auritas.store.keychain import SystemKeychain

    clock = SystemClock()
    asyncio.run(clock.sleep(window_s))
    before = still_serving(settings.home)
    there = asyncio.run(wiped_there(settings.home, clock))
    here = wipe(settings, SystemKeychain())
    return Panicked(
        there.removed + len(here.removed),
        here.left,
        there.keyring_left or here.keyring_left,
        before if is_served(settings.home) else None,
    )
