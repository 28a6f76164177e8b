"""Which corrections hold where: a narrower one hides a wider one of the same slot."""

from collections.abc import Iterable, Sequence

from auritas.kernel.memory import Correction, CorrectionState, CorrectionType, Scope
from auritas.memory.model import BREADTH, Where


def can_hold(correction: Correction) -> bool:
    """Whether a correction can enter a prompt anywhere: it is active, and none on models, which the council heeds."""
    return correction.state is CorrectionState.ACTIVE and correction.type is not CorrectionType.MODEL_PREFERENCE


def in_scope(correction: Correction, where: Where) -> bool:
    """Whether a correction holds where a question is asked. What is not active holds nowhere."""
    if not can_hold(correction):
        return False
    match correction.scope:
        case Scope.GLOBAL:
            return True
        case Scope.PROJECT:
            return correction.project_id is not None and correction.project_id == where.project_id
        case Scope.CONVERSATION:
            return correction.conversation_id is not None and correction.conversation_id == where.conversation_id
        case Scope.DOMAIN:
            return correction.domain in where.domains


def rivals(corrections: Iterable[Correction]) -> Sequence[Sequence[Correction]]:
    """Return the groups that share a slot and a condition, each from narrow to wide; of one breadth the newer first.

    Where several of a group are in scope, the first of them holds and hides the others.
    """
    groups: dict[tuple[str, str], list[Correction]] = {}
    for correction in corrections:
        if correction.slot is not None:
            groups.setdefault((correction.slot, correction.condition), []).append(correction)
    return [sorted(group, key=_narrow_first) for group in groups.values() if len(group) > 1]


def _narrow_first(correction: Correction) -> tuple[int, float, str]:
    return BREADTH[correction.scope], -correction.created_at.timestamp(), correction.id
