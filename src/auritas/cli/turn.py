"""What came of one message: an answer, something remembered, or both."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from auritas.kernel.answers import AskResult
from auritas.kernel.errors import UnavailableError
from auritas.kernel.events import Acknowledged, AskFinished, AskStarted, Event, Proposed, Remembered

if TYPE_CHECKING:
    from rich.console import Console

NO_ANSWER_EXIT = UnavailableError.exit_code


@dataclass
class Turn:
    """Gathers the events of one message that matter when it is over.

    asked: a question was put to the members. told: what was remembered is on the screen already.
    """

    result: AskResult | None = None
    remembered: Remembered | None = None
    proposed: Proposed | None = None
    acknowledged: Acknowledged | None = None
    asked: bool = False
    told: bool = False

    def take(self, event: Event) -> None:
        """Keep an event, if it matters then."""
        match event:
            case AskStarted():
                self.asked = True
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
    from auritas.cli.report import as_text
    from auritas.cli.screen import out

    tell_remembered(turn, out, in_chat=in_chat)
    if turn.result:
        if turn.remembered:
            out.print()
        out.print(as_text(turn.result))
    if turn.proposed:
        _show_card(turn.proposed, in_chat=in_chat)


def tell_remembered(turn: Turn, screen: "Console", *, in_chat: bool = False) -> None:
    """Print what was remembered, once."""
    if turn.remembered and not turn.told:
        turn.told = True
        _show_remembered(turn.remembered, screen, in_chat=in_chat)


def _show_remembered(said: Remembered, screen: "Console", *, in_chat: bool) -> None:
    """Print what was stored, what it replaces, whom it says to be wrong, and what is asked again with it."""
    from auritas.cli.memory_report import show_effects
    from auritas.cli.screen import plain
    from auritas.kernel.text import one_line

    stored = said.correction
    if said.already:
        screen.print(plain(f"That is remembered already: {one_line(stored.text, 200)}", "green"))
    else:
        screen.print(plain(f"Remembered: {one_line(stored.text, 200)}", "green"))
        show_effects(stored, said.replaced, said.resembles, in_chat=in_chat, screen=screen)
    if said.graded:
        screen.print(plain(said.graded, "dim"))
    if said.again:
        screen.print(plain(f"Asked again: {one_line(said.again, 200)}", "dim"))


def show_cut_short(turn: Turn, *, in_chat: bool = False) -> None:
    """Print what is stored although its question was stopped or failed."""
    from auritas.cli.screen import out

    tell_remembered(turn, out, in_chat=in_chat)
    if turn.proposed:
        _show_card(turn.proposed, in_chat=in_chat)


def _show_card(proposed: Proposed, *, in_chat: bool) -> None:
    from auritas.cli.screen import out, plain
    from auritas.kernel.text import one_line

    each = proposed.correction
    yes, no = (f"auritas memory {verb} {each.id}" for verb in ("confirm", "dismiss"))
    if in_chat:
        yes, no = "/keep", "/drop"
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
            "already": turn.remembered.already,
            "graded": turn.remembered.graded or None,
            "asked_again": turn.remembered.again or None,
        }
    said["proposed"] = document(turn.proposed.correction) if turn.proposed else None
    if turn.acknowledged:
        said["reply"] = turn.acknowledged.text
    return said
