"""The use cases behind `auritas questions` and `auritas why`: which were asked, and why one was decided so."""

from dataclasses import dataclass

from auritas.app.naming import NoQuestionError, found_named
from auritas.council.adapters.answered_sql import Found, find
from auritas.council.adapters.records import CouncilRecords
from auritas.kernel.ports import Store
from auritas.kernel.trace import Trace, sections, to_document
from auritas.store import Unit

__all__ = ["Found", "Questions", "sections", "to_document"]


@dataclass(frozen=True, slots=True)
class Questions:
    """Questions of the past, however they ended."""

    store: Store[Unit]
    records: CouncilRecords

    def newest(self, count: int) -> tuple[Found, ...]:
        """Return up to `count` questions, newest first."""
        with self.store.read() as unit:
            return find(unit, "", count)

    def why(self, name: str | None = None) -> Trace:
        """Return the trace of the question whose id, or whose trace's, begins with `name`; None: of the last one.

        Raises NoQuestionError, also for one that is still being answered, and AmbiguousError.
        """
        with self.store.read() as unit:
            found = found_named(unit, name)
            if found.trace_id is None:
                raise NoQuestionError(
                    f"Question {found.query_id} has no trace yet: it is being answered.",
                    remedy="Try again in a moment.",
                )
            return self.records.trace(unit, found.trace_id)
