"""The parts of the council."""

from functools import cached_property
from typing import TYPE_CHECKING

from auritas.app.memory_parts import MemoryParts
from auritas.kernel.model import Params

if TYPE_CHECKING:
    from auritas.app.about import About
    from auritas.app.ask import Ask
    from auritas.app.closing import Closing
    from auritas.app.domains import Domains
    from auritas.app.grading import Grading
    from auritas.app.learning import Learning
    from auritas.app.live import LiveEvaluation
    from auritas.app.recollection import PassageFinder, Recollecting
    from auritas.app.remembered import Remembered
    from auritas.app.remembering import Memory
    from auritas.app.reviewing import Reviewers
    from auritas.app.scores import Scores
    from auritas.app.second_look import SecondLook
    from auritas.app.setting_right import SettingRight
    from auritas.app.settling import Settling
    from auritas.app.stats import Stats
    from auritas.app.talking import Talking
    from auritas.council.adapters.grades_sql import SqlGrades
    from auritas.council.adapters.records import CouncilRecords
    from auritas.council.service import Council
    from auritas.memory.model import Gates


class CouncilParts(MemoryParts):
    """Asking, learning, grading, reviewing."""

    @cached_property
    def records(self) -> "CouncilRecords":
        """Questions, runs and reasons."""
        from auritas.council.adapters.records import CouncilRecords

        return CouncilRecords(self.log, self.clock, self.ids)

    @cached_property
    def domains(self) -> "Domains":
        """What questions are about, and the tree that grows from it."""
        from auritas.app.domain_job import domains_over

        embedding, vectors = self.sentence_embedding, self.settings.model_folder / ".vectors"
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

        return Learning(
            self.store,
            LearningRecords(self.log, self.clock, self.ids),
            self.grades,
            SqlRecalibrations(self.log, self.clock, self.ids),
            self.roster.members,
            self.domains.tree,
            known_scores,
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
            memory=self._recollecting,
            hooks=self.hooks,
            clock=self.clock,
            ids=self.ids,
            doubt=Doubt(self.settings.unsure_below, self.settings.when_unsure == "escalate"),
        )

    @cached_property
    def talking(self) -> "Talking":
        """The use case behind every message."""
        from auritas.app.talking import Talking
        from auritas.memory.detection.validation import Mode

        return Talking(
            store=self.store,
            ask=self.asking,
            detector=self.detector,
            remembering=self.remembering,
            corrections=self.corrections,
            shelves=self.shelves,
            records=self.records,
            setting_right=self._setting_right,
            asked_anew=self.conversations.asked_anew,
            gateway=self.gateway,
            members=self.roster.members,
            field_of=self.domains.field_of,
            validation=Mode(self.settings.validation),
            ids=self.ids,
            diagnostics=self.diagnostics,
        )

    @cached_property
    def memory(self) -> "Memory":
        """The use cases behind `auritas memory`."""
        from auritas.app.remembering import Memory
        from auritas.memory.adapters.forgetting_sql import Forgetting

        return Memory(
            store=self.store,
            remembering=self.remembering,
            corrections=self.corrections,
            shelves=self.shelves,
            grades=self.grades,
            setting_right=self._setting_right,
            read=lambda claim: self.detector.detect(f"Remember this: {claim}", None),
            forgetting=Forgetting(self.log, self.clock),
            forget_derived=self.recovery.forget,
            partings=self.partings,
        )

    @cached_property
    def remembered(self) -> "Remembered":
        """What is remembered, gone through a page at a time."""
        from auritas.app.remembered import Remembered

        return Remembered(self.store, self.corrections, self.shelves, self.memory.list)

    @cached_property
    def _setting_right(self) -> "SettingRight":
        from auritas.app.setting_right import SettingRight

        return SettingRight(self.corrections, self.grades, self.settling.settle)

    @cached_property
    def _recollecting(self) -> "Recollecting":
        from auritas.app.recollection import Recollecting

        return Recollecting(
            store=self.store,
            shelves=self.shelves,
            records=self.records,
            notes=self.notes,
            recovery=self.recovery,
            recall=self._recalled,
            files=self.attachments.records,
            gates=self.gates,
            diagnostics=self.diagnostics,
            clock=self.clock,
            zone=self.zone,
        )

    @property
    def _recalled(self) -> "PassageFinder":
        if self.settings.recall == "off":
            return lambda *_: ()
        return self.recall.for_prompt

    @property
    def gates(self) -> "Gates":
        """What lets corrections into prompts."""
        from auritas.memory.model import Gates, Policy

        settings = self.settings
        return Gates(Policy(settings.injection), settings.memory_tokens, settings.memory_threshold)

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
            corrections=self.corrections,
            notes=self.notes,
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

        refit = self.learning.refit_if_due
        return Grading(self.store, self.grades, settle=self.settling.settle, after=lambda _: refit())

    @cached_property
    def reviewers(self) -> "Reviewers":
        """Who reviews, how, and how far each can be believed."""
        from auritas.app.reviewing import Reviewers
        from auritas.council.adapters.reviews_sql import ReviewRecords
        from auritas.council.review.service import Reviewing

        reviewing = Reviewing(self.gateway, self.spawner, self.hooks, self.diagnostics, self._params)
        records = ReviewRecords(self.log, self.clock, self.ids, self.embedded.reviewing())
        return Reviewers(self.store, records, reviewing, self.roster.members)
