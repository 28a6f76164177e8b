"""What a person is shown of memory, and how they say what is to be remembered."""

from dataclasses import dataclass

from auritas.kernel.memory import Correction, CorrectionType, Passage, Scope
from auritas.memory.adapters.used_sql import Entered, Weighed
from auritas.memory.history import Happened
from auritas.memory.model import Kept


@dataclass(frozen=True, slots=True)
class Telling:
    """How something is to be remembered. type: None lets the words decide. query: the question that it answers.

    project_id: of the scope `project`; None means the active one.
    """

    type: CorrectionType | None = None
    scope: Scope = Scope.GLOBAL
    domain: str | None = None
    conversation_id: str | None = None
    query: str = ""
    condition: str = ""
    pinned: bool = False
    project_id: str | None = None


@dataclass(frozen=True, slots=True)
class Foreseen:
    """How words read, and what remembering them would do.

    condition: when it would hold, in words; empty: always. already: they are remembered, so nothing would change.
    """

    type: CorrectionType
    scope: Scope
    condition: str
    already: bool
    replaces: tuple[Correction, ...]
    resembles: tuple[Correction, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of what is remembered. times: questions into whose prompts it went. short: enough of its id."""

    correction: Correction
    times: int = 0
    short: str = ""


@dataclass(frozen=True, slots=True)
class Detail:
    """Everything about one correction."""

    entry: Entry
    history: tuple[Happened, ...]
    replaces: tuple[Correction, ...]


@dataclass(frozen=True, slots=True)
class Reason:
    """How one correction was weighed. correction: as it is now, None when it was erased since."""

    weighed: Weighed
    correction: Correction | None


@dataclass(frozen=True, slots=True)
class WhyUsed:
    """What memory gave to one question, and why."""

    query_id: str
    run_id: str
    seat: str
    question: str
    reasons: tuple[Reason, ...]
    passages: tuple[Passage, ...]
    notes: tuple[Entered, ...]


@dataclass(frozen=True, slots=True)
class Confirmed:
    """What came of a yes. graded: what it says about the answer that it corrects, in words; asks: that question."""

    kept: Kept
    graded: str = ""
    asks: str = ""


@dataclass(frozen=True, slots=True)
class Erased:
    """What came of an erase.

    elsewhere: how many messages hold the same words and were left as they are. backups: how many there are, which hold
    it until they are replaced. lingers: another process is reading; the write-ahead log is emptied when it ends.
    """

    correction: Correction
    elsewhere: int = 0
    backups: int = 0
    lingers: bool = False
