"""Something that a program wants to be remembered: it waits for the person's yes and enters no prompt until then."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from auritas.app.remembering import SecretError
from auritas.kernel.errors import UsageError
from auritas.kernel.memory import CorrectionState, CorrectionType, DecayClass, Provenance, Scope
from auritas.kernel.ports import Store
from auritas.memory.detection.model import Detected, Nothing, Why
from auritas.memory.model import CLAIM_CHARACTERS, Draft, Kept
from auritas.memory.service import Remembering
from auritas.store import Unit

if TYPE_CHECKING:
    from auritas.app.program_parts import ProgramParts

REASON = "proposed by a program"


@dataclass(frozen=True, slots=True)
class Proposing:
    """Only a person's own words create a correction without asking; those of a program never do.

    read: how words read that are said to be remembered.
    """

    store: Store[Unit]
    remembering: Remembering[Unit]
    read: Callable[[str], Detected | Nothing]

    def __call__(self, claim: str, question: str = "") -> Kept:
        """Store a proposal. question: the one that it answers, if any.

        Raises SecretError for what looks like a secret, and UsageError for nothing, or too much.
        """
        heard = [self.read(words) for words in (claim, question) if words]
        if any(isinstance(each, Nothing) and each.reason is Why.SECRET for each in heard):
            raise SecretError
        if len(question) > CLAIM_CHARACTERS:
            raise UsageError(f"The question has more than {CLAIM_CHARACTERS:,} characters.", remedy="Say it shorter.")
        found = next((each for each in heard[:1] if isinstance(each, Detected)), None)
        draft = Draft(
            claim=claim,
            type=found.type if found else CorrectionType.INSTRUCTION,
            scope=Scope.GLOBAL,
            provenance=Provenance.IMPORT,
            reason=REASON,
            canonical_query=question,
            condition=found.condition if found else "",
            decay_class=DecayClass.A,
        )
        with self.store.unit() as unit:
            return self.remembering.keep(unit, draft, CorrectionState.PROPOSED)


def proposing_over(parts: "ProgramParts") -> Proposing:
    """Put the use case together over an open store."""
    detector = parts.detector
    return Proposing(parts.store, parts.remembering, lambda words: detector.detect(f"Remember this: {words}", None))
