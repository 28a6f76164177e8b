"""`auritas search`: everything ever said, as you type or in one go."""

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from auritas.cli.left_out import asks_for_something, emptied, unknown_filters, within_limits
from auritas.kernel.clock import timestamp
from auritas.kernel.errors import NotFoundError, UsageError
from auritas.kernel.text import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from auritas.app.compose import Auritas
    from auritas.app.indexing import Health
    from auritas.app.search import Found, Snippet
    from auritas.kernel.memory import Passage

REBUILD, STATUS = "rebuild", "status"
SHORT_ID = 13
"""Characters of an id that are shown: the moment in it, which tells conversations apart."""
_FOR_EXAMPLE = 'For example: auritas search "what we decided" before:2026-03-01'
FAR = 0.3
"""A score below which a passage has little to do with what was meant; the nearest few are shown all the same."""
FEW = 3
_EXAMPLES = """Example: auritas search postgres replication before:2026-03-01

Filters: project: model: domain: before: after:, "a phrase" in quotes, and -word to leave out.
auritas search status and auritas search rebuild look after the index."""


def register(root: typer.Typer) -> None:
    """Add the command to the tree."""
    root.command(epilog=_EXAMPLES, context_settings={"ignore_unknown_options": True})(search)


def search(
    words: Annotated[
        list[str] | None, typer.Argument(help="What to look for; the last word may be a beginning.")
    ] = None,
    *,
    meaning: Annotated[bool, typer.Option("--meaning", help="Search by meaning instead of words.")] = False,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=100, help="Conversations to show.")] = 10,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> int:
    """Search everything you and the council ever said; without words in a terminal, as you type."""
    from auritas.cli.session import opened

    said = " ".join(words or [])
    if not said.strip():
        return _as_typed(limit, as_json=as_json, meaning=meaning)
    if not asks_for_something(said):
        raise UsageError("Say what to look for.", remedy=_FOR_EXAMPLE)
    with opened() as auritas:
        if said in {REBUILD, STATUS} and not meaning:
            _look_after(auritas, said, as_json=as_json)
        elif meaning:
            _show_passages(auritas, auritas.search.meaning(said, limit), as_json=as_json)
        else:
            return show_found(auritas, said, limit, as_json=as_json)
    return 0


def _as_typed(limit: int, *, as_json: bool, meaning: bool) -> int:
    if as_json or meaning or not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError("Say what to look for.", remedy=_FOR_EXAMPLE)
    from auritas.cli.conversations import show
    from auritas.cli.search_screen import choose
    from auritas.cli.session import opened

    with opened() as auritas:
        chosen = choose(auritas.search, limit)
    if chosen is not None:
        show(chosen.conversation_id, at=chosen.message_id, limit=10, as_json=False)
    return 0


# --- words ---------------------------------------------------------------------------------------------------------


def show_found(auritas: "Auritas", said: str, limit: int = 10, *, as_json: bool = False) -> int:
    """Print what holds the words, and return the exit code."""
    from auritas.cli.screen import err, plain, print_json

    waiting = auritas.search.begin()
    found = within_limits(auritas.search.words(said, limit=limit), said)
    if waiting:
        how = "to index them now: auritas search rebuild"
        err.print(plain(f"! {counted(waiting, 'conversation')} not indexed yet; {how}", "yellow"))
    if as_json:
        print_json(_document(found))
    elif not found.conversations and not found.messages:
        _print_nothing(auritas, said, limit, " of what is indexed so far" if waiting else "")
    else:
        _print(found)
    return 0 if found.conversations or found.messages else NotFoundError.exit_code


def _print_nothing(auritas: "Auritas", said: str, limit: int, so_far: str) -> None:
    from auritas.app.search import FILTERS
    from auritas.cli.screen import out, plain

    without = emptied(auritas.search, said, limit)
    out.print(plain(str(without) if without else f"Nothing{so_far} holds {said!r}."))
    if without:
        return
    if hint := unknown_filters(said, FILTERS):
        out.print(plain(hint, "dim"))
    try_this = "Try fewer words, or by" if len(said.split()) > 1 else "Try by"
    out.print(plain(f"{try_this} meaning: auritas search --meaning …", "dim"))


def _print(found: "Found") -> None:
    from auritas.cli.screen import out, plain
    from auritas.cli.snippets import NEARBY, marked

    if found.instead:
        out.print(plain(f"Nothing holds these words. Instead: {' '.join(found.instead)}", "yellow"))
    elif found.near.value in NEARBY:
        out.print(plain(NEARBY[found.near.value], "yellow"))
    for hit in found.conversations:
        out.print(plain(f"{hit.at:%Y-%m-%d}  {hit.conversation_id[:SHORT_ID]}  ", "dim").append(marked(hit.title)))
        out.print(marked(hit.snippet, "  "))
    if found.messages:
        out.print(plain("\nMessages", "bold"))
    for message in found.messages:
        head = f"{message.at:%Y-%m-%d}  {message.conversation_id[:SHORT_ID]}  {message.role}  "
        out.print(plain(head, "dim").append(marked(message.snippet)))
    first = found.conversations[0] if found.conversations else found.messages[0]
    at = f" --at {first.message_id}" if first.message_id else ""
    more = "There are more; --limit shows them. " if found.more else ""
    out.print(plain(f"\n{more}Read one: auritas conversations show {first.conversation_id}{at}", "dim"))


def _document(found: "Found") -> dict[str, Any]:
    return {
        "order": found.order,
        "near": found.near,
        "instead": list(found.instead),
        "more": found.more,
        "conversations": [
            {
                "conversation_id": hit.conversation_id,
                "title": "".join(piece.text for piece in hit.title),
                "at": timestamp(hit.at),
                "message_id": hit.message_id,
                "snippet": _pieces(hit.snippet),
            }
            for hit in found.conversations
        ],
        "messages": [
            {
                "message_id": hit.message_id,
                "conversation_id": hit.conversation_id,
                "role": hit.role,
                "at": timestamp(hit.at),
                "snippet": _pieces(hit.snippet),
            }
            for hit in found.messages
        ],
    }


def _pieces(snippet: "Snippet") -> list[dict[str, Any]]:
    return [{"text": piece.text, "hit": piece.hit} for piece in snippet]


# --- meaning -------------------------------------------------------------------------------------------------------


def _show_passages(auritas: "Auritas", passages: "tuple[Passage, ...]", *, as_json: bool) -> None:
    from rich.padding import Padding

    from auritas.cli.screen import brief, out, plain, print_json

    if as_json:
        shown = [
            {
                "message_id": each.message_id,
                "conversation_id": each.conversation_id,
                "at": timestamp(each.said_at),
                "score": round(each.score, 4),
                "text": each.text,
            }
            for each in passages
        ]
        print_json({"passages": shown})
        return
    if not passages:
        out.print(plain("Nothing has been said yet that could be found."))
        return
    for each in near(passages):
        title = auritas.conversations.named(each.conversation_id).name
        head = f"{each.said_at:%Y-%m-%d}  {each.conversation_id[:SHORT_ID]}  score {each.score:.2f}  "
        out.print(plain(head, "dim").append_text(brief(title, 60)))
        out.print(Padding(brief(each.text, 160), (0, 0, 0, 2)))
    first = passages[0]
    at = f"{first.conversation_id} --at {first.message_id}"
    out.print(plain(f"\nRead one: auritas conversations show {at}", "dim"))


def near(passages: "Sequence[Passage]") -> "Sequence[Passage]":
    """Return what is worth showing: what is not far off, and the nearest few in any case."""
    return [each for place, each in enumerate(passages) if place < FEW or each.score >= FAR]


# --- the index -----------------------------------------------------------------------------------------------------


def _look_after(auritas: "Auritas", what: str, *, as_json: bool) -> None:
    from auritas.cli.screen import count_bar, out, plain, print_json

    if what == REBUILD:
        with count_bar("Indexing") as update:
            auritas.indexing.rebuild(lambda done: update("conversations", done.done, done.total))
    health = auritas.indexing.health(thorough=True)
    if as_json:
        print_json(_health_document(health))
        return
    out.print(plain(_in_words(health)))
    if health.stuck or health.missing or health.extra or not health.sound:
        out.print(plain("The index is not complete. Build it anew: auritas search rebuild", "yellow"))


def _in_words(health: "Health") -> str:
    lines = [
        f"{health.indexed:,} of {health.messages:,} messages are indexed, in {health.conversations:,} conversations."
    ]
    if health.waiting:
        waits = counted(health.waiting, "conversation")
        lines.append(f"Not indexed yet: {waits}. Each search takes in some; auritas search rebuild takes in all.")
    lines += [f"Waiting for {name}: {counted(count, 'message')}." for name, count in health.pending.items() if count]
    if health.worker != "idle":
        lines.append("The worker runs." if health.worker == "running" else "The worker has died; restart the server.")
    return "\n".join(lines)


def _health_document(health: "Health") -> dict[str, Any]:
    return {
        "ok": health.ok,
        "messages": health.messages,
        "indexed": health.indexed,
        "conversations": health.conversations,
        "waiting": health.waiting,
        "stuck": health.stuck,
        "missing": health.missing,
        "extra": health.extra,
        "sound": health.sound,
        "rebuilding": health.rebuilding,
        "worker": health.worker,
        "pending": dict(health.pending),
    }
