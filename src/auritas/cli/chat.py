"""`auritas chat`: a conversation with the council."""

import asyncio
import sys
from collections.abc import AsyncGenerator, Coroutine, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Annotated, Any

import typer

from auritas.cli.attach import Asking
from auritas.cli.chat_memory import MEMORY_COMMANDS, MemoryTalk
from auritas.cli.hints import hint
from auritas.cli.levels import LEVELS, Level
from auritas.cli.turn import Turn
from auritas.kernel.answers import AccuracyLevel, GradeRequest
from auritas.kernel.errors import AuritasError, UsageError

if TYPE_CHECKING:
    from auritas.app.compose import Auritas
    from auritas.kernel.events import Event

SAMPLE_QUESTION = "What is the capital of Australia?"
_LEAVE = (None, "/quit", "/q", "/exit")
_COMMANDS = {
    "/level LEVEL": f"Asks so many members: {', '.join(LEVELS)}.",
    "/why": "Explains the last answer.",
    "/compare": "Shows the answers side by side.",
    "/right": "Grades the answer shown as right.",
    "/wrong": "Grades the answer shown as wrong.",
    "/pick SEAT": "Names who is right: a seat, or a number of /compare.",
    "/none": "Grades every answer as wrong.",
    "/key TEXT": "Gives the right answer.",
    "/merge A B": "Joins two answers that say the same.",
    "/remember TEXT": "Remembers something; so do corrections in your own words.",
    "/memory": "Shows what of memory entered the last answer, and why.",
    "/keep": "Says yes to what was proposed, and asks again what it answers; /drop says no.",
    "/here": "Lets what was just remembered hold in this conversation only.",
    "/replace ID": "Lets what was just remembered take the place of another.",
    "/undo": "Takes back the last thing remembered, or the last grade.",
    "/edit TEXT": "Asks the last question anew in other words, in a branch.",
    "/search WORDS": "Finds what was ever said.",
    "/new": "Begins another conversation.",
    "/help": "Lists all this.",
    "/quit": "Leaves, as Ctrl-D does.",
}
_GREETING = "/help lists the commands, /quit leaves, Ctrl-C stops an answer."
_HOW_TO_PICK = "Say who is right: /pick SEAT or /pick NUMBER; /compare shows them."
_HOW_TO_MERGE = "Say which two say the same: /merge 1 2; /compare shows them."
_HOW_TO_KEY = "Say the right answer, too: /key Canberra"
_ASKS = {
    GradeRequest.DISAGREEMENT: "The members disagree. /compare shows them; /pick SEAT or /none says who is right.",
    GradeRequest.AUDIT: "A random check: is this right? /right, or /wrong.",
}
_GRADING = frozenset({"compare", "right", "wrong", "pick", "none", "key", "merge", "undo"})


def register(app: typer.Typer) -> None:
    """Add the command to the tree."""
    app.command(epilog="Example: auritas chat --level high")(chat)


def chat(
    *,
    level: Level = None,
    conversation: Annotated[
        str | None, typer.Option("--in", help="Id or title of a conversation to go on with.")
    ] = None,
) -> int:
    """Talk with the council. Without a terminal one sample question is answered."""
    from auritas.cli.session import opened

    with opened() as auritas:
        chosen = AccuracyLevel(level) if level else auritas.settings.chat_level
        if not sys.stdin.isatty():
            return _sample(auritas, chosen)
        goes_on = auritas.conversations.named(conversation).id if conversation is not None else None
        return _Talk(auritas, chosen, goes_on).run()


def _sample(auritas: "Auritas", level: AccuracyLevel) -> int:
    from auritas.cli.ask import follow
    from auritas.cli.screen import out
    from auritas.cli.turn import show_turn

    out.print(f"No terminal here, so this is a sample question: {SAMPLE_QUESTION}\n")
    asking = Asking(auritas)
    events = asking.ask(SAMPLE_QUESTION, level=level)
    turn = asyncio.run(follow(auritas, asking, events, show_turn, live=False))
    out.print('\nGo on with: auritas ask "Your question", or auritas chat in a terminal.')
    return turn.exit_code


class _Talk:
    def __init__(self, auritas: "Auritas", level: AccuracyLevel, conversation: str | None) -> None:
        self._auritas = auritas
        self._asking = Asking(auritas)
        self._level = level
        self._conversation = conversation
        self._trace: str | None = None
        self._memory = MemoryTalk(auritas)
        self._following: Coroutine[Any, Any, None] | None = None
        self._last = Turn()

    def run(self) -> int:
        from auritas.cli.screen import out

        with suppress(ImportError):
            import readline  # noqa: F401  editing, pasting of several lines, and lines longer than a terminal's 4,095 bytes
        out.print(f"[bold]Auritas[/bold]  [dim]level {self._level}\n{_GREETING}[/dim]")
        with asyncio.Runner() as runner:
            try:
                while (line := self._line()) not in _LEAVE:
                    self._turn(runner, line or "")
            finally:
                self._leave(runner)
        return 0

    def _leave(self, runner: asyncio.Runner) -> None:
        """Do what is due when nobody waits for an answer: notes and recovery prompts take a model's time."""
        from auritas.cli.screen import out

        try:
            if not self._asking.there and self._auritas.idle_work_due():
                out.print("[dim]Writing notes to resume by; Ctrl-C leaves them for another time.[/dim]")
                runner.run(self._auritas.idle_work())
        except KeyboardInterrupt:
            out.print("[dim]Left for another time.[/dim]")
        finally:
            runner.run(self._auritas.aclose())

    def _turn(self, runner: asyncio.Runner, line: str) -> None:
        from auritas.cli.screen import complain, out, plain

        self._last = Turn()
        try:
            if line.startswith("/"):
                self._command(line)
            following = self._following if line.startswith("/") else line and self._answer(line)
            self._following = None
            if following:
                with _silent_keyboard():
                    runner.run(following)
        except AuritasError as error:
            complain(hint(error.message, in_chat=True), hint(error.remedy, in_chat=True))
        except KeyboardInterrupt:
            out.print(plain(_stopped(self._last), "dim"))

    @staticmethod
    def _line() -> str | None:
        try:
            return input("\n> ").strip()
        except KeyboardInterrupt:
            return ""  # as in a shell: Ctrl-C gives up the line, not the conversation
        except EOFError:
            sys.stdout.write("\n")
            return None

    def _command(self, line: str) -> None:
        from auritas.cli.screen import out, plain

        name, _, value = line[1:].partition(" ")
        value = value.strip()
        match name:
            case "level" if value in LEVELS:
                self._level = AccuracyLevel(value)
                out.print(f"[dim]Level is now {value}.[/dim]")
            case "level":
                out.print(f"[dim]Level is {self._level}; choose one of {', '.join(LEVELS)}.[/dim]")
            case "why":
                self._why()
            case _ if name in _GRADING:
                self._grade(name, value)
            case _ if name in MEMORY_COMMANDS:
                self._memory.command(name, value, self._conversation)
                if again := self._memory.again():
                    self._following = self._ask_again(again)
            case "new":
                self._conversation = self._trace = None
                out.print("[dim]A new conversation begins.[/dim]")
            case "edit":
                self._edit(value)
            case "help":
                _print_help()
            case _:
                out.print(plain(f"There is no /{name}. /help lists what there is.", "dim"))

    def _edit(self, text: str) -> None:
        """Begin a branch before the last question, in which it is asked in other words."""
        from auritas.cli.screen import out, plain

        if not text or self._conversation is None:
            raise UsageError("/edit needs the question in other words.", remedy="/edit What is the capital of Austria?")
        branched = self._auritas.conversations.branch(self._conversation, before=True)
        self._conversation = branched.conversation.id
        self._following = self._answer(text)
        out.print(plain("A branch begins; the old one stays as it was.", "dim"))

    def _why(self) -> None:
        from dataclasses import replace

        from auritas.cli.report import as_sections
        from auritas.cli.screen import out

        if not self._trace:
            out.print("[dim]Nothing has been answered yet.[/dim]")
            return
        *seen, can_do = self._auritas.why(self._trace)
        offers = tuple(hint(line, in_chat=True) for line in can_do.lines)
        out.print(as_sections((*seen, replace(can_do, lines=offers))))

    def _grade(self, name: str, value: str) -> None:
        from auritas.cli.compare import show as show_comparison
        from auritas.cli.grade import show
        from auritas.cli.screen import out

        grading, asked = self._auritas.grading, self._trace
        match name, value.split():
            case "compare", _:
                show_comparison(grading.compare(asked), out, in_chat=True)
            case "undo", _:
                self._undo()
            case "pick", []:
                raise UsageError("/pick needs a seat or a number.", remedy=_HOW_TO_PICK)
            case "pick", _:
                show(grading.pick(asked, value), in_chat=True)
            case "key", []:
                raise UsageError("/key needs the right answer.", remedy=_HOW_TO_KEY)
            case "key", _:
                show(grading.key(asked, value), in_chat=True)
            case "merge", [first, second]:
                show(grading.merge(asked, first, second), in_chat=True)
            case "merge", _:
                raise UsageError("/merge needs two seats or numbers.", remedy=_HOW_TO_MERGE)
            case "none", _:
                show(grading.none_right(asked), in_chat=True)
            case _:
                show(grading.verdict(asked, right=name == "right"), in_chat=True)

    def _undo(self) -> None:
        """Take back what came last: a change of memory with the grade that it brought, or a grade."""
        from auritas.cli.grade import show_undone

        if self._auritas.memory.changed_last():
            self._memory.undo()
        else:
            show_undone(self._auritas.grading.undo())

    async def _answer(self, text: str) -> None:
        await self._hear(self._asking.ask(text, level=self._level, conversation_id=self._conversation))

    async def _ask_again(self, correction_id: str) -> None:
        """Ask the question that was corrected again, where it was asked, and stay where the person is."""
        from auritas.cli.screen import out, plain

        here = self._conversation
        await self._hear(self._asking.again(correction_id, level=self._level))
        there, self._conversation = self._conversation, here
        if there is not None and there != here:
            where = self._auritas.conversations.named(there)
            now = "this conversation" if here else "a new conversation"
            out.print(plain(f"It was asked in {where.name!r} ({where.short}). You go on in {now}.", "dim"))

    async def _hear(self, events: "AsyncGenerator[Event, None]") -> None:
        """Show what comes of a message, or of a question that is asked again."""
        from dataclasses import replace

        from auritas.cli.ask import watch
        from auritas.cli.screen import out, plain
        from auritas.cli.turn import show_turn

        turn = self._last
        try:
            await watch(events, turn, live=True, in_chat=True)
        finally:
            self._memory.heard(turn)
        self._conversation = turn.conversation_id or self._conversation
        result = turn.result
        if result is None:
            show_turn(turn, in_chat=True)
            await self._asking.afterwards(None)
            return
        self._trace = result.trace_id
        turn.result = replace(result, asks_grade=None)
        show_turn(turn, in_chat=True)
        if result.asks_grade:
            out.print(plain(_ASKS[result.asks_grade], "cyan"))
        await self._asking.afterwards(result)
        self._auritas.upkeep.run_due()  # a conversation may last past midnight, or past a thousand entries


def _stopped(turn: Turn) -> str:
    """Return what became of a message whose answer was stopped."""
    kept = "What was remembered stays. " if turn.remembered else ""
    if not turn.asked:
        return f"Stopped. {kept}The question was not asked yet."
    return f"Stopped. {kept}Answers that were complete are kept in the log; nothing was chosen."


def _print_help() -> None:
    from rich.table import Table
    from rich.text import Text

    from auritas.cli.screen import out

    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True)
    for command, meaning in _COMMANDS.items():
        table.add_row(command, Text(meaning, "dim"))
    out.print(table)


@contextmanager
def _silent_keyboard() -> Iterator[None]:
    """Let nothing that is typed tear the picture of a running answer; what was typed waits for the next prompt."""
    import termios

    keyboard = sys.stdin.fileno()
    before = termios.tcgetattr(keyboard)
    silent = termios.tcgetattr(keyboard)
    silent[3] &= ~termios.ECHO
    termios.tcsetattr(keyboard, termios.TCSADRAIN, silent)
    try:
        yield
    finally:
        termios.tcsetattr(keyboard, termios.TCSADRAIN, before)
