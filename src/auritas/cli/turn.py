"""What came of one message: an answer, something remembered, or both."""

from dataclasses import dataclass
from typing import Any

from auritas.kernel.answers import AskResult
from auritas.kernel.errors import UnavailableError
from auritas.kernel.events import Acknowledged, AskFinished, Event, Proposed, Remembered

NO_ANSWER_EXIT = UnavailableError.exit_code


@dataclass
class Turn:
    """Gathers the events of one message that matter when it is over."""

    result: AskResult | None = None
    remembered: Remembered | None = None
    proposed: Proposed | None = None
    acknowledged: Acknowledged | None = None

    def take(self, event: Event) -> None:
        """Keep an event, if it matters then."""
        match event:
            case AskFinished():
                self.result = event.result
            case Remembered():
                self.remembered = event
            case Proposed():
                self.proposed = event
            case Acknowledged():
                self.acknowledged = event

    @property
    def ended(self) -> bool:
        """Whether everything is committed."""
        return self.result is not None or self.acknowledged is not None

    @property
    def conversation_id(self) -> str | None:
        """The conversation that the message is in."""
        if self.result:
            return self.result.conversation_id
        return self.acknowledged.conversation_id if self.acknowledged else None

    @property
    def exit_code(self) -> int:
        """Return 0, unless a question has no answer."""
        return 0 if self.result is None or self.result.decision.chosen else NO_ANSWER_EXIT


def show_turn(turn: Turn, *, in_chat: bool = False) -> None:
    """Print what came of a message."""
    from auritas.cli.memory_report import show_effects
    from auritas.cli.report import as_text
    from auritas.cli.screen import out, plain
    from auritas.kernel.text import one_line

    if turn.remembered:
        stored = turn.remembered.correction
        out.print(plain(f"Remembered: {one_line(stored.text, 200)}", "green"))
        show_effects(stored, turn.remembered.replaced, turn.remembered.resembles, in_chat=in_chat)
        if turn.remembered.graded:
            out.print(plain(turn.remembered.graded, "dim"))
        if turn.remembered.again:
            out.print(plain(f"Asked again: {one_line(turn.remembered.again, 200)}", "dim"))
        out.print()
    if turn.result:
        out.print(as_text(turn.result))
    if turn.proposed:
        _show_card(turn.proposed, in_chat=in_chat)


def _show_card(proposed: Proposed, *, in_chat: bool) -> None:
    from auritas.cli.screen import out, plain
    from auritas.kernel.text import one_line

    each = proposed.correction
    yes, no = ("/keep", "/drop") if in_chat else (f"auritas memory confirm {each.id}", "auritas memory dismiss")
    out.print(plain(f"Shall this be remembered? {one_line(each.text, 160)}", "cyan"))
    out.print(plain(f"Yes: {yes} · No: {no}", "dim"))


def turn_document(turn: Turn) -> dict[str, Any]:
    """Return what came of a message for another program."""
    from auritas.cli.memory_report import document
    from auritas.cli.report import as_json

    said: dict[str, Any] = as_json(turn.result) if turn.result else {"conversation_id": turn.conversation_id}
    said["remembered"] = None
    if turn.remembered:
        said["remembered"] = {
            "correction": document(turn.remembered.correction),
            "replaced": [document(each) for each in turn.remembered.replaced],
            "resembles": [document(each) for each in turn.remembered.resembles],
            "asked_again": turn.remembered.again or None,
        }
    said["proposed"] = document(turn.proposed.correction) if turn.proposed else None
    if turn.acknowledged:
        said["reply"] = turn.acknowledged.text
    return said
