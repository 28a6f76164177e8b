"""The parts that ask models."""

from functools import cached_property
from typing import TYPE_CHECKING

from auritas.app.spine import Spine

if TYPE_CHECKING:
    from auritas.app.egress import EgressView
    from auritas.app.embedded import EmbeddedModels
    from auritas.app.models import RemoteModels
    from auritas.app.plugins import PluginHooks
    from auritas.app.roster import Roster
    from auritas.gateway.adapters.egress_sql import SqlEgress
    from auritas.gateway.adapters.embedded import ModelHost
    from auritas.gateway.adapters.http import Http
    from auritas.gateway.adapters.keys import StoredKeys
    from auritas.gateway.service import Gateway


class ModelParts(Spine):
    """Models here and elsewhere, and the one way to ask them."""

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
