"""`auritas memory`: what is remembered, why it entered an answer, and every way to change it."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from auritas.cli.keeping import NotConfirmedError
from auritas.kernel.errors import NotFoundError, UsageError
from auritas.kernel.memory import CorrectionState, CorrectionType, Scope
from auritas.kernel.text import counted, one_line

if TYPE_CHECKING:
    from auritas.app.compose import Auritas
    from auritas.app.remembering import Memory

app = typer.Typer(
    help="What you told the council to keep: see it, change it, and see why it entered an answer.",
    no_args_is_help=True,
    epilog='Example: auritas memory add "Use metric units"',
)

Name = Annotated[
    str | None, typer.Argument(metavar="ID", help="Its id or the beginning of it; else what was stored last.")
]
Waiting = Annotated[
    str | None, typer.Argument(metavar="ID", help="Its id or the beginning of it; else the newest proposal.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask.")]


_TAKE_ALONG = "With --everywhere they go, too."
_FIND_THEM = "Find them: auritas search, then auritas conversations delete"


class Kind(StrEnum):
    """Kinds of things to remember, in a person's words."""

    FACT = "fact"
    INSTRUCTION = "instruction"
    PREFERENCE = "preference"
    DECISION = "decision"
    RULE = "rule"
    MISTAKE = "mistake"


KINDS = {
    Kind.FACT: CorrectionType.FACT,
    Kind.INSTRUCTION: CorrectionType.INSTRUCTION,
    Kind.PREFERENCE: CorrectionType.PREFERENCE,
    Kind.DECISION: CorrectionType.DECISION,
    Kind.RULE: CorrectionType.DOMAIN_RULE,
    Kind.MISTAKE: CorrectionType.FAILURE_PATTERN,
}


@app.command("list", epilog="Example: auritas memory list --all")
def listed(
    *,
    every: Annotated[bool, typer.Option("--all", help="Superseded ones, too.")] = False,
    proposed: Annotated[bool, typer.Option("--proposed", help="Only what waits for your yes.")] = False,
    as_json: AsJson = False,
) -> None:
    """List what is remembered, newest first."""
    from auritas.cli.memory_report import entries, entry_document
    from auritas.cli.screen import out, print_json
    from auritas.cli.session import opened

    states: tuple[CorrectionState, ...] = (CorrectionState.ACTIVE, CorrectionState.PROPOSED)
    if every:
        states = (*states, CorrectionState.SUPERSEDED)
    if proposed:
        states = (CorrectionState.PROPOSED,)
    with opened() as auritas:
        found = auritas.memory.list(states)
    if as_json:
        print_json({"corrections": [entry_document(each) for each in found]})
    else:
        out.print(entries(found, proposed=proposed))


@app.command(epilog='Example: auritas memory add "Our choir has 53 members" --asked "How large is our choir?"')
def add(
    words: Annotated[list[str], typer.Argument(help="What to remember, in your words.")],
    *,
    kind: Annotated[Kind | None, typer.Option("--kind", help="What it is; else your words decide.")] = None,
    asked: Annotated[str, typer.Option("--asked", help="The question that it answers.")] = "",
    project: Annotated[bool, typer.Option("--project", help="Only in the active project.")] = False,
    field: Annotated[
        str | None, typer.Option("--field", help="Only for questions of a field, such as medical.")
    ] = None,
    conversation: Annotated[str | None, typer.Option("--in", help="Only in a conversation.")] = None,
    pinned: Annotated[bool, typer.Option("--pin", help="In every prompt where it holds.")] = False,
    as_json: AsJson = False,
) -> None:
    """Remember something. What it contradicts is superseded, and said so."""
    from auritas.app.remembering import Telling
    from auritas.cli.memory_report import kept_document, show_kept
    from auritas.cli.screen import print_json
    from auritas.cli.session import opened

    with opened() as auritas:
        scope = _scope(project=project, field=field, conversation=conversation)
        told = Telling(
            KINDS[kind] if kind else None,
            scope,
            domain=_field(auritas, field),
            conversation_id=auritas.conversations.named(conversation).id if conversation else None,
            query=asked,
            pinned=pinned,
        )
        kept = auritas.memory.add(" ".join(words), told)
    if as_json:
        print_json(kept_document(kept))
    else:
        show_kept(kept)


@app.command(epilog="Example: auritas memory show 019b77c3")
def show(name: Name = None, *, as_json: AsJson = False) -> None:
    """Show one thing that is remembered, with its history."""
    from auritas.cli.memory_report import detail, detail_document
    from auritas.cli.screen import out, print_json
    from auritas.cli.session import opened

    with opened() as auritas:
        found = auritas.memory.show(name)
    if as_json:
        print_json(detail_document(found))
    else:
        out.print(detail(found))


@app.command(epilog="Example: auritas memory why tr_abc123def456")
def why(
    run: Annotated[
        str | None, typer.Argument(help="Id of a run, a question or its trace, or its beginning; else the last.")
    ] = None,
    *,
    every: Annotated[bool, typer.Option("--all", help="What was weighed and left out, too.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show which memory entered an answer, and why: the eight factors of each as bars."""
    from auritas.cli.memory_report import used, used_document
    from auritas.cli.screen import out, print_json
    from auritas.cli.session import opened

    with opened() as auritas:
        found = auritas.memory.why(run)
    if as_json:
        print_json(used_document(found))
    else:
        out.print(used(found, every=every))


@app.command(epilog='Example: auritas memory edit 019b77c3 "Use metric units, except for screens"')
def edit(
    name: Annotated[str, typer.Argument(metavar="ID", help="Its id or the beginning of it.")],
    words: Annotated[list[str], typer.Argument(help="The new words.")],
) -> None:
    """Change the words of something that is remembered."""
    from auritas.cli.memory_report import show_kept
    from auritas.cli.session import opened

    with opened() as auritas:
        show_kept(auritas.memory.edit(name, " ".join(words)), did="Changed")


@app.command(epilog="Example: auritas memory pin 019b77c3")
def pin(name: Name = None) -> None:
    """Let it enter every prompt where it holds, whatever it is about."""
    _pinned(name, pinned=True)


@app.command(epilog="Example: auritas memory unpin 019b77c3")
def unpin(name: Name = None) -> None:
    """Let it enter only where it fits, again."""
    _pinned(name, pinned=False)


@app.command(epilog="Example: auritas memory move 019b77c3 --project")
def move(
    name: Name = None,
    *,
    everywhere: Annotated[bool, typer.Option("--everywhere", help="Everywhere.")] = False,
    project: Annotated[bool, typer.Option("--project", help="Only in the active project.")] = False,
    field: Annotated[str | None, typer.Option("--field", help="Only for questions of a field.")] = None,
    conversation: Annotated[str | None, typer.Option("--in", help="Only in a conversation.")] = None,
) -> None:
    """Say where it holds: everywhere, in the active project, for a field, or in one conversation."""
    from auritas.cli.memory_report import show_kept
    from auritas.cli.session import opened

    if sum(map(bool, (everywhere, project, field, conversation))) != 1:
        raise UsageError("Say one place where it holds.", remedy="Try: auritas memory move ID --project")
    with opened() as auritas:
        kept = auritas.memory.move(
            name,
            _scope(project=project, field=field, conversation=conversation),
            domain=_field(auritas, field),
            conversation_id=auritas.conversations.named(conversation).id if conversation else None,
        )
        show_kept(kept, did="Moved")


@app.command(epilog="Example: auritas memory leave-out 019b77c3 --in 01a2")
def leave_out(
    name: Annotated[str, typer.Argument(metavar="ID", help="Its id or the beginning of it.")],
    conversation: Annotated[str, typer.Option("--in", "--conversation", help="The conversation.")],
    *,
    undo: Annotated[bool, typer.Option("--undo", help="Let it in again.")] = False,
) -> None:
    """Leave it out of one conversation, pinned or not; everywhere else it stays."""
    from auritas.cli.screen import out, plain
    from auritas.cli.session import opened

    with opened() as auritas:
        correction = auritas.memory.show(name).entry.correction
        here = auritas.conversations.named(conversation)
        steered = auritas.steering.leave_out(correction.id, here.id, out=not undo)
    done = "Enters again" if undo else "Left out"
    said = done if steered.act_id else "Nothing changed"
    out.print(plain(f"{said}: {one_line(correction.claim, 200)}"))
    out.print(plain(f"In the conversation {one_line(here.name, 100)}.", "dim"))


@app.command(epilog="Example: auritas memory confirm 019b77c3")
def confirm(name: Waiting = None) -> None:
    """Say yes to something that was proposed: from then on it holds."""
    from auritas.cli.memory_report import show_confirmed
    from auritas.cli.session import opened

    with opened() as auritas:
        show_confirmed(auritas.memory.confirm(name))


@app.command(epilog="Example: auritas memory dismiss 019b77c3")
def dismiss(name: Waiting = None) -> None:
    """Say no to something that was proposed: its words go."""
    from auritas.cli.screen import out, plain
    from auritas.cli.session import opened

    with opened() as auritas:
        gone = auritas.memory.dismiss(name)
    out.print(plain(f"Dismissed: {one_line(gone.claim, 200)}"))


@app.command(epilog="Example: auritas memory replace 019b77c3 019a11b0")
def replace(
    newer: Annotated[str, typer.Argument(metavar="NEWER", help="What holds from now on.")],
    older: Annotated[str, typer.Argument(metavar="OLDER", help="What it replaces.")],
) -> None:
    """Let one thing that is remembered take the place of another."""
    from auritas.cli.memory_report import show_kept
    from auritas.cli.session import opened

    with opened() as auritas:
        show_kept(auritas.memory.replace(newer, older), did="Kept")


@app.command(epilog="Example: auritas memory undo")
def undo() -> None:
    """Take back the last change of what is remembered."""
    from auritas.cli.memory_report import show_undone
    from auritas.cli.session import opened

    with opened() as auritas:
        show_undone(auritas.memory.undo())


@app.command(epilog="Example: auritas memory erase 019b77c3 --everywhere --yes")
def erase(
    name: Name = None,
    *,
    last: Annotated[bool, typer.Option("--last", help="What was stored last; the same as no id.")] = False,
    everywhere: Annotated[
        bool, typer.Option("--everywhere", help="The messages and answers that repeat it, too, question by question.")
    ] = False,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Erase something that is remembered from every file. This cannot be undone."""
    from auritas.cli.screen import confirm as confirmed
    from auritas.cli.screen import err, out, plain, print_json
    from auritas.cli.session import opened

    with opened() as auritas:
        memory: Memory = auritas.memory
        correction = memory.show(None if last else name).entry.correction
        found = memory.repeated(correction.id)
        if not (as_json and yes):
            err.print(plain(f"This erases for good: {one_line(correction.claim, 200)}"))
        if found.messages and everywhere and not (as_json and yes):
            err.print(plain(f"and {_places(found.messages, found.questions)} that repeat it."))
        elif found.messages and not (as_json and yes):
            err.print(plain(f"{_several(found.messages)} its words and will stay. {_TAKE_ALONG}"))
        if not confirmed("Erase for good?", assumed=yes):
            raise NotConfirmedError("Nothing was erased.", remedy="Say yes, or add --yes.")
        erased = memory.erase(correction.id, everywhere=everywhere)
    if as_json:
        counts = {"messages_left": erased.elsewhere, "backups": erased.backups, "lingers": erased.lingers}
        print_json({"erased": correction.id} | counts)
        return
    out.print(plain("Erased. The log keeps only that it was there."))
    if erased.elsewhere:
        out.print(plain(f"{_several(erased.elsewhere)} its words. {_FIND_THEM}", "yellow"))
    if erased.backups:
        out.print(plain(f"{counted(erased.backups, 'backup')} may hold it, encrypted; of daily ones seven are kept."))
    if erased.lingers:
        out.print(plain("Another process is reading; the last traces go when it ends.", "yellow"))


@app.command(epilog="Example: auritas memory export memory.md")
def export(
    target: Annotated[Path | None, typer.Argument(metavar="FILE", help="Where to; else the screen.")] = None,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="As JSON, which can be read in again.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file.")] = False,
) -> None:
    """Write out everything that holds, as Markdown, or as JSON that `memory import` reads."""
    from auritas.cli.screen import err, plain
    from auritas.cli.session import opened

    structured = as_json or (target is not None and target.suffix == ".json")
    with opened() as auritas:
        if target is None:
            text, _ = auritas.memory_files.export(structured=structured)
            typer.echo(text, nl=False)
            return
        count = auritas.memory_files.export_to(target, structured=structured, force=force)
    err.print(plain(f"Wrote {_memories(count)} to {target}. It is not encrypted."))


@app.command("import", epilog="Example: auritas memory import memory.json")
def read_in(
    file: Annotated[Path, typer.Argument(help="A file that `memory export --json` wrote.")],
) -> None:
    """Read in what was written out elsewhere. What is remembered already stays as it is."""
    from auritas.cli.screen import out, plain
    from auritas.cli.session import opened

    with opened() as auritas:
        came = auritas.memory_files.read_in(file)
    out.print(plain(f"{_memories(came.added)} added, {came.known} known already."))
    for each in came.replaced:
        out.print(plain(f"This was replaced: {one_line(each.claim, 200)}", "yellow"))
    for problem in came.problems:
        out.print(plain(f"Left out, {problem}.", "yellow"))


def _pinned(name: str | None, *, pinned: bool) -> None:
    from auritas.cli.screen import out, plain
    from auritas.cli.session import opened

    with opened() as auritas:
        kept = auritas.memory.pin(name, pinned=pinned)
    out.print(plain(f"{'Pinned' if pinned else 'No longer pinned'}: {one_line(kept.claim, 200)}"))


def _scope(*, project: bool, field: str | None, conversation: str | None) -> Scope:
    chosen = [
        scope
        for scope, said in ((Scope.PROJECT, project), (Scope.DOMAIN, field), (Scope.CONVERSATION, conversation))
        if said
    ]
    if len(chosen) > 1:
        raise UsageError("It holds in one place.", remedy="Give one of --project, --field and --in.")
    return chosen[0] if chosen else Scope.GLOBAL


def _places(messages: int, questions: int) -> str:
    return f"{counted(messages, 'message')} of {counted(questions, 'question')}"


def _memories(count: int) -> str:
    return f"{count:,} {'memory' if count == 1 else 'memories'}"


def _field(auritas: "Auritas", name: str | None) -> str | None:
    """Return the field of that name; for people a domain is a field here."""
    if name is None:
        return None
    try:
        return auritas.domains.known(name)
    except NotFoundError as error:
        if error.code != "unknown_domain":
            raise
        raise NotFoundError(f"There is no field {one_line(name, 60)!r}.", remedy=error.remedy) from None


def _several(messages: int) -> str:
    return f"{counted(messages, 'message')} in your conversations still {'holds' if messages == 1 else 'hold'}"
