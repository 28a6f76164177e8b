"""What a person decides beside the words: left out of one conversation, and held beside what it resembles."""

from dataclasses import dataclass
from typing import Generic, TypeVar

from auritas.kernel.clock import Clock
from auritas.kernel.errors import NotFoundError
from auritas.kernel.ids import Ids
from auritas.kernel.memory import Correction, CorrectionState
from auritas.memory.errors import WrongStateError
from auritas.memory.history import Change, CorrectionStore, Happened
from auritas.memory.model import Steered

U = TypeVar("U")


@dataclass(frozen=True, slots=True)
class Steering(Generic[U]):
    """Changes where corrections enter and which pairs are offered to be settled, and never their words."""

    store: CorrectionStore[U]
    clock: Clock
    ids: Ids

    def leave_out(self, unit: U, correction_id: str, conversation_id: str, *, out: bool = True) -> Steered:
        """Keep a correction from the prompts of one conversation, or let it in again; it holds everywhere else."""
        correction = self._known(unit, correction_id)
        if out and correction.state is not CorrectionState.ACTIVE:
            raise WrongStateError(f"This is {correction.state}, so it enters no prompt.", remedy="Leave it as it is.")
        changed = self.store.leave_out(unit, correction_id, conversation_id, out=out)
        change = Change.LEFT_OUT if out else Change.BROUGHT_BACK
        return self._done(unit, correction, change, conversation_id, changed=changed)

    def keep_both(self, unit: U, correction_id: str, other_id: str) -> Steered:
        """Let two that resemble each other hold: the pair is offered no more until the words of one change."""
        correction, other = self._known(unit, correction_id), self._known(unit, other_id)
        if correction.id == other.id:
            raise WrongStateError("A correction is no pair with itself.", remedy="Name the two by their ids.")
        if not correction.state is other.state is CorrectionState.ACTIVE:
            raise WrongStateError("One of the two does not hold.", remedy="There is nothing to settle then.")
        changed = self.store.keep_both(unit, correction_id, other_id, kept=True)
        return self._done(unit, correction, Change.KEPT_BOTH, other_id, changed=changed)

    def _done(self, unit: U, correction: Correction, change: Change, other: str, *, changed: bool) -> Steered:
        if not changed:
            return Steered(correction)
        act_id = self.ids.new()
        self.store.note(unit, Happened(correction.id, change, act_id, self.clock.now(), other=other), correction)
        return Steered(correction, act_id)

    def _known(self, unit: U, correction_id: str) -> Correction:
        found = self.store.get(unit, correction_id)
        if found is None or found.state is CorrectionState.ERASED:
            raise NotFoundError(
                f"Nothing is remembered under {correction_id!r}.", remedy="See all: auritas memory list --all"
            )
        return found
