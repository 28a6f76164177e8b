"""Which facts an answer came from, so that who corrects the answer corrects them, too."""

from auritas.kernel.memory import Correction, CorrectionState
from auritas.memory.adapters.corrections_sql import SqlCorrections
from auritas.memory.adapters.repeats_sql import telling
from auritas.memory.adapters.used_sql import used
from auritas.memory.slots import topic
from auritas.store import Unit


def facts_behind(unit: Unit, corrections: SqlCorrections, query_id: str | None, answer: str) -> tuple[Correction, ...]:
    """Return the active facts that were in the prompts of a question and whose words its answer repeats.

    Who then says that the answer is wrong means them: "No, it is 54" after "53" came from "it is 53". A fact that was
    there and is not repeated stays: the answer came from elsewhere.
    """
    found = used(unit, query_id) if query_id is not None else None
    said = topic(answer)
    entered = [each.correction_id for each in found.weighed if each.injected] if found else []
    facts = (corrections.get(unit, each) for each in entered)
    return tuple(
        each
        for each in facts
        if each is not None and each.is_fact and each.state is CorrectionState.ACTIVE and telling(each) & said
    )
