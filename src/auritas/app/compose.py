"""The composition root: the one place that knows every concrete class.

Parts are built when they are first used, so that a command pays only for what it needs.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import tzinfo
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from auritas.app.logs import LogFile
from auritas.app.settings import CONFIG_FILE, Settings, load, write_file, write_key
from auritas.kernel.answers import AccuracyLevel
from auritas.kernel.clock import Clock, SystemClock
from auritas.kernel.diagnostics import Diagnostics
from auritas.kernel.events import Event
from auritas.kernel.ids import TimeOrderedIds
from auritas.kernel.log import Kind, LogEvent
from auritas.kernel.model import Params
from auritas.kernel.randomness import SeededRng, SystemEntropy
from auritas.kernel.tasks import TaskSpawner
from auritas.kernel.trace import Section, sections

if TYPE_CHECKING:
    from auritas.app.about import About
    from auritas.app.ask import Ask
    from auritas.app.audit import AuditUseCases
    from auritas.app.closing import Closing
    from auritas.app.doctor import Finding
    from auritas.app.domains import Domains
    from auritas.app.egress import EgressView
    from auritas.app.embedded import EmbeddedModels
    from auritas.app.grading import Grading
    from auritas.app.keeping import Keeping
    from auritas.app.learning import Learning
    from auritas.app.live import LiveEvaluation
    from auritas.app.models import RemoteModels
    from auritas.app.plugins import PluginHooks
    from auritas.app.reviewing import Reviewers
    from auritas.app.roster import Roster
    from auritas.app.scores import Scores
    from auritas.app.second_look import SecondLook
    from auritas.app.settling import Settling
    from auritas.app.stats import Stats
    from auritas.app.upkeep import Upkeep
    from auritas.audit.adapters.sql import SqlAuditLog
    from auritas.audit.service import AuditService
    from auritas.council.adapters.grades_sql import SqlGrades
    from auritas.council.adapters.records import CouncilRecords
    from auritas.council.service import Council
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
        self.clock: Clock = SystemClock()
        self.entropy = SystemEntropy()
        self.rng = SeededRng()
        self.ids = TimeOrderedIds(self.clock, self.rng)
        self.spawner = TaskSpawner()
        self.diagnostics: Diagnostics = LogFile(settings.home, self.clock)

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
            self._learn_if_due,
            self._grow_if_due,
            self.diagnostics,
            self.clock,
            self.zone,
        )

    def _learn_if_due(self) -> None:
        self.learning.refit_if_due()

    def _grow_if_due(self) -> None:
        self.domains.job.run_if_due()

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
    def domains(self) -> "Domains":
        """What questions are about, and the tree that grows from it."""
        from auritas.app.domain_job import domains_over

        embedding, vectors = self.embedded.embedding, self.settings.model_folder / ".vectors"
        return domains_over(self.store, self.log, clock=self.clock, ids=self.ids, embedding=embedding, vectors=vectors)

    @cached_property
    def grades(self) -> "SqlGrades":
        """What was said about answers, by persons and reviewers."""
        from auritas.council.adapters.grades_sql import SqlGrades

        return SqlGrades(self.log, self.clock, self.ids)

    @cached_property
    def learning(self) -> "Learning":
        """What the council has learned about who is right."""
        from auritas.app.learning import Learning
        from auritas.app.scores import known_scores
        from auritas.council.adapters.learning_sql import LearningRecords
        from auritas.council.adapters.ledger_sql import SqlRecalibrations

        def scores() -> Mapping[str, float]:
            with self.store.read() as unit:
                return known_scores(unit)

        return Learning(
            self.store,
            LearningRecords(self.log, self.clock, self.ids),
            self.grades,
            SqlRecalibrations(self.log, self.clock, self.ids),
            self.roster.members,
            self.domains.tree,
            scores,
        )

    @cached_property
    def council(self) -> "Council":
        """Whoever asks the members and lets the rule in force choose."""
        from auritas.council.service import Council

        return Council(
            asker=self.gateway,
            spawner=self.spawner,
            ids=self.ids,
            hooks=self.hooks,
            diagnostics=self.diagnostics,
            params=self._params,
        )

    @cached_property
    def about(self) -> "About":
        """What questions are about, read beside the members."""
        from auritas.app.about import About

        return About(self.domains, self.diagnostics)

    @cached_property
    def asking(self) -> "Ask":
        """The use case behind `auritas ask`."""
        from auritas.app.ask import Ask, Doubt
        from auritas.council.choice.policies import POLICIES

        return Ask(
            store=self.store,
            records=self.records,
            council=self.council,
            members=self.roster.members,
            topic_of=self.roster.topic_of,
            about=self.about,
            learning=self.learning,
            policy=POLICIES[self.settings.policy],
            second_look=self._second_look,
            closing=self._closing,
            hooks=self.hooks,
            clock=self.clock,
            ids=self.ids,
            doubt=Doubt(self.settings.unsure_below, self.settings.when_unsure == "escalate"),
        )

    @cached_property
    def _second_look(self) -> "SecondLook":
        from auritas.app.second_look import SecondLook

        reviewers = self.reviewers
        return SecondLook(self.store, reviewers.records, reviewers.reviewing, self.rng, self.settings.reviewer)

    @cached_property
    def _closing(self) -> "Closing":
        from auritas.app.closing import Closing
        from auritas.council.adapters.compliance_sql import SqlCompliance
        from auritas.council.adapters.proposals_sql import SqlProposals

        return Closing(
            store=self.store,
            records=self.records,
            reviews=self.reviewers.records,
            compliance=SqlCompliance(self.clock, self.ids),
            grades=self.grades,
            proposals=SqlProposals(self.log, self.clock, self.ids),
            settling=self.settling,
            domains=self.domains,
            degraded=self.gateway.degraded,
            clock=self.clock,
            ids=self.ids,
        )

    @property
    def _params(self) -> Params:
        return Params(max_tokens=self.settings.max_tokens, deadline_s=self.settings.deadline_s)

    @cached_property
    def settling(self) -> "Settling":
        """The scoring ledger, which follows the grades."""
        from auritas.app.settling import Settling
        from auritas.council.adapters.ledger_sql import SqlLedger, SqlRecalibrations

        curves = SqlRecalibrations(self.log, self.clock, self.ids)
        return Settling(self.grades, SqlLedger(self.clock), curves)

    @cached_property
    def scores(self) -> "Scores":
        """What is believed of models beforehand."""
        from auritas.app.scores import Scores
        from auritas.council.adapters.scores_sql import ScoreRecords

        return Scores(self.store, ScoreRecords(self.log, self.clock))

    @cached_property
    def stats(self) -> "Stats":
        """How members stand."""
        from auritas.app.stats import Stats

        return Stats(self.store, self.learning, self.roster.members, self.settings.policy)

    @cached_property
    def live_evaluation(self) -> "LiveEvaluation":
        """Members asked questions with keys, outside the history."""
        from auritas.app.live import LiveEvaluation
        from auritas.council.choice.policies import POLICIES

        return LiveEvaluation(
            council=self.council,
            members=self.roster.members,
            topic_of=self.roster.topic_of,
            about=self.about,
            learning=self.learning,
            policy=POLICIES[self.settings.policy],
            clock=self.clock,
            ids=self.ids,
        )

    @cached_property
    def grading(self) -> "Grading":
        """Grades by a person, and questions compared."""
        from auritas.app.grading import Grading

        return Grading(self.store, self.grades, after=self._after_grading)

    def _after_grading(self, query_id: str) -> None:
        with self.store.unit() as unit:
            self.settling.settle(unit, query_id)
        self.learning.refit_if_due()

    @cached_property
    def reviewers(self) -> "Reviewers":
        """Who reviews, how, and how far each can be believed."""
        from auritas.app.reviewing import Reviewers
        from auritas.council.adapters.reviews_sql import ReviewRecords
        from auritas.council.review.service import Reviewing

        reviewing = Reviewing(self.gateway, self.spawner, self.hooks, self.diagnostics, self._params)
        records = ReviewRecords(self.log, self.clock, self.ids, self.embedded.reviewing())
        return Reviewers(self.store, records, reviewing, self.roster.members)

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
