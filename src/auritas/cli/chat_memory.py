"""What one can do with memory in the middle of a conversation."""

from typing import TYPE_CHECKING

from auritas.cli.turn import Turn
from auritas.kernel.errors import UsageError
from auritas.kernel.memory import Scope
from auritas.kernel.text import one_line

if TYPE_CHECKING:
    from auritas.app.compose import Auritas

MEMORY_COMMANDS = frozenset({"remember", "memory", "keep", "drop", "here", "replace", "search"})
_SAY_WHAT = "Say what, for example: /remember Use metric units"


class MemoryTalk:
    """The commands on memory, and what they are about: the thing that was stored or proposed last in this chat."""

    def __init__(self, auritas: "Auritas") -> None:
        self._auritas = auritas
        self._stored: str | None = None
        self._proposed: str | None = None
        self._again: str | None = None

    def heard(self, turn: Turn) -> None:
        """Take in what came of a message."""
        if turn.remembered:
            self._stored = turn.remembered.correction.id
        if turn.proposed:
            self._proposed = turn.proposed.correction.id

    def command(self, name: str, value: str, conversation_id: str | None) -> None:
        """Run one command."""
        match name:
            case "remember":
                self._remember(value)
            case "memory":
                self._why()
            case "keep" | "drop":
                self._settle(value, keep=name == "keep")
            case "here":
                self._only_here(conversation_id)
            case "replace":
                self._replace(value)
            case _:
                self._search(value)

    def again(self) -> str | None:
        """Return the correction, once, whose question is to be asked again because of the last command."""
        again, self._again = self._again, None
        return again

    def undo(self) -> None:
        """Take back the last change of memory."""
        from auritas.cli.memory_report import show_undone

        show_undone(self._auritas.memory.undo())

    def _remember(self, words: str) -> None:
        from auritas.app.remembering import Telling
        from auritas.cli.memory_report import show_kept

        if not words:
            raise UsageError("/remember needs words.", remedy=_SAY_WHAT)
        kept = self._auritas.memory.add(words, Telling())
        self._stored = kept.correction.id
        show_kept(kept, in_chat=True)

    def _why(self) -> None:
        from auritas.cli.memory_report import used
        from auritas.cli.screen import out

        out.print(used(self._auritas.memory.why(), every=False))

    def _settle(self, name: str, *, keep: bool) -> None:
        from auritas.cli.memory_report import show_confirmed
        from auritas.cli.screen import out, plain

        wanted = name or self._proposed
        if wanted is None:
            raise UsageError("Nothing was proposed here.", remedy="See what waits: auritas memory list --proposed")
        self._proposed = None
        if keep:
            confirmed = self._auritas.memory.confirm(wanted)
            self._stored = confirmed.kept.correction.id
            self._again = self._stored if confirmed.asks else None
            show_confirmed(confirmed, in_chat=True)
        else:
            gone = self._auritas.memory.dismiss(wanted)
            out.print(plain(f"Dropped: {one_line(gone.claim, 160)}", "dim"))

    def _only_here(self, conversation_id: str | None) -> None:
        from auritas.cli.memory_report import show_kept

        kept = self._auritas.memory.move(self._last(), Scope.CONVERSATION, conversation_id=conversation_id)
        show_kept(kept, did="Only here", in_chat=True)

    def _replace(self, older: str) -> None:
        from auritas.cli.memory_report import show_kept

        if not older:
            raise UsageError("/replace needs the id of what it replaces.", remedy="It stands beside what is alike.")
        show_kept(self._auritas.memory.replace(self._last(), older), did="Kept", in_chat=True)

    def _search(self, words: str) -> None:
        from auritas.cli.search import show_found

        if not words:
            raise UsageError("/search needs words.", remedy="Try: /search capital of Australia")
        show_found(self._auritas, words)

    def _last(self) -> str:
        if self._stored is None:
            raise UsageError("Nothing was remembered in this conversation.", remedy=_SAY_WHAT)
        return self._stored
