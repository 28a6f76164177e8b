"""The parts that pages and the API look through: what happened, what was learned, what it took."""

from functools import cached_property
from typing import TYPE_CHECKING

from auritas.app.council_parts import CouncilParts

if TYPE_CHECKING:
    from auritas.app.calibration import Calibrations
    from auritas.app.domain_page import DomainPages
    from auritas.app.model_page import ModelPages
    from auritas.app.question_page import QuestionPages
    from auritas.app.record import Record
    from auritas.app.simulator import Simulator
    from auritas.app.usage import UsageView
    from auritas.gateway.model import Spend


class PageParts(CouncilParts):
    """What pages look through, built when it is first used."""

    @cached_property
    def question_pages(self) -> "QuestionPages":
        """Questions of the past as a page shows them."""
        from auritas.app.question_page import QuestionPages

        return QuestionPages(self.store, self.grading, self.memory, self.audit)

    @cached_property
    def domain_pages(self) -> "DomainPages":
        """The tree of domains as a page shows it."""
        from auritas.app.domain_page import DomainPages

        return DomainPages(self.store, self.domains)

    @cached_property
    def model_pages(self) -> "ModelPages":
        """Models as a page shows them."""
        from auritas.app.model_page import ModelPages

        return ModelPages(self.embedded, self.remote, self.roster.members)

    @cached_property
    def record(self) -> "Record":
        """What was learned about members, as a page shows it."""
        from auritas.app.record import Record
        from auritas.council.adapters.compliance_sql import SqlCompliance

        compliance = SqlCompliance(self.clock, self.ids)
        ledger = self.settling.ledger
        return Record(self.store, self.stats, self.learning, self.roster.members, compliance, ledger)

    @cached_property
    def calibrations(self) -> "Calibrations":
        """How far to believe what is said of sureness."""
        from auritas.app.calibration import Calibrations

        return Calibrations(self.store, self.learning, self.roster.members)

    @cached_property
    def simulator(self) -> "Simulator":
        """Questions played through without asking anybody."""
        from auritas.app.simulator import Simulator

        return Simulator(
            self.store,
            self.roster.members,
            self.roster.topic_of,
            self.learning,
            self.domains,
            self.settings.policy,
            self.settings.unsure_below,
        )

    @cached_property
    def usage(self) -> "UsageView":
        """What asking models took."""
        from auritas.app.usage import Budgets, UsageView

        limits = self.settings
        budgets = Budgets(
            limits.question_tokens or None,
            limits.question_micros or None,
            limits.day_tokens or None,
            limits.day_micros or None,
        )
        return UsageView(self.store, self._spent_today, budgets, self.clock)

    async def _spent_today(self) -> "Spend":
        return await self.gateway.spent_today()
