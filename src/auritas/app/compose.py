"""The composition root: the one place that knows every concrete class.

Parts are built when they are first used, so that a command pays only for what it needs.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import contextmanager
from datetime import tzinfo
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from auritas.app.logs import LogFile
from auritas.app.settings import CONFIG_FILE, Settings, load, write_file, write_key
from auritas.kernel.answers import AccuracyLevel
from auritas.kernel.clock import SystemClock
from auritas.kernel.events import Event
from auritas.kernel.ids import TimeOrderedIds
from auritas.kernel.log import Kind, LogEvent
from auritas.kernel.model import Params
from auritas.kernel.randomness import SeededRng, SystemEntropy
from auritas.kernel.tasks import TaskSpawner
from auritas.kernel.trace import Section, sections

if TYPE_CHECKING:
    from auritas.app.ask import Ask
    from auritas.app.audit import AuditUseCases
    from auritas.app.doctor import Finding
    from auritas.app.egress import EgressView
    from auritas.app.embedded import EmbeddedModels
    from auritas.app.keeping import Keeping
    from auritas.app.models import RemoteModels
    from auritas.app.plugins import PluginHooks
    from auritas.app.roster import Roster
    from auritas.app.upkeep import Upkeep
    from auritas.audit.adapters.sql import SqlAuditLog
    from auritas.audit.service import AuditService
    from auritas.council.adapters.records import CouncilRecords
    from auritas.gateway.adapters.egress_sql import SqlEgress
    from auritas.gateway.adapters.embedded import ModelHost
    from auritas.gateway.adapters.http import Http
    from auritas.gateway.adapters.keys import StoredKeys
    from auritas.gateway.service import Gateway
    from auritas.store import Unit
    from auritas.store.backup import Progress
    from auritas.store.opening import OpenedStore
    from auritas.store.panic import Wiped
    from auritas.store.restore import Restored

AskPassphrase = Callable[[str], str]
"""Asks a person for a passphrase, given what it is for."""


class Auritas:
    """Everything that a command or a request needs, put together over one open store."""

    def __init__(self, settings: Settings, opened_store: "OpenedStore", passphrase: str | None) -> None:
        self.settings = settings
        self._passphrase = passphrase
        self.opened = opened_store
        self.store = opened_store.store
        self.clock = SystemClock()
        self.entropy = SystemEntropy()
        self.rng = SeededRng()
        self.ids = TimeOrderedIds(self.clock, self.rng)
        self.spawner = TaskSpawner()
        self.diagnostics = LogFile(settings.home, self.clock)

    @property
    def notices(self) -> tuple[str, ...]:
        """What a person must know about this start: how the key is kept, when it was made just now."""
        warning = self.opened.unlocked.warning
        return (warning,) if self.opened.created and warning else ()

    @cached_property
    def zone(self) -> tzinfo:
        """The user's time zone."""
        from auritas.app.audit import machine_zone

        return ZoneInfo(self.settings.zone) if self.settings.zone else machine_zone()

    # --- the spine -----------------------------------------------------------------------------------------------

    @cached_property
    def log(self) -> "SqlAuditLog":
        """The audit log."""
        from auritas.audit.adapters.sql import SqlAuditLog

        return SqlAuditLog(self.clock, self.entropy, self.ids)

    @cached_property
    def audit_service(self) -> "AuditService[Unit]":
        """Signing, proving and verifying."""
        from auritas.audit.service import AuditService

        return AuditService(self.store, self.log, self.clock)

    @cached_property
    def audit(self) -> "AuditUseCases":
        """The use cases behind `auritas audit`."""
        from auritas.app.audit import AuditUseCases

        return AuditUseCases(self.store, self.log, self.zone)

    @cached_property
    def keeping(self) -> "Keeping":
        """Backups and the passphrase."""
        from auritas.app.keeping import Keeping
        from auritas.store.keychain import SystemKeychain

        return Keeping(self.store, self.log, self.opened.unlocked, self.clock, self.entropy, SystemKeychain())

    @cached_property
    def upkeep(self) -> "Upkeep":
        """Daily roots, daily backups and the last signature."""
        from auritas.app.upkeep import Upkeep

        return Upkeep(
            self.store,
            self.log,
            self.records,
            self.audit_service,
            self.keeping,
            self.diagnostics,
            self.clock,
            self.zone,
        )

    # --- models --------------------------------------------------------------------------------------------------

    @cached_property
    def egress_ledger(self) -> "SqlEgress":
        """Where each sending is written before it happens."""
        from auritas.gateway.adapters.egress_sql import SqlEgress

        return SqlEgress(self.store, self.log, ids=self.ids, clock=self.clock, entropy=self.entropy)

    @cached_property
    def egress(self) -> "EgressView":
        """What has left the machine."""
        from auritas.app.egress import EgressView

        return EgressView(self.store)

    @cached_property
    def http(self) -> "Http":
        """The one pooled client."""
        from auritas.gateway.adapters.http import Http

        return Http(self.egress_ledger, proxy=self.settings.proxy or None)

    @cached_property
    def keys(self) -> "StoredKeys":
        """Providers' keys."""
        from auritas.gateway.adapters.keys import StoredKeys

        return StoredKeys(self.store, self.clock)

    @cached_property
    def remote(self) -> "RemoteModels":
        """Models at an address."""
        from auritas.app.models import RemoteModels, connector

        connect = connector(self.http, self.egress_ledger, self.keys, self.clock)
        return RemoteModels(self.store, self.log, keys=self.keys, connect=connect, clock=self.clock)

    @cached_property
    def host(self) -> "ModelHost":
        """The one host of embedded models."""
        from auritas.gateway.adapters.embedded import HostSettings, ModelHost

        threads, memory = self.settings.threads_per_model, self.settings.model_memory_mb
        return ModelHost(self.entropy, self.clock, HostSettings(threads=threads, memory_mib=memory))

    @cached_property
    def embedded(self) -> "EmbeddedModels":
        """Models on this machine."""
        from auritas.app.embedded import EmbeddedModels

        return EmbeddedModels(
            self.settings.model_folder,
            store=self.store,
            log=self.log,
            ledger=self.egress_ledger,
            host=self.host,
            clock=self.clock,
        )

    @cached_property
    def hooks(self) -> "PluginHooks":
        """Installed plugins."""
        from auritas.app.plugins import load as load_plugins

        return load_plugins(self.diagnostics)

    @cached_property
    def roster(self) -> "Roster":
        """Who sits in the council."""
        from auritas.app.roster import Roster
        from auritas.gateway.adapters.calculator import CalculatorModel

        return Roster(self.embedded, self.remote, self.hooks, CalculatorModel(self.clock, zone=self.zone))

    @cached_property
    def gateway(self) -> "Gateway":
        """The one way to ask any model."""
        from auritas.gateway.adapters.schema import JsonSchemaCheck
        from auritas.gateway.adapters.spending_sql import SqlSpend
        from auritas.gateway.model import Budget
        from auritas.gateway.service import Gateway, Limits

        limits = Limits(
            budget=Budget(
                tokens_per_question=self.settings.question_tokens or None,
                tokens_per_day=self.settings.day_tokens or None,
                micros_per_question=self.settings.question_micros or None,
                micros_per_day=self.settings.day_micros or None,
            )
        )
        return Gateway(
            self.roster.models,
            clock=self.clock,
            rng=self.rng,
            check=JsonSchemaCheck(),
            spending=SqlSpend(self.store, self.clock),
            limits=limits,
        )

    # --- asking --------------------------------------------------------------------------------------------------

    @cached_property
    def records(self) -> "CouncilRecords":
        """Questions, runs and reasons."""
        from auritas.council.adapters.records import CouncilRecords

        return CouncilRecords(self.log, self.clock, self.ids)

    @cached_property
    def asking(self) -> "Ask":
        """The use case behind `auritas ask`."""
        from auritas.app.ask import Ask
        from auritas.council.policy import SelfTestPolicy
        from auritas.council.service import Council

        council = Council(
            asker=self.gateway,
            policy=SelfTestPolicy(),
            spawner=self.spawner,
            ids=self.ids,
            hooks=self.hooks,
            diagnostics=self.diagnostics,
            params=Params(max_tokens=self.settings.max_tokens, deadline_s=self.settings.deadline_s),
        )
        return Ask(
            store=self.store,
            records=self.records,
            council=council,
            members=self.roster.members,
            topic_of=self.roster.topic_of,
            degraded=self.gateway.degraded,
            hooks=self.hooks,
            clock=self.clock,
            ids=self.ids,
        )

    def ask(
        self, text: str, *, level: AccuracyLevel, conversation_id: str | None = None
    ) -> AsyncGenerator[Event, None]:
        """Ask the council; see `app.ask.Ask`."""
        return self.asking(text, level=level, conversation_id=conversation_id)

    def why(self, trace_id: str) -> tuple[Section, ...]:
        """Return a stored trace in its five sections. Raises NotFoundError."""
        with self.store.read() as unit:
            return sections(self.records.trace(unit, trace_id))

    def change_passphrase(self, new: str) -> None:
        """Guard the store by `new`; raises as `Keeping.change_passphrase` does."""
        self.keeping.change_passphrase(self._passphrase, new)

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
            self.settings,
            self.clock,
        )
        return who.findings(check_audit=check_audit)

    # --- the end -------------------------------------------------------------------------------------------------

    async def aclose(self) -> None:
        """Close what belongs to the running event loop: the connections of the pooled client."""
        if "http" in vars(self):
            await self.http.aclose()

    def close(self) -> None:
        """Stop the models, sign what was written, and close the store."""
        try:
            if "host" in vars(self):
                self.host.close()
            self.upkeep.at_end()
        finally:
            self.store.close()


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

    given = _passphrase(settings)
    try:
        return Auritas(settings, open_store(settings.home, given), given)
    except PassphraseNeededError:
        if ask_passphrase is None:
            raise
        given = ask_passphrase("Passphrase")
        return Auritas(settings, open_store(settings.home, given), given)


def _passphrase(settings: Settings) -> str | None:
    from auritas.app.keeping import passphrase_in

    return passphrase_in(settings.passphrase_file) if settings.passphrase_file else None


def change_setting(key: str, value: str, ask_passphrase: AskPassphrase | None = None) -> object:
    """Set one key, log that it was changed, and return its value now. Raises as `settings.write_key` does.

    A change that cannot be logged, or with which the store does not open, is taken back.
    """
    home = load().home
    path = home / CONFIG_FILE
    before = path.read_text(encoding="utf-8") if path.exists() else None
    changed = write_key(home, key, value)
    try:
        with opened(ask_passphrase) as auritas, auritas.store.unit() as unit:
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
        store_passphrase=_passphrase(settings),
        ask_passphrase=ask_passphrase,
    )
    done, passphrase = restoring.run(file, given, progress)
    with opened(lambda _: passphrase or "") as auritas, auritas.store.unit() as unit:
        auritas.log.append(unit, [LogEvent(Kind.RESTORE, "user", {"made_at": done.created_at})])
    return done


def wipe_now(settings: Settings, window_s: float) -> "Wiped":
    """Wait for `window_s` seconds, in which Ctrl-C stops everything, then destroy the store."""
    from auritas.app.keeping import wipe
    from auritas.store.keychain import SystemKeychain

    asyncio.run(SystemClock().sleep(window_s))
    return wipe(settings, SystemKeychain())
