"""The use cases by which a person steers memory from an answer: not here, bring it back, and keep both."""

from dataclasses import dataclass

from auritas.kernel.memory import Correction, CorrectionState
from auritas.memory.adapters.corrections_sql import SqlCorrections
from auritas.memory.adapters.steering_sql import left_out
from auritas.memory.model import Steered
from auritas.memory.steering import Steering
from auritas.store import SqlStore, Unit

__all__ = ["Steered", "SteeringDesk"]


@dataclass(frozen=True, slots=True)
class SteeringDesk:
    """What is left out of which conversation, and which pairs both hold. Each correction is named by its whole id."""

    store: SqlStore
    corrections: SqlCorrections
    rules: Steering[Unit]

    def left_out(self, conversation_id: str) -> tuple[Correction, ...]:
        """Return what is left out of a conversation, the latest first. What does not hold any more is not among it."""
        with self.store.read() as unit:
            found = [self.corrections.get(unit, each) for each in left_out(unit, conversation_id)]
        return tuple(each for each in found if each is not None and each.state is CorrectionState.ACTIVE)

    def leave_out(self, correction_id: str, conversation_id: str, *, out: bool = True) -> Steered:
        """Keep a correction from the prompts of one conversation, or let it in again. Raises NotFoundError."""
        with self.store.unit() as unit:
            return self.rules.leave_out(unit, correction_id, conversation_id, out=out)

    def keep_both(self, correction_id: str, other_id: str) -> Steered:
        """Let two that resemble each other hold; they are offered again when the words of one change."""
        with self.store.unit() as unit:
            return self.rules.keep_both(unit, correction_id, other_id)
